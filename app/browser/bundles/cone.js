function I(n){let t=atob(n),o=new Uint8Array(t.length);for(let e=0;e<t.length;e++)o[e]=t.charCodeAt(e);return o}function f(n,{text:t,...o}={},e=[]){let s=document.createElement(n);for(let[i,r]of Object.entries(o))typeof r=="function"?
s.addEventListener(i.slice(2),r):r!==null&&s.setAttribute(i,String(r));return t!==void 0&&(s.textContent=t),s.append(...e),
s}function j(n,t,o){return f("button",{type:"button",text:n,title:t,onclick:o})}function B(n,t){let o=URL.createObjectURL(n);f("a",{href:o,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(o),1e4)}function w(n){return n.getContext("2d")}var M=1;function O(){return Math.max(M,devicePixelRatio||1)}function H(n,t){try{
return M=2,n(),t()}finally{M=1,n()}}function N(n,t,o){let e=O();Object.assign(n,{width:t*e,height:o*e}),Object.assign(n.
style,{width:`${t}px`,height:`${o}px`}),w(n).scale(e,e)}var S=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function R(n){
let t=getComputedStyle(n),o=(i,r)=>t.getPropertyValue(i).trim()||r,e=y(o("--st-background-color","#ffffff")),s=y(o("--st\
-text-color","#0b0b0e"));return{background:e,ink:s,dark:e[0]+e[1]+e[2]<s[0]+s[1]+s[2],muted:b(e,s,.72),line:b(e,s,.2),dim:b(
e,s,.3),missing:b(e,s,.5),primary:y(o("--st-primary-color","#1f6feb")),font:o("--st-font","sans-serif")}}function F(n,t){
let e=(t?.16+.84*n:.92*n)*(S.length-1),s=Math.min(Math.floor(e),S.length-2);return b(S[s],S[s+1],e-s)}function b(n,t,o){
let e=s=>Math.round(n[s]+(t[s]-n[s])*o);return[e(0),e(1),e(2)]}function u(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var v=null;function y(n){v??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),v.fillStyle=n,v.fillRect(
0,0,1,1);let[t,o,e]=v.getImageData(0,0,1,1).data;return[t,o,e]}var $=100;function U(n,t){H(()=>n.draw(),()=>G(n.parts)).toBlob(e=>e&&B(e,`${t}.png`))}function G(n){let t=n.map(c=>c.getBoundingClientRect()),
o=O(),e=o*Math.max(...t.map(c=>c.width)),s=o*t.reduce((c,h)=>c+h.height,0),i=f("canvas",{width:Math.ceil(e),height:Math.
ceil(s)}),[r,a]=[w(i),R(n[0])];r.fillStyle=u(a.background),r.fillRect(0,0,e,s),r.scale(o,o);let l=0;return n.forEach((c,h)=>{
r.save(),r.translate(-t[h].left,l-t[h].top);for(let p of[c,...c.querySelectorAll("canvas, .swatch, .bar")])J(r,a,p);K(r,
c),r.restore(),l+=t[h].height}),i}function J(n,t,o){let{left:e,top:s,width:i,height:r}=o.getBoundingClientRect();if(!(!i||
!r)){if(o instanceof HTMLCanvasElement)n.drawImage(o,e,s,i,r);else if(o.matches(".swatch"))n.fillStyle=getComputedStyle(
o).backgroundColor,n.fillRect(e,s,i,r);else if(o.matches(".scale .bar"))for(let a=0;a<$;a++)n.fillStyle=u(F(a/($-1),t.dark)),
n.fillRect(e+a*i/$,s,i/$+.5,r)}}function K(n,t){let[o,e]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(n.textAlign="center",n.textBaseline="middle";o.nextNode();){let s=o.currentNode,i=getComputedStyle(s.parentElement);
n.font=`${i.fontWeight} ${i.fontSize} ${i.fontFamily}`,n.fillStyle=i.color;for(let{0:r,index:a}of s.data.matchAll(/\S+/g)){
e.setStart(s,a),e.setEnd(s,a+r.length);let{left:l,top:c,width:h,height:p}=e.getBoundingClientRect();!h||!p||(n.save(),n.
translate(l+h/2,c+p/2),i.writingMode.startsWith("vertical")&&n.rotate(-Math.PI/2),n.fillText(r,0,0),n.restore())}}}function D({show:n,...t}){let e={...t,show:r=>{let a=n(r);return X(a)&&r.append(j("Save PNG","Save the picture",()=>U(a,
t.name))),a}},s=globalThis.document?.querySelector("script#payload");s&&Q(e,s.textContent??"");let i=Y(e);return r=>r?i(
r):{render:a=>Z(e,a)}}function X(n){return"draw"in n&&"parts"in n}function V(n,t){n.calls+=1;let o=n.calls;return()=>{n.
calls===o&&t()}}function Y({name:n,state:t,show:o}){let e=new WeakMap;return({data:s,parentElement:i,setStateValue:r})=>{
let a=i.querySelector(`.${n}`),l=e.get(a)??{shown:o(a),calls:0};return e.set(a,l),l.shown.load(s,c=>r(t,c)),V(l,()=>l.shown.
close?.())}}function Q({name:n,show:t,file:o},e){if(!o)return;let s=t(document.querySelector(`.${n}`)),i=()=>s.load(o.data(
I(e.trim())),o.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function Z({name:n,
show:t,cell:o},{model:e,el:s}){if(!o)return;let[i,r]=[f("div"),f("div",{class:n})],a=f("style",{text:String(e.get("sheet"))});
i.attachShadow({mode:"open"}).append(a,r),s.append(i);let l=t(r),c=()=>l.load(o.data(e.get(o.trait)),h=>{for(let[p,m]of Object.
entries(o.traits(h,l)))e.set(p,m);e.save_changes()});return c(),e.on(`change:${o.trait}`,c),()=>{e.off(`change:${o.trait}`,
c),l.close?.()}}var q={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var tt=300,E=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},T=class{#t=new E(tt);element=f("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function W(n,[t,o],e){n.beginPath(),n.arc(t,o,e,0,2*Math.PI),n.fill()}function _(n,t,[o,e],s){let[i,r]=[-1,s];for(let a=0;a<
n;a++){let[l,c]=t(a),h=Math.hypot(l-o,c-e);h<r&&([i,r]=[a,h])}return i}function P(n,t,{colour:o,width:e,halo:s},i){let r=[
[t.background,e+s],[o,e]];for(let[a,l]of r)n.beginPath(),i(),n.lineWidth=l,n.strokeStyle=u(a),n.stroke()}var z=y("#d55e00"),[et,ot,k]=[8,16,7],A=class{#t=0;constructor(t,o){this.canvas=t,this.panel=o}resize(t){N(this.canvas,t,
t),this.#t=t/2}#e(t,o){let e=this.#t-et;return[this.#t+e*t,this.#t-e*o]}#o(t){return this.#e(this.panel.x[t],this.panel.
y[t])}nearest(t,o){return _(this.panel.x.length,e=>this.#o(e),[t,o],ot)}draw(t,o,e){let s=w(this.canvas),{near:i,colour:r,
top:a}=this.panel;s.lineWidth=1,s.strokeStyle=u(t.line);for(let{x:d,y:g}of o){s.beginPath();for(let x=0;x<d.length;x++)s.
lineTo(...this.#e(d[x],g[x]));s.stroke()}let l=y(r);i.forEach((d,g)=>{s.fillStyle=u(l,d>0?.85:.4),W(s,this.#o(g),d>0?3:2)});
let[[c,h],[,p]]=[this.#e(0,0),this.#e(0,a)];P(s,t,{colour:z,width:4,halo:2},()=>{s.moveTo(c,h),s.lineTo(c,p)}),s.beginPath(),
s.moveTo(c,p-k),s.lineTo(c-k,p+k),s.lineTo(c+k,p+k),s.fillStyle=u(z),s.fill();let m=e.map(d=>this.#o(d));P(s,t,{colour:t.
ink,width:2,halo:3},()=>{for(let d of m)s.lineTo(...d)}),s.fillStyle=u(t.ink),s.strokeStyle=u(t.background);for(let d of m)
W(s,d,5),s.stroke()}};var nt=300,C=class{#t=[];#e=[];#o=[];#s=[];#n=new T;#r=new ResizeObserver(()=>this.draw());text=f("p",{class:"pair"});spoken=this.#n.
element;constructor(t,o,e){this.point=e;let r={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:a=>{let[l,c]=q[a.key]??[0,0];a.ctrlKey||a.metaKey||a.altKey||l===c||(a.preventDefault(),
o(l-c))}};this.element=f("div",{...r,...t}),this.#r.observe(this.element)}show(t,o){this.#e=o,this.#t=t.map((s,i)=>{let r=({
offsetX:m,offsetY:d})=>{let g=l.nearest(m,d);g>=0&&this.point(g,i)},a=f("canvas",{role:"img",onpointermove:r,onpointerdown:r}),
l=new A(a,s),[c,h]=[f("strong",{text:s.title}),f("div")],p=f("figcaption",{},[c,h]);return{panel:s,sphere:l,title:c,note:h,
figure:f("figure",{},[p,a])}});let e=this.#t.map(({figure:s})=>s);return this.element.replaceChildren(...e),e}move(t){this.#t.
forEach((o,e)=>{o.panel=t[e],o.sphere.panel=t[e],o.title.textContent=t[e].title})}mark(t,o,e){this.#o=t,this.#s=e,this.text.
textContent=o,this.#t.forEach(({panel:s,sphere:i,note:r},a)=>{r.textContent=e[a],i.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${s.title}: the mean of their directions has length ${s.mean_length.toFixed(2)}; the marked pair: ${e[a]}`}),
this.draw()}draw(){let t=R(this.element);for(let{sphere:o,figure:e}of this.#t){if(!e.clientWidth)return;o.resize(Math.min(
nt,e.clientWidth)),o.draw(t,this.#e,this.#o)}}say(){let t=this.#t.map(({panel:o},e)=>`${o.title} ${this.#s[e]}`);this.#n.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#n.stop(),this.#r.disconnect()}};var L=class{#t=0;#e=null;constructor(t){this.root=t,this.spheres=new C({role:"application"},o=>this.#s((this.#t+o+this.#o)%
this.#o),o=>this.#s(o%this.#o)),t.replaceChildren(this.spheres.element,this.spheres.text,this.spheres.spoken)}load(t){if(JSON.
stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let o=t.pairs.map(([,,e])=>e);this.#t=o.indexOf(Math.min(...o)),this.spheres.
show(t.panels,t.circles)}this.#n(t)}get#o(){return this.#e?.pairs.length??0}#s(t){t===this.#t||!this.#e||(this.#t=t,this.#n(
this.#e),this.spheres.say())}#n({pairs:t,panels:o,scale:[e,s]}){let i=this.#t,[r,a,l]=t[i];this.spheres.mark([i,i+this.#o],
`“${r}” and “${a}”: gold score ${Number(l.toFixed(2))} of ${e?`${e} to `:""}${s}`,o.map(({pair_angles:c})=>`${c[i].
toFixed(0)}° between the marked pair`)),this.root.dataset.pair=String(i)}get parts(){return[this.spheres.element,this.spheres.
text]}draw(){this.spheres.draw()}close(){this.spheres.close()}},Et=D({name:"cone",show:n=>new L(n),state:"report"});export{L as ConeView,Et as default};
