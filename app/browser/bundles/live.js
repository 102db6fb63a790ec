var H={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function c(o,{text:t,...s}={},e=[]){let n=document.createElement(o);for(let[i,r]of Object.entries(s))typeof r=="function"?
n.addEventListener(i.slice(2),r):r!==null&&n.setAttribute(i,String(r));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function S(o,t,s){return c("button",{type:"button",text:o,title:t,onclick:s})}function q(o,t,s=""){let e=c("span",{text:o});
t instanceof HTMLSelectElement&&(t.ariaLabel=o);let n=t instanceof HTMLInputElement&&t.type==="checkbox";return c("label",
{title:s||null},n?[t,e]:[e,t])}function G(o,t){let s=URL.createObjectURL(o);c("a",{href:s,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(s),1e4)}function T(o){return o.getContext("2d")}var N=1;function _(){return Math.max(N,devicePixelRatio||1)}function K(o,t){try{
return N=2,o(),t()}finally{N=1,o()}}function J(o,t,s){let e=_();Object.assign(o,{width:t*e,height:s*e}),Object.assign(o.
style,{width:`${t}px`,height:`${s}px`}),T(o).scale(e,e)}var mt=300,v=class{#t;#s=0;constructor(t){this.#t=t}call(t){this.stop(),this.#s=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#s)}},R=class{#t=new v(mt);element=c("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var C=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function O(o){
let t=getComputedStyle(o),s=(i,r)=>t.getPropertyValue(i).trim()||r,e=$(s("--st-background-color","#ffffff")),n=$(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:A(e,n,.72),line:A(e,n,.2),dim:A(
e,n,.3),missing:A(e,n,.5),primary:$(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function V(o,t){
let e=(t?.16+.84*o:.92*o)*(C.length-1),n=Math.min(Math.floor(e),C.length-2);return A(C[n],C[n+1],e-n)}function A(o,t,s){
let e=n=>Math.round(o[n]+(t[n]-o[n])*s);return[e(0),e(1),e(2)]}function b(o,t=1){return`rgb(${o.join(" ")} / ${100*t}%)`}
var M=null;function $(o){M??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),M.fillStyle=o,M.fillRect(
0,0,1,1);let[t,s,e]=M.getImageData(0,0,1,1).data;return[t,s,e]}function D(o,[t,s],e){o.beginPath(),o.arc(t,s,e,0,2*Math.PI),o.fill()}function X(o,t,[s,e],n){let[i,r]=[-1,n];for(let a=0;a<
o;a++){let[h,l]=t(a),p=Math.hypot(h-s,l-e);p<r&&([i,r]=[a,p])}return i}function z(o,t,{colour:s,width:e,halo:n},i){let r=[
[t.background,e+n],[s,e]];for(let[a,h]of r)o.beginPath(),i(),o.lineWidth=h,o.strokeStyle=b(a),o.stroke()}var Y=$("#d55e00"),[gt,wt,E]=[8,16,7],L=class{#t=0;constructor(t,s){this.canvas=t,this.panel=s}resize(t){J(this.canvas,t,
t),this.#t=t/2}#s(t,s){let e=this.#t-gt;return[this.#t+e*t,this.#t-e*s]}#e(t){return this.#s(this.panel.x[t],this.panel.
y[t])}nearest(t,s){return X(this.panel.x.length,e=>this.#e(e),[t,s],wt)}draw(t,s,e){let n=T(this.canvas),{near:i,colour:r,
top:a}=this.panel;n.lineWidth=1,n.strokeStyle=b(t.line);for(let{x:d,y:g}of s){n.beginPath();for(let u=0;u<d.length;u++)n.
lineTo(...this.#s(d[u],g[u]));n.stroke()}let h=$(r);i.forEach((d,g)=>{n.fillStyle=b(h,d>0?.85:.4),D(n,this.#e(g),d>0?3:2)});
let[[l,p],[,f]]=[this.#s(0,0),this.#s(0,a)];z(n,t,{colour:Y,width:4,halo:2},()=>{n.moveTo(l,p),n.lineTo(l,f)}),n.beginPath(),
n.moveTo(l,f-E),n.lineTo(l-E,f+E),n.lineTo(l+E,f+E),n.fillStyle=b(Y),n.fill();let m=e.map(d=>this.#e(d));z(n,t,{colour:t.
ink,width:2,halo:3},()=>{for(let d of m)n.lineTo(...d)}),n.fillStyle=b(t.ink),n.strokeStyle=b(t.background);for(let d of m)
D(n,d,5),n.stroke()}};var bt=300;var I=class{#t=[];#s=[];#e=[];#n=[];#o=new R;#r=new ResizeObserver(()=>this.draw());text=c("p",{class:"pair"});spoken=this.#o.
element;constructor(t,s,e){this.point=e;let r={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:a=>{let[h,l]=H[a.key]??[0,0];a.ctrlKey||a.metaKey||a.altKey||h===l||(a.preventDefault(),
s(h-l))}};this.element=c("div",{...r,...t}),this.#r.observe(this.element)}show(t,s){this.#s=s,this.#t=t.map((n,i)=>{let r=({
offsetX:m,offsetY:d})=>{let g=h.nearest(m,d);g>=0&&this.point(g,i)},a=c("canvas",{role:"img",onpointermove:r,onpointerdown:r}),
h=new L(a,n),[l,p]=[c("strong",{text:n.title}),c("div")],f=c("figcaption",{},[l,p]);return{panel:n,sphere:h,title:l,note:p,
figure:c("figure",{},[f,a])}});let e=this.#t.map(({figure:n})=>n);return this.element.replaceChildren(...e),e}move(t){this.#t.
forEach((s,e)=>{s.panel=t[e],s.sphere.panel=t[e],s.title.textContent=t[e].title})}mark(t,s,e){this.#e=t,this.#n=e,this.text.
textContent=s,this.#t.forEach(({panel:n,sphere:i,note:r},a)=>{r.textContent=e[a],i.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${n.title}: the mean of their directions has length ${n.mean_length.toFixed(2)}; the marked pair: ${e[a]}`}),
this.draw()}draw(){let t=O(this.element);for(let{sphere:s,figure:e}of this.#t){if(!e.clientWidth)return;s.resize(Math.min(
bt,e.clientWidth)),s.draw(t,this.#s,this.#e)}}say(){let t=this.#t.map(({panel:s},e)=>`${s.title} ${this.#n[e]}`);this.#o.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#o.stop(),this.#r.disconnect()}};function Q(o){let t=atob(o),s=new Uint8Array(t.length);for(let e=0;e<t.length;e++)s[e]=t.charCodeAt(e);return s}var yt=300,xt=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function Z(o,t){let s=new v(yt),e=()=>{
location.hash&&(t.place=Number.parseInt(location.hash.slice(1),10)||0)};e(),addEventListener("hashchange",e);let n=()=>history.
replaceState(null,"",`#${t.place}`);new MutationObserver(()=>s.call(n)).observe(o,{attributes:!0})}function tt(o){document.
documentElement.classList.toggle("alone",xt),o.append(kt(o))}function kt(o){let t=c("input",{readonly:"","aria-label":"H\
TML that embeds the figure"}),s=S("Copy","Copy the line",()=>{t.select(),navigator.clipboard?.writeText(t.value)}),e=c("\
details",{class:"embed"},[c("summary",{text:"Embed this figure"}),t,s]);return e.addEventListener("toggle",()=>{let n=new URL(
`?only=figure${location.hash}`,location.href);t.value=`<iframe src="${n}" title="${document.title}" width="100%" height=\
"${o.offsetHeight}" style="border: 0" loading="lazy"></iframe>`}),e}var P=100;function et(o,t){K(()=>o.draw(),()=>vt(o.parts)).toBlob(e=>e&&G(e,`${t}.png`))}function vt(o){let t=o.map(l=>l.
getBoundingClientRect()),s=_(),e=s*Math.max(...t.map(l=>l.width)),n=s*t.reduce((l,p)=>l+p.height,0),i=c("canvas",{width:Math.
ceil(e),height:Math.ceil(n)}),[r,a]=[T(i),O(o[0])];r.fillStyle=b(a.background),r.fillRect(0,0,e,n),r.scale(s,s);let h=0;
return o.forEach((l,p)=>{r.save(),r.translate(-t[p].left,h-t[p].top);for(let f of[l,...l.querySelectorAll("canvas, .swat\
ch, .bar")])St(r,a,f);$t(r,l),r.restore(),h+=t[p].height}),i}function St(o,t,s){let{left:e,top:n,width:i,height:r}=s.getBoundingClientRect();
if(!(!i||!r)){if(s instanceof HTMLCanvasElement)o.drawImage(s,e,n,i,r);else if(s.matches(".swatch"))o.fillStyle=getComputedStyle(
s).backgroundColor,o.fillRect(e,n,i,r);else if(s.matches(".scale .bar"))for(let a=0;a<P;a++)o.fillStyle=b(V(a/(P-1),t.dark)),
o.fillRect(e+a*i/P,n,i/P+.5,r)}}function $t(o,t){let[s,e]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(o.textAlign="center",o.textBaseline="middle";s.nextNode();){let n=s.currentNode,i=getComputedStyle(n.parentElement);
o.font=`${i.fontWeight} ${i.fontSize} ${i.fontFamily}`,o.fillStyle=i.color;for(let{0:r,index:a}of n.data.matchAll(/\S+/g)){
e.setStart(n,a),e.setEnd(n,a+r.length);let{left:h,top:l,width:p,height:f}=e.getBoundingClientRect();!p||!f||(o.save(),o.
translate(h+p/2,l+f/2),i.writingMode.startsWith("vertical")&&o.rotate(-Math.PI/2),o.fillText(r,0,0),o.restore())}}}function st({show:o,...t}){let e={...t,show:r=>{let a=o(r);return Tt(a)&&r.append(S("Save PNG","Save the picture",()=>et(
a,t.name))),a}},n=globalThis.document?.querySelector("script#payload");n&&Mt(e,n.textContent??"");let i=Ct(e);return r=>r?
i(r):{render:a=>Ot(e,a)}}function Tt(o){return"draw"in o&&"parts"in o}function At(o){return"place"in o}function Et(o){return JSON.
parse(new TextDecoder().decode(o))}function Rt(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function Ct({name:o,
state:t,show:s}){let e=new WeakMap;return({data:n,parentElement:i,setStateValue:r})=>{let a=i.querySelector(`.${o}`),h=e.
get(a)??{shown:s(a),calls:0};return e.set(a,h),h.shown.load(n,l=>r(t,l)),Rt(h,()=>h.shown.close?.())}}function Mt({name:o,
show:t,file:s},e){let n=document.querySelector(`.${o}`),i=t(n),r=Q(e.trim()),a=()=>i.load(s?.data(r)??Et(r),s?.told??(()=>{}));
a(),At(i)&&Z(n,i),tt(n),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function Ot({name:o,show:t,
cell:s},{model:e,el:n}){if(!s)return;let[i,r]=[c("div"),c("div",{class:o})],a=c("style",{text:String(e.get("sheet"))});i.
attachShadow({mode:"open"}).append(a,r),n.append(i);let h=t(r),l=()=>h.load(s.data(e.get(s.trait)),p=>{for(let[f,m]of Object.
entries(s.traits(p,h)))e.set(f,m);e.save_changes()});return l(),e.on(`change:${s.trait}`,l),()=>{e.off(`change:${s.trait}`,
l),h.close?.()}}var nt=()=>new URLSearchParams(location.hash.slice(1));function ot(){let o=nt();return{sentences:o.getAll("s"),calibrator:o.
get("calibrator")??"",hidden:o.get("hide")??""}}function rt(o,t){let s=new URLSearchParams(o.map(n=>["s",n]));s.set("cal\
ibrator",t);let e=nt().get("hide");e&&s.set("hide",e),history.replaceState(null,"",`#${s}`)}var j=o=>new URL(`live/${o}`,document.baseURI).href,it=".gzip";async function Lt(o,t){let{ok:s,status:e,body:n}=await fetch(
j(o));if(!s||!n)throw new Error(`${o}: ${e}`);let i=new TransformStream({transform(h,l){t(h.length),l.enqueue(h)}}),r=n.
pipeThrough(i),a=o.endsWith(it)?r.pipeThrough(new DecompressionStream("gzip")):r;return new Response(a).arrayBuffer()}async function at({
files:o,longest:t},s){if(typeof WebAssembly!="object")throw new Error("this browser has no WebAssembly");let e=Object.values(
o).reduce((u,w)=>u+w),n=0,i=async u=>{let w=await Lt(u,y=>{n+=y,s(n,e)});return[u.replace(it,""),w]},r=Object.fromEntries(
await Promise.all(Object.keys(o).map(i)));navigator.serviceWorker?.ready.then(({active:u})=>u?.postMessage(Object.keys(o).
map(j)));let a=await import(j("ort.wasm.bundle.min.mjs")),{Tokenizer:h}=await import(j("tokenizers.min.mjs")),l=r["ort-w\
asm-simd-threaded.wasm"];Object.assign(a.env.wasm,{numThreads:1,wasmBinary:l});let p=new h(await new Response(r["tokeniz\
er.json"]).json(),{}),f=await a.InferenceSession.create(r["encoder.onnx"]),m=await a.InferenceSession.create(r["spaces.o\
nnx"]),d=async u=>{let w=p.encode(u).ids;w.length>t&&(w=[...w.slice(0,t-1),w[w.length-1]]);let y=new a.Tensor("int64",BigInt64Array.
from(w,BigInt),[w.length]),{middle:U,last:B}=await f.run({input_ids:y});return[U.data,B.data]},g=new Map;return async(u,w)=>{
for(let x of u.filter(k=>!g.has(k)))if(g.set(x,await d(x)),await new Promise(k=>setTimeout(k)),w())return;let y=u.map(x=>g.
get(x));g=new Map(u.map((x,k)=>[x,y[k]]));let[U,B]=[0,1].map(x=>{let k=y.flatMap(ft=>Array.from(ft[x]));return new a.Tensor(
"float32",k,[y.length,k.length/y.length])}),{cosines:dt,places:ut}=await m.run({middle:U,last:B});return[dt.data,ut.data]}}var It=12,ct=200,W=class{constructor(t){this.changed=t,this.lines=Array.from({length:It},(e,n)=>c("input",{placeholder:"\
 ",maxlength:ct,autocomplete:"off","aria-label":`Sentence ${n+1}`,oninput:t,onkeydown:({key:i})=>i==="Enter"&&this.lines[n+
1]?.focus(),onpaste:i=>this.#t(i,n)}));let s=this.lines.map(e=>c("li",{},[e]));this.element=c("ol",{class:"lines"},s)}fill(t){
this.lines.forEach((s,e)=>{s.value=(t[e]??"").trim().slice(0,ct)}),this.changed()}filled(){let t=this.lines.map(e=>e.value.
trim()),s=[...t.keys()].filter(e=>t[e]);return{numbers:s,sentences:s.map(e=>t[e])}}mark(t){this.lines.forEach((s,e)=>{s.
classList.toggle("marked",t.includes(e))})}#t(t,s){let e=(t.clipboardData?.getData("text")??"").split(/\n+/).filter(Boolean);
if(e.length<2)return;t.preventDefault();let n=this.lines.map(i=>i.value);n.splice(s,e.length,...e),this.fill(n)}};function ht(o,t,s,e){let n=t.slice(0,-1),i=c("tr",{},[c("td"),...n.map(h=>lt(h,"col"))]),r=t.slice(1).map((h,l)=>{let p=n.
map((f,m)=>{if(m>l)return c("td");let[d,g]=[l+1,()=>e(m,l+1)],u=s(m,d).toFixed(2);return c("td",{text:u.replace("-0.00",
".00").replace("0.","."),style:`--cosine: ${u}`,"data-pair":`${m} ${d}`,onpointerenter:g,onpointerdown:g})});return c("t\
r",{},[lt(h,"row"),...p])}),a=c("caption",{class:"spoken",text:o});return c("table",{},[a,c("thead",{},[i]),c("tbody",{},
r)])}function lt(o,t){return c("th",{scope:t,text:String(o+1)})}function pt(o,t){for(let s of o.querySelectorAll("td"))s.
classList.toggle("marked",s.dataset.pair===t.join(" "))}var F=class{#t=null;#s=null;#e=null;#n=[0,1];#o=0;#r="These sentences are compared once the encoder is loaded.";#f=new v(
300);constructor(t){this.root=t,this.status=c("p",{role:"status"}),this.bar=c("progress",{"aria-label":"Megabytes that h\
ave arrived"}),this.examples=c("p",{class:"examples"}),this.watch=c("p",{class:"watch"}),this.inputs=new W(()=>this.#p()),
this.calibrator=c("select",{onchange:()=>this.#d()}),this.spheres=new I({role:"group"},n=>this.#g(n),(n,i)=>this.#w(n,i));
let s=c("p",{class:"calibrator"},[q("Calibrator",this.calibrator)]),e=[this.spheres.text,this.spheres.element,this.watch,
this.spheres.spoken];t.replaceChildren(this.status,this.bar,this.examples,c("div",{class:"typed"},[this.inputs.element,s]),
c("div",{class:"seen"},e))}load(t){if(this.#t)return this.spheres.draw();this.#t=t;for(let{title:s,sentences:e}of t.examples)
this.examples.append(S(s,"",()=>this.inputs.fill(e)));for(let{spec:s}of t.spaces.slice(1,-1))this.calibrator.append(c("o\
ption",{text:s}));this.#h(),addEventListener("hashchange",()=>this.#h()),this.#m(t)}#h(){let{sentences:t,calibrator:s,hidden:e}=ot();
this.root.dataset.hide=e.replaceAll(","," "),this.calibrator.value=s,this.calibrator.value||(this.calibrator.selectedIndex=
this.calibrator.length-1),this.inputs.fill(t.length?t:this.#i.examples[0].sentences)}async#m(t){let s=n=>(n/1e6).toFixed(
1),e="the recorded examples work";try{this.#s=await at(t,(n,i)=>{Object.assign(this.bar,{max:i,value:n}),this.status.textContent=
`The encoder is loading: ${s(n)} of ${s(i)} MB. Until then ${e}.`}),this.status.textContent="The encoder runs in this pa\
ge: type your own sentences. Nothing is sent anywhere."}catch(n){let i=n instanceof Error?n.message:String(n),r=location.
protocol==="file:"?" Open this page from a web server.":"";this.status.textContent=`The encoder does not run here (${i})\
; ${e}.${r}`,this.#r="Only the recorded examples are compared here."}this.bar.hidden=!0,await this.#p(),this.root.dataset.
state=this.#s?"ready":"recorded"}async#p(){this.#o+=1;let t=this.#o,{numbers:s,sentences:e}=this.inputs.filled(),n=e.join(
`
`),i=this.#i.examples.find(a=>a.sentences.join(`
`)===n);this.watch.textContent=i?.watch??"";let r=i?.answer;this.#s&&e.length>1&&(r=await this.#s(e,()=>t!==this.#o)),t===
this.#o&&(this.#e=r?{numbers:s,sentences:e,answer:r}:null,Math.max(...this.#n)>=e.length&&(this.#n=[0,1]),this.#d())}get#i(){
return this.#t}#d(){let{spaces:t,circles:s}=this.#i,{numbers:e,sentences:n}=this.inputs.filled();if(this.#f.call(()=>rt(
n,this.calibrator.value)),this.spheres.element.hidden=!this.#e,!this.#e){this.spheres.text.textContent=e.length>1?this.#r:
"Type at least two sentences.",this.inputs.mark([]);return}let{answer:i,numbers:r}=this.#e,a=this.#a.map(h=>{let l=p=>r.
map((f,m)=>i[1][(h*r.length+m)*3+p]);return{...t[h],x:l(0),y:l(1),near:l(2)}});this.spheres.show(a,s).forEach((h,l)=>{let p=(m,d)=>this.#c(
this.#a[l],m,d),f=`Cosines, ${a[l].title}`;h.append(ht(f,r,p,(m,d)=>this.#l(m,d)))}),this.#u()}get#a(){return[0,1+this.calibrator.
selectedIndex,this.#i.spaces.length-1]}#c(t,s,e){let n=this.#e?.numbers.length??0;return this.#e?.answer[0][(t*n+s)*n+e]??
0}#g(t){let s=this.#e?.numbers??[],e=s.flatMap((i,r)=>s.slice(0,r).map((a,h)=>[h,r])),n=e.findIndex(i=>String(i)===String(
this.#n));this.#l(...e[(n+t+e.length)%e.length])}#w(t,s){let e=(this.#e?.numbers??[]).map((i,r)=>r===t?Number.NEGATIVE_INFINITY:
this.#c(this.#a[s],t,r)),n=e.indexOf(Math.max(...e));this.#l(Math.min(t,n),Math.max(t,n))}#l(t,s){t===this.#n[0]&&s===this.#n[1]||
(this.#n=[t,s],this.#u(),this.spheres.say())}#u(){if(!this.#e)return;let{numbers:t,sentences:s}=this.#e,[e,n]=this.#n,r=this.#a.
map(a=>this.#c(a,e,n).toFixed(2)).map(a=>`cosine ${a}`);this.spheres.mark(this.#n,`“${s[e]}” and “${s[n]}”`,r),this.
inputs.mark(this.#n.map(a=>t[a])),pt(this.spheres.element,this.#n)}},Se=st({name:"live",show:o=>new F(o),state:"report"});export{Se as default};
