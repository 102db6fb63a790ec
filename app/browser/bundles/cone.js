var C={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function c(s,{text:t,...n}={},e=[]){let o=document.createElement(s);for(let[i,r]of Object.entries(n))typeof r=="function"?
o.addEventListener(i.slice(2),r):r!==null&&o.setAttribute(i,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function R(s){return s.getContext("2d")}function L(s,t,n){let e=devicePixelRatio||1;Object.assign(s,{width:t*e,height:n*
e}),Object.assign(s.style,{width:`${t}px`,height:`${n}px`}),R(s).scale(e,e)}function M(s){let t=globalThis.document?.querySelector("script#payload");t&&j(s,t.textContent??"");let n=U(s);return e=>e?
n(e):{render:o=>_(s,o)}}function P(s,t){s.calls+=1;let n=s.calls;return()=>{s.calls===n&&t()}}function U({name:s,state:t,
show:n}){let e=new WeakMap;return({data:o,parentElement:i,setStateValue:r})=>{let a=i.querySelector(`.${s}`),l=e.get(a)??
{shown:n(a),calls:0};return e.set(a,l),l.shown.load(o,h=>r(t,h)),P(l,()=>l.shown.close?.())}}function j({name:s,show:t,file:n},e){
if(!n)return;let o=t(document.querySelector(`.${s}`)),i=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),r=()=>o.load(
n.data(i),n.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function _({name:s,
show:t,cell:n},{model:e,el:o}){if(!n)return;let[i,r]=[c("div"),c("div",{class:s})],a=c("style",{text:String(e.get("sheet"))});
i.attachShadow({mode:"open"}).append(a,r),o.append(i);let l=t(r),h=()=>l.load(n.data(e.get(n.trait)),p=>{for(let[g,d]of Object.
entries(n.traits(p,l)))e.set(g,d);e.save_changes()});return h(),e.on(`change:${n.trait}`,h),()=>{e.off(`change:${n.trait}`,
h),l.close?.()}}var F=300,T=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},w=class{#t=new T(F);element=c("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function W(s){let t=getComputedStyle(s),n=(i,r)=>t.getPropertyValue(i).trim()||r,e=m(n("--st-background-color","#ffffff")),
o=m(n("--st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:k(e,o,.72),line:k(
e,o,.2),dim:k(e,o,.3),missing:k(e,o,.5),primary:m(n("--st-primary-color","#1f6feb")),font:n("--st-font","sans-serif")}}function k(s,t,n){let e=o=>Math.round(s[o]+(t[o]-s[o])*n);return[e(0),e(1),e(2)]}function u(s,t=1){return`rgb(${s.join("\
 ")} / ${100*t}%)`}var S=null;function m(s){S??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),S.fillStyle=
s,S.fillRect(0,0,1,1);let[t,n,e]=S.getImageData(0,0,1,1).data;return[t,n,e]}function A(s,t,{colour:n,width:e,halo:o},i){let r=[[t.background,e+o],[n,e]];for(let[a,l]of r)s.beginPath(),i(),s.lineWidth=
l,s.strokeStyle=u(a),s.stroke()}var E=m("#d55e00"),[H,D,x]=[8,16,7],q=2*Math.PI,$=class{#t=0;constructor(t,n){this.canvas=t,this.panel=n}resize(t){L(this.
canvas,t,t),this.#t=t/2}#e(t,n){let e=this.#t-H;return[this.#t+e*t,this.#t-e*n]}#o(t){return this.#e(this.panel.x[t],this.
panel.y[t])}nearest(t,n){let[e,o]=[D**2,-1];for(let i=0;i<this.panel.x.length;i++){let[r,a]=this.#o(i),l=(r-t)**2+(a-n)**
2;l<e&&([e,o]=[l,i])}return o}draw(t,n,e){let o=R(this.canvas),{near:i,colour:r,top:a,pair_angles:l}=this.panel;o.lineWidth=
1,o.strokeStyle=u(t.line);for(let{x:f,y:v}of n){o.beginPath();for(let y=0;y<f.length;y++)o.lineTo(...this.#e(f[y],v[y]));
o.stroke()}let h=m(r);i.forEach((f,v)=>{o.fillStyle=u(h,f?.85:.4),I(o,this.#o(v),f?3:2)});let[[p,g],[,d]]=[this.#e(0,0),
this.#e(0,a)];A(o,t,{colour:E,width:4,halo:2},()=>{o.moveTo(p,g),o.lineTo(p,d)}),o.beginPath(),o.moveTo(p,d-x),o.lineTo(
p-x,d+x),o.lineTo(p+x,d+x),o.fillStyle=u(E),o.fill();let b=[this.#o(e),this.#o(e+l.length)];A(o,t,{colour:t.ink,width:2,
halo:3},()=>{for(let f of b)o.lineTo(...f)}),o.fillStyle=u(t.ink),o.strokeStyle=u(t.background);for(let f of b)I(o,f,5),
o.stroke()}};function I(s,t,n){s.beginPath(),s.arc(...t,n,0,q),s.fill()}var N=300,O=class{#t=0;#e=null;#o=[];#n=new w;constructor(t){this.root=t,this.spheres=c("div",{class:"spheres",tabindex:0,
role:"application","aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:n=>this.#c(
n)}),this.text=c("p",{class:"pair"}),t.replaceChildren(this.spheres,this.text,this.#n.element),this.watcher=new ResizeObserver(
()=>this.#r()),this.watcher.observe(t)}load(t){if(JSON.stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let n=t.pairs.map(
([,,e])=>e);this.#t=n.indexOf(Math.min(...n)),this.#o=t.panels.map(e=>this.#l(e)),this.spheres.replaceChildren(...this.#o.
map(({box:e})=>e))}this.#r()}#l(t){let n=c("canvas",{role:"img",onpointermove:r=>this.#i(e,r),onpointerdown:r=>this.#i(e,
r)}),e=new $(n,t),o=c("div"),i=c("figcaption",{},[c("strong",{text:t.title}),o]);return{sphere:e,angle:o,box:c("figure",
{},[i,n])}}#i(t,{offsetX:n,offsetY:e}){let o=t.nearest(n,e);o>=0&&this.#a(o%this.#s)}#c(t){if(t.ctrlKey||t.metaKey||t.altKey)
return;let[n,e]=C[t.key]??[0,0];!n&&!e||(t.preventDefault(),this.#a((this.#t+n-e+this.#s)%this.#s))}get#s(){return this.#e?.
pairs.length??0}#a(t){t!==this.#t&&(this.#t=t,this.#r(),this.#n.say(`${this.text.textContent}; ${this.#h().join(", ")}`))}#h(){
return this.#o.map(({sphere:{panel:t}})=>`${t.title} ${t.pair_angles[this.#t].toFixed(0)}°`)}#r(){if(!this.#e||!this.root.
clientWidth)return;let t=W(this.root),[n,e,o]=this.#e.pairs[this.#t],[i,r]=this.#e.scale;for(let{sphere:a,angle:l}of this.#o){
let{title:h,mean_length:p,pair_angles:g}=a.panel,d=a.canvas.parentElement?.clientWidth??0;a.resize(Math.min(N,d)),a.draw(
t,this.#e.circles,this.#t);let b=`${g[this.#t].toFixed(0)}°`;l.textContent=`${b} apart in all dimensions`,a.canvas.ariaLabel=
`Sentences as points on a sphere, ${h}: the mean of their directions has length ${p.toFixed(2)}; the marked pair is ${b}\
 apart`}this.text.textContent=`“${n}” and “${e}”: people's grade ${Number(o.toFixed(2))} of ${i?`${i} to `:""}${r}`,
this.root.dataset.pair=String(this.#t)}close(){this.#n.stop(),this.watcher.disconnect()}},ct=M({name:"cone",show:s=>new O(
s),state:"report"});export{O as ConeView,ct as default};
