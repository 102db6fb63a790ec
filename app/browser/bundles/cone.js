function p(n,{text:t,...s}={},e=[]){let o=document.createElement(n);for(let[a,r]of Object.entries(s))typeof r=="function"?
o.addEventListener(a.slice(2),r):r!==null&&o.setAttribute(a,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function R(n){return n.getContext("2d")}function M(n,t,s){let e=devicePixelRatio||1;Object.assign(n,{width:t*e,height:s*
e}),Object.assign(n.style,{width:`${t}px`,height:`${s}px`}),R(n).scale(e,e)}function L(n){let t=globalThis.document?.querySelector("script#payload");t&&H(n,t.textContent??"");let s=U(n);return e=>e?
s(e):{render:o=>D(n,o)}}function j(n,t){n.calls+=1;let s=n.calls;return()=>{n.calls===s&&t()}}function U({name:n,state:t,
show:s}){let e=new WeakMap;return({data:o,parentElement:a,setStateValue:r})=>{let i=a.querySelector(`.${n}`),c=e.get(i)??
{shown:s(i),calls:0};return e.set(i,c),c.shown.load(o,l=>r(t,l)),j(c,()=>c.shown.close?.())}}function H({name:n,show:t,file:s},e){
if(!s)return;let o=t(document.querySelector(`.${n}`)),a=Uint8Array.from(atob(e.trim()),i=>i.charCodeAt(0)),r=()=>o.load(
s.data(a),s.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function D({name:n,
show:t,cell:s},{model:e,el:o}){if(!s)return;let[a,r]=[p("div"),p("div",{class:n})],i=p("style",{text:String(e.get("sheet"))});
a.attachShadow({mode:"open"}).append(i,r),o.append(a);let c=t(r),l=()=>c.load(s.data(e.get(s.trait)),f=>{for(let[u,m]of Object.
entries(s.traits(f,c)))e.set(u,m);e.save_changes()});return l(),e.on(`change:${s.trait}`,l),()=>{e.off(`change:${s.trait}`,
l),c.close?.()}}var W={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var F=300,A=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},x=class{#t=new A(F);element=p("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function E(n){let t=getComputedStyle(n),s=(a,r)=>t.getPropertyValue(a).trim()||r,e=g(s("--st-background-color","#ffffff")),
o=g(s("--st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:y(e,o,.72),line:y(
e,o,.2),dim:y(e,o,.3),missing:y(e,o,.5),primary:g(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function y(n,t,s){let e=o=>Math.round(n[o]+(t[o]-n[o])*s);return[e(0),e(1),e(2)]}function d(n,t=1){return`rgb(${n.join("\
 ")} / ${100*t}%)`}var w=null;function g(n){w??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),w.fillStyle=
n,w.fillRect(0,0,1,1);let[t,s,e]=w.getImageData(0,0,1,1).data;return[t,s,e]}function T(n,[t,s],e){n.beginPath(),n.arc(t,s,e,0,2*Math.PI),n.fill()}function I(n,t,[s,e],o){let[a,r]=[-1,o];for(let i=0;i<
n;i++){let[c,l]=t(i),f=Math.hypot(c-s,l-e);f<r&&([a,r]=[i,f])}return a}function O(n,t,{colour:s,width:e,halo:o},a){let r=[
[t.background,e+o],[s,e]];for(let[i,c]of r)n.beginPath(),a(),n.lineWidth=c,n.strokeStyle=d(i),n.stroke()}var P=g("#d55e00"),[q,N,b]=[8,16,7],S=class{#t=0;constructor(t,s){this.canvas=t,this.panel=s}resize(t){M(this.canvas,t,t),
this.#t=t/2}#e(t,s){let e=this.#t-q;return[this.#t+e*t,this.#t-e*s]}#o(t){return this.#e(this.panel.x[t],this.panel.y[t])}nearest(t,s){
return I(this.panel.x.length,e=>this.#o(e),[t,s],N)}draw(t,s,e){let o=R(this.canvas),{near:a,colour:r,top:i}=this.panel;
o.lineWidth=1,o.strokeStyle=d(t.line);for(let{x:h,y:v}of s){o.beginPath();for(let k=0;k<h.length;k++)o.lineTo(...this.#e(
h[k],v[k]));o.stroke()}let c=g(r);a.forEach((h,v)=>{o.fillStyle=d(c,h>0?.85:.4),T(o,this.#o(v),h>0?3:2)});let[[l,f],[,u]]=[
this.#e(0,0),this.#e(0,i)];O(o,t,{colour:P,width:4,halo:2},()=>{o.moveTo(l,f),o.lineTo(l,u)}),o.beginPath(),o.moveTo(l,u-
b),o.lineTo(l-b,u+b),o.lineTo(l+b,u+b),o.fillStyle=d(P),o.fill();let m=e.map(h=>this.#o(h));O(o,t,{colour:t.ink,width:2,
halo:3},()=>{for(let h of m)o.lineTo(...h)}),o.fillStyle=d(t.ink),o.strokeStyle=d(t.background);for(let h of m)T(o,h,5),
o.stroke()}};var _=300,$=class{#t=[];#e=[];#o=[];#n=[];#s=new x;#r=new ResizeObserver(()=>this.draw());text=p("p",{class:"pair"});spoken=this.#s.
element;constructor(t,s,e){this.point=e;let r={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:i=>{let[c,l]=W[i.key]??[0,0];i.ctrlKey||i.metaKey||i.altKey||c===l||(i.preventDefault(),
s(c-l))}};this.element=p("div",{...r,...t}),this.#r.observe(this.element)}show(t,s){this.#e=s,this.#t=t.map((o,a)=>{let r=({
offsetX:u,offsetY:m})=>{let h=c.nearest(u,m);h>=0&&this.point(h,a)},i=p("canvas",{role:"img",onpointermove:r,onpointerdown:r}),
c=new S(i,o),l=p("div"),f=p("figcaption",{},[p("strong",{text:o.title}),l]);return{panel:o,sphere:c,note:l,figure:p("fig\
ure",{},[f,i])}});let e=this.#t.map(({figure:o})=>o);return this.element.replaceChildren(...e),e}mark(t,s,e){this.#o=t,this.#n=
e,this.text.textContent=s,this.#t.forEach(({panel:o,sphere:a,note:r},i)=>{r.textContent=e[i],a.canvas.ariaLabel=`Sentenc\
es as points on a sphere, ${o.title}: the mean of their directions has length ${o.mean_length.toFixed(2)}; the marked pa\
ir: ${e[i]}`}),this.draw()}draw(){let t=E(this.element);for(let{sphere:s,figure:e}of this.#t){if(!e.clientWidth)return;s.
resize(Math.min(_,e.clientWidth)),s.draw(t,this.#e,this.#o)}}say(){let t=this.#t.map(({panel:s},e)=>`${s.title} ${this.#n[e]}`);
this.#s.say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#s.stop(),this.#r.disconnect()}};var C=class{#t=0;#e=null;constructor(t){this.root=t,this.spheres=new $({role:"application"},s=>this.#n((this.#t+s+this.#o)%
this.#o),s=>this.#n(s%this.#o)),t.replaceChildren(this.spheres.element,this.spheres.text,this.spheres.spoken)}load(t){if(JSON.
stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let s=t.pairs.map(([,,e])=>e);this.#t=s.indexOf(Math.min(...s)),this.spheres.
show(t.panels,t.circles)}this.#s(t)}get#o(){return this.#e?.pairs.length??0}#n(t){t===this.#t||!this.#e||(this.#t=t,this.#s(
this.#e),this.spheres.say())}#s({pairs:t,panels:s,scale:[e,o]}){let a=this.#t,[r,i,c]=t[a];this.spheres.mark([a,a+this.#o],
`“${r}” and “${i}”: gold score ${Number(c.toFixed(2))} of ${e?`${e} to `:""}${o}`,s.map(({pair_angles:l})=>`${l[a].
toFixed(0)}° between the marked pair`)),this.root.dataset.pair=String(a)}close(){this.spheres.close()}},pt=L({name:"con\
e",show:n=>new C(n),state:"report"});export{C as ConeView,pt as default};
