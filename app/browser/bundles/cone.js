var C={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function h(s,{text:t,...n}={},e=[]){let o=document.createElement(s);for(let[i,r]of Object.entries(n))typeof r=="function"?
o.addEventListener(i.slice(2),r):r!==null&&o.setAttribute(i,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function v(s){return s.getContext("2d")}function M(s,t,n){let e=devicePixelRatio||1;Object.assign(s,{width:t*e,height:n*
e}),Object.assign(s.style,{width:`${t}px`,height:`${n}px`}),v(s).scale(e,e)}function L(s){let t=globalThis.document?.querySelector("script#payload");t&&U(s,t.textContent??"");let n=j(s);return e=>e?
n(e):{render:o=>F(s,o)}}function P(s,t){s.calls+=1;let n=s.calls;return()=>{s.calls===n&&t()}}function j({name:s,state:t,
show:n}){let e=new WeakMap;return({data:o,parentElement:i,setStateValue:r})=>{let c=i.querySelector(`.${s}`),a=e.get(c)??
{shown:n(c),calls:0};return e.set(c,a),a.shown.load(o,l=>r(t,l)),P(a,()=>a.shown.close?.())}}function U({name:s,show:t,file:n},e){
if(!n)return;let o=t(document.querySelector(`.${s}`)),i=Uint8Array.from(atob(e.trim()),c=>c.charCodeAt(0)),r=()=>o.load(
n.data(i),n.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function F({name:s,
show:t,cell:n},{model:e,el:o}){if(!n)return;let[i,r]=[h("div"),h("div",{class:s})],c=h("style",{text:String(e.get("sheet"))});
i.attachShadow({mode:"open"}).append(c,r),o.append(i);let a=t(r),l=()=>a.load(n.data(e.get(n.trait)),f=>{for(let[d,m]of Object.
entries(n.traits(f,a)))e.set(d,m);e.save_changes()});return l(),e.on(`change:${n.trait}`,l),()=>{e.off(`change:${n.trait}`,
l),a.close?.()}}var H=300,R=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},w=class{#t=new R(H);element=h("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function W(s){let t=getComputedStyle(s),n=(i,r)=>t.getPropertyValue(i).trim()||r,e=x(n("--st-background-color","#ffffff")),
o=x(n("--st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:k(e,o,.72),line:k(
e,o,.2),dim:k(e,o,.3),missing:k(e,o,.5),primary:x(n("--st-primary-color","#1f6feb")),font:n("--st-font","sans-serif")}}function k(s,t,n){let e=o=>Math.round(s[o]+(t[o]-s[o])*n);return[e(0),e(1),e(2)]}function u(s,t=1){return`rgb(${s.join("\
 ")} / ${100*t}%)`}var S=null;function x(s){S??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),S.fillStyle=
s,S.fillRect(0,0,1,1);let[t,n,e]=S.getImageData(0,0,1,1).data;return[t,n,e]}function A(s,[t,n],e){s.beginPath(),s.arc(t,n,e,0,2*Math.PI),s.fill()}function E(s,t,[n,e],o){let[i,r]=[-1,o];for(let c=0;c<
s;c++){let[a,l]=t(c),f=Math.hypot(a-n,l-e);f<r&&([i,r]=[c,f])}return i}function T(s,t,{colour:n,width:e,halo:o},i){let r=[
[t.background,e+o],[n,e]];for(let[c,a]of r)s.beginPath(),i(),s.lineWidth=a,s.strokeStyle=u(c),s.stroke()}var I=x("#d55e00"),[_,D,b]=[8,16,7],$=class{#t=0;constructor(t,n){this.canvas=t,this.panel=n}resize(t){M(this.canvas,t,t),
this.#t=t/2}#e(t,n){let e=this.#t-_;return[this.#t+e*t,this.#t-e*n]}#o(t){return this.#e(this.panel.x[t],this.panel.y[t])}nearest(t,n){
return E(this.panel.x.length,e=>this.#o(e),[t,n],D)}draw(t,n,e){let o=v(this.canvas),{near:i,colour:r,top:c}=this.panel;
o.lineWidth=1,o.strokeStyle=u(t.line);for(let{x:p,y:g}of n){o.beginPath();for(let y=0;y<p.length;y++)o.lineTo(...this.#e(
p[y],g[y]));o.stroke()}let a=x(r);i.forEach((p,g)=>{o.fillStyle=u(a,p?.85:.4),A(o,this.#o(g),p?3:2)});let[[l,f],[,d]]=[this.#e(
0,0),this.#e(0,c)];T(o,t,{colour:I,width:4,halo:2},()=>{o.moveTo(l,f),o.lineTo(l,d)}),o.beginPath(),o.moveTo(l,d-b),o.lineTo(
l-b,d+b),o.lineTo(l+b,d+b),o.fillStyle=u(I),o.fill();let m=e.map(p=>this.#o(p));T(o,t,{colour:t.ink,width:2,halo:3},()=>{
for(let p of m)o.lineTo(...p)}),o.fillStyle=u(t.ink),o.strokeStyle=u(t.background);for(let p of m)A(o,p,5),o.stroke()}};var q=300,O=class{#t=0;#e=null;#o=[];#s=new w;constructor(t){this.root=t,this.spheres=h("div",{class:"spheres",tabindex:0,
role:"application","aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:n=>this.#l(
n)}),this.text=h("p",{class:"pair"}),t.replaceChildren(this.spheres,this.text,this.#s.element),this.watcher=new ResizeObserver(
()=>this.#r()),this.watcher.observe(t)}load(t){if(JSON.stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let n=t.pairs.map(
([,,e])=>e);this.#t=n.indexOf(Math.min(...n)),this.#o=t.panels.map(e=>this.#c(e)),this.spheres.replaceChildren(...this.#o.
map(({box:e})=>e))}this.#r()}#c(t){let n=h("canvas",{role:"img",onpointermove:r=>this.#i(e,r),onpointerdown:r=>this.#i(e,
r)}),e=new $(n,t),o=h("div"),i=h("figcaption",{},[h("strong",{text:t.title}),o]);return{panel:t,sphere:e,angle:o,box:h("\
figure",{},[i,n])}}#i(t,{offsetX:n,offsetY:e}){let o=t.nearest(n,e);o>=0&&this.#a(o%this.#n)}#l(t){if(t.ctrlKey||t.metaKey||
t.altKey)return;let[n,e]=C[t.key]??[0,0];!n&&!e||(t.preventDefault(),this.#a((this.#t+n-e+this.#n)%this.#n))}get#n(){return this.#e?.
pairs.length??0}#a(t){t!==this.#t&&(this.#t=t,this.#r(),this.#s.say(`${this.text.textContent}; ${this.#h().join(", ")}`))}#h(){
return this.#o.map(({panel:t})=>`${t.title} ${t.pair_angles[this.#t].toFixed(0)}°`)}#r(){if(!this.#e||!this.root.clientWidth)
return;let t=W(this.root),[n,e,o]=this.#e.pairs[this.#t],[i,r]=this.#e.scale;for(let{panel:c,sphere:a,angle:l}of this.#o){
let{title:f,mean_length:d,pair_angles:m}=c,p=a.canvas.parentElement?.clientWidth??0;a.resize(Math.min(q,p)),a.draw(t,this.#e.
circles,[this.#t,this.#t+this.#n]);let g=`${m[this.#t].toFixed(0)}°`;l.textContent=`${g} apart in all dimensions`,a.canvas.
ariaLabel=`Sentences as points on a sphere, ${f}: the mean of their directions has length ${d.toFixed(2)}; the marked pa\
ir is ${g} apart`}this.text.textContent=`“${n}” and “${e}”: gold score ${Number(o.toFixed(2))} of ${i?`${i} to `:
""}${r}`,this.root.dataset.pair=String(this.#t)}close(){this.#s.stop(),this.watcher.disconnect()}},ct=L({name:"cone",show:s=>new O(
s),state:"report"});export{O as ConeView,ct as default};
