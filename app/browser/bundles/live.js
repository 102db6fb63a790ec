var _={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function c(o,{text:t,...s}={},e=[]){let n=document.createElement(o);for(let[i,r]of Object.entries(s))typeof r=="function"?
n.addEventListener(i.slice(2),r):r!==null&&n.setAttribute(i,String(r));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function D(o,t,s){return c("button",{type:"button",text:o,title:t,onclick:s})}function N(o,t,s=""){let e=c("span",{text:o});
t instanceof HTMLSelectElement&&(t.ariaLabel=o);let n=t instanceof HTMLInputElement&&t.type==="checkbox";return c("label",
{title:s||null},n?[t,e]:[e,t])}function I(o){return o.getContext("2d")}function z(o,t,s){let e=devicePixelRatio||1;Object.assign(o,{width:t*e,height:s*
e}),Object.assign(o.style,{width:`${t}px`,height:`${s}px`}),I(o).scale(e,e)}var nt=300,v=class{#t;#s=0;constructor(t){this.#t=t}call(t){this.stop(),this.#s=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#s)}},$=class{#t=new v(nt);element=c("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function B(o){let t=getComputedStyle(o),s=(i,r)=>t.getPropertyValue(i).trim()||r,e=S(s("--st-background-color","#ffffff")),
n=S(s("--st-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:A(e,n,.72),line:A(
e,n,.2),dim:A(e,n,.3),missing:A(e,n,.5),primary:S(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function A(o,t,s){let e=n=>Math.round(o[n]+(t[n]-o[n])*s);return[e(0),e(1),e(2)]}function k(o,t=1){return`rgb(${o.join("\
 ")} / ${100*t}%)`}var R=null;function S(o){R??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),R.fillStyle=
o,R.fillRect(0,0,1,1);let[t,s,e]=R.getImageData(0,0,1,1).data;return[t,s,e]}function L(o,[t,s],e){o.beginPath(),o.arc(t,s,e,0,2*Math.PI),o.fill()}function F(o,t,[s,e],n){let[i,r]=[-1,n];for(let a=0;a<
o;a++){let[l,h]=t(a),f=Math.hypot(l-s,h-e);f<r&&([i,r]=[a,f])}return i}function W(o,t,{colour:s,width:e,halo:n},i){let r=[
[t.background,e+n],[s,e]];for(let[a,l]of r)o.beginPath(),i(),o.lineWidth=l,o.strokeStyle=k(a),o.stroke()}var q=S("#d55e00"),[ot,rt,T]=[8,16,7],E=class{#t=0;constructor(t,s){this.canvas=t,this.panel=s}resize(t){z(this.canvas,t,
t),this.#t=t/2}#s(t,s){let e=this.#t-ot;return[this.#t+e*t,this.#t-e*s]}#e(t){return this.#s(this.panel.x[t],this.panel.
y[t])}nearest(t,s){return F(this.panel.x.length,e=>this.#e(e),[t,s],rt)}draw(t,s,e){let n=I(this.canvas),{near:i,colour:r,
top:a}=this.panel;n.lineWidth=1,n.strokeStyle=k(t.line);for(let{x:p,y:g}of s){n.beginPath();for(let u=0;u<p.length;u++)n.
lineTo(...this.#s(p[u],g[u]));n.stroke()}let l=S(r);i.forEach((p,g)=>{n.fillStyle=k(l,p>0?.85:.4),L(n,this.#e(g),p>0?3:2)});
let[[h,f],[,m]]=[this.#s(0,0),this.#s(0,a)];W(n,t,{colour:q,width:4,halo:2},()=>{n.moveTo(h,f),n.lineTo(h,m)}),n.beginPath(),
n.moveTo(h,m-T),n.lineTo(h-T,m+T),n.lineTo(h+T,m+T),n.fillStyle=k(q),n.fill();let d=e.map(p=>this.#e(p));W(n,t,{colour:t.
ink,width:2,halo:3},()=>{for(let p of d)n.lineTo(...p)}),n.fillStyle=k(t.ink),n.strokeStyle=k(t.background);for(let p of d)
L(n,p,5),n.stroke()}};var it=300,C=class{#t=[];#s=[];#e=[];#n=[];#o=new $;#r=new ResizeObserver(()=>this.draw());text=c("p",{class:"pair"});spoken=this.#o.
element;constructor(t,s,e){this.point=e;let r={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:a=>{let[l,h]=_[a.key]??[0,0];a.ctrlKey||a.metaKey||a.altKey||l===h||(a.preventDefault(),
s(l-h))}};this.element=c("div",{...r,...t}),this.#r.observe(this.element)}show(t,s){this.#s=s,this.#t=t.map((n,i)=>{let r=({
offsetX:d,offsetY:p})=>{let g=l.nearest(d,p);g>=0&&this.point(g,i)},a=c("canvas",{role:"img",onpointermove:r,onpointerdown:r}),
l=new E(a,n),[h,f]=[c("strong",{text:n.title}),c("div")],m=c("figcaption",{},[h,f]);return{panel:n,sphere:l,title:h,note:f,
figure:c("figure",{},[m,a])}});let e=this.#t.map(({figure:n})=>n);return this.element.replaceChildren(...e),e}move(t){this.#t.
forEach((s,e)=>{s.panel=t[e],s.sphere.panel=t[e],s.title.textContent=t[e].title})}mark(t,s,e){this.#e=t,this.#n=e,this.text.
textContent=s,this.#t.forEach(({panel:n,sphere:i,note:r},a)=>{r.textContent=e[a],i.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${n.title}: the mean of their directions has length ${n.mean_length.toFixed(2)}; the marked pair: ${e[a]}`}),
this.draw()}draw(){let t=B(this.element);for(let{sphere:s,figure:e}of this.#t){if(!e.clientWidth)return;s.resize(Math.min(
it,e.clientWidth)),s.draw(t,this.#s,this.#e)}}say(){let t=this.#t.map(({panel:s},e)=>`${s.title} ${this.#n[e]}`);this.#o.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#o.stop(),this.#r.disconnect()}};function H(o){let t=globalThis.document?.querySelector("script#payload");t&&lt(o,t.textContent??"");let s=ct(o);return e=>e?
s(e):{render:n=>ht(o,n)}}function at(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function ct({name:o,state:t,
show:s}){let e=new WeakMap;return({data:n,parentElement:i,setStateValue:r})=>{let a=i.querySelector(`.${o}`),l=e.get(a)??
{shown:s(a),calls:0};return e.set(a,l),l.shown.load(n,h=>r(t,h)),at(l,()=>l.shown.close?.())}}function lt({name:o,show:t,
file:s},e){if(!s)return;let n=t(document.querySelector(`.${o}`)),i=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),r=()=>n.
load(s.data(i),s.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function ht({
name:o,show:t,cell:s},{model:e,el:n}){if(!s)return;let[i,r]=[c("div"),c("div",{class:o})],a=c("style",{text:String(e.get(
"sheet"))});i.attachShadow({mode:"open"}).append(a,r),n.append(i);let l=t(r),h=()=>l.load(s.data(e.get(s.trait)),f=>{for(let[
m,d]of Object.entries(s.traits(f,l)))e.set(m,d);e.save_changes()});return h(),e.on(`change:${s.trait}`,h),()=>{e.off(`ch\
ange:${s.trait}`,h),l.close?.()}}var G=()=>new URLSearchParams(location.hash.slice(1));function K(){let o=G();return{sentences:o.getAll("s"),calibrator:o.
get("calibrator")??"",hidden:o.get("hide")??""}}function J(o,t){let s=new URLSearchParams(o.map(n=>["s",n]));s.set("cali\
brator",t);let e=G().get("hide");e&&s.set("hide",e),history.replaceState(null,"",`#${s}`)}var P=o=>new URL(`live/${o}`,document.baseURI).href;async function pt(o,t){let{ok:s,status:e,body:n}=await fetch(P(o));if(!s||
!n)throw new Error(`${o}: ${e}`);let i=new TransformStream({transform(r,a){t(r.length),a.enqueue(r)}});return new Response(
n.pipeThrough(i)).arrayBuffer()}async function V({files:o,longest:t},s){if(typeof WebAssembly!="object")throw new Error(
"this browser has no WebAssembly");let e=Object.values(o).reduce((u,w)=>u+w),n=0,i=async u=>{let w=await pt(u,b=>{n+=b,s(
n,e)});return[u,w]},r=Object.fromEntries(await Promise.all(Object.keys(o).map(i))),a=await import(P("ort.wasm.bundle.min\
.mjs")),{Tokenizer:l}=await import(P("tokenizers.min.mjs")),h=r["ort-wasm-simd-threaded.wasm"];Object.assign(a.env.wasm,
{numThreads:1,wasmBinary:h});let f=new l(await new Response(r["tokenizer.json"]).json(),{}),m=await a.InferenceSession.create(
r["encoder.onnx"]),d=await a.InferenceSession.create(r["spaces.onnx"]),p=async u=>{let w=f.encode(u).ids;w.length>t&&(w=
[...w.slice(0,t-1),w[w.length-1]]);let b=new a.Tensor("int64",BigInt64Array.from(w,BigInt),[w.length]),{middle:M,last:j}=await m.
run({input_ids:b});return[M.data,j.data]},g=new Map;return async(u,w)=>{for(let x of u.filter(y=>!g.has(y)))if(g.set(x,await p(
x)),await new Promise(y=>setTimeout(y)),w())return;let b=u.map(x=>g.get(x));g=new Map(u.map((x,y)=>[x,b[y]]));let[M,j]=[
0,1].map(x=>{let y=b.flatMap(st=>Array.from(st[x]));return new a.Tensor("float32",y,[b.length,y.length/b.length])}),{cosines:tt,
places:et}=await d.run({middle:M,last:j});return[tt.data,et.data]}}var dt=12,Y=200,O=class{constructor(t){this.changed=t,this.lines=Array.from({length:dt},(e,n)=>c("input",{placeholder:" ",
maxlength:Y,autocomplete:"off","aria-label":`Sentence ${n+1}`,oninput:t,onkeydown:({key:i})=>i==="Enter"&&this.lines[n+1]?.
focus(),onpaste:i=>this.#t(i,n)}));let s=this.lines.map(e=>c("li",{},[e]));this.element=c("ol",{class:"lines"},s)}fill(t){
this.lines.forEach((s,e)=>{s.value=(t[e]??"").trim().slice(0,Y)}),this.changed()}filled(){let t=this.lines.map(e=>e.value.
trim()),s=[...t.keys()].filter(e=>t[e]);return{numbers:s,sentences:s.map(e=>t[e])}}mark(t){this.lines.forEach((s,e)=>{s.
classList.toggle("marked",t.includes(e))})}#t(t,s){let e=(t.clipboardData?.getData("text")??"").split(/\n+/).filter(Boolean);
if(e.length<2)return;t.preventDefault();let n=this.lines.map(i=>i.value);n.splice(s,e.length,...e),this.fill(n)}};function Q(o,t,s,e){let n=t.slice(0,-1),i=c("tr",{},[c("td"),...n.map(l=>X(l,"col"))]),r=t.slice(1).map((l,h)=>{let f=n.
map((m,d)=>{if(d>h)return c("td");let[p,g]=[h+1,()=>e(d,h+1)],u=s(d,p).toFixed(2);return c("td",{text:u.replace("-0.00",
".00").replace("0.","."),style:`--cosine: ${u}`,"data-pair":`${d} ${p}`,onpointerenter:g,onpointerdown:g})});return c("t\
r",{},[X(l,"row"),...f])}),a=c("caption",{class:"spoken",text:o});return c("table",{},[a,c("thead",{},[i]),c("tbody",{},
r)])}function X(o,t){return c("th",{scope:t,text:String(o+1)})}function Z(o,t){for(let s of o.querySelectorAll("td"))s.classList.
toggle("marked",s.dataset.pair===t.join(" "))}var U=class{#t=null;#s=null;#e=null;#n=[0,1];#o=0;#r="These sentences are compared once the encoder is loaded.";#f=new v(
300);constructor(t){this.root=t,this.status=c("p",{role:"status"}),this.bar=c("progress",{"aria-label":"Megabytes that h\
ave arrived"}),this.examples=c("p",{class:"examples"}),this.watch=c("p",{class:"watch"}),this.inputs=new O(()=>this.#p()),
this.calibrator=c("select",{onchange:()=>this.#d()}),this.spheres=new C({role:"group"},s=>this.#g(s),(s,e)=>this.#w(s,e)),
t.replaceChildren(this.status,this.bar,this.examples,this.watch,this.inputs.element,c("p",{class:"calibrator"},[N("Calib\
rator",this.calibrator)]),this.spheres.text,this.spheres.element,this.spheres.spoken)}load(t){if(this.#t)return this.spheres.
draw();this.#t=t;for(let{title:s,sentences:e}of t.examples)this.examples.append(D(s,"",()=>this.inputs.fill(e)));for(let{
spec:s}of t.spaces.slice(1,-1))this.calibrator.append(c("option",{text:s}));this.#h(),addEventListener("hashchange",()=>this.#h()),
this.#m(t)}#h(){let{sentences:t,calibrator:s,hidden:e}=K();this.root.dataset.hide=e.replaceAll(","," "),this.calibrator.
value=s,this.calibrator.value||(this.calibrator.selectedIndex=this.calibrator.length-1),this.inputs.fill(t.length?t:this.#i.
examples[0].sentences)}async#m(t){let s=n=>(n/1e6).toFixed(1),e="the recorded examples work";try{this.#s=await V(t,(n,i)=>{
Object.assign(this.bar,{max:i,value:n}),this.status.textContent=`The encoder is loading: ${s(n)} of ${s(i)} MB. Until th\
en ${e}.`}),this.status.textContent="The encoder runs in this page: type your own sentences. Nothing is sent anywhere."}catch(n){
let i=n instanceof Error?n.message:String(n),r=location.protocol==="file:"?" Open this page from a web server.":"";this.
status.textContent=`The encoder does not run here (${i}); ${e}.${r}`,this.#r="Only the recorded examples are compared he\
re."}this.bar.hidden=!0,await this.#p(),this.root.dataset.state=this.#s?"ready":"recorded"}async#p(){this.#o+=1;let t=this.#o,
{numbers:s,sentences:e}=this.inputs.filled(),n=e.join(`
`),i=this.#i.examples.find(a=>a.sentences.join(`
`)===n);this.watch.textContent=i?.watch??"";let r=i?.answer;this.#s&&e.length>1&&(r=await this.#s(e,()=>t!==this.#o)),t===
this.#o&&(this.#e=r?{numbers:s,sentences:e,answer:r}:null,Math.max(...this.#n)>=e.length&&(this.#n=[0,1]),this.#d())}get#i(){
return this.#t}#d(){let{spaces:t,circles:s}=this.#i,{numbers:e,sentences:n}=this.inputs.filled();if(this.#f.call(()=>J(n,
this.calibrator.value)),this.spheres.element.hidden=!this.#e,!this.#e){this.spheres.text.textContent=e.length>1?this.#r:
"Type at least two sentences.",this.inputs.mark([]);return}let{answer:i,numbers:r}=this.#e,a=this.#a.map(l=>{let h=f=>r.
map((m,d)=>i[1][(l*r.length+d)*3+f]);return{...t[l],x:h(0),y:h(1),near:h(2)}});this.spheres.show(a,s).forEach((l,h)=>{let f=(d,p)=>this.#c(
this.#a[h],d,p),m=`Cosines, ${a[h].title}`;l.append(Q(m,r,f,(d,p)=>this.#l(d,p)))}),this.#u()}get#a(){return[0,1+this.calibrator.
selectedIndex,this.#i.spaces.length-1]}#c(t,s,e){let n=this.#e?.numbers.length??0;return this.#e?.answer[0][(t*n+s)*n+e]??
0}#g(t){let s=this.#e?.numbers??[],e=s.flatMap((i,r)=>s.slice(0,r).map((a,l)=>[l,r])),n=e.findIndex(i=>String(i)===String(
this.#n));this.#l(...e[(n+t+e.length)%e.length])}#w(t,s){let e=(this.#e?.numbers??[]).map((i,r)=>r===t?Number.NEGATIVE_INFINITY:
this.#c(this.#a[s],t,r)),n=e.indexOf(Math.max(...e));this.#l(Math.min(t,n),Math.max(t,n))}#l(t,s){t===this.#n[0]&&s===this.#n[1]||
(this.#n=[t,s],this.#u(),this.spheres.say())}#u(){if(!this.#e)return;let{numbers:t,sentences:s}=this.#e,[e,n]=this.#n,r=this.#a.
map(a=>this.#c(a,e,n).toFixed(2)).map(a=>`cosine ${a}`);this.spheres.mark(this.#n,`“${s[e]}” and “${s[n]}”`,r),this.
inputs.mark(this.#n.map(a=>t[a])),Z(this.spheres.element,this.#n)}},Gt=H({name:"live",show:o=>new U(o),state:"report",file:{
data:o=>JSON.parse(new TextDecoder().decode(o))}});export{Gt as default};
