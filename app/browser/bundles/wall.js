function l(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[i,a]of Object.entries(e))typeof a=="function"?
o.addEventListener(i.slice(2),a):a!==null&&o.setAttribute(i,String(a));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function v(n,t,e){return l("button",{type:"button",text:n,title:t,onclick:e})}function C(n,t,e=""){let s=l("span",{text:n});
t instanceof HTMLSelectElement&&(t.ariaLabel=n);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return l("label",
{title:e||null},o?[t,s]:[s,t])}function P(n,t){let e=URL.createObjectURL(n);l("a",{href:e,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(e),1e4)}function M(n){return n.toLocaleString("en")}function $(n){return n.getContext("2d")}var Q=1;
function I(){return Math.max(Q,devicePixelRatio||1)}function dt(n,t){try{return Q=2,n(),t()}finally{Q=1,n()}}function gt(n){let t=atob(n),e=new Uint8Array(t.length);for(let s=0;s<t.length;s++)e[s]=t.charCodeAt(s);return e}var R=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function W(n){
let t=getComputedStyle(n),e=(i,a)=>t.getPropertyValue(i).trim()||a,s=T(e("--st-background-color","#ffffff")),o=T(e("--st\
-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:S(s,o,.72),line:S(s,o,.2),dim:S(
s,o,.3),missing:S(s,o,.5),primary:T(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function N(n,t){
let s=(t?.16+.84*n:.92*n)*(R.length-1),o=Math.min(Math.floor(s),R.length-2);return S(R[o],R[o+1],s-o)}function S(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function x(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var L=null;function T(n){L??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),L.fillStyle=n,L.fillRect(
0,0,1,1);let[t,e,s]=L.getImageData(0,0,1,1).data;return[t,e,s]}var _=100;function xt(n,t){dt(()=>n.draw(),()=>Zt(n.parts)).toBlob(s=>s&&P(s,`${t}.png`))}function Zt(n){let t=n.map(h=>h.
getBoundingClientRect()),e=I(),s=e*Math.max(...t.map(h=>h.width)),o=e*t.reduce((h,u)=>h+u.height,0),i=l("canvas",{width:Math.
ceil(s),height:Math.ceil(o)}),[a,r]=[$(i),W(n[0])];a.fillStyle=x(r.background),a.fillRect(0,0,s,o),a.scale(e,e);let c=0;
return n.forEach((h,u)=>{a.save(),a.translate(-t[u].left,c-t[u].top);for(let f of[h,...h.querySelectorAll("canvas, .swat\
ch, .bar")])Jt(a,r,f);Qt(a,h),a.restore(),c+=t[u].height}),i}function Jt(n,t,e){let{left:s,top:o,width:i,height:a}=e.getBoundingClientRect();
if(!(!i||!a)){if(e instanceof HTMLCanvasElement)n.drawImage(e,s,o,i,a);else if(e.matches(".swatch"))n.fillStyle=getComputedStyle(
e).backgroundColor,n.fillRect(s,o,i,a);else if(e.matches(".scale .bar"))for(let r=0;r<_;r++)n.fillStyle=x(N(r/(_-1),t.dark)),
n.fillRect(s+r*i/_,o,i/_+.5,a)}}function Qt(n,t){let[e,s]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(n.textAlign="center",n.textBaseline="middle";e.nextNode();){let o=e.currentNode,i=getComputedStyle(o.parentElement);
n.font=`${i.fontWeight} ${i.fontSize} ${i.fontFamily}`,n.fillStyle=i.color;for(let{0:a,index:r}of o.data.matchAll(/\S+/g)){
s.setStart(o,r),s.setEnd(o,r+a.length);let{left:c,top:h,width:u,height:f}=s.getBoundingClientRect();!u||!f||(n.save(),n.
translate(c+u/2,h+f/2),i.writingMode.startsWith("vertical")&&n.rotate(-Math.PI/2),n.fillText(a,0,0),n.restore())}}}function yt({show:n,...t}){let s={...t,show:a=>{let r=n(a);return te(r)&&a.append(v("Save PNG","Save the picture",()=>xt(
r,t.name))),r}},o=globalThis.document?.querySelector("script#payload");o&&ne(s,o.textContent??"");let i=se(s);return a=>a?
i(a):{render:r=>oe(s,r)}}function te(n){return"draw"in n&&"parts"in n}function ee(n,t){n.calls+=1;let e=n.calls;return()=>{
n.calls===e&&t()}}function se({name:n,state:t,show:e}){let s=new WeakMap;return({data:o,parentElement:i,setStateValue:a})=>{
let r=i.querySelector(`.${n}`),c=s.get(r)??{shown:e(r),calls:0};return s.set(r,c),c.shown.load(o,h=>a(t,h)),ee(c,()=>c.shown.
close?.())}}function ne({name:n,show:t,file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),i=()=>o.load(e.data(
gt(s.trim())),e.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",i)}function oe({
name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[i,a]=[l("div"),l("div",{class:n})],r=l("style",{text:String(s.get(
"sheet"))});i.attachShadow({mode:"open"}).append(r,a),o.append(i);let c=t(a),h=()=>c.load(e.data(s.get(e.trait)),u=>{for(let[
f,p]of Object.entries(e.traits(u,c)))s.set(f,p);s.save_changes()});return h(),s.on(`change:${e.trait}`,h),()=>{s.off(`ch\
ange:${e.trait}`,h),c.close?.()}}var ie=300,A=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},U=class{#t=new A(ie);element=l("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var[re,ae]=[.01,.99],et=255,wt=254,tt=254,bt=["","#E69F00","#56B4E9","#009E73","#0072B2","#D55E00","#CC79A7"];function vt({
name:n,unit:t,labels:e,rows:s},o){let i=fe(e,s),a=s.map(c=>e.length?ue(c,i):ce(c)),r=s.length>1;return{name:n,unit:t,labels:e,
perPane:r,kind:e.length?"category":"number",entries:me(e,s,i),panes:Array.from({length:o},(c,h)=>a[r?h:0])}}function ce(n){
let t=n.filter(i=>!Number.isNaN(i)).sort(),[e,s]=[re,ae].map(i=>le(t,i)),o=Uint8Array.from(n,i=>Number.isNaN(i)?et:he((i-
e)/(s-e||1)));return{values:n,slots:o,low:e,high:s,nMissing:n.length-t.length}}function le(n,t){if(!n.length)return NaN;
let e=t*(n.length-1),s=n[Math.floor(e)];return s+(n[Math.ceil(e)]-s)*(e%1)}function he(n){return Math.round(Math.min(1,Math.
max(0,n))*(tt-1))}function ue(n,t){let e=Uint8Array.from(n,s=>{let o=t.indexOf(s);return Number.isNaN(s)?et:o<0?wt:o});return{
values:n,slots:e,low:NaN,high:NaN,nMissing:0}}function fe(n,t){let e=new Uint32Array(n.length);for(let s of t)for(let o of s)
Number.isNaN(o)||(e[o]+=1);return[...n.keys()].sort((s,o)=>e[o]-e[s]||s-o).slice(0,bt.length).sort((s,o)=>s-o)}function me(n,t,e){
if(!n.length)return[];let s=e.map((i,a)=>({slot:a,text:n[i]})),o=n.length-e.length;return o&&s.push({slot:wt,text:`other\
 (${o} more)`}),t.some(i=>i.some(Number.isNaN))&&s.push({slot:et,text:"missing"}),s}function kt(n,t){let e=bt.map(o=>o?T(
o):t.ink);return[...Array.from({length:tt},(o,i)=>n==="number"?N(i/(tt-1),t.dark):e[i%e.length]),S(t.background,t.ink,.62),
t.missing]}function Mt({panes:n},t){return n[0].slots.map((e,s)=>Number(n.some(({slots:o})=>o[s]===t)))}function St({name:n,
kind:t,unit:e,labels:s,panes:o},i,a){if(!n)return"";let r=o[i].values[a];return Number.isNaN(r)?`${n}: missing`:t==="cat\
egory"?`${n}: ${s[r]}`:`${n}: ${z(r)}${e&&` ${e}`}`}function At({name:n,unit:t,panes:e},s){let{low:o,high:i,nMissing:a}=e[s],
r=Number.isNaN(o)?["","no values"]:[o,i].map(h=>z(h,3)),c=a?"; grey: missing":"";return{ends:r,note:`${n}${t&&` (${t})`}\
, 1st to 99th percentile${c}`}}function z(n,t=4){return n.toLocaleString("en",{maximumSignificantDigits:t})}var st=new TextDecoder;function Ot(n){let t=n.slice(),e=new DataView(t.buffer),s=4+e.getUint32(0,!0),o=JSON.parse(st.decode(
t.subarray(4,s))),i=t.length-4-e.getUint32(t.length-4,!0),a=u=>new Float32Array(t.buffer,s+u,o.n),r=u=>({...u,planes:u.planes.
map(a)}),c=u=>({...u,rows:u.rows.map(a)}),h=({k:u,rows:f,values:p})=>({k:u,rows:new Uint32Array(t.buffer,s+f,o.n*u),values:new Float32Array(
t.buffer,s+p,o.n*u)});return{key:st.decode(t.subarray(i,t.length-4)),content:o.content,ids:o.ids,n:o.n,panes:o.panes.map(
r),columns:o.columns.map(c),neighbours:o.neighbours.map(h),textOffsets:new Uint32Array(t.buffer,s+o.text_offsets,o.n+1),
textBytes:t.subarray(s+o.text_bytes,i)}}function k({textBytes:n,textOffsets:t},e){return st.decode(n.subarray(t[e],t[e+1]))}var nt=200,pe=/^'*[=+\-@\t\r]/,D=class{#t=l("section");#e=l("section");#n;#i=[];element=l("div",{class:"beside"},[this.#t,
this.#e]);constructor(t){this.#n=t}show(t,e){this.element.hidden=!t.neighbours.length;let s=[t.content,e.picked,e.selected];
this.element.hidden||s.every((o,i)=>o===this.#i[i])||(this.#i=s,this.#t.replaceChildren(...this.#r(t,e.picked)),this.#e.
replaceChildren(...de(t,e)))}#r(t,e){let s=l("h2",{text:"Neighbours"});if(!e)return[s,l("p",{text:"Click a point to list\
 its nearest rows in the full space of every pane."})];let o=new Set(H(t,0,e.row)),i=t.panes.map((c,h)=>this.#o(t,h,e.row,
o)),{name:a}=t.panes[0],r=`New: not a neighbour in ${a}. Neighbours are ringed in the panes.`;return[s,l("p",{class:"pic\
ked",text:k(t,e.row)}),l("div",{class:"lists"},i),l("p",{text:r})]}#o(t,e,s,o){let{k:i,values:a}=t.neighbours[e],r=H(t,e,
s).map((u,f)=>{let p=v(k(t,u),"Pick this row",()=>this.#n(u,e)),m=l("span",{class:"value",text:z(a[s*i+f])}),d=o.has(u)?
[]:[l("strong",{text:"new"})];return l("li",{},[l("span",{class:"near"},[m,p,...d])])}),{name:c,badge:h}=t.panes[e];return l(
"div",{},[l("h3",{text:c,title:h}),l("ol",{},r)])}};function H(n,t,e){let{k:s,rows:o}=n.neighbours[t];return[...o.subarray(
e*s,(e+1)*s)]}function de(n,{selected:t}){let e=l("h2",{text:"Selection"}),s=[...t.keys()].filter(r=>t[r]);if(!s.length)
return[e,l("p",{text:"Draw a lasso, search, or click a category of the legend to list its rows here."})];let o=s.slice(0,
nt).map(r=>l("li",{text:k(n,r)})),i=s.length>nt?`the first ${nt} of `:"",a=()=>P(new Blob([ge(n,s)],{type:"text/csv"}),"\
selection.csv");return[e,l("p",{text:`Listed: ${i}${M(s.length)} selected rows.`}),v("Save the rows (CSV)","Save all sel\
ected rows with every column",a),l("ul",{class:"rows",tabindex:0},o)]}function ge(n,t){let e=n.columns.flatMap(i=>i.rows.
map((a,r)=>({header:xe(i,i.rows.length>1?n.panes[r].name:""),cell:c=>ye(i,a[c])}))),s=["row","text",...e.map(i=>i.header)].
map(ot),o=t.map(i=>[String(i),ot(k(n,i)),...e.map(({cell:a})=>a(i))]);return[s,...o].map(i=>`${i.join(",")}\r
`).join("")}function xe({name:n,unit:t},e){return`${n}${t&&` (${t})`}${e&&`, ${e}`}`}function ye({labels:n},t){return Number.
isNaN(t)?"":n.length?ot(n[t]):String(Number(t.toPrecision(7)))}function ot(n){return`"${(pe.test(n)?`'${n}`:n).replaceAll(
'"','""')}"`}var[we,be]=[.2,500],O={zoom:1,x:0,y:0};function Nt(n){let t=n.map(ve),e=t.map(([o,i])=>(i-o)/2),s=Math.max(...e)||1;return{
planes:n,unit:s,centres:t.map(([o,i])=>(o+i)/2),half:e.map(o=>Math.max(o/s,.001))}}function it({half:n},{zoom:t},e){return .92*
t*Math.min(e.w/(2*n[0]),e.h/(2*n[1]))}function rt(n,t,e){let s=it(n,t,e),{planes:o,centres:i,unit:a}=n;return{x:o[0].map(
r=>e.w/2+s*((r-i[0])/a-t.x)),y:o[1].map(r=>e.h/2-s*((r-i[1])/a-t.y))}}function j(n,t,e,s,o){let i=Math.min(be,Math.max(we,
n.zoom*t)),[a,r]=[n,{zoom:i}].map(c=>it(s,c,o));return{zoom:i,x:n.x+(e.x-o.w/2)*(1/a-1/r),y:n.y-(e.y-o.h/2)*(1/a-1/r)}}function Et(n,t,e,s){
let o=it(e,n,s);return{...n,x:n.x-t.x/o,y:n.y+t.y/o}}function ve(n){let[t,e]=[1/0,-1/0];for(let s of n)s<t&&(t=s),s>e&&(e=
s);return[t,e]}var ke=[["lasso","Lasso","Drag around rows to select them in all panes; Shift adds, Alt removes"],["pan","Pan","Drag to \
move the picture; the wheel zooms in every mode"]],Me=250,Se="Name regions of each picture by their distinctive words; z\
oom in for finer ones",B=class{message=l("span",{class:"message",role:"status"});constructor(t){let e=new A(Me);this.modes=
ke.map(([o,i,a])=>{let r=v(i,a,()=>t.set({mode:o}));return r.dataset.mode=o,r}),this.link=l("input",{type:"checkbox",onchange:()=>t.
set({linked:this.link.checked})}),this.named=l("input",{type:"checkbox",onchange:()=>t.set({named:this.named.checked})}),
this.column=l("select",{onchange:()=>t.set({column:this.column.value})}),this.text=l("input",{type:"search",maxlength:200,
placeholder:"Words in the text",oninput:()=>e.call(()=>t.search(this.text.value))});let s={class:"modes",role:"group","a\
ria-label":"What dragging does"};this.element=l("div",{class:"controls"},[l("div",s,this.modes),C("Link zoom",this.link,
"Zoom and move all panes together"),C("Topic names",this.named,Se),v("Reset view","Show every row again; a double click \
does so too",()=>t.reset()),v("Clear","Select no row; Escape does so too",()=>t.clear()),C("Colour",this.column,"What th\
e colour of a row stands for"),C("Search",this.text,"Select the rows whose text contains this, in either case"),this.message])}say(t){
this.message.textContent=t}show(t,{panes:e,columns:s}){for(let i of this.modes)i.setAttribute("aria-pressed",String(i.dataset.
mode===t.mode));this.link.checked=t.linked,this.named.checked=t.named,this.column.replaceChildren(...s.map(({name:i})=>l(
"option",{value:i,text:i}))),this.column.value=t.column;let o=e.some(({topics:i})=>i.length);this.named.closest("label")?.
toggleAttribute("hidden",!o),this.column.closest("label")?.toggleAttribute("hidden",!s.length),this.text.matches(":focus")||
(this.text.value=t.search)}};var Ct={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function F({altKey:n,shiftKey:t}){return n?"remove":t?"add":"replace"}function $t(n,t,e){if(e==="replace")return t;let s=e===
"add"?1:0;return n.map((o,i)=>t[i]?s:o)}function b(n){return n.reduce((t,e)=>t+e,0)}function Tt(n,t){let e=t.toLowerCase();
return new Uint8Array(n.n).map((s,o)=>Number(k(n,o).toLowerCase().includes(e)))}function Pt({ids:n,selected:t,picked:e}){
let s=b(t)?Ae(t):null;return{ids:n,selected:s,picked:e?.row??null,pane:e?.pane??null}}function Ae(n){let t=new Uint8Array(
Math.ceil(n.length/8));n.forEach((s,o)=>{t[o>>3]|=s<<(o&7)});let e=Array.from(t,s=>String.fromCharCode(s)).join("");return btoa(
e)}function It(n,t){let e=t.columns[0]?.name??"";if(!n||n.ids!==t.ids||n.n!==t.n)return{ids:t.ids,n:t.n,cameras:t.panes.
map(()=>O),linked:!0,named:!0,mode:"lasso",column:e,selected:new Uint8Array(t.n),picked:null,search:""};let{cameras:s,linked:o,
picked:i,column:a}=n;return{...n,cameras:t.panes.map((r,c)=>s[c]??(o?s[0]:O)),column:t.columns.some(({name:r})=>r===a)?a:
e,picked:i&&{...i,pane:i.pane<t.panes.length?i.pane:0}}}function Rt(n,t){return Lt(n,({x:e,y:s})=>{let o=!1;for(let i=0,a=t.length-1;i<t.length;a=i++){let[r,c]=[t[i],t[a]];r.y>
s!=c.y>s&&e<(c.x-r.x)*(s-r.y)/(c.y-r.y)+r.x&&(o=!o)}return o})}function at(n,{x:t,y:e,radius:s}){return Lt(n,o=>Math.hypot(
o.x-t,o.y-e)<=s&&q(n.size,o))}function Lt({screen:{x:n,y:t}},e){return Uint8Array.from(n,(s,o)=>Number(e({x:s,y:t[o]})))}
function E({screen:{x:n,y:t},size:e},s,o){let[i,a]=[null,o*o];for(let r=0;r<n.length;r++){let c=(n[r]-s.x)**2+(t[r]-s.y)**
2;c>a||!q(e,{x:n[r],y:t[r]})||([i,a]=[r,c])}return i}function q({w:n,h:t},{x:e,y:s}){return e>=0&&e<=n&&s>=0&&s<=t}function G({
x:n,y:t},{w:e,h:s}){return{x:Math.min(e,Math.max(0,n)),y:Math.min(s,Math.max(0,t))}}var Wt="Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. Brackets change the circle. Spac\
e adds the rows in the circle to the selection, Shift and Space removes them. Enter picks the nearest row, Escape clears\
. N and P go to the next and the previous pane.",[Oe,Ne]=[16,2],K=1.25,V=class{#t;#e=[];#n=24;constructor(t){this.#t=t}cross({
index:t,size:e}){let{x:s,y:o}=this.#e[t]??{x:.5,y:.5};return{x:s*e.w,y:o*e.h,radius:this.#n}}press(t,e){if(e.ctrlKey||e.
metaKey)return;let s=Ct[e.key],o=e.shiftKey?Ne:Oe,i=s?()=>this.#r(t,s[0]*o,-s[1]*o):this.#i(t,e.shiftKey)[e.key.toLowerCase()];
i&&(e.preventDefault(),i())}#i(t,e){let s=this.#t,[o,i]=[K,1/K].map(a=>()=>{let r=s.view.cameras[t.index];s.moveCamera(t,
j(r,a,this.cross(t),t.space,t.size))});return{"+":o,"=":o,"-":i,_:i,"[":()=>this.#o(t,1/K),"]":()=>this.#o(t,K)," ":()=>this.#h(
t,e),enter:()=>s.pick(E(t,this.cross(t),1/0),t.index),escape:()=>s.clear(),n:()=>s.focusPane(t.index+1),p:()=>s.focusPane(
t.index-1)}}#r(t,e,s){let{index:o,size:i}=t,{x:a,y:r}=this.cross(t),c=G({x:a+e,y:r+s},i);this.#e[o]={x:c.x/i.w,y:c.y/i.h},
this.#s(t)}#o(t,e){this.#n=Math.min(200,Math.max(4,this.#n*e)),this.#s(t)}#h(t,e){let s=at(t,this.cross(t));this.#t.select(
s,e?"remove":"add");let o=e?"removed":"added";this.#t.announcer.say(`${b(s)} rows in the circle ${o}`)}#s(t){let e=this.
cross(t),s=E(t,e,e.radius);this.#t.hover(s,t,e);let o=s===null?"":`; nearest: ${this.#t.textOf(s)}`;this.#t.announcer.say(
`${b(at(t,e))} rows in the circle${o}`)}};var _t=12;function Ut(n,{colouring:t,colours:e,theme:s},o){let{kind:i,perPane:a,name:r}=t;if(n.hidden=i==="number"&&a||!r,
n.hidden)n.replaceChildren();else if(i==="number")n.replaceChildren(...ct(t,s,0));else{let c=t.entries.map(({slot:h,text:u})=>{
let f=l("span",{class:"swatch","aria-hidden":"true"});f.style.background=x(e[h]);let p=g=>o(Mt(t,h),F(g)),m=`Select the \
rows of ${u}; Shift adds them, Alt removes them`,d=l("span",{class:"entry-text",text:u});return l("button",{type:"button",
class:"entry",title:m,onclick:p},[f,d])});n.replaceChildren(l("span",{text:r}),...c)}}function ct(n,t,e){let{ends:s,note:o}=At(
n,e),i=Array.from({length:_t},(h,u)=>x(N(u/(_t-1),t.dark))),a=l("span",{class:"bar","aria-hidden":"true"});a.style.background=
`linear-gradient(to right, ${i.join(", ")})`;let[r,c]=s.map(h=>l("span",{text:h}));return[l("span",{text:o}),l("span",{class:"\
scale"},[r,a,c])]}function zt(n){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(n);if(t)return t;let e={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(n,e),e}function Dt(n,{x:t,y:e,w:s,h:o},i){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),i(),n.restore()}function Ht(n,t,{colour:e,width:s,halo:o},i){let a=[[t.background,s+o],[e,s]];for(let[r,c]of a)n.beginPath(),i(),n.lineWidth=
c,n.strokeStyle=x(r),n.stroke()}function jt(n,t){return(e,s,o,{align:i="left",colour:a=t.muted,weight:r=400,halo:c=!1}={})=>{
n.font=`${r} 11.5px ${t.font}`,n.textAlign=i,n.fillStyle=x(a),c&&(n.strokeStyle=x(t.background),n.lineWidth=4,n.lineJoin=
"round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}function Y([n,t,e]){return(4278190080|e<<16|t<<8|n)>>>0}function Bt({n},t){return{radius:Math.min(4,Math.max(.9,4*(300/n)**
.25))*t,opacity:Math.min(.9,Math.max(.35,.9*(2e3/n)**.25))}}function X(n,t){let e=Math.ceil(n+.5),s=[];for(let o=-e;o<=e;o++)
for(let i=-e;i<=e;i++){let a=Math.min(1,Math.max(0,n+.5-Math.hypot(i,o))),r=Math.round(256*a*t);r&&s.push({dx:i,dy:o,weight:r})}
return{reach:e,covered:s}}function Ft(n,t,e,s,{slots:o,colours:i,stamp:a,wanted:r}){let c=n.length/t,{reach:h,covered:u}=a,
f=Int32Array.from(u,({dx:m,dy:d})=>d*t+m),p=Int32Array.from(u,({weight:m})=>m);for(let m=0;m<e.x.length;m++){if(r&&!r(m))
continue;let[d,g]=[Math.floor(e.x[m]*s),Math.floor(e.y[m]*s)];if(!(d>=0&&g>=0&&d<t&&g<c))continue;let w=d>=h&&g>=h&&d+h<
t&&g+h<c,ft=i[o?o[m]:0];for(let y=0;y<f.length;y++){if(!w){let[mt,pt]=[d+u[y].dx,g+u[y].dy];if(mt<0||pt<0||mt>=t||pt>=c)
continue}Ee(n,g*t+d+f[y],ft,p[y])}}}function Ee(n,t,e,s){let o=n[t],i=256-s,a=Math.imul(e&16711935,s)+Math.imul(o&16711935,
i)>>>8,r=Math.imul(e&65280,s)+Math.imul(o&65280,i)>>>8;n[t]=4278190080|a&16711935|r&65280}var qt={height:16,apart:4};function Gt(n,t,e,s,o,i){let a=jt(n,t),r={colour:t.ink,weight:600,halo:!0};a("",0,0,r);let c=h=>n.
measureText(h).width;for(let{text:h,x:u,y:f}of $e(e,s,o,i,c))a(h,u,f+qt.height-4,r)}function Ce(n,t){let e=n.map(s=>s.zoom).
filter(s=>s<=Math.max(1,t));return Math.max(...e)}function $e(n,t,e,s,o){let{height:i,apart:a}=qt,r=Ce(n,t),c=(u,f,p)=>Math.
min(p-f-a,Math.max(a,u-f/2)),h=[];return n.forEach(({text:u,zoom:f},p)=>{let m={x:e.x[p],y:e.y[p]};if(f!==r||!q(s,m))return;
let d=o(u),[g,w]=[c(m.x,d,s.w),c(m.y,i,s.h)];h.every(y=>g>=y.x+y.w+i||y.x>=g+d+i||Math.abs(w-y.y)>=i+a)&&d+2*a<=s.w&&h.push(
{text:u,x:g,y:w,w:d})}),h}var Te=2.5,Z=class{#t=l("canvas");size={w:1,h:1};constructor(t,e,s){this.data=t,this.index=e,this.space=Nt(t.planes);let o=[
0,1].map(r=>Float32Array.from(t.topics,({place:c})=>c[r]));this.topicSpace={...this.space,planes:o},this.screen={x:new Float32Array(
s),y:new Float32Array(s)},this.topicScreen=this.screen;let[i,a]=t.axes;this.canvas=l("canvas",{tabindex:0,role:"applicat\
ion","aria-label":`${t.name}. ${t.badge}. ${M(s)} rows. ${Wt}`,"aria-description":Pe(t.topics)}),this.plot=l("div",{class:"\
plot"},[this.canvas]),this.scale=l("div",{class:"own-scale"}),this.element=l("figure",{class:"pane"},[l("figcaption",{},
[l("strong",{class:"name",text:t.name,title:t.name}),l("span",{class:"badge",text:t.badge,title:t.badge})]),l("div",{class:"\
axis up",text:a}),this.plot,l("div",{class:"axis",text:i}),this.scale])}measure(){this.size={w:Math.max(1,this.plot.clientWidth),
h:Math.max(1,this.plot.clientHeight)}}project(t){this.screen=rt(this.space,t,this.size),this.topicScreen=rt(this.topicSpace,
t,this.size)}draw(t){let{view:e,theme:s,colouring:o}=t,i=I(),a=new ImageData(Math.round(this.size.w*i),Math.round(this.size.
h*i));for(let f of[this.#t,this.canvas])Object.assign(f,{width:a.width,height:a.height});let r=new Uint32Array(a.data.buffer).
fill(Y(s.background));this.#e(r,a.width,t,i);let c=$(this.#t);c.putImageData(a,0,0),c.scale(i,i);let{zoom:h}=e.cameras[this.
index];e.named&&Gt(c,s,this.data.topics,h,this.topicScreen,this.size);let u=o.perPane&&o.kind==="number";this.scale.replaceChildren(
...u?ct(o,s,this.index):[])}#e(t,e,{view:s,theme:o,colouring:i,colours:a},r){let{radius:c,opacity:h}=Bt(s,r),{selected:u}=s,
f=w=>Ft(t,e,this.screen,r,w),p={slots:i.panes[this.index].slots,colours:Uint32Array.from(a,Y)};if(!b(u)){f({...p,stamp:X(
c,h)});return}let m=Uint32Array.of(Y(o.dim)),d=X(c,h/3);f({colours:m,stamp:d,wanted:w=>!u[w]});let g=X(c,Math.max(h,.9));
f({...p,stamp:g,wanted:w=>!!u[w]})}overlay({theme:t,view:e},{lit:s,hovered:o,outline:i,cross:a}){let r=$(this.canvas);r.
setTransform(1,0,0,1,0,0),r.drawImage(this.#t,0,0),r.scale(this.canvas.width/this.size.w,this.canvas.width/this.size.w);
let{x:c,y:h}=this.screen,u=(f,p,m,d)=>Ht(r,t,{colour:d,width:m,halo:Te},()=>{r.arc(c[f],h[f],p,0,2*Math.PI)});Dt(r,{x:0,
y:0,...this.size},()=>{for(let f of s)f<e.n&&u(f,6,2,t.primary);e.picked&&u(e.picked.row,9,2.5,t.ink),o!==null&&u(o,7,1.5,
t.ink),r.beginPath();for(let f of i)r.lineTo(f.x,f.y);r.closePath(),r.fillStyle=x(t.primary,.12),r.strokeStyle=x(t.primary),
r.lineWidth=1.5,r.fill(),r.stroke(),a&&(r.strokeStyle=x(t.ink),r.lineWidth=1,r.beginPath(),r.moveTo(a.x-a.radius-6,a.y),
r.lineTo(a.x+a.radius+6,a.y),r.moveTo(a.x,a.y-a.radius-6),r.lineTo(a.x,a.y+a.radius+6),r.moveTo(a.x+a.radius,a.y),r.arc(
a.x,a.y,a.radius,0,2*Math.PI),r.stroke())})}};function Pe(n){let t=n.filter(({zoom:e})=>e===1).map(({text:e})=>e);return t.
length?`Topics: ${t.join("; ")}`:null}var Kt=10,Ie=4,Re=3,Le=.0015;function Yt(n,t){let e=[],s=!1,o=(r,c)=>t.canvas.addEventListener(r,c,{passive:!1}),i=()=>{
e=[],n.outline(t,[])},a=r=>{let[c,h]=[e[0],e[e.length-1]];if(s||=Vt(r,c)>Ie,!s)return;let{mode:u,cameras:f}=n.view,p=G(r,
t.size);if(u==="lasso"&&Vt(p,h)>=Re&&e.push(p),u==="pan"){let m={x:r.x-h.x,y:r.y-h.y};n.moveCamera(t,Et(f[t.index],m,t.space,
t.size)),e=[c,r]}else n.outline(t,e)};o("pointerdown",r=>{r.button===0&&(t.canvas.setPointerCapture(r.pointerId),[e,s]=[
[lt(r)],!1],n.hover(null))}),o("pointermove",r=>{let c=lt(r);e.length?a(c):n.hover(E(t,c,Kt),t,c)}),o("pointerup",r=>{let c=e;
if(i(),!c.length)return;let{mode:h}=n.view;s?h==="lasso"&&n.select(Rt(t,c),F(r)):n.pick(E(t,c[0],Kt),t.index)}),o("point\
ercancel",i),o("pointerleave",()=>n.hover(null)),o("dblclick",()=>n.moveCamera(t,O)),o("wheel",r=>{r.preventDefault();let c=r.
deltaMode===WheelEvent.DOM_DELTA_LINE?16*r.deltaY:r.deltaY,h=n.view.cameras[t.index],u=Math.exp(-c*Le);n.moveCamera(t,j(
h,u,lt(r),t.space,t.size))})}function lt({offsetX:n,offsetY:t}){return{x:n,y:t}}function Vt(n,t){return Math.hypot(n.x-t.
x,n.y-t.y)}var ht=14,J=class{value=l("div",{class:"value"});text=l("div",{class:"text"});element=l("div",{class:"tooltip",hidden:""},
[this.text,this.value]);show(t,e,s){this.text.textContent=t,this.value.textContent=e,this.element.hidden=!1;let o=this.element.
parentElement.getBoundingClientRect();this.element.style.maxWidth=`${Math.min(340,o.width-2)}px`;let{offsetWidth:i,offsetHeight:a}=this.
element,r=Xt(s.x-o.left,i,o.width),c=Xt(s.y-o.top,a,o.height);this.element.style.transform=`translate(${r}px, ${c}px)`}hide(){
this.element.hidden=!0}};function Xt(n,t,e){let s=n+ht+t<=e?n+ht:n-ht-t;return Math.max(0,Math.min(s,e-t))}var We=120,[_e,Ue]=[900,560],ut=class{#t=new V(this);#e=new A(We);#n=new J;#i=0;#r=null;#o={pane:null,points:[]};#h=null;#s={
wall:null,lit:[],view:null,calls:0};#d=()=>{};#f=l("div",{class:"legend",role:"group","aria-label":"Legend"});#g=l("p",{
class:"status",role:"status"});#x=new D((t,e)=>this.pick(t,e));#a=l("div",{class:"panes"});#y=new ResizeObserver(()=>this.#b());announcer=new U;controls=new B(
this);panes=[];data=null;view=null;theme=null;colouring=null;colours=[];constructor(t){this.root=t;let e=l("div",{class:"\
above"},[this.#g,this.#f]),s=l("div",{class:"stage"},[this.#a,this.#n.element]);t.append(this.controls.element,e,s,this.
announcer.element,this.#x.element)}get lit(){let{picked:t}=this.view;return this.data.neighbours.length?t?this.panes.map(
(e,s)=>H(this.data,s,t.row)):[]:this.#s.lit}textOf(t){return k(this.data,t)}load(t,e){this.#d=e;let s=Ot(t);this.data?.content!==
s.content&&this.#v(s),this.theme=W(this.root),this.#s.wall=this,this.#w(),this.#y.observe(this.#a),this.root.dataset.ready=
String(s.n)}#v(t){this.#s=zt(t.key);let e=this.#s.view;this.data=t,this.view=this.#s.view=It(e,t),[this.#r,this.#h,this.#o]=
[null,null,{pane:null,points:[]}],this.controls.say(""),this.panes=t.panes.map((s,o)=>new Z(s,o,t.n));for(let s of this.
panes)this.#k(s);this.#a.replaceChildren(...this.panes.map(({element:s})=>s)),e&&(b(e.selected)||e.picked)&&this.#p()}#k(t){
Yt(this,t);let e=o=>{this.#h=o,this.#l()},{canvas:s}=t;s.addEventListener("pointerdown",()=>e(null)),s.addEventListener(
"focus",()=>s.matches(":focus-visible")&&e(t)),s.addEventListener("blur",()=>e(null)),s.addEventListener("keydown",o=>{e(
t),this.#t.press(t,o)})}focusPane(t){this.panes[(t+this.panes.length)%this.panes.length].canvas.focus()}#c(t){this.view=
this.#s.view={...this.view,...t}}set(t){this.#c(t),t.column===void 0?this.#u():this.#w()}search(t){if(!t){this.clear();return}
let e=Tt(this.data,t);this.select(e,"replace",t),this.controls.say(`${M(b(e))} found`)}close(){this.#y.disconnect(),this.#e.
stop(),this.announcer.stop(),cancelAnimationFrame(this.#i),this.#s.wall===this&&(this.#s.wall=null)}clear(){this.#c({picked:null}),
this.select(new Uint8Array(this.view.n),"replace"),this.announcer.say("Nothing is selected")}select(t,e,s=""){this.#c({selected:$t(
this.view.selected,t,e),search:s}),this.controls.say(""),this.#u(),this.#p()}pick(t,e){this.#c({picked:t===null?null:{row:t,
pane:e}}),this.#l(),this.#p(),t!==null&&this.announcer.say(`Picked: ${this.textOf(t)}`)}hover(t,e,s){if(!(t===null&&this.#r===
null)){if(this.#r=t,t!==null&&e&&s){let{left:o,top:i}=e.canvas.getBoundingClientRect(),a={x:o+s.x,y:i+s.y};this.#n.show(
this.textOf(t),St(this.colouring,e.index,t),a)}else this.#n.hide();this.#l()}}outline(t,e){this.#o={pane:t,points:e},this.#l()}reset(){
this.#c({cameras:this.panes.map(()=>O)}),this.#m()}moveCamera({index:t},e){let{cameras:s,linked:o}=this.view;this.#c({cameras:s.
map((i,a)=>o||a===t?e:i)}),this.hover(null),cancelAnimationFrame(this.#i),this.#i=requestAnimationFrame(()=>this.#m())}light(t){
this.#s.lit=t,this.#l()}#w(){let{columns:t,n:e}=this.data,s={name:"",unit:"",labels:[""],rows:[new Float32Array(e)]},o=t.
find(({name:i})=>i===this.view.column)??s;this.colouring=vt(o,this.panes.length),this.colours=kt(this.colouring.kind,this.
theme),Ut(this.#f,this,(i,a)=>this.select(i,a)),this.#b()}#b(){let t=this.#a.clientWidth,e=this.panes.length,s=t>=_e?3:t>=
Ue?2:1;this.#a.style.setProperty("--across",String(Math.ceil(e/Math.ceil(e/s)))),this.#a.classList.toggle("alone",e===1);
for(let o of this.panes)o.measure();this.#m()}get parts(){return[this.#f,this.#a]}draw(){this.#u()}#m(){for(let t of this.
panes)t.project(this.view.cameras[t.index]);this.#u()}#u(){let{selected:t,n:e,column:s,mode:o}=this.view,i=b(t);this.controls.
show(this.view,this.data);for(let a of this.panes)a.draw(this);this.#g.textContent=`${M(i)} of ${M(e)} rows selected`,Object.
assign(this.root.dataset,{selected:i,colour:s,mode:o}),this.#l()}#l(){let{lit:t}=this;for(let e of this.panes)e.overlay(
this,{lit:t[e.index]??[],hovered:this.#r,outline:this.#o.pane===e?this.#o.points:[],cross:this.#h===e?this.#t.cross(e):null});
this.root.dataset.picked=String(this.view.picked?.row??""),this.root.dataset.lit=t.map(e=>e.length).join(" "),this.#x.show(
this.data,this.view)}#p(){this.#e.call(()=>this.#d(Pt(this.view)))}},ln=yt({name:"wall",show:n=>new ut(n),state:"report",
file:{data:n=>n},cell:{trait:"payload",data:n=>{let{buffer:t,byteOffset:e,byteLength:s}=n;return new Uint8Array(t,e,s)},
traits:(n,{view:{selected:t,picked:e}})=>({selected:[...t.keys()].filter(s=>t[s]),picked:e?.row??null})}});export{ut as Wall,ln as default};
