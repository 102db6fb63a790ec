function P(i,t){i.calls+=1;let s=i.calls;return()=>{i.calls===s&&t()}}function S(i,t,s){let e=new WeakMap;return({data:o,
parentElement:n,setStateValue:r})=>{let a=n.querySelector(i),l=e.get(a)??{shown:s(a),calls:0};return e.set(a,l),l.shown.
load(o,y=>r(t,y)),P(l,()=>l.shown.close?.())}}function h(i,{text:t,...s}={},e=[]){let o=document.createElement(i);for(let[n,r]of Object.entries(s))typeof r=="function"?
o.addEventListener(n.slice(2),r):r!==null&&o.setAttribute(n,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function u(i){return i.getContext("2d")}var d=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(this.#e)}};var E=300,m=class{#t=new d(E);element=h("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var $={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function v(i){let t=getComputedStyle(i),s=(n,r)=>t.getPropertyValue(n).trim()||r,e=p(s("--st-background-color","#ffffff")),
o=p(s("--st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:g(e,o,.72),line:g(
e,o,.2),dim:g(e,o,.3),missing:g(e,o,.5),primary:p(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function g(i,t,s){let e=o=>Math.round(i[o]+(t[o]-i[o])*s);return[e(0),e(1),e(2)]}function c(i,t=1){return`rgb(${i.join("\
 ")} / ${100*t}%)`}var b=null;function p(i){b??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),b.fillStyle=
i,b.fillRect(0,0,1,1);let[t,s,e]=b.getImageData(0,0,1,1).data;return[t,s,e]}function O(i,t,s){let e=devicePixelRatio||1;Object.assign(i,{width:t*e,height:s*e}),Object.assign(i.style,{width:`${t}px`,
height:`${s}px`}),u(i).scale(e,e)}function x(i,t,{colour:s,width:e,halo:o},n){let r=[[t.background,e+o],[s,e]];for(let[a,l]of r)i.beginPath(),n(),i.lineWidth=
l,i.strokeStyle=c(a),i.stroke()}var A=p("#d55e00"),M=8,U=16,f=7,T=2*Math.PI,w=class{constructor(t,s){this.canvas=t,this.panel=s}resize(t){O(this.canvas,
t,t),this.half=t/2}#t(t,s){let[e,o]=[this.half??0,(this.half??0)-M];return[e+o*t,e-o*s]}#e(t){return this.#t(this.panel.
x[t],this.panel.y[t])}nearest(t,s){let[e,o]=[U**2,-1];for(let n=0;n<this.panel.x.length;n++){let[r,a]=this.#e(n),l=(r-t)**
2+(a-s)**2;l<e&&([e,o]=[l,n])}return o}draw(t,s,e){let o=u(this.canvas);for(let n of s)this.#s(o,t,n);this.#o(o),this.#n(
o,t),this.#i(o,t,e)}#s(t,s,e){t.beginPath(),e.x.forEach((o,n)=>{t.lineTo(...this.#t(o,e.y[n]))}),t.lineWidth=1,t.strokeStyle=
c(s.line),t.stroke()}#o(t){let s=p(this.panel.colour);this.panel.near.forEach((e,o)=>{t.beginPath(),t.arc(...this.#e(o),
e?3:2,0,T),t.fillStyle=c(s,e?.85:.4),t.fill()})}#n(t,s){let[e,o]=this.#t(0,0),[,n]=this.#t(0,this.panel.top);x(t,s,{colour:A,
width:4,halo:2},()=>{t.moveTo(e,o),t.lineTo(e,n)}),t.beginPath(),t.moveTo(e,n-f),t.lineTo(e-f,n+f),t.lineTo(e+f,n+f),t.fillStyle=
c(A),t.fill()}#i(t,s,e){let o=[this.#e(e),this.#e(e+this.panel.pair_angles.length)];x(t,s,{colour:s.ink,width:2,halo:3},
()=>{for(let n of o)t.lineTo(...n)});for(let[n,r]of o)t.beginPath(),t.arc(n,r,5,0,T),t.fillStyle=c(s.ink),t.fill(),t.strokeStyle=
c(s.background),t.stroke()}};var j=300,k=class{#t=0;#e=null;#s=[];#o=new m;constructor(t){this.root=t,this.spheres=h("div",{class:"spheres",tabindex:0,
role:"application","aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:s=>this.#h(
s)}),this.text=h("p",{class:"pair"}),t.replaceChildren(this.spheres,this.text,this.#o.element),this.watcher=new ResizeObserver(
()=>this.#a()),this.watcher.observe(t)}load(t){if(JSON.stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let s=t.pairs.map(
([,,e])=>e);this.#t=s.indexOf(Math.min(...s)),this.#s=t.panels.map(e=>this.#n(e)),this.spheres.replaceChildren(...this.#s.
map(({box:e})=>e))}this.#a()}#n(t){let s=h("canvas",{role:"img",onpointermove:r=>this.#i(e,r),onpointerdown:r=>this.#i(e,
r)}),e=new w(s,t),o=h("div"),n=h("figcaption",{},[h("strong",{text:t.title}),o]);return{sphere:e,angle:o,box:h("figure",
{},[n,s])}}#i(t,{offsetX:s,offsetY:e}){let o=t.nearest(s,e);o>=0&&this.#l(o%this.#r)}#h(t){if(t.ctrlKey||t.metaKey||t.altKey)
return;let[s,e]=$[t.key]??[0,0];!s&&!e||(t.preventDefault(),this.#l((this.#t+s-e+this.#r)%this.#r))}get#r(){return this.#e?.
pairs.length??0}#l(t){t!==this.#t&&(this.#t=t,this.#a(),this.#o.say(`${this.text.textContent}; ${this.#c().join(", ")}`))}#c(){
return this.#s.map(({sphere:{panel:t}})=>`${t.title} ${t.pair_angles[this.#t].toFixed(0)}°`)}#a(){if(!this.#e||!this.root.
clientWidth)return;let t=v(this.root),[s,e,o]=this.#e.pairs[this.#t],[n,r]=this.#e.scale;for(let{sphere:a,angle:l}of this.#s){
let{title:y,mean_length:C,pair_angles:L}=a.panel,W=a.canvas.parentElement?.clientWidth??0;a.resize(Math.min(j,W)),a.draw(
t,this.#e.circles,this.#t);let R=`${L[this.#t].toFixed(0)}°`;l.textContent=`${R} apart in all dimensions`,a.canvas.ariaLabel=
`Sentences as points on a sphere, ${y}: the mean of their directions has length ${C.toFixed(2)}; the marked pair is ${R}\
 apart`}this.text.textContent=`“${s}” and “${e}”: people's grade ${Number(o.toFixed(2))} of ${n?`${n} to `:""}${r}`,
this.root.dataset.pair=String(this.#t)}close(){this.#o.stop(),this.watcher.disconnect()}};var lt=S(".cone","report",i=>new k(i));export{lt as default};
