function L(i,t){i.calls+=1;let s=i.calls;return()=>{i.calls===s&&t()}}function S(i,t,s){let e=new WeakMap;return({data:o,
parentElement:r,setStateValue:n})=>{let h=r.querySelector(i),a=e.get(h)??{shown:s(h),calls:0};return e.set(h,a),a.shown.
load(o,y=>n(t,y)),L(a,()=>a.shown.close?.())}}function l(i,{text:t,...s}={},e=[]){let o=document.createElement(i);for(let[r,n]of Object.entries(s))typeof n=="function"?
o.addEventListener(r.slice(2),n):n!==null&&o.setAttribute(r,String(n));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function u(i){return i.getContext("2d")}var d=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(this.#e)}};var W=300,m=class{#t=new d(W);element=l("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var v={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function O(i){let t=getComputedStyle(i),s=(r,n)=>t.getPropertyValue(r).trim()||n,e=p(s("--st-background-color","#ffffff")),
o=p(s("--st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:g(e,o,.72),line:g(
e,o,.2),dim:g(e,o,.3),missing:g(e,o,.5),primary:p(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function g(i,t,s){let e=o=>Math.round(i[o]+(t[o]-i[o])*s);return[e(0),e(1),e(2)]}function c(i,t=1){return`rgb(${i.join("\
 ")} / ${100*t}%)`}var b=null;function p(i){b??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),b.fillStyle=
i,b.fillRect(0,0,1,1);let[t,s,e]=b.getImageData(0,0,1,1).data;return[t,s,e]}function $(i,t,s){let e=devicePixelRatio||1;Object.assign(i,{width:t*e,height:s*e}),Object.assign(i.style,{width:`${t}px`,
height:`${s}px`}),u(i).scale(e,e)}function x(i,t,{colour:s,width:e,halo:o},r){let n=[[t.background,e+o],[s,e]];for(let[h,a]of n)i.beginPath(),r(),i.lineWidth=
a,i.strokeStyle=c(h),i.stroke()}var A=p("#d55e00"),P=8,E=16,f=7,T=2*Math.PI,w=class{constructor(t,s){this.canvas=t,this.panel=s}resize(t){$(this.canvas,
t,t),this.half=t/2}#t(t,s){let[e,o]=[this.half??0,(this.half??0)-P];return[e+o*t,e-o*s]}#e(t){return this.#t(this.panel.
x[t],this.panel.y[t])}nearest(t,s){let[e,o]=[E**2,-1];for(let r=0;r<this.panel.x.length;r++){let[n,h]=this.#e(r),a=(n-t)**
2+(h-s)**2;a<e&&([e,o]=[a,r])}return o}draw(t,s,e){let o=u(this.canvas);for(let r of s)this.#s(o,t,r);this.#o(o),this.#i(
o,t),this.#r(o,t,e)}#s(t,s,e){t.beginPath(),e.x.forEach((o,r)=>{t.lineTo(...this.#t(o,e.y[r]))}),t.lineWidth=1,t.strokeStyle=
c(s.line),t.stroke()}#o(t){let s=p(this.panel.colour);this.panel.near.forEach((e,o)=>{t.beginPath(),t.arc(...this.#e(o),
e?3:2,0,T),t.fillStyle=c(s,e?.85:.4),t.fill()})}#i(t,s){let[e,o]=this.#t(0,0),[,r]=this.#t(0,this.panel.top);x(t,s,{colour:A,
width:4,halo:2},()=>{t.moveTo(e,o),t.lineTo(e,r)}),t.beginPath(),t.moveTo(e,r-f),t.lineTo(e-f,r+f),t.lineTo(e+f,r+f),t.fillStyle=
c(A),t.fill()}#r(t,s,e){let o=[this.#e(e),this.#e(e+this.panel.pair_angles.length)];x(t,s,{colour:s.ink,width:2,halo:3},
()=>{for(let r of o)t.lineTo(...r)});for(let[r,n]of o)t.beginPath(),t.arc(r,n,5,0,T),t.fillStyle=c(s.ink),t.fill(),t.strokeStyle=
c(s.background),t.stroke()}};var M=300,k=class{#t=0;#e=null;#s=[];#o=new m;constructor(t){this.root=t,this.spheres=l("div",{class:"spheres",tabindex:0,
role:"application","aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:s=>this.#h(
s)}),this.text=l("p",{class:"pair"}),t.replaceChildren(this.spheres,this.text,this.#o.element),this.watcher=new ResizeObserver(
()=>this.#a()),this.watcher.observe(t)}load(t){if(JSON.stringify(t)!==JSON.stringify(this.#e)){this.#e=t;let s=t.pairs.map(
([,,e])=>e);this.#t=s.indexOf(Math.min(...s)),this.#s=t.panels.map(e=>this.#i(e)),this.spheres.replaceChildren(...this.#s.
map(({box:e})=>e))}this.#a()}#i(t){let s=l("canvas",{role:"img",onpointermove:n=>this.#r(e,n),onpointerdown:n=>this.#r(e,
n)}),e=new w(s,t),o=l("div"),r=l("figcaption",{},[l("strong",{text:t.title}),o]);return{sphere:e,angle:o,box:l("figure",
{},[r,s])}}#r(t,{offsetX:s,offsetY:e}){let o=t.nearest(s,e);o>=0&&this.#l(o%this.#n)}#h(t){if(t.ctrlKey||t.metaKey||t.altKey)
return;let[s,e]=v[t.key]??[0,0];!s&&!e||(t.preventDefault(),this.#l((this.#t+s-e+this.#n)%this.#n))}get#n(){return this.#e?.
pairs.length??0}#l(t){t!==this.#t&&(this.#t=t,this.#a(),this.#o.say(`${this.text.textContent}; ${this.#c().join(", ")}`))}#c(){
return this.#s.map(({sphere:{panel:t}})=>`${t.title} ${t.pair_angles[this.#t].toFixed(0)}°`)}#a(){if(!this.#e||!this.root.
clientWidth)return;let t=O(this.root),[s,e,o]=this.#e.pairs[this.#t];for(let{sphere:r,angle:n}of this.#s){let{title:h,mean_length:a,
pair_angles:y}=r.panel,C=r.canvas.parentElement?.clientWidth??0;r.resize(Math.min(M,C)),r.draw(t,this.#e.circles,this.#t);
let R=`${y[this.#t].toFixed(0)}°`;n.textContent=`this pair: ${R}`,r.canvas.ariaLabel=`Sentences as points on a sphere, ${h}\
: the mean of their directions has length ${a.toFixed(2)}; the marked pair is ${R} apart`}this.text.textContent=`“${s}\
” and “${e}”: people's grade ${Number(o.toFixed(2))}`,this.root.dataset.pair=String(this.#t)}close(){this.#o.stop(),
this.watcher.disconnect()}};var nt=S(".cone","report",i=>new k(i));export{nt as default};
