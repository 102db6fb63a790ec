var Ft={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function p(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[r,i]of Object.entries(e))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function L(n,t,e){return p("button",{type:"button",text:n,title:t,onclick:e})}function P(n,t,e=""){let s=p("span",{text:n});
t instanceof HTMLSelectElement&&(t.ariaLabel=n);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return p("label",
{title:e||null},o?[t,s]:[s,t])}function pt(n){return n.toLocaleString("en")}function C(n){return n.getContext("2d")}function X(n,t,e){let s=devicePixelRatio||
1;Object.assign(n,{width:t*s,height:e*s}),Object.assign(n.style,{width:`${t}px`,height:`${e}px`}),C(n).scale(s,s)}function Ct(n){let t=globalThis.document?.querySelector("script#payload");t&&Se(n,t.textContent??"");let e=Me(n);return s=>s?
e(s):{render:o=>ke(n,o)}}function Ae(n,t){n.calls+=1;let e=n.calls;return()=>{n.calls===e&&t()}}function Me({name:n,state:t,
show:e}){let s=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{let a=r.querySelector(`.${n}`),h=s.get(a)??
{shown:e(a),calls:0};return s.set(a,h),h.shown.load(o,c=>i(t,c)),Ae(h,()=>h.shown.close?.())}}function Se({name:n,show:t,
file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),r=Uint8Array.from(atob(s.trim()),a=>a.charCodeAt(0)),i=()=>o.
load(e.data(r),e.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function ke({
name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[r,i]=[p("div"),p("div",{class:n})],a=p("style",{text:String(s.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,i),o.append(r);let h=t(i),c=()=>h.load(e.data(s.get(e.trait)),l=>{for(let[
u,d]of Object.entries(e.traits(l,h)))s.set(u,d);s.save_changes()});return c(),s.on(`change:${e.trait}`,c),()=>{s.off(`ch\
ange:${e.trait}`,c),h.close?.()}}var V=class{#t=0;start(t,e,s,o,r=()=>{}){this.stop();let i=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/s)),u=i&&s<=600?1:l,d=u===1?e:t+u*(e-t);o(i?Math.round(d):d),u<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var Y=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function Nt(n){
let t=getComputedStyle(n),e=(r,i)=>t.getPropertyValue(r).trim()||i,s=ut(e("--st-background-color","#ffffff")),o=ut(e("--\
st-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:M(s,o,.72),line:M(s,o,.2),
dim:M(s,o,.3),missing:M(s,o,.5),primary:ut(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function Rt(n,t){
let s=(t?.16+.84*n:.92*n)*(Y.length-1),o=Math.min(Math.floor(s),Y.length-2);return M(Y[o],Y[o+1],s-o)}function M(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function x(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var K=null;function ut(n){K??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),K.fillStyle=n,K.fillRect(
0,0,1,1);let[t,e,s]=K.getImageData(0,0,1,1).data;return[t,e,s]}function $(n){let t=n>>>0;return()=>{t=t+1831565813|0;let e=Math.imul(t^t>>>15,1|t);return e^=e+Math.imul(e^e>>>7,61|e),
((e^e>>>14)>>>0)/2**32}}function N(n){return()=>Math.sqrt(-2*Math.log(1-n()))*Math.cos(2*Math.PI*n())}function It(n,t){let e=Array.
from({length:n},(s,o)=>o);for(let s=n-1;s>0;s--){let o=Math.floor(t()*(s+1));[e[s],e[o]]=[e[o],e[s]]}return e}var z={moons:"two moons",spiral:"spiral",ring:"ring",blobs:"two blobs",banana:"banana",cone:"cone"},Le={moons:(n,t)=>{let e=Math.
PI*n(),s=n()<.5?1:-1,[o,r]=[s*(Math.cos(e)-.5),s*(Math.sin(e)-.25)];return[1.5*o+.12*t(),1.5*r+.12*t()]},spiral:(n,t)=>{
let e=3*Math.PI*Math.sqrt(.03+.97*n()),s=.26*e;return[s*Math.cos(e)+.08*t(),s*Math.sin(e)+.08*t()]},ring:(n,t)=>{let e=2*
Math.PI*n();return[1.8*Math.cos(e)+.15*t(),1.8*Math.sin(e)+.15*t()]},blobs:(n,t)=>{let e=n()<.5?-1:1;return[1.4*e+.4*t(),
.6*e+.4*t()]},banana:(n,t)=>{let e=t();return[e,.45*(e**2-1)+.25*t()]},cone:(n,t)=>{let e=0;for(let o=0;o<6;o++)e-=.4*Math.
log(1-n());let s=Math.PI/4+.22*t();return[e*Math.cos(s),e*Math.sin(s)]}};function Dt(n,t,e){let s=$(e),o=N(s),r=new Float64Array(
2*t);for(let i=0;i<t;i++)r.set(Le[n](s,o),2*i);return r}var W="drawn",dt={depth:["Depth",1,8,1,"Steps of the flow: ActNorm, reversal, coupling"],width:["Width",4,32,4,"Hidden u\
nits of each coupling's network"],lr:["Learning rate",5e-4,.02,5e-4,"Learning rate of Adam, constant"],seed:["Seed",0,9999,
1,"Seed of the points, the initial flow and the order of points"]},_t={shape:"moons",coupling:"additive",depth:4,width:16,
lr:.003,seed:0};function mt({shape:n,coupling:t,depth:e,width:s,lr:o,seed:r}){return[n,t,e,s,o,r].join("-")}function Pt(n){
let[t,e,...s]=n.split("-"),[o,r,i,a]=s.map(Number),h={depth:o,width:r,lr:i,seed:a};if(!((Object.hasOwn(z,t)||t===W)&&s.length===
4)||e!=="additive"&&e!=="affine")return null;for(let[l,[,u,d]]of Object.entries(dt)){let f=h[l];if(!(l==="lr"||Number.isInteger(
f))||!(u<=f&&f<=d))return null}return{shape:t,coupling:e,...h}}function zt({shape:n,coupling:t,depth:e,width:s,lr:o,seed:r},i){
let a=z[n];return`${a?`${i} points, ${a}`:`${i} points drawn by hand`}, seed ${r}; ${e} steps of ActNorm, reversal and ${t}\
 coupling of width ${s}; Adam at a learning rate of ${o}, 256 points a step, trained in this browser.`}var gt={slow:["slow motion",2,2.4],normal:["normal",60,.6],fast:["fast",600,.2]},ve={data:"the data",draws:"draws from N\
(0, I), mapped back"},Te={additive:"additive",affine:"affine"},$e={ActNorm:"ActNorm",reversal:"⇄","additive coupling":"\
+ m","affine coupling":"· s + t"},J=class{#t=p("output");#r=p("output",{class:"below"});#e=p("ol",{class:"chips","aria-\
label":"Layers of the flow"});grid=p("input",{type:"checkbox",checked:"",onchange:()=>this.view.redraw()});constructor(t){
this.view=t,this.train=L("Train","Train the flow in this browser, or pause",()=>t.train()),this.step=L("One step","Take \
a single step of the optimiser",()=>t.step());let e=L("Start again","Fit again from the start",()=>t.restart()),s=Object.
entries(gt).map(([i,[a]])=>[i,a]);this.speed=Z(Object.fromEntries(s),()=>{}),this.speed.value="normal",this.layer=p("inp\
ut",{type:"range",min:0,step:.05,"aria-label":"Layer",oninput:()=>t.rest(Number(this.layer.value))});let o=[L("Back","Un\
do one layer",()=>t.stepLayer(-1)),L("Forward","Apply one more layer",()=>t.stepLayer(1)),L("Play","From data to latent \
space",()=>t.playTo("latent")),L("Play back","The inverse: from latent space to data",()=>t.playTo("data")),this.layer];
this.source=Z(ve,i=>t.follow(i)),this.ofFit=[e,...o,this.source],this.choices=Oe(t);let r=P("Speed",this.speed);this.element=
p("div",{class:"controls"},[Wt("Fit",[this.train,this.step,e,r,this.#t]),Wt("Layers",[...o,this.#r]),this.#e,p("div",{class:"\
row"},[P("Points",this.source),P("Grid of the latent space",this.grid)]),p("details",{},[p("summary",{text:"Other points\
, another flow"}),...this.choices.map(({text:i,control:a})=>P(i,a))])])}show({fit:t,choice:e,source:s},o,r){let[i,a,h]=[
t?.steps??0,t?.bits.at(-1),t?.flow.layers??[]];this.train.textContent=r?"Pause":"Train";for(let l of[this.train,this.step])
l.disabled=!t||t.isBroken;let c=a===void 0?"":`: ${a.toFixed(3)} bits per dimension`;this.#t.textContent=t?.isBroken?`di\
verged at step ${pt(i)}: lower the learning rate and start again`:`step ${pt(i)}${c}`,this.layer.max=String(h.length),this.
layer.matches(":active")||(this.layer.value=String(o)),this.#r.textContent=t?Ee(h,o):"";for(let l of this.ofFit)l.disabled=
!t;this.#s(h,o),this.source.value=s;for(let{name:l,control:u}of this.choices)u.matches(":focus")||(u.value=String(e[l]))}#s(t,e){
if(this.#e.childElementCount!==t.length){let s=t.map(({name:o},r)=>{let i=()=>this.view.open(r),a=L($e[o]??o,`Open layer\
 ${r+1}: ${o}`,i);return a.ariaLabel=a.title,a.className=o.endsWith("coupling")?"coupling":"",p("li",{},[a])});this.#e.replaceChildren(
...s)}this.#e.querySelectorAll("button").forEach((s,o)=>{s.ariaCurrent=o===wt(e)?"step":"false"})}};function wt(n){return Math.
max(0,Math.ceil(n)-1)}function Oe(n){let t={...z,[W]:"draw your own"},e=Object.entries(dt).map(([s,[o,r,i,a,h]])=>{let l=p(
"input",{type:"number",min:r,max:i,step:a,title:h,onchange:()=>{l.reportValidity()&&n.choose({[s]:Number(l.value)})}});return{
name:s,text:o,control:l}});return[{name:"shape",text:"Shape",control:Z(t,s=>n.choose({shape:s}))},{name:"coupling",text:"\
Coupling",control:Z(Te,s=>n.choose({coupling:s}))},...e]}function Z(n,t){let e=Object.entries(n).map(([o,r])=>p("option",
{value:o,text:String(r)})),s=p("select",{onchange:()=>t(s.value)},e);return s}function Wt(n,t){return p("div",{class:"ro\
w"},[p("span",{class:"name",text:n}),...t])}function Ee(n,t){let e=Math.round(t);if(e===0)return"data space, before the \
first layer";let s=e===n.length?": latent space":"";return`after layer ${e} of ${n.length}, ${n[e-1].name}${s}`}function yt(n,t,e){let s=n.length/t,[o,r]=[new Float64Array(t),new Float64Array(t)];for(let a=0;a<n.length;a++)o[a%t]+=n[a]/
s;for(let a=0;a<n.length;a++)r[a%t]+=(n[a]-o[a%t])**2/s;let i=e?1:Math.sqrt(Math.max(...r));return{b:o.map(a=>-a),logs:r.
map(a=>{let h=Math.sqrt(a);return h>1e-6*i?-Math.log(h)/3:0})}}function v(n){return n.map(t=>Math.exp(3*t))}var R=class{constructor(t,e,s){
this.w=t,this.b=new Float64Array(e),this.logs=new Float64Array(e),this.nIn=t.length/e,this.isHidden=s,this.parameters=[this.
w,this.b,this.logs],this.gradients=this.parameters.map(o=>new Float64Array(o.length))}forward(t){let{b:e,isHidden:s}=this,
o=v(this.logs);return this.#t(t).map((r,i)=>{let a=(r+e[i%e.length])*o[i%e.length];return s?Math.max(0,a):a})}#t(t){let{
w:e,nIn:s,b:o}=this,r=new Float64Array(t.length/s*o.length);for(let i=0,a=0;i<t.length;i+=s)for(let h=0;h<e.length;h+=s,
a++){let c=0;for(let l=0;l<s;l++)c+=e[h+l]*t[i+l];r[a]=c}return r}backward(t,e,s){let{w:o,nIn:r,isHidden:i}=this,[a,h,c]=this.
gradients,l=v(this.logs),u=new Float64Array(t.length);for(let d=0;d<e.length;d++){if(i&&e[d]===0)continue;let f=d%h.length,
[m,y]=[f*r,(d-f)/h.length*r],b=s[d]*l[f];c[f]+=3*s[d]*e[d],h[f]+=b;for(let S=0;S<r;S++)a[m+S]+=b*t[y+S],u[y+S]+=b*o[m+S]}
return u}initialize(t){let{b:e,logs:s}=yt(this.#t(t),this.b.length,!0);return this.b.set(e),this.logs.set(s),this.forward(
t)}};var Fe=.05,O=class{name="ActNorm";b=new Float64Array(2);logs=new Float64Array(2);parameters=[this.b,this.logs];gradients=[
new Float64Array(2),new Float64Array(2)];constructor(t){this.isUnit=t}forward(t){let e=v(this.logs),s=t.map((r,i)=>(r+this.
b[i%2])*e[i%2]),o=3*(this.logs[0]+this.logs[1]);return{y:s,ladj:new Float64Array(t.length/2).fill(o)}}inverse(t){let e=v(
this.logs);return t.map((s,o)=>s/e[o%2]-this.b[o%2])}backward({y:t},e,s){let[o,r]=this.gradients,i=v(this.logs),a=e.map(
(h,c)=>h*i[c%2]);for(let h=0;h<a.length;h++)o[h%2]+=a[h],r[h%2]+=3*(e[h]*t[h]+s);return a}initialize(t){let{b:e,logs:s}=yt(
t,2,this.isUnit);return this.b.set(e),this.logs.set(s),this.forward(t).y}},Q=n=>n.map((t,e)=>n[e^1]),Ht={name:"reversal",
parameters:[],gradients:[],forward:n=>({y:Q(n),ladj:new Float64Array(n.length/2)}),inverse:Q,backward:(n,t)=>Q(t),initialize:Q},
E=class{constructor(t,e,s){this.name=`${t} coupling`,this.isAffine=t==="affine";let o=this.isAffine?2:1,r=i=>new Float64Array(
i).map(()=>Fe*s());this.network=[new R(r(e),e,!0),new R(r(e*e),e,!0),new R(new Float64Array(o*e),o,!1)],this.parameters=
this.network.flatMap(i=>i.parameters),this.gradients=this.network.flatMap(i=>i.gradients)}effect(t){let e=[t];for(let r of this.
network)e.push(r.forward(e[e.length-1]));let s=e[e.length-1];if(!this.isAffine)return{kept:e,shift:s,logScale:new Float64Array(
t.length)};let o=t.map((r,i)=>-Math.log1p(Math.exp(-(s[2*i+1]+2))));return{kept:e,shift:t.map((r,i)=>s[2*i]),logScale:o}}forward(t){
let{kept:e,shift:s,logScale:o}=this.effect(bt(t));return{y:t.map((i,a)=>a%2?(i+s[a>>1])*Math.exp(o[a>>1]):i),ladj:o,kept:e}}inverse(t){
let{shift:e,logScale:s}=this.effect(bt(t));return t.map((o,r)=>r%2?o*Math.exp(-s[r>>1])-e[r>>1]:o)}backward({y:t,ladj:e,
kept:s=[]},o,r){let i=o.map((h,c)=>c%2?h*Math.exp(e[c>>1]):h),a=s[3].map((h,c)=>{let l=this.isAffine?c>>1:c;return!this.
isAffine||c%2===0?i[2*l+1]:(o[2*l+1]*t[2*l+1]+r)*(1-Math.exp(e[l]))});for(let h=2;h>=0;h--)a=this.network[h].backward(s[h],
s[h+1],a);return i.map((h,c)=>c%2?h:h+a[c>>1])}initialize(t){let[e,s]=this.network;return s.initialize(e.initialize(bt(t))),
this.forward(t).y}};function bt(n){return new Float64Array(n.length/2).map((t,e)=>n[2*e])}var tt=class{constructor({depth:t,width:e,coupling:s,seed:o}){let r=N($(o));this.layers=Array.from({length:t},(i,a)=>[new O(
a>0),Ht,new E(s,e,r)]).flat(),this.parameters=this.layers.flatMap(i=>i.parameters),this.gradients=this.layers.flatMap(i=>i.
gradients)}initialize(t){this.layers.reduce((e,s)=>s.initialize(e),t)}trace(t){let e=this.#t(t);return{states:[t,...e.map(
({y:s})=>s)],ladj:e.map(({ladj:s})=>s)}}#t(t){let e=t;return this.layers.map(s=>{let o=s.forward(e);return e=o.y,o})}back(t,e=this.
layers.length){let s=[t];for(let o=e-1;o>=0;o--)s.unshift(this.layers[o].inverse(s[0]));return s}logProb(t){return jt(this.
trace(t))}loss(t){for(let a of this.gradients)a.fill(0);let e=this.#t(t),s=e[e.length-1].y,o=1/(Math.LN2*t.length),r=s.map(
a=>a*o);for(let a=e.length-1;a>=0;a--)r=this.layers[a].backward(e[a],r,-o);let i=jt({states:[s],ladj:e.map(({ladj:a})=>a)});
return-o*i.reduce((a,h)=>a+h,0)}};function jt({states:n,ladj:t}){let e=n[n.length-1];return new Float64Array(e.length/2).
map((s,o)=>t.reduce((r,i)=>r+i[o],xt(e[2*o],e[2*o+1])))}function xt(n,t){return-.5*(n*n+t*t)-Math.log(2*Math.PI)}function Gt(n,t){
let e=n.forward(Float64Array.from(t)),[s,o]=n.backward(e,Float64Array.of(1,0),0),[r,i]=n.backward(e,Float64Array.of(0,1),
0);return[s,o,r,i]}var Ce=256,[At,Mt,Ne]=[.9,.999,1e-6];function Re({parameters:n,gradients:t},e){let[s,o]=[0,1].map(()=>n.map(i=>new Float64Array(
i.length))),r=0;return()=>{r+=1;let[i,a]=[1-At**r,1-Mt**r];n.forEach((h,c)=>{let[l,u,d]=[s[c],o[c],t[c]];for(let f=0;f<h.
length;f++){let m=d[f];l[f]=At*l[f]+(1-At)*m,u[f]=Mt*u[f]+(1-Mt)*m*m,h[f]-=e*l[f]/i/(Math.sqrt(u[f]/a)+Ne)}})}}var et=class{#t=[];bits=[];constructor(t,e){
this.points=t,this.flow=new tt(e),this.flow.initialize(t),this.move=Re(this.flow,e.lr),this.uniform=$(e.seed+1)}get steps(){
return this.bits.length}get isBroken(){return this.steps>0&&!Number.isFinite(this.bits[this.steps-1])}step(){let t=this.
points.length/2,e=Math.min(Ce,t);this.#t.length<e&&(this.#t=It(t,this.uniform));let s=this.#t.splice(0,e).flatMap(o=>[this.
points[2*o],this.points[2*o+1]]);this.bits.push(this.flow.loss(Float64Array.from(s))),this.isBroken||this.move()}};function st(n,{x:t,y:e,w:s,h:o},r){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),r(),n.restore()}function Ut(n,[t,e],s){
n.beginPath(),n.arc(t,e,s,0,2*Math.PI),n.fill()}function Bt(n,t,[e,s],o){let[r,i]=[-1,o];for(let a=0;a<n;a++){let[h,c]=t(
a),l=Math.hypot(h-e,c-s);l<i&&([r,i]=[a,l])}return r}function q(n,t,{colour:e,width:s,halo:o},r){let i=[[t.background,s+
o],[e,s]];for(let[a,h]of i)n.beginPath(),r(),n.lineWidth=h,n.strokeStyle=x(a),n.stroke()}function nt(n,t){return(e,s,o,{
align:r="left",colour:i=t.muted,weight:a=400,halo:h=!1}={})=>{n.font=`${a} 11.5px ${t.font}`,n.textAlign=r,n.fillStyle=x(
i),h&&(n.strokeStyle=x(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}var St=3.3,Ie=.25,[Xt,De]=[9,3],H=41,Vt=[0,0,St];function kt(n,t){let e=n.filter((s,o)=>o%2===t);return{values:e,low:Math.
min(...e),high:Math.max(...e)}}function Yt(n){let{values:t,low:e,high:s}=kt(n,0);return t.map(o=>(o-e)/(s-e||1))}function Kt(n){
let[t,e]=[kt(n,0),kt(n,1)],s=Math.max(t.high-t.low,e.high-e.low)/2*(1+Ie);return[(t.low+t.high)/2,(e.low+e.high)/2,s]}function Jt([
n,t,e],s){let o=r=>e*((2*r+1)/s-1);return new Float64Array(2*s*s).map((r,i)=>{let a=i>>1;return i%2?t+o(Math.floor(a/s)):
n+o(a%s)})}function Zt(){let n=(e,s)=>De*(2*e/(s-1)-1),t=[];for(let e of[!1,!0])for(let s=0;s<Xt;s++)for(let o=0;o<H;o++){
let[r,i]=[n(s,Xt),n(o,H)];t.push(...e?[i,r]:[r,i])}return Float64Array.from(t)}function Qt(n,t,e){let s=r=>[n[2*r],n[2*r+
1]],o=Bt(n.length/2,s,t,e);return o<0?null:o}function te(n,t){let e=n.length-1,s=r=>{if(r>=e)return St;let i=n[r].reduce(
(a,h)=>Math.max(a,Math.abs(h)),0);return Math.max(St,1.05*i)},o=Math.floor(t);return[0,0,s(o)+(t-o)*(s(o+1)-s(o))]}function ot(n,t){
let e=Math.floor(t),[s,o]=[n[e],t-e];if(o===0)return s;let r=n[e+1];return s.map((i,a)=>i+o*(r[a]-i))}var ee=600,[_e,Pe]=[8,2e3],[ze,We]=[4,.12],qe=[0,0,3],He=40,je=Zt(),j=class{#t=0;#r=new Map;#e=N($(7));#s=new Float64Array(
2*ee).map(()=>this.#e());row=0;#a=[0,0];source="data";fit=null;shares=[];constructor(t){this.choice=t;let e=t.shape;this.
points=this.isDrawn?new Float64Array:Dt(e,ee,t.seed),this.box=this.isDrawn?qe:Kt(this.points),this.restart(),this.follow(
"data")}restart(){let t=this.points.length>=2*_e;this.fit=t?new et(this.points,this.choice):null,this.#t+=1}step(){this.
fit?.step(),this.#t+=1}get isDrawn(){return this.choice.shape===W}get flow(){return this.fit.flow}get nLayers(){return 3*
this.choice.depth}follow(t){this.source=t,this.row=this.isDrawn&&t==="data"?null:0,this.#n()}#n(){this.shares=[...Yt(this.
source==="data"?this.points:this.#s)],this.#t+=1}#o(t,e,s=1){let o=this.#r.get(t);if(o&&this.#t-o.version<s)return o.value;
let r=e();return this.#r.set(t,{version:this.#t,value:r}),r}get followed(){return this.source==="data"?this.points:this.#o(
"followed",()=>this.flow.back(this.#s)[0])}get trace(){return this.#o("trace",()=>this.flow.trace(this.followed))}get way(){
return this.#o("way",()=>this.flow.trace(Float64Array.from(this.place)))}lines(t){return this.#o("lines",()=>this.flow.back(
je),t)}density(t){let e=()=>this.flow.logProb(Jt(this.box,He)).map(Math.exp);return this.#o("density",e,t)}get place(){return this.
row===null?this.#a:[this.followed[2*this.row],this.followed[2*this.row+1]]}pick(t,e,s){this.row=Qt(this.trace.states[e],
t,s),this.moveTo(t,e)}moveTo(t,e){let[s,o]=e?this.flow.back(Float64Array.from(t),e)[0]:t;this.#t+=1,this.row===null?this.#a=
[s,o]:this.source==="data"?this.points.set([s,o],2*this.row):this.#s.set(this.flow.trace(Float64Array.of(s,o)).states[this.
nLayers],2*this.row)}scatter(t){let e=Math.min(ze,Pe-this.points.length/2),s=Array.from({length:2*e},(o,r)=>t[r%2]+We*this.#e());
this.points=Float64Array.of(...this.points,...s),this.fit&&(this.fit.points=this.points),this.#n()}};var[se,Ge,ne,Ue]=[46,10,16,34],oe={across:40,up:28},Be=[1,2,5,10],Xe=12,rt=[[],[7,3],[2,3],[9,3,2,3]];function ae(n,t,e,s){
let{title:o="",titles:r,lines:i,hasZero:a,at:h,rug:c=[]}=s,l=nt(n,t),u=i.filter(({name:w})=>w),d=ne*((s.names??u.length)+
+(o!==""))+10,[f,m]=[e.x+se,e.y+d],[y,b]=[e.w-se-Ge,e.h-Ue-d],[S,T]=[f+y,m+b],U=re(i.map(({x:w})=>w)),B=Ve(re([...i.map(
({y:w})=>w),a?[0]:[]])),I=w=>f+y*(w-U[0])/(U[1]-U[0]||1),lt=w=>T-b*(w-B[0])/(B[1]-B[0]);l(o,e.x,e.y+12,{weight:600,colour:t.
ink}),n.strokeStyle=x(M(t.background,t.ink,.45)),n.lineWidth=1,n.strokeRect(f+.5,m+.5,y-1,b-1);for(let{value:w,text:k}of ie(
U,y/oe.across))l(k,Math.min(I(w),S-8),T+14,{align:"center"});for(let{value:w,text:k}of ie(B,b/oe.up))l(k,f-5,lt(w)+4,{align:"\
right"});l(r[0],f+y/2,T+29,{align:"center"}),n.save(),n.translate(e.x+12,m+b/2),n.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),n.restore(),st(n,{x:f,y:m,w:y,h:b},()=>{for(let w of Array.from(c))Lt(n,x(t.ink,.18),I(w),T,-7);h!==void 0&&Lt(
n,x(t.muted),I(h),T,-b),i.forEach(({colour:w,mark:k,...F},D)=>{if(n.setLineDash(rt[D%rt.length]),q(n,t,{colour:w,width:2,
halo:2},()=>{for(let _=0;_<F.x.length;_++)Number.isFinite(F.y[_])&&n.lineTo(I(F.x[_]),lt(F.y[_]))}),n.setLineDash([]),!k)
return;let[Et,ft]=[I(k[0]),lt(k[1])];n.setLineDash([3,3]),Lt(n,x(t.muted),Et,ft,T-ft),n.setLineDash([]),n.fillStyle=x(w),
Ut(n,[Et,ft],5)})}),u.forEach(({name:w,colour:k},F)=>{let D=e.y+ne*(F+(o?1:0))+8;n.strokeStyle=x(k),n.lineWidth=2,n.setLineDash(
rt[F%rt.length]),n.beginPath(),n.moveTo(e.x,D),n.lineTo(e.x+24,D),n.stroke(),n.setLineDash([]),l(w,e.x+30,D+4,{colour:t.
ink})})}function Lt(n,t,e,s,o){n.strokeStyle=t,n.lineWidth=1,n.beginPath(),n.moveTo(e,s),n.lineTo(e,s+o),n.stroke()}function re(n){
let t=n.flatMap(e=>Array.from(e)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function Ve([n,t]){let e=Math.
max(.1-(t-n)/2,.06*(t-n));return[n-e,t+e]}function ie([n,t],e){let s=(t-n)/e,o=10**vt(s),r=o*(Be.find(h=>h*o>=s)??10),[i,
a]=[Math.ceil(n/r),Math.floor(t/r)];return Array.from({length:a-i+1},(h,c)=>{let l=(i+c)*r;return{value:l,text:Ye(l,r)}})}
function Ye(n,t){let e=n?vt(n)-vt(t)+1:1,s=Math.min(Xe,Math.max(1,e));return n.toLocaleString("en",{maximumSignificantDigits:s})}
function vt(n){return Math.floor(Math.log10(Math.abs(n)))}var he=161,Tt=[[0,114,178],[213,94,0]];function g(n,t=3){let e=Math.abs(n).toFixed(t);return n<0&&Number(e)!==0?`−${e}`:
e}function A(n){let t=g(n);return t.startsWith("−")?`(${t})`:t}function ce(n,[t,e]){let[s,o]=n.forward(Float64Array.of(
t,e)).y;if(n instanceof O){let[l,u]=v(n.logs);return[`z₁ = (x₁ + b₁) · s₁ = (${A(t)} + ${A(n.b[0])}) · ${g(l)}\
 ≈ ${g(s)}`,`z₂ = (x₂ + b₂) · s₂ = (${A(e)} + ${A(n.b[1])}) · ${g(u)} ≈ ${g(o)}`,"back: x = z / s − b"]}
if(!(n instanceof E))return[`z₁ = x₂ = ${g(s)}`,`z₂ = x₁ = ${g(o)}`,"back: the same swap. The next coupling chan\
ges the coordinate that the last one kept."];let{shift:r,logScale:i}=n.effect(Float64Array.of(t)),[a,h]=[A(r[0]),g(Math.
exp(i[0]))],c=`z₁ = x₁ = ${g(s)}`;return n.isAffine?[c,`z₂ = (x₂ + t(x₁)) · s(x₁) = (${A(e)} + ${a}) · ${h}\
 ≈ ${g(o)}`,`back: x₂ = z₂ / s(z₁) − t(z₁) = ${A(o)} / ${h} − ${a} ≈ ${g(e)}`]:[c,`z₂ = x₂ + m(x₁) = ${A(
e)} + ${a} ≈ ${g(o)}`,`back: x₂ = z₂ − m(z₁) = ${A(o)} − ${a} ≈ ${g(e)}`]}function le(n,[t,e,s,o]){let r=t*
o-e*s,i=`det = ${A(t)} · ${A(o)} − ${A(e)} · ${A(s)}`,[a,h]=n instanceof O?["≈",": it scales all areas by the same\
 factor"]:n instanceof E?n.isAffine?["≈",": it scales areas by a factor that depends on x₁"]:["=",", whatever m is: \
areas keep their size"]:["=",": areas keep their size and are mirrored"],c=g(Math.log(Math.abs(r)));return`${i} ${a} ${g(
r)}${h}; log |det| = ${c} nats`}function fe(n,[t,e],s){let o=n instanceof O;if(!o&&!(n instanceof E))return null;let r=o?
s:s.filter((f,m)=>m%2===0),[i,a]=[Math.min(...r,t),Math.max(...r,t)],h=new Float64Array(he).map((f,m)=>i+(a-i)*m/(he-1)),
c=(f,m,y,b)=>({name:m,colour:Tt[f],x:h,y:b(h),mark:[y,b(Float64Array.of(y))[0]]});if(o){let f=v(n.logs),m=b=>S=>S.map(T=>(T+
n.b[b])*f[b]);return{lines:[c(0,"z₁ of x₁",t,m(0)),c(1,"z₂ of x₂",e,m(1))],titles:["x","z"]}}let{isAffine:l}=n,u=c(
0,l?"t(x₁)":"",t,f=>n.effect(f).shift);if(!l)return{lines:[u],titles:["x₁","m(x₁)"],rug:r};let d=c(1,"s(x₁)",t,f=>n.
effect(f).logScale.map(Math.exp));return{lines:[u,d],titles:["x₁","t and s"],rug:r}}var[pe,ue]=[340,220],Ke=600,Je={additive:"Reversals and additive couplings preserve area. Only ActNorm changes it, by on\
e factor everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a bridge.",affine:"Affine couplings\
 stretch each point by its own factor, so p(x) can have several peaks of different heights."},it=class{title=p("h4");curve=p(
"canvas",{role:"img"});lines=p("div",{class:"formula"});matrix=p("div",{class:"matrix",role:"img"});determinant=p("p");loss=p(
"canvas",{role:"img","aria-label":"Bits per dimension of each step of the fit"});terms=p("p");volume=p("p");element=p("d\
iv",{class:"opened"},[p("div",{},[this.curve]),p("div",{},[this.title,this.lines,p("div",{class:"row"},[p("span",{text:"\
Jacobian ∂z/∂x ="}),this.matrix]),this.determinant]),p("div",{},[this.loss]),p("div",{class:"whole"},[this.terms,this.
volume])]);show(t,e,s){let o=t.flow.layers[e],[r,i]=t.way.states[e],a=Gt(o,[r,i]);this.title.textContent=`Layer ${e+1}: ${o.
name}, for the marked point`,this.lines.replaceChildren(...ce(o,[r,i]).map(c=>p("div",{text:c}))),this.matrix.replaceChildren(
...a.map(c=>p("span",{text:g(c)}))),this.matrix.ariaLabel=`rows ${a.map(c=>g(c)).join(", ")}`,this.determinant.textContent=
le(o,a);let h=fe(o,[r,i],t.trace.states[e]);this.#t(this.curve,s,h),this.curve.ariaLabel=`${h?.titles[1]} against ${h?.titles[0]}`,
this.#t(this.loss,s,Ze(t.fit?.bits??[])),this.terms.textContent=Qe(t),this.volume.textContent=Je[t.choice.coupling]}#t(t,e,s){
if(t.hidden=!s,!s)return;let o=Math.min(pe,this.curve.parentElement?.clientWidth??pe);X(t,o,ue),ae(C(t),e,{x:0,y:0,w:o,h:ue},
s)}};function Ze(n){if(n.length<2)return null;let t=Math.ceil(n.length/Ke),e=n.filter((o,r)=>r%t===0),s=e.map((o,r)=>r*t+
1);return{lines:[{name:"",colour:Tt[0],x:s,y:e}],titles:["step","bits per dimension"]}}function Qe({place:[n,t],way:{states:e,
ladj:s}}){let[o,r]=e[e.length-1],[i,a]=[xt(o,r),s.reduce((c,[l])=>c+l,0)],h=a<0?"−":"+";return`All layers: x = (${g(n)}\
, ${g(t)}) goes to z = (${g(o)}, ${g(r)}), and log p(x) = log N(z; 0, I) + Σ log |det| = ${g(i)} ${h} ${g(Math.abs(a))}\
 = ${g(i+a)} nats.`}var at=1.7,[ht,de]=[9,.45],ts=.62,es=.6,me={colour:[213,94,0],width:2,halo:3},G=class{constructor(t,e,s,o,r){this.context=
t,this.theme=e,this.plot=s,this.square=o,this.letter=r}holds(t,e){let{x:s,y:o,w:r,h:i}=this.plot;return t>=s&&t<=s+r&&e>=
o&&e<=o+i}pixel(t,e){let[s,o,r]=this.square,{x:i,y:a,w:h}=this.plot;return[i+h*(t-s+r)/(2*r),a+h*(o+r-e)/(2*r)]}place(t,e){
let[s,o,r]=this.square,{x:i,y:a,w:h}=this.plot;return[s-r+2*r*(t-i)/h,o+r-2*r*(e-a)/h]}within(t){let{context:e,theme:s,plot:o,
letter:r}=this,[i,a,h]=this.square,{x:c,y:l,w:u,h:d}=o;st(e,o,t),e.strokeStyle=x(M(s.background,s.ink,.45)),e.lineWidth=
1,e.strokeRect(c+.5,l+.5,u-1,d-1);let f=nt(e,s),[m,y]=[c-5,l+d+14];f((i-h).toFixed(1),c,y),f(`${r}₁`,c+u/2,y,{align:"c\
enter"}),f((i+h).toFixed(1),c+u,y,{align:"right"}),f((a+h).toFixed(1),m,l+10,{align:"right"}),f(`${r}₂`,m,l+d/2+4,{align:"\
right"}),f((a-h).toFixed(1),m,l+d,{align:"right"})}density(t){let{context:e,theme:s,plot:o}=this,r=Math.round(Math.sqrt(
t.length)),i=t.reduce((c,l)=>Math.max(c,l),0)||1,a=new ImageData(r,r);t.forEach((c,l)=>{let u=4*((r-1-Math.floor(l/r))*r+
l%r);a.data.set(M(s.background,s.ink,ts*(c/i)**es),u),a.data[u+3]=255});let h=p("canvas",{width:r,height:r});C(h).putImageData(
a,0,0),e.imageSmoothingQuality="high",e.drawImage(h,o.x,o.y,o.w,o.h)}lines(t,e){let{context:s,theme:o}=this;s.strokeStyle=
x(M(o.background,o.primary,.75)),s.lineWidth=1,s.beginPath();for(let r=0;2*r<t.length;r++){let[i,a]=this.pixel(t[2*r],t[2*
r+1]);r%e?s.lineTo(i,a):s.moveTo(i,a)}s.stroke()}circles(){let{context:t,theme:e,plot:s,square:o}=this,[r,i]=this.pixel(
0,0);t.strokeStyle=x(e.ink),t.lineWidth=1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(r,i,a*s.w/(2*o[2]),
0,2*Math.PI),t.stroke();t.setLineDash([])}points(t,e){let{context:s}=this;e.forEach((o,r)=>{let[i,a]=this.pixel(t[2*r],t[2*
r+1]);s.fillStyle=o,s.fillRect(i-at,a-at,2*at,2*at)})}arrow(t,e){let{context:s,theme:o}=this,[[r,i],[a,h]]=[this.pixel(...t),
this.pixel(...e)],[c,l]=[Math.hypot(a-r,h-i),Math.atan2(h-i,a-r)];if(c<2*ht)return;let u=c-ht-3,[d,f]=[r+u*Math.cos(l),i+
u*Math.sin(l)];q(s,o,me,()=>{s.moveTo(r,i),s.lineTo(d,f);for(let m of[-de,de])s.moveTo(d,f),s.lineTo(d-ht*Math.cos(l+m),
f-ht*Math.sin(l+m))})}mark([t,e]){let{context:s,theme:o}=this,[r,i]=this.pixel(t,e);q(s,o,me,()=>{s.arc(r,i,6,0,2*Math.PI),
s.moveTo(r-11,i),s.lineTo(r+11,i),s.moveTo(r,i-11),s.lineTo(r,i+11)})}};var[ct,ge,we,ss]=[34,48,22,460],ns=560;function $t(n){let t=n>ns,e=Math.min(ss,t?(n-ct-ge)/2:n-ct-2),s={x:ct,y:0,w:e,h:e},
o=t?{...s,x:ct+e+ge}:{...s,y:e+we};return{height:(t?1:2)*(e+we),plots:[s,o]}}function ye(n,t,e,s,o){let[r,i]=$t(t).plots,
a=s.fit?te(s.trace.states,o):Vt,h=o===s.nLayers?"z":"h";return[new G(n,e,r,s.box,"x"),new G(n,e,i,a,h)]}function be([n,t],e,{
layer:s,age:o,hasGrid:r,colours:i}){let{fit:a}=e;n.within(()=>{a&&n.density(e.density(o)),a&&r&&n.lines(e.lines(o)[0],H),
n.points(a?e.followed:e.points,i),n.mark(e.place)}),t.within(()=>{if(!a)return;r&&t.lines(ot(e.lines(o),s),H),t.points(ot(
e.trace.states,s),i),s===e.nLayers&&t.circles();let{states:h}=e.way,c=Math.max(1,Math.ceil(s)),[[l,u],[d,f],[m,y]]=[h[c-
1],h[c],ot(h,s)];t.arrow([l,u],[d,f]),t.mark([m,y])})}var xe=1200,os=100,rs=10,is=14,as=40,hs=3,cs="Left: the data, the flow's density p(x) in grey, and the grid of the laten\
t space mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard d\
eviations. Drag a point on either side: it moves through the whole map.",ls="Drag over the left square to scatter points\
; or move with the arrow keys and press Space.",fs="the data with the flow's density, and the points after the layers. A\
rrow keys move the marked point.",Ot=class{#t=new j(_t);#r=new V;#e=this.#t.nLayers;#s=0;#a=0;#n=!0;#o={steps:0,at:1/0};#f=xe;#p=!1;#i=-1;#u=null;#w=()=>{};#l=p(
"p",{role:"status"});#y=p("p",{class:"recipe"});#d=new it;#b=new ResizeObserver(()=>this.redraw());#h=p("canvas",{tabindex:0,
role:"application",onpointerdown:t=>this.#k(t),onpointermove:t=>this.#S(t,!1),onpointerup:()=>this.#g(),onpointercancel:()=>this.#g(),
onkeydown:t=>this.#L(t)});constructor(t){this.root=t,this.controls=new J(this),t.replaceChildren(this.#h,this.#l,this.controls.
element,this.#d.element,this.#y,p("p",{text:cs}));for(let e of["pointerdown","keydown"])t.addEventListener(e,()=>{this.#p=
!0});this.#b.observe(t)}load({choice:t},e){if(this.#w=e,this.#u=Nt(this.root),t!==null&&t!==mt(this.#t.choice)){let s=Pt(
t);s?this.#x(s):this.#l.textContent=`plane=${t} in the address is not a flow, so the default flow is shown.`}this.redraw()}choose(t){
this.#x({...this.#t.choice,...t}),this.#w(mt(this.#t.choice))}#x(t){this.#t=new j(t),this.#l.textContent=this.#t.isDrawn?
ls:"",this.restart()}restart(){this.#t.restart(),this.rest(this.#t.nLayers),this.train(this.#t.fit!==null),this.#f=xe,this.#p=
!1}follow(t){this.#t.follow(t),this.redraw()}train(t=!this.#n){this.#n=t,this.#f=1/0,this.#o={steps:0,at:1/0},this.redraw()}step(){
this.train(!1),this.#t.step()}get#A(){return gt[this.controls.speed.value]}#c(t,e,s=()=>{}){let o=Math.min(this.#t.nLayers,
Math.max(0,e)),r=Math.abs(o-t)*this.#A[2]*1e3;this.#r.start(t,o,r,this.#M,s)}stepLayer(t){this.#c(this.#e,Math.round(this.#e)+
t)}open(t){this.#c(t,t+1)}playTo(t){let{nLayers:e}=this.#t,s=t==="data"?0:e;this.#c(this.#e===s?e-s:this.#e,s)}#M=t=>{this.#e=
t,this.redraw()};rest(t){this.#r.stop(),this.#M(t)}#m(){let t=this.#u,e=C(this.#h);return ye(e,this.root.clientWidth,t,this.#t,
this.#e)}#k(t){let{offsetX:e,offsetY:s,pointerId:o}=t;this.#i=this.#m().findIndex(r=>r.holds(e,s)),!(this.#i<0)&&(t.preventDefault(),
this.#h.focus({preventScroll:!0}),this.#h.setPointerCapture(o),this.#S(t,!0))}#S({offsetX:t,offsetY:e},s){if(this.#i<0)return;
let[o,r]=[this.#t,this.#m()[this.#i]],i=r.place(t,e);if(o.isDrawn&&this.#i===0)o.scatter(i);else if(o.fit){this.#i===1&&
this.rest(Math.round(this.#e));let a=this.#i===1?this.#e:0;s?o.pick(i,a,is*2*r.square[2]/r.plot.w):o.moveTo(i,a)}this.redraw()}#g(){
this.#i=-1,this.#t.isDrawn&&!this.#t.fit&&this.restart(),this.#t.fit&&(this.#l.textContent=""),this.redraw()}#L(t){let e=Ft[t.
key],s=t.key===" "&&this.#t.isDrawn;if(!e&&!s)return;t.preventDefault();let[o,r]=this.#t.place,i=2*this.#t.box[2]/as;e?this.#t.
moveTo([o+e[0]*i,r+e[1]*i],0):(this.#t.scatter([o,r]),this.#g()),this.redraw()}redraw(){this.#s||(this.#s=requestAnimationFrame(
this.#v))}#v=t=>{this.#s=0,this.#n&&this.#T(t),this.#$(),this.#n&&this.redraw()};#T(t){let e=this.#t,s=this.#o.steps+Math.
min(.1,Math.max(0,(t-this.#o.at)/1e3))*this.#A[1];for(let o=performance.now()+rs;s>=1;s--)e.step(),performance.now()>=o&&
(s=Math.min(s,1));this.#o={steps:s,at:t},!e.fit||e.fit.isBroken?this.train(!1):e.fit.steps>=this.#f&&(this.train(!1),this.#p||
this.#c(e.nLayers,0,()=>this.#c(0,e.nLayers)))}#$(){let[t,e,s]=[this.#t,this.#u,this.root.clientWidth];if(!e||!s)return;
let o=t.fit?.steps??0,r=matchMedia("(prefers-reduced-motion: reduce)").matches,i=o>this.#a&&o<this.#a+os;r&&this.#n&&i||
(this.#a=o,X(this.#h,s,$t(s).height),be(this.#m(),t,{layer:this.#e,age:this.#n?hs:1,colours:t.shares.map(a=>x(Rt(a,e.dark))),
hasGrid:this.controls.grid.checked}),this.controls.show(t,this.#e,this.#n),this.#d.element.hidden=!t.fit,t.fit&&this.#d.
show(t,wt(this.#e),e),this.#y.textContent=zt(t.choice,t.points.length/2),this.#h.ariaLabel=`Step ${o}: ${fs}`,this.root.
dataset.steps=String(o))}close(){this.#r.stop(),cancelAnimationFrame(this.#s),this.#s=0,this.#b.disconnect()}},An=Ct({name:"\
flow-plane",show:n=>new Ot(n),state:"choice",file:{data:()=>({choice:decodeURIComponent(location.hash.slice(1))||null}),
told:n=>location.replace(`#${n}`)},cell:{trait:"choice",data:n=>({choice:n}),traits:n=>({choice:n})}});export{Ot as FlowPlane,An as default};
