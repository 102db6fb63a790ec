function u(n,{text:t,...s}={},e=[]){let o=document.createElement(n);for(let[i,r]of Object.entries(s))typeof r=="function"?
o.addEventListener(i.slice(2),r):r!==null&&o.setAttribute(i,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function v(n,t,s){return u("button",{type:"button",text:n,title:t,onclick:s})}function dt(n){return n.toLocaleString("en")}function L(n){return n.getContext("2d")}function Ot(n){let t=globalThis.document?.querySelector("script#payload");t&&xs(n,t.textContent??"");let s=ys(n);return e=>e?
s(e):{render:o=>bs(n,o)}}function gs(n,t){n.calls+=1;let s=n.calls;return()=>{n.calls===s&&t()}}function ys({name:n,state:t,
show:s}){let e=new WeakMap;return({data:o,parentElement:i,setStateValue:r})=>{let a=i.querySelector(`.${n}`),h=e.get(a)??
{shown:s(a),calls:0};return e.set(a,h),h.shown.load(o,c=>r(t,c)),gs(h,()=>h.shown.close?.())}}function xs({name:n,show:t,
file:s},e){if(!s)return;let o=t(document.querySelector(`.${n}`)),i=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),r=()=>o.
load(s.data(i),s.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function bs({
name:n,show:t,cell:s},{model:e,el:o}){if(!s)return;let[i,r]=[u("div"),u("div",{class:n})],a=u("style",{text:String(e.get(
"sheet"))});i.attachShadow({mode:"open"}).append(a,r),o.append(i);let h=t(r),c=()=>h.load(s.data(e.get(s.trait)),l=>{for(let[
p,f]of Object.entries(s.traits(l,h)))e.set(p,f);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var Et={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var B=class{#t=0;start(t,s,e,o,i=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/e)),p=r&&e<=600?1:l,f=p===1?s:t+p*(s-t);o(r?Math.round(f):f),p<1?this.#t=requestAnimationFrame(
h):i()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var U=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function Ft(n){
let t=getComputedStyle(n),s=(i,r)=>t.getPropertyValue(i).trim()||r,e=wt(s("--st-background-color","#ffffff")),o=wt(s("--\
st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:M(e,o,.72),line:M(e,o,.2),
dim:M(e,o,.3),missing:M(e,o,.5),primary:wt(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function Ct(n,t){
let e=(t?.16+.84*n:.92*n)*(U.length-1),o=Math.min(Math.floor(e),U.length-2);return M(U[o],U[o+1],e-o)}function M(n,t,s){
let e=o=>Math.round(n[o]+(t[o]-n[o])*s);return[e(0),e(1),e(2)]}function x(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var K=null;function wt(n){K??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),K.fillStyle=n,K.fillRect(
0,0,1,1);let[t,s,e]=K.getImageData(0,0,1,1).data;return[t,s,e]}function T(n){let t=n>>>0;return()=>{t=t+1831565813|0;let s=Math.imul(t^t>>>15,1|t);return s^=s+Math.imul(s^s>>>7,61|s),
((s^s>>>14)>>>0)/2**32}}function N(n){return()=>Math.sqrt(-2*Math.log(1-n()))*Math.cos(2*Math.PI*n())}function _t(n,t){let s=Array.
from({length:n},(e,o)=>o);for(let e=n-1;e>0;e--){let o=Math.floor(t()*(e+1));[s[e],s[o]]=[s[o],s[e]]}return s}var R={moons:"two moons",spiral:"spiral",ring:"ring",blobs:"two blobs",banana:"banana",cone:"cone"},As={moons:(n,t)=>{let s=Math.
PI*n(),e=n()<.5?1:-1,[o,i]=[e*(Math.cos(s)-.5),e*(Math.sin(s)-.25)];return[1.5*o+.12*t(),1.5*i+.12*t()]},spiral:(n,t)=>{
let s=3*Math.PI*Math.sqrt(.03+.97*n()),e=.26*s;return[e*Math.cos(s)+.08*t(),e*Math.sin(s)+.08*t()]},ring:(n,t)=>{let s=2*
Math.PI*n();return[1.8*Math.cos(s)+.15*t(),1.8*Math.sin(s)+.15*t()]},blobs:(n,t)=>{let s=n()<.5?-1:1;return[1.4*s+.4*t(),
.6*s+.4*t()]},banana:(n,t)=>{let s=t();return[s,.45*(s**2-1)+.25*t()]},cone:(n,t)=>{let s=0;for(let o=0;o<6;o++)s-=.4*Math.
log(1-n());let e=Math.PI/4+.22*t();return[s*Math.cos(e),s*Math.sin(e)]}};function Nt(n,t,s){let e=T(s),o=N(e),i=new Float64Array(
2*t);for(let r=0;r<t;r++)i.set(As[n](e,o),2*r);return i}var $="drawn",gt={depth:["Depth",1,8,1,"Steps of the flow: ActNorm, reversal, coupling"],width:["Width",4,32,4,"Hidden u\
nits of each coupling's network"],lr:["Learning rate",5e-4,.02,5e-4,"Of Adam, constant"],seed:["Seed",0,9999,1,"Of the s\
hape, the flow's start and the order of the points"]},Rt={shape:"moons",coupling:"additive",depth:4,width:16,lr:.003,seed:0};
function yt({shape:n,coupling:t,depth:s,width:e,lr:o,seed:i}){return[n,t,s,e,o,i].join("-")}function Pt(n){let[t,s,...e]=n.
split("-"),[o,i,r,a]=e.map(Number),h={depth:o,width:i,lr:r,seed:a};if(!((Object.hasOwn(R,t)||t===$)&&e.length===4)||s!==
"additive"&&s!=="affine")return null;for(let[l,[,p,f]]of Object.entries(gt)){let m=h[l];if(!(l==="lr"||Number.isInteger(
m))||!(p<=m&&m<=f))return null}return{shape:t,coupling:s,...h}}function zt({shape:n,coupling:t,depth:s,width:e,lr:o,seed:i},r){
let a=R[n];return`${a?`${r} points, ${a}`:`${r} points drawn by hand`}, seed ${i}; ${s} steps of ActNorm, reversal and ${t}\
 coupling of width ${e}; Adam at a learning rate of ${o}, 256 points a step, trained in this browser.`}var xt={slow:["slow motion",2,2.4],normal:["normal",60,.6],fast:["fast",600,.2]},V=class{constructor(t){this.act=t,this.
train=v("Train","Train the flow in this browser, or pause",t.train),this.step=v("One step","Take a single step of the op\
timiser",t.step),this.restart=v("Start again","Begin the fit anew",t.restart),this.speed=X("Speed",Object.entries(xt).map(
Ss),"normal",()=>{}),this.stepText=u("output"),this.back=v("Back","Undo one layer",()=>t.stepLayer(-1)),this.forward=v("\
Forward","Apply one more layer",()=>t.stepLayer(1)),this.play=v("Play","From data to latent space",()=>t.playTo(1/0)),this.
inverse=v("Play back","The inverse: from latent space to data",()=>t.playTo(0)),this.layer=u("input",{type:"range",min:0,
step:.05,"aria-label":"Layer"}),this.layer.addEventListener("input",()=>t.setLayer(Number(this.layer.value))),this.layerText=
u("output",{class:"below"}),this.chips=u("ol",{class:"chips","aria-label":"Layers of the flow"});let s=[["data","the dat\
a"],["draws","draws from N(0, I), taken back"]];this.source=X("Points",s,"data",f=>t.follow(f)),this.grid=u("input",{type:"\
checkbox",checked:"",onchange:t.redraw}),this.choices=ks(t);let{train:e,step:o,restart:i,stepText:r,back:a,forward:h,play:c,
inverse:l,layer:p}=this;this.element=u("div",{class:"controls"},[Dt("Fit",[e,o,i,P("Speed",this.speed),r]),Dt("Layers",[
a,h,c,l,p,this.layerText]),this.chips,u("div",{class:"row"},[P("Points",this.source),u("label",{},[this.grid,u("span",{text:"\
Grid of the latent space"})])]),u("details",{},[u("summary",{text:"Other points, another flow"}),...this.choices.values()])])}show({
choice:t,steps:s,bits:e,isTraining:o,isBroken:i,canFit:r,layer:a,layers:h,source:c}){this.train.textContent=o?"Pause":"T\
rain";for(let f of[this.train,this.step])f.disabled=i||!r;let l=e===void 0?"":`: ${e.toFixed(3)} bits per dimension`;this.
stepText.textContent=i?`diverged at step ${dt(s)}: lower the learning rate and start again`:`step ${dt(s)}${l}`,this.layer.
max=String(h.length),this.layer.matches(":active")||(this.layer.value=String(a)),this.layerText.textContent=r?Ls(h,a):"";
let p=[this.restart,this.back,this.forward,this.play,this.inverse,this.layer];for(let f of p)f.disabled=!r;this.source.disabled=
!r,this.#t(h,a),this.source.value=c;for(let[f,m]of this.choices){let d=m.querySelector("input, select");d.matches(":focu\
s")||(d.value=String(t[f]))}}#t(t,s){this.chips.childElementCount!==t.length&&this.chips.replaceChildren(...t.map(({name:o},i)=>{
let r=v(Ms[o]??o,`Open layer ${i+1}: ${o}`,()=>this.act.open(i));return r.ariaLabel=r.title,r.className=o.endsWith("coup\
ling")?"coupling":"",u("li",{},[r])}));let e=bt(s);[...this.chips.children].forEach((o,i)=>{let r=o.firstElementChild;r.
ariaCurrent=i===e?"step":"false"})}},Ms={ActNorm:"ActNorm",reversal:"⇄","additive coupling":"+ m","affine coupling":"·\
 s + t"};function bt(n){return Math.max(0,Math.ceil(n)-1)}function ks(n){let t=new Map,s=[...Object.entries(R),[$,"draw \
your own"]];t.set("shape",P("Shape",X("Shape",s,"",o=>n.choose({shape:o}))));let e=X("Coupling",["additive","affine"].map(
vs),"",o=>n.choose({coupling:o==="affine"?"affine":"additive"}));t.set("coupling",P("Coupling",e));for(let[o,[i,r,a,h,c]]of Object.
entries(gt)){let l=u("input",{type:"number",min:r,max:a,step:h,title:c,"aria-label":i});l.addEventListener("change",()=>{
l.reportValidity()&&n.choose({[o]:Number(l.value)})}),t.set(o,P(i,l))}return t}function Ss([n,[t]]){return[n,t]}function vs(n){
return[n,n]}function X(n,t,s,e){let o=t.map(([r,a])=>u("option",{value:r,text:a})),i=u("select",{"aria-label":n},o);return i.
value=s,i.addEventListener("change",()=>e(i.value)),i}function P(n,t){return u("label",{},[u("span",{text:n}),t])}function Dt(n,t){
return u("div",{class:"row"},[u("span",{class:"name",text:n}),...t])}function Ls(n,t){let s=Math.round(t);if(s===0)return"\
data space, before the first layer";let e=s===n.length?": latent space":"";return`after layer ${s} of ${n.length}, ${n[s-
1].name}${e}`}var[At,Mt,Ts]=[.9,.999,1e-6],J=class{#t=0;constructor(t,s){this.parameters=t,this.lr=s,this.means=t.map(e=>new Float64Array(
e.length)),this.squares=t.map(e=>new Float64Array(e.length))}step(t){this.#t+=1;let[s,e]=[1-At**this.#t,1-Mt**this.#t];this.
parameters.forEach((o,i)=>{let[r,a]=[this.means[i],this.squares[i]];for(let h=0;h<o.length;h++){let c=t[i][h];r[h]=At*r[h]+
(1-At)*c,a[h]=Mt*a[h]+(1-Mt)*c*c,o[h]-=this.lr*r[h]/s/(Math.sqrt(a[h]/e)+Ts)}})}};function Q(n,t,s){let e=n.length/t,[o,i]=[new Float64Array(t),new Float64Array(t)];for(let a=0;a<n.length;a++)o[a%t]+=n[a]/
e;for(let a=0;a<n.length;a++)i[a%t]+=(n[a]-o[a%t])**2/e;let r=s?1:Math.sqrt(Math.max(...i));return{b:o.map(a=>-a),logs:i.
map(a=>{let h=Math.sqrt(a);return h>1e-6*r?-Math.log(h)/3:0})}}function S(n){return n.map(t=>Math.exp(3*t))}var O=class{name="\
ActNorm";b=new Float64Array(2);logs=new Float64Array(2);parameters=[this.b,this.logs];constructor(t){this.isUnit=t}forward(t){
let s=S(this.logs),e=t.map((i,r)=>(i+this.b[r%2])*s[r%2]),o=3*(this.logs[0]+this.logs[1]);return{x:t,y:e,ladj:new Float64Array(
t.length/2).fill(o)}}inverse(t){let s=S(this.logs);return t.map((e,o)=>e/s[o%2]-this.b[o%2])}backward({x:t,y:s},e,o,[i,r]){
let a=S(this.logs),h=e.map((c,l)=>c*a[l%2]);for(let c=0;c<t.length;c++)i[c%2]+=h[c],r[c%2]+=3*(e[c]*s[c]+o);return h}initialize(t){
let{b:s,logs:e}=Q(t,2,this.isUnit);return this.b.set(s),this.logs.set(e),this.forward(t).y}};var $s=.05,Y=class{constructor(t,s,e){let o=y=>Float64Array.from({length:y},()=>$s*e()),i=y=>new Float64Array(y);this.width=
t,this.nOutputs=s,this.w1=o(t),this.b1=i(t),this.logs1=i(t),this.w2=o(t*t),this.b2=i(t),this.logs2=i(t),this.w3=i(s*t),this.
c=i(s),this.logs3=i(s);let{w1:r,b1:a,logs1:h,w2:c,b2:l,logs2:p,w3:f,c:m,logs3:d}=this;this.parameters=[r,c,f,m,d,a,h,l,p]}forward(t){
let{width:s,nOutputs:e,w2:o,b2:i,w3:r,c:a}=this,[h,c]=[this.logs2,this.logs3].map(S),l=this.#t(t),[p,f]=[s,e].map(m=>new Float64Array(
t.length*m));for(let m=0;m<t.length;m++){for(let d=0;d<s;d++){let y=St(o,d*s,l,m*s,s);p[m*s+d]=Math.max(0,(y+i[d])*h[d])}
for(let d=0;d<e;d++){let y=St(r,d*s,p,m*s,s);f[m*e+d]=(y+a[d])*c[d]}}return{x:t,h1:l,h2:p,out:f}}#t(t){let{width:s,w1:e,
b1:o}=this,i=S(this.logs1);return new Float64Array(t.length*s).map((r,a)=>{let h=a%s;return Math.max(0,(e[h]*t[(a-h)/s]+
o[h])*i[h])})}backward({x:t,h1:s,h2:e,out:o},i,[r,a,h,c,l,p,f,m,d]){let{width:y,nOutputs:q,w1:mt,w2:ps,w3:us}=this,[ms,ds,
ws]=[this.logs1,this.logs2,this.logs3].map(S),$t=new Float64Array(t.length),[G,H]=[new Float64Array(y),new Float64Array(
y)];for(let F=0;F<t.length;F++){let C=F*y;G.fill(0),H.fill(0);for(let w=0;w<q;w++){let A=F*q+w;l[w]+=3*i[A]*o[A];let k=i[A]*
ws[w];c[w]+=k;for(let _=0;_<y;_++)h[w*y+_]+=k*e[C+_],H[_]+=k*us[w*y+_]}for(let w=0;w<y;w++){if(e[C+w]===0)continue;d[w]+=
3*H[w]*e[C+w];let A=H[w]*ds[w];m[w]+=A;for(let k=0;k<y;k++)a[w*y+k]+=A*s[C+k],G[k]+=A*ps[w*y+k]}for(let w=0;w<y;w++){if(s[C+
w]===0)continue;f[w]+=3*G[w]*s[C+w];let A=G[w]*ms[w];p[w]+=A,r[w]+=A*t[F],$t[F]+=A*mt[w]}}return $t}initialize(t){let{width:s,
w1:e,w2:o}=this,i=new Float64Array(t.length*s),r=Q(i.map((c,l)=>e[l%s]*t[Math.floor(l/s)]),s,!0);this.b1.set(r.b),this.logs1.
set(r.logs);let a=this.#t(t),h=Q(i.map((c,l)=>St(o,l%s*s,a,l-l%s,s)),s,!0);this.b2.set(h.b),this.logs2.set(h.logs)}};function St(n,t,s,e,o){
let i=0;for(let r=0;r<o;r++)i+=n[t+r]*s[e+r];return i}var E=class{constructor(t,s,e){this.name=`${t} coupling`,this.isAffine=t==="affine",this.network=new Y(s,this.isAffine?2:
1,e),this.parameters=this.network.parameters}effect(t){let s=this.network.forward(t),{out:e}=s;if(!this.isAffine)return{
kept:s,shift:e,logScale:new Float64Array(t.length)};let o=t.map((i,r)=>-Math.log1p(Math.exp(-(e[2*r+1]+2))));return{kept:s,
shift:t.map((i,r)=>e[2*r]),logScale:o}}forward(t){let{kept:s,shift:e,logScale:o}=this.effect(vt(t)),i=t.map((r,a)=>a%2?(r+
e[a>>1])*Math.exp(o[a>>1]):r);return{x:t,y:i,ladj:o,kept:s}}inverse(t){let{shift:s,logScale:e}=this.effect(vt(t));return t.
map((o,i)=>i%2?o*Math.exp(-e[i>>1])-s[i>>1]:o)}backward({y:t,ladj:s,kept:e},o,i,r){let a=o.slice(),{x:h,out:c}=e,l=new Float64Array(
c.length);for(let f=0;f<h.length;f++){let[m,d]=[o[2*f+1],Math.exp(s[f])];a[2*f+1]=m*d,l[this.isAffine?2*f:f]=m*d,this.isAffine&&
(l[2*f+1]=(m*t[2*f+1]+i)*(1-d))}let p=this.network.backward(e,l,r);for(let f=0;f<h.length;f++)a[2*f]+=p[f];return a}initialize(t){
return this.network.initialize(vt(t)),this.forward(t).y}};function vt(n){return new Float64Array(n.length/2).map((t,s)=>n[2*
s])}var tt=class{name="reversal";parameters=[];forward(t){return{x:t,y:Z(t),ladj:new Float64Array(t.length/2)}}inverse(t){return Z(
t)}backward(t,s){return Z(s)}initialize(t){return Z(t)}};function Z(n){return n.map((t,s)=>n[s^1])}var st=class{constructor({depth:t,width:s,coupling:e,seed:o}){let i=N(T(o));this.layers=Array.from({length:t},(r,a)=>[new O(
a>0),new tt,new E(e,s,i)]).flat(),this.parameters=this.layers.flatMap(r=>r.parameters)}initialize(t){this.layers.reduce(
(s,e)=>e.initialize(s),t)}trace(t){let s=this.#t(t);return{states:[t,...s.map(({y:e})=>e)],ladj:s.map(({ladj:e})=>e)}}#t(t){
let s=t;return this.layers.map(e=>{let o=e.forward(s);return s=o.y,o})}back(t,s=this.layers.length){let e=[t];for(let o=s-
1;o>=0;o--)e.unshift(this.layers[o].inverse(e[0]));return e}logProb(t){let{states:s,ladj:e}=this.trace(t),o=s.at(-1);return new Float64Array(
t.length/2).map((i,r)=>e.reduce((a,h)=>a+h[r],et(o[2*r],o[2*r+1])))}gradients(t){let s=this.#t(t),[e,o]=[t.length/2,s.at(
-1)?.y??t],i=1/(2*Math.LN2*e),r=0;for(let l=0;l<e;l++){let p=s.reduce((f,m)=>f+m.ladj[l],0);r-=i*(et(o[2*l],o[2*l+1])+p)}
let a=this.parameters.map(l=>new Float64Array(l.length)),h=o.map(l=>l*i),c=a.length;for(let l=this.layers.length-1;l>=0;l--){
let p=this.layers[l],f=c-p.parameters.length;h=p.backward(s[l],h,-i,a.slice(f,c)),c=f}return{bits:r,gradients:a}}};function et(n,t){
return-.5*(n*n+t*t)-Math.log(2*Math.PI)}function It(n,t){let s=n.forward(Float64Array.from(t)),e=n.parameters.map(h=>new Float64Array(
h.length)),[o,i]=n.backward(s,Float64Array.of(1,0),0,e),[r,a]=n.backward(s,Float64Array.of(0,1),0,e);return[o,i,r,a]}var Os=256,ot=class{#t=[];bits=[];constructor(t,s){this.points=t,this.flow=new st(s),this.flow.initialize(t),this.optimizer=
new J(this.flow.parameters,s.lr),this.uniform=T(s.seed+1)}get steps(){return this.bits.length}get isBroken(){return this.
steps>0&&!Number.isFinite(this.bits[this.steps-1])}step(){let{bits:t,gradients:s}=this.flow.gradients(this.#e());this.bits.
push(t),this.isBroken||this.optimizer.step(s)}#e(){let t=this.points.length/2,s=Math.min(Os,t);this.#t.length<s&&(this.#t=
_t(t,this.uniform));let e=new Float64Array(2*s);return this.#t.splice(0,s).forEach((o,i)=>{e.set(this.points.subarray(2*
o,2*o+2),2*i)}),e}};var[Wt,Es]=[9,3],z=41,jt=[0,0,3.3];function qt(n){let t=n.filter((o,i)=>i%2===0),[s,e]=[Math.min(...t),Math.max(...t)];return t.
map(o=>(o-s)/(e-s||1))}function Gt([n,t],[s,e,o]){return Math.abs(n-s)<=o&&Math.abs(t-e)<=o}function Ht(n){let[t,s]=[0,1].
map(c=>n.filter((l,p)=>p%2===c)),e=[t,s].map(c=>[Math.min(...c),Math.max(...c)]),[[o,i],[r,a]]=e,h=Math.max(i-o,a-r)/2*(1+
.25);return[(o+i)/2,(r+a)/2,h]}function Bt([n,t,s],e){let o=i=>s*((2*i+1)/e-1);return new Float64Array(2*e*e).map((i,r)=>{
let a=r>>1;return r%2?t+o(Math.floor(a/e)):n+o(a%e)})}function Ut(){let n=(s,e)=>Es*(2*s/(e-1)-1),t=[];for(let s of[!1,!0])
for(let e=0;e<Wt;e++)for(let o=0;o<z;o++){let[i,r]=[n(e,Wt),n(o,z)];t.push(...s?[r,i]:[i,r])}return Float64Array.from(t)}
function Kt(n,[t,s],e){let[o,i]=[null,e];for(let r=0;2*r<n.length;r++){let a=Math.hypot(n[2*r]-t,n[2*r+1]-s);a<=i&&([o,i]=
[r,a])}return o}function Vt(n,t){let s=n.length-1,e=i=>{if(i>=s)return 3.3;let r=n[i].reduce((a,h)=>Math.max(a,Math.abs(
h)),0);return Math.max(3.3,1.05*r)},o=Math.floor(t);return[0,0,e(o)+(t-o)*(e(o+1)-e(o))]}function nt(n,t){let s=Math.floor(
t),[e,o]=[n[s],t-s];if(o===0)return e;let i=n[s+1];return e.map((r,a)=>r+o*(i[a]-r))}var Xt=600,[Fs,Cs]=[8,2e3],[_s,Ns]=[4,.12],Rs=[0,0,3],Ps=40,zs=Ut();function D(n){let t=null;return(s,e=1)=>((!t||s-t.version>=
e)&&(t={version:s,value:n()}),t.value)}var I=class{#t=0;#e=N(T(7));row=0;#a=[0,0];source="data";fit=null;#s=new Float64Array(
2*Xt).map(()=>this.#e());#i=D(()=>this.source==="data"?this.points:this.flow.back(this.#s)[0]);#h=D(()=>this.flow.trace(
this.followed));#n=D(()=>this.flow.trace(Float64Array.from(this.place)));#c=D(()=>this.flow.back(zs));#l=D(()=>this.flow.
logProb(Bt(this.box,Ps)).map(Math.exp));constructor(t){this.choice=t;let{shape:s,seed:e}=t;this.points=s===$?new Float64Array:
Nt(s,Xt,e),this.box=s===$?Rs:Ht(this.points),this.row=s===$?null:0,this.restart()}restart(){let t=this.points.length>=2*
Fs;this.fit=t?new ot(this.points,this.choice):null,this.#t+=1}get isDrawn(){return this.choice.shape===$}get flow(){return this.
fit.flow}get nLayers(){return 3*this.choice.depth}step(){this.fit?.step(),this.#t+=1}follow(t){this.source=t,this.row=this.
isDrawn&&t==="data"?null:0,this.#t+=1}get followed(){return this.#i(this.#t)}get colouredBy(){return this.source==="data"?
this.points:this.#s}get trace(){return this.#h(this.#t)}get way(){return this.#n(this.#t)}lines(t){return this.#c(this.#t,
t)}density(t){return this.#l(this.#t,t)}get place(){return this.row===null?this.#a:[this.followed[2*this.row],this.followed[2*
this.row+1]]}pick(t,s,e){this.row=Kt(this.trace.states[s],t,e),this.moveTo(t,s)}moveTo(t,s){let[e,o]=s?this.flow.back(Float64Array.
from(t),s)[0]:t;if(this.#t+=1,this.row===null)this.#a=[e,o];else if(this.source==="data")this.points.set([e,o],2*this.row);else{
let i=this.flow.trace(Float64Array.of(e,o)).states.at(-1);this.#s.set(i,2*this.row)}}scatter([t,s]){let e=Math.min(_s,Cs-
this.points.length/2),o=Array.from({length:2*e},(i,r)=>(r%2?s:t)+Ns*this.#e());this.points=Float64Array.of(...this.points,
...o),this.fit&&(this.fit.points=this.points),this.#t+=1}};var Jt=161;function g(n,t=3){let s=Math.abs(n).toFixed(t);return n<0&&Number(s)!==0?`−${s}`:s}function b(n){let t=g(n);
return t.startsWith("−")?`(${t})`:t}function Qt(n,[t,s]){let[e,o]=n.forward(Float64Array.of(t,s)).y;if(n instanceof O){
let l=S(n.logs);return[`z₁ = (x₁ + b₁) · s₁ = (${b(t)} + ${b(n.b[0])}) · ${g(l[0])} ≈ ${g(e)}`,`z₂ = (x₂ + b\
₂) · s₂ = (${b(s)} + ${b(n.b[1])}) · ${g(l[1])} ≈ ${g(o)}`,"back: x = z / s − b"]}if(!(n instanceof E))return[
`z₁ = x₂ = ${g(e)}`,`z₂ = x₁ = ${g(o)}`,"back: the same again. The next coupling changes what the last one left."];
let{shift:i,logScale:r}=n.effect(Float64Array.of(t)),[a,h]=[i[0],Math.exp(r[0])],c=`z₁ = x₁ = ${g(e)}`;return n.isAffine?
[c,`z₂ = (x₂ + t(x₁)) · s(x₁) = (${b(s)} + ${b(a)}) · ${g(h)} ≈ ${g(o)}`,`back: x₂ = z₂ / s(z₁) − t(z₁) = ${b(
o)} / ${g(h)} − ${b(a)} ≈ ${g(s)}`]:[c,`z₂ = x₂ + m(x₁) = ${b(s)} + ${b(a)} ≈ ${g(o)}`,`back: x₂ = z₂ − m(z₁\
) = ${b(o)} − ${b(a)} ≈ ${g(s)}`]}function Yt(n,[t,s,e,o]){let i=t*o-s*e,r=`det = ${b(t)} · ${b(o)} − ${b(s)} · ${b(
e)}`,a=`log |det| = ${g(Math.log(Math.abs(i)))} nats`;return n instanceof O?`${r} ≈ ${g(i)}: every area by one factor;\
 ${a}`:n instanceof E?n.isAffine?`${r} ≈ ${g(i)}: by another factor at each x₁; ${a}`:`${r} = ${g(i)}, whatever m is\
: areas stay as they are; ${a}`:`${r} = ${g(i)}: areas stay as they are, mirrored; ${a}`}function Zt(n,[t,s],e){let o=n instanceof
O;if(!o&&!(n instanceof E))return null;let i=o?e:e.filter((f,m)=>m%2===0),[r,a]=[Math.min(...i,t),Math.max(...i,t)],h=new Float64Array(
Jt).map((f,m)=>r+(a-r)*m/(Jt-1)),c=(f,m,d)=>({name:f,x:h,y:m(h),mark:[d,m(Float64Array.of(d))[0]]});if(o){let f=S(n.logs),
m=y=>q=>q.map(mt=>(mt+n.b[y])*f[y]);return{curves:[c("z₁ of x₁",m(0),t),c("z₂ of x₂",m(1),s)],titles:["x","z"]}}
let l=c(n.isAffine?"t(x₁)":"m(x₁)",f=>n.effect(f).shift,t);if(!n.isAffine)return{curves:[l],titles:["x₁","m(x₁)"],
rug:i};let p=c("s(x₁)",f=>n.effect(f).logScale.map(Math.exp),t);return{curves:[l,p],titles:["x₁","t and s"],rug:i}}function it(n,t,s){let e=devicePixelRatio||1;Object.assign(n,{width:t*e,height:s*e}),Object.assign(n.style,{width:`${t}p\
x`,height:`${s}px`}),L(n).scale(e,e)}function rt(n,{x:t,y:s,w:e,h:o},i){n.save(),n.beginPath(),n.rect(t,s,e,o),n.clip(),i(),n.restore()}function W(n,t,{colour:s,
width:e,halo:o},i){let r=[[t.background,e+o],[s,e]];for(let[a,h]of r)n.beginPath(),i(),n.lineWidth=h,n.strokeStyle=x(a),
n.stroke()}var[ts,Ds,ss,Is]=[46,10,20,34],os=[[0,114,178],[213,94,0]];function Lt(n,t,{curves:s,titles:e,rug:o},{width:i,height:r}){
it(n,i,r);let a=L(n),h={x:ts,y:ss,w:i-ts-Ds,h:r-ss-Is},[c,l]=es(s.map(({x:d})=>d)),[p,f]=Ws(es(s.map(({y:d})=>d))),m=(d,y)=>[
h.x+h.w*(d-c)/(l-c||1),h.y+h.h*(f-y)/(f-p)];a.strokeStyle=x(M(t.background,t.ink,.45)),a.lineWidth=1,a.strokeRect(h.x+.5,
h.y+.5,h.w-1,h.h-1),Gs(a,t,{box:h,titles:e,ends:[c,l,p,f]}),rt(a,h,()=>{o&&js(a,t,o,d=>m(d,p)),s.forEach((d,y)=>{qs(a,t,
d,os[y],m)})}),Hs(a,t,s,h.x)}function es(n){let t=n.flatMap(s=>[...s]).filter(Number.isFinite);return[Math.min(...t),Math.
max(...t)]}function Ws([n,t]){let s=Math.max(.1-(t-n)/2,.06*(t-n));return[n-s,t+s]}function js(n,t,s,e){n.strokeStyle=x(
t.ink,.18),n.beginPath();for(let o of s){let[i,r]=e(o);n.moveTo(i,r),n.lineTo(i,r-7)}n.stroke()}function qs(n,t,{x:s,y:e,
mark:o},i,r){if(W(n,t,{colour:i,width:2,halo:2},()=>{s.forEach((c,l)=>{n.lineTo(...r(c,e[l]))})}),!o)return;let[a,h]=r(...o);
n.setLineDash([3,3]),n.strokeStyle=x(t.muted),n.beginPath(),n.moveTo(a,r(o[0],-1e6)[1]),n.lineTo(a,h),n.stroke(),n.setLineDash(
[]),n.fillStyle=x(i),n.beginPath(),n.arc(a,h,5,0,2*Math.PI),n.fill()}function Gs(n,t,{box:s,titles:e,ends:[o,i,r,a]}){n.
fillStyle=x(t.muted),n.font=`11.5px ${t.font}`;let h=(p,f,m,d)=>{n.textAlign=d,n.fillText(p,f,m)},c=p=>p>=100?0:1,l=s.y+
s.h+14;h(o.toFixed(c(i-o)),s.x,l,"left"),h(i.toFixed(c(i-o)),s.x+s.w,l,"right"),h(e[0],s.x+s.w/2,l+15,"center"),h(a.toFixed(
1),s.x-5,s.y+10,"right"),h(r.toFixed(1),s.x-5,s.y+s.h,"right"),n.save(),n.translate(12,s.y+s.h/2),n.rotate(-Math.PI/2),h(
e[1],0,0,"center"),n.restore()}function Hs(n,t,s,e){if(s.length<2)return;n.textAlign="left";let o=e;s.forEach(({name:i},r)=>{
n.fillStyle=x(os[r]),n.fillRect(o,7,16,4),n.fillStyle=x(t.ink),n.fillText(i,o+21,14),o+=36+n.measureText(i).width})}var[ns,Bs]=[340,220],Us=600,Ks={additive:"Reversals and additive couplings preserve area. Only ActNorm changes it, by on\
e factor everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a bridge.",affine:"Affine couplings\
 stretch each point by its own factor, so p(x) can have several peaks of different heights."},at=class{title=u("h4");curve=u(
"canvas",{role:"img"});lines=u("div",{class:"formula"});matrix=u("div",{class:"matrix",role:"img"});determinant=u("p");loss=u(
"canvas",{role:"img"});terms=u("p");volume=u("p");constructor(){let t=u("div",{class:"row"},[u("span",{text:"Jacobian ∂z\
/∂x ="}),this.matrix]),s=u("div",{},[this.title,this.lines,t,this.determinant]);this.element=u("div",{class:"opened"},
[u("div",{},[this.curve]),s,u("div",{},[this.loss]),u("div",{class:"whole"},[this.terms,this.volume])])}show(t,s,e){let[
o,{states:i}]=[t.flow.layers[s],t.way],r=[i[s][0],i[s][1]],a=this.curve.parentElement?.clientWidth??ns,h={width:Math.min(
ns,a),height:Bs};this.title.textContent=`Layer ${s+1}: ${o.name}, for the marked point`,this.lines.replaceChildren(...Qt(
o,r).map(p=>u("div",{text:p})));let c=It(o,r);this.matrix.replaceChildren(...c.map(p=>u("span",{text:g(p)}))),this.matrix.
ariaLabel=`rows ${c.map(p=>g(p)).join(", ")}`,this.determinant.textContent=Yt(o,c);let l=Zt(o,r,t.trace.states[s]);this.
curve.hidden=!l,l&&Lt(this.curve,e,l,h),this.curve.ariaLabel=`${l?.titles[1]} against ${l?.titles[0]}`,this.#t(t,e,h),this.
terms.textContent=Vs(t),this.volume.textContent=Ks[t.choice.coupling]}#t({fit:t},s,e){let o=t?.bits??[];if(this.loss.hidden=
o.length<2,this.loss.hidden)return;let i=Math.ceil(o.length/Us),r=o.filter((h,c)=>c%i===0),a={name:"",x:Float64Array.from(
r,(h,c)=>c*i+1),y:Float64Array.from(r)};Lt(this.loss,s,{curves:[a],titles:["step","bits per dimension"]},e),this.loss.ariaLabel=
"Bits per dimension of each step of the fit"}};function Vs({place:[n,t],way:{states:s,ladj:e}}){let o=s[s.length-1],[i,r]=[
et(o[0],o[1]),e.reduce((h,[c])=>h+c,0)],a=r<0?"−":"+";return`All layers: x = (${g(n)}, ${g(t)}) goes to z = (${g(o[0])}\
, ${g(o[1])}), and log p(x) = log N(z; 0, I) + Σ log |det| = ${g(i)} ${a} ${g(Math.abs(r))} = ${g(i+r)} nats.`}var[ht,is,rs,Xs]=[34,48,22,460],Js=560;function Tt(n){let t=n>Js,s=Math.min(Xs,t?(n-ht-is)/2:n-ht-2),e={x:ht,y:0,w:s,h:s},
o=t?{...e,x:ht+s+is}:{...e,y:s+rs};return{height:(t?1:2)*(s+rs),plots:[e,o]}}var ct=1.7,[lt,as]=[9,.45],Qs=.62,Ys=.6,hs=[213,94,0],j=class{constructor(t,s,e,o,i){this.context=t,this.theme=s,this.plot=
e,this.square=o,this.letter=i}pixel(t,s){let[e,o,i]=this.square,{x:r,y:a,w:h}=this.plot;return[r+h*(t-e+i)/(2*i),a+h*(o+
i-s)/(2*i)]}place(t,s){let[e,o,i]=this.square,{x:r,y:a,w:h}=this.plot;return[e-i+2*i*(t-r)/h,o+i-2*i*(s-a)/h]}within(t){
let{context:s,theme:e,plot:o}=this;rt(s,o,t),s.strokeStyle=x(M(e.background,e.ink,.45)),s.lineWidth=1,s.strokeRect(o.x+.5,
o.y+.5,o.w-1,o.h-1),this.#t()}#t(){let{context:t,theme:s,plot:e,letter:o}=this,[i,r,a]=this.square;t.fillStyle=x(s.muted),
t.font=`11.5px ${s.font}`;let h=(l,p,f,m)=>{t.textAlign=m,t.fillText(l,p,f)},c=e.y+e.h+14;h((i-a).toFixed(1),e.x,c,"left"),
h(`${o}₁`,e.x+e.w/2,c,"center"),h((i+a).toFixed(1),e.x+e.w,c,"right"),h((r+a).toFixed(1),e.x-5,e.y+10,"right"),h(`${o}\
₂`,e.x-5,e.y+e.h/2+4,"right"),h((r-a).toFixed(1),e.x-5,e.y+e.h,"right")}density(t){let{context:s,theme:e,plot:o}=this,
i=Math.round(Math.sqrt(t.length)),r=t.reduce((c,l)=>Math.max(c,l),0)||1,a=new ImageData(i,i);t.forEach((c,l)=>{let p=4*((i-
1-Math.floor(l/i))*i+l%i);a.data.set(M(e.background,e.ink,Qs*(c/r)**Ys),p),a.data[p+3]=255});let h=u("canvas",{width:i,height:i});
L(h).putImageData(a,0,0),s.imageSmoothingQuality="high",s.drawImage(h,o.x,o.y,o.w,o.h)}lines(t,s){let{context:e,theme:o}=this;
e.strokeStyle=x(M(o.background,o.primary,.75)),e.lineWidth=1,e.beginPath();for(let i=0;2*i<t.length;i++){let[r,a]=this.pixel(
t[2*i],t[2*i+1]);i%s?e.lineTo(r,a):e.moveTo(r,a)}e.stroke()}circles(){let{context:t,theme:s,plot:e,square:o}=this,[i,r]=this.
pixel(0,0);t.strokeStyle=x(s.ink),t.lineWidth=1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(i,r,a*e.
w/(2*o[2]),0,2*Math.PI),t.stroke();t.setLineDash([])}points(t,s){let{context:e}=this;s.forEach((o,i)=>{let[r,a]=this.pixel(
t[2*i],t[2*i+1]);e.fillStyle=o,e.fillRect(r-ct,a-ct,2*ct,2*ct)})}arrow(t,s){let{context:e,theme:o}=this,[[i,r],[a,h]]=[this.
pixel(...t),this.pixel(...s)],[c,l]=[Math.hypot(a-i,h-r),Math.atan2(h-r,a-i)];if(c<2*lt)return;let p=c-lt-3,[f,m]=[i+p*Math.
cos(l),r+p*Math.sin(l)];W(e,o,{colour:hs,width:2,halo:3},()=>{e.moveTo(i,r),e.lineTo(f,m);for(let d of[-as,as])e.moveTo(
f,m),e.lineTo(f-lt*Math.cos(l+d),m-lt*Math.sin(l+d))})}mark([t,s]){let{context:e,theme:o}=this,[i,r]=this.pixel(t,s);W(e,
o,{colour:hs,width:2,halo:3},()=>{e.arc(i,r,6,0,2*Math.PI),e.moveTo(i-11,r),e.lineTo(i+11,r),e.moveTo(i,r-11),e.lineTo(i,
r+11)})}};function cs(n,t,s,e,o){let[i,r]=Tt(t.clientWidth).plots,a=L(n),h=e.fit?Vt(e.trace.states,o):jt,c=o===e.nLayers?"z":"h";return[
new j(a,s,i,e.box,"x"),new j(a,s,r,h,c)]}function ls(n,t,[s,e],o,i){let r=t.clientWidth;it(n,r,Tt(r).height),s.within(()=>Zs(
s,o,i)),e.within(()=>{o.fit&&te(e,o,i)})}function Zs(n,t,{age:s,hasGrid:e,colours:o}){if(!t.fit){n.points(t.points,o),n.
mark(t.place);return}n.density(t.density(s)),e&&n.lines(t.lines(s)[0],z),n.points(t.followed,o),n.mark(t.place)}function te(n,t,{
layer:s,age:e,hasGrid:o,colours:i}){o&&n.lines(nt(t.lines(e),s),z),n.points(nt(t.trace.states,s),i),s===t.nLayers&&n.circles();
let r=Math.max(1,Math.ceil(s)),[a,h]=[t.way.states[r-1],t.way.states[r]];n.arrow([a[0],a[1]],[h[0],h[1]]);let[c,l]=nt(t.
way.states,s);n.mark([c,l])}var ft=class{#t=0;#e=null;run(t,s,e){this.#t+=Math.min(.1,(t-(this.#e??t))/1e3)*s,this.#e=t;let o=performance.now()+10;for(;this.#t>=
1;)e(),this.#t-=1,performance.now()>=o&&(this.#t=Math.min(this.#t,1))}rest(){[this.#t,this.#e]=[0,null]}};var fs=1200,se=100,ee=14,oe=40,ne=3,ie="Left: the data, the flow's density p(x) in grey, and the grid of the latent spac\
e mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard deviati\
ons. Drag a point on either side: it moves through the whole map.",re="Drag over the left square to scatter points; or m\
ove with the arrow keys and press Space.",ut=class{#t=new I(Rt);#e=new B;#a=new ft;#s=this.#t.nLayers;#i=0;#h=0;#n=!0;#c=fs;#l=!1;#r=null;#A=[];#f=null;#M=()=>{};#d=u(
"p",{role:"status"});#k=u("p",{class:"recipe"});opened=new at;constructor(t){this.root=t,this.canvas=u("canvas",{tabindex:0,
role:"application",onpointerdown:e=>this.#C(e),onpointermove:e=>this.#_(e),onpointerup:()=>this.#b(),onpointercancel:()=>this.#b(),
onkeydown:e=>this.#N(e)}),this.controls=new V({train:()=>this.#u(!this.#n),step:()=>this.#E(),restart:()=>this.#w(),stepLayer:e=>this.#m(
this.#s,Math.round(this.#s)+e),playTo:e=>this.#F(e),setLayer:e=>this.#g(e),open:e=>this.#m(e,e+1),follow:e=>this.#O(e),choose:e=>this.#$(
e),redraw:()=>this.#o()});let s=u("p",{text:ie});t.replaceChildren(this.canvas,this.#d,this.controls.element,this.opened.
element,this.#k,s);for(let e of["pointerdown","keydown"])t.addEventListener(e,()=>{this.#l=!0});this.watcher=new ResizeObserver(
()=>this.#o()),this.watcher.observe(t)}load({choice:t},s){if(this.#M=s,this.#f=Ft(this.root),t!==null&&t!==yt(this.#t.choice)){
let e=Pt(t);e?this.#S(e):this.#d.textContent=`plane=${t} in the address is no flow: the usual one is shown.`}this.#p(),this.#o()}#$(t){
this.#S({...this.#t.choice,...t}),this.#M(yt(this.#t.choice))}#S(t){this.#t=new I(t),this.#d.textContent=this.#t.isDrawn?
re:"",this.#w(),this.#p()}#w(){this.#t.restart(),this.#g(this.#t.nLayers),this.#u(this.#t.fit!==null),this.#c=fs,this.#l=
!1}#O(t){this.#t.follow(t),this.#p(),this.#o()}#p(){let t=this.#f?.dark??!1,s=[...qt(this.#t.colouredBy)];this.#A=s.map(
e=>x(Ct(e,t)))}#u(t){this.#n=t,this.#c=1/0,this.#a.rest(),this.#o()}#E(){this.#u(!1),this.#t.step()}get#v(){return xt[this.
controls.speed.value]}#m(t,s,e=()=>{}){let o=Math.min(this.#t.nLayers,Math.max(0,s)),i=Math.abs(o-t)*this.#v[2]*1e3;this.#e.
start(t,o,i,this.#L,e)}#F(t){let s=Math.min(this.#t.nLayers,t);this.#m(this.#s===s?this.#t.nLayers-s:this.#s,s)}#L=t=>{this.#s=
t,this.#o()};#g(t){this.#e.stop(),this.#L(t)}#y(){let t=this.#f;return cs(this.canvas,this.root,t,this.#t,this.#s)}#C(t){
let s=this.#y(),e=s.findIndex(r=>Gt(r.place(...pt(t)),r.square));if(e<0)return;t.preventDefault(),this.canvas.focus({preventScroll:!0}),
this.canvas.setPointerCapture(t.pointerId),this.#r=e===0?0:1;let o=s[e],i=ee*2*o.square[2]/o.plot.w;this.#t.isDrawn&&e===
0?this.#x(o.place(...pt(t))):this.#t.fit&&(e===1&&this.#g(Math.round(this.#s)),this.#t.pick(o.place(...pt(t)),this.#T,i)),
this.#p(),this.#o()}#x(t){this.#t.scatter(t),this.#p()}get#T(){return this.#r===0?0:Math.round(this.#s)}#_(t){if(this.#r===
null)return;let s=this.#y()[this.#r].place(...pt(t));this.#t.isDrawn&&this.#r===0?this.#x(s):this.#t.fit&&this.#t.moveTo(
s,this.#T),this.#o()}#b(){this.#r=null,this.#t.isDrawn&&!this.#t.fit&&this.#w(),this.#t.fit&&(this.#d.textContent=""),this.#o()}#N(t){
let s=Et[t.key],e=t.key===" "&&this.#t.isDrawn;if(!s&&!e)return;if(t.preventDefault(),!s){this.#x(this.#t.place),this.#b();
return}let[o,i]=this.#t.place,r=2*this.#t.box[2]/oe;this.#t.moveTo([o+s[0]*r,i+s[1]*r],0),this.#o()}#o(){this.#i||(this.#i=
requestAnimationFrame(this.#R))}#R=t=>{this.#i=0,this.#n&&this.#P(t),this.#z(),this.#n&&this.#o()};#P(t){let{fit:s}=this.#t;
if(this.#a.run(t,this.#v[1],()=>this.#t.step()),!s||s.isBroken)this.#u(!1);else if(s.steps>=this.#c){this.#u(!1);let e=this.#t.
nLayers;this.#l||this.#m(e,0,()=>this.#m(0,e))}}#z(){if(!this.#f||!this.root.clientWidth)return;let t=this.#t.fit?.steps??
0,s=matchMedia("(prefers-reduced-motion: reduce)").matches,e=t>this.#h&&t<this.#h+se;s&&this.#n&&e||(this.#h=t,ls(this.canvas,
this.root,this.#y(),this.#t,{layer:this.#s,age:this.#n?ne:1,colours:this.#A,hasGrid:this.controls.grid.checked}),this.#D(
t))}#D(t){let{choice:s,fit:e,points:o,source:i}=this.#t;this.controls.show({choice:s,steps:t,bits:e?.bits.at(-1),isTraining:this.#n,
isBroken:e?.isBroken??!1,canFit:e!==null,layer:this.#s,layers:e?.flow.layers??[],source:i}),this.opened.element.hidden=!e,
e&&this.opened.show(this.#t,bt(this.#s),this.#f),this.#k.textContent=zt(s,o.length/2),this.canvas.ariaLabel=`Step ${t}: \
the data with the flow's density, and the points after the layers. Arrow keys move the marked point.`,this.root.dataset.
steps=String(t)}close(){this.#e.stop(),cancelAnimationFrame(this.#i),this.#i=0,this.watcher.disconnect()}};function pt({
offsetX:n,offsetY:t}){return[n,t]}var Ro=Ot({name:"flow-view",show:n=>new ut(n),state:"choice",file:{data:()=>({choice:decodeURIComponent(location.hash.slice(
1))||null}),told:n=>location.replace(`#${n}`)},cell:{trait:"choice",data:n=>({choice:n}),traits:n=>({choice:n})}});export{Ro as default};
