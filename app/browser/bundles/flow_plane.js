var Dt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function f(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[r,i]of Object.entries(e))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function A(n,t,e){return f("button",{type:"button",text:n,title:t,onclick:e})}function _(n,t,e=""){let s=f("span",{text:n});
t instanceof HTMLSelectElement&&(t.ariaLabel=n);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return f("label",
{title:e||null},o?[t,s]:[s,t])}function _t(n,t){let e=URL.createObjectURL(n);f("a",{href:e,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(e),1e4)}function wt(n){return n.toLocaleString("en")}function L(n){return n.getContext("2d")}var gt=1;
function yt(){return Math.max(gt,devicePixelRatio||1)}function zt(n,t){try{return gt=2,n(),t()}finally{gt=1,n()}}function X(n,t,e){
let s=yt();Object.assign(n,{width:t*s,height:e*s}),Object.assign(n.style,{width:`${t}px`,height:`${e}px`}),L(n).scale(s,
s)}function Wt(n){let t=atob(n),e=new Uint8Array(t.length);for(let s=0;s<t.length;s++)e[s]=t.charCodeAt(s);return e}var V=class{#t;#s=0;constructor(t){this.#t=t}call(t){this.stop(),this.#s=setTimeout(t,this.#t)}stop(){clearTimeout(this.#s)}};var Fe=300,Ce=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function Ht(n,t){let e=new V(Fe),s=()=>{
location.hash&&(t.place=Number.parseInt(location.hash.slice(1),10)||0)};s(),addEventListener("hashchange",s);let o=()=>history.
replaceState(null,"",`#${t.place}`);new MutationObserver(()=>e.call(o)).observe(n,{attributes:!0})}function qt(n){document.
documentElement.classList.toggle("alone",Ce),n.append(Re(n))}function Re(n){let t=f("input",{readonly:"","aria-label":"H\
TML that embeds the figure"}),e=A("Copy","Copy the line",()=>{t.select(),navigator.clipboard?.writeText(t.value)}),s=f("\
details",{class:"embed"},[f("summary",{text:"Embed this figure"}),t,e]);return s.addEventListener("toggle",()=>{let o=new URL(
`?only=figure${location.hash}`,location.href);t.value=`<iframe src="${o}" title="${document.title}" width="100%" height=\
"${n.offsetHeight}" style="border: 0" loading="lazy"></iframe>`}),s}var Y=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function J(n){
let t=getComputedStyle(n),e=(r,i)=>t.getPropertyValue(r).trim()||i,s=bt(e("--st-background-color","#ffffff")),o=bt(e("--\
st-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:S(s,o,.72),line:S(s,o,.2),
dim:S(s,o,.3),missing:S(s,o,.5),primary:bt(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function Z(n,t){
let s=(t?.16+.84*n:.92*n)*(Y.length-1),o=Math.min(Math.floor(s),Y.length-2);return S(Y[o],Y[o+1],s-o)}function S(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function y(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var K=null;function bt(n){K??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),K.fillStyle=n,K.fillRect(
0,0,1,1);let[t,e,s]=K.getImageData(0,0,1,1).data;return[t,e,s]}var Q=100;function jt(n,t){zt(()=>n.draw(),()=>Ne(n.parts)).toBlob(s=>s&&_t(s,`${t}.png`))}function Ne(n){let t=n.map(h=>h.
getBoundingClientRect()),e=yt(),s=e*Math.max(...t.map(h=>h.width)),o=e*t.reduce((h,l)=>h+l.height,0),r=f("canvas",{width:Math.
ceil(s),height:Math.ceil(o)}),[i,a]=[L(r),J(n[0])];i.fillStyle=y(a.background),i.fillRect(0,0,s,o),i.scale(e,e);let c=0;
return n.forEach((h,l)=>{i.save(),i.translate(-t[l].left,c-t[l].top);for(let u of[h,...h.querySelectorAll("canvas, .swat\
ch, .bar")])Pe(i,a,u);Ie(i,h),i.restore(),c+=t[l].height}),r}function Pe(n,t,e){let{left:s,top:o,width:r,height:i}=e.getBoundingClientRect();
if(!(!r||!i)){if(e instanceof HTMLCanvasElement)n.drawImage(e,s,o,r,i);else if(e.matches(".swatch"))n.fillStyle=getComputedStyle(
e).backgroundColor,n.fillRect(s,o,r,i);else if(e.matches(".scale .bar"))for(let a=0;a<Q;a++)n.fillStyle=y(Z(a/(Q-1),t.dark)),
n.fillRect(s+a*r/Q,o,r/Q+.5,i)}}function Ie(n,t){let[e,s]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(n.textAlign="center",n.textBaseline="middle";e.nextNode();){let o=e.currentNode,r=getComputedStyle(o.parentElement);
n.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,n.fillStyle=r.color;for(let{0:i,index:a}of o.data.matchAll(/\S+/g)){
s.setStart(o,a),s.setEnd(o,a+i.length);let{left:c,top:h,width:l,height:u}=s.getBoundingClientRect();!l||!u||(n.save(),n.
translate(c+l/2,h+u/2),r.writingMode.startsWith("vertical")&&n.rotate(-Math.PI/2),n.fillText(i,0,0),n.restore())}}}function Bt({show:n,...t}){let s={...t,show:i=>{let a=n(i);return De(a)&&i.append(A("Save PNG","Save the picture",()=>jt(
a,t.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&qe(s,o.textContent??"");let r=He(s);return i=>i?
r(i):{render:a=>je(s,a)}}function De(n){return"draw"in n&&"parts"in n}function _e(n){return"place"in n}function ze(n){return JSON.
parse(new TextDecoder().decode(n))}function We(n,t){n.calls+=1;let e=n.calls;return()=>{n.calls===e&&t()}}function He({name:n,
state:t,show:e}){let s=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{let a=r.querySelector(`.${n}`),c=s.
get(a)??{shown:e(a),calls:0};return s.set(a,c),c.shown.load(o,h=>i(t,h)),We(c,()=>c.shown.close?.())}}function qe({name:n,
show:t,file:e},s){let o=document.querySelector(`.${n}`),r=t(o),i=Wt(s.trim()),a=()=>r.load(e?.data(i)??ze(i),e?.told??(()=>{}));
a(),_e(r)&&Ht(o,r),qt(o),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function je({name:n,show:t,
cell:e},{model:s,el:o}){if(!e)return;let[r,i]=[f("div"),f("div",{class:n})],a=f("style",{text:String(s.get("sheet"))});r.
attachShadow({mode:"open"}).append(a,i),o.append(r);let c=t(i),h=()=>c.load(e.data(s.get(e.trait)),l=>{for(let[u,d]of Object.
entries(e.traits(l,c)))s.set(u,d);s.save_changes()});return h(),s.on(`change:${e.trait}`,h),()=>{s.off(`change:${e.trait}`,
h),c.close?.()}}var tt=class{#t=0;start(t,e,s,o,r=()=>{}){this.stop();let i=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),c=h=>{let l=Math.min(1,Math.max(0,(h-a)/s)),u=i&&s<=600?1:l,d=u===1?e:t+u*(e-t);o(i?Math.round(d):d),u<1?this.#t=requestAnimationFrame(
c):r()};this.#t=requestAnimationFrame(c)}stop(){cancelAnimationFrame(this.#t)}};function $(n){let t=n>>>0;return()=>{t=t+1831565813|0;let e=Math.imul(t^t>>>15,1|t);return e^=e+Math.imul(e^e>>>7,61|e),
((e^e>>>14)>>>0)/2**32}}function R(n){return()=>Math.sqrt(-2*Math.log(1-n()))*Math.cos(2*Math.PI*n())}function Ut(n,t){let e=Array.
from({length:n},(s,o)=>o);for(let s=n-1;s>0;s--){let o=Math.floor(t()*(s+1));[e[s],e[o]]=[e[o],e[s]]}return e}var z={moons:"two moons",spiral:"spiral",ring:"ring",blobs:"two blobs",banana:"banana",cone:"cone"},Be={moons:(n,t)=>{let e=Math.
PI*n(),s=n()<.5?1:-1,[o,r]=[s*(Math.cos(e)-.5),s*(Math.sin(e)-.25)];return[1.5*o+.12*t(),1.5*r+.12*t()]},spiral:(n,t)=>{
let e=3*Math.PI*Math.sqrt(.03+.97*n()),s=.26*e;return[s*Math.cos(e)+.08*t(),s*Math.sin(e)+.08*t()]},ring:(n,t)=>{let e=2*
Math.PI*n();return[1.8*Math.cos(e)+.15*t(),1.8*Math.sin(e)+.15*t()]},blobs:(n,t)=>{let e=n()<.5?-1:1;return[1.4*e+.4*t(),
.6*e+.4*t()]},banana:(n,t)=>{let e=t();return[e,.45*(e**2-1)+.25*t()]},cone:(n,t)=>{let e=0;for(let o=0;o<6;o++)e-=.4*Math.
log(1-n());let s=Math.PI/4+.22*t();return[e*Math.cos(s),e*Math.sin(s)]}};function Gt(n,t,e){let s=$(e),o=R(s),r=new Float64Array(
2*t);for(let i=0;i<t;i++)r.set(Be[n](s,o),2*i);return r}var W="drawn",xt={depth:["Depth",1,8,1,"Steps of the flow: ActNorm, reversal, coupling"],width:["Width",4,32,4,"Hidden u\
nits of each coupling's network"],lr:["Learning rate",5e-4,.02,5e-4,"Learning rate of Adam, constant"],seed:["Seed",0,9999,
1,"Seed of the points, the initial flow and the order of points"]},Xt={shape:"moons",coupling:"additive",depth:4,width:16,
lr:.003,seed:0};function At({shape:n,coupling:t,depth:e,width:s,lr:o,seed:r}){return[n,t,e,s,o,r].join("-")}function Vt(n){
let[t,e,...s]=n.split("-"),[o,r,i,a]=s.map(Number),c={depth:o,width:r,lr:i,seed:a};if(!((Object.hasOwn(z,t)||t===W)&&s.length===
4)||e!=="additive"&&e!=="affine")return null;for(let[l,[,u,d]]of Object.entries(xt)){let p=c[l];if(!(l==="lr"||Number.isInteger(
p))||!(u<=p&&p<=d))return null}return{shape:t,coupling:e,...c}}function Yt({shape:n,coupling:t,depth:e,width:s,lr:o,seed:r},i){
let a=z[n];return`${a?`${i} points, ${a}`:`${i} points drawn by hand`}, seed ${r}; ${e} steps of ActNorm, reversal and ${t}\
 coupling of width ${s}; Adam at a learning rate of ${o}, 256 points a step, trained in this browser.`}var Mt={slow:["slow motion",2,2.4],normal:["normal",60,.6],fast:["fast",600,.2]},Ue={data:"the data",draws:"draws from N\
(0, I), mapped back"},Ge={additive:"additive",affine:"affine"},Xe={ActNorm:"ActNorm",reversal:"⇄","additive coupling":"\
+ m","affine coupling":"· s + t"},et=class{#t=f("output");#s=f("output",{class:"below"});#e=f("ol",{class:"chips","aria\
-label":"Layers of the flow"});grid=f("input",{type:"checkbox",checked:"",onchange:()=>this.view.redraw()});constructor(t){
this.view=t,this.train=A("Train","Train the flow in this browser, or pause",()=>t.train()),this.step=A("One step","Take \
a single step of the optimiser",()=>t.step());let e=A("Start again","Fit again from the start",()=>t.restart()),s=Object.
entries(Mt).map(([i,[a]])=>[i,a]);this.speed=st(Object.fromEntries(s),()=>{}),this.speed.value="normal",this.layer=f("in\
put",{type:"range",min:0,step:.05,"aria-label":"Layer",oninput:()=>t.rest(Number(this.layer.value))});let o=[A("Back","U\
ndo one layer",()=>t.stepLayer(-1)),A("Forward","Apply one more layer",()=>t.stepLayer(1)),A("Play","From data to latent\
 space",()=>t.playTo("latent")),A("Play back","The inverse: from latent space to data",()=>t.playTo("data")),this.layer];
this.source=st(Ue,i=>t.follow(i)),this.ofFit=[e,...o,this.source],this.choices=Ve(t);let r=_("Speed",this.speed);this.element=
f("div",{class:"controls"},[Kt("Fit",[this.train,this.step,e,r,this.#t]),Kt("Layers",[...o,this.#s]),this.#e,f("div",{class:"\
row"},[_("Points",this.source),_("Grid of the latent space",this.grid)]),f("details",{},[f("summary",{text:"Other points\
, another flow"}),...this.choices.map(({text:i,control:a})=>_(i,a))])])}show({fit:t,choice:e,source:s},o,r){let[i,a,c]=[
t?.steps??0,t?.bits.at(-1),t?.flow.layers??[]];this.train.textContent=r?"Pause":"Train";for(let l of[this.train,this.step])
l.disabled=!t||t.isBroken;let h=a===void 0?"":`: ${a.toFixed(3)} bits per dimension`;this.#t.textContent=t?.isBroken?`di\
verged at step ${wt(i)}: lower the learning rate and start again`:`step ${wt(i)}${h}`,this.layer.max=String(c.length),this.
layer.matches(":active")||(this.layer.value=String(o)),this.#s.textContent=t?Ye(c,o):"";for(let l of this.ofFit)l.disabled=
!t;this.#n(c,o),this.source.value=s;for(let{name:l,control:u}of this.choices)u.matches(":focus")||(u.value=String(e[l]))}#n(t,e){
if(this.#e.childElementCount!==t.length){let s=t.map(({name:o},r)=>{let i=()=>this.view.open(r),a=A(Xe[o]??o,`Open layer\
 ${r+1}: ${o}`,i);return a.ariaLabel=a.title,a.className=o.endsWith("coupling")?"coupling":"",f("li",{},[a])});this.#e.replaceChildren(
...s)}this.#e.querySelectorAll("button").forEach((s,o)=>{s.ariaCurrent=o===St(e)?"step":"false"})}};function St(n){return Math.
max(0,Math.ceil(n)-1)}function Ve(n){let t={...z,[W]:"draw your own"},e=Object.entries(xt).map(([s,[o,r,i,a,c]])=>{let l=f(
"input",{type:"number",min:r,max:i,step:a,title:c,onchange:()=>{l.reportValidity()&&n.choose({[s]:Number(l.value)})}});return{
name:s,text:o,control:l}});return[{name:"shape",text:"Shape",control:st(t,s=>n.choose({shape:s}))},{name:"coupling",text:"\
Coupling",control:st(Ge,s=>n.choose({coupling:s}))},...e]}function st(n,t){let e=Object.entries(n).map(([o,r])=>f("optio\
n",{value:o,text:String(r)})),s=f("select",{onchange:()=>t(s.value)},e);return s}function Kt(n,t){return f("div",{class:"\
row"},[f("span",{class:"name",text:n}),...t])}function Ye(n,t){let e=Math.round(t);if(e===0)return"data space, before th\
e first layer";let s=e===n.length?": latent space":"";return`after layer ${e} of ${n.length}, ${n[e-1].name}${s}`}function kt(n,t,e){let s=n.length/t,[o,r]=[new Float64Array(t),new Float64Array(t)];for(let a=0;a<n.length;a++)o[a%t]+=n[a]/
s;for(let a=0;a<n.length;a++)r[a%t]+=(n[a]-o[a%t])**2/s;let i=e?1:Math.sqrt(Math.max(...r));return{b:o.map(a=>-a),logs:r.
map(a=>{let c=Math.sqrt(a);return c>1e-6*i?-Math.log(c)/3:0})}}function T(n){return n.map(t=>Math.exp(3*t))}var N=class{constructor(t,e,s){
this.w=t,this.b=new Float64Array(e),this.logs=new Float64Array(e),this.nIn=t.length/e,this.isHidden=s,this.parameters=[this.
w,this.b,this.logs],this.gradients=this.parameters.map(o=>new Float64Array(o.length))}forward(t){let{b:e,isHidden:s}=this,
o=T(this.logs);return this.#t(t).map((r,i)=>{let a=(r+e[i%e.length])*o[i%e.length];return s?Math.max(0,a):a})}#t(t){let{
w:e,nIn:s,b:o}=this,r=new Float64Array(t.length/s*o.length);for(let i=0,a=0;i<t.length;i+=s)for(let c=0;c<e.length;c+=s,
a++){let h=0;for(let l=0;l<s;l++)h+=e[c+l]*t[i+l];r[a]=h}return r}backward(t,e,s){let{w:o,nIn:r,isHidden:i}=this,[a,c,h]=this.
gradients,l=T(this.logs),u=new Float64Array(t.length);for(let d=0;d<e.length;d++){if(i&&e[d]===0)continue;let p=d%c.length,
[m,b]=[p*r,(d-p)/c.length*r],x=s[d]*l[p];h[p]+=3*s[d]*e[d],c[p]+=x;for(let k=0;k<r;k++)a[m+k]+=x*t[b+k],u[b+k]+=x*o[m+k]}
return u}initialize(t){let{b:e,logs:s}=kt(this.#t(t),this.b.length,!0);return this.b.set(e),this.logs.set(s),this.forward(
t)}};var Ke=.05,O=class{name="ActNorm";b=new Float64Array(2);logs=new Float64Array(2);parameters=[this.b,this.logs];gradients=[
new Float64Array(2),new Float64Array(2)];constructor(t){this.isUnit=t}forward(t){let e=T(this.logs),s=t.map((r,i)=>(r+this.
b[i%2])*e[i%2]),o=3*(this.logs[0]+this.logs[1]);return{y:s,ladj:new Float64Array(t.length/2).fill(o)}}inverse(t){let e=T(
this.logs);return t.map((s,o)=>s/e[o%2]-this.b[o%2])}backward({y:t},e,s){let[o,r]=this.gradients,i=T(this.logs),a=e.map(
(c,h)=>c*i[h%2]);for(let c=0;c<a.length;c++)o[c%2]+=a[c],r[c%2]+=3*(e[c]*t[c]+s);return a}initialize(t){let{b:e,logs:s}=kt(
t,2,this.isUnit);return this.b.set(e),this.logs.set(s),this.forward(t).y}},nt=n=>n.map((t,e)=>n[e^1]),Zt={name:"reversal",
parameters:[],gradients:[],forward:n=>({y:nt(n),ladj:new Float64Array(n.length/2)}),inverse:nt,backward:(n,t)=>nt(t),initialize:nt},
F=class{constructor(t,e,s){this.name=`${t} coupling`,this.isAffine=t==="affine";let o=this.isAffine?2:1,r=i=>new Float64Array(
i).map(()=>Ke*s());this.network=[new N(r(e),e,!0),new N(r(e*e),e,!0),new N(new Float64Array(o*e),o,!1)],this.parameters=
this.network.flatMap(i=>i.parameters),this.gradients=this.network.flatMap(i=>i.gradients)}effect(t){let e=[t];for(let r of this.
network)e.push(r.forward(e[e.length-1]));let s=e[e.length-1];if(!this.isAffine)return{kept:e,shift:s,logScale:new Float64Array(
t.length)};let o=t.map((r,i)=>-Math.log1p(Math.exp(-(s[2*i+1]+2))));return{kept:e,shift:t.map((r,i)=>s[2*i]),logScale:o}}forward(t){
let{kept:e,shift:s,logScale:o}=this.effect(vt(t));return{y:t.map((i,a)=>a%2?(i+s[a>>1])*Math.exp(o[a>>1]):i),ladj:o,kept:e}}inverse(t){
let{shift:e,logScale:s}=this.effect(vt(t));return t.map((o,r)=>r%2?o*Math.exp(-s[r>>1])-e[r>>1]:o)}backward({y:t,ladj:e,
kept:s=[]},o,r){let i=o.map((c,h)=>h%2?c*Math.exp(e[h>>1]):c),a=s[3].map((c,h)=>{let l=this.isAffine?h>>1:h;return!this.
isAffine||h%2===0?i[2*l+1]:(o[2*l+1]*t[2*l+1]+r)*(1-Math.exp(e[l]))});for(let c=2;c>=0;c--)a=this.network[c].backward(s[c],
s[c+1],a);return i.map((c,h)=>h%2?c:c+a[h>>1])}initialize(t){let[e,s]=this.network;return s.initialize(e.initialize(vt(t))),
this.forward(t).y}};function vt(n){return new Float64Array(n.length/2).map((t,e)=>n[2*e])}var ot=class{constructor({depth:t,width:e,coupling:s,seed:o}){let r=R($(o));this.layers=Array.from({length:t},(i,a)=>[new O(
a>0),Zt,new F(s,e,r)]).flat(),this.parameters=this.layers.flatMap(i=>i.parameters),this.gradients=this.layers.flatMap(i=>i.
gradients)}initialize(t){this.layers.reduce((e,s)=>s.initialize(e),t)}trace(t){let e=this.#t(t);return{states:[t,...e.map(
({y:s})=>s)],ladj:e.map(({ladj:s})=>s)}}#t(t){let e=t;return this.layers.map(s=>{let o=s.forward(e);return e=o.y,o})}back(t,e=this.
layers.length){let s=[t];for(let o=e-1;o>=0;o--)s.unshift(this.layers[o].inverse(s[0]));return s}logProb(t){return Qt(this.
trace(t))}loss(t){for(let a of this.gradients)a.fill(0);let e=this.#t(t),s=e[e.length-1].y,o=1/(Math.LN2*t.length),r=s.map(
a=>a*o);for(let a=e.length-1;a>=0;a--)r=this.layers[a].backward(e[a],r,-o);let i=Qt({states:[s],ladj:e.map(({ladj:a})=>a)});
return-o*i.reduce((a,c)=>a+c,0)}};function Qt({states:n,ladj:t}){let e=n[n.length-1];return new Float64Array(e.length/2).
map((s,o)=>t.reduce((r,i)=>r+i[o],Lt(e[2*o],e[2*o+1])))}function Lt(n,t){return-.5*(n*n+t*t)-Math.log(2*Math.PI)}function te(n,t){
let e=n.forward(Float64Array.from(t)),[s,o]=n.backward(e,Float64Array.of(1,0),0),[r,i]=n.backward(e,Float64Array.of(0,1),
0);return[s,o,r,i]}var Je=256,[Tt,Et,Ze]=[.9,.999,1e-6];function Qe({parameters:n,gradients:t},e){let[s,o]=[0,1].map(()=>n.map(i=>new Float64Array(
i.length))),r=0;return()=>{r+=1;let[i,a]=[1-Tt**r,1-Et**r];n.forEach((c,h)=>{let[l,u,d]=[s[h],o[h],t[h]];for(let p=0;p<c.
length;p++){let m=d[p];l[p]=Tt*l[p]+(1-Tt)*m,u[p]=Et*u[p]+(1-Et)*m*m,c[p]-=e*l[p]/i/(Math.sqrt(u[p]/a)+Ze)}})}}var rt=class{#t=[];bits=[];constructor(t,e){
this.points=t,this.flow=new ot(e),this.flow.initialize(t),this.move=Qe(this.flow,e.lr),this.uniform=$(e.seed+1)}get steps(){
return this.bits.length}get isBroken(){return this.steps>0&&!Number.isFinite(this.bits[this.steps-1])}step(){let t=this.
points.length/2,e=Math.min(Je,t);this.#t.length<e&&(this.#t=Ut(t,this.uniform));let s=this.#t.splice(0,e).flatMap(o=>[this.
points[2*o],this.points[2*o+1]]);this.bits.push(this.flow.loss(Float64Array.from(s))),this.isBroken||this.move()}};function it(n,{x:t,y:e,w:s,h:o},r){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),r(),n.restore()}function ee(n,[t,e],s){
n.beginPath(),n.arc(t,e,s,0,2*Math.PI),n.fill()}function se(n,t,[e,s],o){let[r,i]=[-1,o];for(let a=0;a<n;a++){let[c,h]=t(
a),l=Math.hypot(c-e,h-s);l<i&&([r,i]=[a,l])}return r}function H(n,t,{colour:e,width:s,halo:o},r){let i=[[t.background,s+
o],[e,s]];for(let[a,c]of i)n.beginPath(),r(),n.lineWidth=c,n.strokeStyle=y(a),n.stroke()}function at(n,t){return(e,s,o,{
align:r="left",colour:i=t.muted,weight:a=400,halo:c=!1}={})=>{n.font=`${a} 11.5px ${t.font}`,n.textAlign=r,n.fillStyle=y(
i),c&&(n.strokeStyle=y(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}var $t=3.3,ts=.25,[ne,es]=[9,3],q=41,oe=[0,0,$t];function Ot(n,t){let e=n.filter((s,o)=>o%2===t);return{values:e,low:Math.
min(...e),high:Math.max(...e)}}function re(n){let{values:t,low:e,high:s}=Ot(n,0);return t.map(o=>(o-e)/(s-e||1))}function ie(n){
let[t,e]=[Ot(n,0),Ot(n,1)],s=Math.max(t.high-t.low,e.high-e.low)/2*(1+ts);return[(t.low+t.high)/2,(e.low+e.high)/2,s]}function ae([
n,t,e],s){let o=r=>e*((2*r+1)/s-1);return new Float64Array(2*s*s).map((r,i)=>{let a=i>>1;return i%2?t+o(Math.floor(a/s)):
n+o(a%s)})}function ce(){let n=(e,s)=>es*(2*e/(s-1)-1),t=[];for(let e of[!1,!0])for(let s=0;s<ne;s++)for(let o=0;o<q;o++){
let[r,i]=[n(s,ne),n(o,q)];t.push(...e?[i,r]:[r,i])}return Float64Array.from(t)}function he(n,t,e){let s=r=>[n[2*r],n[2*r+
1]],o=se(n.length/2,s,t,e);return o<0?null:o}function le(n,t){let e=n.length-1,s=r=>{if(r>=e)return $t;let i=n[r].reduce(
(a,c)=>Math.max(a,Math.abs(c)),0);return Math.max($t,1.05*i)},o=Math.floor(t);return[0,0,s(o)+(t-o)*(s(o+1)-s(o))]}function ct(n,t){
let e=Math.floor(t),[s,o]=[n[e],t-e];if(o===0)return s;let r=n[e+1];return s.map((i,a)=>i+o*(r[a]-i))}var fe=600,[ss,ns]=[8,2e3],[os,rs]=[4,.12],is=[0,0,3],as=40,cs=ce(),j=class{#t=0;#s=new Map;#e=R($(7));#n=new Float64Array(
2*fe).map(()=>this.#e());row=0;#c=[0,0];source="data";fit=null;shares=[];constructor(t){this.choice=t;let e=t.shape;this.
points=this.isDrawn?new Float64Array:Gt(e,fe,t.seed),this.box=this.isDrawn?is:ie(this.points),this.restart(),this.follow(
"data")}restart(){let t=this.points.length>=2*ss;this.fit=t?new rt(this.points,this.choice):null,this.#t+=1}step(){this.
fit?.step(),this.#t+=1}get isDrawn(){return this.choice.shape===W}get flow(){return this.fit.flow}get nLayers(){return 3*
this.choice.depth}follow(t){this.source=t,this.row=this.isDrawn&&t==="data"?null:0,this.#o()}#o(){this.shares=[...re(this.
source==="data"?this.points:this.#n)],this.#t+=1}#r(t,e,s=1){let o=this.#s.get(t);if(o&&this.#t-o.version<s)return o.value;
let r=e();return this.#s.set(t,{version:this.#t,value:r}),r}get followed(){return this.source==="data"?this.points:this.#r(
"followed",()=>this.flow.back(this.#n)[0])}get trace(){return this.#r("trace",()=>this.flow.trace(this.followed))}get way(){
return this.#r("way",()=>this.flow.trace(Float64Array.from(this.place)))}lines(t){return this.#r("lines",()=>this.flow.back(
cs),t)}density(t){let e=()=>this.flow.logProb(ae(this.box,as)).map(Math.exp);return this.#r("density",e,t)}get place(){return this.
row===null?this.#c:[this.followed[2*this.row],this.followed[2*this.row+1]]}pick(t,e,s){this.row=he(this.trace.states[e],
t,s),this.moveTo(t,e)}moveTo(t,e){let[s,o]=e?this.flow.back(Float64Array.from(t),e)[0]:t;this.#t+=1,this.row===null?this.#c=
[s,o]:this.source==="data"?this.points.set([s,o],2*this.row):this.#n.set(this.flow.trace(Float64Array.of(s,o)).states[this.
nLayers],2*this.row)}scatter(t){let e=Math.min(os,ns-this.points.length/2),s=Array.from({length:2*e},(o,r)=>t[r%2]+rs*this.#e());
this.points=Float64Array.of(...this.points,...s),this.fit&&(this.fit.points=this.points),this.#o()}};var[pe,hs,ue,ls]=[46,10,16,34],de={across:40,up:28},fs=[1,2,5,10],ps=12,ht=[[],[7,3],[2,3],[9,3,2,3]];function we(n,t,e,s){
let{title:o="",titles:r,lines:i,hasZero:a,at:c,rug:h=[]}=s,l=at(n,t),u=i.filter(({name:w})=>w),d=ue*((s.names??u.length)+
+(o!==""))+10,[p,m]=[e.x+pe,e.y+d],[b,x]=[e.w-pe-hs,e.h-ls-d],[k,E]=[p+b,m+x],U=me(i.map(({x:w})=>w)),G=us(me([...i.map(
({y:w})=>w),a?[0]:[]])),P=w=>p+b*(w-U[0])/(U[1]-U[0]||1),dt=w=>E-x*(w-G[0])/(G[1]-G[0]);l(o,e.x,e.y+12,{weight:600,colour:t.
ink}),n.strokeStyle=y(S(t.background,t.ink,.45)),n.lineWidth=1,n.strokeRect(p+.5,m+.5,b-1,x-1);for(let{value:w,text:v}of ge(
U,b/de.across))l(v,Math.min(P(w),k-8),E+14,{align:"center"});for(let{value:w,text:v}of ge(G,x/de.up))l(v,p-5,dt(w)+4,{align:"\
right"});l(r[0],p+b/2,E+29,{align:"center"}),n.save(),n.translate(e.x+12,m+x/2),n.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),n.restore(),it(n,{x:p,y:m,w:b,h:x},()=>{for(let w of Array.from(h))Ft(n,y(t.ink,.18),P(w),E,-7);c!==void 0&&Ft(
n,y(t.muted),P(c),E,-x),i.forEach(({colour:w,mark:v,...C},I)=>{if(n.setLineDash(ht[I%ht.length]),H(n,t,{colour:w,width:2,
halo:2},()=>{for(let D=0;D<C.x.length;D++)Number.isFinite(C.y[D])&&n.lineTo(P(C.x[D]),dt(C.y[D]))}),n.setLineDash([]),!v)
return;let[It,mt]=[P(v[0]),dt(v[1])];n.setLineDash([3,3]),Ft(n,y(t.muted),It,mt,E-mt),n.setLineDash([]),n.fillStyle=y(w),
ee(n,[It,mt],5)})}),u.forEach(({name:w,colour:v},C)=>{let I=e.y+ue*(C+(o?1:0))+8;n.strokeStyle=y(v),n.lineWidth=2,n.setLineDash(
ht[C%ht.length]),n.beginPath(),n.moveTo(e.x,I),n.lineTo(e.x+24,I),n.stroke(),n.setLineDash([]),l(w,e.x+30,I+4,{colour:t.
ink})})}function Ft(n,t,e,s,o){n.strokeStyle=t,n.lineWidth=1,n.beginPath(),n.moveTo(e,s),n.lineTo(e,s+o),n.stroke()}function me(n){
let t=n.flatMap(e=>Array.from(e)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function us([n,t]){let e=Math.
max(.1-(t-n)/2,.06*(t-n));return[n-e,t+e]}function ge([n,t],e){let s=(t-n)/e,o=10**Ct(s),r=o*(fs.find(c=>c*o>=s)??10),[i,
a]=[Math.ceil(n/r),Math.floor(t/r)];return Array.from({length:a-i+1},(c,h)=>{let l=(i+h)*r;return{value:l,text:ds(l,r)}})}
function ds(n,t){let e=n?Ct(n)-Ct(t)+1:1,s=Math.min(ps,Math.max(1,e));return n.toLocaleString("en",{maximumSignificantDigits:s})}
function Ct(n){return Math.floor(Math.log10(Math.abs(n)))}var ye=161,Rt=[[0,114,178],[213,94,0]];function g(n,t=3){let e=Math.abs(n).toFixed(t);return n<0&&Number(e)!==0?`−${e}`:
e}function M(n){let t=g(n);return t.startsWith("−")?`(${t})`:t}function be(n,[t,e]){let[s,o]=n.forward(Float64Array.of(
t,e)).y;if(n instanceof O){let[l,u]=T(n.logs);return[`z₁ = (x₁ + b₁) · s₁ = (${M(t)} + ${M(n.b[0])}) · ${g(l)}\
 ≈ ${g(s)}`,`z₂ = (x₂ + b₂) · s₂ = (${M(e)} + ${M(n.b[1])}) · ${g(u)} ≈ ${g(o)}`,"back: x = z / s − b"]}
if(!(n instanceof F))return[`z₁ = x₂ = ${g(s)}`,`z₂ = x₁ = ${g(o)}`,"back: the same swap. The next coupling chan\
ges the coordinate that the last one kept."];let{shift:r,logScale:i}=n.effect(Float64Array.of(t)),[a,c]=[M(r[0]),g(Math.
exp(i[0]))],h=`z₁ = x₁ = ${g(s)}`;return n.isAffine?[h,`z₂ = (x₂ + t(x₁)) · s(x₁) = (${M(e)} + ${a}) · ${c}\
 ≈ ${g(o)}`,`back: x₂ = z₂ / s(z₁) − t(z₁) = ${M(o)} / ${c} − ${a} ≈ ${g(e)}`]:[h,`z₂ = x₂ + m(x₁) = ${M(
e)} + ${a} ≈ ${g(o)}`,`back: x₂ = z₂ − m(z₁) = ${M(o)} − ${a} ≈ ${g(e)}`]}function xe(n,[t,e,s,o]){let r=t*
o-e*s,i=`det = ${M(t)} · ${M(o)} − ${M(e)} · ${M(s)}`,[a,c]=n instanceof O?["≈",": it scales all areas by the same\
 factor"]:n instanceof F?n.isAffine?["≈",": it scales areas by a factor that depends on x₁"]:["=",", whatever m is: \
areas keep their size"]:["=",": areas keep their size and are mirrored"],h=g(Math.log(Math.abs(r)));return`${i} ${a} ${g(
r)}${c}; log |det| = ${h} nats`}function Ae(n,[t,e],s){let o=n instanceof O;if(!o&&!(n instanceof F))return null;let r=o?
s:s.filter((p,m)=>m%2===0),[i,a]=[Math.min(...r,t),Math.max(...r,t)],c=new Float64Array(ye).map((p,m)=>i+(a-i)*m/(ye-1)),
h=(p,m,b,x)=>({name:m,colour:Rt[p],x:c,y:x(c),mark:[b,x(Float64Array.of(b))[0]]});if(o){let p=T(n.logs),m=x=>k=>k.map(E=>(E+
n.b[x])*p[x]);return{lines:[h(0,"z₁ of x₁",t,m(0)),h(1,"z₂ of x₂",e,m(1))],titles:["x","z"]}}let{isAffine:l}=n,u=h(
0,l?"t(x₁)":"",t,p=>n.effect(p).shift);if(!l)return{lines:[u],titles:["x₁","m(x₁)"],rug:r};let d=h(1,"s(x₁)",t,p=>n.
effect(p).logScale.map(Math.exp));return{lines:[u,d],titles:["x₁","t and s"],rug:r}}var[Me,Se]=[340,220],ms=600,gs={additive:"Reversals and additive couplings preserve area. Only ActNorm changes it, by on\
e factor everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a bridge.",affine:"Affine couplings\
 stretch each point by its own factor, so p(x) can have several peaks of different heights."},lt=class{title=f("h2");curve=f(
"canvas",{role:"img"});lines=f("div",{class:"formula"});matrix=f("div",{class:"matrix",role:"img"});determinant=f("p");loss=f(
"canvas",{role:"img","aria-label":"Bits per dimension of each step of the fit"});terms=f("p");volume=f("p");element=f("d\
iv",{class:"opened"},[f("div",{},[this.curve]),f("div",{},[this.title,this.lines,f("div",{class:"row"},[f("span",{text:"\
Jacobian ∂z/∂x ="}),this.matrix]),this.determinant]),f("div",{},[this.loss]),f("div",{class:"whole"},[this.terms,this.
volume])]);show(t,e,s){let o=t.flow.layers[e],[r,i]=t.way.states[e],a=te(o,[r,i]);this.title.textContent=`Layer ${e+1}: ${o.
name}, for the marked point`,this.lines.replaceChildren(...be(o,[r,i]).map(h=>f("div",{text:h}))),this.matrix.replaceChildren(
...a.map(h=>f("span",{text:g(h)}))),this.matrix.ariaLabel=`rows ${a.map(h=>g(h)).join(", ")}`,this.determinant.textContent=
xe(o,a);let c=Ae(o,[r,i],t.trace.states[e]);this.#t(this.curve,s,c),this.curve.ariaLabel=`${c?.titles[1]} against ${c?.titles[0]}`,
this.#t(this.loss,s,ws(t.fit?.bits??[])),this.terms.textContent=ys(t),this.volume.textContent=gs[t.choice.coupling]}#t(t,e,s){
if(t.hidden=!s,!s)return;let o=Math.min(Me,this.curve.parentElement?.clientWidth??Me);X(t,o,Se),we(L(t),e,{x:0,y:0,w:o,h:Se},
s)}};function ws(n){if(n.length<2)return null;let t=Math.ceil(n.length/ms),e=n.filter((o,r)=>r%t===0),s=e.map((o,r)=>r*t+
1);return{lines:[{name:"",colour:Rt[0],x:s,y:e}],titles:["step","bits per dimension"]}}function ys({place:[n,t],way:{states:e,
ladj:s}}){let[o,r]=e[e.length-1],[i,a]=[Lt(o,r),s.reduce((h,[l])=>h+l,0)],c=a<0?"−":"+";return`All layers: x = (${g(n)}\
, ${g(t)}) goes to z = (${g(o)}, ${g(r)}), and log p(x) = log N(z; 0, I) + Σ log |det| = ${g(i)} ${c} ${g(Math.abs(a))}\
 = ${g(i+a)} nats.`}var ft=1.7,[pt,ke]=[9,.45],bs=.62,xs=.6,ve={colour:[213,94,0],width:2,halo:3},B=class{constructor(t,e,s,o,r){this.context=
t,this.theme=e,this.plot=s,this.square=o,this.letter=r}holds(t,e){let{x:s,y:o,w:r,h:i}=this.plot;return t>=s&&t<=s+r&&e>=
o&&e<=o+i}pixel(t,e){let[s,o,r]=this.square,{x:i,y:a,w:c}=this.plot;return[i+c*(t-s+r)/(2*r),a+c*(o+r-e)/(2*r)]}place(t,e){
let[s,o,r]=this.square,{x:i,y:a,w:c}=this.plot;return[s-r+2*r*(t-i)/c,o+r-2*r*(e-a)/c]}within(t){let{context:e,theme:s,plot:o,
letter:r}=this,[i,a,c]=this.square,{x:h,y:l,w:u,h:d}=o;it(e,o,t),e.strokeStyle=y(S(s.background,s.ink,.45)),e.lineWidth=
1,e.strokeRect(h+.5,l+.5,u-1,d-1);let p=at(e,s),[m,b]=[h-5,l+d+14];p((i-c).toFixed(1),h,b),p(`${r}₁`,h+u/2,b,{align:"c\
enter"}),p((i+c).toFixed(1),h+u,b,{align:"right"}),p((a+c).toFixed(1),m,l+10,{align:"right"}),p(`${r}₂`,m,l+d/2+4,{align:"\
right"}),p((a-c).toFixed(1),m,l+d,{align:"right"})}density(t){let{context:e,theme:s,plot:o}=this,r=Math.round(Math.sqrt(
t.length)),i=t.reduce((h,l)=>Math.max(h,l),0)||1,a=new ImageData(r,r);t.forEach((h,l)=>{let u=4*((r-1-Math.floor(l/r))*r+
l%r);a.data.set(S(s.background,s.ink,bs*(h/i)**xs),u),a.data[u+3]=255});let c=f("canvas",{width:r,height:r});L(c).putImageData(
a,0,0),e.imageSmoothingQuality="high",e.drawImage(c,o.x,o.y,o.w,o.h)}lines(t,e){let{context:s,theme:o}=this;s.strokeStyle=
y(S(o.background,o.primary,.75)),s.lineWidth=1,s.beginPath();for(let r=0;2*r<t.length;r++){let[i,a]=this.pixel(t[2*r],t[2*
r+1]);r%e?s.lineTo(i,a):s.moveTo(i,a)}s.stroke()}circles(){let{context:t,theme:e,plot:s,square:o}=this,[r,i]=this.pixel(
0,0);t.strokeStyle=y(e.ink),t.lineWidth=1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(r,i,a*s.w/(2*o[2]),
0,2*Math.PI),t.stroke();t.setLineDash([])}points(t,e){let{context:s}=this;e.forEach((o,r)=>{let[i,a]=this.pixel(t[2*r],t[2*
r+1]);s.fillStyle=o,s.fillRect(i-ft,a-ft,2*ft,2*ft)})}arrow(t,e){let{context:s,theme:o}=this,[[r,i],[a,c]]=[this.pixel(...t),
this.pixel(...e)],[h,l]=[Math.hypot(a-r,c-i),Math.atan2(c-i,a-r)];if(h<2*pt)return;let u=h-pt-3,[d,p]=[r+u*Math.cos(l),i+
u*Math.sin(l)];H(s,o,ve,()=>{s.moveTo(r,i),s.lineTo(d,p);for(let m of[-ke,ke])s.moveTo(d,p),s.lineTo(d-pt*Math.cos(l+m),
p-pt*Math.sin(l+m))})}mark([t,e]){let{context:s,theme:o}=this,[r,i]=this.pixel(t,e);H(s,o,ve,()=>{s.arc(r,i,6,0,2*Math.PI),
s.moveTo(r-11,i),s.lineTo(r+11,i),s.moveTo(r,i-11),s.lineTo(r,i+11)})}};var[ut,Le,Te,As]=[34,48,22,460],Ms=560;function Nt(n){let t=n>Ms,e=Math.min(As,t?(n-ut-Le)/2:n-ut-2),s={x:ut,y:0,w:e,h:e},
o=t?{...s,x:ut+e+Le}:{...s,y:e+Te};return{height:(t?1:2)*(e+Te),plots:[s,o]}}function Ee(n,t,e,s,o){let[r,i]=Nt(t).plots,
a=s.fit?le(s.trace.states,o):oe,c=o===s.nLayers?"z":"h";return[new B(n,e,r,s.box,"x"),new B(n,e,i,a,c)]}function $e([n,t],e,{
layer:s,age:o,hasGrid:r,colours:i}){let{fit:a}=e;n.within(()=>{a&&n.density(e.density(o)),a&&r&&n.lines(e.lines(o)[0],q),
n.points(a?e.followed:e.points,i),n.mark(e.place)}),t.within(()=>{if(!a)return;r&&t.lines(ct(e.lines(o),s),q),t.points(ct(
e.trace.states,s),i),s===e.nLayers&&t.circles();let{states:c}=e.way,h=Math.max(1,Math.ceil(s)),[[l,u],[d,p],[m,b]]=[c[h-
1],c[h],ct(c,s)];t.arrow([l,u],[d,p]),t.mark([m,b])})}var Oe=1200,Ss=100,ks=10,vs=14,Ls=40,Ts=3,Es="Left: the data, the flow's density p(x) in grey, and the grid of the laten\
t space mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard d\
eviations. Drag a point on either side: it moves through the whole map.",$s="Drag over the left square to scatter points\
; or move with the arrow keys and press Space.",Os="the data with the flow's density, and the points after the layers. A\
rrow keys move the marked point.",Pt=class{#t=new j(Xt);#s=new tt;#e=this.#t.nLayers;#n=0;#c=0;#o=!0;#r={steps:0,at:1/0};#f=Oe;#p=!1;#i=-1;#u=null;#w=()=>{};#l=f(
"p",{role:"status"});#y=f("p",{class:"recipe"});#d=new lt;#b=new ResizeObserver(()=>this.redraw());#a=f("canvas",{tabindex:0,
role:"application",onpointerdown:t=>this.#k(t),onpointermove:t=>this.#S(t,!1),onpointerup:()=>this.#g(),onpointercancel:()=>this.#g(),
onkeydown:t=>this.#v(t)});constructor(t){this.root=t,this.controls=new et(this),t.replaceChildren(this.#a,this.#l,this.controls.
element,this.#d.element,this.#y,f("p",{text:Es}));for(let e of["pointerdown","keydown"])t.addEventListener(e,()=>{this.#p=
!0});this.#b.observe(t)}load({choice:t},e){if(this.#w=e,this.#u=J(this.root),t!==null&&t!==At(this.#t.choice)){let s=Vt(
t);s?this.#x(s):this.#l.textContent=`plane=${t} in the address is not a flow, so the default flow is shown.`}this.redraw()}choose(t){
this.#x({...this.#t.choice,...t}),this.#w(At(this.#t.choice))}#x(t){this.#t=new j(t),this.#l.textContent=this.#t.isDrawn?
$s:"",this.restart()}restart(){this.#t.restart(),this.rest(this.#t.nLayers),this.train(this.#t.fit!==null),this.#f=Oe,this.#p=
!1}follow(t){this.#t.follow(t),this.redraw()}train(t=!this.#o){this.#o=t,this.#f=1/0,this.#r={steps:0,at:1/0},this.redraw()}step(){
this.train(!1),this.#t.step()}get#A(){return Mt[this.controls.speed.value]}#h(t,e,s=()=>{}){let o=Math.min(this.#t.nLayers,
Math.max(0,e)),r=Math.abs(o-t)*this.#A[2]*1e3;this.#s.start(t,o,r,this.#M,s)}stepLayer(t){this.#h(this.#e,Math.round(this.#e)+
t)}open(t){this.#h(t,t+1)}playTo(t){let{nLayers:e}=this.#t,s=t==="data"?0:e;this.#h(this.#e===s?e-s:this.#e,s)}#M=t=>{this.#e=
t,this.redraw()};rest(t){this.#s.stop(),this.#M(t)}#m(){let t=this.#u,e=L(this.#a);return Ee(e,this.root.clientWidth,t,this.#t,
this.#e)}#k(t){let{offsetX:e,offsetY:s,pointerId:o}=t;this.#i=this.#m().findIndex(r=>r.holds(e,s)),!(this.#i<0)&&(t.preventDefault(),
this.#a.focus({preventScroll:!0}),this.#a.setPointerCapture(o),this.#S(t,!0))}#S({offsetX:t,offsetY:e},s){if(this.#i<0)return;
let[o,r]=[this.#t,this.#m()[this.#i]],i=r.place(t,e);if(o.isDrawn&&this.#i===0)o.scatter(i);else if(o.fit){this.#i===1&&
this.rest(Math.round(this.#e));let a=this.#i===1?this.#e:0;s?o.pick(i,a,vs*2*r.square[2]/r.plot.w):o.moveTo(i,a)}this.redraw()}#g(){
this.#i=-1,this.#t.isDrawn&&!this.#t.fit&&this.restart(),this.#t.fit&&(this.#l.textContent=""),this.redraw()}#v(t){let e=Dt[t.
key],s=t.key===" "&&this.#t.isDrawn;if(!e&&!s)return;t.preventDefault();let[o,r]=this.#t.place,i=2*this.#t.box[2]/Ls;e?this.#t.
moveTo([o+e[0]*i,r+e[1]*i],0):(this.#t.scatter([o,r]),this.#g()),this.redraw()}redraw(){this.#n||(this.#n=requestAnimationFrame(
this.#L))}#L=t=>{this.#n=0,this.#o&&this.#T(t),this.draw(),this.#o&&this.redraw()};#T(t){let e=this.#t,s=this.#r.steps+Math.
min(.1,Math.max(0,(t-this.#r.at)/1e3))*this.#A[1];for(let o=performance.now()+ks;s>=1;s--)e.step(),performance.now()>=o&&
(s=Math.min(s,1));this.#r={steps:s,at:t},!e.fit||e.fit.isBroken?this.train(!1):e.fit.steps>=this.#f&&(this.train(!1),this.#p||
this.#h(e.nLayers,0,()=>this.#h(0,e.nLayers)))}get parts(){return[this.#a]}draw(){let[t,e,s]=[this.#t,this.#u,this.root.
clientWidth];if(!e||!s)return;let o=t.fit?.steps??0,r=matchMedia("(prefers-reduced-motion: reduce)").matches,i=o>this.#c&&
o<this.#c+Ss;r&&this.#o&&i||(this.#c=o,X(this.#a,s,Nt(s).height),$e(this.#m(),t,{layer:this.#e,age:this.#o?Ts:1,colours:t.
shares.map(a=>y(Z(a,e.dark))),hasGrid:this.controls.grid.checked}),this.controls.show(t,this.#e,this.#o),this.#d.element.
hidden=!t.fit,t.fit&&this.#d.show(t,St(this.#e),e),this.#y.textContent=Yt(t.choice,t.points.length/2),this.#a.ariaLabel=
`Step ${o}: ${Os}`,this.root.dataset.steps=String(o))}close(){this.#s.stop(),cancelAnimationFrame(this.#n),this.#n=0,this.#b.
disconnect()}},Zn=Bt({name:"flow-plane",show:n=>new Pt(n),state:"choice",file:{data:()=>({choice:decodeURIComponent(location.
hash.slice(1))||null}),told:n=>location.replace(`#${n}`)},cell:{trait:"choice",data:n=>({choice:n}),traits:n=>({choice:n})}});export{Pt as FlowPlane,Zn as default};
