function h(n,{text:t,...o}={},e=[]){let s=document.createElement(n);for(let[a,r]of Object.entries(o))typeof r=="function"?
s.addEventListener(a.slice(2),r):r!==null&&s.setAttribute(a,String(r));return t!==void 0&&(s.textContent=t),s.append(...e),
s}function R(n){return n.getContext("2d")}function M(n,t,o){let e=devicePixelRatio||1;Object.assign(n,{width:t*e,height:o*
e}),Object.assign(n.style,{width:`${t}px`,height:`${o}px`}),R(n).scale(e,e)}function E(n){let t=globalThis.document?.querySelector("script#payload");t&&H(n,t.textContent??"");let o=U(n);return e=>e?
o(e):{render:s=>D(n,s)}}function j(n,t){n.calls+=1;let o=n.calls;return()=>{n.calls===o&&t()}}function U({name:n,state:t,
show:o}){let e=new WeakMap;return({data:s,parentElement:a,setStateValue:r})=>{let i=a.querySelector(`.${n}`),c=e.get(i)??
{shown:o(i),calls:0};return e.set(i,c),c.shown.load(s,l=>r(t,l)),j(c,()=>c.shown.close?.())}}function H({name:n,show:t,file:o},e){
if(!o)return;let s=t(document.querySelector(`.${n}`)),a=Uint8Array.from(atob(e.trim()),i=>i.charCodeAt(0)),r=()=>s.load(
o.data(a),o.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function D({name:n,
show:t,cell:o},{model:e,el:s}){if(!o)return;let[a,r]=[h("div"),h("div",{class:n})],i=h("style",{text:String(e.get("sheet"))});
a.attachShadow({mode:"open"}).append(i,r),s.append(a);let c=t(r),l=()=>c.load(o.data(e.get(o.trait)),f=>{for(let[u,m]of Object.
entries(o.traits(f,c)))e.set(u,m);e.save_changes()});return l(),e.on(`change:${o.trait}`,l),()=>{e.off(`change:${o.trait}`,
l),c.close?.()}}var L={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var F=300,A=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},y=class{#t=new A(F);element=h("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function W(n){let t=getComputedStyle(n),o=(a,r)=>t.getPropertyValue(a).trim()||r,e=b(o("--st-background-color","#ffffff")),
s=b(o("--st-text-color","#0b0b0e"));return{background:e,ink:s,dark:e[0]+e[1]+e[2]<s[0]+s[1]+s[2],muted:w(e,s,.72),line:w(
e,s,.2),dim:w(e,s,.3),missing:w(e,s,.5),primary:b(o("--st-primary-color","#1f6feb")),font:o("--st-font","sans-serif")}}function w(n,t,o){let e=s=>Math.round(n[s]+(t[s]-n[s])*o);return[e(0),e(1),e(2)]}function d(n,t=1){return`rgb(${n.join("\
 ")} / ${100*t}%)`}var S=null;function b(n){S??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),S.fillStyle=
n,S.fillRect(0,0,1,1);let[t,o,e]=S.getImageData(0,0,1,1).data;return[t,o,e]}function T(n,[t,o],e){n.beginPath(),n.arc(t,o,e,0,2*Math.PI),n.fill()}function I(n,t,[o,e],s){let[a,r]=[-1,s];for(let i=0;i<
n;i++){let[c,l]=t(i),f=Math.hypot(c-o,l-e);f<r&&([a,r]=[i,f])}return a}function O(n,t,{colour:o,width:e,halo:s},a){let r=[
[t.background,e+s],[o,e]];for(let[i,c]of r)n.beginPath(),a(),n.lineWidth=c,n.strokeStyle=d(i),n.stroke()}var P=b("#d55e00"),[q,N,x]=[8,16,7],$=class{#t=0;constructor(t,o){this.canvas=t,this.panel=o}resize(t){M(this.canvas,t,t),
this.#t=t/2}#e(t,o){let e=this.#t-q;return[this.#t+e*t,this.#t-e*o]}#o(t){return this.#e(this.panel.x[t],this.panel.y[t])}nearest(t,o){
return I(this.panel.x.length,e=>this.#o(e),[t,o],N)}draw(t,o,e){let s=R(this.canvas),{near:a,colour:r,top:i}=this.panel;
s.lineWidth=1,s.strokeStyle=d(t.line);for(let{x:p,y:g}of o){s.beginPath();for(let k=0;k<p.length;k++)s.lineTo(...this.#e(
p[k],g[k]));s.stroke()}let c=b(r);a.forEach((p,g)=>{s.fillStyle=d(c,p>0?.85:.4),T(s,this.#o(g),p>0?3:2)});let[[l,f],[,u]]=[
this.#e(0,0),this.#e(0,i)];O(s,t,{colour:P,width:4,halo:2},()=>{s.moveTo(l,f),s.lineTo(l,u)}),s.beginPath(),s.moveTo(l,u-
x),s.lineTo(l-x,u+x),s.lineTo(l+x,u+x),s.fillStyle=d(P),s.fill();let m=e.map(p=>this.#o(p));O(s,t,{colour:t.ink,width:2,
halo:3},()=>{for(let p of m)s.lineTo(...p)}),s.fillStyle=d(t.ink),s.strokeStyle=d(t.background);for(let p of m)T(s,p,5),
s.stroke()}};var _=300,v=class{#t=[];#e=[];#o=[];#n=[];#s=new y;#r=new ResizeObserver(()=>this.draw());text=h("p",{class:"pair"});spoken=this.#s.
element;constructor(t,o,e){this.point=e;let r={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:i=>{let[c,l]=L[i.key]??[0,0];i.ctrlKey||i.metaKey||i.altKey||c===l||(i.preventDefault(),
o(c-l))}};this.element=h("div",{...r,...t}),this.#r.observe(this.element)}show(t,o){this.#e=o,this.#t=t.map((s,a)=>{let r=({
offsetX:m,offsetY:p})=>{let g=c.nearest(m,p);g>=0&&this.point(g,a)},i=h("canvas",{role:"img",onpointermove:r,onpointerdown:r}),
c=new $(i,s),[l,f]=[h("strong",{text:s.title}),h("div")],u=h("figcaption",{},[l,f]);return{panel:s,sphere:c,title:l,note:f,
figure:h("figure",{},[u,i])}});let e=this.#t.map(({figure:s})=>s);return this.element.replaceChildren(...e),e}move(t){this.#t.
forEach((o,e)=>{o.panel=t[e],o.sphere.panel=t[e],o.title.textContent=t[e].title})}mark(t,o,e){this.#o=t,this.#n=e,this.text.
textContent=o,this.#t.forEach(({panel:s,sphere:a,note:r},i)=>{r.textContent=e[i],a.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${s.title}: the mean of their directions has length ${s.mean_length.toFixed(2)}; the marked pair: ${e[i]}`}),
this.draw()}draw(){let t=W(this.element);for(let{sphere:o,figure:e}of this.#t){if(!e.clientWidth)return;o.resize(Math.min(
_,e.clientWidth)),o.draw(t,this.#e,this.#o)}}say(){let t=this.#t.map(({panel:o},e)=>`${o.title} ${this.#n[e]}`);this.#s.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#s.stop(),this.#r.disconnect()}};var C=class{#t=0;#e=null;constructor(t){this.root=t,this.spheres=new v({role:"application"},o=>this.#n((this.#t+o+this.#o)%
this.#o),o=>this.#n(o%this.#o)),t.replaceChildren(this.spheres.element,this.spheres.text,this.spheres.spoken)}load(t){if(JSON.
stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let o=t.pairs.map(([,,e])=>e);this.#t=o.indexOf(Math.min(...o)),this.spheres.
show(t.panels,t.circles)}this.#s(t)}get#o(){return this.#e?.pairs.length??0}#n(t){t===this.#t||!this.#e||(this.#t=t,this.#s(
this.#e),this.spheres.say())}#s({pairs:t,panels:o,scale:[e,s]}){let a=this.#t,[r,i,c]=t[a];this.spheres.mark([a,a+this.#o],
`“${r}” and “${i}”: gold score ${Number(c.toFixed(2))} of ${e?`${e} to `:""}${s}`,o.map(({pair_angles:l})=>`${l[a].
toFixed(0)}° between the marked pair`)),this.root.dataset.pair=String(a)}close(){this.spheres.close()}},pt=E({name:"con\
e",show:n=>new C(n),state:"report"});export{C as ConeView,pt as default};
