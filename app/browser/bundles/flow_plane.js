var Pt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function f(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[r,i]of Object.entries(e))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function M(n,t,e){return f("button",{type:"button",text:n,title:t,onclick:e})}function _(n,t,e=""){let s=f("span",{text:n});
t instanceof HTMLSelectElement&&(t.ariaLabel=n);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return f("label",
{title:e||null},o?[t,s]:[s,t])}function Dt(n,t){let e=URL.createObjectURL(n);f("a",{href:e,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(e),1e4)}function gt(n){return n.toLocaleString("en")}function L(n){return n.getContext("2d")}var mt=1;
function wt(){return Math.max(mt,devicePixelRatio||1)}function _t(n,t){try{return mt=2,n(),t()}finally{mt=1,n()}}function X(n,t,e){
let s=wt();Object.assign(n,{width:t*s,height:e*s}),Object.assign(n.style,{width:`${t}px`,height:`${e}px`}),L(n).scale(s,
s)}function zt(n){let t=atob(n),e=new Uint8Array(t.length);for(let s=0;s<t.length;s++)e[s]=t.charCodeAt(s);return e}var V=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function K(n){
let t=getComputedStyle(n),e=(r,i)=>t.getPropertyValue(r).trim()||i,s=yt(e("--st-background-color","#ffffff")),o=yt(e("--\
st-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:S(s,o,.72),line:S(s,o,.2),
dim:S(s,o,.3),missing:S(s,o,.5),primary:yt(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function J(n,t){
let s=(t?.16+.84*n:.92*n)*(V.length-1),o=Math.min(Math.floor(s),V.length-2);return S(V[o],V[o+1],s-o)}function S(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function y(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var Y=null;function yt(n){Y??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),Y.fillStyle=n,Y.fillRect(
0,0,1,1);let[t,e,s]=Y.getImageData(0,0,1,1).data;return[t,e,s]}var Z=100;function Wt(n,t){_t(()=>n.draw(),()=>$e(n.parts)).toBlob(s=>s&&Dt(s,`${t}.png`))}function $e(n){let t=n.map(c=>c.
getBoundingClientRect()),e=wt(),s=e*Math.max(...t.map(c=>c.width)),o=e*t.reduce((c,l)=>c+l.height,0),r=f("canvas",{width:Math.
ceil(s),height:Math.ceil(o)}),[i,a]=[L(r),K(n[0])];i.fillStyle=y(a.background),i.fillRect(0,0,s,o),i.scale(e,e);let h=0;
return n.forEach((c,l)=>{i.save(),i.translate(-t[l].left,h-t[l].top);for(let u of[c,...c.querySelectorAll("canvas, .swat\
ch, .bar")])Ee(i,a,u);Oe(i,c),i.restore(),h+=t[l].height}),r}function Ee(n,t,e){let{left:s,top:o,width:r,height:i}=e.getBoundingClientRect();
if(!(!r||!i)){if(e instanceof HTMLCanvasElement)n.drawImage(e,s,o,r,i);else if(e.matches(".swatch"))n.fillStyle=getComputedStyle(
e).backgroundColor,n.fillRect(s,o,r,i);else if(e.matches(".scale .bar"))for(let a=0;a<Z;a++)n.fillStyle=y(J(a/(Z-1),t.dark)),
n.fillRect(s+a*r/Z,o,r/Z+.5,i)}}function Oe(n,t){let[e,s]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(n.textAlign="center",n.textBaseline="middle";e.nextNode();){let o=e.currentNode,r=getComputedStyle(o.parentElement);
n.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,n.fillStyle=r.color;for(let{0:i,index:a}of o.data.matchAll(/\S+/g)){
s.setStart(o,a),s.setEnd(o,a+i.length);let{left:h,top:c,width:l,height:u}=s.getBoundingClientRect();!l||!u||(n.save(),n.
translate(h+l/2,c+u/2),r.writingMode.startsWith("vertical")&&n.rotate(-Math.PI/2),n.fillText(i,0,0),n.restore())}}}function Ht({show:n,...t}){let s={...t,show:i=>{let a=n(i);return Fe(a)&&i.append(M("Save PNG","Save the picture",()=>Wt(
a,t.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&Ne(s,o.textContent??"");let r=Re(s);return i=>i?
r(i):{render:a=>Ie(s,a)}}function Fe(n){return"draw"in n&&"parts"in n}function Ce(n,t){n.calls+=1;let e=n.calls;return()=>{
n.calls===e&&t()}}function Re({name:n,state:t,show:e}){let s=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{
let a=r.querySelector(`.${n}`),h=s.get(a)??{shown:e(a),calls:0};return s.set(a,h),h.shown.load(o,c=>i(t,c)),Ce(h,()=>h.shown.
close?.())}}function Ne({name:n,show:t,file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),r=()=>o.load(e.data(
zt(s.trim())),e.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function Ie({
name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[r,i]=[f("div"),f("div",{class:n})],a=f("style",{text:String(s.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,i),o.append(r);let h=t(i),c=()=>h.load(e.data(s.get(e.trait)),l=>{for(let[
u,d]of Object.entries(e.traits(l,h)))s.set(u,d);s.save_changes()});return c(),s.on(`change:${e.trait}`,c),()=>{s.off(`ch\
ange:${e.trait}`,c),h.close?.()}}var Q=class{#t=0;start(t,e,s,o,r=()=>{}){this.stop();let i=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/s)),u=i&&s<=600?1:l,d=u===1?e:t+u*(e-t);o(i?Math.round(d):d),u<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};function E(n){let t=n>>>0;return()=>{t=t+1831565813|0;let e=Math.imul(t^t>>>15,1|t);return e^=e+Math.imul(e^e>>>7,61|e),
((e^e>>>14)>>>0)/2**32}}function R(n){return()=>Math.sqrt(-2*Math.log(1-n()))*Math.cos(2*Math.PI*n())}function qt(n,t){let e=Array.
from({length:n},(s,o)=>o);for(let s=n-1;s>0;s--){let o=Math.floor(t()*(s+1));[e[s],e[o]]=[e[o],e[s]]}return e}var z={moons:"two moons",spiral:"spiral",ring:"ring",blobs:"two blobs",banana:"banana",cone:"cone"},Pe={moons:(n,t)=>{let e=Math.
PI*n(),s=n()<.5?1:-1,[o,r]=[s*(Math.cos(e)-.5),s*(Math.sin(e)-.25)];return[1.5*o+.12*t(),1.5*r+.12*t()]},spiral:(n,t)=>{
let e=3*Math.PI*Math.sqrt(.03+.97*n()),s=.26*e;return[s*Math.cos(e)+.08*t(),s*Math.sin(e)+.08*t()]},ring:(n,t)=>{let e=2*
Math.PI*n();return[1.8*Math.cos(e)+.15*t(),1.8*Math.sin(e)+.15*t()]},blobs:(n,t)=>{let e=n()<.5?-1:1;return[1.4*e+.4*t(),
.6*e+.4*t()]},banana:(n,t)=>{let e=t();return[e,.45*(e**2-1)+.25*t()]},cone:(n,t)=>{let e=0;for(let o=0;o<6;o++)e-=.4*Math.
log(1-n());let s=Math.PI/4+.22*t();return[e*Math.cos(s),e*Math.sin(s)]}};function jt(n,t,e){let s=E(e),o=R(s),r=new Float64Array(
2*t);for(let i=0;i<t;i++)r.set(Pe[n](s,o),2*i);return r}var W="drawn",bt={depth:["Depth",1,8,1,"Steps of the flow: ActNorm, reversal, coupling"],width:["Width",4,32,4,"Hidden u\
nits of each coupling's network"],lr:["Learning rate",5e-4,.02,5e-4,"Learning rate of Adam, constant"],seed:["Seed",0,9999,
1,"Seed of the points, the initial flow and the order of points"]},Bt={shape:"moons",coupling:"additive",depth:4,width:16,
lr:.003,seed:0};function xt({shape:n,coupling:t,depth:e,width:s,lr:o,seed:r}){return[n,t,e,s,o,r].join("-")}function Gt(n){
let[t,e,...s]=n.split("-"),[o,r,i,a]=s.map(Number),h={depth:o,width:r,lr:i,seed:a};if(!((Object.hasOwn(z,t)||t===W)&&s.length===
4)||e!=="additive"&&e!=="affine")return null;for(let[l,[,u,d]]of Object.entries(bt)){let p=h[l];if(!(l==="lr"||Number.isInteger(
p))||!(u<=p&&p<=d))return null}return{shape:t,coupling:e,...h}}function Ut({shape:n,coupling:t,depth:e,width:s,lr:o,seed:r},i){
let a=z[n];return`${a?`${i} points, ${a}`:`${i} points drawn by hand`}, seed ${r}; ${e} steps of ActNorm, reversal and ${t}\
 coupling of width ${s}; Adam at a learning rate of ${o}, 256 points a step, trained in this browser.`}var At={slow:["slow motion",2,2.4],normal:["normal",60,.6],fast:["fast",600,.2]},De={data:"the data",draws:"draws from N\
(0, I), mapped back"},_e={additive:"additive",affine:"affine"},ze={ActNorm:"ActNorm",reversal:"⇄","additive coupling":"\
+ m","affine coupling":"· s + t"},tt=class{#t=f("output");#r=f("output",{class:"below"});#e=f("ol",{class:"chips","aria\
-label":"Layers of the flow"});grid=f("input",{type:"checkbox",checked:"",onchange:()=>this.view.redraw()});constructor(t){
this.view=t,this.train=M("Train","Train the flow in this browser, or pause",()=>t.train()),this.step=M("One step","Take \
a single step of the optimiser",()=>t.step());let e=M("Start again","Fit again from the start",()=>t.restart()),s=Object.
entries(At).map(([i,[a]])=>[i,a]);this.speed=et(Object.fromEntries(s),()=>{}),this.speed.value="normal",this.layer=f("in\
put",{type:"range",min:0,step:.05,"aria-label":"Layer",oninput:()=>t.rest(Number(this.layer.value))});let o=[M("Back","U\
ndo one layer",()=>t.stepLayer(-1)),M("Forward","Apply one more layer",()=>t.stepLayer(1)),M("Play","From data to latent\
 space",()=>t.playTo("latent")),M("Play back","The inverse: from latent space to data",()=>t.playTo("data")),this.layer];
this.source=et(De,i=>t.follow(i)),this.ofFit=[e,...o,this.source],this.choices=We(t);let r=_("Speed",this.speed);this.element=
f("div",{class:"controls"},[Xt("Fit",[this.train,this.step,e,r,this.#t]),Xt("Layers",[...o,this.#r]),this.#e,f("div",{class:"\
row"},[_("Points",this.source),_("Grid of the latent space",this.grid)]),f("details",{},[f("summary",{text:"Other points\
, another flow"}),...this.choices.map(({text:i,control:a})=>_(i,a))])])}show({fit:t,choice:e,source:s},o,r){let[i,a,h]=[
t?.steps??0,t?.bits.at(-1),t?.flow.layers??[]];this.train.textContent=r?"Pause":"Train";for(let l of[this.train,this.step])
l.disabled=!t||t.isBroken;let c=a===void 0?"":`: ${a.toFixed(3)} bits per dimension`;this.#t.textContent=t?.isBroken?`di\
verged at step ${gt(i)}: lower the learning rate and start again`:`step ${gt(i)}${c}`,this.layer.max=String(h.length),this.
layer.matches(":active")||(this.layer.value=String(o)),this.#r.textContent=t?He(h,o):"";for(let l of this.ofFit)l.disabled=
!t;this.#s(h,o),this.source.value=s;for(let{name:l,control:u}of this.choices)u.matches(":focus")||(u.value=String(e[l]))}#s(t,e){
if(this.#e.childElementCount!==t.length){let s=t.map(({name:o},r)=>{let i=()=>this.view.open(r),a=M(ze[o]??o,`Open layer\
 ${r+1}: ${o}`,i);return a.ariaLabel=a.title,a.className=o.endsWith("coupling")?"coupling":"",f("li",{},[a])});this.#e.replaceChildren(
...s)}this.#e.querySelectorAll("button").forEach((s,o)=>{s.ariaCurrent=o===Mt(e)?"step":"false"})}};function Mt(n){return Math.
max(0,Math.ceil(n)-1)}function We(n){let t={...z,[W]:"draw your own"},e=Object.entries(bt).map(([s,[o,r,i,a,h]])=>{let l=f(
"input",{type:"number",min:r,max:i,step:a,title:h,onchange:()=>{l.reportValidity()&&n.choose({[s]:Number(l.value)})}});return{
name:s,text:o,control:l}});return[{name:"shape",text:"Shape",control:et(t,s=>n.choose({shape:s}))},{name:"coupling",text:"\
Coupling",control:et(_e,s=>n.choose({coupling:s}))},...e]}function et(n,t){let e=Object.entries(n).map(([o,r])=>f("optio\
n",{value:o,text:String(r)})),s=f("select",{onchange:()=>t(s.value)},e);return s}function Xt(n,t){return f("div",{class:"\
row"},[f("span",{class:"name",text:n}),...t])}function He(n,t){let e=Math.round(t);if(e===0)return"data space, before th\
e first layer";let s=e===n.length?": latent space":"";return`after layer ${e} of ${n.length}, ${n[e-1].name}${s}`}function St(n,t,e){let s=n.length/t,[o,r]=[new Float64Array(t),new Float64Array(t)];for(let a=0;a<n.length;a++)o[a%t]+=n[a]/
s;for(let a=0;a<n.length;a++)r[a%t]+=(n[a]-o[a%t])**2/s;let i=e?1:Math.sqrt(Math.max(...r));return{b:o.map(a=>-a),logs:r.
map(a=>{let h=Math.sqrt(a);return h>1e-6*i?-Math.log(h)/3:0})}}function T(n){return n.map(t=>Math.exp(3*t))}var N=class{constructor(t,e,s){
this.w=t,this.b=new Float64Array(e),this.logs=new Float64Array(e),this.nIn=t.length/e,this.isHidden=s,this.parameters=[this.
w,this.b,this.logs],this.gradients=this.parameters.map(o=>new Float64Array(o.length))}forward(t){let{b:e,isHidden:s}=this,
o=T(this.logs);return this.#t(t).map((r,i)=>{let a=(r+e[i%e.length])*o[i%e.length];return s?Math.max(0,a):a})}#t(t){let{
w:e,nIn:s,b:o}=this,r=new Float64Array(t.length/s*o.length);for(let i=0,a=0;i<t.length;i+=s)for(let h=0;h<e.length;h+=s,
a++){let c=0;for(let l=0;l<s;l++)c+=e[h+l]*t[i+l];r[a]=c}return r}backward(t,e,s){let{w:o,nIn:r,isHidden:i}=this,[a,h,c]=this.
gradients,l=T(this.logs),u=new Float64Array(t.length);for(let d=0;d<e.length;d++){if(i&&e[d]===0)continue;let p=d%h.length,
[m,b]=[p*r,(d-p)/h.length*r],x=s[d]*l[p];c[p]+=3*s[d]*e[d],h[p]+=x;for(let k=0;k<r;k++)a[m+k]+=x*t[b+k],u[b+k]+=x*o[m+k]}
return u}initialize(t){let{b:e,logs:s}=St(this.#t(t),this.b.length,!0);return this.b.set(e),this.logs.set(s),this.forward(
t)}};var qe=.05,O=class{name="ActNorm";b=new Float64Array(2);logs=new Float64Array(2);parameters=[this.b,this.logs];gradients=[
new Float64Array(2),new Float64Array(2)];constructor(t){this.isUnit=t}forward(t){let e=T(this.logs),s=t.map((r,i)=>(r+this.
b[i%2])*e[i%2]),o=3*(this.logs[0]+this.logs[1]);return{y:s,ladj:new Float64Array(t.length/2).fill(o)}}inverse(t){let e=T(
this.logs);return t.map((s,o)=>s/e[o%2]-this.b[o%2])}backward({y:t},e,s){let[o,r]=this.gradients,i=T(this.logs),a=e.map(
(h,c)=>h*i[c%2]);for(let h=0;h<a.length;h++)o[h%2]+=a[h],r[h%2]+=3*(e[h]*t[h]+s);return a}initialize(t){let{b:e,logs:s}=St(
t,2,this.isUnit);return this.b.set(e),this.logs.set(s),this.forward(t).y}},st=n=>n.map((t,e)=>n[e^1]),Yt={name:"reversal",
parameters:[],gradients:[],forward:n=>({y:st(n),ladj:new Float64Array(n.length/2)}),inverse:st,backward:(n,t)=>st(t),initialize:st},
F=class{constructor(t,e,s){this.name=`${t} coupling`,this.isAffine=t==="affine";let o=this.isAffine?2:1,r=i=>new Float64Array(
i).map(()=>qe*s());this.network=[new N(r(e),e,!0),new N(r(e*e),e,!0),new N(new Float64Array(o*e),o,!1)],this.parameters=
this.network.flatMap(i=>i.parameters),this.gradients=this.network.flatMap(i=>i.gradients)}effect(t){let e=[t];for(let r of this.
network)e.push(r.forward(e[e.length-1]));let s=e[e.length-1];if(!this.isAffine)return{kept:e,shift:s,logScale:new Float64Array(
t.length)};let o=t.map((r,i)=>-Math.log1p(Math.exp(-(s[2*i+1]+2))));return{kept:e,shift:t.map((r,i)=>s[2*i]),logScale:o}}forward(t){
let{kept:e,shift:s,logScale:o}=this.effect(kt(t));return{y:t.map((i,a)=>a%2?(i+s[a>>1])*Math.exp(o[a>>1]):i),ladj:o,kept:e}}inverse(t){
let{shift:e,logScale:s}=this.effect(kt(t));return t.map((o,r)=>r%2?o*Math.exp(-s[r>>1])-e[r>>1]:o)}backward({y:t,ladj:e,
kept:s=[]},o,r){let i=o.map((h,c)=>c%2?h*Math.exp(e[c>>1]):h),a=s[3].map((h,c)=>{let l=this.isAffine?c>>1:c;return!this.
isAffine||c%2===0?i[2*l+1]:(o[2*l+1]*t[2*l+1]+r)*(1-Math.exp(e[l]))});for(let h=2;h>=0;h--)a=this.network[h].backward(s[h],
s[h+1],a);return i.map((h,c)=>c%2?h:h+a[c>>1])}initialize(t){let[e,s]=this.network;return s.initialize(e.initialize(kt(t))),
this.forward(t).y}};function kt(n){return new Float64Array(n.length/2).map((t,e)=>n[2*e])}var nt=class{constructor({depth:t,width:e,coupling:s,seed:o}){let r=R(E(o));this.layers=Array.from({length:t},(i,a)=>[new O(
a>0),Yt,new F(s,e,r)]).flat(),this.parameters=this.layers.flatMap(i=>i.parameters),this.gradients=this.layers.flatMap(i=>i.
gradients)}initialize(t){this.layers.reduce((e,s)=>s.initialize(e),t)}trace(t){let e=this.#t(t);return{states:[t,...e.map(
({y:s})=>s)],ladj:e.map(({ladj:s})=>s)}}#t(t){let e=t;return this.layers.map(s=>{let o=s.forward(e);return e=o.y,o})}back(t,e=this.
layers.length){let s=[t];for(let o=e-1;o>=0;o--)s.unshift(this.layers[o].inverse(s[0]));return s}logProb(t){return Kt(this.
trace(t))}loss(t){for(let a of this.gradients)a.fill(0);let e=this.#t(t),s=e[e.length-1].y,o=1/(Math.LN2*t.length),r=s.map(
a=>a*o);for(let a=e.length-1;a>=0;a--)r=this.layers[a].backward(e[a],r,-o);let i=Kt({states:[s],ladj:e.map(({ladj:a})=>a)});
return-o*i.reduce((a,h)=>a+h,0)}};function Kt({states:n,ladj:t}){let e=n[n.length-1];return new Float64Array(e.length/2).
map((s,o)=>t.reduce((r,i)=>r+i[o],vt(e[2*o],e[2*o+1])))}function vt(n,t){return-.5*(n*n+t*t)-Math.log(2*Math.PI)}function Jt(n,t){
let e=n.forward(Float64Array.from(t)),[s,o]=n.backward(e,Float64Array.of(1,0),0),[r,i]=n.backward(e,Float64Array.of(0,1),
0);return[s,o,r,i]}var je=256,[Lt,Tt,Be]=[.9,.999,1e-6];function Ge({parameters:n,gradients:t},e){let[s,o]=[0,1].map(()=>n.map(i=>new Float64Array(
i.length))),r=0;return()=>{r+=1;let[i,a]=[1-Lt**r,1-Tt**r];n.forEach((h,c)=>{let[l,u,d]=[s[c],o[c],t[c]];for(let p=0;p<h.
length;p++){let m=d[p];l[p]=Lt*l[p]+(1-Lt)*m,u[p]=Tt*u[p]+(1-Tt)*m*m,h[p]-=e*l[p]/i/(Math.sqrt(u[p]/a)+Be)}})}}var ot=class{#t=[];bits=[];constructor(t,e){
this.points=t,this.flow=new nt(e),this.flow.initialize(t),this.move=Ge(this.flow,e.lr),this.uniform=E(e.seed+1)}get steps(){
return this.bits.length}get isBroken(){return this.steps>0&&!Number.isFinite(this.bits[this.steps-1])}step(){let t=this.
points.length/2,e=Math.min(je,t);this.#t.length<e&&(this.#t=qt(t,this.uniform));let s=this.#t.splice(0,e).flatMap(o=>[this.
points[2*o],this.points[2*o+1]]);this.bits.push(this.flow.loss(Float64Array.from(s))),this.isBroken||this.move()}};function rt(n,{x:t,y:e,w:s,h:o},r){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),r(),n.restore()}function Zt(n,[t,e],s){
n.beginPath(),n.arc(t,e,s,0,2*Math.PI),n.fill()}function Qt(n,t,[e,s],o){let[r,i]=[-1,o];for(let a=0;a<n;a++){let[h,c]=t(
a),l=Math.hypot(h-e,c-s);l<i&&([r,i]=[a,l])}return r}function H(n,t,{colour:e,width:s,halo:o},r){let i=[[t.background,s+
o],[e,s]];for(let[a,h]of i)n.beginPath(),r(),n.lineWidth=h,n.strokeStyle=y(a),n.stroke()}function it(n,t){return(e,s,o,{
align:r="left",colour:i=t.muted,weight:a=400,halo:h=!1}={})=>{n.font=`${a} 11.5px ${t.font}`,n.textAlign=r,n.fillStyle=y(
i),h&&(n.strokeStyle=y(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}var $t=3.3,Ue=.25,[te,Xe]=[9,3],q=41,ee=[0,0,$t];function Et(n,t){let e=n.filter((s,o)=>o%2===t);return{values:e,low:Math.
min(...e),high:Math.max(...e)}}function se(n){let{values:t,low:e,high:s}=Et(n,0);return t.map(o=>(o-e)/(s-e||1))}function ne(n){
let[t,e]=[Et(n,0),Et(n,1)],s=Math.max(t.high-t.low,e.high-e.low)/2*(1+Ue);return[(t.low+t.high)/2,(e.low+e.high)/2,s]}function oe([
n,t,e],s){let o=r=>e*((2*r+1)/s-1);return new Float64Array(2*s*s).map((r,i)=>{let a=i>>1;return i%2?t+o(Math.floor(a/s)):
n+o(a%s)})}function re(){let n=(e,s)=>Xe*(2*e/(s-1)-1),t=[];for(let e of[!1,!0])for(let s=0;s<te;s++)for(let o=0;o<q;o++){
let[r,i]=[n(s,te),n(o,q)];t.push(...e?[i,r]:[r,i])}return Float64Array.from(t)}function ie(n,t,e){let s=r=>[n[2*r],n[2*r+
1]],o=Qt(n.length/2,s,t,e);return o<0?null:o}function ae(n,t){let e=n.length-1,s=r=>{if(r>=e)return $t;let i=n[r].reduce(
(a,h)=>Math.max(a,Math.abs(h)),0);return Math.max($t,1.05*i)},o=Math.floor(t);return[0,0,s(o)+(t-o)*(s(o+1)-s(o))]}function at(n,t){
let e=Math.floor(t),[s,o]=[n[e],t-e];if(o===0)return s;let r=n[e+1];return s.map((i,a)=>i+o*(r[a]-i))}var he=600,[Ve,Ye]=[8,2e3],[Ke,Je]=[4,.12],Ze=[0,0,3],Qe=40,ts=re(),j=class{#t=0;#r=new Map;#e=R(E(7));#s=new Float64Array(
2*he).map(()=>this.#e());row=0;#h=[0,0];source="data";fit=null;shares=[];constructor(t){this.choice=t;let e=t.shape;this.
points=this.isDrawn?new Float64Array:jt(e,he,t.seed),this.box=this.isDrawn?Ze:ne(this.points),this.restart(),this.follow(
"data")}restart(){let t=this.points.length>=2*Ve;this.fit=t?new ot(this.points,this.choice):null,this.#t+=1}step(){this.
fit?.step(),this.#t+=1}get isDrawn(){return this.choice.shape===W}get flow(){return this.fit.flow}get nLayers(){return 3*
this.choice.depth}follow(t){this.source=t,this.row=this.isDrawn&&t==="data"?null:0,this.#n()}#n(){this.shares=[...se(this.
source==="data"?this.points:this.#s)],this.#t+=1}#o(t,e,s=1){let o=this.#r.get(t);if(o&&this.#t-o.version<s)return o.value;
let r=e();return this.#r.set(t,{version:this.#t,value:r}),r}get followed(){return this.source==="data"?this.points:this.#o(
"followed",()=>this.flow.back(this.#s)[0])}get trace(){return this.#o("trace",()=>this.flow.trace(this.followed))}get way(){
return this.#o("way",()=>this.flow.trace(Float64Array.from(this.place)))}lines(t){return this.#o("lines",()=>this.flow.back(
ts),t)}density(t){let e=()=>this.flow.logProb(oe(this.box,Qe)).map(Math.exp);return this.#o("density",e,t)}get place(){return this.
row===null?this.#h:[this.followed[2*this.row],this.followed[2*this.row+1]]}pick(t,e,s){this.row=ie(this.trace.states[e],
t,s),this.moveTo(t,e)}moveTo(t,e){let[s,o]=e?this.flow.back(Float64Array.from(t),e)[0]:t;this.#t+=1,this.row===null?this.#h=
[s,o]:this.source==="data"?this.points.set([s,o],2*this.row):this.#s.set(this.flow.trace(Float64Array.of(s,o)).states[this.
nLayers],2*this.row)}scatter(t){let e=Math.min(Ke,Ye-this.points.length/2),s=Array.from({length:2*e},(o,r)=>t[r%2]+Je*this.#e());
this.points=Float64Array.of(...this.points,...s),this.fit&&(this.fit.points=this.points),this.#n()}};var[ce,es,le,ss]=[46,10,16,34],fe={across:40,up:28},ns=[1,2,5,10],os=12,ht=[[],[7,3],[2,3],[9,3,2,3]];function de(n,t,e,s){
let{title:o="",titles:r,lines:i,hasZero:a,at:h,rug:c=[]}=s,l=it(n,t),u=i.filter(({name:w})=>w),d=le*((s.names??u.length)+
+(o!==""))+10,[p,m]=[e.x+ce,e.y+d],[b,x]=[e.w-ce-es,e.h-ss-d],[k,$]=[p+b,m+x],G=pe(i.map(({x:w})=>w)),U=rs(pe([...i.map(
({y:w})=>w),a?[0]:[]])),I=w=>p+b*(w-G[0])/(G[1]-G[0]||1),ut=w=>$-x*(w-U[0])/(U[1]-U[0]);l(o,e.x,e.y+12,{weight:600,colour:t.
ink}),n.strokeStyle=y(S(t.background,t.ink,.45)),n.lineWidth=1,n.strokeRect(p+.5,m+.5,b-1,x-1);for(let{value:w,text:v}of ue(
G,b/fe.across))l(v,Math.min(I(w),k-8),$+14,{align:"center"});for(let{value:w,text:v}of ue(U,x/fe.up))l(v,p-5,ut(w)+4,{align:"\
right"});l(r[0],p+b/2,$+29,{align:"center"}),n.save(),n.translate(e.x+12,m+x/2),n.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),n.restore(),rt(n,{x:p,y:m,w:b,h:x},()=>{for(let w of Array.from(c))Ot(n,y(t.ink,.18),I(w),$,-7);h!==void 0&&Ot(
n,y(t.muted),I(h),$,-x),i.forEach(({colour:w,mark:v,...C},P)=>{if(n.setLineDash(ht[P%ht.length]),H(n,t,{colour:w,width:2,
halo:2},()=>{for(let D=0;D<C.x.length;D++)Number.isFinite(C.y[D])&&n.lineTo(I(C.x[D]),ut(C.y[D]))}),n.setLineDash([]),!v)
return;let[It,dt]=[I(v[0]),ut(v[1])];n.setLineDash([3,3]),Ot(n,y(t.muted),It,dt,$-dt),n.setLineDash([]),n.fillStyle=y(w),
Zt(n,[It,dt],5)})}),u.forEach(({name:w,colour:v},C)=>{let P=e.y+le*(C+(o?1:0))+8;n.strokeStyle=y(v),n.lineWidth=2,n.setLineDash(
ht[C%ht.length]),n.beginPath(),n.moveTo(e.x,P),n.lineTo(e.x+24,P),n.stroke(),n.setLineDash([]),l(w,e.x+30,P+4,{colour:t.
ink})})}function Ot(n,t,e,s,o){n.strokeStyle=t,n.lineWidth=1,n.beginPath(),n.moveTo(e,s),n.lineTo(e,s+o),n.stroke()}function pe(n){
let t=n.flatMap(e=>Array.from(e)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function rs([n,t]){let e=Math.
max(.1-(t-n)/2,.06*(t-n));return[n-e,t+e]}function ue([n,t],e){let s=(t-n)/e,o=10**Ft(s),r=o*(ns.find(h=>h*o>=s)??10),[i,
a]=[Math.ceil(n/r),Math.floor(t/r)];return Array.from({length:a-i+1},(h,c)=>{let l=(i+c)*r;return{value:l,text:is(l,r)}})}
function is(n,t){let e=n?Ft(n)-Ft(t)+1:1,s=Math.min(os,Math.max(1,e));return n.toLocaleString("en",{maximumSignificantDigits:s})}
function Ft(n){return Math.floor(Math.log10(Math.abs(n)))}var me=161,Ct=[[0,114,178],[213,94,0]];function g(n,t=3){let e=Math.abs(n).toFixed(t);return n<0&&Number(e)!==0?`−${e}`:
e}function A(n){let t=g(n);return t.startsWith("−")?`(${t})`:t}function ge(n,[t,e]){let[s,o]=n.forward(Float64Array.of(
t,e)).y;if(n instanceof O){let[l,u]=T(n.logs);return[`z₁ = (x₁ + b₁) · s₁ = (${A(t)} + ${A(n.b[0])}) · ${g(l)}\
 ≈ ${g(s)}`,`z₂ = (x₂ + b₂) · s₂ = (${A(e)} + ${A(n.b[1])}) · ${g(u)} ≈ ${g(o)}`,"back: x = z / s − b"]}
if(!(n instanceof F))return[`z₁ = x₂ = ${g(s)}`,`z₂ = x₁ = ${g(o)}`,"back: the same swap. The next coupling chan\
ges the coordinate that the last one kept."];let{shift:r,logScale:i}=n.effect(Float64Array.of(t)),[a,h]=[A(r[0]),g(Math.
exp(i[0]))],c=`z₁ = x₁ = ${g(s)}`;return n.isAffine?[c,`z₂ = (x₂ + t(x₁)) · s(x₁) = (${A(e)} + ${a}) · ${h}\
 ≈ ${g(o)}`,`back: x₂ = z₂ / s(z₁) − t(z₁) = ${A(o)} / ${h} − ${a} ≈ ${g(e)}`]:[c,`z₂ = x₂ + m(x₁) = ${A(
e)} + ${a} ≈ ${g(o)}`,`back: x₂ = z₂ − m(z₁) = ${A(o)} − ${a} ≈ ${g(e)}`]}function we(n,[t,e,s,o]){let r=t*
o-e*s,i=`det = ${A(t)} · ${A(o)} − ${A(e)} · ${A(s)}`,[a,h]=n instanceof O?["≈",": it scales all areas by the same\
 factor"]:n instanceof F?n.isAffine?["≈",": it scales areas by a factor that depends on x₁"]:["=",", whatever m is: \
areas keep their size"]:["=",": areas keep their size and are mirrored"],c=g(Math.log(Math.abs(r)));return`${i} ${a} ${g(
r)}${h}; log |det| = ${c} nats`}function ye(n,[t,e],s){let o=n instanceof O;if(!o&&!(n instanceof F))return null;let r=o?
s:s.filter((p,m)=>m%2===0),[i,a]=[Math.min(...r,t),Math.max(...r,t)],h=new Float64Array(me).map((p,m)=>i+(a-i)*m/(me-1)),
c=(p,m,b,x)=>({name:m,colour:Ct[p],x:h,y:x(h),mark:[b,x(Float64Array.of(b))[0]]});if(o){let p=T(n.logs),m=x=>k=>k.map($=>($+
n.b[x])*p[x]);return{lines:[c(0,"z₁ of x₁",t,m(0)),c(1,"z₂ of x₂",e,m(1))],titles:["x","z"]}}let{isAffine:l}=n,u=c(
0,l?"t(x₁)":"",t,p=>n.effect(p).shift);if(!l)return{lines:[u],titles:["x₁","m(x₁)"],rug:r};let d=c(1,"s(x₁)",t,p=>n.
effect(p).logScale.map(Math.exp));return{lines:[u,d],titles:["x₁","t and s"],rug:r}}var[be,xe]=[340,220],as=600,hs={additive:"Reversals and additive couplings preserve area. Only ActNorm changes it, by on\
e factor everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a bridge.",affine:"Affine couplings\
 stretch each point by its own factor, so p(x) can have several peaks of different heights."},ct=class{title=f("h4");curve=f(
"canvas",{role:"img"});lines=f("div",{class:"formula"});matrix=f("div",{class:"matrix",role:"img"});determinant=f("p");loss=f(
"canvas",{role:"img","aria-label":"Bits per dimension of each step of the fit"});terms=f("p");volume=f("p");element=f("d\
iv",{class:"opened"},[f("div",{},[this.curve]),f("div",{},[this.title,this.lines,f("div",{class:"row"},[f("span",{text:"\
Jacobian ∂z/∂x ="}),this.matrix]),this.determinant]),f("div",{},[this.loss]),f("div",{class:"whole"},[this.terms,this.
volume])]);show(t,e,s){let o=t.flow.layers[e],[r,i]=t.way.states[e],a=Jt(o,[r,i]);this.title.textContent=`Layer ${e+1}: ${o.
name}, for the marked point`,this.lines.replaceChildren(...ge(o,[r,i]).map(c=>f("div",{text:c}))),this.matrix.replaceChildren(
...a.map(c=>f("span",{text:g(c)}))),this.matrix.ariaLabel=`rows ${a.map(c=>g(c)).join(", ")}`,this.determinant.textContent=
we(o,a);let h=ye(o,[r,i],t.trace.states[e]);this.#t(this.curve,s,h),this.curve.ariaLabel=`${h?.titles[1]} against ${h?.titles[0]}`,
this.#t(this.loss,s,cs(t.fit?.bits??[])),this.terms.textContent=ls(t),this.volume.textContent=hs[t.choice.coupling]}#t(t,e,s){
if(t.hidden=!s,!s)return;let o=Math.min(be,this.curve.parentElement?.clientWidth??be);X(t,o,xe),de(L(t),e,{x:0,y:0,w:o,h:xe},
s)}};function cs(n){if(n.length<2)return null;let t=Math.ceil(n.length/as),e=n.filter((o,r)=>r%t===0),s=e.map((o,r)=>r*t+
1);return{lines:[{name:"",colour:Ct[0],x:s,y:e}],titles:["step","bits per dimension"]}}function ls({place:[n,t],way:{states:e,
ladj:s}}){let[o,r]=e[e.length-1],[i,a]=[vt(o,r),s.reduce((c,[l])=>c+l,0)],h=a<0?"−":"+";return`All layers: x = (${g(n)}\
, ${g(t)}) goes to z = (${g(o)}, ${g(r)}), and log p(x) = log N(z; 0, I) + Σ log |det| = ${g(i)} ${h} ${g(Math.abs(a))}\
 = ${g(i+a)} nats.`}var lt=1.7,[ft,Ae]=[9,.45],fs=.62,ps=.6,Me={colour:[213,94,0],width:2,halo:3},B=class{constructor(t,e,s,o,r){this.context=
t,this.theme=e,this.plot=s,this.square=o,this.letter=r}holds(t,e){let{x:s,y:o,w:r,h:i}=this.plot;return t>=s&&t<=s+r&&e>=
o&&e<=o+i}pixel(t,e){let[s,o,r]=this.square,{x:i,y:a,w:h}=this.plot;return[i+h*(t-s+r)/(2*r),a+h*(o+r-e)/(2*r)]}place(t,e){
let[s,o,r]=this.square,{x:i,y:a,w:h}=this.plot;return[s-r+2*r*(t-i)/h,o+r-2*r*(e-a)/h]}within(t){let{context:e,theme:s,plot:o,
letter:r}=this,[i,a,h]=this.square,{x:c,y:l,w:u,h:d}=o;rt(e,o,t),e.strokeStyle=y(S(s.background,s.ink,.45)),e.lineWidth=
1,e.strokeRect(c+.5,l+.5,u-1,d-1);let p=it(e,s),[m,b]=[c-5,l+d+14];p((i-h).toFixed(1),c,b),p(`${r}₁`,c+u/2,b,{align:"c\
enter"}),p((i+h).toFixed(1),c+u,b,{align:"right"}),p((a+h).toFixed(1),m,l+10,{align:"right"}),p(`${r}₂`,m,l+d/2+4,{align:"\
right"}),p((a-h).toFixed(1),m,l+d,{align:"right"})}density(t){let{context:e,theme:s,plot:o}=this,r=Math.round(Math.sqrt(
t.length)),i=t.reduce((c,l)=>Math.max(c,l),0)||1,a=new ImageData(r,r);t.forEach((c,l)=>{let u=4*((r-1-Math.floor(l/r))*r+
l%r);a.data.set(S(s.background,s.ink,fs*(c/i)**ps),u),a.data[u+3]=255});let h=f("canvas",{width:r,height:r});L(h).putImageData(
a,0,0),e.imageSmoothingQuality="high",e.drawImage(h,o.x,o.y,o.w,o.h)}lines(t,e){let{context:s,theme:o}=this;s.strokeStyle=
y(S(o.background,o.primary,.75)),s.lineWidth=1,s.beginPath();for(let r=0;2*r<t.length;r++){let[i,a]=this.pixel(t[2*r],t[2*
r+1]);r%e?s.lineTo(i,a):s.moveTo(i,a)}s.stroke()}circles(){let{context:t,theme:e,plot:s,square:o}=this,[r,i]=this.pixel(
0,0);t.strokeStyle=y(e.ink),t.lineWidth=1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(r,i,a*s.w/(2*o[2]),
0,2*Math.PI),t.stroke();t.setLineDash([])}points(t,e){let{context:s}=this;e.forEach((o,r)=>{let[i,a]=this.pixel(t[2*r],t[2*
r+1]);s.fillStyle=o,s.fillRect(i-lt,a-lt,2*lt,2*lt)})}arrow(t,e){let{context:s,theme:o}=this,[[r,i],[a,h]]=[this.pixel(...t),
this.pixel(...e)],[c,l]=[Math.hypot(a-r,h-i),Math.atan2(h-i,a-r)];if(c<2*ft)return;let u=c-ft-3,[d,p]=[r+u*Math.cos(l),i+
u*Math.sin(l)];H(s,o,Me,()=>{s.moveTo(r,i),s.lineTo(d,p);for(let m of[-Ae,Ae])s.moveTo(d,p),s.lineTo(d-ft*Math.cos(l+m),
p-ft*Math.sin(l+m))})}mark([t,e]){let{context:s,theme:o}=this,[r,i]=this.pixel(t,e);H(s,o,Me,()=>{s.arc(r,i,6,0,2*Math.PI),
s.moveTo(r-11,i),s.lineTo(r+11,i),s.moveTo(r,i-11),s.lineTo(r,i+11)})}};var[pt,Se,ke,us]=[34,48,22,460],ds=560;function Rt(n){let t=n>ds,e=Math.min(us,t?(n-pt-Se)/2:n-pt-2),s={x:pt,y:0,w:e,h:e},
o=t?{...s,x:pt+e+Se}:{...s,y:e+ke};return{height:(t?1:2)*(e+ke),plots:[s,o]}}function ve(n,t,e,s,o){let[r,i]=Rt(t).plots,
a=s.fit?ae(s.trace.states,o):ee,h=o===s.nLayers?"z":"h";return[new B(n,e,r,s.box,"x"),new B(n,e,i,a,h)]}function Le([n,t],e,{
layer:s,age:o,hasGrid:r,colours:i}){let{fit:a}=e;n.within(()=>{a&&n.density(e.density(o)),a&&r&&n.lines(e.lines(o)[0],q),
n.points(a?e.followed:e.points,i),n.mark(e.place)}),t.within(()=>{if(!a)return;r&&t.lines(at(e.lines(o),s),q),t.points(at(
e.trace.states,s),i),s===e.nLayers&&t.circles();let{states:h}=e.way,c=Math.max(1,Math.ceil(s)),[[l,u],[d,p],[m,b]]=[h[c-
1],h[c],at(h,s)];t.arrow([l,u],[d,p]),t.mark([m,b])})}var Te=1200,ms=100,gs=10,ws=14,ys=40,bs=3,xs="Left: the data, the flow's density p(x) in grey, and the grid of the laten\
t space mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard d\
eviations. Drag a point on either side: it moves through the whole map.",As="Drag over the left square to scatter points\
; or move with the arrow keys and press Space.",Ms="the data with the flow's density, and the points after the layers. A\
rrow keys move the marked point.",Nt=class{#t=new j(Bt);#r=new Q;#e=this.#t.nLayers;#s=0;#h=0;#n=!0;#o={steps:0,at:1/0};#f=Te;#p=!1;#i=-1;#u=null;#w=()=>{};#l=f(
"p",{role:"status"});#y=f("p",{class:"recipe"});#d=new ct;#b=new ResizeObserver(()=>this.redraw());#a=f("canvas",{tabindex:0,
role:"application",onpointerdown:t=>this.#k(t),onpointermove:t=>this.#S(t,!1),onpointerup:()=>this.#g(),onpointercancel:()=>this.#g(),
onkeydown:t=>this.#v(t)});constructor(t){this.root=t,this.controls=new tt(this),t.replaceChildren(this.#a,this.#l,this.controls.
element,this.#d.element,this.#y,f("p",{text:xs}));for(let e of["pointerdown","keydown"])t.addEventListener(e,()=>{this.#p=
!0});this.#b.observe(t)}load({choice:t},e){if(this.#w=e,this.#u=K(this.root),t!==null&&t!==xt(this.#t.choice)){let s=Gt(
t);s?this.#x(s):this.#l.textContent=`plane=${t} in the address is not a flow, so the default flow is shown.`}this.redraw()}choose(t){
this.#x({...this.#t.choice,...t}),this.#w(xt(this.#t.choice))}#x(t){this.#t=new j(t),this.#l.textContent=this.#t.isDrawn?
As:"",this.restart()}restart(){this.#t.restart(),this.rest(this.#t.nLayers),this.train(this.#t.fit!==null),this.#f=Te,this.#p=
!1}follow(t){this.#t.follow(t),this.redraw()}train(t=!this.#n){this.#n=t,this.#f=1/0,this.#o={steps:0,at:1/0},this.redraw()}step(){
this.train(!1),this.#t.step()}get#A(){return At[this.controls.speed.value]}#c(t,e,s=()=>{}){let o=Math.min(this.#t.nLayers,
Math.max(0,e)),r=Math.abs(o-t)*this.#A[2]*1e3;this.#r.start(t,o,r,this.#M,s)}stepLayer(t){this.#c(this.#e,Math.round(this.#e)+
t)}open(t){this.#c(t,t+1)}playTo(t){let{nLayers:e}=this.#t,s=t==="data"?0:e;this.#c(this.#e===s?e-s:this.#e,s)}#M=t=>{this.#e=
t,this.redraw()};rest(t){this.#r.stop(),this.#M(t)}#m(){let t=this.#u,e=L(this.#a);return ve(e,this.root.clientWidth,t,this.#t,
this.#e)}#k(t){let{offsetX:e,offsetY:s,pointerId:o}=t;this.#i=this.#m().findIndex(r=>r.holds(e,s)),!(this.#i<0)&&(t.preventDefault(),
this.#a.focus({preventScroll:!0}),this.#a.setPointerCapture(o),this.#S(t,!0))}#S({offsetX:t,offsetY:e},s){if(this.#i<0)return;
let[o,r]=[this.#t,this.#m()[this.#i]],i=r.place(t,e);if(o.isDrawn&&this.#i===0)o.scatter(i);else if(o.fit){this.#i===1&&
this.rest(Math.round(this.#e));let a=this.#i===1?this.#e:0;s?o.pick(i,a,ws*2*r.square[2]/r.plot.w):o.moveTo(i,a)}this.redraw()}#g(){
this.#i=-1,this.#t.isDrawn&&!this.#t.fit&&this.restart(),this.#t.fit&&(this.#l.textContent=""),this.redraw()}#v(t){let e=Pt[t.
key],s=t.key===" "&&this.#t.isDrawn;if(!e&&!s)return;t.preventDefault();let[o,r]=this.#t.place,i=2*this.#t.box[2]/ys;e?this.#t.
moveTo([o+e[0]*i,r+e[1]*i],0):(this.#t.scatter([o,r]),this.#g()),this.redraw()}redraw(){this.#s||(this.#s=requestAnimationFrame(
this.#L))}#L=t=>{this.#s=0,this.#n&&this.#T(t),this.draw(),this.#n&&this.redraw()};#T(t){let e=this.#t,s=this.#o.steps+Math.
min(.1,Math.max(0,(t-this.#o.at)/1e3))*this.#A[1];for(let o=performance.now()+gs;s>=1;s--)e.step(),performance.now()>=o&&
(s=Math.min(s,1));this.#o={steps:s,at:t},!e.fit||e.fit.isBroken?this.train(!1):e.fit.steps>=this.#f&&(this.train(!1),this.#p||
this.#c(e.nLayers,0,()=>this.#c(0,e.nLayers)))}get parts(){return[this.#a]}draw(){let[t,e,s]=[this.#t,this.#u,this.root.
clientWidth];if(!e||!s)return;let o=t.fit?.steps??0,r=matchMedia("(prefers-reduced-motion: reduce)").matches,i=o>this.#h&&
o<this.#h+ms;r&&this.#n&&i||(this.#h=o,X(this.#a,s,Rt(s).height),Le(this.#m(),t,{layer:this.#e,age:this.#n?bs:1,colours:t.
shares.map(a=>y(J(a,e.dark))),hasGrid:this.controls.grid.checked}),this.controls.show(t,this.#e,this.#n),this.#d.element.
hidden=!t.fit,t.fit&&this.#d.show(t,Mt(this.#e),e),this.#y.textContent=Ut(t.choice,t.points.length/2),this.#a.ariaLabel=
`Step ${o}: ${Ms}`,this.root.dataset.steps=String(o))}close(){this.#r.stop(),cancelAnimationFrame(this.#s),this.#s=0,this.#b.
disconnect()}},_n=Ht({name:"flow-plane",show:n=>new Nt(n),state:"choice",file:{data:()=>({choice:decodeURIComponent(location.
hash.slice(1))||null}),told:n=>location.replace(`#${n}`)},cell:{trait:"choice",data:n=>({choice:n}),traits:n=>({choice:n})}});export{Nt as FlowPlane,_n as default};
