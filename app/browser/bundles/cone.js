function h(n,{text:t,...s}={},e=[]){let o=document.createElement(n);for(let[r,i]of Object.entries(s))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function u(n){return n.getContext("2d")}function T(n){let t=globalThis.document?.querySelector("script#payload");t&&P(n,t.textContent??"");let s=W(n);return e=>e?
s(e):{render:o=>I(n,o)}}function M(n,t){n.calls+=1;let s=n.calls;return()=>{n.calls===s&&t()}}function W({name:n,state:t,
show:s}){let e=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{let a=r.querySelector(`.${n}`),l=e.get(a)??
{shown:s(a),calls:0};return e.set(a,l),l.shown.load(o,p=>i(t,p)),M(l,()=>l.shown.close?.())}}function P({name:n,show:t,file:s},e){
if(!s)return;let o=t(document.querySelector(`.${n}`)),r=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),i=()=>o.load(
s.data(r),s.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function I({name:n,
show:t,cell:s},{model:e,el:o}){if(!s)return;let[r,i]=[h("div"),h("div",{class:n})],a=h("style",{text:String(e.get("sheet"))});
r.attachShadow({mode:"open"}).append(a,i),o.append(r);let l=t(i),p=()=>l.load(s.data(e.get(s.trait)),S=>{for(let[x,$]of Object.
entries(s.traits(S,l)))e.set(x,$);e.save_changes()});return p(),e.on(`change:${s.trait}`,p),()=>{e.off(`change:${s.trait}`,
p),l.close?.()}}var m=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(this.#e)}};var U=300,g=class{#t=new m(U);element=h("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var A={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function O(n){let t=getComputedStyle(n),s=(r,i)=>t.getPropertyValue(r).trim()||i,e=f(s("--st-background-color","#ffffff")),
o=f(s("--st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:b(e,o,.72),line:b(
e,o,.2),dim:b(e,o,.3),missing:b(e,o,.5),primary:f(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function b(n,t,s){let e=o=>Math.round(n[o]+(t[o]-n[o])*s);return[e(0),e(1),e(2)]}function c(n,t=1){return`rgb(${n.join("\
 ")} / ${100*t}%)`}var w=null;function f(n){w??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),w.fillStyle=
n,w.fillRect(0,0,1,1);let[t,s,e]=w.getImageData(0,0,1,1).data;return[t,s,e]}function C(n,t,s){let e=devicePixelRatio||1;Object.assign(n,{width:t*e,height:s*e}),Object.assign(n.style,{width:`${t}px`,
height:`${s}px`}),u(n).scale(e,e)}function v(n,t,{colour:s,width:e,halo:o},r){let i=[[t.background,e+o],[s,e]];for(let[a,l]of i)n.beginPath(),r(),n.lineWidth=
l,n.strokeStyle=c(a),n.stroke()}var L=f("#d55e00"),j=8,_=16,d=7,E=2*Math.PI,y=class{constructor(t,s){this.canvas=t,this.panel=s}resize(t){C(this.canvas,
t,t),this.half=t/2}#t(t,s){let[e,o]=[this.half??0,(this.half??0)-j];return[e+o*t,e-o*s]}#e(t){return this.#t(this.panel.
x[t],this.panel.y[t])}nearest(t,s){let[e,o]=[_**2,-1];for(let r=0;r<this.panel.x.length;r++){let[i,a]=this.#e(r),l=(i-t)**
2+(a-s)**2;l<e&&([e,o]=[l,r])}return o}draw(t,s,e){let o=u(this.canvas);for(let r of s)this.#s(o,t,r);this.#o(o),this.#r(
o,t),this.#n(o,t,e)}#s(t,s,e){t.beginPath(),e.x.forEach((o,r)=>{t.lineTo(...this.#t(o,e.y[r]))}),t.lineWidth=1,t.strokeStyle=
c(s.line),t.stroke()}#o(t){let s=f(this.panel.colour);this.panel.near.forEach((e,o)=>{t.beginPath(),t.arc(...this.#e(o),
e?3:2,0,E),t.fillStyle=c(s,e?.85:.4),t.fill()})}#r(t,s){let[e,o]=this.#t(0,0),[,r]=this.#t(0,this.panel.top);v(t,s,{colour:L,
width:4,halo:2},()=>{t.moveTo(e,o),t.lineTo(e,r)}),t.beginPath(),t.moveTo(e,r-d),t.lineTo(e-d,r+d),t.lineTo(e+d,r+d),t.fillStyle=
c(L),t.fill()}#n(t,s,e){let o=[this.#e(e),this.#e(e+this.panel.pair_angles.length)];v(t,s,{colour:s.ink,width:2,halo:3},
()=>{for(let r of o)t.lineTo(...r)});for(let[r,i]of o)t.beginPath(),t.arc(r,i,5,0,E),t.fillStyle=c(s.ink),t.fill(),t.strokeStyle=
c(s.background),t.stroke()}};var F=300,k=class{#t=0;#e=null;#s=[];#o=new g;constructor(t){this.root=t,this.spheres=h("div",{class:"spheres",tabindex:0,
role:"application","aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:s=>this.#h(
s)}),this.text=h("p",{class:"pair"}),t.replaceChildren(this.spheres,this.text,this.#o.element),this.watcher=new ResizeObserver(
()=>this.#a()),this.watcher.observe(t)}load(t){if(JSON.stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let s=t.pairs.map(
([,,e])=>e);this.#t=s.indexOf(Math.min(...s)),this.#s=t.panels.map(e=>this.#r(e)),this.spheres.replaceChildren(...this.#s.
map(({box:e})=>e))}this.#a()}#r(t){let s=h("canvas",{role:"img",onpointermove:i=>this.#n(e,i),onpointerdown:i=>this.#n(e,
i)}),e=new y(s,t),o=h("div"),r=h("figcaption",{},[h("strong",{text:t.title}),o]);return{sphere:e,angle:o,box:h("figure",
{},[r,s])}}#n(t,{offsetX:s,offsetY:e}){let o=t.nearest(s,e);o>=0&&this.#l(o%this.#i)}#h(t){if(t.ctrlKey||t.metaKey||t.altKey)
return;let[s,e]=A[t.key]??[0,0];!s&&!e||(t.preventDefault(),this.#l((this.#t+s-e+this.#i)%this.#i))}get#i(){return this.#e?.
pairs.length??0}#l(t){t!==this.#t&&(this.#t=t,this.#a(),this.#o.say(`${this.text.textContent}; ${this.#c().join(", ")}`))}#c(){
return this.#s.map(({sphere:{panel:t}})=>`${t.title} ${t.pair_angles[this.#t].toFixed(0)}°`)}#a(){if(!this.#e||!this.root.
clientWidth)return;let t=O(this.root),[s,e,o]=this.#e.pairs[this.#t],[r,i]=this.#e.scale;for(let{sphere:a,angle:l}of this.#s){
let{title:p,mean_length:S,pair_angles:x}=a.panel,$=a.canvas.parentElement?.clientWidth??0;a.resize(Math.min(F,$)),a.draw(
t,this.#e.circles,this.#t);let R=`${x[this.#t].toFixed(0)}°`;l.textContent=`${R} apart in all dimensions`,a.canvas.ariaLabel=
`Sentences as points on a sphere, ${p}: the mean of their directions has length ${S.toFixed(2)}; the marked pair is ${R}\
 apart`}this.text.textContent=`“${s}” and “${e}”: people's grade ${Number(o.toFixed(2))} of ${r?`${r} to `:""}${i}`,
this.root.dataset.pair=String(this.#t)}close(){this.#o.stop(),this.watcher.disconnect()}};var ft=T({name:"cone",show:n=>new k(n),state:"report"});export{ft as default};
