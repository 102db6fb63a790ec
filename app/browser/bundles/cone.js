function H(o){let t=atob(o),n=new Uint8Array(t.length);for(let e=0;e<t.length;e++)n[e]=t.charCodeAt(e);return n}function h(o,{text:t,...n}={},e=[]){let s=document.createElement(o);for(let[a,r]of Object.entries(n))typeof r=="function"?
s.addEventListener(a.slice(2),r):r!==null&&s.setAttribute(a,String(r));return t!==void 0&&(s.textContent=t),s.append(...e),
s}function v(o,t,n){return h("button",{type:"button",text:o,title:t,onclick:n})}function N(o,t){let n=URL.createObjectURL(o);h("a",{href:n,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(n),1e4)}function b(o){return o.getContext("2d")}var O=1;function L(){return Math.max(O,devicePixelRatio||1)}function U(o,t){try{
return O=2,o(),t()}finally{O=1,o()}}function j(o,t,n){let e=L();Object.assign(o,{width:t*e,height:n*e}),Object.assign(o.
style,{width:`${t}px`,height:`${n}px`}),b(o).scale(e,e)}var X=300,w=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},$=class{#t=new w(X);element=h("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var V=300,Y=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function B(o,t){let n=new w(V),e=()=>{
location.hash&&(t.place=Number.parseInt(location.hash.slice(1),10)||0)};e(),addEventListener("hashchange",e);let s=()=>history.
replaceState(null,"",`#${t.place}`);new MutationObserver(()=>n.call(s)).observe(o,{attributes:!0})}function D(o){document.
documentElement.classList.toggle("alone",Y),o.append(Q(o))}function Q(o){let t=h("input",{readonly:"","aria-label":"HTML\
 that embeds the figure"}),n=v("Copy","Copy the line",()=>{t.select(),navigator.clipboard?.writeText(t.value)}),e=h("det\
ails",{class:"embed"},[h("summary",{text:"Embed this figure"}),t,n]);return e.addEventListener("toggle",()=>{let s=new URL(
`?only=figure${location.hash}`,location.href);t.value=`<iframe src="${s}" title="${document.title}" width="100%" height=\
"${o.offsetHeight}" style="border: 0" loading="lazy"></iframe>`}),e}var R=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function M(o){
let t=getComputedStyle(o),n=(a,r)=>t.getPropertyValue(a).trim()||r,e=y(n("--st-background-color","#ffffff")),s=y(n("--st\
-text-color","#0b0b0e"));return{background:e,ink:s,dark:e[0]+e[1]+e[2]<s[0]+s[1]+s[2],muted:x(e,s,.72),line:x(e,s,.2),dim:x(
e,s,.3),missing:x(e,s,.5),primary:y(n("--st-primary-color","#1f6feb")),font:n("--st-font","sans-serif")}}function F(o,t){
let e=(t?.16+.84*o:.92*o)*(R.length-1),s=Math.min(Math.floor(e),R.length-2);return x(R[s],R[s+1],e-s)}function x(o,t,n){
let e=s=>Math.round(o[s]+(t[s]-o[s])*n);return[e(0),e(1),e(2)]}function u(o,t=1){return`rgb(${o.join(" ")} / ${100*t}%)`}
var T=null;function y(o){T??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),T.fillStyle=o,T.fillRect(
0,0,1,1);let[t,n,e]=T.getImageData(0,0,1,1).data;return[t,n,e]}var A=100;function _(o,t){U(()=>o.draw(),()=>Z(o.parts)).toBlob(e=>e&&N(e,`${t}.png`))}function Z(o){let t=o.map(c=>c.getBoundingClientRect()),
n=L(),e=n*Math.max(...t.map(c=>c.width)),s=n*t.reduce((c,f)=>c+f.height,0),a=h("canvas",{width:Math.ceil(e),height:Math.
ceil(s)}),[r,i]=[b(a),M(o[0])];r.fillStyle=u(i.background),r.fillRect(0,0,e,s),r.scale(n,n);let l=0;return o.forEach((c,f)=>{
r.save(),r.translate(-t[f].left,l-t[f].top);for(let p of[c,...c.querySelectorAll("canvas, .swatch, .bar")])tt(r,i,p);et(
r,c),r.restore(),l+=t[f].height}),a}function tt(o,t,n){let{left:e,top:s,width:a,height:r}=n.getBoundingClientRect();if(!(!a||
!r)){if(n instanceof HTMLCanvasElement)o.drawImage(n,e,s,a,r);else if(n.matches(".swatch"))o.fillStyle=getComputedStyle(
n).backgroundColor,o.fillRect(e,s,a,r);else if(n.matches(".scale .bar"))for(let i=0;i<A;i++)o.fillStyle=u(F(i/(A-1),t.dark)),
o.fillRect(e+i*a/A,s,a/A+.5,r)}}function et(o,t){let[n,e]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(o.textAlign="center",o.textBaseline="middle";n.nextNode();){let s=n.currentNode,a=getComputedStyle(s.parentElement);
o.font=`${a.fontWeight} ${a.fontSize} ${a.fontFamily}`,o.fillStyle=a.color;for(let{0:r,index:i}of s.data.matchAll(/\S+/g)){
e.setStart(s,i),e.setEnd(s,i+r.length);let{left:l,top:c,width:f,height:p}=e.getBoundingClientRect();!f||!p||(o.save(),o.
translate(l+f/2,c+p/2),a.writingMode.startsWith("vertical")&&o.rotate(-Math.PI/2),o.fillText(r,0,0),o.restore())}}}function q({show:o,...t}){let e={...t,show:r=>{let i=o(r);return nt(i)&&r.append(v("Save PNG","Save the picture",()=>_(i,
t.name))),i}},s=globalThis.document?.querySelector("script#payload");s&&at(e,s.textContent??"");let a=it(e);return r=>r?
a(r):{render:i=>ct(e,i)}}function nt(o){return"draw"in o&&"parts"in o}function ot(o){return"place"in o}function st(o){return JSON.
parse(new TextDecoder().decode(o))}function rt(o,t){o.calls+=1;let n=o.calls;return()=>{o.calls===n&&t()}}function it({name:o,
state:t,show:n}){let e=new WeakMap;return({data:s,parentElement:a,setStateValue:r})=>{let i=a.querySelector(`.${o}`),l=e.
get(i)??{shown:n(i),calls:0};return e.set(i,l),l.shown.load(s,c=>r(t,c)),rt(l,()=>l.shown.close?.())}}function at({name:o,
show:t,file:n},e){let s=document.querySelector(`.${o}`),a=t(s),r=H(e.trim()),i=()=>a.load(n?.data(r)??st(r),n?.told??(()=>{}));
i(),ot(a)&&B(s,a),D(s),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function ct({name:o,show:t,
cell:n},{model:e,el:s}){if(!n)return;let[a,r]=[h("div"),h("div",{class:o})],i=h("style",{text:String(e.get("sheet"))});a.
attachShadow({mode:"open"}).append(i,r),s.append(a);let l=t(r),c=()=>l.load(n.data(e.get(n.trait)),f=>{for(let[p,m]of Object.
entries(n.traits(f,l)))e.set(p,m);e.save_changes()});return c(),e.on(`change:${n.trait}`,c),()=>{e.off(`change:${n.trait}`,
c),l.close?.()}}var z={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function P(o,[t,n],e){o.beginPath(),o.arc(t,n,e,0,2*Math.PI),o.fill()}function J(o,t,[n,e],s){let[a,r]=[-1,s];for(let i=0;i<
o;i++){let[l,c]=t(i),f=Math.hypot(l-n,c-e);f<r&&([a,r]=[i,f])}return a}function W(o,t,{colour:n,width:e,halo:s},a){let r=[
[t.background,e+s],[n,e]];for(let[i,l]of r)o.beginPath(),a(),o.lineWidth=l,o.strokeStyle=u(i),o.stroke()}var G=y("#d55e00"),[lt,ht,k]=[8,16,7],C=class{#t=0;constructor(t,n){this.canvas=t,this.panel=n}resize(t){j(this.canvas,t,
t),this.#t=t/2}#e(t,n){let e=this.#t-lt;return[this.#t+e*t,this.#t-e*n]}#n(t){return this.#e(this.panel.x[t],this.panel.
y[t])}nearest(t,n){return J(this.panel.x.length,e=>this.#n(e),[t,n],ht)}draw(t,n,e){let s=b(this.canvas),{near:a,colour:r,
top:i}=this.panel;s.lineWidth=1,s.strokeStyle=u(t.line);for(let{x:d,y:g}of n){s.beginPath();for(let S=0;S<d.length;S++)s.
lineTo(...this.#e(d[S],g[S]));s.stroke()}let l=y(r);a.forEach((d,g)=>{s.fillStyle=u(l,d>0?.85:.4),P(s,this.#n(g),d>0?3:2)});
let[[c,f],[,p]]=[this.#e(0,0),this.#e(0,i)];W(s,t,{colour:G,width:4,halo:2},()=>{s.moveTo(c,f),s.lineTo(c,p)}),s.beginPath(),
s.moveTo(c,p-k),s.lineTo(c-k,p+k),s.lineTo(c+k,p+k),s.fillStyle=u(G),s.fill();let m=e.map(d=>this.#n(d));W(s,t,{colour:t.
ink,width:2,halo:3},()=>{for(let d of m)s.lineTo(...d)}),s.fillStyle=u(t.ink),s.strokeStyle=u(t.background);for(let d of m)
P(s,d,5),s.stroke()}};var ft=300;function K([o,t],n,[e,s]=[0,0]){let a=e?`${e} to ${s}`:s,r=n===void 0?"":`: gold score ${Number(n.toFixed(2))}\
 of ${a}`;return`“${o}” and “${t}”${r}`}var E=class{#t=[];#e=[];#n=[];#o=[];#s=new $;#r=new ResizeObserver(()=>this.
draw());text=h("p",{class:"pair"});spoken=this.#s.element;constructor(t,n,e){this.point=e;let r={class:"spheres",tabindex:0,
"aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:i=>{let[l,c]=z[i.key]??[0,0];
i.ctrlKey||i.metaKey||i.altKey||l===c||(i.preventDefault(),n(l-c))}};this.element=h("div",{...r,...t}),this.#r.observe(this.
element)}show(t,n){this.#e=n,this.#t=t.map((s,a)=>{let r=({offsetX:m,offsetY:d})=>{let g=l.nearest(m,d);g>=0&&this.point(
g,a)},i=h("canvas",{role:"img",onpointermove:r,onpointerdown:r}),l=new C(i,s),[c,f]=[h("strong",{text:s.title}),h("div")],
p=h("figcaption",{},[c,f]);return{panel:s,sphere:l,title:c,note:f,figure:h("figure",{},[p,i])}});let e=this.#t.map(({figure:s})=>s);
return this.element.replaceChildren(...e),e}move(t){this.#t.forEach((n,e)=>{n.panel=t[e],n.sphere.panel=t[e],n.title.textContent=
t[e].title})}mark(t,n,e){this.#n=t,this.#o=e,this.text.textContent=n,this.#t.forEach(({panel:s,sphere:a,note:r},i)=>{r.textContent=
e[i],a.canvas.ariaLabel=`Sentences as points on a sphere, ${s.title}: the mean of their directions has length ${s.mean_length.
toFixed(2)}; the marked pair: ${e[i]}`}),this.draw()}draw(){let t=M(this.element);for(let{sphere:n,figure:e}of this.#t){
if(!e.clientWidth)return;n.resize(Math.min(ft,e.clientWidth)),n.draw(t,this.#e,this.#n)}}say(){let t=this.#t.map(({panel:n},e)=>`${n.
title} ${this.#o[e]}`);this.#s.say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#s.stop(),this.#r.disconnect()}};var I=class{#t=0;#e=null;constructor(t){this.root=t,this.spheres=new E({role:"application"},n=>this.#o((this.#t+n+this.#n)%
this.#n),n=>this.#o(n%this.#n)),t.replaceChildren(this.spheres.element,this.spheres.text,this.spheres.spoken)}load(t){if(JSON.
stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let n=t.pairs.map(([,,e])=>e);this.#t=n.indexOf(Math.min(...n)),this.spheres.
show(t.panels,t.circles)}this.#s(t)}get#n(){return this.#e?.pairs.length??0}#o(t){t===this.#t||!this.#e||(this.#t=t,this.#s(
this.#e),this.spheres.say())}#s({pairs:t,panels:n,scale:e}){let s=this.#t,[a,r,i]=t[s];this.spheres.mark([s,s+this.#n],K(
[a,r],i,e),n.map(({pair_angles:l})=>`${l[s].toFixed(0)}° between the marked pair`)),this.root.dataset.pair=String(s)}get place(){
return this.#t}set place(t){this.#o(Math.max(0,Math.min(t,this.#n-1)))}get parts(){return[this.spheres.element,this.spheres.
text]}draw(){this.spheres.draw()}close(){this.spheres.close()}},_t=q({name:"cone",show:o=>new I(o),state:"report"});export{I as ConeView,_t as default};
