var M={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function c(s,{text:t,...n}={},e=[]){let o=document.createElement(s);for(let[i,r]of Object.entries(n))typeof r=="function"?
o.addEventListener(i.slice(2),r):r!==null&&o.setAttribute(i,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function R(s){return s.getContext("2d")}function L(s,t,n){let e=devicePixelRatio||1;Object.assign(s,{width:t*e,height:n*
e}),Object.assign(s.style,{width:`${t}px`,height:`${n}px`}),R(s).scale(e,e)}function W(s){let t=globalThis.document?.querySelector("script#payload");t&&_(s,t.textContent??"");let n=U(s);return e=>e?
n(e):{render:o=>F(s,o)}}function j(s,t){s.calls+=1;let n=s.calls;return()=>{s.calls===n&&t()}}function U({name:s,state:t,
show:n}){let e=new WeakMap;return({data:o,parentElement:i,setStateValue:r})=>{let a=i.querySelector(`.${s}`),l=e.get(a)??
{shown:n(a),calls:0};return e.set(a,l),l.shown.load(o,p=>r(t,p)),j(l,()=>l.shown.close?.())}}function _({name:s,show:t,file:n},e){
if(!n)return;let o=t(document.querySelector(`.${s}`)),i=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),r=()=>o.load(
n.data(i),n.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function F({name:s,
show:t,cell:n},{model:e,el:o}){if(!n)return;let[i,r]=[c("div"),c("div",{class:s})],a=c("style",{text:String(e.get("sheet"))});
i.attachShadow({mode:"open"}).append(a,r),o.append(i);let l=t(r),p=()=>l.load(n.data(e.get(n.trait)),h=>{for(let[g,d]of Object.
entries(n.traits(h,l)))e.set(g,d);e.save_changes()});return p(),e.on(`change:${n.trait}`,p),()=>{e.off(`change:${n.trait}`,
p),l.close?.()}}var H=300,A=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},w=class{#t=new A(H);element=c("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function E(s){let t=getComputedStyle(s),n=(i,r)=>t.getPropertyValue(i).trim()||r,e=m(n("--st-background-color","#ffffff")),
o=m(n("--st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:k(e,o,.72),line:k(
e,o,.2),dim:k(e,o,.3),missing:k(e,o,.5),primary:m(n("--st-primary-color","#1f6feb")),font:n("--st-font","sans-serif")}}function k(s,t,n){let e=o=>Math.round(s[o]+(t[o]-s[o])*n);return[e(0),e(1),e(2)]}function u(s,t=1){return`rgb(${s.join("\
 ")} / ${100*t}%)`}var S=null;function m(s){S??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),S.fillStyle=
s,S.fillRect(0,0,1,1);let[t,n,e]=S.getImageData(0,0,1,1).data;return[t,n,e]}function T(s,[t,n],e){s.beginPath(),s.arc(t,n,e,0,2*Math.PI),s.fill()}function I(s,t,[n,e],o){let[i,r]=[-1,o];for(let a=0;a<
s;a++){let[l,p]=t(a),h=Math.hypot(l-n,p-e);h<r&&([i,r]=[a,h])}return i}function O(s,t,{colour:n,width:e,halo:o},i){let r=[
[t.background,e+o],[n,e]];for(let[a,l]of r)s.beginPath(),i(),s.lineWidth=l,s.strokeStyle=u(a),s.stroke()}var P=m("#d55e00"),[D,q,b]=[8,16,7],$=class{#t=0;constructor(t,n){this.canvas=t,this.panel=n}resize(t){L(this.canvas,t,t),
this.#t=t/2}#e(t,n){let e=this.#t-D;return[this.#t+e*t,this.#t-e*n]}#o(t){return this.#e(this.panel.x[t],this.panel.y[t])}nearest(t,n){
return I(this.panel.x.length,e=>this.#o(e),[t,n],q)}draw(t,n,e){let o=R(this.canvas),{near:i,colour:r,top:a,pair_angles:l}=this.
panel;o.lineWidth=1,o.strokeStyle=u(t.line);for(let{x:f,y:v}of n){o.beginPath();for(let y=0;y<f.length;y++)o.lineTo(...this.#e(
f[y],v[y]));o.stroke()}let p=m(r);i.forEach((f,v)=>{o.fillStyle=u(p,f?.85:.4),T(o,this.#o(v),f?3:2)});let[[h,g],[,d]]=[this.#e(
0,0),this.#e(0,a)];O(o,t,{colour:P,width:4,halo:2},()=>{o.moveTo(h,g),o.lineTo(h,d)}),o.beginPath(),o.moveTo(h,d-b),o.lineTo(
h-b,d+b),o.lineTo(h+b,d+b),o.fillStyle=u(P),o.fill();let x=[this.#o(e),this.#o(e+l.length)];O(o,t,{colour:t.ink,width:2,
halo:3},()=>{for(let f of x)o.lineTo(...f)}),o.fillStyle=u(t.ink),o.strokeStyle=u(t.background);for(let f of x)T(o,f,5),
o.stroke()}};var z=300,C=class{#t=0;#e=null;#o=[];#n=new w;constructor(t){this.root=t,this.spheres=c("div",{class:"spheres",tabindex:0,
role:"application","aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:n=>this.#c(
n)}),this.text=c("p",{class:"pair"}),t.replaceChildren(this.spheres,this.text,this.#n.element),this.watcher=new ResizeObserver(
()=>this.#r()),this.watcher.observe(t)}load(t){if(JSON.stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let n=t.pairs.map(
([,,e])=>e);this.#t=n.indexOf(Math.min(...n)),this.#o=t.panels.map(e=>this.#l(e)),this.spheres.replaceChildren(...this.#o.
map(({box:e})=>e))}this.#r()}#l(t){let n=c("canvas",{role:"img",onpointermove:r=>this.#i(e,r),onpointerdown:r=>this.#i(e,
r)}),e=new $(n,t),o=c("div"),i=c("figcaption",{},[c("strong",{text:t.title}),o]);return{sphere:e,angle:o,box:c("figure",
{},[i,n])}}#i(t,{offsetX:n,offsetY:e}){let o=t.nearest(n,e);o>=0&&this.#a(o%this.#s)}#c(t){if(t.ctrlKey||t.metaKey||t.altKey)
return;let[n,e]=M[t.key]??[0,0];!n&&!e||(t.preventDefault(),this.#a((this.#t+n-e+this.#s)%this.#s))}get#s(){return this.#e?.
pairs.length??0}#a(t){t!==this.#t&&(this.#t=t,this.#r(),this.#n.say(`${this.text.textContent}; ${this.#h().join(", ")}`))}#h(){
return this.#o.map(({sphere:{panel:t}})=>`${t.title} ${t.pair_angles[this.#t].toFixed(0)}°`)}#r(){if(!this.#e||!this.root.
clientWidth)return;let t=E(this.root),[n,e,o]=this.#e.pairs[this.#t],[i,r]=this.#e.scale;for(let{sphere:a,angle:l}of this.#o){
let{title:p,mean_length:h,pair_angles:g}=a.panel,d=a.canvas.parentElement?.clientWidth??0;a.resize(Math.min(z,d)),a.draw(
t,this.#e.circles,this.#t);let x=`${g[this.#t].toFixed(0)}°`;l.textContent=`${x} apart in all dimensions`,a.canvas.ariaLabel=
`Sentences as points on a sphere, ${p}: the mean of their directions has length ${h.toFixed(2)}; the marked pair is ${x}\
 apart`}this.text.textContent=`“${n}” and “${e}”: people's grade ${Number(o.toFixed(2))} of ${i?`${i} to `:""}${r}`,
this.root.dataset.pair=String(this.#t)}close(){this.#n.stop(),this.watcher.disconnect()}},ct=W({name:"cone",show:s=>new C(
s),state:"report"});export{C as ConeView,ct as default};
