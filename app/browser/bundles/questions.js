function c(t,{text:n,...s}={},e=[]){let o=document.createElement(t);for(let[r,i]of Object.entries(s))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return n!==void 0&&(o.textContent=n),o.append(...e),
o}function u(t,n,s){return c("button",{type:"button",text:t,title:n,onclick:s})}function m(t,n){let s=URL.createObjectURL(t);c("a",{href:s,download:n}).click(),setTimeout(()=>URL.revokeObjectURL(s),1e4)}function C(t){return t.getContext("2d")}var x=1;function E(){return Math.max(x,devicePixelRatio||1)}function O(t,n){try{
return x=2,t(),n()}finally{x=1,t()}}function R(t){let n=atob(t),s=new Uint8Array(n.length);for(let e=0;e<n.length;e++)s[e]=n.charCodeAt(e);return s}var g=class{#t;#e=0;constructor(n){this.#t=n}call(n){this.stop(),this.#e=setTimeout(n,this.#t)}stop(){clearTimeout(this.#e)}};var U=300,D=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function T(t,n){let s=new g(U),e=()=>{
location.hash&&(n.place=Number.parseInt(location.hash.slice(1),10)||0)};e(),addEventListener("hashchange",e);let o=()=>history.
replaceState(null,"",`#${n.place}`);new MutationObserver(()=>s.call(o)).observe(t,{attributes:!0})}function L(t){document.
documentElement.classList.toggle("alone",D),t.append(H(t))}function H(t){let n=c("input",{readonly:"","aria-label":"HTML\
 that embeds the figure"}),s=u("Copy","Copy the line",()=>{n.select(),navigator.clipboard?.writeText(n.value)}),e=c("det\
ails",{class:"embed"},[c("summary",{text:"Embed this figure"}),n,s]);return e.addEventListener("toggle",()=>{let o=new URL(
`?only=figure${location.hash}`,location.href);n.value=`<iframe src="${o}" title="${document.title}" width="100%" height=\
"${t.offsetHeight}" style="border: 0" loading="lazy"></iframe>`}),e}var b=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function A(t){
let n=getComputedStyle(t),s=(r,i)=>n.getPropertyValue(r).trim()||i,e=S(s("--st-background-color","#ffffff")),o=S(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:p(e,o,.72),line:p(e,o,.2),dim:p(
e,o,.3),missing:p(e,o,.5),primary:S(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function M(t,n){
let e=(n?.16+.84*t:.92*t)*(b.length-1),o=Math.min(Math.floor(e),b.length-2);return p(b[o],b[o+1],e-o)}function p(t,n,s){
let e=o=>Math.round(t[o]+(n[o]-t[o])*s);return[e(0),e(1),e(2)]}function v(t,n=1){return`rgb(${t.join(" ")} / ${100*n}%)`}
var y=null;function S(t){y??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),y.fillStyle=t,y.fillRect(
0,0,1,1);let[n,s,e]=y.getImageData(0,0,1,1).data;return[n,s,e]}var w=100;function N(t,n){O(()=>t.draw(),()=>W(t.parts)).toBlob(e=>e&&m(e,`${n}.png`))}function W(t){let n=t.map(l=>l.getBoundingClientRect()),
s=E(),e=s*Math.max(...n.map(l=>l.width)),o=s*n.reduce((l,f)=>l+f.height,0),r=c("canvas",{width:Math.ceil(e),height:Math.
ceil(o)}),[i,a]=[C(r),A(t[0])];i.fillStyle=v(a.background),i.fillRect(0,0,e,o),i.scale(s,s);let h=0;return t.forEach((l,f)=>{
i.save(),i.translate(-n[f].left,h-n[f].top);for(let d of[l,...l.querySelectorAll("canvas, .swatch, .bar")])_(i,a,d);F(i,
l),i.restore(),h+=n[f].height}),r}function _(t,n,s){let{left:e,top:o,width:r,height:i}=s.getBoundingClientRect();if(!(!r||
!i)){if(s instanceof HTMLCanvasElement)t.drawImage(s,e,o,r,i);else if(s.matches(".swatch"))t.fillStyle=getComputedStyle(
s).backgroundColor,t.fillRect(e,o,r,i);else if(s.matches(".scale .bar"))for(let a=0;a<w;a++)t.fillStyle=v(M(a/(w-1),n.dark)),
t.fillRect(e+a*r/w,o,r/w+.5,i)}}function F(t,n){let[s,e]=[document.createTreeWalker(n,NodeFilter.SHOW_TEXT),document.createRange()];
for(t.textAlign="center",t.textBaseline="middle";s.nextNode();){let o=s.currentNode,r=getComputedStyle(o.parentElement);
t.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,t.fillStyle=r.color;for(let{0:i,index:a}of o.data.matchAll(/\S+/g)){
e.setStart(o,a),e.setEnd(o,a+i.length);let{left:h,top:l,width:f,height:d}=e.getBoundingClientRect();!f||!d||(t.save(),t.
translate(h+f/2,l+d/2),r.writingMode.startsWith("vertical")&&t.rotate(-Math.PI/2),t.fillText(i,0,0),t.restore())}}}function I({show:t,...n}){let e={...n,show:i=>{let a=t(i);return z(a)&&i.append(u("Save PNG","Save the picture",()=>N(a,
n.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&X(e,o.textContent??"");let r=K(e);return i=>i?r(
i):{render:a=>Y(e,a)}}function z(t){return"draw"in t&&"parts"in t}function J(t){return"place"in t}function V(t){return JSON.
parse(new TextDecoder().decode(t))}function G(t,n){t.calls+=1;let s=t.calls;return()=>{t.calls===s&&n()}}function K({name:t,
state:n,show:s}){let e=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{let a=r.querySelector(`.${t}`),h=e.
get(a)??{shown:s(a),calls:0};return e.set(a,h),h.shown.load(o,l=>i(n,l)),G(h,()=>h.shown.close?.())}}function X({name:t,
show:n,file:s},e){let o=document.querySelector(`.${t}`),r=n(o),i=R(e.trim()),a=()=>r.load(s?.data(i)??V(i),s?.told??(()=>{}));
a(),J(r)&&T(o,r),L(o),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function Y({name:t,show:n,
cell:s},{model:e,el:o}){if(!s)return;let[r,i]=[c("div"),c("div",{class:t})],a=c("style",{text:String(e.get("sheet"))});r.
attachShadow({mode:"open"}).append(a,i),o.append(r);let h=n(i),l=()=>h.load(s.data(e.get(s.trait)),f=>{for(let[d,B]of Object.
entries(s.traits(f,h)))e.set(d,B);e.save_changes()});return l(),e.on(`change:${s.trait}`,l),()=>{e.off(`change:${s.trait}`,
l),h.close?.()}}var P="bertflow-lab questions",q="ABCDE",Z="I do not know",k=[["before","Before the lesson"],["after","After the lesson"]],
$=class{#t=[];#e="before";#n={before:{},after:{}};#o=c("div");#s=c("output");#i=u("Save as CSV","Save the answers in a f\
ile on this device",()=>this.#l());constructor(n){let s=u("Delete my answers","Delete them from this device",()=>{this.#n=
{before:{},after:{}},this.#a(),this.#r()}),e=k.map(([r,i])=>j("phase",i,r===this.#e,()=>{this.#e=r,this.#r()})),o=c("fie\
ldset",{class:"row"},[c("legend",{text:"When"}),...e]);n.replaceChildren(o,this.#o,c("div",{class:"row"},[this.#i,s,this.#s]))}load(n){
this.#t.length||(this.#t=n,this.#n=Q(n.length),this.#r())}#r(){let n=this.#t.map(({question:s,answers:e},o)=>{let r=c("l\
egend",{text:`${o+1}. ${s}`}),i=[...e,Z].map((a,h)=>j(`q${o}`,a,this.#n[this.#e][o]===h,()=>{this.#n[this.#e][o]=h,this.#a()}));
return c("fieldset",{},[r,...i])});this.#o.replaceChildren(...n),this.#c()}#a(){try{localStorage.setItem(P,JSON.stringify(
this.#n))}catch{}this.#c()}#c(){let n=Object.keys(this.#n[this.#e]).length;this.#i.disabled=n<this.#t.length,this.#s.textContent=
`${n} of ${this.#t.length} answered`}#l(){let s=["when,question,answer,right",...k.flatMap(([e])=>Object.entries(this.#n[e]).
map(([o,r])=>{let i=r===this.#t[Number(o)].right;return[e,Number(o)+1,q[r],Number(i)].join(",")})),""].join(`\r
`);m(new Blob([s],{type:"text/csv"}),"answers.csv"),this.#e==="after"&&this.#h()}#h(){for(let[s,e]of[...this.#o.children].
entries()){e.querySelectorAll("label")[this.#t[s].right].classList.add("right");for(let o of e.querySelectorAll("input"))
o.disabled=!0}let n=k.map(([s,e])=>{let o=Object.entries(this.#n[s]),r=o.filter(([i,a])=>a===this.#t[Number(i)].right);return o.
length?[`${e.toLowerCase()} ${r.length} of ${o.length}`]:[]});this.#s.textContent=`Right: ${n.flat().join(", ")}.`}};function j(t,n,s,e){
let o=c("input",{type:"radio",name:t,onchange:e});return o.checked=s,c("label",{},[o,c("span",{text:n})])}function Q(t){
let n=[...Array(t).keys()],s=e=>{let o=r=>Number.isInteger(e?.[r])&&q[e[r]];return Object.fromEntries(n.filter(o).map(r=>[
r,e[r]]))};try{let{before:e,after:o}=JSON.parse(localStorage.getItem(P)??"");return{before:s(e),after:s(o)}}catch{return{
before:{},after:{}}}}var yt=I({name:"questions",show:t=>new $(t),state:"answers"});export{$ as QuestionsView,yt as default};
