function c(t,{text:n,...s}={},e=[]){let o=document.createElement(t);for(let[i,r]of Object.entries(s))typeof r=="function"?
o.addEventListener(i.slice(2),r):r!==null&&o.setAttribute(i,String(r));return n!==void 0&&(o.textContent=n),o.append(...e),
o}function u(t,n,s){return c("button",{type:"button",text:t,title:n,onclick:s})}function m(t,n){let s=URL.createObjectURL(t);c("a",{href:s,download:n}).click(),setTimeout(()=>URL.revokeObjectURL(s),1e4)}function C(t){return t.getContext("2d")}var x=1;function O(){return Math.max(x,devicePixelRatio||1)}function R(t,n){try{
return x=2,t(),n()}finally{x=1,t()}}function E(t){let n=atob(t),s=new Uint8Array(n.length);for(let e=0;e<n.length;e++)s[e]=n.charCodeAt(e);return s}var g=class{#t;#e=0;constructor(n){this.#t=n}call(n){this.stop(),this.#e=setTimeout(n,this.#t)}stop(){clearTimeout(this.#e)}};var B=300,U=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function L(t,n){let s=new g(B),e=()=>{
location.hash&&(n.place=Number.parseInt(location.hash.slice(1),10)||0)};e(),addEventListener("hashchange",e);let o=()=>history.
replaceState(null,"",`#${n.place}`);new MutationObserver(()=>s.call(o)).observe(t,{attributes:!0})}function M(t){document.
documentElement.classList.toggle("alone",U),t.append(D(t))}function D(t){let n=c("input",{readonly:"","aria-label":"HTML\
 that embeds the figure"}),s=u("Copy","Copy the line",()=>{n.select(),navigator.clipboard?.writeText(n.value)}),e=c("det\
ails",{class:"embed"},[c("summary",{text:"Embed this figure"}),n,s]);return e.addEventListener("toggle",()=>{let o=new URL(
`?only=figure${location.hash}`,location.href);n.value=`<iframe src="${o}" title="${document.title}" width="100%" height=\
"${t.offsetHeight}" style="border: 0" loading="lazy"></iframe>`}),e}var b=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function T(t){
let n=getComputedStyle(t),s=(i,r)=>n.getPropertyValue(i).trim()||r,e=S(s("--st-background-color","#ffffff")),o=S(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:p(e,o,.72),line:p(e,o,.2),dim:p(
e,o,.3),missing:p(e,o,.5),primary:S(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function A(t,n){
let e=(n?.16+.84*t:.92*t)*(b.length-1),o=Math.min(Math.floor(e),b.length-2);return p(b[o],b[o+1],e-o)}function p(t,n,s){
let e=o=>Math.round(t[o]+(n[o]-t[o])*s);return[e(0),e(1),e(2)]}function v(t,n=1){return`rgb(${t.join(" ")} / ${100*n}%)`}
var y=null;function S(t){y??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),y.fillStyle=t,y.fillRect(
0,0,1,1);let[n,s,e]=y.getImageData(0,0,1,1).data;return[n,s,e]}var w=100;function N(t,n){R(()=>t.draw(),()=>H(t.parts)).toBlob(e=>e&&m(e,`${n}.png`))}function H(t){let n=t.map(l=>l.getBoundingClientRect()),
s=O(),e=s*Math.max(...n.map(l=>l.width)),o=s*n.reduce((l,f)=>l+f.height,0),i=c("canvas",{width:Math.ceil(e),height:Math.
ceil(o)}),[r,a]=[C(i),T(t[0])];r.fillStyle=v(a.background),r.fillRect(0,0,e,o),r.scale(s,s);let h=0;return t.forEach((l,f)=>{
r.save(),r.translate(-n[f].left,h-n[f].top);for(let d of[l,...l.querySelectorAll("canvas, .swatch, .bar")])W(r,a,d);_(r,
l),r.restore(),h+=n[f].height}),i}function W(t,n,s){let{left:e,top:o,width:i,height:r}=s.getBoundingClientRect();if(!(!i||
!r)){if(s instanceof HTMLCanvasElement)t.drawImage(s,e,o,i,r);else if(s.matches(".swatch"))t.fillStyle=getComputedStyle(
s).backgroundColor,t.fillRect(e,o,i,r);else if(s.matches(".scale .bar"))for(let a=0;a<w;a++)t.fillStyle=v(A(a/(w-1),n.dark)),
t.fillRect(e+a*i/w,o,i/w+.5,r)}}function _(t,n){let[s,e]=[document.createTreeWalker(n,NodeFilter.SHOW_TEXT),document.createRange()];
for(t.textAlign="center",t.textBaseline="middle";s.nextNode();){let o=s.currentNode,i=getComputedStyle(o.parentElement);
t.font=`${i.fontWeight} ${i.fontSize} ${i.fontFamily}`,t.fillStyle=i.color;for(let{0:r,index:a}of o.data.matchAll(/\S+/g)){
e.setStart(o,a),e.setEnd(o,a+r.length);let{left:h,top:l,width:f,height:d}=e.getBoundingClientRect();!f||!d||(t.save(),t.
translate(h+f/2,l+d/2),i.writingMode.startsWith("vertical")&&t.rotate(-Math.PI/2),t.fillText(r,0,0),t.restore())}}}function I({show:t,...n}){let e={...n,show:r=>{let a=t(r);return F(a)&&r.append(u("Save PNG","Save the picture",()=>N(a,
n.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&K(e,o.textContent??"");let i=G(e);return r=>r?i(
r):{render:a=>X(e,a)}}function F(t){return"draw"in t&&"parts"in t}function z(t){return"place"in t}function J(t){return JSON.
parse(new TextDecoder().decode(t))}function V(t,n){t.calls+=1;let s=t.calls;return()=>{t.calls===s&&n()}}function G({name:t,
state:n,show:s}){let e=new WeakMap;return({data:o,parentElement:i,setStateValue:r})=>{let a=i.querySelector(`.${t}`),h=e.
get(a)??{shown:s(a),calls:0};return e.set(a,h),h.shown.load(o,l=>r(n,l)),V(h,()=>h.shown.close?.())}}function K({name:t,
show:n,file:s},e){let o=document.querySelector(`.${t}`),i=n(o),r=E(e.trim()),a=()=>i.load(s?.data(r)??J(r),s?.told??(()=>{}));
a(),z(i)&&L(o,i),M(o),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function X({name:t,show:n,
cell:s},{model:e,el:o}){if(!s)return;let[i,r]=[c("div"),c("div",{class:t})],a=c("style",{text:String(e.get("sheet"))});i.
attachShadow({mode:"open"}).append(a,r),o.append(i);let h=n(r),l=()=>h.load(s.data(e.get(s.trait)),f=>{for(let[d,q]of Object.
entries(s.traits(f,h)))e.set(d,q);e.save_changes()});return l(),e.on(`change:${s.trait}`,l),()=>{e.off(`change:${s.trait}`,
l),h.close?.()}}var j="bertflow-lab questions",Y="I do not know",k=[["before","Before the lesson"],["after","After the lesson"]],$=class{#t=[];#e="\
before";#n=Z();#o=c("div");#s=c("output");#i=u("Save as CSV","Save the answers in a file on this device",()=>this.#l());constructor(n){
let s=u("Delete my answers","Delete them from this device",()=>{this.#n={before:{},after:{}},this.#a(),this.#r()}),e=k.map(
([i,r])=>P("phase",r,i===this.#e,()=>{this.#e=i,this.#r()})),o=c("fieldset",{class:"row"},[c("legend",{text:"When"}),...e]);
n.replaceChildren(o,this.#o,c("div",{class:"row"},[this.#i,s,this.#s]))}load(n){this.#t.length||(this.#t=n,this.#r())}#r(){
let n=this.#t.map(({question:s,answers:e},o)=>{let i=c("legend",{text:`${o+1}. ${s}`}),r=[...e,Y].map((a,h)=>P(`q${o}`,a,
this.#n[this.#e][o]===h,()=>{this.#n[this.#e][o]=h,this.#a()}));return c("fieldset",{},[i,...r])});this.#o.replaceChildren(
...n),this.#c()}#a(){try{localStorage.setItem(j,JSON.stringify(this.#n))}catch{}this.#c()}#c(){let n=Object.keys(this.#n[this.#e]).
length;this.#i.disabled=n<this.#t.length,this.#s.textContent=`${n} of ${this.#t.length} answered`}#l(){let s=["when,ques\
tion,answer,right",...k.flatMap(([e])=>Object.entries(this.#n[e]).map(([o,i])=>{let r=i===this.#t[Number(o)].right;return[
e,Number(o)+1,"ABCDE"[i],Number(r)].join(",")})),""].join(`\r
`);m(new Blob([s],{type:"text/csv"}),"answers.csv"),this.#e==="after"&&this.#h()}#h(){for(let[s,e]of[...this.#o.children].
entries()){e.querySelectorAll("label")[this.#t[s].right].classList.add("right");for(let o of e.querySelectorAll("input"))
o.disabled=!0}let n=k.map(([s,e])=>{let o=Object.entries(this.#n[s]),i=o.filter(([r,a])=>a===this.#t[Number(r)].right);return o.
length?[`${e.toLowerCase()} ${i.length} of ${o.length}`]:[]});this.#s.textContent=`Right: ${n.flat().join(", ")}.`}};function P(t,n,s,e){
let o=c("input",{type:"radio",name:t,onchange:e});return o.checked=s,c("label",{},[o,c("span",{text:n})])}function Z(){try{
let{before:t,after:n}=JSON.parse(localStorage.getItem(j)??"");return{before:t,after:n}}catch{return{before:{},after:{}}}}
var bt=I({name:"questions",show:t=>new $(t),state:"answers"});export{$ as QuestionsView,bt as default};
