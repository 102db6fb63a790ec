function u(o,{text:t,...s}={},e=[]){let n=document.createElement(o);for(let[i,r]of Object.entries(s))typeof r=="function"?
n.addEventListener(i.slice(2),r):r!==null&&n.setAttribute(i,String(r));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function T(o,t,s){return u("button",{type:"button",text:o,title:t,onclick:s})}function xt(o){return o.toLocaleString("en")}function $(o){return o.getContext("2d")}function Pt(o){let t=globalThis.document?.querySelector("script#payload");t&&Ts(o,t.textContent??"");let s=Ls(o);return e=>e?
s(e):{render:n=>$s(o,n)}}function vs(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function Ls({name:o,state:t,
show:s}){let e=new WeakMap;return({data:n,parentElement:i,setStateValue:r})=>{let a=i.querySelector(`.${o}`),h=e.get(a)??
{shown:s(a),calls:0};return e.set(a,h),h.shown.load(n,c=>r(t,c)),vs(h,()=>h.shown.close?.())}}function Ts({name:o,show:t,
file:s},e){if(!s)return;let n=t(document.querySelector(`.${o}`)),i=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),r=()=>n.
load(s.data(i),s.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function $s({
name:o,show:t,cell:s},{model:e,el:n}){if(!s)return;let[i,r]=[u("div"),u("div",{class:o})],a=u("style",{text:String(e.get(
"sheet"))});i.attachShadow({mode:"open"}).append(a,r),n.append(i);let h=t(r),c=()=>h.load(s.data(e.get(s.trait)),l=>{for(let[
p,f]of Object.entries(s.traits(l,h)))e.set(p,f);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var It={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var J=class{#t=0;start(t,s,e,n,i=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/e)),p=r&&e<=600?1:l,f=p===1?s:t+p*(s-t);n(r?Math.round(f):f),p<1?this.#t=requestAnimationFrame(
h):i()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var Z=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function zt(o){
let t=getComputedStyle(o),s=(i,r)=>t.getPropertyValue(i).trim()||r,e=At(s("--st-background-color","#ffffff")),n=At(s("--\
st-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:k(e,n,.72),line:k(e,n,.2),
dim:k(e,n,.3),missing:k(e,n,.5),primary:At(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function Wt(o,t){
let e=(t?.16+.84*o:.92*o)*(Z.length-1),n=Math.min(Math.floor(e),Z.length-2);return k(Z[n],Z[n+1],e-n)}function k(o,t,s){
let e=n=>Math.round(o[n]+(t[n]-o[n])*s);return[e(0),e(1),e(2)]}function x(o,t=1){return`rgb(${o.join(" ")} / ${100*t}%)`}
var Q=null;function At(o){Q??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),Q.fillStyle=o,Q.fillRect(
0,0,1,1);let[t,s,e]=Q.getImageData(0,0,1,1).data;return[t,s,e]}function E(o){let t=o>>>0;return()=>{t=t+1831565813|0;let s=Math.imul(t^t>>>15,1|t);return s^=s+Math.imul(s^s>>>7,61|s),
((s^s>>>14)>>>0)/2**32}}function P(o){return()=>Math.sqrt(-2*Math.log(1-o()))*Math.cos(2*Math.PI*o())}function jt(o,t){let s=Array.
from({length:o},(e,n)=>n);for(let e=o-1;e>0;e--){let n=Math.floor(t()*(e+1));[s[e],s[n]]=[s[n],s[e]]}return s}var W={moons:"two moons",spiral:"spiral",ring:"ring",blobs:"two blobs",banana:"banana",cone:"cone"},Es={moons:(o,t)=>{let s=Math.
PI*o(),e=o()<.5?1:-1,[n,i]=[e*(Math.cos(s)-.5),e*(Math.sin(s)-.25)];return[1.5*n+.12*t(),1.5*i+.12*t()]},spiral:(o,t)=>{
let s=3*Math.PI*Math.sqrt(.03+.97*o()),e=.26*s;return[e*Math.cos(s)+.08*t(),e*Math.sin(s)+.08*t()]},ring:(o,t)=>{let s=2*
Math.PI*o();return[1.8*Math.cos(s)+.15*t(),1.8*Math.sin(s)+.15*t()]},blobs:(o,t)=>{let s=o()<.5?-1:1;return[1.4*s+.4*t(),
.6*s+.4*t()]},banana:(o,t)=>{let s=t();return[s,.45*(s**2-1)+.25*t()]},cone:(o,t)=>{let s=0;for(let n=0;n<6;n++)s-=.4*Math.
log(1-o());let e=Math.PI/4+.22*t();return[s*Math.cos(e),s*Math.sin(e)]}};function qt(o,t,s){let e=E(s),n=P(e),i=new Float64Array(
2*t);for(let r=0;r<t;r++)i.set(Es[o](e,n),2*r);return i}var O="drawn",Mt={depth:["Depth",1,8,1,"Steps of the flow: ActNorm, reversal, coupling"],width:["Width",4,32,4,"Hidden u\
nits of each coupling's network"],lr:["Learning rate",5e-4,.02,5e-4,"Of Adam, constant"],seed:["Seed",0,9999,1,"Of the s\
hape, the flow's start and the order of the points"]},Gt={shape:"moons",coupling:"additive",depth:4,width:16,lr:.003,seed:0};
function kt({shape:o,coupling:t,depth:s,width:e,lr:n,seed:i}){return[o,t,s,e,n,i].join("-")}function Ht(o){let[t,s,...e]=o.
split("-"),[n,i,r,a]=e.map(Number),h={depth:n,width:i,lr:r,seed:a};if(!((Object.hasOwn(W,t)||t===O)&&e.length===4)||s!==
"additive"&&s!=="affine")return null;for(let[l,[,p,f]]of Object.entries(Mt)){let m=h[l];if(!(l==="lr"||Number.isInteger(
m))||!(p<=m&&m<=f))return null}return{shape:t,coupling:s,...h}}function Bt({shape:o,coupling:t,depth:s,width:e,lr:n,seed:i},r){
let a=W[o];return`${a?`${r} points, ${a}`:`${r} points drawn by hand`}, seed ${i}; ${s} steps of ActNorm, reversal and ${t}\
 coupling of width ${e}; Adam at a learning rate of ${n}, 256 points a step, trained in this browser.`}var St={slow:["slow motion",2,2.4],normal:["normal",60,.6],fast:["fast",600,.2]},Y=class{constructor(t){this.act=t,this.
train=T("Train","Train the flow in this browser, or pause",t.train),this.step=T("One step","Take a single step of the op\
timiser",t.step),this.restart=T("Start again","Begin the fit anew",t.restart),this.speed=tt("Speed",Object.entries(St).map(
Cs),"normal",()=>{}),this.stepText=u("output"),this.back=T("Back","Undo one layer",()=>t.stepLayer(-1)),this.forward=T("\
Forward","Apply one more layer",()=>t.stepLayer(1)),this.play=T("Play","From data to latent space",()=>t.playTo(1/0)),this.
inverse=T("Play back","The inverse: from latent space to data",()=>t.playTo(0)),this.layer=u("input",{type:"range",min:0,
step:.05,"aria-label":"Layer"}),this.layer.addEventListener("input",()=>t.setLayer(Number(this.layer.value))),this.layerText=
u("output",{class:"below"}),this.chips=u("ol",{class:"chips","aria-label":"Layers of the flow"});let s=[["data","the dat\
a"],["draws","draws from N(0, I), taken back"]];this.source=tt("Points",s,"data",f=>t.follow(f)),this.grid=u("input",{type:"\
checkbox",checked:"",onchange:t.redraw}),this.choices=Fs(t);let{train:e,step:n,restart:i,stepText:r,back:a,forward:h,play:c,
inverse:l,layer:p}=this;this.element=u("div",{class:"controls"},[Ut("Fit",[e,n,i,j("Speed",this.speed),r]),Ut("Layers",[
a,h,c,l,p,this.layerText]),this.chips,u("div",{class:"row"},[j("Points",this.source),u("label",{},[this.grid,u("span",{text:"\
Grid of the latent space"})])]),u("details",{},[u("summary",{text:"Other points, another flow"}),...this.choices.values()])])}show({
choice:t,steps:s,bits:e,isTraining:n,isBroken:i,canFit:r,layer:a,layers:h,source:c}){this.train.textContent=n?"Pause":"T\
rain";for(let f of[this.train,this.step])f.disabled=i||!r;let l=e===void 0?"":`: ${e.toFixed(3)} bits per dimension`;this.
stepText.textContent=i?`diverged at step ${xt(s)}: lower the learning rate and start again`:`step ${xt(s)}${l}`,this.layer.
max=String(h.length),this.layer.matches(":active")||(this.layer.value=String(a)),this.layerText.textContent=r?Ns(h,a):"";
let p=[this.restart,this.back,this.forward,this.play,this.inverse,this.layer];for(let f of p)f.disabled=!r;this.source.disabled=
!r,this.#t(h,a),this.source.value=c;for(let[f,m]of this.choices){let d=m.querySelector("input, select");d.matches(":focu\
s")||(d.value=String(t[f]))}}#t(t,s){this.chips.childElementCount!==t.length&&this.chips.replaceChildren(...t.map(({name:n},i)=>{
let r=T(Os[n]??n,`Open layer ${i+1}: ${n}`,()=>this.act.open(i));return r.ariaLabel=r.title,r.className=n.endsWith("coup\
ling")?"coupling":"",u("li",{},[r])}));let e=vt(s);[...this.chips.children].forEach((n,i)=>{let r=n.firstElementChild;r.
ariaCurrent=i===e?"step":"false"})}},Os={ActNorm:"ActNorm",reversal:"⇄","additive coupling":"+ m","affine coupling":"·\
 s + t"};function vt(o){return Math.max(0,Math.ceil(o)-1)}function Fs(o){let t=new Map,s=[...Object.entries(W),[O,"draw \
your own"]];t.set("shape",j("Shape",tt("Shape",s,"",n=>o.choose({shape:n}))));let e=tt("Coupling",["additive","affine"].
map(_s),"",n=>o.choose({coupling:n==="affine"?"affine":"additive"}));t.set("coupling",j("Coupling",e));for(let[n,[i,r,a,
h,c]]of Object.entries(Mt)){let l=u("input",{type:"number",min:r,max:a,step:h,title:c,"aria-label":i});l.addEventListener(
"change",()=>{l.reportValidity()&&o.choose({[n]:Number(l.value)})}),t.set(n,j(i,l))}return t}function Cs([o,[t]]){return[
o,t]}function _s(o){return[o,o]}function tt(o,t,s,e){let n=t.map(([r,a])=>u("option",{value:r,text:a})),i=u("select",{"a\
ria-label":o},n);return i.value=s,i.addEventListener("change",()=>e(i.value)),i}function j(o,t){return u("label",{},[u("\
span",{text:o}),t])}function Ut(o,t){return u("div",{class:"row"},[u("span",{class:"name",text:o}),...t])}function Ns(o,t){
let s=Math.round(t);if(s===0)return"data space, before the first layer";let e=s===o.length?": latent space":"";return`af\
ter layer ${s} of ${o.length}, ${o[s-1].name}${e}`}var[Lt,Tt,Ds]=[.9,.999,1e-6],st=class{#t=0;constructor(t,s){this.parameters=t,this.lr=s,this.means=t.map(e=>new Float64Array(
e.length)),this.squares=t.map(e=>new Float64Array(e.length))}step(t){this.#t+=1;let[s,e]=[1-Lt**this.#t,1-Tt**this.#t];this.
parameters.forEach((n,i)=>{let[r,a]=[this.means[i],this.squares[i]];for(let h=0;h<n.length;h++){let c=t[i][h];r[h]=Lt*r[h]+
(1-Lt)*c,a[h]=Tt*a[h]+(1-Tt)*c*c,n[h]-=this.lr*r[h]/s/(Math.sqrt(a[h]/e)+Ds)}})}};function et(o,t,s){let e=o.length/t,[n,i]=[new Float64Array(t),new Float64Array(t)];for(let a=0;a<o.length;a++)n[a%t]+=o[a]/
e;for(let a=0;a<o.length;a++)i[a%t]+=(o[a]-n[a%t])**2/e;let r=s?1:Math.sqrt(Math.max(...i));return{b:n.map(a=>-a),logs:i.
map(a=>{let h=Math.sqrt(a);return h>1e-6*r?-Math.log(h)/3:0})}}function v(o){return o.map(t=>Math.exp(3*t))}var F=class{name="\
ActNorm";b=new Float64Array(2);logs=new Float64Array(2);parameters=[this.b,this.logs];constructor(t){this.isUnit=t}forward(t){
let s=v(this.logs),e=t.map((i,r)=>(i+this.b[r%2])*s[r%2]),n=3*(this.logs[0]+this.logs[1]);return{x:t,y:e,ladj:new Float64Array(
t.length/2).fill(n)}}inverse(t){let s=v(this.logs);return t.map((e,n)=>e/s[n%2]-this.b[n%2])}backward({x:t,y:s},e,n,[i,r]){
let a=v(this.logs),h=e.map((c,l)=>c*a[l%2]);for(let c=0;c<t.length;c++)i[c%2]+=h[c],r[c%2]+=3*(e[c]*s[c]+n);return h}initialize(t){
let{b:s,logs:e}=et(t,2,this.isUnit);return this.b.set(s),this.logs.set(e),this.forward(t).y}};var Rs=.05,ot=class{constructor(t,s,e){let n=w=>Float64Array.from({length:w},()=>Rs*e()),i=w=>new Float64Array(w);this.width=
t,this.nOutputs=s,this.w1=n(t),this.b1=i(t),this.logs1=i(t),this.w2=n(t*t),this.b2=i(t),this.logs2=i(t),this.w3=i(s*t),this.
c=i(s),this.logs3=i(s);let{w1:r,b1:a,logs1:h,w2:c,b2:l,logs2:p,w3:f,c:m,logs3:d}=this;this.parameters=[r,c,f,m,d,a,h,l,p]}forward(t){
let{width:s,nOutputs:e,w2:n,b2:i,w3:r,c:a}=this,[h,c]=[this.logs2,this.logs3].map(v),l=this.#t(t),[p,f]=[s,e].map(m=>new Float64Array(
t.length*m));for(let m=0;m<t.length;m++){for(let d=0;d<s;d++){let w=Et(n,d*s,l,m*s,s);p[m*s+d]=Math.max(0,(w+i[d])*h[d])}
for(let d=0;d<e;d++){let w=Et(r,d*s,p,m*s,s);f[m*e+d]=(w+a[d])*c[d]}}return{x:t,h1:l,h2:p,out:f}}#t(t){let{width:s,w1:e,
b1:n}=this,i=v(this.logs1);return new Float64Array(t.length*s).map((r,a)=>{let h=a%s;return Math.max(0,(e[h]*t[(a-h)/s]+
n[h])*i[h])})}backward({x:t,h1:s,h2:e,out:n},i,[r,a,h,c,l,p,f,m,d]){let{width:w,nOutputs:L,w1:b,w2:_,w3:K}=this,[z,ks,Ss]=[
this.logs1,this.logs2,this.logs3].map(v),Rt=new Float64Array(t.length),[V,X]=[new Float64Array(w),new Float64Array(w)];for(let N=0;N<
t.length;N++){let D=N*w;V.fill(0),X.fill(0);for(let g=0;g<L;g++){let M=N*L+g;l[g]+=3*i[M]*n[M];let S=i[M]*Ss[g];c[g]+=S;
for(let R=0;R<w;R++)h[g*w+R]+=S*e[D+R],X[R]+=S*K[g*w+R]}for(let g=0;g<w;g++){if(e[D+g]===0)continue;d[g]+=3*X[g]*e[D+g];
let M=X[g]*ks[g];m[g]+=M;for(let S=0;S<w;S++)a[g*w+S]+=M*s[D+S],V[S]+=M*_[g*w+S]}for(let g=0;g<w;g++){if(s[D+g]===0)continue;
f[g]+=3*V[g]*s[D+g];let M=V[g]*z[g];p[g]+=M,r[g]+=M*t[N],Rt[N]+=M*b[g]}}return Rt}initialize(t){let{width:s,w1:e,w2:n}=this,
i=new Float64Array(t.length*s),r=et(i.map((c,l)=>e[l%s]*t[Math.floor(l/s)]),s,!0);this.b1.set(r.b),this.logs1.set(r.logs);
let a=this.#t(t),h=et(i.map((c,l)=>Et(n,l%s*s,a,l-l%s,s)),s,!0);this.b2.set(h.b),this.logs2.set(h.logs)}};function Et(o,t,s,e,n){
let i=0;for(let r=0;r<n;r++)i+=o[t+r]*s[e+r];return i}var C=class{constructor(t,s,e){this.name=`${t} coupling`,this.isAffine=t==="affine",this.network=new ot(s,this.isAffine?
2:1,e),this.parameters=this.network.parameters}effect(t){let s=this.network.forward(t),{out:e}=s;if(!this.isAffine)return{
kept:s,shift:e,logScale:new Float64Array(t.length)};let n=t.map((i,r)=>-Math.log1p(Math.exp(-(e[2*r+1]+2))));return{kept:s,
shift:t.map((i,r)=>e[2*r]),logScale:n}}forward(t){let{kept:s,shift:e,logScale:n}=this.effect(Ot(t)),i=t.map((r,a)=>a%2?(r+
e[a>>1])*Math.exp(n[a>>1]):r);return{x:t,y:i,ladj:n,kept:s}}inverse(t){let{shift:s,logScale:e}=this.effect(Ot(t));return t.
map((n,i)=>i%2?n*Math.exp(-e[i>>1])-s[i>>1]:n)}backward({y:t,ladj:s,kept:e},n,i,r){let a=n.slice(),{x:h,out:c}=e,l=new Float64Array(
c.length);for(let f=0;f<h.length;f++){let[m,d]=[n[2*f+1],Math.exp(s[f])];a[2*f+1]=m*d,l[this.isAffine?2*f:f]=m*d,this.isAffine&&
(l[2*f+1]=(m*t[2*f+1]+i)*(1-d))}let p=this.network.backward(e,l,r);for(let f=0;f<h.length;f++)a[2*f]+=p[f];return a}initialize(t){
return this.network.initialize(Ot(t)),this.forward(t).y}};function Ot(o){return new Float64Array(o.length/2).map((t,s)=>o[2*
s])}var it=class{name="reversal";parameters=[];forward(t){return{x:t,y:nt(t),ladj:new Float64Array(t.length/2)}}inverse(t){return nt(
t)}backward(t,s){return nt(s)}initialize(t){return nt(t)}};function nt(o){return o.map((t,s)=>o[s^1])}var rt=class{constructor({depth:t,width:s,coupling:e,seed:n}){let i=P(E(n));this.layers=Array.from({length:t},(r,a)=>[new F(
a>0),new it,new C(e,s,i)]).flat(),this.parameters=this.layers.flatMap(r=>r.parameters)}initialize(t){this.layers.reduce(
(s,e)=>e.initialize(s),t)}trace(t){let s=this.#t(t);return{states:[t,...s.map(({y:e})=>e)],ladj:s.map(({ladj:e})=>e)}}#t(t){
let s=t;return this.layers.map(e=>{let n=e.forward(s);return s=n.y,n})}back(t,s=this.layers.length){let e=[t];for(let n=s-
1;n>=0;n--)e.unshift(this.layers[n].inverse(e[0]));return e}logProb(t){let{states:s,ladj:e}=this.trace(t),n=s.at(-1);return new Float64Array(
t.length/2).map((i,r)=>e.reduce((a,h)=>a+h[r],at(n[2*r],n[2*r+1])))}gradients(t){let s=this.#t(t),[e,n]=[t.length/2,s.at(
-1)?.y??t],i=1/(2*Math.LN2*e),r=0;for(let l=0;l<e;l++){let p=s.reduce((f,m)=>f+m.ladj[l],0);r-=i*(at(n[2*l],n[2*l+1])+p)}
let a=this.parameters.map(l=>new Float64Array(l.length)),h=n.map(l=>l*i),c=a.length;for(let l=this.layers.length-1;l>=0;l--){
let p=this.layers[l],f=c-p.parameters.length;h=p.backward(s[l],h,-i,a.slice(f,c)),c=f}return{bits:r,gradients:a}}};function at(o,t){
return-.5*(o*o+t*t)-Math.log(2*Math.PI)}function Kt(o,t){let s=o.forward(Float64Array.from(t)),e=o.parameters.map(h=>new Float64Array(
h.length)),[n,i]=o.backward(s,Float64Array.of(1,0),0,e),[r,a]=o.backward(s,Float64Array.of(0,1),0,e);return[n,i,r,a]}var Ps=256,ht=class{#t=[];bits=[];constructor(t,s){this.points=t,this.flow=new rt(s),this.flow.initialize(t),this.optimizer=
new st(this.flow.parameters,s.lr),this.uniform=E(s.seed+1)}get steps(){return this.bits.length}get isBroken(){return this.
steps>0&&!Number.isFinite(this.bits[this.steps-1])}step(){let{bits:t,gradients:s}=this.flow.gradients(this.#e());this.bits.
push(t),this.isBroken||this.optimizer.step(s)}#e(){let t=this.points.length/2,s=Math.min(Ps,t);this.#t.length<s&&(this.#t=
jt(t,this.uniform));let e=new Float64Array(2*s);return this.#t.splice(0,s).forEach((n,i)=>{e.set(this.points.subarray(2*
n,2*n+2),2*i)}),e}};var[Vt,Is]=[9,3],q=41,Xt=[0,0,3.3];function Jt(o){let t=o.filter((n,i)=>i%2===0),[s,e]=[Math.min(...t),Math.max(...t)];return t.
map(n=>(n-s)/(e-s||1))}function Zt([o,t],[s,e,n]){return Math.abs(o-s)<=n&&Math.abs(t-e)<=n}function Qt(o){let[t,s]=[0,1].
map(c=>o.filter((l,p)=>p%2===c)),e=[t,s].map(c=>[Math.min(...c),Math.max(...c)]),[[n,i],[r,a]]=e,h=Math.max(i-n,a-r)/2*(1+
.25);return[(n+i)/2,(r+a)/2,h]}function Yt([o,t,s],e){let n=i=>s*((2*i+1)/e-1);return new Float64Array(2*e*e).map((i,r)=>{
let a=r>>1;return r%2?t+n(Math.floor(a/e)):o+n(a%e)})}function ts(){let o=(s,e)=>Is*(2*s/(e-1)-1),t=[];for(let s of[!1,!0])
for(let e=0;e<Vt;e++)for(let n=0;n<q;n++){let[i,r]=[o(e,Vt),o(n,q)];t.push(...s?[r,i]:[i,r])}return Float64Array.from(t)}
function ss(o,[t,s],e){let[n,i]=[null,e];for(let r=0;2*r<o.length;r++){let a=Math.hypot(o[2*r]-t,o[2*r+1]-s);a<=i&&([n,i]=
[r,a])}return n}function es(o,t){let s=o.length-1,e=i=>{if(i>=s)return 3.3;let r=o[i].reduce((a,h)=>Math.max(a,Math.abs(
h)),0);return Math.max(3.3,1.05*r)},n=Math.floor(t);return[0,0,e(n)+(t-n)*(e(n+1)-e(n))]}function ct(o,t){let s=Math.floor(
t),[e,n]=[o[s],t-s];if(n===0)return e;let i=o[s+1];return e.map((r,a)=>r+n*(i[a]-r))}var os=600,[zs,Ws]=[8,2e3],[js,qs]=[4,.12],Gs=[0,0,3],Hs=40,Bs=ts();function G(o){let t=null;return(s,e=1)=>((!t||s-t.version>=
e)&&(t={version:s,value:o()}),t.value)}var H=class{#t=0;#e=P(E(7));row=0;#a=[0,0];source="data";fit=null;#s=new Float64Array(
2*os).map(()=>this.#e());#i=G(()=>this.source==="data"?this.points:this.flow.back(this.#s)[0]);#h=G(()=>this.flow.trace(
this.followed));#n=G(()=>this.flow.trace(Float64Array.from(this.place)));#c=G(()=>this.flow.back(Bs));#l=G(()=>this.flow.
logProb(Yt(this.box,Hs)).map(Math.exp));constructor(t){this.choice=t;let{shape:s,seed:e}=t;this.points=s===O?new Float64Array:
qt(s,os,e),this.box=s===O?Gs:Qt(this.points),this.row=s===O?null:0,this.restart()}restart(){let t=this.points.length>=2*
zs;this.fit=t?new ht(this.points,this.choice):null,this.#t+=1}get isDrawn(){return this.choice.shape===O}get flow(){return this.
fit.flow}get nLayers(){return 3*this.choice.depth}step(){this.fit?.step(),this.#t+=1}follow(t){this.source=t,this.row=this.
isDrawn&&t==="data"?null:0,this.#t+=1}get followed(){return this.#i(this.#t)}get colouredBy(){return this.source==="data"?
this.points:this.#s}get trace(){return this.#h(this.#t)}get way(){return this.#n(this.#t)}lines(t){return this.#c(this.#t,
t)}density(t){return this.#l(this.#t,t)}get place(){return this.row===null?this.#a:[this.followed[2*this.row],this.followed[2*
this.row+1]]}pick(t,s,e){this.row=ss(this.trace.states[s],t,e),this.moveTo(t,s)}moveTo(t,s){let[e,n]=s?this.flow.back(Float64Array.
from(t),s)[0]:t;if(this.#t+=1,this.row===null)this.#a=[e,n];else if(this.source==="data")this.points.set([e,n],2*this.row);else{
let i=this.flow.trace(Float64Array.of(e,n)).states.at(-1);this.#s.set(i,2*this.row)}}scatter([t,s]){let e=Math.min(js,Ws-
this.points.length/2),n=Array.from({length:2*e},(i,r)=>(r%2?s:t)+qs*this.#e());this.points=Float64Array.of(...this.points,
...n),this.fit&&(this.fit.points=this.points),this.#t+=1}};function lt(o,t,s){let e=devicePixelRatio||1;Object.assign(o,{width:t*e,height:s*e}),Object.assign(o.style,{width:`${t}p\
x`,height:`${s}px`}),$(o).scale(e,e)}function ft(o,{x:t,y:s,w:e,h:n},i){o.save(),o.beginPath(),o.rect(t,s,e,n),o.clip(),i(),o.restore()}function B(o,t,{colour:s,
width:e,halo:n},i){let r=[[t.background,e+n],[s,e]];for(let[a,h]of r)o.beginPath(),i(),o.lineWidth=h,o.strokeStyle=x(a),
o.stroke()}function I(o,t){return(s,e,n,{align:i="left",colour:r=t.muted,weight:a=400,halo:h=!1}={})=>{o.font=`${a} 11.5\
px ${t.font}`,o.textAlign=i,o.fillStyle=x(r),h&&(o.strokeStyle=x(t.background),o.lineWidth=4,o.lineJoin="round",o.strokeText(
s,e,n)),o.fillText(s,e,n)}}var Us=[1,2,5,10],Ks=12;function Ct([o,t],s){let e=(t-o)/s,n=10**Ft(e),i=n*(Us.find(h=>h*n>=e)??10),[r,a]=[Math.ceil(o/i),
Math.floor(t/i)];return Array.from({length:a-r+1},(h,c)=>{let l=(r+c)*i;return{value:l,text:Vs(l,i)}})}function Vs(o,t){
let s=o?Ft(o)-Ft(t)+1:1,e=Math.min(Ks,Math.max(1,s));return o.toLocaleString("en",{maximumSignificantDigits:e})}function Ft(o){
return Math.floor(Math.log10(Math.abs(o)))}var[_t,Xs,ns,Js]=[46,10,16,34],is={across:40,up:28},pt=[[],[7,3],[2,3],[9,3,2,3]];function as(o,t,s,e){let{title:n="",lines:i,
hasZero:r,at:a,rug:h}=e,c=i.filter(({name:b})=>b),l=(e.names??c.length)+ +(n!==""),[p,f]=[s.x+_t,s.y+ns*l+10],m={x:p,y:f,
w:s.w-_t-Xs,h:s.y+s.h-Js-f},d=rs(i.map(b=>b.x)),w=te(rs([...i.map(b=>b.y),r?[0]:[]])),L=(b,_)=>[m.x+m.w*(b-d[0])/(d[1]-d[0]||
1),m.y+m.h*(w[1]-_)/(w[1]-w[0])];I(o,t)(n,s.x,s.y+12,{weight:600,colour:t.ink}),Zs(o,t,m,e.titles,d,w),ft(o,m,()=>{for(let b of Array.
from(h??[]))Nt(o,x(t.ink,.18),L(b,w[0]),-7);a!==void 0&&Nt(o,x(t.muted),L(a,w[0]),-m.h),i.forEach((b,_)=>{o.setLineDash(
pt[_%pt.length]),Qs(o,t,b,L),o.setLineDash([]),b.mark&&Ys(o,t,b,L,m)})}),c.forEach(({name:b,colour:_},K)=>{let z=s.y+ns*
(K+(n?1:0))+8;o.strokeStyle=x(_),o.lineWidth=2,o.setLineDash(pt[K%pt.length]),o.beginPath(),o.moveTo(s.x,z),o.lineTo(s.x+
24,z),o.stroke(),o.setLineDash([]),I(o,t)(b,s.x+30,z+4,{colour:t.ink})})}function Zs(o,t,s,e,n,i){let r=I(o,t),[a,h]=[s.
x+s.w,s.y+s.h];o.strokeStyle=x(k(t.background,t.ink,.45)),o.lineWidth=1,o.strokeRect(s.x+.5,s.y+.5,s.w-1,s.h-1);for(let{
value:c,text:l}of Ct(n,s.w/is.across)){let p=s.x+s.w*(c-n[0])/(n[1]-n[0]||1);r(l,Math.min(p,a-8),h+14,{align:"center"})}
for(let{value:c,text:l}of Ct(i,s.h/is.up)){let p=h-s.h*(c-i[0])/(i[1]-i[0]);r(l,s.x-5,p+4,{align:"right"})}r(e[0],s.x+s.
w/2,h+29,{align:"center"}),o.save(),o.translate(s.x-_t+12,s.y+s.h/2),o.rotate(-Math.PI/2),r(e[1],0,0,{align:"center"}),o.
restore()}function Qs(o,t,{x:s,y:e,colour:n},i){B(o,t,{colour:n,width:2,halo:2},()=>{Array.from(s,(r,a)=>Number.isFinite(
e[a])&&o.lineTo(...i(r,e[a])))})}function Ys(o,t,{mark:s,colour:e},n,i){let[r,a]=n(...s);o.setLineDash([3,3]),Nt(o,x(t.muted),
[r,a],i.y+i.h-a),o.setLineDash([]),o.fillStyle=x(e),o.beginPath(),o.arc(r,a,5,0,2*Math.PI),o.fill()}function Nt(o,t,[s,e],n){
o.strokeStyle=t,o.lineWidth=1,o.beginPath(),o.moveTo(s,e),o.lineTo(s,e+n),o.stroke()}function rs(o){let t=o.flatMap(s=>Array.
from(s)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function te([o,t]){let s=Math.max(.1-(t-o)/2,.06*
(t-o));return[o-s,t+s]}var hs=161;function y(o,t=3){let s=Math.abs(o).toFixed(t);return o<0&&Number(s)!==0?`−${s}`:s}function A(o){let t=y(o);
return t.startsWith("−")?`(${t})`:t}function cs(o,[t,s]){let[e,n]=o.forward(Float64Array.of(t,s)).y;if(o instanceof F){
let l=v(o.logs);return[`z₁ = (x₁ + b₁) · s₁ = (${A(t)} + ${A(o.b[0])}) · ${y(l[0])} ≈ ${y(e)}`,`z₂ = (x₂ + b\
₂) · s₂ = (${A(s)} + ${A(o.b[1])}) · ${y(l[1])} ≈ ${y(n)}`,"back: x = z / s − b"]}if(!(o instanceof C))return[
`z₁ = x₂ = ${y(e)}`,`z₂ = x₁ = ${y(n)}`,"back: the same again. The next coupling changes what the last one left."];
let{shift:i,logScale:r}=o.effect(Float64Array.of(t)),[a,h]=[i[0],Math.exp(r[0])],c=`z₁ = x₁ = ${y(e)}`;return o.isAffine?
[c,`z₂ = (x₂ + t(x₁)) · s(x₁) = (${A(s)} + ${A(a)}) · ${y(h)} ≈ ${y(n)}`,`back: x₂ = z₂ / s(z₁) − t(z₁) = ${A(
n)} / ${y(h)} − ${A(a)} ≈ ${y(s)}`]:[c,`z₂ = x₂ + m(x₁) = ${A(s)} + ${A(a)} ≈ ${y(n)}`,`back: x₂ = z₂ − m(z₁\
) = ${A(n)} − ${A(a)} ≈ ${y(s)}`]}function ls(o,[t,s,e,n]){let i=t*n-s*e,r=`det = ${A(t)} · ${A(n)} − ${A(s)} · ${A(
e)}`,a=`log |det| = ${y(Math.log(Math.abs(i)))} nats`;return o instanceof F?`${r} ≈ ${y(i)}: every area by one factor;\
 ${a}`:o instanceof C?o.isAffine?`${r} ≈ ${y(i)}: by another factor at each x₁; ${a}`:`${r} = ${y(i)}, whatever m is\
: areas stay as they are; ${a}`:`${r} = ${y(i)}: areas stay as they are, mirrored; ${a}`}function fs(o,[t,s],e){let n=o instanceof
F;if(!n&&!(o instanceof C))return null;let i=n?e:e.filter((f,m)=>m%2===0),[r,a]=[Math.min(...i,t),Math.max(...i,t)],h=new Float64Array(
hs).map((f,m)=>r+(a-r)*m/(hs-1)),c=(f,m,d)=>({name:f,x:h,y:m(h),mark:[d,m(Float64Array.of(d))[0]]});if(n){let f=v(o.logs),
m=w=>L=>L.map(b=>(b+o.b[w])*f[w]);return{curves:[c("z₁ of x₁",m(0),t),c("z₂ of x₂",m(1),s)],titles:["x","z"]}}let l=c(
o.isAffine?"t(x₁)":"m(x₁)",f=>o.effect(f).shift,t);if(!o.isAffine)return{curves:[l],titles:["x₁","m(x₁)"],rug:i};
let p=c("s(x₁)",f=>o.effect(f).logScale.map(Math.exp),t);return{curves:[l,p],titles:["x₁","t and s"],rug:i}}var se=[[0,114,178],[213,94,0]],[ps,us]=[340,220],ee=600,oe={additive:"Reversals and additive couplings preserve area. O\
nly ActNorm changes it, by one factor everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a brid\
ge.",affine:"Affine couplings stretch each point by its own factor, so p(x) can have several peaks of different heights."},
ut=class{title=u("h4");curve=u("canvas",{role:"img"});lines=u("div",{class:"formula"});matrix=u("div",{class:"matrix",role:"\
img"});determinant=u("p");loss=u("canvas",{role:"img"});terms=u("p");volume=u("p");constructor(){let t=u("div",{class:"r\
ow"},[u("span",{text:"Jacobian ∂z/∂x ="}),this.matrix]),s=u("div",{},[this.title,this.lines,t,this.determinant]);this.
element=u("div",{class:"opened"},[u("div",{},[this.curve]),s,u("div",{},[this.loss]),u("div",{class:"whole"},[this.terms,
this.volume])])}show(t,s,e){let[n,{states:i}]=[t.flow.layers[s],t.way],r=[i[s][0],i[s][1]],a=this.curve.parentElement?.clientWidth??
ps,h=Math.min(ps,a);this.title.textContent=`Layer ${s+1}: ${n.name}, for the marked point`,this.lines.replaceChildren(...cs(
n,r).map(p=>u("div",{text:p})));let c=Kt(n,r);this.matrix.replaceChildren(...c.map(p=>u("span",{text:y(p)}))),this.matrix.
ariaLabel=`rows ${c.map(p=>y(p)).join(", ")}`,this.determinant.textContent=ls(n,c);let l=fs(n,r,t.trace.states[s]);if(this.
curve.hidden=!l,l){let{titles:p,rug:f,curves:m}=l;ds(this.curve,e,h,{titles:p,rug:f,lines:ms(m)})}this.curve.ariaLabel=`${l?.
titles[1]} against ${l?.titles[0]}`,this.#t(t,e,h),this.terms.textContent=ne(t),this.volume.textContent=oe[t.choice.coupling]}#t({
fit:t},s,e){let n=t?.bits??[];if(this.loss.hidden=n.length<2,this.loss.hidden)return;let i=Math.ceil(n.length/ee),r=n.filter(
(h,c)=>c%i===0),a={name:"",x:Float64Array.from(r,(h,c)=>c*i+1),y:Float64Array.from(r)};ds(this.loss,s,e,{titles:["step",
"bits per dimension"],lines:ms([a])}),this.loss.ariaLabel="Bits per dimension of each step of the fit"}};function ms(o){
return o.map(({name:t,...s},e)=>({...s,name:o.length>1?t:"",colour:se[e]}))}function ds(o,t,s,e){lt(o,s,us),as($(o),t,{x:0,
y:0,w:s,h:us},e)}function ne({place:[o,t],way:{states:s,ladj:e}}){let n=s[s.length-1],[i,r]=[at(n[0],n[1]),e.reduce((h,[
c])=>h+c,0)],a=r<0?"−":"+";return`All layers: x = (${y(o)}, ${y(t)}) goes to z = (${y(n[0])}, ${y(n[1])}), and log p(x\
) = log N(z; 0, I) + Σ log |det| = ${y(i)} ${a} ${y(Math.abs(r))} = ${y(i+r)} nats.`}var[mt,gs,ws,ie]=[34,48,22,460],re=560;function Dt(o){let t=o>re,s=Math.min(ie,t?(o-mt-gs)/2:o-mt-2),e={x:mt,y:0,w:s,h:s},
n=t?{...e,x:mt+s+gs}:{...e,y:s+ws};return{height:(t?1:2)*(s+ws),plots:[e,n]}}var dt=1.7,[gt,ys]=[9,.45],ae=.62,he=.6,bs=[213,94,0],U=class{constructor(t,s,e,n,i){this.context=t,this.theme=s,this.plot=
e,this.square=n,this.letter=i}pixel(t,s){let[e,n,i]=this.square,{x:r,y:a,w:h}=this.plot;return[r+h*(t-e+i)/(2*i),a+h*(n+
i-s)/(2*i)]}place(t,s){let[e,n,i]=this.square,{x:r,y:a,w:h}=this.plot;return[e-i+2*i*(t-r)/h,n+i-2*i*(s-a)/h]}within(t){
let{context:s,theme:e,plot:n}=this;ft(s,n,t),s.strokeStyle=x(k(e.background,e.ink,.45)),s.lineWidth=1,s.strokeRect(n.x+.5,
n.y+.5,n.w-1,n.h-1),this.#t()}#t(){let{context:t,theme:s,plot:e,letter:n}=this,[i,r,a]=this.square,h=I(t,s),[c,l]=[e.x-5,
e.y+e.h+14];h((i-a).toFixed(1),e.x,l),h(`${n}₁`,e.x+e.w/2,l,{align:"center"}),h((i+a).toFixed(1),e.x+e.w,l,{align:"rig\
ht"}),h((r+a).toFixed(1),c,e.y+10,{align:"right"}),h(`${n}₂`,c,e.y+e.h/2+4,{align:"right"}),h((r-a).toFixed(1),c,e.y+e.
h,{align:"right"})}density(t){let{context:s,theme:e,plot:n}=this,i=Math.round(Math.sqrt(t.length)),r=t.reduce((c,l)=>Math.
max(c,l),0)||1,a=new ImageData(i,i);t.forEach((c,l)=>{let p=4*((i-1-Math.floor(l/i))*i+l%i);a.data.set(k(e.background,e.
ink,ae*(c/r)**he),p),a.data[p+3]=255});let h=u("canvas",{width:i,height:i});$(h).putImageData(a,0,0),s.imageSmoothingQuality=
"high",s.drawImage(h,n.x,n.y,n.w,n.h)}lines(t,s){let{context:e,theme:n}=this;e.strokeStyle=x(k(n.background,n.primary,.75)),
e.lineWidth=1,e.beginPath();for(let i=0;2*i<t.length;i++){let[r,a]=this.pixel(t[2*i],t[2*i+1]);i%s?e.lineTo(r,a):e.moveTo(
r,a)}e.stroke()}circles(){let{context:t,theme:s,plot:e,square:n}=this,[i,r]=this.pixel(0,0);t.strokeStyle=x(s.ink),t.lineWidth=
1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(i,r,a*e.w/(2*n[2]),0,2*Math.PI),t.stroke();t.setLineDash(
[])}points(t,s){let{context:e}=this;s.forEach((n,i)=>{let[r,a]=this.pixel(t[2*i],t[2*i+1]);e.fillStyle=n,e.fillRect(r-dt,
a-dt,2*dt,2*dt)})}arrow(t,s){let{context:e,theme:n}=this,[[i,r],[a,h]]=[this.pixel(...t),this.pixel(...s)],[c,l]=[Math.hypot(
a-i,h-r),Math.atan2(h-r,a-i)];if(c<2*gt)return;let p=c-gt-3,[f,m]=[i+p*Math.cos(l),r+p*Math.sin(l)];B(e,n,{colour:bs,width:2,
halo:3},()=>{e.moveTo(i,r),e.lineTo(f,m);for(let d of[-ys,ys])e.moveTo(f,m),e.lineTo(f-gt*Math.cos(l+d),m-gt*Math.sin(l+
d))})}mark([t,s]){let{context:e,theme:n}=this,[i,r]=this.pixel(t,s);B(e,n,{colour:bs,width:2,halo:3},()=>{e.arc(i,r,6,0,
2*Math.PI),e.moveTo(i-11,r),e.lineTo(i+11,r),e.moveTo(i,r-11),e.lineTo(i,r+11)})}};function xs(o,t,s,e,n){let[i,r]=Dt(t.clientWidth).plots,a=$(o),h=e.fit?es(e.trace.states,n):Xt,c=n===e.nLayers?"z":"h";return[
new U(a,s,i,e.box,"x"),new U(a,s,r,h,c)]}function As(o,t,[s,e],n,i){let r=t.clientWidth;lt(o,r,Dt(r).height),s.within(()=>ce(
s,n,i)),e.within(()=>{n.fit&&le(e,n,i)})}function ce(o,t,{age:s,hasGrid:e,colours:n}){if(!t.fit){o.points(t.points,n),o.
mark(t.place);return}o.density(t.density(s)),e&&o.lines(t.lines(s)[0],q),o.points(t.followed,n),o.mark(t.place)}function le(o,t,{
layer:s,age:e,hasGrid:n,colours:i}){n&&o.lines(ct(t.lines(e),s),q),o.points(ct(t.trace.states,s),i),s===t.nLayers&&o.circles();
let r=Math.max(1,Math.ceil(s)),[a,h]=[t.way.states[r-1],t.way.states[r]];o.arrow([a[0],a[1]],[h[0],h[1]]);let[c,l]=ct(t.
way.states,s);o.mark([c,l])}var wt=class{#t=0;#e=null;run(t,s,e){this.#t+=Math.min(.1,(t-(this.#e??t))/1e3)*s,this.#e=t;let n=performance.now()+10;for(;this.#t>=
1;)e(),this.#t-=1,performance.now()>=n&&(this.#t=Math.min(this.#t,1))}rest(){[this.#t,this.#e]=[0,null]}};var Ms=1200,fe=100,pe=14,ue=40,me=3,de="Left: the data, the flow's density p(x) in grey, and the grid of the latent spac\
e mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard deviati\
ons. Drag a point on either side: it moves through the whole map.",ge="Drag over the left square to scatter points; or m\
ove with the arrow keys and press Space.",bt=class{#t=new H(Gt);#e=new J;#a=new wt;#s=this.#t.nLayers;#i=0;#h=0;#n=!0;#c=Ms;#l=!1;#r=null;#A=[];#f=null;#M=()=>{};#d=u(
"p",{role:"status"});#k=u("p",{class:"recipe"});opened=new ut;constructor(t){this.root=t,this.canvas=u("canvas",{tabindex:0,
role:"application",onpointerdown:e=>this.#C(e),onpointermove:e=>this.#_(e),onpointerup:()=>this.#x(),onpointercancel:()=>this.#x(),
onkeydown:e=>this.#N(e)}),this.controls=new Y({train:()=>this.#u(!this.#n),step:()=>this.#O(),restart:()=>this.#g(),stepLayer:e=>this.#m(
this.#s,Math.round(this.#s)+e),playTo:e=>this.#F(e),setLayer:e=>this.#w(e),open:e=>this.#m(e,e+1),follow:e=>this.#E(e),choose:e=>this.#$(
e),redraw:()=>this.#o()});let s=u("p",{text:de});t.replaceChildren(this.canvas,this.#d,this.controls.element,this.opened.
element,this.#k,s);for(let e of["pointerdown","keydown"])t.addEventListener(e,()=>{this.#l=!0});this.watcher=new ResizeObserver(
()=>this.#o()),this.watcher.observe(t)}load({choice:t},s){if(this.#M=s,this.#f=zt(this.root),t!==null&&t!==kt(this.#t.choice)){
let e=Ht(t);e?this.#S(e):this.#d.textContent=`plane=${t} in the address is no flow: the usual one is shown.`}this.#p(),this.#o()}#$(t){
this.#S({...this.#t.choice,...t}),this.#M(kt(this.#t.choice))}#S(t){this.#t=new H(t),this.#d.textContent=this.#t.isDrawn?
ge:"",this.#g(),this.#p()}#g(){this.#t.restart(),this.#w(this.#t.nLayers),this.#u(this.#t.fit!==null),this.#c=Ms,this.#l=
!1}#E(t){this.#t.follow(t),this.#p(),this.#o()}#p(){let t=this.#f?.dark??!1,s=[...Jt(this.#t.colouredBy)];this.#A=s.map(
e=>x(Wt(e,t)))}#u(t){this.#n=t,this.#c=1/0,this.#a.rest(),this.#o()}#O(){this.#u(!1),this.#t.step()}get#v(){return St[this.
controls.speed.value]}#m(t,s,e=()=>{}){let n=Math.min(this.#t.nLayers,Math.max(0,s)),i=Math.abs(n-t)*this.#v[2]*1e3;this.#e.
start(t,n,i,this.#L,e)}#F(t){let s=Math.min(this.#t.nLayers,t);this.#m(this.#s===s?this.#t.nLayers-s:this.#s,s)}#L=t=>{this.#s=
t,this.#o()};#w(t){this.#e.stop(),this.#L(t)}#y(){let t=this.#f;return xs(this.canvas,this.root,t,this.#t,this.#s)}#C(t){
let s=this.#y(),e=s.findIndex(r=>Zt(r.place(...yt(t)),r.square));if(e<0)return;t.preventDefault(),this.canvas.focus({preventScroll:!0}),
this.canvas.setPointerCapture(t.pointerId),this.#r=e===0?0:1;let n=s[e],i=pe*2*n.square[2]/n.plot.w;this.#t.isDrawn&&e===
0?this.#b(n.place(...yt(t))):this.#t.fit&&(e===1&&this.#w(Math.round(this.#s)),this.#t.pick(n.place(...yt(t)),this.#T,i)),
this.#p(),this.#o()}#b(t){this.#t.scatter(t),this.#p()}get#T(){return this.#r===0?0:Math.round(this.#s)}#_(t){if(this.#r===
null)return;let s=this.#y()[this.#r].place(...yt(t));this.#t.isDrawn&&this.#r===0?this.#b(s):this.#t.fit&&this.#t.moveTo(
s,this.#T),this.#o()}#x(){this.#r=null,this.#t.isDrawn&&!this.#t.fit&&this.#g(),this.#t.fit&&(this.#d.textContent=""),this.#o()}#N(t){
let s=It[t.key],e=t.key===" "&&this.#t.isDrawn;if(!s&&!e)return;if(t.preventDefault(),!s){this.#b(this.#t.place),this.#x();
return}let[n,i]=this.#t.place,r=2*this.#t.box[2]/ue;this.#t.moveTo([n+s[0]*r,i+s[1]*r],0),this.#o()}#o(){this.#i||(this.#i=
requestAnimationFrame(this.#D))}#D=t=>{this.#i=0,this.#n&&this.#R(t),this.#P(),this.#n&&this.#o()};#R(t){let{fit:s}=this.#t;
if(this.#a.run(t,this.#v[1],()=>this.#t.step()),!s||s.isBroken)this.#u(!1);else if(s.steps>=this.#c){this.#u(!1);let e=this.#t.
nLayers;this.#l||this.#m(e,0,()=>this.#m(0,e))}}#P(){if(!this.#f||!this.root.clientWidth)return;let t=this.#t.fit?.steps??
0,s=matchMedia("(prefers-reduced-motion: reduce)").matches,e=t>this.#h&&t<this.#h+fe;s&&this.#n&&e||(this.#h=t,As(this.canvas,
this.root,this.#y(),this.#t,{layer:this.#s,age:this.#n?me:1,colours:this.#A,hasGrid:this.controls.grid.checked}),this.#I(
t))}#I(t){let{choice:s,fit:e,points:n,source:i}=this.#t;this.controls.show({choice:s,steps:t,bits:e?.bits.at(-1),isTraining:this.#n,
isBroken:e?.isBroken??!1,canFit:e!==null,layer:this.#s,layers:e?.flow.layers??[],source:i}),this.opened.element.hidden=!e,
e&&this.opened.show(this.#t,vt(this.#s),this.#f),this.#k.textContent=Bt(s,n.length/2),this.canvas.ariaLabel=`Step ${t}: \
the data with the flow's density, and the points after the layers. Arrow keys move the marked point.`,this.root.dataset.
steps=String(t)}close(){this.#e.stop(),cancelAnimationFrame(this.#i),this.#i=0,this.watcher.disconnect()}};function yt({
offsetX:o,offsetY:t}){return[o,t]}var Uo=Pt({name:"flow-view",show:o=>new bt(o),state:"choice",file:{data:()=>({choice:decodeURIComponent(location.hash.slice(
1))||null}),told:o=>location.replace(`#${o}`)},cell:{trait:"choice",data:o=>({choice:o}),traits:o=>({choice:o})}});export{Uo as default};
