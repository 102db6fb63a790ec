var Et={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function f(n,{text:t,...s}={},e=[]){let o=document.createElement(n);for(let[r,i]of Object.entries(s))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function L(n,t,s){return f("button",{type:"button",text:n,title:t,onclick:s})}function P(n,t,s=""){let e=f("span",{text:n});
t instanceof HTMLSelectElement&&(t.ariaLabel=n);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return f("label",
{title:s||null},o?[t,e]:[e,t])}function pt(n){return n.toLocaleString("en")}function C(n){return n.getContext("2d")}function X(n,t,s){let e=devicePixelRatio||
1;Object.assign(n,{width:t*e,height:s*e}),Object.assign(n.style,{width:`${t}px`,height:`${s}px`}),C(n).scale(e,e)}function $t(n){let t=globalThis.document?.querySelector("script#payload");t&&bs(n,t.textContent??"");let s=xs(n);return e=>e?
s(e):{render:o=>As(n,o)}}function ys(n,t){n.calls+=1;let s=n.calls;return()=>{n.calls===s&&t()}}function xs({name:n,state:t,
show:s}){let e=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{let a=r.querySelector(`.${n}`),h=e.get(a)??
{shown:s(a),calls:0};return e.set(a,h),h.shown.load(o,c=>i(t,c)),ys(h,()=>h.shown.close?.())}}function bs({name:n,show:t,
file:s},e){if(!s)return;let o=t(document.querySelector(`.${n}`)),r=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),i=()=>o.
load(s.data(r),s.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function As({
name:n,show:t,cell:s},{model:e,el:o}){if(!s)return;let[r,i]=[f("div"),f("div",{class:n})],a=f("style",{text:String(e.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,i),o.append(r);let h=t(i),c=()=>h.load(s.data(e.get(s.trait)),l=>{for(let[
u,m]of Object.entries(s.traits(l,h)))e.set(u,m);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var V=class{#t=0;start(t,s,e,o,r=()=>{}){this.stop();let i=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/e)),u=i&&e<=600?1:l,m=u===1?s:t+u*(s-t);o(i?Math.round(m):m),u<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var Y=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function Ft(n){
let t=getComputedStyle(n),s=(r,i)=>t.getPropertyValue(r).trim()||i,e=ut(s("--st-background-color","#ffffff")),o=ut(s("--\
st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:M(e,o,.72),line:M(e,o,.2),
dim:M(e,o,.3),missing:M(e,o,.5),primary:ut(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function Ct(n,t){
let e=(t?.16+.84*n:.92*n)*(Y.length-1),o=Math.min(Math.floor(e),Y.length-2);return M(Y[o],Y[o+1],e-o)}function M(n,t,s){
let e=o=>Math.round(n[o]+(t[o]-n[o])*s);return[e(0),e(1),e(2)]}function x(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var K=null;function ut(n){K??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),K.fillStyle=n,K.fillRect(
0,0,1,1);let[t,s,e]=K.getImageData(0,0,1,1).data;return[t,s,e]}function O(n){let t=n>>>0;return()=>{t=t+1831565813|0;let s=Math.imul(t^t>>>15,1|t);return s^=s+Math.imul(s^s>>>7,61|s),
((s^s>>>14)>>>0)/2**32}}function N(n){return()=>Math.sqrt(-2*Math.log(1-n()))*Math.cos(2*Math.PI*n())}function Nt(n,t){let s=Array.
from({length:n},(e,o)=>o);for(let e=n-1;e>0;e--){let o=Math.floor(t()*(e+1));[s[e],s[o]]=[s[o],s[e]]}return s}var z={moons:"two moons",spiral:"spiral",ring:"ring",blobs:"two blobs",banana:"banana",cone:"cone"},Ms={moons:(n,t)=>{let s=Math.
PI*n(),e=n()<.5?1:-1,[o,r]=[e*(Math.cos(s)-.5),e*(Math.sin(s)-.25)];return[1.5*o+.12*t(),1.5*r+.12*t()]},spiral:(n,t)=>{
let s=3*Math.PI*Math.sqrt(.03+.97*n()),e=.26*s;return[e*Math.cos(s)+.08*t(),e*Math.sin(s)+.08*t()]},ring:(n,t)=>{let s=2*
Math.PI*n();return[1.8*Math.cos(s)+.15*t(),1.8*Math.sin(s)+.15*t()]},blobs:(n,t)=>{let s=n()<.5?-1:1;return[1.4*s+.4*t(),
.6*s+.4*t()]},banana:(n,t)=>{let s=t();return[s,.45*(s**2-1)+.25*t()]},cone:(n,t)=>{let s=0;for(let o=0;o<6;o++)s-=.4*Math.
log(1-n());let e=Math.PI/4+.22*t();return[s*Math.cos(e),s*Math.sin(e)]}};function Rt(n,t,s){let e=O(s),o=N(e),r=new Float64Array(
2*t);for(let i=0;i<t;i++)r.set(Ms[n](e,o),2*i);return r}var W="drawn",mt={depth:["Depth",1,8,1,"Steps of the flow: ActNorm, reversal, coupling"],width:["Width",4,32,4,"Hidden u\
nits of each coupling's network"],lr:["Learning rate",5e-4,.02,5e-4,"Of Adam, constant"],seed:["Seed",0,9999,1,"Of the s\
hape, the flow's start and the order of the points"]},_t={shape:"moons",coupling:"additive",depth:4,width:16,lr:.003,seed:0};
function dt({shape:n,coupling:t,depth:s,width:e,lr:o,seed:r}){return[n,t,s,e,o,r].join("-")}function It(n){let[t,s,...e]=n.
split("-"),[o,r,i,a]=e.map(Number),h={depth:o,width:r,lr:i,seed:a};if(!((Object.hasOwn(z,t)||t===W)&&e.length===4)||s!==
"additive"&&s!=="affine")return null;for(let[l,[,u,m]]of Object.entries(mt)){let p=h[l];if(!(l==="lr"||Number.isInteger(
p))||!(u<=p&&p<=m))return null}return{shape:t,coupling:s,...h}}function Dt({shape:n,coupling:t,depth:s,width:e,lr:o,seed:r},i){
let a=z[n];return`${a?`${i} points, ${a}`:`${i} points drawn by hand`}, seed ${r}; ${s} steps of ActNorm, reversal and ${t}\
 coupling of width ${e}; Adam at a learning rate of ${o}, 256 points a step, trained in this browser.`}var gt={slow:["slow motion",2,2.4],normal:["normal",60,.6],fast:["fast",600,.2]},Ss={data:"the data",draws:"draws from N\
(0, I), taken back"},ks={additive:"additive",affine:"affine"},Ls={ActNorm:"ActNorm",reversal:"⇄","additive coupling":"\
+ m","affine coupling":"· s + t"},J=class{#t=f("output");#r=f("output",{class:"below"});#s=f("ol",{class:"chips","aria-\
label":"Layers of the flow"});grid=f("input",{type:"checkbox",checked:"",onchange:()=>this.view.redraw()});constructor(t){
this.view=t,this.train=L("Train","Train the flow in this browser, or pause",()=>t.train()),this.step=L("One step","Take \
a single step of the optimiser",()=>t.step());let s=L("Start again","Begin the fit anew",()=>t.restart()),e=Object.entries(
gt).map(([i,[a]])=>[i,a]);this.speed=Z(Object.fromEntries(e),()=>{}),this.speed.value="normal",this.layer=f("input",{type:"\
range",min:0,step:.05,"aria-label":"Layer",oninput:()=>t.rest(Number(this.layer.value))});let o=[L("Back","Undo one laye\
r",()=>t.stepLayer(-1)),L("Forward","Apply one more layer",()=>t.stepLayer(1)),L("Play","From data to latent space",()=>t.
playTo("latent")),L("Play back","The inverse: from latent space to data",()=>t.playTo("data")),this.layer];this.source=Z(
Ss,i=>t.follow(i)),this.ofFit=[s,...o,this.source],this.choices=Ts(t);let r=P("Speed",this.speed);this.element=f("div",{
class:"controls"},[Pt("Fit",[this.train,this.step,s,r,this.#t]),Pt("Layers",[...o,this.#r]),this.#s,f("div",{class:"row"},
[P("Points",this.source),P("Grid of the latent space",this.grid)]),f("details",{},[f("summary",{text:"Other points, anot\
her flow"}),...this.choices.map(({text:i,control:a})=>P(i,a))])])}show({fit:t,choice:s,source:e},o,r){let[i,a,h]=[t?.steps??
0,t?.bits.at(-1),t?.flow.layers??[]];this.train.textContent=r?"Pause":"Train";for(let l of[this.train,this.step])l.disabled=
!t||t.isBroken;let c=a===void 0?"":`: ${a.toFixed(3)} bits per dimension`;this.#t.textContent=t?.isBroken?`diverged at s\
tep ${pt(i)}: lower the learning rate and start again`:`step ${pt(i)}${c}`,this.layer.max=String(h.length),this.layer.matches(
":active")||(this.layer.value=String(o)),this.#r.textContent=t?vs(h,o):"";for(let l of this.ofFit)l.disabled=!t;this.#e(
h,o),this.source.value=e;for(let{name:l,control:u}of this.choices)u.matches(":focus")||(u.value=String(s[l]))}#e(t,s){if(this.#s.
childElementCount!==t.length){let e=t.map(({name:o},r)=>{let i=()=>this.view.open(r),a=L(Ls[o]??o,`Open layer ${r+1}: ${o}`,
i);return a.ariaLabel=a.title,a.className=o.endsWith("coupling")?"coupling":"",f("li",{},[a])});this.#s.replaceChildren(
...e)}this.#s.querySelectorAll("button").forEach((e,o)=>{e.ariaCurrent=o===wt(s)?"step":"false"})}};function wt(n){return Math.
max(0,Math.ceil(n)-1)}function Ts(n){let t={...z,[W]:"draw your own"},s=Object.entries(mt).map(([e,[o,r,i,a,h]])=>{let l=f(
"input",{type:"number",min:r,max:i,step:a,title:h,onchange:()=>{l.reportValidity()&&n.choose({[e]:Number(l.value)})}});return{
name:e,text:o,control:l}});return[{name:"shape",text:"Shape",control:Z(t,e=>n.choose({shape:e}))},{name:"coupling",text:"\
Coupling",control:Z(ks,e=>n.choose({coupling:e}))},...s]}function Z(n,t){let s=Object.entries(n).map(([o,r])=>f("option",
{value:o,text:String(r)})),e=f("select",{onchange:()=>t(e.value)},s);return e}function Pt(n,t){return f("div",{class:"ro\
w"},[f("span",{class:"name",text:n}),...t])}function vs(n,t){let s=Math.round(t);if(s===0)return"data space, before the \
first layer";let e=s===n.length?": latent space":"";return`after layer ${s} of ${n.length}, ${n[s-1].name}${e}`}function yt(n,t,s){let e=n.length/t,[o,r]=[new Float64Array(t),new Float64Array(t)];for(let a=0;a<n.length;a++)o[a%t]+=n[a]/
e;for(let a=0;a<n.length;a++)r[a%t]+=(n[a]-o[a%t])**2/e;let i=s?1:Math.sqrt(Math.max(...r));return{b:o.map(a=>-a),logs:r.
map(a=>{let h=Math.sqrt(a);return h>1e-6*i?-Math.log(h)/3:0})}}function T(n){return n.map(t=>Math.exp(3*t))}var R=class{constructor(t,s,e){
this.w=t,this.b=new Float64Array(s),this.logs=new Float64Array(s),this.nIn=t.length/s,this.isHidden=e,this.parameters=[this.
w,this.b,this.logs],this.gradients=this.parameters.map(o=>new Float64Array(o.length))}forward(t){let{b:s,isHidden:e}=this,
o=T(this.logs);return this.#t(t).map((r,i)=>{let a=(r+s[i%s.length])*o[i%s.length];return e?Math.max(0,a):a})}#t(t){let{
w:s,nIn:e,b:o}=this,r=new Float64Array(t.length/e*o.length);for(let i=0,a=0;i<t.length;i+=e)for(let h=0;h<s.length;h+=e,
a++){let c=0;for(let l=0;l<e;l++)c+=s[h+l]*t[i+l];r[a]=c}return r}backward(t,s,e){let{w:o,nIn:r,isHidden:i}=this,[a,h,c]=this.
gradients,l=T(this.logs),u=new Float64Array(t.length);for(let m=0;m<s.length;m++){if(i&&s[m]===0)continue;let p=m%h.length,
[d,b]=[p*r,(m-p)/h.length*r],y=e[m]*l[p];c[p]+=3*e[m]*s[m],h[p]+=y;for(let S=0;S<r;S++)a[d+S]+=y*t[b+S],u[b+S]+=y*o[d+S]}
return u}initialize(t){let{b:s,logs:e}=yt(this.#t(t),this.b.length,!0);return this.b.set(s),this.logs.set(e),this.forward(
t)}};var Os=.05,E=class{name="ActNorm";b=new Float64Array(2);logs=new Float64Array(2);parameters=[this.b,this.logs];gradients=[
new Float64Array(2),new Float64Array(2)];constructor(t){this.isUnit=t}forward(t){let s=T(this.logs),e=t.map((r,i)=>(r+this.
b[i%2])*s[i%2]),o=3*(this.logs[0]+this.logs[1]);return{y:e,ladj:new Float64Array(t.length/2).fill(o)}}inverse(t){let s=T(
this.logs);return t.map((e,o)=>e/s[o%2]-this.b[o%2])}backward({y:t},s,e){let[o,r]=this.gradients,i=T(this.logs),a=s.map(
(h,c)=>h*i[c%2]);for(let h=0;h<a.length;h++)o[h%2]+=a[h],r[h%2]+=3*(s[h]*t[h]+e);return a}initialize(t){let{b:s,logs:e}=yt(
t,2,this.isUnit);return this.b.set(s),this.logs.set(e),this.forward(t).y}},Q=n=>n.map((t,s)=>n[s^1]),Wt={name:"reversal",
parameters:[],gradients:[],forward:n=>({y:Q(n),ladj:new Float64Array(n.length/2)}),inverse:Q,backward:(n,t)=>Q(t),initialize:Q},
$=class{constructor(t,s,e){this.name=`${t} coupling`,this.isAffine=t==="affine";let o=this.isAffine?2:1,r=i=>new Float64Array(
i).map(()=>Os*e());this.network=[new R(r(s),s,!0),new R(r(s*s),s,!0),new R(new Float64Array(o*s),o,!1)],this.parameters=
this.network.flatMap(i=>i.parameters),this.gradients=this.network.flatMap(i=>i.gradients)}effect(t){let s=[t];for(let r of this.
network)s.push(r.forward(s[s.length-1]));let e=s[s.length-1];if(!this.isAffine)return{kept:s,shift:e,logScale:new Float64Array(
t.length)};let o=t.map((r,i)=>-Math.log1p(Math.exp(-(e[2*i+1]+2))));return{kept:s,shift:t.map((r,i)=>e[2*i]),logScale:o}}forward(t){
let{kept:s,shift:e,logScale:o}=this.effect(xt(t));return{y:t.map((i,a)=>a%2?(i+e[a>>1])*Math.exp(o[a>>1]):i),ladj:o,kept:s}}inverse(t){
let{shift:s,logScale:e}=this.effect(xt(t));return t.map((o,r)=>r%2?o*Math.exp(-e[r>>1])-s[r>>1]:o)}backward({y:t,ladj:s,
kept:e=[]},o,r){let i=o.map((h,c)=>c%2?h*Math.exp(s[c>>1]):h),a=e[3].map((h,c)=>{let l=this.isAffine?c>>1:c;return!this.
isAffine||c%2===0?i[2*l+1]:(o[2*l+1]*t[2*l+1]+r)*(1-Math.exp(s[l]))});for(let h=2;h>=0;h--)a=this.network[h].backward(e[h],
e[h+1],a);return i.map((h,c)=>c%2?h:h+a[c>>1])}initialize(t){let[s,e]=this.network;return e.initialize(s.initialize(xt(t))),
this.forward(t).y}};function xt(n){return new Float64Array(n.length/2).map((t,s)=>n[2*s])}var tt=class{constructor({depth:t,width:s,coupling:e,seed:o}){let r=N(O(o));this.layers=Array.from({length:t},(i,a)=>[new E(
a>0),Wt,new $(e,s,r)]).flat(),this.parameters=this.layers.flatMap(i=>i.parameters),this.gradients=this.layers.flatMap(i=>i.
gradients)}initialize(t){this.layers.reduce((s,e)=>e.initialize(s),t)}trace(t){let s=this.#t(t);return{states:[t,...s.map(
({y:e})=>e)],ladj:s.map(({ladj:e})=>e)}}#t(t){let s=t;return this.layers.map(e=>{let o=e.forward(s);return s=o.y,o})}back(t,s=this.
layers.length){let e=[t];for(let o=s-1;o>=0;o--)e.unshift(this.layers[o].inverse(e[0]));return e}logProb(t){return Ht(this.
trace(t))}loss(t){for(let a of this.gradients)a.fill(0);let s=this.#t(t),e=s[s.length-1].y,o=1/(Math.LN2*t.length),r=e.map(
a=>a*o);for(let a=s.length-1;a>=0;a--)r=this.layers[a].backward(s[a],r,-o);let i=Ht({states:[e],ladj:s.map(({ladj:a})=>a)});
return-o*i.reduce((a,h)=>a+h,0)}};function Ht({states:n,ladj:t}){let s=n[n.length-1];return new Float64Array(s.length/2).
map((e,o)=>t.reduce((r,i)=>r+i[o],bt(s[2*o],s[2*o+1])))}function bt(n,t){return-.5*(n*n+t*t)-Math.log(2*Math.PI)}function qt(n,t){
let s=n.forward(Float64Array.from(t)),[e,o]=n.backward(s,Float64Array.of(1,0),0),[r,i]=n.backward(s,Float64Array.of(0,1),
0);return[e,o,r,i]}var Es=256,[At,Mt,$s]=[.9,.999,1e-6];function Fs({parameters:n,gradients:t},s){let[e,o]=[0,1].map(()=>n.map(i=>new Float64Array(
i.length))),r=0;return()=>{r+=1;let[i,a]=[1-At**r,1-Mt**r];n.forEach((h,c)=>{let[l,u,m]=[e[c],o[c],t[c]];for(let p=0;p<h.
length;p++){let d=m[p];l[p]=At*l[p]+(1-At)*d,u[p]=Mt*u[p]+(1-Mt)*d*d,h[p]-=s*l[p]/i/(Math.sqrt(u[p]/a)+$s)}})}}var st=class{#t=[];bits=[];constructor(t,s){
this.points=t,this.flow=new tt(s),this.flow.initialize(t),this.move=Fs(this.flow,s.lr),this.uniform=O(s.seed+1)}get steps(){
return this.bits.length}get isBroken(){return this.steps>0&&!Number.isFinite(this.bits[this.steps-1])}step(){let t=this.
points.length/2,s=Math.min(Es,t);this.#t.length<s&&(this.#t=Nt(t,this.uniform));let e=this.#t.splice(0,s).flatMap(o=>[this.
points[2*o],this.points[2*o+1]]);this.bits.push(this.flow.loss(Float64Array.from(e))),this.isBroken||this.move()}};var[jt,Cs]=[9,3],H=41,Gt=[0,0,3.3];function Ut(n){let t=n.filter((o,r)=>r%2===0),[s,e]=[Math.min(...t),Math.max(...t)];return t.
map(o=>(o-s)/(e-s||1))}function Bt([n,t],[s,e,o]){return Math.abs(n-s)<=o&&Math.abs(t-e)<=o}function Xt(n){let[t,s]=[0,1].
map(c=>n.filter((l,u)=>u%2===c)),e=[t,s].map(c=>[Math.min(...c),Math.max(...c)]),[[o,r],[i,a]]=e,h=Math.max(r-o,a-i)/2*(1+
.25);return[(o+r)/2,(i+a)/2,h]}function Vt([n,t,s],e){let o=r=>s*((2*r+1)/e-1);return new Float64Array(2*e*e).map((r,i)=>{
let a=i>>1;return i%2?t+o(Math.floor(a/e)):n+o(a%e)})}function Yt(){let n=(s,e)=>Cs*(2*s/(e-1)-1),t=[];for(let s of[!1,!0])
for(let e=0;e<jt;e++)for(let o=0;o<H;o++){let[r,i]=[n(e,jt),n(o,H)];t.push(...s?[i,r]:[r,i])}return Float64Array.from(t)}
function Kt(n,[t,s],e){let[o,r]=[null,e];for(let i=0;2*i<n.length;i++){let a=Math.hypot(n[2*i]-t,n[2*i+1]-s);a<=r&&([o,r]=
[i,a])}return o}function Jt(n,t){let s=n.length-1,e=r=>{if(r>=s)return 3.3;let i=n[r].reduce((a,h)=>Math.max(a,Math.abs(
h)),0);return Math.max(3.3,1.05*i)},o=Math.floor(t);return[0,0,e(o)+(t-o)*(e(o+1)-e(o))]}function et(n,t){let s=Math.floor(
t),[e,o]=[n[s],t-s];if(o===0)return e;let r=n[s+1];return e.map((i,a)=>i+o*(r[a]-i))}var Zt=600,[Ns,Rs]=[8,2e3],[_s,Is]=[4,.12],Ds=[0,0,3],Ps=40,zs=Yt(),q=class{#t=0;#r=new Map;#s=N(O(7));#e=new Float64Array(
2*Zt).map(()=>this.#s());row=0;#a=[0,0];source="data";fit=null;shares=[];constructor(t){this.choice=t;let s=t.shape;this.
points=this.isDrawn?new Float64Array:Rt(s,Zt,t.seed),this.box=this.isDrawn?Ds:Xt(this.points),this.restart(),this.follow(
"data")}restart(){let t=this.points.length>=2*Ns;this.fit=t?new st(this.points,this.choice):null,this.#t+=1}step(){this.
fit?.step(),this.#t+=1}get isDrawn(){return this.choice.shape===W}get flow(){return this.fit.flow}get nLayers(){return 3*
this.choice.depth}follow(t){this.source=t,this.row=this.isDrawn&&t==="data"?null:0,this.#n()}#n(){this.shares=[...Ut(this.
source==="data"?this.points:this.#e)],this.#t+=1}#o(t,s,e=1){let o=this.#r.get(t);if(o&&this.#t-o.version<e)return o.value;
let r=s();return this.#r.set(t,{version:this.#t,value:r}),r}get followed(){return this.source==="data"?this.points:this.#o(
"followed",()=>this.flow.back(this.#e)[0])}get trace(){return this.#o("trace",()=>this.flow.trace(this.followed))}get way(){
return this.#o("way",()=>this.flow.trace(Float64Array.from(this.place)))}lines(t){return this.#o("lines",()=>this.flow.back(
zs),t)}density(t){let s=()=>this.flow.logProb(Vt(this.box,Ps)).map(Math.exp);return this.#o("density",s,t)}get place(){return this.
row===null?this.#a:[this.followed[2*this.row],this.followed[2*this.row+1]]}pick(t,s,e){this.row=Kt(this.trace.states[s],
t,e),this.moveTo(t,s)}moveTo(t,s){let[e,o]=s?this.flow.back(Float64Array.from(t),s)[0]:t;this.#t+=1,this.row===null?this.#a=
[e,o]:this.source==="data"?this.points.set([e,o],2*this.row):this.#e.set(this.flow.trace(Float64Array.of(e,o)).states[this.
nLayers],2*this.row)}scatter(t){let s=Math.min(_s,Rs-this.points.length/2),e=Array.from({length:2*s},(o,r)=>t[r%2]+Is*this.#s());
this.points=Float64Array.of(...this.points,...e),this.fit&&(this.fit.points=this.points),this.#n()}};function nt(n,{x:t,y:s,w:e,h:o},r){n.save(),n.beginPath(),n.rect(t,s,e,o),n.clip(),r(),n.restore()}function j(n,t,{colour:s,
width:e,halo:o},r){let i=[[t.background,e+o],[s,e]];for(let[a,h]of i)n.beginPath(),r(),n.lineWidth=h,n.strokeStyle=x(a),
n.stroke()}function ot(n,t){return(s,e,o,{align:r="left",colour:i=t.muted,weight:a=400,halo:h=!1}={})=>{n.font=`${a} 11.\
5px ${t.font}`,n.textAlign=r,n.fillStyle=x(i),h&&(n.strokeStyle=x(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(
s,e,o)),n.fillText(s,e,o)}}var[Qt,Ws,ts,Hs]=[46,10,16,34],ss={across:40,up:28},qs=[1,2,5,10],js=12,rt=[[],[7,3],[2,3],[9,3,2,3]];function os(n,t,s,e){
let{title:o="",titles:r,lines:i,hasZero:a,at:h,rug:c=[]}=e,l=ot(n,t),u=i.filter(({name:w})=>w),m=ts*((e.names??u.length)+
+(o!==""))+10,[p,d]=[s.x+Qt,s.y+m],[b,y]=[s.w-Qt-Ws,s.h-Hs-m],[S,v]=[p+b,d+y],U=es(i.map(({x:w})=>w)),B=Gs(es([...i.map(
({y:w})=>w),a?[0]:[]])),_=w=>p+b*(w-U[0])/(U[1]-U[0]||1),lt=w=>v-y*(w-B[0])/(B[1]-B[0]);l(o,s.x,s.y+12,{weight:600,colour:t.
ink}),n.strokeStyle=x(M(t.background,t.ink,.45)),n.lineWidth=1,n.strokeRect(p+.5,d+.5,b-1,y-1);for(let{value:w,text:k}of ns(
U,b/ss.across))l(k,Math.min(_(w),S-8),v+14,{align:"center"});for(let{value:w,text:k}of ns(B,y/ss.up))l(k,p-5,lt(w)+4,{align:"\
right"});l(r[0],p+b/2,v+29,{align:"center"}),n.save(),n.translate(s.x+12,d+y/2),n.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),n.restore(),nt(n,{x:p,y:d,w:b,h:y},()=>{for(let w of Array.from(c))St(n,x(t.ink,.18),_(w),v,-7);h!==void 0&&St(
n,x(t.muted),_(h),v,-y),i.forEach(({colour:w,mark:k,...F},I)=>{if(n.setLineDash(rt[I%rt.length]),j(n,t,{colour:w,width:2,
halo:2},()=>{for(let D=0;D<F.x.length;D++)Number.isFinite(F.y[D])&&n.lineTo(_(F.x[D]),lt(F.y[D]))}),n.setLineDash([]),!k)
return;let[Ot,ft]=[_(k[0]),lt(k[1])];n.setLineDash([3,3]),St(n,x(t.muted),Ot,ft,v-ft),n.setLineDash([]),n.fillStyle=x(w),
n.beginPath(),n.arc(Ot,ft,5,0,2*Math.PI),n.fill()})}),u.forEach(({name:w,colour:k},F)=>{let I=s.y+ts*(F+(o?1:0))+8;n.strokeStyle=
x(k),n.lineWidth=2,n.setLineDash(rt[F%rt.length]),n.beginPath(),n.moveTo(s.x,I),n.lineTo(s.x+24,I),n.stroke(),n.setLineDash(
[]),l(w,s.x+30,I+4,{colour:t.ink})})}function St(n,t,s,e,o){n.strokeStyle=t,n.lineWidth=1,n.beginPath(),n.moveTo(s,e),n.
lineTo(s,e+o),n.stroke()}function es(n){let t=n.flatMap(s=>Array.from(s)).filter(Number.isFinite);return[Math.min(...t),
Math.max(...t)]}function Gs([n,t]){let s=Math.max(.1-(t-n)/2,.06*(t-n));return[n-s,t+s]}function ns([n,t],s){let e=(t-n)/
s,o=10**kt(e),r=o*(qs.find(h=>h*o>=e)??10),[i,a]=[Math.ceil(n/r),Math.floor(t/r)];return Array.from({length:a-i+1},(h,c)=>{
let l=(i+c)*r;return{value:l,text:Us(l,r)}})}function Us(n,t){let s=n?kt(n)-kt(t)+1:1,e=Math.min(js,Math.max(1,s));return n.
toLocaleString("en",{maximumSignificantDigits:e})}function kt(n){return Math.floor(Math.log10(Math.abs(n)))}var rs=161,Lt=[[0,114,178],[213,94,0]];function g(n,t=3){let s=Math.abs(n).toFixed(t);return n<0&&Number(s)!==0?`−${s}`:
s}function A(n){let t=g(n);return t.startsWith("−")?`(${t})`:t}function is(n,[t,s]){let[e,o]=n.forward(Float64Array.of(
t,s)).y;if(n instanceof E){let[l,u]=T(n.logs);return[`z₁ = (x₁ + b₁) · s₁ = (${A(t)} + ${A(n.b[0])}) · ${g(l)}\
 ≈ ${g(e)}`,`z₂ = (x₂ + b₂) · s₂ = (${A(s)} + ${A(n.b[1])}) · ${g(u)} ≈ ${g(o)}`,"back: x = z / s − b"]}
if(!(n instanceof $))return[`z₁ = x₂ = ${g(e)}`,`z₂ = x₁ = ${g(o)}`,"back: the same again. The next coupling cha\
nges what the last one left."];let{shift:r,logScale:i}=n.effect(Float64Array.of(t)),[a,h]=[A(r[0]),g(Math.exp(i[0]))],c=`\
z₁ = x₁ = ${g(e)}`;return n.isAffine?[c,`z₂ = (x₂ + t(x₁)) · s(x₁) = (${A(s)} + ${a}) · ${h} ≈ ${g(o)}`,
`back: x₂ = z₂ / s(z₁) − t(z₁) = ${A(o)} / ${h} − ${a} ≈ ${g(s)}`]:[c,`z₂ = x₂ + m(x₁) = ${A(s)} + ${a}\
 ≈ ${g(o)}`,`back: x₂ = z₂ − m(z₁) = ${A(o)} − ${a} ≈ ${g(s)}`]}function as(n,[t,s,e,o]){let r=t*o-s*e,i=`\
det = ${A(t)} · ${A(o)} − ${A(s)} · ${A(e)}`,[a,h]=n instanceof E?["≈",": every area by one factor"]:n instanceof $?
n.isAffine?["≈",": by another factor at each x₁"]:["=",", whatever m is: areas stay as they are"]:["=",": areas stay\
 as they are, mirrored"],c=g(Math.log(Math.abs(r)));return`${i} ${a} ${g(r)}${h}; log |det| = ${c} nats`}function hs(n,[
t,s],e){let o=n instanceof E;if(!o&&!(n instanceof $))return null;let r=o?e:e.filter((p,d)=>d%2===0),[i,a]=[Math.min(...r,
t),Math.max(...r,t)],h=new Float64Array(rs).map((p,d)=>i+(a-i)*d/(rs-1)),c=(p,d,b,y)=>({name:d,colour:Lt[p],x:h,y:y(h),mark:[
b,y(Float64Array.of(b))[0]]});if(o){let p=T(n.logs),d=y=>S=>S.map(v=>(v+n.b[y])*p[y]);return{lines:[c(0,"z₁ of x₁",t,
d(0)),c(1,"z₂ of x₂",s,d(1))],titles:["x","z"]}}let{isAffine:l}=n,u=c(0,l?"t(x₁)":"",t,p=>n.effect(p).shift);if(!l)
return{lines:[u],titles:["x₁","m(x₁)"],rug:r};let m=c(1,"s(x₁)",t,p=>n.effect(p).logScale.map(Math.exp));return{lines:[
u,m],titles:["x₁","t and s"],rug:r}}var[cs,ls]=[340,220],Bs=600,Xs={additive:"Reversals and additive couplings preserve area. Only ActNorm changes it, by on\
e factor everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a bridge.",affine:"Affine couplings\
 stretch each point by its own factor, so p(x) can have several peaks of different heights."},it=class{title=f("h4");curve=f(
"canvas",{role:"img"});lines=f("div",{class:"formula"});matrix=f("div",{class:"matrix",role:"img"});determinant=f("p");loss=f(
"canvas",{role:"img","aria-label":"Bits per dimension of each step of the fit"});terms=f("p");volume=f("p");element=f("d\
iv",{class:"opened"},[f("div",{},[this.curve]),f("div",{},[this.title,this.lines,f("div",{class:"row"},[f("span",{text:"\
Jacobian ∂z/∂x ="}),this.matrix]),this.determinant]),f("div",{},[this.loss]),f("div",{class:"whole"},[this.terms,this.
volume])]);show(t,s,e){let o=t.flow.layers[s],[r,i]=t.way.states[s],a=qt(o,[r,i]);this.title.textContent=`Layer ${s+1}: ${o.
name}, for the marked point`,this.lines.replaceChildren(...is(o,[r,i]).map(c=>f("div",{text:c}))),this.matrix.replaceChildren(
...a.map(c=>f("span",{text:g(c)}))),this.matrix.ariaLabel=`rows ${a.map(c=>g(c)).join(", ")}`,this.determinant.textContent=
as(o,a);let h=hs(o,[r,i],t.trace.states[s]);this.#t(this.curve,e,h),this.curve.ariaLabel=`${h?.titles[1]} against ${h?.titles[0]}`,
this.#t(this.loss,e,Vs(t.fit?.bits??[])),this.terms.textContent=Ys(t),this.volume.textContent=Xs[t.choice.coupling]}#t(t,s,e){
if(t.hidden=!e,!e)return;let o=Math.min(cs,this.curve.parentElement?.clientWidth??cs);X(t,o,ls),os(C(t),s,{x:0,y:0,w:o,h:ls},
e)}};function Vs(n){if(n.length<2)return null;let t=Math.ceil(n.length/Bs),s=n.filter((o,r)=>r%t===0),e=s.map((o,r)=>r*t+
1);return{lines:[{name:"",colour:Lt[0],x:e,y:s}],titles:["step","bits per dimension"]}}function Ys({place:[n,t],way:{states:s,
ladj:e}}){let[o,r]=s[s.length-1],[i,a]=[bt(o,r),e.reduce((c,[l])=>c+l,0)],h=a<0?"−":"+";return`All layers: x = (${g(n)}\
, ${g(t)}) goes to z = (${g(o)}, ${g(r)}), and log p(x) = log N(z; 0, I) + Σ log |det| = ${g(i)} ${h} ${g(Math.abs(a))}\
 = ${g(i+a)} nats.`}var at=1.7,[ht,fs]=[9,.45],Ks=.62,Js=.6,ps=[213,94,0],G=class{constructor(t,s,e,o,r){this.context=t,this.theme=s,this.plot=
e,this.square=o,this.letter=r}pixel(t,s){let[e,o,r]=this.square,{x:i,y:a,w:h}=this.plot;return[i+h*(t-e+r)/(2*r),a+h*(o+
r-s)/(2*r)]}place(t,s){let[e,o,r]=this.square,{x:i,y:a,w:h}=this.plot;return[e-r+2*r*(t-i)/h,o+r-2*r*(s-a)/h]}within(t){
let{context:s,theme:e,plot:o}=this;nt(s,o,t),s.strokeStyle=x(M(e.background,e.ink,.45)),s.lineWidth=1,s.strokeRect(o.x+.5,
o.y+.5,o.w-1,o.h-1),this.#t()}#t(){let{context:t,theme:s,plot:e,letter:o}=this,[r,i,a]=this.square,h=ot(t,s),[c,l]=[e.x-
5,e.y+e.h+14];h((r-a).toFixed(1),e.x,l),h(`${o}₁`,e.x+e.w/2,l,{align:"center"}),h((r+a).toFixed(1),e.x+e.w,l,{align:"r\
ight"}),h((i+a).toFixed(1),c,e.y+10,{align:"right"}),h(`${o}₂`,c,e.y+e.h/2+4,{align:"right"}),h((i-a).toFixed(1),c,e.y+
e.h,{align:"right"})}density(t){let{context:s,theme:e,plot:o}=this,r=Math.round(Math.sqrt(t.length)),i=t.reduce((c,l)=>Math.
max(c,l),0)||1,a=new ImageData(r,r);t.forEach((c,l)=>{let u=4*((r-1-Math.floor(l/r))*r+l%r);a.data.set(M(e.background,e.
ink,Ks*(c/i)**Js),u),a.data[u+3]=255});let h=f("canvas",{width:r,height:r});C(h).putImageData(a,0,0),s.imageSmoothingQuality=
"high",s.drawImage(h,o.x,o.y,o.w,o.h)}lines(t,s){let{context:e,theme:o}=this;e.strokeStyle=x(M(o.background,o.primary,.75)),
e.lineWidth=1,e.beginPath();for(let r=0;2*r<t.length;r++){let[i,a]=this.pixel(t[2*r],t[2*r+1]);r%s?e.lineTo(i,a):e.moveTo(
i,a)}e.stroke()}circles(){let{context:t,theme:s,plot:e,square:o}=this,[r,i]=this.pixel(0,0);t.strokeStyle=x(s.ink),t.lineWidth=
1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(r,i,a*e.w/(2*o[2]),0,2*Math.PI),t.stroke();t.setLineDash(
[])}points(t,s){let{context:e}=this;s.forEach((o,r)=>{let[i,a]=this.pixel(t[2*r],t[2*r+1]);e.fillStyle=o,e.fillRect(i-at,
a-at,2*at,2*at)})}arrow(t,s){let{context:e,theme:o}=this,[[r,i],[a,h]]=[this.pixel(...t),this.pixel(...s)],[c,l]=[Math.hypot(
a-r,h-i),Math.atan2(h-i,a-r)];if(c<2*ht)return;let u=c-ht-3,[m,p]=[r+u*Math.cos(l),i+u*Math.sin(l)];j(e,o,{colour:ps,width:2,
halo:3},()=>{e.moveTo(r,i),e.lineTo(m,p);for(let d of[-fs,fs])e.moveTo(m,p),e.lineTo(m-ht*Math.cos(l+d),p-ht*Math.sin(l+
d))})}mark([t,s]){let{context:e,theme:o}=this,[r,i]=this.pixel(t,s);j(e,o,{colour:ps,width:2,halo:3},()=>{e.arc(r,i,6,0,
2*Math.PI),e.moveTo(r-11,i),e.lineTo(r+11,i),e.moveTo(r,i-11),e.lineTo(r,i+11)})}};var[ct,us,ms,Zs]=[34,48,22,460],Qs=560;function Tt(n){let t=n>Qs,s=Math.min(Zs,t?(n-ct-us)/2:n-ct-2),e={x:ct,y:0,w:s,h:s},
o=t?{...e,x:ct+s+us}:{...e,y:s+ms};return{height:(t?1:2)*(s+ms),plots:[e,o]}}function ds(n,t,s,e,o){let[r,i]=Tt(t).plots,
a=e.fit?Jt(e.trace.states,o):Gt,h=o===e.nLayers?"z":"h";return[new G(n,s,r,e.box,"x"),new G(n,s,i,a,h)]}function gs([n,t],s,{
layer:e,age:o,hasGrid:r,colours:i}){let{fit:a}=s;n.within(()=>{a&&n.density(s.density(o)),a&&r&&n.lines(s.lines(o)[0],H),
n.points(a?s.followed:s.points,i),n.mark(s.place)}),t.within(()=>{if(!a)return;r&&t.lines(et(s.lines(o),e),H),t.points(et(
s.trace.states,e),i),e===s.nLayers&&t.circles();let{states:h}=s.way,c=Math.max(1,Math.ceil(e)),[[l,u],[m,p],[d,b]]=[h[c-
1],h[c],et(h,e)];t.arrow([l,u],[m,p]),t.mark([d,b])})}var ws=1200,te=100,se=10,ee=14,ne=40,oe=3,re="Left: the data, the flow's density p(x) in grey, and the grid of the laten\
t space mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard d\
eviations. Drag a point on either side: it moves through the whole map.",ie="Drag over the left square to scatter points\
; or move with the arrow keys and press Space.",ae="the data with the flow's density, and the points after the layers. A\
rrow keys move the marked point.",vt=class{#t=new q(_t);#r=new V;#s=this.#t.nLayers;#e=0;#a=0;#n=!0;#o={steps:0,at:1/0};#f=ws;#p=!1;#i=-1;#u=null;#w=()=>{};#l=f(
"p",{role:"status"});#y=f("p",{class:"recipe"});#m=new it;#x=new ResizeObserver(()=>this.redraw());#h=f("canvas",{tabindex:0,
role:"application",onpointerdown:t=>this.#k(t),onpointermove:t=>this.#S(t,!1),onpointerup:()=>this.#g(),onpointercancel:()=>this.#g(),
onkeydown:t=>this.#L(t)});constructor(t){this.root=t,this.controls=new J(this),t.replaceChildren(this.#h,this.#l,this.controls.
element,this.#m.element,this.#y,f("p",{text:re}));for(let s of["pointerdown","keydown"])t.addEventListener(s,()=>{this.#p=
!0});this.#x.observe(t)}load({choice:t},s){if(this.#w=s,this.#u=Ft(this.root),t!==null&&t!==dt(this.#t.choice)){let e=It(
t);e?this.#b(e):this.#l.textContent=`plane=${t} in the address is no flow: the usual one is shown.`}this.redraw()}choose(t){
this.#b({...this.#t.choice,...t}),this.#w(dt(this.#t.choice))}#b(t){this.#t=new q(t),this.#l.textContent=this.#t.isDrawn?
ie:"",this.restart()}restart(){this.#t.restart(),this.rest(this.#t.nLayers),this.train(this.#t.fit!==null),this.#f=ws,this.#p=
!1}follow(t){this.#t.follow(t),this.redraw()}train(t=!this.#n){this.#n=t,this.#f=1/0,this.#o={steps:0,at:1/0},this.redraw()}step(){
this.train(!1),this.#t.step()}get#A(){return gt[this.controls.speed.value]}#c(t,s,e=()=>{}){let o=Math.min(this.#t.nLayers,
Math.max(0,s)),r=Math.abs(o-t)*this.#A[2]*1e3;this.#r.start(t,o,r,this.#M,e)}stepLayer(t){this.#c(this.#s,Math.round(this.#s)+
t)}open(t){this.#c(t,t+1)}playTo(t){let{nLayers:s}=this.#t,e=t==="data"?0:s;this.#c(this.#s===e?s-e:this.#s,e)}#M=t=>{this.#s=
t,this.redraw()};rest(t){this.#r.stop(),this.#M(t)}#d(){let t=this.#u,s=C(this.#h);return ds(s,this.root.clientWidth,t,this.#t,
this.#s)}#k(t){let{offsetX:s,offsetY:e,pointerId:o}=t,r=this.#d().map(i=>Bt(i.place(s,e),i.square));this.#i=r.indexOf(!0),
!(this.#i<0)&&(t.preventDefault(),this.#h.focus({preventScroll:!0}),this.#h.setPointerCapture(o),this.#S(t,!0))}#S({offsetX:t,
offsetY:s},e){if(this.#i<0)return;let[o,r]=[this.#t,this.#d()[this.#i]],i=r.place(t,s);if(o.isDrawn&&this.#i===0)o.scatter(
i);else if(o.fit){this.#i===1&&this.rest(Math.round(this.#s));let a=this.#i===1?this.#s:0;e?o.pick(i,a,ee*2*r.square[2]/
r.plot.w):o.moveTo(i,a)}this.redraw()}#g(){this.#i=-1,this.#t.isDrawn&&!this.#t.fit&&this.restart(),this.#t.fit&&(this.#l.
textContent=""),this.redraw()}#L(t){let s=Et[t.key],e=t.key===" "&&this.#t.isDrawn;if(!s&&!e)return;t.preventDefault();let[
o,r]=this.#t.place,i=2*this.#t.box[2]/ne;s?this.#t.moveTo([o+s[0]*i,r+s[1]*i],0):(this.#t.scatter([o,r]),this.#g()),this.
redraw()}redraw(){this.#e||(this.#e=requestAnimationFrame(this.#T))}#T=t=>{this.#e=0,this.#n&&this.#v(t),this.#O(),this.#n&&
this.redraw()};#v(t){let s=this.#t,e=this.#o.steps+Math.min(.1,Math.max(0,(t-this.#o.at)/1e3))*this.#A[1];for(let o=performance.
now()+se;e>=1;e--)s.step(),performance.now()>=o&&(e=Math.min(e,1));this.#o={steps:e,at:t},!s.fit||s.fit.isBroken?this.train(
!1):s.fit.steps>=this.#f&&(this.train(!1),this.#p||this.#c(s.nLayers,0,()=>this.#c(0,s.nLayers)))}#O(){let[t,s,e]=[this.#t,
this.#u,this.root.clientWidth];if(!s||!e)return;let o=t.fit?.steps??0,r=matchMedia("(prefers-reduced-motion: reduce)").matches,
i=o>this.#a&&o<this.#a+te;r&&this.#n&&i||(this.#a=o,X(this.#h,e,Tt(e).height),gs(this.#d(),t,{layer:this.#s,age:this.#n?
oe:1,colours:t.shares.map(a=>x(Ct(a,s.dark))),hasGrid:this.controls.grid.checked}),this.controls.show(t,this.#s,this.#n),
this.#m.element.hidden=!t.fit,t.fit&&this.#m.show(t,wt(this.#s),s),this.#y.textContent=Dt(t.choice,t.points.length/2),this.#h.
ariaLabel=`Step ${o}: ${ae}`,this.root.dataset.steps=String(o))}close(){this.#r.stop(),cancelAnimationFrame(this.#e),this.#e=
0,this.#x.disconnect()}},wn=$t({name:"flow-view",show:n=>new vt(n),state:"choice",file:{data:()=>({choice:decodeURIComponent(
location.hash.slice(1))||null}),told:n=>location.replace(`#${n}`)},cell:{trait:"choice",data:n=>({choice:n}),traits:n=>({
choice:n})}});export{vt as FlowView,wn as default};
