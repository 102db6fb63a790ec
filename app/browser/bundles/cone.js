function $(r,t){r.calls+=1;let s=r.calls;return()=>{r.calls===s&&t()}}function R(r,t,s){let e=new WeakMap;return({data:o,
parentElement:n,setStateValue:i})=>{let l=n.querySelector(r),a=e.get(l)??{shown:s(l),calls:0};return e.set(l,a),a.shown.
load(o,w=>i(t,w)),$(a,()=>a.shown.close?.())}}var v={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function h(r,{text:t,...s}={},e=[]){let o=document.createElement(r);for(let[n,i]of Object.entries(s))typeof i=="function"?
o.addEventListener(n.slice(2),i):i!==null&&o.setAttribute(n,String(i));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function u(r){return r.getContext("2d")}function S(r){let t=getComputedStyle(r),s=(n,i)=>t.getPropertyValue(n).trim()||i,e=p(s("--st-background-color","#ffffff")),
o=p(s("--st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:d(e,o,.72),line:d(
e,o,.2),dim:d(e,o,.3),missing:d(e,o,.5),primary:p(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function d(r,t,s){let e=o=>Math.round(r[o]+(t[o]-r[o])*s);return[e(0),e(1),e(2)]}function c(r,t=1){return`rgb(${r.join("\
 ")} / ${100*t}%)`}var m=null;function p(r){m??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),m.fillStyle=
r,m.fillRect(0,0,1,1);let[t,s,e]=m.getImageData(0,0,1,1).data;return[t,s,e]}function x(r,t,s){let e=devicePixelRatio||1;Object.assign(r,{width:t*e,height:s*e}),Object.assign(r.style,{width:`${t}px`,
height:`${s}px`}),u(r).scale(e,e)}function k(r,t,{colour:s,width:e,halo:o},n){let i=[[t.background,e+o],[s,e]];for(let[l,a]of i)r.beginPath(),n(),r.lineWidth=
a,r.strokeStyle=c(l),r.stroke()}var O=p("#d55e00"),L=8,W=16,f=7,A=2*Math.PI,g=class{constructor(t,s){this.canvas=t,this.panel=s}resize(t){x(this.canvas,
t,t),this.half=t/2}#t(t,s){let[e,o]=[this.half??0,(this.half??0)-L];return[e+o*t,e-o*s]}#e(t){return this.#t(this.panel.
x[t],this.panel.y[t])}nearest(t,s){let[e,o]=[W**2,-1];for(let n=0;n<this.panel.x.length;n++){let[i,l]=this.#e(n),a=(i-t)**
2+(l-s)**2;a<e&&([e,o]=[a,n])}return o}draw(t,s,e){let o=u(this.canvas);for(let n of s)this.#s(o,t,n);this.#n(o),this.#o(
o,t),this.#r(o,t,e)}#s(t,s,e){t.beginPath(),e.x.forEach((o,n)=>{t.lineTo(...this.#t(o,e.y[n]))}),t.lineWidth=1,t.strokeStyle=
c(s.line),t.stroke()}#n(t){let s=p(this.panel.colour);this.panel.near.forEach((e,o)=>{t.beginPath(),t.arc(...this.#e(o),
e?3:2,0,A),t.fillStyle=c(s,e?.85:.4),t.fill()})}#o(t,s){let[e,o]=this.#t(0,0),[,n]=this.#t(0,this.panel.top);k(t,s,{colour:O,
width:4,halo:2},()=>{t.moveTo(e,o),t.lineTo(e,n)}),t.beginPath(),t.moveTo(e,n-f),t.lineTo(e-f,n+f),t.lineTo(e+f,n+f),t.fillStyle=
c(O),t.fill()}#r(t,s,e){let o=[this.#e(e),this.#e(e+this.panel.pair_angles.length)];k(t,s,{colour:s.ink,width:2,halo:3},
()=>{for(let n of o)t.lineTo(...n)});for(let[n,i]of o)t.beginPath(),t.arc(n,i,5,0,A),t.fillStyle=c(s.ink),t.fill(),t.strokeStyle=
c(s.background),t.stroke()}};var C=300,b=class{#t=0;#e=null;#s=[];constructor(t){this.root=t,this.spheres=h("div",{class:"spheres",tabindex:0,role:"g\
roup","aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:s=>this.#r(s)}),this.text=
h("output",{"aria-live":"polite"}),t.replaceChildren(this.spheres,this.text),this.watcher=new ResizeObserver(()=>this.#a()),
this.watcher.observe(t)}load(t){if(JSON.stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let s=t.pairs.map(([,,e])=>e);
this.#t=s.indexOf(Math.min(...s)),this.#s=t.panels.map(e=>this.#n(e)),this.spheres.replaceChildren(...this.#s.map(({box:e})=>e))}
this.#a()}#n(t){let s=h("canvas",{role:"img",onpointermove:i=>this.#o(e,i),onpointerdown:i=>this.#o(e,i)}),e=new g(s,t),
o=h("div"),n=h("figcaption",{},[h("strong",{text:t.title}),o]);return{sphere:e,angle:o,box:h("figure",{},[n,s])}}#o(t,{offsetX:s,
offsetY:e}){let o=t.nearest(s,e);o>=0&&this.#l(o%this.#i)}#r(t){let[s,e]=v[t.key]??[0,0];!s&&!e||(t.preventDefault(),this.#l(
(this.#t+s-e+this.#i)%this.#i))}get#i(){return this.#e?.pairs.length??0}#l(t){t!==this.#t&&(this.#t=t,this.#a())}#a(){if(!this.#e||
!this.root.clientWidth)return;let t=S(this.root),[s,e,o]=this.#e.pairs[this.#t];for(let{sphere:n,angle:i}of this.#s){let{
title:l,mean_length:a,pair_angles:w}=n.panel,T=n.canvas.parentElement?.clientWidth??0;n.resize(Math.min(C,T)),n.draw(t,this.#e.
circles,this.#t);let y=`${w[this.#t].toFixed(0)}°`;i.textContent=`this pair: ${y}`,n.canvas.ariaLabel=`Sentences as poi\
nts on a sphere, ${l}: the mean of their directions has length ${a.toFixed(2)}; the marked pair is ${y} apart`}this.text.
textContent=`“${s}” and “${e}”: people's grade ${Number(o.toFixed(2))}`,this.root.dataset.pair=String(this.#t)}close(){
this.watcher.disconnect()}};var Y=R(".cone","report",r=>new b(r));export{Y as default};
