function c(t,{text:s,...n}={},e=[]){let o=document.createElement(t);for(let[i,r]of Object.entries(n))typeof r=="function"?
o.addEventListener(i.slice(2),r):r!==null&&o.setAttribute(i,String(r));return s!==void 0&&(o.textContent=s),o.append(...e),
o}function u(t,s,n){return c("button",{type:"button",text:t,title:s,onclick:n})}function g(t,s){let n=URL.createObjectURL(t);c("a",{href:n,download:s}).click(),setTimeout(()=>URL.revokeObjectURL(n),1e4)}function C(t){return t.getContext("2d")}var y=1;function $(){return Math.max(y,devicePixelRatio||1)}function O(t,s){try{
return y=2,t(),s()}finally{y=1,t()}}function R(t){let s=atob(t),n=new Uint8Array(s.length);for(let e=0;e<s.length;e++)n[e]=s.charCodeAt(e);return n}var m=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function A(t){
let s=getComputedStyle(t),n=(i,r)=>s.getPropertyValue(i).trim()||r,e=S(n("--st-background-color","#ffffff")),o=S(n("--st\
-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:p(e,o,.72),line:p(e,o,.2),dim:p(
e,o,.3),missing:p(e,o,.5),primary:S(n("--st-primary-color","#1f6feb")),font:n("--st-font","sans-serif")}}function M(t,s){
let e=(s?.16+.84*t:.92*t)*(m.length-1),o=Math.min(Math.floor(e),m.length-2);return p(m[o],m[o+1],e-o)}function p(t,s,n){
let e=o=>Math.round(t[o]+(s[o]-t[o])*n);return[e(0),e(1),e(2)]}function x(t,s=1){return`rgb(${t.join(" ")} / ${100*s}%)`}
var b=null;function S(t){b??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),b.fillStyle=t,b.fillRect(
0,0,1,1);let[s,n,e]=b.getImageData(0,0,1,1).data;return[s,n,e]}var w=100;function E(t,s){O(()=>t.draw(),()=>L(t.parts)).toBlob(e=>e&&g(e,`${s}.png`))}function L(t){let s=t.map(l=>l.getBoundingClientRect()),
n=$(),e=n*Math.max(...s.map(l=>l.width)),o=n*s.reduce((l,f)=>l+f.height,0),i=c("canvas",{width:Math.ceil(e),height:Math.
ceil(o)}),[r,a]=[C(i),A(t[0])];r.fillStyle=x(a.background),r.fillRect(0,0,e,o),r.scale(n,n);let h=0;return t.forEach((l,f)=>{
r.save(),r.translate(-s[f].left,h-s[f].top);for(let d of[l,...l.querySelectorAll("canvas, .swatch, .bar")])q(r,a,d);B(r,
l),r.restore(),h+=s[f].height}),i}function q(t,s,n){let{left:e,top:o,width:i,height:r}=n.getBoundingClientRect();if(!(!i||
!r)){if(n instanceof HTMLCanvasElement)t.drawImage(n,e,o,i,r);else if(n.matches(".swatch"))t.fillStyle=getComputedStyle(
n).backgroundColor,t.fillRect(e,o,i,r);else if(n.matches(".scale .bar"))for(let a=0;a<w;a++)t.fillStyle=x(M(a/(w-1),s.dark)),
t.fillRect(e+a*i/w,o,i/w+.5,r)}}function B(t,s){let[n,e]=[document.createTreeWalker(s,NodeFilter.SHOW_TEXT),document.createRange()];
for(t.textAlign="center",t.textBaseline="middle";n.nextNode();){let o=n.currentNode,i=getComputedStyle(o.parentElement);
t.font=`${i.fontWeight} ${i.fontSize} ${i.fontFamily}`,t.fillStyle=i.color;for(let{0:r,index:a}of o.data.matchAll(/\S+/g)){
e.setStart(o,a),e.setEnd(o,a+r.length);let{left:h,top:l,width:f,height:d}=e.getBoundingClientRect();!f||!d||(t.save(),t.
translate(h+f/2,l+d/2),i.writingMode.startsWith("vertical")&&t.rotate(-Math.PI/2),t.fillText(r,0,0),t.restore())}}}function N({show:t,...s}){let e={...s,show:r=>{let a=t(r);return D(a)&&r.append(u("Save PNG","Save the picture",()=>E(a,
s.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&U(e,o.textContent??"");let i=W(e);return r=>r?i(
r):{render:a=>H(e,a)}}function D(t){return"draw"in t&&"parts"in t}function P(t,s){t.calls+=1;let n=t.calls;return()=>{t.
calls===n&&s()}}function W({name:t,state:s,show:n}){let e=new WeakMap;return({data:o,parentElement:i,setStateValue:r})=>{
let a=i.querySelector(`.${t}`),h=e.get(a)??{shown:n(a),calls:0};return e.set(a,h),h.shown.load(o,l=>r(s,l)),P(h,()=>h.shown.
close?.())}}function U({name:t,show:s,file:n},e){if(!n)return;let o=s(document.querySelector(`.${t}`)),i=()=>o.load(n.data(
R(e.trim())),n.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function H({name:t,
show:s,cell:n},{model:e,el:o}){if(!n)return;let[i,r]=[c("div"),c("div",{class:t})],a=c("style",{text:String(e.get("sheet"))});
i.attachShadow({mode:"open"}).append(a,r),o.append(i);let h=s(r),l=()=>h.load(n.data(e.get(n.trait)),f=>{for(let[d,I]of Object.
entries(n.traits(f,h)))e.set(d,I);e.save_changes()});return l(),e.on(`change:${n.trait}`,l),()=>{e.off(`change:${n.trait}`,
l),h.close?.()}}var j="bertflow-lab questions",F="I do not know",v=[["before","Before the lesson"],["after","After the lesson"]],k=class{#t=[];#n="\
before";#e=J();#o=c("div");#s=c("output");#i=u("Save as CSV","Save the answers in a file on this device",()=>this.#l());constructor(s){
let n=u("Delete my answers","Delete them from this device",()=>{this.#e={before:{},after:{}},this.#a(),this.#r()}),e=v.map(
([i,r])=>T("phase",r,i===this.#n,()=>{this.#n=i,this.#r()})),o=c("fieldset",{class:"row"},[c("legend",{text:"When"}),...e]);
s.replaceChildren(o,this.#o,c("div",{class:"row"},[this.#i,n,this.#s]))}load(s){this.#t.length||(this.#t=s,this.#r())}#r(){
let s=this.#t.map(({question:n,answers:e},o)=>{let i=c("legend",{text:`${o+1}. ${n}`}),r=[...e,F].map((a,h)=>T(`q${o}`,a,
this.#e[this.#n][o]===h,()=>{this.#e[this.#n][o]=h,this.#a()}));return c("fieldset",{},[i,...r])});this.#o.replaceChildren(
...s),this.#c()}#a(){try{localStorage.setItem(j,JSON.stringify(this.#e))}catch{}this.#c()}#c(){let s=Object.keys(this.#e[this.#n]).
length;this.#i.disabled=s<this.#t.length,this.#s.textContent=`${s} of ${this.#t.length} answered`}#l(){let n=["when,ques\
tion,answer,right",...v.flatMap(([e])=>Object.entries(this.#e[e]).map(([o,i])=>{let r=i===this.#t[Number(o)].right;return[
e,Number(o)+1,"ABCDE"[i],Number(r)].join(",")})),""].join(`\r
`);g(new Blob([n],{type:"text/csv"}),"answers.csv"),this.#n==="after"&&this.#h()}#h(){for(let[n,e]of[...this.#o.children].
entries()){e.querySelectorAll("label")[this.#t[n].right].classList.add("right");for(let o of e.querySelectorAll("input"))
o.disabled=!0}let s=v.map(([n,e])=>{let o=Object.entries(this.#e[n]),i=o.filter(([r,a])=>a===this.#t[Number(r)].right);return o.
length?[`${e.toLowerCase()} ${i.length} of ${o.length}`]:[]});this.#s.textContent=`Right: ${s.flat().join(", ")}.`}};function T(t,s,n,e){
let o=c("input",{type:"radio",name:t,onchange:e});return o.checked=n,c("label",{},[o,c("span",{text:s})])}function J(){try{
let{before:t,after:s}=JSON.parse(localStorage.getItem(j)??"");return{before:t,after:s}}catch{return{before:{},after:{}}}}
var ot=N({name:"questions",show:t=>new k(t),state:"answers",file:{data:t=>JSON.parse(new TextDecoder().decode(t))}});export{k as QuestionsView,ot as default};
