function u(o,{text:t,...s}={},e=[]){let n=document.createElement(o);for(let[r,i]of Object.entries(s))typeof i=="function"?
n.addEventListener(r.slice(2),i):i!==null&&n.setAttribute(r,String(i));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function T(o,t,s){return u("button",{type:"button",text:o,title:t,onclick:s})}function W(o,t,s=""){let e=u("span",{text:o});
t instanceof HTMLSelectElement&&(t.ariaLabel=o);let n=t instanceof HTMLInputElement&&t.type==="checkbox";return u("label",
{title:s||null},n?[t,e]:[e,t])}function bt(o){return o.toLocaleString("en")}function $(o){return o.getContext("2d")}function Dt(o){let t=globalThis.document?.querySelector("script#payload");t&&Ts(o,t.textContent??"");let s=vs(o);return e=>e?
s(e):{render:n=>$s(o,n)}}function Ls(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function vs({name:o,state:t,
show:s}){let e=new WeakMap;return({data:n,parentElement:r,setStateValue:i})=>{let a=r.querySelector(`.${o}`),h=e.get(a)??
{shown:s(a),calls:0};return e.set(a,h),h.shown.load(n,c=>i(t,c)),Ls(h,()=>h.shown.close?.())}}function Ts({name:o,show:t,
file:s},e){if(!s)return;let n=t(document.querySelector(`.${o}`)),r=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),i=()=>n.
load(s.data(r),s.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function $s({
name:o,show:t,cell:s},{model:e,el:n}){if(!s)return;let[r,i]=[u("div"),u("div",{class:o})],a=u("style",{text:String(e.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,i),n.append(r);let h=t(i),c=()=>h.load(s.data(e.get(s.trait)),l=>{for(let[
f,p]of Object.entries(s.traits(l,h)))e.set(f,p);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var It={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var J=class{#t=0;start(t,s,e,n,r=()=>{}){this.stop();let i=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/e)),f=i&&e<=600?1:l,p=f===1?s:t+f*(s-t);n(i?Math.round(p):p),f<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var Z=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function Pt(o){
let t=getComputedStyle(o),s=(r,i)=>t.getPropertyValue(r).trim()||i,e=xt(s("--st-background-color","#ffffff")),n=xt(s("--\
st-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:S(e,n,.72),line:S(e,n,.2),
dim:S(e,n,.3),missing:S(e,n,.5),primary:xt(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function zt(o,t){
let e=(t?.16+.84*o:.92*o)*(Z.length-1),n=Math.min(Math.floor(e),Z.length-2);return S(Z[n],Z[n+1],e-n)}function S(o,t,s){
let e=n=>Math.round(o[n]+(t[n]-o[n])*s);return[e(0),e(1),e(2)]}function x(o,t=1){return`rgb(${o.join(" ")} / ${100*t}%)`}
var Q=null;function xt(o){Q??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),Q.fillStyle=o,Q.fillRect(
0,0,1,1);let[t,s,e]=Q.getImageData(0,0,1,1).data;return[t,s,e]}function E(o){let t=o>>>0;return()=>{t=t+1831565813|0;let s=Math.imul(t^t>>>15,1|t);return s^=s+Math.imul(s^s>>>7,61|s),
((s^s>>>14)>>>0)/2**32}}function I(o){return()=>Math.sqrt(-2*Math.log(1-o()))*Math.cos(2*Math.PI*o())}function Wt(o,t){let s=Array.
from({length:o},(e,n)=>n);for(let e=o-1;e>0;e--){let n=Math.floor(t()*(e+1));[s[e],s[n]]=[s[n],s[e]]}return s}var j={moons:"two moons",spiral:"spiral",ring:"ring",blobs:"two blobs",banana:"banana",cone:"cone"},Es={moons:(o,t)=>{let s=Math.
PI*o(),e=o()<.5?1:-1,[n,r]=[e*(Math.cos(s)-.5),e*(Math.sin(s)-.25)];return[1.5*n+.12*t(),1.5*r+.12*t()]},spiral:(o,t)=>{
let s=3*Math.PI*Math.sqrt(.03+.97*o()),e=.26*s;return[e*Math.cos(s)+.08*t(),e*Math.sin(s)+.08*t()]},ring:(o,t)=>{let s=2*
Math.PI*o();return[1.8*Math.cos(s)+.15*t(),1.8*Math.sin(s)+.15*t()]},blobs:(o,t)=>{let s=o()<.5?-1:1;return[1.4*s+.4*t(),
.6*s+.4*t()]},banana:(o,t)=>{let s=t();return[s,.45*(s**2-1)+.25*t()]},cone:(o,t)=>{let s=0;for(let n=0;n<6;n++)s-=.4*Math.
log(1-o());let e=Math.PI/4+.22*t();return[s*Math.cos(e),s*Math.sin(e)]}};function jt(o,t,s){let e=E(s),n=I(e),r=new Float64Array(
2*t);for(let i=0;i<t;i++)r.set(Es[o](e,n),2*i);return r}var O="drawn",At={depth:["Depth",1,8,1,"Steps of the flow: ActNorm, reversal, coupling"],width:["Width",4,32,4,"Hidden u\
nits of each coupling's network"],lr:["Learning rate",5e-4,.02,5e-4,"Of Adam, constant"],seed:["Seed",0,9999,1,"Of the s\
hape, the flow's start and the order of the points"]},qt={shape:"moons",coupling:"additive",depth:4,width:16,lr:.003,seed:0};
function Mt({shape:o,coupling:t,depth:s,width:e,lr:n,seed:r}){return[o,t,s,e,n,r].join("-")}function Gt(o){let[t,s,...e]=o.
split("-"),[n,r,i,a]=e.map(Number),h={depth:n,width:r,lr:i,seed:a};if(!((Object.hasOwn(j,t)||t===O)&&e.length===4)||s!==
"additive"&&s!=="affine")return null;for(let[l,[,f,p]]of Object.entries(At)){let m=h[l];if(!(l==="lr"||Number.isInteger(
m))||!(f<=m&&m<=p))return null}return{shape:t,coupling:s,...h}}function Ht({shape:o,coupling:t,depth:s,width:e,lr:n,seed:r},i){
let a=j[o];return`${a?`${i} points, ${a}`:`${i} points drawn by hand`}, seed ${r}; ${s} steps of ActNorm, reversal and ${t}\
 coupling of width ${e}; Adam at a learning rate of ${n}, 256 points a step, trained in this browser.`}var St={slow:["slow motion",2,2.4],normal:["normal",60,.6],fast:["fast",600,.2]},Os={data:["the data"],draws:["draws fro\
m N(0, I), taken back"]},Fs={additive:["additive"],affine:["affine"]},Cs={ActNorm:"ActNorm",reversal:"⇄","additive cou\
pling":"+ m","affine coupling":"· s + t"},Y=class{stepText=u("output");layerText=u("output",{class:"below"});chips=u("o\
l",{class:"chips","aria-label":"Layers of the flow"});constructor(t){this.view=t,this.train=T("Train","Train the flow in\
 this browser, or pause",()=>t.train()),this.step=T("One step","Take a single step of the optimiser",()=>t.step());let s=T(
"Start again","Begin the fit anew",()=>t.restart());this.speed=tt(St,()=>{}),this.speed.value="normal",this.layer=u("inp\
ut",{type:"range",min:0,step:.05,"aria-label":"Layer",oninput:()=>t.rest(Number(this.layer.value))});let e=[T("Back","Un\
do one layer",()=>t.stepLayer(-1)),T("Forward","Apply one more layer",()=>t.stepLayer(1)),T("Play","From data to latent \
space",()=>t.playTo(1/0)),T("Play back","The inverse: from latent space to data",()=>t.playTo(0)),this.layer];this.source=
tt(Os,r=>t.follow(r==="draws"?"draws":"data")),this.grid=u("input",{type:"checkbox",checked:"",onchange:()=>t.redraw()}),
this.ofFit=[s,...e,this.source],this.choices=_s(t);let n=W("Speed",this.speed);this.element=u("div",{class:"controls"},[
Bt("Fit",[this.train,this.step,s,n,this.stepText]),Bt("Layers",[...e,this.layerText]),this.chips,u("div",{class:"row"},[
W("Points",this.source),W("Grid of the latent space",this.grid)]),u("details",{},[u("summary",{text:"Other points, anoth\
er flow"}),...this.choices.map(({text:r,control:i})=>W(r,i))])])}show({fit:t,choice:s,source:e},n,r){let[i,a,h]=[t?.steps??
0,t?.bits.at(-1),t?.flow.layers??[]];this.train.textContent=r?"Pause":"Train";for(let l of[this.train,this.step])l.disabled=
!t||t.isBroken;let c=a===void 0?"":`: ${a.toFixed(3)} bits per dimension`;this.stepText.textContent=t?.isBroken?`diverge\
d at step ${bt(i)}: lower the learning rate and start again`:`step ${bt(i)}${c}`,this.layer.max=String(h.length),this.layer.
matches(":active")||(this.layer.value=String(n)),this.layerText.textContent=t?Ns(h,n):"";for(let l of this.ofFit)l.disabled=
!t;this.#t(h,n),this.source.value=e;for(let{name:l,control:f}of this.choices)f.matches(":focus")||(f.value=String(s[l]))}#t(t,s){
if(this.chips.childElementCount!==t.length){let n=t.map(({name:r},i)=>{let a=()=>this.view.open(i),h=T(Cs[r]??r,`Open la\
yer ${i+1}: ${r}`,a);return h.ariaLabel=h.title,h.className=r.endsWith("coupling")?"coupling":"",u("li",{},[h])});this.chips.
replaceChildren(...n)}let e=kt(s);[...this.chips.children].forEach((n,r)=>{let i=n.firstElementChild;i.ariaCurrent=r===e?
"step":"false"})}};function kt(o){return Math.max(0,Math.ceil(o)-1)}function _s(o){let t=Object.entries({...j,[O]:"draw \
your own"}),s=Object.fromEntries(t.map(([r,i])=>[r,[i]])),e=Object.entries(At).map(([r,[i,a,h,c,l]])=>{let f=u("input",{
type:"number",min:a,max:h,step:c,title:l});return f.addEventListener("change",()=>{f.reportValidity()&&o.choose({[r]:Number(
f.value)})}),{name:r,text:i,control:f}});return[{name:"shape",text:"Shape",control:tt(s,r=>o.choose({shape:r}))},{name:"\
coupling",text:"Coupling",control:tt(Fs,r=>o.choose({coupling:r==="affine"?"affine":"additive"}))},...e]}function tt(o,t){
let s=Object.entries(o).map(([n,[r]])=>u("option",{value:n,text:r})),e=u("select",{},s);return e.addEventListener("chang\
e",()=>t(e.value)),e}function Bt(o,t){return u("div",{class:"row"},[u("span",{class:"name",text:o}),...t])}function Ns(o,t){
let s=Math.round(t);if(s===0)return"data space, before the first layer";let e=s===o.length?": latent space":"";return`af\
ter layer ${s} of ${o.length}, ${o[s-1].name}${e}`}var[Lt,vt,Rs]=[.9,.999,1e-6],st=class{#t=0;constructor(t,s){this.parameters=t,this.lr=s,this.means=t.map(e=>new Float64Array(
e.length)),this.squares=t.map(e=>new Float64Array(e.length))}step(t){this.#t+=1;let[s,e]=[1-Lt**this.#t,1-vt**this.#t];this.
parameters.forEach((n,r)=>{let[i,a]=[this.means[r],this.squares[r]];for(let h=0;h<n.length;h++){let c=t[r][h];i[h]=Lt*i[h]+
(1-Lt)*c,a[h]=vt*a[h]+(1-vt)*c*c,n[h]-=this.lr*i[h]/s/(Math.sqrt(a[h]/e)+Rs)}})}};function et(o,t,s){let e=o.length/t,[n,r]=[new Float64Array(t),new Float64Array(t)];for(let a=0;a<o.length;a++)n[a%t]+=o[a]/
e;for(let a=0;a<o.length;a++)r[a%t]+=(o[a]-n[a%t])**2/e;let i=s?1:Math.sqrt(Math.max(...r));return{b:n.map(a=>-a),logs:r.
map(a=>{let h=Math.sqrt(a);return h>1e-6*i?-Math.log(h)/3:0})}}function L(o){return o.map(t=>Math.exp(3*t))}var F=class{name="\
ActNorm";b=new Float64Array(2);logs=new Float64Array(2);parameters=[this.b,this.logs];constructor(t){this.isUnit=t}forward(t){
let s=L(this.logs),e=t.map((r,i)=>(r+this.b[i%2])*s[i%2]),n=3*(this.logs[0]+this.logs[1]);return{x:t,y:e,ladj:new Float64Array(
t.length/2).fill(n)}}inverse(t){let s=L(this.logs);return t.map((e,n)=>e/s[n%2]-this.b[n%2])}backward({x:t,y:s},e,n,[r,i]){
let a=L(this.logs),h=e.map((c,l)=>c*a[l%2]);for(let c=0;c<t.length;c++)r[c%2]+=h[c],i[c%2]+=3*(e[c]*s[c]+n);return h}initialize(t){
let{b:s,logs:e}=et(t,2,this.isUnit);return this.b.set(s),this.logs.set(e),this.forward(t).y}};var Ds=.05,ot=class{constructor(t,s,e){let n=w=>Float64Array.from({length:w},()=>Ds*e()),r=w=>new Float64Array(w);this.width=
t,this.nOutputs=s,this.w1=n(t),this.b1=r(t),this.logs1=r(t),this.w2=n(t*t),this.b2=r(t),this.logs2=r(t),this.w3=r(s*t),this.
c=r(s),this.logs3=r(s);let{w1:i,b1:a,logs1:h,w2:c,b2:l,logs2:f,w3:p,c:m,logs3:d}=this;this.parameters=[i,c,p,m,d,a,h,l,f]}forward(t){
let{width:s,nOutputs:e,w2:n,b2:r,w3:i,c:a}=this,[h,c]=[this.logs2,this.logs3].map(L),l=this.#t(t),[f,p]=[s,e].map(m=>new Float64Array(
t.length*m));for(let m=0;m<t.length;m++){for(let d=0;d<s;d++){let w=$t(n,d*s,l,m*s,s);f[m*s+d]=Math.max(0,(w+r[d])*h[d])}
for(let d=0;d<e;d++){let w=$t(i,d*s,f,m*s,s);p[m*e+d]=(w+a[d])*c[d]}}return{x:t,h1:l,h2:f,out:p}}#t(t){let{width:s,w1:e,
b1:n}=this,r=L(this.logs1);return new Float64Array(t.length*s).map((i,a)=>{let h=a%s;return Math.max(0,(e[h]*t[(a-h)/s]+
n[h])*r[h])})}backward({x:t,h1:s,h2:e,out:n},r,[i,a,h,c,l,f,p,m,d]){let{width:w,nOutputs:v,w1:b,w2:_,w3:V}=this,[z,Ss,ks]=[
this.logs1,this.logs2,this.logs3].map(L),Rt=new Float64Array(t.length),[K,X]=[new Float64Array(w),new Float64Array(w)];for(let N=0;N<
t.length;N++){let R=N*w;K.fill(0),X.fill(0);for(let g=0;g<v;g++){let M=N*v+g;l[g]+=3*r[M]*n[M];let k=r[M]*ks[g];c[g]+=k;
for(let D=0;D<w;D++)h[g*w+D]+=k*e[R+D],X[D]+=k*V[g*w+D]}for(let g=0;g<w;g++){if(e[R+g]===0)continue;d[g]+=3*X[g]*e[R+g];
let M=X[g]*Ss[g];m[g]+=M;for(let k=0;k<w;k++)a[g*w+k]+=M*s[R+k],K[k]+=M*_[g*w+k]}for(let g=0;g<w;g++){if(s[R+g]===0)continue;
p[g]+=3*K[g]*s[R+g];let M=K[g]*z[g];f[g]+=M,i[g]+=M*t[N],Rt[N]+=M*b[g]}}return Rt}initialize(t){let{width:s,w1:e,w2:n}=this,
r=new Float64Array(t.length*s),i=et(r.map((c,l)=>e[l%s]*t[Math.floor(l/s)]),s,!0);this.b1.set(i.b),this.logs1.set(i.logs);
let a=this.#t(t),h=et(r.map((c,l)=>$t(n,l%s*s,a,l-l%s,s)),s,!0);this.b2.set(h.b),this.logs2.set(h.logs)}};function $t(o,t,s,e,n){
let r=0;for(let i=0;i<n;i++)r+=o[t+i]*s[e+i];return r}var C=class{constructor(t,s,e){this.name=`${t} coupling`,this.isAffine=t==="affine",this.network=new ot(s,this.isAffine?
2:1,e),this.parameters=this.network.parameters}effect(t){let s=this.network.forward(t),{out:e}=s;if(!this.isAffine)return{
kept:s,shift:e,logScale:new Float64Array(t.length)};let n=t.map((r,i)=>-Math.log1p(Math.exp(-(e[2*i+1]+2))));return{kept:s,
shift:t.map((r,i)=>e[2*i]),logScale:n}}forward(t){let{kept:s,shift:e,logScale:n}=this.effect(Et(t)),r=t.map((i,a)=>a%2?(i+
e[a>>1])*Math.exp(n[a>>1]):i);return{x:t,y:r,ladj:n,kept:s}}inverse(t){let{shift:s,logScale:e}=this.effect(Et(t));return t.
map((n,r)=>r%2?n*Math.exp(-e[r>>1])-s[r>>1]:n)}backward({y:t,ladj:s,kept:e},n,r,i){let a=n.slice(),{x:h,out:c}=e,l=new Float64Array(
c.length);for(let p=0;p<h.length;p++){let[m,d]=[n[2*p+1],Math.exp(s[p])];a[2*p+1]=m*d,l[this.isAffine?2*p:p]=m*d,this.isAffine&&
(l[2*p+1]=(m*t[2*p+1]+r)*(1-d))}let f=this.network.backward(e,l,i);for(let p=0;p<h.length;p++)a[2*p]+=f[p];return a}initialize(t){
return this.network.initialize(Et(t)),this.forward(t).y}};function Et(o){return new Float64Array(o.length/2).map((t,s)=>o[2*
s])}var nt=o=>o.map((t,s)=>o[s^1]),Ut={name:"reversal",parameters:[],forward:o=>({x:o,y:nt(o),ladj:new Float64Array(o.length/
2)}),inverse:nt,backward:(o,t)=>nt(t),initialize:nt};var rt=class{constructor({depth:t,width:s,coupling:e,seed:n}){let r=I(E(n));this.layers=Array.from({length:t},(i,a)=>[new F(
a>0),Ut,new C(e,s,r)]).flat(),this.parameters=this.layers.flatMap(i=>i.parameters)}initialize(t){this.layers.reduce((s,e)=>e.
initialize(s),t)}trace(t){let s=this.#t(t);return{states:[t,...s.map(({y:e})=>e)],ladj:s.map(({ladj:e})=>e)}}#t(t){let s=t;
return this.layers.map(e=>{let n=e.forward(s);return s=n.y,n})}back(t,s=this.layers.length){let e=[t];for(let n=s-1;n>=0;n--)
e.unshift(this.layers[n].inverse(e[0]));return e}logProb(t){let{states:s,ladj:e}=this.trace(t),n=s.at(-1);return new Float64Array(
t.length/2).map((r,i)=>e.reduce((a,h)=>a+h[i],it(n[2*i],n[2*i+1])))}gradients(t){let s=this.#t(t),[e,n]=[t.length/2,s.at(
-1)?.y??t],r=1/(2*Math.LN2*e),i=0;for(let l=0;l<e;l++){let f=s.reduce((p,m)=>p+m.ladj[l],0);i-=r*(it(n[2*l],n[2*l+1])+f)}
let a=this.parameters.map(l=>new Float64Array(l.length)),h=n.map(l=>l*r),c=a.length;for(let l=this.layers.length-1;l>=0;l--){
let f=this.layers[l],p=c-f.parameters.length;h=f.backward(s[l],h,-r,a.slice(p,c)),c=p}return{bits:i,gradients:a}}};function it(o,t){
return-.5*(o*o+t*t)-Math.log(2*Math.PI)}function Vt(o,t){let s=o.forward(Float64Array.from(t)),e=o.parameters.map(h=>new Float64Array(
h.length)),[n,r]=o.backward(s,Float64Array.of(1,0),0,e),[i,a]=o.backward(s,Float64Array.of(0,1),0,e);return[n,r,i,a]}var Is=256,at=class{#t=[];bits=[];constructor(t,s){this.points=t,this.flow=new rt(s),this.flow.initialize(t),this.optimizer=
new st(this.flow.parameters,s.lr),this.uniform=E(s.seed+1)}get steps(){return this.bits.length}get isBroken(){return this.
steps>0&&!Number.isFinite(this.bits[this.steps-1])}step(){let{bits:t,gradients:s}=this.flow.gradients(this.#e());this.bits.
push(t),this.isBroken||this.optimizer.step(s)}#e(){let t=this.points.length/2,s=Math.min(Is,t);this.#t.length<s&&(this.#t=
Wt(t,this.uniform));let e=new Float64Array(2*s);return this.#t.splice(0,s).forEach((n,r)=>{e.set(this.points.subarray(2*
n,2*n+2),2*r)}),e}};var[Kt,Ps]=[9,3],q=41,Xt=[0,0,3.3];function Jt(o){let t=o.filter((n,r)=>r%2===0),[s,e]=[Math.min(...t),Math.max(...t)];return t.
map(n=>(n-s)/(e-s||1))}function Zt([o,t],[s,e,n]){return Math.abs(o-s)<=n&&Math.abs(t-e)<=n}function Qt(o){let[t,s]=[0,1].
map(c=>o.filter((l,f)=>f%2===c)),e=[t,s].map(c=>[Math.min(...c),Math.max(...c)]),[[n,r],[i,a]]=e,h=Math.max(r-n,a-i)/2*(1+
.25);return[(n+r)/2,(i+a)/2,h]}function Yt([o,t,s],e){let n=r=>s*((2*r+1)/e-1);return new Float64Array(2*e*e).map((r,i)=>{
let a=i>>1;return i%2?t+n(Math.floor(a/e)):o+n(a%e)})}function ts(){let o=(s,e)=>Ps*(2*s/(e-1)-1),t=[];for(let s of[!1,!0])
for(let e=0;e<Kt;e++)for(let n=0;n<q;n++){let[r,i]=[o(e,Kt),o(n,q)];t.push(...s?[i,r]:[r,i])}return Float64Array.from(t)}
function ss(o,[t,s],e){let[n,r]=[null,e];for(let i=0;2*i<o.length;i++){let a=Math.hypot(o[2*i]-t,o[2*i+1]-s);a<=r&&([n,r]=
[i,a])}return n}function es(o,t){let s=o.length-1,e=r=>{if(r>=s)return 3.3;let i=o[r].reduce((a,h)=>Math.max(a,Math.abs(
h)),0);return Math.max(3.3,1.05*i)},n=Math.floor(t);return[0,0,e(n)+(t-n)*(e(n+1)-e(n))]}function ht(o,t){let s=Math.floor(
t),[e,n]=[o[s],t-s];if(n===0)return e;let r=o[s+1];return e.map((i,a)=>i+n*(r[a]-i))}var os=600,[zs,Ws]=[8,2e3],[js,qs]=[4,.12],Gs=[0,0,3],Hs=40,Bs=ts();function G(o){let t=null;return(s,e=1)=>((!t||s-t.version>=
e)&&(t={version:s,value:o()}),t.value)}var H=class{#t=0;#e=I(E(7));row=0;#i=[0,0];source="data";fit=null;#s=new Float64Array(
2*os).map(()=>this.#e());#n=G(()=>this.source==="data"?this.points:this.flow.back(this.#s)[0]);#a=G(()=>this.flow.trace(
this.followed));#o=G(()=>this.flow.trace(Float64Array.from(this.place)));#h=G(()=>this.flow.back(Bs));#c=G(()=>this.flow.
logProb(Yt(this.box,Hs)).map(Math.exp));constructor(t){this.choice=t;let{shape:s,seed:e}=t;this.points=s===O?new Float64Array:
jt(s,os,e),this.box=s===O?Gs:Qt(this.points),this.row=s===O?null:0,this.restart()}restart(){let t=this.points.length>=2*
zs;this.fit=t?new at(this.points,this.choice):null,this.#t+=1}get isDrawn(){return this.choice.shape===O}get flow(){return this.
fit.flow}get nLayers(){return 3*this.choice.depth}step(){this.fit?.step(),this.#t+=1}follow(t){this.source=t,this.row=this.
isDrawn&&t==="data"?null:0,this.#t+=1}get followed(){return this.#n(this.#t)}get colouredBy(){return this.source==="data"?
this.points:this.#s}get trace(){return this.#a(this.#t)}get way(){return this.#o(this.#t)}lines(t){return this.#h(this.#t,
t)}density(t){return this.#c(this.#t,t)}get place(){return this.row===null?this.#i:[this.followed[2*this.row],this.followed[2*
this.row+1]]}pick(t,s,e){this.row=ss(this.trace.states[s],t,e),this.moveTo(t,s)}moveTo(t,s){let[e,n]=s?this.flow.back(Float64Array.
from(t),s)[0]:t;if(this.#t+=1,this.row===null)this.#i=[e,n];else if(this.source==="data")this.points.set([e,n],2*this.row);else{
let r=this.flow.trace(Float64Array.of(e,n)).states.at(-1);this.#s.set(r,2*this.row)}}scatter([t,s]){let e=Math.min(js,Ws-
this.points.length/2),n=Array.from({length:2*e},(r,i)=>(i%2?s:t)+qs*this.#e());this.points=Float64Array.of(...this.points,
...n),this.fit&&(this.fit.points=this.points),this.#t+=1}};function ct(o,t,s){let e=devicePixelRatio||1;Object.assign(o,{width:t*e,height:s*e}),Object.assign(o.style,{width:`${t}p\
x`,height:`${s}px`}),$(o).scale(e,e)}function lt(o,{x:t,y:s,w:e,h:n},r){o.save(),o.beginPath(),o.rect(t,s,e,n),o.clip(),r(),o.restore()}function B(o,t,{colour:s,
width:e,halo:n},r){let i=[[t.background,e+n],[s,e]];for(let[a,h]of i)o.beginPath(),r(),o.lineWidth=h,o.strokeStyle=x(a),
o.stroke()}function P(o,t){return(s,e,n,{align:r="left",colour:i=t.muted,weight:a=400,halo:h=!1}={})=>{o.font=`${a} 11.5\
px ${t.font}`,o.textAlign=r,o.fillStyle=x(i),h&&(o.strokeStyle=x(t.background),o.lineWidth=4,o.lineJoin="round",o.strokeText(
s,e,n)),o.fillText(s,e,n)}}var Us=[1,2,5,10],Vs=12;function Ft([o,t],s){let e=(t-o)/s,n=10**Ot(e),r=n*(Us.find(h=>h*n>=e)??10),[i,a]=[Math.ceil(o/r),
Math.floor(t/r)];return Array.from({length:a-i+1},(h,c)=>{let l=(i+c)*r;return{value:l,text:Ks(l,r)}})}function Ks(o,t){
let s=o?Ot(o)-Ot(t)+1:1,e=Math.min(Vs,Math.max(1,s));return o.toLocaleString("en",{maximumSignificantDigits:e})}function Ot(o){
return Math.floor(Math.log10(Math.abs(o)))}var[Ct,Xs,ns,Js]=[46,10,16,34],rs={across:40,up:28},ft=[[],[7,3],[2,3],[9,3,2,3]];function as(o,t,s,e){let{title:n="",lines:r,
hasZero:i,at:a,rug:h}=e,c=r.filter(({name:b})=>b),l=(e.names??c.length)+ +(n!==""),[f,p]=[s.x+Ct,s.y+ns*l+10],m={x:f,y:p,
w:s.w-Ct-Xs,h:s.y+s.h-Js-p},d=is(r.map(b=>b.x)),w=te(is([...r.map(b=>b.y),i?[0]:[]])),v=(b,_)=>[m.x+m.w*(b-d[0])/(d[1]-d[0]||
1),m.y+m.h*(w[1]-_)/(w[1]-w[0])];P(o,t)(n,s.x,s.y+12,{weight:600,colour:t.ink}),Zs(o,t,m,e.titles,d,w),lt(o,m,()=>{for(let b of Array.
from(h??[]))_t(o,x(t.ink,.18),v(b,w[0]),-7);a!==void 0&&_t(o,x(t.muted),v(a,w[0]),-m.h),r.forEach((b,_)=>{o.setLineDash(
ft[_%ft.length]),Qs(o,t,b,v),o.setLineDash([]),b.mark&&Ys(o,t,b,v,m)})}),c.forEach(({name:b,colour:_},V)=>{let z=s.y+ns*
(V+(n?1:0))+8;o.strokeStyle=x(_),o.lineWidth=2,o.setLineDash(ft[V%ft.length]),o.beginPath(),o.moveTo(s.x,z),o.lineTo(s.x+
24,z),o.stroke(),o.setLineDash([]),P(o,t)(b,s.x+30,z+4,{colour:t.ink})})}function Zs(o,t,s,e,n,r){let i=P(o,t),[a,h]=[s.
x+s.w,s.y+s.h];o.strokeStyle=x(S(t.background,t.ink,.45)),o.lineWidth=1,o.strokeRect(s.x+.5,s.y+.5,s.w-1,s.h-1);for(let{
value:c,text:l}of Ft(n,s.w/rs.across)){let f=s.x+s.w*(c-n[0])/(n[1]-n[0]||1);i(l,Math.min(f,a-8),h+14,{align:"center"})}
for(let{value:c,text:l}of Ft(r,s.h/rs.up)){let f=h-s.h*(c-r[0])/(r[1]-r[0]);i(l,s.x-5,f+4,{align:"right"})}i(e[0],s.x+s.
w/2,h+29,{align:"center"}),o.save(),o.translate(s.x-Ct+12,s.y+s.h/2),o.rotate(-Math.PI/2),i(e[1],0,0,{align:"center"}),o.
restore()}function Qs(o,t,{x:s,y:e,colour:n},r){B(o,t,{colour:n,width:2,halo:2},()=>{Array.from(s,(i,a)=>Number.isFinite(
e[a])&&o.lineTo(...r(i,e[a])))})}function Ys(o,t,{mark:s,colour:e},n,r){let[i,a]=n(...s);o.setLineDash([3,3]),_t(o,x(t.muted),
[i,a],r.y+r.h-a),o.setLineDash([]),o.fillStyle=x(e),o.beginPath(),o.arc(i,a,5,0,2*Math.PI),o.fill()}function _t(o,t,[s,e],n){
o.strokeStyle=t,o.lineWidth=1,o.beginPath(),o.moveTo(s,e),o.lineTo(s,e+n),o.stroke()}function is(o){let t=o.flatMap(s=>Array.
from(s)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function te([o,t]){let s=Math.max(.1-(t-o)/2,.06*
(t-o));return[o-s,t+s]}var hs=161;function y(o,t=3){let s=Math.abs(o).toFixed(t);return o<0&&Number(s)!==0?`−${s}`:s}function A(o){let t=y(o);
return t.startsWith("−")?`(${t})`:t}function cs(o,[t,s]){let[e,n]=o.forward(Float64Array.of(t,s)).y;if(o instanceof F){
let l=L(o.logs);return[`z₁ = (x₁ + b₁) · s₁ = (${A(t)} + ${A(o.b[0])}) · ${y(l[0])} ≈ ${y(e)}`,`z₂ = (x₂ + b\
₂) · s₂ = (${A(s)} + ${A(o.b[1])}) · ${y(l[1])} ≈ ${y(n)}`,"back: x = z / s − b"]}if(!(o instanceof C))return[
`z₁ = x₂ = ${y(e)}`,`z₂ = x₁ = ${y(n)}`,"back: the same again. The next coupling changes what the last one left."];
let{shift:r,logScale:i}=o.effect(Float64Array.of(t)),[a,h]=[r[0],Math.exp(i[0])],c=`z₁ = x₁ = ${y(e)}`;return o.isAffine?
[c,`z₂ = (x₂ + t(x₁)) · s(x₁) = (${A(s)} + ${A(a)}) · ${y(h)} ≈ ${y(n)}`,`back: x₂ = z₂ / s(z₁) − t(z₁) = ${A(
n)} / ${y(h)} − ${A(a)} ≈ ${y(s)}`]:[c,`z₂ = x₂ + m(x₁) = ${A(s)} + ${A(a)} ≈ ${y(n)}`,`back: x₂ = z₂ − m(z₁\
) = ${A(n)} − ${A(a)} ≈ ${y(s)}`]}function ls(o,[t,s,e,n]){let r=t*n-s*e,i=`det = ${A(t)} · ${A(n)} − ${A(s)} · ${A(
e)}`,a=`log |det| = ${y(Math.log(Math.abs(r)))} nats`;return o instanceof F?`${i} ≈ ${y(r)}: every area by one factor;\
 ${a}`:o instanceof C?o.isAffine?`${i} ≈ ${y(r)}: by another factor at each x₁; ${a}`:`${i} = ${y(r)}, whatever m is\
: areas stay as they are; ${a}`:`${i} = ${y(r)}: areas stay as they are, mirrored; ${a}`}function fs(o,[t,s],e){let n=o instanceof
F;if(!n&&!(o instanceof C))return null;let r=n?e:e.filter((p,m)=>m%2===0),[i,a]=[Math.min(...r,t),Math.max(...r,t)],h=new Float64Array(
hs).map((p,m)=>i+(a-i)*m/(hs-1)),c=(p,m,d)=>({name:p,x:h,y:m(h),mark:[d,m(Float64Array.of(d))[0]]});if(n){let p=L(o.logs),
m=w=>v=>v.map(b=>(b+o.b[w])*p[w]);return{curves:[c("z₁ of x₁",m(0),t),c("z₂ of x₂",m(1),s)],titles:["x","z"]}}let l=c(
o.isAffine?"t(x₁)":"m(x₁)",p=>o.effect(p).shift,t);if(!o.isAffine)return{curves:[l],titles:["x₁","m(x₁)"],rug:r};
let f=c("s(x₁)",p=>o.effect(p).logScale.map(Math.exp),t);return{curves:[l,f],titles:["x₁","t and s"],rug:r}}var se=[[0,114,178],[213,94,0]],[ps,us]=[340,220],ee=600,oe={additive:"Reversals and additive couplings preserve area. O\
nly ActNorm changes it, by one factor everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a brid\
ge.",affine:"Affine couplings stretch each point by its own factor, so p(x) can have several peaks of different heights."},
pt=class{title=u("h4");curve=u("canvas",{role:"img"});lines=u("div",{class:"formula"});matrix=u("div",{class:"matrix",role:"\
img"});determinant=u("p");loss=u("canvas",{role:"img"});terms=u("p");volume=u("p");constructor(){let t=u("div",{class:"r\
ow"},[u("span",{text:"Jacobian ∂z/∂x ="}),this.matrix]),s=u("div",{},[this.title,this.lines,t,this.determinant]);this.
element=u("div",{class:"opened"},[u("div",{},[this.curve]),s,u("div",{},[this.loss]),u("div",{class:"whole"},[this.terms,
this.volume])])}show(t,s,e){let[n,{states:r}]=[t.flow.layers[s],t.way],i=[r[s][0],r[s][1]],a=this.curve.parentElement?.clientWidth??
ps,h=Math.min(ps,a);this.title.textContent=`Layer ${s+1}: ${n.name}, for the marked point`,this.lines.replaceChildren(...cs(
n,i).map(f=>u("div",{text:f})));let c=Vt(n,i);this.matrix.replaceChildren(...c.map(f=>u("span",{text:y(f)}))),this.matrix.
ariaLabel=`rows ${c.map(f=>y(f)).join(", ")}`,this.determinant.textContent=ls(n,c);let l=fs(n,i,t.trace.states[s]);if(this.
curve.hidden=!l,l){let{titles:f,rug:p,curves:m}=l;ds(this.curve,e,h,{titles:f,rug:p,lines:ms(m)})}this.curve.ariaLabel=`${l?.
titles[1]} against ${l?.titles[0]}`,this.#t(t,e,h),this.terms.textContent=ne(t),this.volume.textContent=oe[t.choice.coupling]}#t({
fit:t},s,e){let n=t?.bits??[];if(this.loss.hidden=n.length<2,this.loss.hidden)return;let r=Math.ceil(n.length/ee),i=n.filter(
(h,c)=>c%r===0),a={name:"",x:Float64Array.from(i,(h,c)=>c*r+1),y:Float64Array.from(i)};ds(this.loss,s,e,{titles:["step",
"bits per dimension"],lines:ms([a])}),this.loss.ariaLabel="Bits per dimension of each step of the fit"}};function ms(o){
return o.map(({name:t,...s},e)=>({...s,name:o.length>1?t:"",colour:se[e]}))}function ds(o,t,s,e){ct(o,s,us),as($(o),t,{x:0,
y:0,w:s,h:us},e)}function ne({place:[o,t],way:{states:s,ladj:e}}){let n=s[s.length-1],[r,i]=[it(n[0],n[1]),e.reduce((h,[
c])=>h+c,0)],a=i<0?"−":"+";return`All layers: x = (${y(o)}, ${y(t)}) goes to z = (${y(n[0])}, ${y(n[1])}), and log p(x\
) = log N(z; 0, I) + Σ log |det| = ${y(r)} ${a} ${y(Math.abs(i))} = ${y(r+i)} nats.`}var[ut,gs,ws,re]=[34,48,22,460],ie=560;function Nt(o){let t=o>ie,s=Math.min(re,t?(o-ut-gs)/2:o-ut-2),e={x:ut,y:0,w:s,h:s},
n=t?{...e,x:ut+s+gs}:{...e,y:s+ws};return{height:(t?1:2)*(s+ws),plots:[e,n]}}var mt=1.7,[dt,ys]=[9,.45],ae=.62,he=.6,bs=[213,94,0],U=class{constructor(t,s,e,n,r){this.context=t,this.theme=s,this.plot=
e,this.square=n,this.letter=r}pixel(t,s){let[e,n,r]=this.square,{x:i,y:a,w:h}=this.plot;return[i+h*(t-e+r)/(2*r),a+h*(n+
r-s)/(2*r)]}place(t,s){let[e,n,r]=this.square,{x:i,y:a,w:h}=this.plot;return[e-r+2*r*(t-i)/h,n+r-2*r*(s-a)/h]}within(t){
let{context:s,theme:e,plot:n}=this;lt(s,n,t),s.strokeStyle=x(S(e.background,e.ink,.45)),s.lineWidth=1,s.strokeRect(n.x+.5,
n.y+.5,n.w-1,n.h-1),this.#t()}#t(){let{context:t,theme:s,plot:e,letter:n}=this,[r,i,a]=this.square,h=P(t,s),[c,l]=[e.x-5,
e.y+e.h+14];h((r-a).toFixed(1),e.x,l),h(`${n}₁`,e.x+e.w/2,l,{align:"center"}),h((r+a).toFixed(1),e.x+e.w,l,{align:"rig\
ht"}),h((i+a).toFixed(1),c,e.y+10,{align:"right"}),h(`${n}₂`,c,e.y+e.h/2+4,{align:"right"}),h((i-a).toFixed(1),c,e.y+e.
h,{align:"right"})}density(t){let{context:s,theme:e,plot:n}=this,r=Math.round(Math.sqrt(t.length)),i=t.reduce((c,l)=>Math.
max(c,l),0)||1,a=new ImageData(r,r);t.forEach((c,l)=>{let f=4*((r-1-Math.floor(l/r))*r+l%r);a.data.set(S(e.background,e.
ink,ae*(c/i)**he),f),a.data[f+3]=255});let h=u("canvas",{width:r,height:r});$(h).putImageData(a,0,0),s.imageSmoothingQuality=
"high",s.drawImage(h,n.x,n.y,n.w,n.h)}lines(t,s){let{context:e,theme:n}=this;e.strokeStyle=x(S(n.background,n.primary,.75)),
e.lineWidth=1,e.beginPath();for(let r=0;2*r<t.length;r++){let[i,a]=this.pixel(t[2*r],t[2*r+1]);r%s?e.lineTo(i,a):e.moveTo(
i,a)}e.stroke()}circles(){let{context:t,theme:s,plot:e,square:n}=this,[r,i]=this.pixel(0,0);t.strokeStyle=x(s.ink),t.lineWidth=
1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(r,i,a*e.w/(2*n[2]),0,2*Math.PI),t.stroke();t.setLineDash(
[])}points(t,s){let{context:e}=this;s.forEach((n,r)=>{let[i,a]=this.pixel(t[2*r],t[2*r+1]);e.fillStyle=n,e.fillRect(i-mt,
a-mt,2*mt,2*mt)})}arrow(t,s){let{context:e,theme:n}=this,[[r,i],[a,h]]=[this.pixel(...t),this.pixel(...s)],[c,l]=[Math.hypot(
a-r,h-i),Math.atan2(h-i,a-r)];if(c<2*dt)return;let f=c-dt-3,[p,m]=[r+f*Math.cos(l),i+f*Math.sin(l)];B(e,n,{colour:bs,width:2,
halo:3},()=>{e.moveTo(r,i),e.lineTo(p,m);for(let d of[-ys,ys])e.moveTo(p,m),e.lineTo(p-dt*Math.cos(l+d),m-dt*Math.sin(l+
d))})}mark([t,s]){let{context:e,theme:n}=this,[r,i]=this.pixel(t,s);B(e,n,{colour:bs,width:2,halo:3},()=>{e.arc(r,i,6,0,
2*Math.PI),e.moveTo(r-11,i),e.lineTo(r+11,i),e.moveTo(r,i-11),e.lineTo(r,i+11)})}};function xs(o,t,s,e,n){let[r,i]=Nt(t.clientWidth).plots,a=$(o),h=e.fit?es(e.trace.states,n):Xt,c=n===e.nLayers?"z":"h";return[
new U(a,s,r,e.box,"x"),new U(a,s,i,h,c)]}function As(o,t,[s,e],n,r){let i=t.clientWidth;ct(o,i,Nt(i).height),s.within(()=>ce(
s,n,r)),e.within(()=>{n.fit&&le(e,n,r)})}function ce(o,t,{age:s,hasGrid:e,colours:n}){if(!t.fit){o.points(t.points,n),o.
mark(t.place);return}o.density(t.density(s)),e&&o.lines(t.lines(s)[0],q),o.points(t.followed,n),o.mark(t.place)}function le(o,t,{
layer:s,age:e,hasGrid:n,colours:r}){n&&o.lines(ht(t.lines(e),s),q),o.points(ht(t.trace.states,s),r),s===t.nLayers&&o.circles();
let i=Math.max(1,Math.ceil(s)),[a,h]=[t.way.states[i-1],t.way.states[i]];o.arrow([a[0],a[1]],[h[0],h[1]]);let[c,l]=ht(t.
way.states,s);o.mark([c,l])}var gt=class{#t=0;#e=null;run(t,s,e){this.#t+=Math.min(.1,(t-(this.#e??t))/1e3)*s,this.#e=t;let n=performance.now()+10;for(;this.#t>=
1;)e(),this.#t-=1,performance.now()>=n&&(this.#t=Math.min(this.#t,1))}rest(){[this.#t,this.#e]=[0,null]}};var Ms=1200,fe=100,pe=14,ue=40,me=3,de="Left: the data, the flow's density p(x) in grey, and the grid of the latent spac\
e mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard deviati\
ons. Drag a point on either side: it moves through the whole map.",ge="Drag over the left square to scatter points; or m\
ove with the arrow keys and press Space.",yt=class{#t=new H(qt);#e=new J;#i=new gt;#s=this.#t.nLayers;#n=0;#a=0;#o=!0;#h=Ms;#c=!1;#r=null;#w=[];#l=null;#y=()=>{};#u=u(
"p",{role:"status"});#b=u("p",{class:"recipe"});opened=new pt;constructor(t){this.root=t,this.canvas=u("canvas",{tabindex:0,
role:"application",onpointerdown:n=>this.#k(n),onpointermove:n=>this.#L(n),onpointerup:()=>this.#g(),onpointercancel:()=>this.#g(),
onkeydown:n=>this.#v(n)}),this.controls=new Y(this);let{controls:s,opened:e}=this;t.replaceChildren(this.canvas,this.#u,
s.element,e.element,this.#b,u("p",{text:de}));for(let n of["pointerdown","keydown"])t.addEventListener(n,()=>{this.#c=!0});
this.watcher=new ResizeObserver(()=>this.redraw()),this.watcher.observe(t)}load({choice:t},s){if(this.#y=s,this.#l=Pt(this.
root),t!==null&&t!==Mt(this.#t.choice)){let e=Gt(t);e?this.#x(e):this.#u.textContent=`plane=${t} in the address is no fl\
ow: the usual one is shown.`}this.#f(),this.redraw()}choose(t){this.#x({...this.#t.choice,...t}),this.#y(Mt(this.#t.choice))}#x(t){
this.#t=new H(t),this.#u.textContent=this.#t.isDrawn?ge:"",this.restart(),this.#f()}restart(){this.#t.restart(),this.rest(
this.#t.nLayers),this.train(this.#t.fit!==null),this.#h=Ms,this.#c=!1}follow(t){this.#t.follow(t),this.#f(),this.redraw()}#f(){
let t=this.#l?.dark??!1,s=[...Jt(this.#t.colouredBy)];this.#w=s.map(e=>x(zt(e,t)))}train(t=!this.#o){this.#o=t,this.#h=1/0,
this.#i.rest(),this.redraw()}step(){this.train(!1),this.#t.step()}get#A(){return St[this.controls.speed.value]}#p(t,s,e=()=>{}){
let n=Math.min(this.#t.nLayers,Math.max(0,s)),r=Math.abs(n-t)*this.#A[2]*1e3;this.#e.start(t,n,r,this.#M,e)}stepLayer(t){
this.#p(this.#s,Math.round(this.#s)+t)}open(t){this.#p(t,t+1)}playTo(t){let s=Math.min(this.#t.nLayers,t);this.#p(this.#s===
s?this.#t.nLayers-s:this.#s,s)}#M=t=>{this.#s=t,this.redraw()};rest(t){this.#e.stop(),this.#M(t)}#m(){let t=this.#l;return xs(
this.canvas,this.root,t,this.#t,this.#s)}#k(t){let s=this.#m(),e=s.findIndex(i=>Zt(i.place(...wt(t)),i.square));if(e<0)return;
t.preventDefault(),this.canvas.focus({preventScroll:!0}),this.canvas.setPointerCapture(t.pointerId),this.#r=e===0?0:1;let n=s[e],
r=pe*2*n.square[2]/n.plot.w;this.#t.isDrawn&&e===0?this.#d(n.place(...wt(t))):this.#t.fit&&(e===1&&this.rest(Math.round(
this.#s)),this.#t.pick(n.place(...wt(t)),this.#S,r)),this.#f(),this.redraw()}#d(t){this.#t.scatter(t),this.#f()}get#S(){
return this.#r===0?0:Math.round(this.#s)}#L(t){if(this.#r===null)return;let s=this.#m()[this.#r].place(...wt(t));this.#t.
isDrawn&&this.#r===0?this.#d(s):this.#t.fit&&this.#t.moveTo(s,this.#S),this.redraw()}#g(){this.#r=null,this.#t.isDrawn&&
!this.#t.fit&&this.restart(),this.#t.fit&&(this.#u.textContent=""),this.redraw()}#v(t){let s=It[t.key],e=t.key===" "&&this.#t.
isDrawn;if(!s&&!e)return;if(t.preventDefault(),!s){this.#d(this.#t.place),this.#g();return}let[n,r]=this.#t.place,i=2*this.#t.
box[2]/ue;this.#t.moveTo([n+s[0]*i,r+s[1]*i],0),this.redraw()}redraw(){this.#n||(this.#n=requestAnimationFrame(this.#T))}#T=t=>{
this.#n=0,this.#o&&this.#$(t),this.#E(),this.#o&&this.redraw()};#$(t){let{fit:s}=this.#t;if(this.#i.run(t,this.#A[1],()=>this.#t.
step()),!s||s.isBroken)this.train(!1);else if(s.steps>=this.#h){this.train(!1);let e=this.#t.nLayers;this.#c||this.#p(e,
0,()=>this.#p(0,e))}}#E(){if(!this.#l||!this.root.clientWidth)return;let t=this.#t.fit?.steps??0,s=matchMedia("(prefers-\
reduced-motion: reduce)").matches,e=t>this.#a&&t<this.#a+fe;s&&this.#o&&e||(this.#a=t,As(this.canvas,this.root,this.#m(),
this.#t,{layer:this.#s,age:this.#o?me:1,colours:this.#w,hasGrid:this.controls.grid.checked}),this.#O(t))}#O(t){let{choice:s,
fit:e,points:n}=this.#t;this.controls.show(this.#t,this.#s,this.#o),this.opened.element.hidden=!e,e&&this.opened.show(this.#t,
kt(this.#s),this.#l),this.#b.textContent=Ht(s,n.length/2),this.canvas.ariaLabel=`Step ${t}: the data with the flow's den\
sity, and the points after the layers. Arrow keys move the marked point.`,this.root.dataset.steps=String(t)}close(){this.#e.
stop(),cancelAnimationFrame(this.#n),this.#n=0,this.watcher.disconnect()}};function wt({offsetX:o,offsetY:t}){return[o,t]}var Uo=Dt({name:"flow-view",show:o=>new yt(o),state:"choice",file:{data:()=>({choice:decodeURIComponent(location.hash.slice(
1))||null}),told:o=>location.replace(`#${o}`)},cell:{trait:"choice",data:o=>({choice:o}),traits:o=>({choice:o})}});export{Uo as default};
