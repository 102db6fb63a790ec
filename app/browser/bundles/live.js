function l(o,{text:t,...e}={},s=[]){let n=document.createElement(o);for(let[r,i]of Object.entries(e))typeof i=="function"?
n.addEventListener(r.slice(2),i):i!==null&&n.setAttribute(r,String(i));return t!==void 0&&(n.textContent=t),n.append(...s),
n}function P(o,t,e){return l("button",{type:"button",text:o,title:t,onclick:e})}function W(o,t,e=""){let s=l("span",{text:o});
t instanceof HTMLSelectElement&&(t.ariaLabel=o);let n=t instanceof HTMLInputElement&&t.type==="checkbox";return l("label",
{title:e||null},n?[t,s]:[s,t])}function R(o){return o.getContext("2d")}function U(o,t,e){let s=devicePixelRatio||1;Object.assign(o,{width:t*s,height:e*
s}),Object.assign(o.style,{width:`${t}px`,height:`${e}px`}),R(o).scale(s,s)}function z(o){let t=getComputedStyle(o),e=(r,i)=>t.getPropertyValue(r).trim()||i,s=b(e("--st-background-color","#ffffff")),
n=b(e("--st-text-color","#0b0b0e"));return{background:s,ink:n,dark:s[0]+s[1]+s[2]<n[0]+n[1]+n[2],muted:k(s,n,.72),line:k(
s,n,.2),dim:k(s,n,.3),missing:k(s,n,.5),primary:b(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function k(o,t,e){let s=n=>Math.round(o[n]+(t[n]-o[n])*e);return[s(0),s(1),s(2)]}function w(o,t=1){return`rgb(${o.join("\
 ")} / ${100*t}%)`}var v=null;function b(o){v??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),v.fillStyle=
o,v.fillRect(0,0,1,1);let[t,e,s]=v.getImageData(0,0,1,1).data;return[t,e,s]}function C(o,[t,e],s){o.beginPath(),o.arc(t,e,s,0,2*Math.PI),o.fill()}function F(o,t,[e,s],n){let[r,i]=[-1,n];for(let a=0;a<
o;a++){let[c,h]=t(a),p=Math.hypot(c-e,h-s);p<i&&([r,i]=[a,p])}return r}function j(o,t,{colour:e,width:s,halo:n},r){let i=[
[t.background,s+n],[e,s]];for(let[a,c]of i)o.beginPath(),r(),o.lineWidth=c,o.strokeStyle=w(a),o.stroke()}var _=b("#d55e00"),[X,Q,x]=[8,16,7],S=class{#t=0;constructor(t,e){this.canvas=t,this.panel=e}resize(t){U(this.canvas,t,t),
this.#t=t/2}#s(t,e){let s=this.#t-X;return[this.#t+s*t,this.#t-s*e]}#e(t){return this.#s(this.panel.x[t],this.panel.y[t])}nearest(t,e){
return F(this.panel.x.length,s=>this.#e(s),[t,e],Q)}draw(t,e,s){let n=R(this.canvas),{near:r,colour:i,top:a}=this.panel;
n.lineWidth=1,n.strokeStyle=w(t.line);for(let{x:f,y:d}of e){n.beginPath();for(let g=0;g<f.length;g++)n.lineTo(...this.#s(
f[g],d[g]));n.stroke()}let c=b(i);r.forEach((f,d)=>{n.fillStyle=w(c,f?.85:.4),C(n,this.#e(d),f?3:2)});let[[h,p],[,m]]=[this.#s(
0,0),this.#s(0,a)];j(n,t,{colour:_,width:4,halo:2},()=>{n.moveTo(h,p),n.lineTo(h,m)}),n.beginPath(),n.moveTo(h,m-x),n.lineTo(
h-x,m+x),n.lineTo(h+x,m+x),n.fillStyle=w(_),n.fill();let u=s.map(f=>this.#e(f));j(n,t,{colour:t.ink,width:2,halo:3},()=>{
for(let f of u)n.lineTo(...f)}),n.fillStyle=w(t.ink),n.strokeStyle=w(t.background);for(let f of u)C(n,f,5),n.stroke()}};var D={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function N(o){let t=globalThis.document?.querySelector("script#payload");t&&et(o,t.textContent??"");let e=tt(o);return s=>s?
e(s):{render:n=>st(o,n)}}function Z(o,t){o.calls+=1;let e=o.calls;return()=>{o.calls===e&&t()}}function tt({name:o,state:t,
show:e}){let s=new WeakMap;return({data:n,parentElement:r,setStateValue:i})=>{let a=r.querySelector(`.${o}`),c=s.get(a)??
{shown:e(a),calls:0};return s.set(a,c),c.shown.load(n,h=>i(t,h)),Z(c,()=>c.shown.close?.())}}function et({name:o,show:t,
file:e},s){if(!e)return;let n=t(document.querySelector(`.${o}`)),r=Uint8Array.from(atob(s.trim()),a=>a.charCodeAt(0)),i=()=>n.
load(e.data(r),e.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function st({
name:o,show:t,cell:e},{model:s,el:n}){if(!e)return;let[r,i]=[l("div"),l("div",{class:o})],a=l("style",{text:String(s.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,i),n.append(r);let c=t(i),h=()=>c.load(e.data(s.get(e.trait)),p=>{for(let[
m,u]of Object.entries(e.traits(p,c)))s.set(m,u);s.save_changes()});return h(),s.on(`change:${e.trait}`,h),()=>{s.off(`ch\
ange:${e.trait}`,h),c.close?.()}}var nt=300,y=class{#t;#s=0;constructor(t){this.#t=t}call(t){this.stop(),this.#s=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#s)}},T=class{#t=new y(nt);element=l("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function B(){let o=new URLSearchParams(location.hash.slice(1));return{sentences:o.getAll("s"),calibrator:o.get("calibrat\
or")??"",hidden:new Set((o.get("hide")??"").split(","))}}function H(o,t){let e=new URLSearchParams(o.map(n=>["s",n]));e.
set("calibrator",t);let s=new URLSearchParams(location.hash.slice(1)).get("hide");s&&e.set("hide",s),history.replaceState(
null,"",`#${e}`)}var ot="live";var M=o=>new URL(`${ot}/${o}`,document.baseURI).href;async function rt(o,t){let e=0;return Promise.all(o.map(async s=>{let n=await fetch(
M(s));if(!n.ok||!n.body)throw new Error(`${s}: ${n.status}`);let r=[],i=n.body.getReader();for(let a=await i.read();!a.done;a=
await i.read())r.push(a.value),e+=a.value.length,t(e);return new Uint8Array(await new Blob(r).arrayBuffer())}))}var $=class o{#t=new Map;constructor(t,e,s,n,r){
this.ort=t,this.tokenizer=e,this.encoder=s,this.spaces=n,this.longest=r}static async load({files:t,longest:e},s){if(typeof WebAssembly!=
"object")throw new Error("this browser has no WebAssembly");let n=Object.keys(t).filter(d=>!d.endsWith(".mjs")),r=n.reduce(
(d,g)=>d+t[g],0),i=await rt(n,d=>s(d,r)),a=d=>i[n.indexOf(d)],c=d=>JSON.parse(new TextDecoder().decode(a(d))),[h,{Tokenizer:p}]=await Promise.
all([import(M("ort.wasm.bundle.min.mjs")),import(M("tokenizers.min.mjs"))]);Object.assign(h.env.wasm,{numThreads:1,wasmBinary:a(
"ort-wasm-simd-threaded.wasm").buffer});let m=new p(c("tokenizer.json"),c("tokenizer_config.json")),u=await h.InferenceSession.
create(a("encoder.onnx")),f=await h.InferenceSession.create(a("spaces.onnx"));return new o(h,m,u,f,e)}async answer(t,e){
for(let c of t)if(!this.#t.has(c)&&(this.#t.set(c,await this.#s(c)),await new Promise(h=>setTimeout(h)),e()))return null;
let s=t.map(c=>this.#t.get(c));this.#t.size>1e3&&this.#t.clear();let[n,r]=[0,1].map(c=>{let h=s[0][c].length,p=new Float32Array(
s.length*h);return s.forEach((m,u)=>{p.set(m[c],u*h)}),new this.ort.Tensor("float32",p,[s.length,h])}),{cosines:i,places:a}=await this.
spaces.run({middle:n,last:r});return{cosines:q(i),places:q(a)}}async#s(t){let e=this.tokenizer.encode(t).ids;e.length>this.
longest&&(e=[...e.slice(0,this.longest-1),e[e.length-1]]);let s=new this.ort.Tensor("int64",BigInt64Array.from(e,BigInt),
[1,e.length]),{middle:n,last:r}=await this.encoder.run({input_ids:s});return[n.data,r.data]}};function q({data:o,dims:[t,
e,s]}){return Array.from({length:t},(n,r)=>Array.from({length:e},(i,a)=>{let c=(r*e+a)*s;return Array.from(o.slice(c,c+s))}))}var it=12,K=200,A=class{constructor(t){this.changed=t,this.lines=Array.from({length:it},(s,n)=>l("input",{type:"text",maxlength:K,
readonly:"",autocomplete:"off","aria-label":`Sentence ${n+1}`,oninput:()=>this.#t(),onkeydown:r=>{r.key==="Enter"&&this.
lines[n+1]?.focus()},onpaste:r=>this.#e(r,n)}));let e=this.lines.map(s=>l("li",{},[s]));this.element=l("ol",{class:"line\
s"},e)}open(){for(let t of this.lines)t.readOnly=!1}fill(t){this.lines.forEach((e,s)=>{e.value=(t[s]??"").trim().slice(0,
K)}),this.#s()}filled(){let t=this.lines.map(s=>s.value.trim()),e=[...t.keys()].filter(s=>t[s]);return{numbers:e,sentences:e.
map(s=>t[s])}}mark(t){this.lines.forEach((e,s)=>{e.classList.toggle("marked",t.includes(s))})}#t(){this.#s(),this.changed()}#s(){
let t=this.filled().numbers.at(-1)??-1;this.lines.forEach((e,s)=>{e.parentElement&&(e.parentElement.hidden=s>t+1)})}#e(t,e){
let s=(t.clipboardData?.getData("text")??"").split(/\n+/).filter(Boolean);if(s.length<2||this.lines[e].readOnly)return;t.
preventDefault();let n=this.lines.map(r=>r.value);n.splice(e,s.length,...s),this.fill(n),this.changed()}};function J(o,t,e,s){let n=[l("td"),...e.slice(0,-1).map(c=>G(c,"col"))],r=e.slice(1).map((c,h)=>{let p=e.slice(0,-1).map(
(m,u)=>{let f=h+1;if(u>=f)return l("td");let d=t[u][f],g=()=>s(u,f),E={onpointerenter:g,onpointerdown:g},O=d.toFixed(2).
replace("-0.00",".00").replace("0.","."),Y=`${u} ${f}`,I=l("td",{text:O,"data-pair":Y,...E});return I.style.setProperty(
"--share",`${(45*Math.min(1,Math.max(0,d))).toFixed(0)}%`),I});return l("tr",{},[G(c,"row"),...p])}),i=l("caption",{class:"\
spoken",text:o}),a=l("tbody",{},r);return l("table",{},[i,l("thead",{},[l("tr",{},n)]),a])}function G(o,t){return l("th",
{scope:t,text:String(o+1)})}function V(o,t){for(let e of o.querySelectorAll("td"))e.classList.toggle("marked",e.dataset.
pair===t.join(" "))}var at=300,L=class{#t=null;#s=null;#e=null;#n=[0,1];#a=0;#d=new T;#g=new y(300);#r=[];constructor(t){this.root=t,this.bar=
l("progress",{"aria-label":"Megabytes that have arrived"}),this.status=l("p",{class:"status",role:"status"}),this.examples=
l("p",{class:"examples"}),this.watch=l("p",{class:"watch"}),this.calibrator=l("select",{onchange:()=>this.#i(!0)}),this.
inputs=new A(()=>this.#c()),this.spheres=l("div",{class:"spheres",tabindex:0,role:"group","aria-label":"Three spaces; th\
e arrow keys show one pair of sentences after the other",onkeydown:s=>this.#x(s)}),this.text=l("p",{class:"pair"}),this.
parts={examples:l("div",{},[this.examples,this.watch]),sentences:this.inputs.element,calibrator:l("p",{},[W("Calibrator",
this.calibrator)])};let e=[...Object.values(this.parts),this.text,this.spheres];t.replaceChildren(this.status,this.bar,...e,
this.#d.element),new ResizeObserver(()=>this.#i()).observe(t)}load(t){if(this.#t)return this.#i();this.#t=t,this.examples.
append(...t.examples.map(({title:e,sentences:s})=>P(e,"",()=>this.#f(s)))),t.spaces.slice(1,-1).forEach(({spec:e},s)=>{this.
calibrator.append(l("option",{value:s+1,text:e}))}),this.#r=[0,1,2].map(e=>this.#b(e)),this.#p(),addEventListener("hashc\
hange",()=>this.#p()),this.#w(t)}#p(){let{spaces:t,examples:e}=this.#o,{sentences:s,calibrator:n,hidden:r}=B(),i=t.slice(
1,-1).findIndex(({spec:a})=>a.split(":")[0]===n);this.calibrator.value=String(i<0?t.length-2:i+1);for(let[a,c]of Object.
entries(this.parts))c.hidden=r.has(a);for(let{cells:a}of this.#r)a.hidden=r.has("tables");this.#f(s.length?s:e[0].sentences)}async#w(t){
this.root.dataset.state="loading";let e=n=>(n/1e6).toFixed(1),s="the recorded examples work";try{this.#s=await $.load(t,
(n,r)=>{Object.assign(this.bar,{max:r,value:n}),this.status.textContent=`The encoder is loading: ${e(n)} of ${e(r)} MB. \
Until it is here, ${s}.`})}catch(n){let r=n instanceof Error?n.message:String(n),i=location.protocol==="file:"?" Open th\
is page from a web server.":"";this.status.textContent=`The encoder does not run here (${r}); ${s}.${i}`,this.bar.hidden=
!0,this.root.dataset.state="recorded";return}this.bar.hidden=!0,this.status.textContent="The encoder runs in this page: \
type your own sentences. Nothing is sent anywhere.",this.inputs.open(),await this.#c(),this.root.dataset.state="ready"}#f(t){
this.inputs.fill(t),this.#c()}async#c(){let t=performance.now();this.#a+=1;let e=this.#a,{numbers:s,sentences:n}=this.inputs.
filled(),r=c=>c.length===n.length&&c.every((h,p)=>h===n[p]),i=this.#o.examples.find(c=>r(c.sentences));this.watch.textContent=
i?.watch??"";let a=i?.answer??null;if(this.#s&&n.length>1){let c=await this.#s.answer(n,()=>e!==this.#a);if(e!==this.#a)
return;a=c}this.#e=a&&{numbers:s,sentences:n,answer:a},Math.max(...this.#n)>=n.length&&(this.#n=[0,1]),this.#i(!0),this.
root.dataset.ms=(performance.now()-t).toFixed(0)}get#o(){return this.#t}get#l(){return[0,Number(this.calibrator.value),this.#o.
spaces.length-1]}#b(t){let e=l("canvas",{role:"img",onpointermove:c=>this.#u(t,c),onpointerdown:c=>this.#u(t,c)}),s={x:[],
y:[],near:[],colour:"#000",top:0},[n,r,i]=[l("strong"),l("div"),l("div",{class:"cells"})],a=l("figcaption",{},[n,r]);return this.
spheres.append(l("figure",{},[a,e,i])),{sphere:new S(e,s),caption:n,mean:r,cells:i}}#u(t,{offsetX:e,offsetY:s}){let n=this.#r[t].
sphere.nearest(e,s);if(n<0||!this.#e)return;let i=this.#e.answer.cosines[this.#l[t]][n].map((c,h)=>h===n?Number.NEGATIVE_INFINITY:
c),a=i.indexOf(Math.max(...i));this.#h(Math.min(n,a),Math.max(n,a))}#x(t){if(t.ctrlKey||t.metaKey||t.altKey||!this.#e)return;
let[e,s]=D[t.key]??[0,0];if(!e&&!s)return;t.preventDefault();let n=this.#e.sentences.length,r=Array.from({length:n},(a,c)=>Array.
from({length:n-c-1},(h,p)=>[c,c+p+1])).flat(),i=r.findIndex(([a,c])=>a===this.#n[0]&&c===this.#n[1]);this.#h(...r[(i+e-s+
r.length)%r.length])}#h(t,e){if(t===this.#n[0]&&e===this.#n[1])return;this.#n=[t,e],this.#i();let s=this.#r.map(({caption:n},r)=>`${n.
textContent} ${this.#m(r).toFixed(2)}`);this.#d.say(`${this.text.textContent}; cosines: ${s.join(", ")}`)}#m(t){let[e,s]=this.#n;
return this.#e?.answer.cosines[this.#l[t]][e][s]??0}#i(t=!1){if(!this.#t||!this.root.clientWidth)return;let{numbers:e}=this.
inputs.filled();if(t){let i=this.#o.spaces[Number(this.calibrator.value)].spec.split(":")[0];this.#g.call(()=>H(this.inputs.
filled().sentences,i))}if(this.spheres.hidden=!this.#e,!this.#e){this.text.textContent=e.length>1?"These sentences are c\
ompared as soon as the encoder is here.":"Type at least two sentences.",this.inputs.mark([]);return}let{sentences:s}=this.#e,
[n,r]=this.#n;this.#l.forEach((i,a)=>{this.#y(this.#r[a],this.#o.spaces[i],i,a,t)}),this.text.textContent=`“${s[n]}” a\
nd “${s[r]}”`,this.inputs.mark(this.#n.map(i=>this.#e.numbers[i]))}#y({sphere:t,caption:e,mean:s,cells:n},r,i,a,c){if(!this.#e)
return;let{numbers:h,answer:p}=this.#e,m=p.places[i];Object.assign(t.panel,{x:m.map(([d])=>d),y:m.map(([,d])=>d),near:m.
map(([,,d])=>d>0?1:0),colour:r.colour,top:r.top}),e.textContent=a===1?`${r.layers}: ${r.spec}`:r.layers;let u=this.#m(a).
toFixed(2);s.textContent=`marked pair ${u}`,t.canvas.ariaLabel=`The sentences on a sphere, ${e.textContent}: the cosine \
of the marked pair is ${u}; the mean direction of the data has length ${r.length.toFixed(2)}`;let f=t.canvas.parentElement?.
clientWidth??0;if(t.resize(Math.min(at,f)),t.draw(z(this.root),this.#o.circles,this.#n),c||!n.firstChild){let d=`Cosines\
, ${e.textContent}`,g=(E,O)=>this.#h(E,O);n.replaceChildren(J(d,p.cosines[i],h,g))}V(n,this.#n)}},Ut=N({name:"live",show:o=>new L(
o),state:"report",file:{data:o=>JSON.parse(new TextDecoder().decode(o))}});export{Ut as default};
