function f(s,{text:t,...o}={},e=[]){let n=document.createElement(s);for(let[a,r]of Object.entries(o))typeof r=="function"?
n.addEventListener(a.slice(2),r):r!==null&&n.setAttribute(a,String(r));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function I(s,t,o){return f("button",{type:"button",text:s,title:t,onclick:o})}function j(s,t){let o=URL.createObjectURL(s);f("a",{href:o,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(o),1e4)}function y(s){return s.getContext("2d")}var M=1;function E(){return Math.max(M,devicePixelRatio||1)}function B(s,t){try{
return M=2,s(),t()}finally{M=1,s()}}function H(s,t,o){let e=E();Object.assign(s,{width:t*e,height:o*e}),Object.assign(s.
style,{width:`${t}px`,height:`${o}px`}),y(s).scale(e,e)}var S=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function R(s){
let t=getComputedStyle(s),o=(a,r)=>t.getPropertyValue(a).trim()||r,e=w(o("--st-background-color","#ffffff")),n=w(o("--st\
-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:b(e,n,.72),line:b(e,n,.2),dim:b(
e,n,.3),missing:b(e,n,.5),primary:w(o("--st-primary-color","#1f6feb")),font:o("--st-font","sans-serif")}}function N(s,t){
let e=(t?.16+.84*s:.92*s)*(S.length-1),n=Math.min(Math.floor(e),S.length-2);return b(S[n],S[n+1],e-n)}function b(s,t,o){
let e=n=>Math.round(s[n]+(t[n]-s[n])*o);return[e(0),e(1),e(2)]}function u(s,t=1){return`rgb(${s.join(" ")} / ${100*t}%)`}
var v=null;function w(s){v??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),v.fillStyle=s,v.fillRect(
0,0,1,1);let[t,o,e]=v.getImageData(0,0,1,1).data;return[t,o,e]}var $=100;function F(s,t){B(()=>s.draw(),()=>z(s.parts)).toBlob(e=>e&&j(e,`${t}.png`))}function z(s){let t=s.map(c=>c.getBoundingClientRect()),
o=E(),e=o*Math.max(...t.map(c=>c.width)),n=o*t.reduce((c,h)=>c+h.height,0),a=f("canvas",{width:Math.ceil(e),height:Math.
ceil(n)}),[r,i]=[y(a),R(s[0])];r.fillStyle=u(i.background),r.fillRect(0,0,e,n),r.scale(o,o);let l=0;return s.forEach((c,h)=>{
r.save(),r.translate(-t[h].left,l-t[h].top);for(let p of[c,...c.querySelectorAll("canvas, .swatch, .bar")])G(r,i,p);J(r,
c),r.restore(),l+=t[h].height}),a}function G(s,t,o){let{left:e,top:n,width:a,height:r}=o.getBoundingClientRect();if(!(!a||
!r)){if(o instanceof HTMLCanvasElement)s.drawImage(o,e,n,a,r);else if(o.matches(".swatch"))s.fillStyle=getComputedStyle(
o).backgroundColor,s.fillRect(e,n,a,r);else if(o.matches(".scale .bar"))for(let i=0;i<$;i++)s.fillStyle=u(N(i/($-1),t.dark)),
s.fillRect(e+i*a/$,n,a/$+.5,r)}}function J(s,t){let[o,e]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(s.textAlign="center",s.textBaseline="middle";o.nextNode();){let n=o.currentNode,a=getComputedStyle(n.parentElement);
s.font=`${a.fontWeight} ${a.fontSize} ${a.fontFamily}`,s.fillStyle=a.color;for(let{0:r,index:i}of n.data.matchAll(/\S+/g)){
e.setStart(n,i),e.setEnd(n,i+r.length);let{left:l,top:c,width:h,height:p}=e.getBoundingClientRect();!h||!p||(s.save(),s.
translate(l+h/2,c+p/2),a.writingMode.startsWith("vertical")&&s.rotate(-Math.PI/2),s.fillText(r,0,0),s.restore())}}}function U({show:s,...t}){let e={...t,show:r=>{let i=s(r);return K(i)&&r.append(I("Save PNG","Save the picture",()=>F(i,
t.name))),i}},n=globalThis.document?.querySelector("script#payload");n&&Y(e,n.textContent??"");let a=V(e);return r=>r?a(
r):{render:i=>Q(e,i)}}function K(s){return"draw"in s&&"parts"in s}function X(s,t){s.calls+=1;let o=s.calls;return()=>{s.
calls===o&&t()}}function V({name:s,state:t,show:o}){let e=new WeakMap;return({data:n,parentElement:a,setStateValue:r})=>{
let i=a.querySelector(`.${s}`),l=e.get(i)??{shown:o(i),calls:0};return e.set(i,l),l.shown.load(n,c=>r(t,c)),X(l,()=>l.shown.
close?.())}}function Y({name:s,show:t,file:o},e){if(!o)return;let n=t(document.querySelector(`.${s}`)),a=Uint8Array.from(
atob(e.trim()),i=>i.charCodeAt(0)),r=()=>n.load(o.data(a),o.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",r)}function Q({name:s,show:t,cell:o},{model:e,el:n}){if(!o)return;let[a,r]=[f("div"),f("div",{
class:s})],i=f("style",{text:String(e.get("sheet"))});a.attachShadow({mode:"open"}).append(i,r),n.append(a);let l=t(r),c=()=>l.
load(o.data(e.get(o.trait)),h=>{for(let[p,m]of Object.entries(o.traits(h,l)))e.set(p,m);e.save_changes()});return c(),e.
on(`change:${o.trait}`,c),()=>{e.off(`change:${o.trait}`,c),l.close?.()}}var D={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var Z=300,O=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},T=class{#t=new O(Z);element=f("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function W(s,[t,o],e){s.beginPath(),s.arc(t,o,e,0,2*Math.PI),s.fill()}function q(s,t,[o,e],n){let[a,r]=[-1,n];for(let i=0;i<
s;i++){let[l,c]=t(i),h=Math.hypot(l-o,c-e);h<r&&([a,r]=[i,h])}return a}function P(s,t,{colour:o,width:e,halo:n},a){let r=[
[t.background,e+n],[o,e]];for(let[i,l]of r)s.beginPath(),a(),s.lineWidth=l,s.strokeStyle=u(i),s.stroke()}var _=w("#d55e00"),[tt,et,k]=[8,16,7],A=class{#t=0;constructor(t,o){this.canvas=t,this.panel=o}resize(t){H(this.canvas,t,
t),this.#t=t/2}#e(t,o){let e=this.#t-tt;return[this.#t+e*t,this.#t-e*o]}#o(t){return this.#e(this.panel.x[t],this.panel.
y[t])}nearest(t,o){return q(this.panel.x.length,e=>this.#o(e),[t,o],et)}draw(t,o,e){let n=y(this.canvas),{near:a,colour:r,
top:i}=this.panel;n.lineWidth=1,n.strokeStyle=u(t.line);for(let{x:d,y:g}of o){n.beginPath();for(let x=0;x<d.length;x++)n.
lineTo(...this.#e(d[x],g[x]));n.stroke()}let l=w(r);a.forEach((d,g)=>{n.fillStyle=u(l,d>0?.85:.4),W(n,this.#o(g),d>0?3:2)});
let[[c,h],[,p]]=[this.#e(0,0),this.#e(0,i)];P(n,t,{colour:_,width:4,halo:2},()=>{n.moveTo(c,h),n.lineTo(c,p)}),n.beginPath(),
n.moveTo(c,p-k),n.lineTo(c-k,p+k),n.lineTo(c+k,p+k),n.fillStyle=u(_),n.fill();let m=e.map(d=>this.#o(d));P(n,t,{colour:t.
ink,width:2,halo:3},()=>{for(let d of m)n.lineTo(...d)}),n.fillStyle=u(t.ink),n.strokeStyle=u(t.background);for(let d of m)
W(n,d,5),n.stroke()}};var ot=300,C=class{#t=[];#e=[];#o=[];#n=[];#s=new T;#r=new ResizeObserver(()=>this.draw());text=f("p",{class:"pair"});spoken=this.#s.
element;constructor(t,o,e){this.point=e;let r={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:i=>{let[l,c]=D[i.key]??[0,0];i.ctrlKey||i.metaKey||i.altKey||l===c||(i.preventDefault(),
o(l-c))}};this.element=f("div",{...r,...t}),this.#r.observe(this.element)}show(t,o){this.#e=o,this.#t=t.map((n,a)=>{let r=({
offsetX:m,offsetY:d})=>{let g=l.nearest(m,d);g>=0&&this.point(g,a)},i=f("canvas",{role:"img",onpointermove:r,onpointerdown:r}),
l=new A(i,n),[c,h]=[f("strong",{text:n.title}),f("div")],p=f("figcaption",{},[c,h]);return{panel:n,sphere:l,title:c,note:h,
figure:f("figure",{},[p,i])}});let e=this.#t.map(({figure:n})=>n);return this.element.replaceChildren(...e),e}move(t){this.#t.
forEach((o,e)=>{o.panel=t[e],o.sphere.panel=t[e],o.title.textContent=t[e].title})}mark(t,o,e){this.#o=t,this.#n=e,this.text.
textContent=o,this.#t.forEach(({panel:n,sphere:a,note:r},i)=>{r.textContent=e[i],a.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${n.title}: the mean of their directions has length ${n.mean_length.toFixed(2)}; the marked pair: ${e[i]}`}),
this.draw()}draw(){let t=R(this.element);for(let{sphere:o,figure:e}of this.#t){if(!e.clientWidth)return;o.resize(Math.min(
ot,e.clientWidth)),o.draw(t,this.#e,this.#o)}}say(){let t=this.#t.map(({panel:o},e)=>`${o.title} ${this.#n[e]}`);this.#s.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#s.stop(),this.#r.disconnect()}};var L=class{#t=0;#e=null;constructor(t){this.root=t,this.spheres=new C({role:"application"},o=>this.#n((this.#t+o+this.#o)%
this.#o),o=>this.#n(o%this.#o)),t.replaceChildren(this.spheres.element,this.spheres.text,this.spheres.spoken)}load(t){if(JSON.
stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let o=t.pairs.map(([,,e])=>e);this.#t=o.indexOf(Math.min(...o)),this.spheres.
show(t.panels,t.circles)}this.#s(t)}get#o(){return this.#e?.pairs.length??0}#n(t){t===this.#t||!this.#e||(this.#t=t,this.#s(
this.#e),this.spheres.say())}#s({pairs:t,panels:o,scale:[e,n]}){let a=this.#t,[r,i,l]=t[a];this.spheres.mark([a,a+this.#o],
`“${r}” and “${i}”: gold score ${Number(l.toFixed(2))} of ${e?`${e} to `:""}${n}`,o.map(({pair_angles:c})=>`${c[a].
toFixed(0)}° between the marked pair`)),this.root.dataset.pair=String(a)}get parts(){return[this.spheres.element,this.spheres.
text]}draw(){this.spheres.draw()}close(){this.spheres.close()}},Ct=U({name:"cone",show:s=>new L(s),state:"report"});export{L as ConeView,Ct as default};
