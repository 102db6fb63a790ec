var H={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function l(o,{text:t,...s}={},e=[]){let n=document.createElement(o);for(let[i,r]of Object.entries(s))typeof r=="function"?
n.addEventListener(i.slice(2),r):r!==null&&n.setAttribute(i,String(r));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function R(o,t,s){return l("button",{type:"button",text:o,title:t,onclick:s})}function q(o,t,s=""){let e=l("span",{text:o});
t instanceof HTMLSelectElement&&(t.ariaLabel=o);let n=t instanceof HTMLInputElement&&t.type==="checkbox";return l("label",
{title:s||null},n?[t,e]:[e,t])}function G(o,t){let s=URL.createObjectURL(o);l("a",{href:s,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(s),1e4)}function v(o){return o.getContext("2d")}var _=1;function N(){return Math.max(_,devicePixelRatio||1)}function K(o,t){try{
return _=2,o(),t()}finally{_=1,o()}}function J(o,t,s){let e=N();Object.assign(o,{width:t*e,height:s*e}),Object.assign(o.
style,{width:`${t}px`,height:`${s}px`}),v(o).scale(e,e)}var dt=300,T=class{#t;#s=0;constructor(t){this.#t=t}call(t){this.stop(),this.#s=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#s)}},C=class{#t=new T(dt);element=l("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var E=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function O(o){
let t=getComputedStyle(o),s=(i,r)=>t.getPropertyValue(i).trim()||r,e=S(s("--st-background-color","#ffffff")),n=S(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:$(e,n,.72),line:$(e,n,.2),dim:$(
e,n,.3),missing:$(e,n,.5),primary:S(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function V(o,t){
let e=(t?.16+.84*o:.92*o)*(E.length-1),n=Math.min(Math.floor(e),E.length-2);return $(E[n],E[n+1],e-n)}function $(o,t,s){
let e=n=>Math.round(o[n]+(t[n]-o[n])*s);return[e(0),e(1),e(2)]}function b(o,t=1){return`rgb(${o.join(" ")} / ${100*t}%)`}
var M=null;function S(o){M??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),M.fillStyle=o,M.fillRect(
0,0,1,1);let[t,s,e]=M.getImageData(0,0,1,1).data;return[t,s,e]}function U(o,[t,s],e){o.beginPath(),o.arc(t,s,e,0,2*Math.PI),o.fill()}function X(o,t,[s,e],n){let[i,r]=[-1,n];for(let a=0;a<
o;a++){let[h,c]=t(a),p=Math.hypot(h-s,c-e);p<r&&([i,r]=[a,p])}return i}function D(o,t,{colour:s,width:e,halo:n},i){let r=[
[t.background,e+n],[s,e]];for(let[a,h]of r)o.beginPath(),i(),o.lineWidth=h,o.strokeStyle=b(a),o.stroke()}var Y=S("#d55e00"),[ft,ut,A]=[8,16,7],I=class{#t=0;constructor(t,s){this.canvas=t,this.panel=s}resize(t){J(this.canvas,t,
t),this.#t=t/2}#s(t,s){let e=this.#t-ft;return[this.#t+e*t,this.#t-e*s]}#e(t){return this.#s(this.panel.x[t],this.panel.
y[t])}nearest(t,s){return X(this.panel.x.length,e=>this.#e(e),[t,s],ut)}draw(t,s,e){let n=v(this.canvas),{near:i,colour:r,
top:a}=this.panel;n.lineWidth=1,n.strokeStyle=b(t.line);for(let{x:d,y:g}of s){n.beginPath();for(let m=0;m<d.length;m++)n.
lineTo(...this.#s(d[m],g[m]));n.stroke()}let h=S(r);i.forEach((d,g)=>{n.fillStyle=b(h,d>0?.85:.4),U(n,this.#e(g),d>0?3:2)});
let[[c,p],[,f]]=[this.#s(0,0),this.#s(0,a)];D(n,t,{colour:Y,width:4,halo:2},()=>{n.moveTo(c,p),n.lineTo(c,f)}),n.beginPath(),
n.moveTo(c,f-A),n.lineTo(c-A,f+A),n.lineTo(c+A,f+A),n.fillStyle=b(Y),n.fill();let u=e.map(d=>this.#e(d));D(n,t,{colour:t.
ink,width:2,halo:3},()=>{for(let d of u)n.lineTo(...d)}),n.fillStyle=b(t.ink),n.strokeStyle=b(t.background);for(let d of u)
U(n,d,5),n.stroke()}};var mt=300,j=class{#t=[];#s=[];#e=[];#n=[];#o=new C;#r=new ResizeObserver(()=>this.draw());text=l("p",{class:"pair"});spoken=this.#o.
element;constructor(t,s,e){this.point=e;let r={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:a=>{let[h,c]=H[a.key]??[0,0];a.ctrlKey||a.metaKey||a.altKey||h===c||(a.preventDefault(),
s(h-c))}};this.element=l("div",{...r,...t}),this.#r.observe(this.element)}show(t,s){this.#s=s,this.#t=t.map((n,i)=>{let r=({
offsetX:u,offsetY:d})=>{let g=h.nearest(u,d);g>=0&&this.point(g,i)},a=l("canvas",{role:"img",onpointermove:r,onpointerdown:r}),
h=new I(a,n),[c,p]=[l("strong",{text:n.title}),l("div")],f=l("figcaption",{},[c,p]);return{panel:n,sphere:h,title:c,note:p,
figure:l("figure",{},[f,a])}});let e=this.#t.map(({figure:n})=>n);return this.element.replaceChildren(...e),e}move(t){this.#t.
forEach((s,e)=>{s.panel=t[e],s.sphere.panel=t[e],s.title.textContent=t[e].title})}mark(t,s,e){this.#e=t,this.#n=e,this.text.
textContent=s,this.#t.forEach(({panel:n,sphere:i,note:r},a)=>{r.textContent=e[a],i.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${n.title}: the mean of their directions has length ${n.mean_length.toFixed(2)}; the marked pair: ${e[a]}`}),
this.draw()}draw(){let t=O(this.element);for(let{sphere:s,figure:e}of this.#t){if(!e.clientWidth)return;s.resize(Math.min(
mt,e.clientWidth)),s.draw(t,this.#s,this.#e)}}say(){let t=this.#t.map(({panel:s},e)=>`${s.title} ${this.#n[e]}`);this.#o.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#o.stop(),this.#r.disconnect()}};function Q(o){let t=atob(o),s=new Uint8Array(t.length);for(let e=0;e<t.length;e++)s[e]=t.charCodeAt(e);return s}var L=100;function Z(o,t){K(()=>o.draw(),()=>gt(o.parts)).toBlob(e=>e&&G(e,`${t}.png`))}function gt(o){let t=o.map(c=>c.
getBoundingClientRect()),s=N(),e=s*Math.max(...t.map(c=>c.width)),n=s*t.reduce((c,p)=>c+p.height,0),i=l("canvas",{width:Math.
ceil(e),height:Math.ceil(n)}),[r,a]=[v(i),O(o[0])];r.fillStyle=b(a.background),r.fillRect(0,0,e,n),r.scale(s,s);let h=0;
return o.forEach((c,p)=>{r.save(),r.translate(-t[p].left,h-t[p].top);for(let f of[c,...c.querySelectorAll("canvas, .swat\
ch, .bar")])wt(r,a,f);bt(r,c),r.restore(),h+=t[p].height}),i}function wt(o,t,s){let{left:e,top:n,width:i,height:r}=s.getBoundingClientRect();
if(!(!i||!r)){if(s instanceof HTMLCanvasElement)o.drawImage(s,e,n,i,r);else if(s.matches(".swatch"))o.fillStyle=getComputedStyle(
s).backgroundColor,o.fillRect(e,n,i,r);else if(s.matches(".scale .bar"))for(let a=0;a<L;a++)o.fillStyle=b(V(a/(L-1),t.dark)),
o.fillRect(e+a*i/L,n,i/L+.5,r)}}function bt(o,t){let[s,e]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(o.textAlign="center",o.textBaseline="middle";s.nextNode();){let n=s.currentNode,i=getComputedStyle(n.parentElement);
o.font=`${i.fontWeight} ${i.fontSize} ${i.fontFamily}`,o.fillStyle=i.color;for(let{0:r,index:a}of n.data.matchAll(/\S+/g)){
e.setStart(n,a),e.setEnd(n,a+r.length);let{left:h,top:c,width:p,height:f}=e.getBoundingClientRect();!p||!f||(o.save(),o.
translate(h+p/2,c+f/2),i.writingMode.startsWith("vertical")&&o.rotate(-Math.PI/2),o.fillText(r,0,0),o.restore())}}}function tt({show:o,...t}){let e={...t,show:r=>{let a=o(r);return yt(a)&&r.append(R("Save PNG","Save the picture",()=>Z(
a,t.name))),a}},n=globalThis.document?.querySelector("script#payload");n&&St(e,n.textContent??"");let i=kt(e);return r=>r?
i(r):{render:a=>vt(e,a)}}function yt(o){return"draw"in o&&"parts"in o}function xt(o,t){o.calls+=1;let s=o.calls;return()=>{
o.calls===s&&t()}}function kt({name:o,state:t,show:s}){let e=new WeakMap;return({data:n,parentElement:i,setStateValue:r})=>{
let a=i.querySelector(`.${o}`),h=e.get(a)??{shown:s(a),calls:0};return e.set(a,h),h.shown.load(n,c=>r(t,c)),xt(h,()=>h.shown.
close?.())}}function St({name:o,show:t,file:s},e){if(!s)return;let n=t(document.querySelector(`.${o}`)),i=()=>n.load(s.data(
Q(e.trim())),s.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function vt({
name:o,show:t,cell:s},{model:e,el:n}){if(!s)return;let[i,r]=[l("div"),l("div",{class:o})],a=l("style",{text:String(e.get(
"sheet"))});i.attachShadow({mode:"open"}).append(a,r),n.append(i);let h=t(r),c=()=>h.load(s.data(e.get(s.trait)),p=>{for(let[
f,u]of Object.entries(s.traits(p,h)))e.set(f,u);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var et=()=>new URLSearchParams(location.hash.slice(1));function st(){let o=et();return{sentences:o.getAll("s"),calibrator:o.
get("calibrator")??"",hidden:o.get("hide")??""}}function nt(o,t){let s=new URLSearchParams(o.map(n=>["s",n]));s.set("cal\
ibrator",t);let e=et().get("hide");e&&s.set("hide",e),history.replaceState(null,"",`#${s}`)}var F=o=>new URL(`live/${o}`,document.baseURI).href;async function Tt(o,t){let{ok:s,status:e,body:n}=await fetch(F(o));if(!s||
!n)throw new Error(`${o}: ${e}`);let i=new TransformStream({transform(r,a){t(r.length),a.enqueue(r)}});return new Response(
n.pipeThrough(i)).arrayBuffer()}async function ot({files:o,longest:t},s){if(typeof WebAssembly!="object")throw new Error(
"this browser has no WebAssembly");let e=Object.values(o).reduce((m,w)=>m+w),n=0,i=async m=>{let w=await Tt(m,y=>{n+=y,s(
n,e)});return[m,w]},r=Object.fromEntries(await Promise.all(Object.keys(o).map(i))),a=await import(F("ort.wasm.bundle.min\
.mjs")),{Tokenizer:h}=await import(F("tokenizers.min.mjs")),c=r["ort-wasm-simd-threaded.wasm"];Object.assign(a.env.wasm,
{numThreads:1,wasmBinary:c});let p=new h(await new Response(r["tokenizer.json"]).json(),{}),f=await a.InferenceSession.create(
r["encoder.onnx"]),u=await a.InferenceSession.create(r["spaces.onnx"]),d=async m=>{let w=p.encode(m).ids;w.length>t&&(w=
[...w.slice(0,t-1),w[w.length-1]]);let y=new a.Tensor("int64",BigInt64Array.from(w,BigInt),[w.length]),{middle:W,last:B}=await f.
run({input_ids:y});return[W.data,B.data]},g=new Map;return async(m,w)=>{for(let x of m.filter(k=>!g.has(k)))if(g.set(x,await d(
x)),await new Promise(k=>setTimeout(k)),w())return;let y=m.map(x=>g.get(x));g=new Map(m.map((x,k)=>[x,y[k]]));let[W,B]=[
0,1].map(x=>{let k=y.flatMap(pt=>Array.from(pt[x]));return new a.Tensor("float32",k,[y.length,k.length/y.length])}),{cosines:lt,
places:ht}=await u.run({middle:W,last:B});return[lt.data,ht.data]}}var $t=12,rt=200,P=class{constructor(t){this.changed=t,this.lines=Array.from({length:$t},(e,n)=>l("input",{placeholder:"\
 ",maxlength:rt,autocomplete:"off","aria-label":`Sentence ${n+1}`,oninput:t,onkeydown:({key:i})=>i==="Enter"&&this.lines[n+
1]?.focus(),onpaste:i=>this.#t(i,n)}));let s=this.lines.map(e=>l("li",{},[e]));this.element=l("ol",{class:"lines"},s)}fill(t){
this.lines.forEach((s,e)=>{s.value=(t[e]??"").trim().slice(0,rt)}),this.changed()}filled(){let t=this.lines.map(e=>e.value.
trim()),s=[...t.keys()].filter(e=>t[e]);return{numbers:s,sentences:s.map(e=>t[e])}}mark(t){this.lines.forEach((s,e)=>{s.
classList.toggle("marked",t.includes(e))})}#t(t,s){let e=(t.clipboardData?.getData("text")??"").split(/\n+/).filter(Boolean);
if(e.length<2)return;t.preventDefault();let n=this.lines.map(i=>i.value);n.splice(s,e.length,...e),this.fill(n)}};function at(o,t,s,e){let n=t.slice(0,-1),i=l("tr",{},[l("td"),...n.map(h=>it(h,"col"))]),r=t.slice(1).map((h,c)=>{let p=n.
map((f,u)=>{if(u>c)return l("td");let[d,g]=[c+1,()=>e(u,c+1)],m=s(u,d).toFixed(2);return l("td",{text:m.replace("-0.00",
".00").replace("0.","."),style:`--cosine: ${m}`,"data-pair":`${u} ${d}`,onpointerenter:g,onpointerdown:g})});return l("t\
r",{},[it(h,"row"),...p])}),a=l("caption",{class:"spoken",text:o});return l("table",{},[a,l("thead",{},[i]),l("tbody",{},
r)])}function it(o,t){return l("th",{scope:t,text:String(o+1)})}function ct(o,t){for(let s of o.querySelectorAll("td"))s.
classList.toggle("marked",s.dataset.pair===t.join(" "))}var z=class{#t=null;#s=null;#e=null;#n=[0,1];#o=0;#r="These sentences are compared once the encoder is loaded.";#u=new T(
300);constructor(t){this.root=t,this.status=l("p",{role:"status"}),this.bar=l("progress",{"aria-label":"Megabytes that h\
ave arrived"}),this.examples=l("p",{class:"examples"}),this.watch=l("p",{class:"watch"}),this.inputs=new P(()=>this.#p()),
this.calibrator=l("select",{onchange:()=>this.#d()}),this.spheres=new j({role:"group"},s=>this.#g(s),(s,e)=>this.#w(s,e)),
t.replaceChildren(this.status,this.bar,this.examples,this.watch,this.inputs.element,l("p",{class:"calibrator"},[q("Calib\
rator",this.calibrator)]),this.spheres.text,this.spheres.element,this.spheres.spoken)}load(t){if(this.#t)return this.spheres.
draw();this.#t=t;for(let{title:s,sentences:e}of t.examples)this.examples.append(R(s,"",()=>this.inputs.fill(e)));for(let{
spec:s}of t.spaces.slice(1,-1))this.calibrator.append(l("option",{text:s}));this.#h(),addEventListener("hashchange",()=>this.#h()),
this.#m(t)}#h(){let{sentences:t,calibrator:s,hidden:e}=st();this.root.dataset.hide=e.replaceAll(","," "),this.calibrator.
value=s,this.calibrator.value||(this.calibrator.selectedIndex=this.calibrator.length-1),this.inputs.fill(t.length?t:this.#i.
examples[0].sentences)}async#m(t){let s=n=>(n/1e6).toFixed(1),e="the recorded examples work";try{this.#s=await ot(t,(n,i)=>{
Object.assign(this.bar,{max:i,value:n}),this.status.textContent=`The encoder is loading: ${s(n)} of ${s(i)} MB. Until th\
en ${e}.`}),this.status.textContent="The encoder runs in this page: type your own sentences. Nothing is sent anywhere."}catch(n){
let i=n instanceof Error?n.message:String(n),r=location.protocol==="file:"?" Open this page from a web server.":"";this.
status.textContent=`The encoder does not run here (${i}); ${e}.${r}`,this.#r="Only the recorded examples are compared he\
re."}this.bar.hidden=!0,await this.#p(),this.root.dataset.state=this.#s?"ready":"recorded"}async#p(){this.#o+=1;let t=this.#o,
{numbers:s,sentences:e}=this.inputs.filled(),n=e.join(`
`),i=this.#i.examples.find(a=>a.sentences.join(`
`)===n);this.watch.textContent=i?.watch??"";let r=i?.answer;this.#s&&e.length>1&&(r=await this.#s(e,()=>t!==this.#o)),t===
this.#o&&(this.#e=r?{numbers:s,sentences:e,answer:r}:null,Math.max(...this.#n)>=e.length&&(this.#n=[0,1]),this.#d())}get#i(){
return this.#t}#d(){let{spaces:t,circles:s}=this.#i,{numbers:e,sentences:n}=this.inputs.filled();if(this.#u.call(()=>nt(
n,this.calibrator.value)),this.spheres.element.hidden=!this.#e,!this.#e){this.spheres.text.textContent=e.length>1?this.#r:
"Type at least two sentences.",this.inputs.mark([]);return}let{answer:i,numbers:r}=this.#e,a=this.#a.map(h=>{let c=p=>r.
map((f,u)=>i[1][(h*r.length+u)*3+p]);return{...t[h],x:c(0),y:c(1),near:c(2)}});this.spheres.show(a,s).forEach((h,c)=>{let p=(u,d)=>this.#c(
this.#a[c],u,d),f=`Cosines, ${a[c].title}`;h.append(at(f,r,p,(u,d)=>this.#l(u,d)))}),this.#f()}get#a(){return[0,1+this.calibrator.
selectedIndex,this.#i.spaces.length-1]}#c(t,s,e){let n=this.#e?.numbers.length??0;return this.#e?.answer[0][(t*n+s)*n+e]??
0}#g(t){let s=this.#e?.numbers??[],e=s.flatMap((i,r)=>s.slice(0,r).map((a,h)=>[h,r])),n=e.findIndex(i=>String(i)===String(
this.#n));this.#l(...e[(n+t+e.length)%e.length])}#w(t,s){let e=(this.#e?.numbers??[]).map((i,r)=>r===t?Number.NEGATIVE_INFINITY:
this.#c(this.#a[s],t,r)),n=e.indexOf(Math.max(...e));this.#l(Math.min(t,n),Math.max(t,n))}#l(t,s){t===this.#n[0]&&s===this.#n[1]||
(this.#n=[t,s],this.#f(),this.spheres.say())}#f(){if(!this.#e)return;let{numbers:t,sentences:s}=this.#e,[e,n]=this.#n,r=this.#a.
map(a=>this.#c(a,e,n).toFixed(2)).map(a=>`cosine ${a}`);this.spheres.mark(this.#n,`“${s[e]}” and “${s[n]}”`,r),this.
inputs.mark(this.#n.map(a=>t[a])),ct(this.spheres.element,this.#n)}},pe=tt({name:"live",show:o=>new z(o),state:"report",
file:{data:o=>JSON.parse(new TextDecoder().decode(o))}});export{pe as default};
