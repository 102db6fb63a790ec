function l(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[i,c]of Object.entries(e))typeof c=="function"?
o.addEventListener(i.slice(2),c):c!==null&&o.setAttribute(i,String(c));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function M(n,t,e){return l("button",{type:"button",text:n,title:t,onclick:e})}function $(n,t,e=""){let s=l("span",{text:n});
t instanceof HTMLSelectElement&&(t.ariaLabel=n);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return l("label",
{title:e||null},o?[t,s]:[s,t])}function ht(n,t){let e=URL.createObjectURL(n);l("a",{href:e,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(e),1e4)}function k(n){return n.toLocaleString("en")}function V(n){return n.getContext("2d")}function ut(n){let t=globalThis.document?.querySelector("script#payload");t&&Gt(n,t.textContent??"");let e=Kt(n);return s=>s?
e(s):{render:o=>Vt(n,o)}}function qt(n,t){n.calls+=1;let e=n.calls;return()=>{n.calls===e&&t()}}function Kt({name:n,state:t,
show:e}){let s=new WeakMap;return({data:o,parentElement:i,setStateValue:c})=>{let r=i.querySelector(`.${n}`),a=s.get(r)??
{shown:e(r),calls:0};return s.set(r,a),a.shown.load(o,h=>c(t,h)),qt(a,()=>a.shown.close?.())}}function Gt({name:n,show:t,
file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),i=Uint8Array.from(atob(s.trim()),r=>r.charCodeAt(0)),c=()=>o.
load(e.data(i),e.told??(()=>{}));c(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",c)}function Vt({
name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[i,c]=[l("div"),l("div",{class:n})],r=l("style",{text:String(s.get(
"sheet"))});i.attachShadow({mode:"open"}).append(r,c),o.append(i);let a=t(c),h=()=>a.load(e.data(s.get(e.trait)),u=>{for(let[
f,p]of Object.entries(e.traits(u,a)))s.set(f,p);s.save_changes()});return h(),s.on(`change:${e.trait}`,h),()=>{s.off(`ch\
ange:${e.trait}`,h),a.close?.()}}var Yt=300,S=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},C=class{#t=new S(Yt);element=l("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var L=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function ft(n){
let t=getComputedStyle(n),e=(i,c)=>t.getPropertyValue(i).trim()||c,s=E(e("--st-background-color","#ffffff")),o=E(e("--st\
-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:A(s,o,.72),line:A(s,o,.2),dim:A(
s,o,.3),missing:A(s,o,.5),primary:E(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function P(n,t){
let s=(t?.16+.84*n:.92*n)*(L.length-1),o=Math.min(Math.floor(s),L.length-2);return A(L[o],L[o+1],s-o)}function A(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function y(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var I=null;function E(n){I??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),I.fillStyle=n,I.fillRect(
0,0,1,1);let[t,e,s]=I.getImageData(0,0,1,1).data;return[t,e,s]}var[Zt,Xt]=[.01,.99],Z=255,mt=254,Y=254,pt=["","#E69F00","#56B4E9","#009E73","#0072B2","#D55E00","#CC79A7"];function dt({
name:n,unit:t,labels:e,rows:s},o){let i=se(e,s),c=s.map(a=>e.length?ee(a,i):Jt(a)),r=s.length>1;return{name:n,unit:t,labels:e,
perPane:r,kind:e.length?"category":"number",entries:ne(e,s,i),panes:Array.from({length:o},(a,h)=>c[r?h:0])}}function Jt(n){
let t=n.filter(i=>!Number.isNaN(i)).sort(),[e,s]=[Zt,Xt].map(i=>Qt(t,i)),o=Uint8Array.from(n,i=>Number.isNaN(i)?Z:te((i-
e)/(s-e||1)));return{values:n,slots:o,low:e,high:s,nMissing:n.length-t.length}}function Qt(n,t){if(!n.length)return NaN;
let e=t*(n.length-1),s=n[Math.floor(e)];return s+(n[Math.ceil(e)]-s)*(e%1)}function te(n){return Math.round(Math.min(1,Math.
max(0,n))*(Y-1))}function ee(n,t){let e=Uint8Array.from(n,s=>{let o=t.indexOf(s);return Number.isNaN(s)?Z:o<0?mt:o});return{
values:n,slots:e,low:NaN,high:NaN,nMissing:0}}function se(n,t){let e=new Uint32Array(n.length);for(let s of t)for(let o of s)
Number.isNaN(o)||(e[o]+=1);return[...n.keys()].sort((s,o)=>e[o]-e[s]||s-o).slice(0,pt.length).sort((s,o)=>s-o)}function ne(n,t,e){
if(!n.length)return[];let s=e.map((i,c)=>({slot:c,text:n[i]})),o=n.length-e.length;return o&&s.push({slot:mt,text:`other\
 (${o} more)`}),t.some(i=>i.some(Number.isNaN))&&s.push({slot:Z,text:"missing"}),s}function xt(n,t){let e=pt.map(o=>o?E(
o):t.ink);return[...Array.from({length:Y},(o,i)=>n==="number"?P(i/(Y-1),t.dark):e[i%e.length]),A(t.background,t.ink,.62),
t.missing]}function gt({panes:n},t){return n[0].slots.map((e,s)=>Number(n.some(({slots:o})=>o[s]===t)))}function yt({name:n,
kind:t,unit:e,labels:s,panes:o},i,c){if(!n)return"";let r=o[i].values[c];return Number.isNaN(r)?`${n}: missing`:t==="cat\
egory"?`${n}: ${s[r]}`:`${n}: ${T(r)}${e&&` ${e}`}`}function wt({name:n,unit:t,panes:e},s){let{low:o,high:i,nMissing:c}=e[s],
r=Number.isNaN(o)?["","no values"]:[o,i].map(h=>T(h,3)),a=c?"; grey: missing":"";return{ends:r,note:`${n}${t&&` (${t})`}\
, 1st to 99th percentile${a}`}}function T(n,t=4){return n.toLocaleString("en",{maximumSignificantDigits:t})}var X=new TextDecoder;function bt(n){let t=n.slice(),e=new DataView(t.buffer),s=4+e.getUint32(0,!0),o=JSON.parse(X.decode(
t.subarray(4,s))),i=t.length-4-e.getUint32(t.length-4,!0),c=u=>new Float32Array(t.buffer,s+u,o.n),r=u=>({...u,planes:u.planes.
map(c)}),a=u=>({...u,rows:u.rows.map(c)}),h=({k:u,rows:f,values:p})=>({k:u,rows:new Uint32Array(t.buffer,s+f,o.n*u),values:new Float32Array(
t.buffer,s+p,o.n*u)});return{key:X.decode(t.subarray(i,t.length-4)),content:o.content,ids:o.ids,n:o.n,panes:o.panes.map(
r),columns:o.columns.map(a),neighbours:o.neighbours.map(h),textOffsets:new Uint32Array(t.buffer,s+o.text_offsets,o.n+1),
textBytes:t.subarray(s+o.text_bytes,i)}}function v({textBytes:n,textOffsets:t},e){return X.decode(n.subarray(t[e],t[e+1]))}var J=200,oe=/^'*[=+\-@\t\r]/,R=class{#t=l("section");#e=l("section");#n;#i=[];element=l("div",{class:"beside"},[this.#t,
this.#e]);constructor(t){this.#n=t}show(t,e){this.element.hidden=!t.neighbours.length;let s=[t.content,e.picked,e.selected];
this.element.hidden||s.every((o,i)=>o===this.#i[i])||(this.#i=s,this.#t.replaceChildren(...this.#r(t,e.picked)),this.#e.
replaceChildren(...ie(t,e)))}#r(t,e){let s=l("h2",{text:"Neighbours"});if(!e)return[s,l("p",{text:"Click a point to list\
 its nearest rows in the full space of every pane."})];let o=new Set(_(t,0,e.row)),i=t.panes.map((a,h)=>this.#o(t,h,e.row,
o)),{name:c}=t.panes[0],r=`New: not a neighbour in ${c}. Neighbours are ringed in the panes.`;return[s,l("p",{class:"pic\
ked",text:v(t,e.row)}),l("div",{class:"lists"},i),l("p",{text:r})]}#o(t,e,s,o){let{k:i,values:c}=t.neighbours[e],r=_(t,e,
s).map((u,f)=>{let p=M(v(t,u),"Pick this row",()=>this.#n(u,e)),m=l("span",{class:"value",text:T(c[s*i+f])}),d=o.has(u)?
[]:[l("strong",{text:"new"})];return l("li",{},[l("span",{class:"near"},[m,p,...d])])}),{name:a,badge:h}=t.panes[e];return l(
"div",{},[l("h3",{text:a,title:h}),l("ol",{},r)])}};function _(n,t,e){let{k:s,rows:o}=n.neighbours[t];return[...o.subarray(
e*s,(e+1)*s)]}function ie(n,{selected:t}){let e=l("h2",{text:"Selection"}),s=[...t.keys()].filter(r=>t[r]);if(!s.length)
return[e,l("p",{text:"Draw a lasso, search, or click a category of the legend to list its rows here."})];let o=s.slice(0,
J).map(r=>l("li",{text:v(n,r)})),i=s.length>J?`the first ${J} of `:"",c=()=>ht(new Blob([re(n,s)],{type:"text/csv"}),"se\
lection.csv");return[e,l("p",{text:`Listed: ${i}${k(s.length)} selected rows.`}),M("Save the rows (CSV)","Save all selec\
ted rows with every column",c),l("ul",{class:"rows",tabindex:0},o)]}function re(n,t){let e=n.columns.flatMap(i=>i.rows.map(
(c,r)=>({header:ce(i,i.rows.length>1?n.panes[r].name:""),cell:a=>ae(i,c[a])}))),s=["row","text",...e.map(i=>i.header)].map(
Q),o=t.map(i=>[String(i),Q(v(n,i)),...e.map(({cell:c})=>c(i))]);return[s,...o].map(i=>`${i.join(",")}\r
`).join("")}function ce({name:n,unit:t},e){return`${n}${t&&` (${t})`}${e&&`, ${e}`}`}function ae({labels:n},t){return Number.
isNaN(t)?"":n.length?Q(n[t]):String(Number(t.toPrecision(7)))}function Q(n){return`"${(oe.test(n)?`'${n}`:n).replaceAll(
'"','""')}"`}var[le,he]=[.2,500],O={zoom:1,x:0,y:0};function vt(n){let t=n.map(ue),e=t.map(([o,i])=>(i-o)/2),s=Math.max(...e)||1;return{
planes:n,unit:s,centres:t.map(([o,i])=>(o+i)/2),half:e.map(o=>Math.max(o/s,.001))}}function tt({half:n},{zoom:t},e){return .92*
t*Math.min(e.w/(2*n[0]),e.h/(2*n[1]))}function et(n,t,e){let s=tt(n,t,e),{planes:o,centres:i,unit:c}=n;return{x:o[0].map(
r=>e.w/2+s*((r-i[0])/c-t.x)),y:o[1].map(r=>e.h/2-s*((r-i[1])/c-t.y))}}function W(n,t,e,s,o){let i=Math.min(he,Math.max(le,
n.zoom*t)),[c,r]=[n,{zoom:i}].map(a=>tt(s,a,o));return{zoom:i,x:n.x+(e.x-o.w/2)*(1/c-1/r),y:n.y-(e.y-o.h/2)*(1/c-1/r)}}function kt(n,t,e,s){
let o=tt(e,n,s);return{...n,x:n.x-t.x/o,y:n.y+t.y/o}}function ue(n){let[t,e]=[1/0,-1/0];for(let s of n)s<t&&(t=s),s>e&&(e=
s);return[t,e]}var fe=[["lasso","Lasso","Drag around rows to select them in all panes; Shift adds, Alt removes"],["pan","Pan","Drag to \
move the picture; the wheel zooms in every mode"]],me=250,pe="Name regions of each picture by their distinctive words; z\
oom in for finer ones",U=class{message=l("span",{class:"message",role:"status"});constructor(t){let e=new S(me);this.modes=
fe.map(([o,i,c])=>{let r=M(i,c,()=>t.set({mode:o}));return r.dataset.mode=o,r}),this.link=l("input",{type:"checkbox",onchange:()=>t.
set({linked:this.link.checked})}),this.named=l("input",{type:"checkbox",onchange:()=>t.set({named:this.named.checked})}),
this.column=l("select",{onchange:()=>t.set({column:this.column.value})}),this.text=l("input",{type:"search",maxlength:200,
placeholder:"Words in the text",oninput:()=>e.call(()=>t.search(this.text.value))});let s={class:"modes",role:"group","a\
ria-label":"What dragging does"};this.element=l("div",{class:"controls"},[l("div",s,this.modes),$("Link zoom",this.link,
"Zoom and move all panes together"),$("Topic names",this.named,pe),M("Reset view","Show every row again; a double click \
does so too",()=>t.reset()),M("Clear","Select no row; Escape does so too",()=>t.clear()),$("Colour",this.column,"What th\
e colour of a row stands for"),$("Search",this.text,"Select the rows whose text contains this, in either case"),this.message])}say(t){
this.message.textContent=t}show(t,{panes:e,columns:s}){for(let i of this.modes)i.setAttribute("aria-pressed",String(i.dataset.
mode===t.mode));this.link.checked=t.linked,this.named.checked=t.named,this.column.replaceChildren(...s.map(({name:i})=>l(
"option",{value:i,text:i}))),this.column.value=t.column;let o=e.some(({topics:i})=>i.length);this.named.closest("label")?.
toggleAttribute("hidden",!o),this.column.closest("label")?.toggleAttribute("hidden",!s.length),this.text.matches(":focus")||
(this.text.value=t.search)}};var Mt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function j({altKey:n,shiftKey:t}){return n?"remove":t?"add":"replace"}function St(n,t,e){if(e==="replace")return t;let s=e===
"add"?1:0;return n.map((o,i)=>t[i]?s:o)}function b(n){return n.reduce((t,e)=>t+e,0)}function At(n,t){let e=t.toLowerCase();
return new Uint8Array(n.n).map((s,o)=>Number(v(n,o).toLowerCase().includes(e)))}function Ot({ids:n,selected:t,picked:e}){
let s=b(t)?de(t):null;return{ids:n,selected:s,picked:e?.row??null,pane:e?.pane??null}}function de(n){let t=new Uint8Array(
Math.ceil(n.length/8));n.forEach((s,o)=>{t[o>>3]|=s<<(o&7)});let e=Array.from(t,s=>String.fromCharCode(s)).join("");return btoa(
e)}function Nt(n,t){let e=t.columns[0]?.name??"";if(!n||n.ids!==t.ids||n.n!==t.n)return{ids:t.ids,n:t.n,cameras:t.panes.
map(()=>O),linked:!0,named:!0,mode:"lasso",column:e,selected:new Uint8Array(t.n),picked:null,search:""};let{cameras:s,linked:o,
picked:i,column:c}=n;return{...n,cameras:t.panes.map((r,a)=>s[a]??(o?s[0]:O)),column:t.columns.some(({name:r})=>r===c)?c:
e,picked:i&&{...i,pane:i.pane<t.panes.length?i.pane:0}}}function $t(n,t){return Et(n,({x:e,y:s})=>{let o=!1;for(let i=0,c=t.length-1;i<t.length;c=i++){let[r,a]=[t[i],t[c]];r.y>
s!=a.y>s&&e<(a.x-r.x)*(s-r.y)/(a.y-r.y)+r.x&&(o=!o)}return o})}function st(n,{x:t,y:e,radius:s}){return Et(n,o=>Math.hypot(
o.x-t,o.y-e)<=s&&z(n.size,o))}function Et({screen:{x:n,y:t}},e){return Uint8Array.from(n,(s,o)=>Number(e({x:s,y:t[o]})))}
function N({screen:{x:n,y:t},size:e},s,o){let[i,c]=[null,o*o];for(let r=0;r<n.length;r++){let a=(n[r]-s.x)**2+(t[r]-s.y)**
2;a>c||!z(e,{x:n[r],y:t[r]})||([i,c]=[r,a])}return i}function z({w:n,h:t},{x:e,y:s}){return e>=0&&e<=n&&s>=0&&s<=t}function D({
x:n,y:t},{w:e,h:s}){return{x:Math.min(e,Math.max(0,n)),y:Math.min(s,Math.max(0,t))}}var Ct="Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. Brackets change the circle. Spac\
e adds the rows in the circle to the selection, Shift and Space removes them. Enter picks the nearest row, Escape clears\
. N and P go to the next and the previous pane.",[xe,ge]=[16,2],H=1.25,F=class{#t;#e=[];#n=24;constructor(t){this.#t=t}cross({
index:t,size:e}){let{x:s,y:o}=this.#e[t]??{x:.5,y:.5};return{x:s*e.w,y:o*e.h,radius:this.#n}}press(t,e){if(e.ctrlKey||e.
metaKey)return;let s=Mt[e.key],o=e.shiftKey?ge:xe,i=s?()=>this.#r(t,s[0]*o,-s[1]*o):this.#i(t,e.shiftKey)[e.key.toLowerCase()];
i&&(e.preventDefault(),i())}#i(t,e){let s=this.#t,[o,i]=[H,1/H].map(c=>()=>{let r=s.view.cameras[t.index];s.moveCamera(t,
W(r,c,this.cross(t),t.space,t.size))});return{"+":o,"=":o,"-":i,_:i,"[":()=>this.#o(t,1/H),"]":()=>this.#o(t,H)," ":()=>this.#h(
t,e),enter:()=>s.pick(N(t,this.cross(t),1/0),t.index),escape:()=>s.clear(),n:()=>s.focusPane(t.index+1),p:()=>s.focusPane(
t.index-1)}}#r(t,e,s){let{index:o,size:i}=t,{x:c,y:r}=this.cross(t),a=D({x:c+e,y:r+s},i);this.#e[o]={x:a.x/i.w,y:a.y/i.h},
this.#s(t)}#o(t,e){this.#n=Math.min(200,Math.max(4,this.#n*e)),this.#s(t)}#h(t,e){let s=st(t,this.cross(t));this.#t.select(
s,e?"remove":"add");let o=e?"removed":"added";this.#t.announcer.say(`${b(s)} rows in the circle ${o}`)}#s(t){let e=this.
cross(t),s=N(t,e,e.radius);this.#t.hover(s,t,e);let o=s===null?"":`; nearest: ${this.#t.textOf(s)}`;this.#t.announcer.say(
`${b(st(t,e))} rows in the circle${o}`)}};var Lt=12;function It(n,{colouring:t,colours:e,theme:s},o){let{kind:i,perPane:c,name:r}=t;if(n.hidden=i==="number"&&c||!r,
n.hidden)n.replaceChildren();else if(i==="number")n.replaceChildren(...nt(t,s,0));else{let a=t.entries.map(({slot:h,text:u})=>{
let f=l("span",{class:"swatch","aria-hidden":"true"});f.style.background=y(e[h]);let p=x=>o(gt(t,h),j(x)),m=`Select the \
rows of ${u}; Shift adds them, Alt removes them`,d=l("span",{class:"entry-text",text:u});return l("button",{type:"button",
class:"entry",title:m,onclick:p},[f,d])});n.replaceChildren(l("span",{text:r}),...a)}}function nt(n,t,e){let{ends:s,note:o}=wt(
n,e),i=Array.from({length:Lt},(h,u)=>y(P(u/(Lt-1),t.dark))),c=l("span",{class:"bar","aria-hidden":"true"});c.style.background=
`linear-gradient(to right, ${i.join(", ")})`;let[r,a]=s.map(h=>l("span",{text:h}));return[l("span",{text:o}),l("span",{class:"\
scale"},[r,c,a])]}function Pt(n){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(n);if(t)return t;let e={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(n,e),e}function Tt(n,{x:t,y:e,w:s,h:o},i){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),i(),n.restore()}function Rt(n,t,{colour:e,width:s,halo:o},i){let c=[[t.background,s+o],[e,s]];for(let[r,a]of c)n.beginPath(),i(),n.lineWidth=
a,n.strokeStyle=y(r),n.stroke()}function _t(n,t){return(e,s,o,{align:i="left",colour:c=t.muted,weight:r=400,halo:a=!1}={})=>{
n.font=`${r} 11.5px ${t.font}`,n.textAlign=i,n.fillStyle=y(c),a&&(n.strokeStyle=y(t.background),n.lineWidth=4,n.lineJoin=
"round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}function B([n,t,e]){return(4278190080|e<<16|t<<8|n)>>>0}function Wt({n},t){return{radius:Math.min(4,Math.max(.9,4*(300/n)**
.25))*t,opacity:Math.min(.9,Math.max(.35,.9*(2e3/n)**.25))}}function q(n,t){let e=Math.ceil(n+.5),s=[];for(let o=-e;o<=e;o++)
for(let i=-e;i<=e;i++){let c=Math.min(1,Math.max(0,n+.5-Math.hypot(i,o))),r=Math.round(256*c*t);r&&s.push({dx:i,dy:o,weight:r})}
return{reach:e,covered:s}}function Ut(n,t,e,s,{slots:o,colours:i,stamp:c,wanted:r}){let a=n.length/t,{reach:h,covered:u}=c,
f=Int32Array.from(u,({dx:m,dy:d})=>d*t+m),p=Int32Array.from(u,({weight:m})=>m);for(let m=0;m<e.x.length;m++){if(r&&!r(m))
continue;let[d,x]=[Math.floor(e.x[m]*s),Math.floor(e.y[m]*s)];if(!(d>=0&&x>=0&&d<t&&x<a))continue;let w=d>=h&&x>=h&&d+h<
t&&x+h<a,ct=i[o?o[m]:0];for(let g=0;g<f.length;g++){if(!w){let[at,lt]=[d+u[g].dx,x+u[g].dy];if(at<0||lt<0||at>=t||lt>=a)
continue}ye(n,x*t+d+f[g],ct,p[g])}}}function ye(n,t,e,s){let o=n[t],i=256-s,c=Math.imul(e&16711935,s)+Math.imul(o&16711935,
i)>>>8,r=Math.imul(e&65280,s)+Math.imul(o&65280,i)>>>8;n[t]=4278190080|c&16711935|r&65280}var jt={height:16,apart:4};function zt(n,t,e,s,o,i){let c=_t(n,t),r={colour:t.ink,weight:600,halo:!0};c("",0,0,r);let a=h=>n.
measureText(h).width;for(let{text:h,x:u,y:f}of be(e,s,o,i,a))c(h,u,f+jt.height-4,r)}function we(n,t){let e=n.map(s=>s.zoom).
filter(s=>s<=Math.max(1,t));return Math.max(...e)}function be(n,t,e,s,o){let{height:i,apart:c}=jt,r=we(n,t),a=(u,f,p)=>Math.
min(p-f-c,Math.max(c,u-f/2)),h=[];return n.forEach(({text:u,zoom:f},p)=>{let m={x:e.x[p],y:e.y[p]};if(f!==r||!z(s,m))return;
let d=o(u),[x,w]=[a(m.x,d,s.w),a(m.y,i,s.h)];h.every(g=>x>=g.x+g.w+i||g.x>=x+d+i||Math.abs(w-g.y)>=i+c)&&d+2*c<=s.w&&h.push(
{text:u,x,y:w,w:d})}),h}var ve=2.5,K=class{#t=l("canvas");size={w:1,h:1};constructor(t,e,s){this.data=t,this.index=e,this.space=vt(t.planes);let o=[
0,1].map(r=>Float32Array.from(t.topics,({place:a})=>a[r]));this.topicSpace={...this.space,planes:o},this.screen={x:new Float32Array(
s),y:new Float32Array(s)},this.topicScreen=this.screen;let[i,c]=t.axes;this.canvas=l("canvas",{tabindex:0,role:"applicat\
ion","aria-label":`${t.name}. ${t.badge}. ${k(s)} rows. ${Ct}`,"aria-description":ke(t.topics)}),this.plot=l("div",{class:"\
plot"},[this.canvas]),this.scale=l("div",{class:"own-scale"}),this.element=l("figure",{class:"pane"},[l("figcaption",{},
[l("strong",{class:"name",text:t.name,title:t.name}),l("span",{class:"badge",text:t.badge,title:t.badge})]),l("div",{class:"\
axis up",text:c}),this.plot,l("div",{class:"axis",text:i}),this.scale])}measure(){this.size={w:Math.max(1,this.plot.clientWidth),
h:Math.max(1,this.plot.clientHeight)}}project(t){this.screen=et(this.space,t,this.size),this.topicScreen=et(this.topicSpace,
t,this.size)}draw(t){let{view:e,theme:s,colouring:o}=t,i=devicePixelRatio||1,c=new ImageData(Math.round(this.size.w*i),Math.
round(this.size.h*i));for(let f of[this.#t,this.canvas])Object.assign(f,{width:c.width,height:c.height});let r=new Uint32Array(
c.data.buffer).fill(B(s.background));this.#e(r,c.width,t,i);let a=V(this.#t);a.putImageData(c,0,0),a.scale(i,i);let{zoom:h}=e.
cameras[this.index];e.named&&zt(a,s,this.data.topics,h,this.topicScreen,this.size);let u=o.perPane&&o.kind==="number";this.
scale.replaceChildren(...u?nt(o,s,this.index):[])}#e(t,e,{view:s,theme:o,colouring:i,colours:c},r){let{radius:a,opacity:h}=Wt(
s,r),{selected:u}=s,f=w=>Ut(t,e,this.screen,r,w),p={slots:i.panes[this.index].slots,colours:Uint32Array.from(c,B)};if(!b(
u)){f({...p,stamp:q(a,h)});return}let m=Uint32Array.of(B(o.dim)),d=q(a,h/3);f({colours:m,stamp:d,wanted:w=>!u[w]});let x=q(
a,Math.max(h,.9));f({...p,stamp:x,wanted:w=>!!u[w]})}overlay({theme:t,view:e},{lit:s,hovered:o,outline:i,cross:c}){let r=V(
this.canvas);r.setTransform(1,0,0,1,0,0),r.drawImage(this.#t,0,0),r.scale(this.canvas.width/this.size.w,this.canvas.width/
this.size.w);let{x:a,y:h}=this.screen,u=(f,p,m,d)=>Rt(r,t,{colour:d,width:m,halo:ve},()=>{r.arc(a[f],h[f],p,0,2*Math.PI)});
Tt(r,{x:0,y:0,...this.size},()=>{for(let f of s)f<e.n&&u(f,6,2,t.primary);e.picked&&u(e.picked.row,9,2.5,t.ink),o!==null&&
u(o,7,1.5,t.ink),r.beginPath();for(let f of i)r.lineTo(f.x,f.y);r.closePath(),r.fillStyle=y(t.primary,.12),r.strokeStyle=
y(t.primary),r.lineWidth=1.5,r.fill(),r.stroke(),c&&(r.strokeStyle=y(t.ink),r.lineWidth=1,r.beginPath(),r.moveTo(c.x-c.radius-
6,c.y),r.lineTo(c.x+c.radius+6,c.y),r.moveTo(c.x,c.y-c.radius-6),r.lineTo(c.x,c.y+c.radius+6),r.moveTo(c.x+c.radius,c.y),
r.arc(c.x,c.y,c.radius,0,2*Math.PI),r.stroke())})}};function ke(n){let t=n.filter(({zoom:e})=>e===1).map(({text:e})=>e);
return t.length?`Topics: ${t.join("; ")}`:null}var Dt=10,Me=4,Se=3,Ae=.0015;function Ft(n,t){let e=[],s=!1,o=(r,a)=>t.canvas.addEventListener(r,a,{passive:!1}),i=()=>{
e=[],n.outline(t,[])},c=r=>{let[a,h]=[e[0],e[e.length-1]];if(s||=Ht(r,a)>Me,!s)return;let{mode:u,cameras:f}=n.view,p=D(r,
t.size);if(u==="lasso"&&Ht(p,h)>=Se&&e.push(p),u==="pan"){let m={x:r.x-h.x,y:r.y-h.y};n.moveCamera(t,kt(f[t.index],m,t.space,
t.size)),e=[a,r]}else n.outline(t,e)};o("pointerdown",r=>{r.button===0&&(t.canvas.setPointerCapture(r.pointerId),[e,s]=[
[ot(r)],!1],n.hover(null))}),o("pointermove",r=>{let a=ot(r);e.length?c(a):n.hover(N(t,a,Dt),t,a)}),o("pointerup",r=>{let a=e;
if(i(),!a.length)return;let{mode:h}=n.view;s?h==="lasso"&&n.select($t(t,a),j(r)):n.pick(N(t,a[0],Dt),t.index)}),o("point\
ercancel",i),o("pointerleave",()=>n.hover(null)),o("dblclick",()=>n.moveCamera(t,O)),o("wheel",r=>{r.preventDefault();let a=r.
deltaMode===WheelEvent.DOM_DELTA_LINE?16*r.deltaY:r.deltaY,h=n.view.cameras[t.index],u=Math.exp(-a*Ae);n.moveCamera(t,W(
h,u,ot(r),t.space,t.size))})}function ot({offsetX:n,offsetY:t}){return{x:n,y:t}}function Ht(n,t){return Math.hypot(n.x-t.
x,n.y-t.y)}var it=14,G=class{value=l("div",{class:"value"});text=l("div",{class:"text"});element=l("div",{class:"tooltip",hidden:""},
[this.text,this.value]);show(t,e,s){this.text.textContent=t,this.value.textContent=e,this.element.hidden=!1;let o=this.element.
parentElement.getBoundingClientRect();this.element.style.maxWidth=`${Math.min(340,o.width-2)}px`;let{offsetWidth:i,offsetHeight:c}=this.
element,r=Bt(s.x-o.left,i,o.width),a=Bt(s.y-o.top,c,o.height);this.element.style.transform=`translate(${r}px, ${a}px)`}hide(){
this.element.hidden=!0}};function Bt(n,t,e){let s=n+it+t<=e?n+it:n-it-t;return Math.max(0,Math.min(s,e-t))}var Oe=120,[Ne,$e]=[900,560],rt=class{#t=new F(this);#e=new S(Oe);#n=new G;#i=0;#r=null;#o={pane:null,points:[]};#h=null;#s={
wall:null,lit:[],view:null,calls:0};#p=()=>{};#d=l("div",{class:"legend",role:"group","aria-label":"Legend"});#x=l("p",{
class:"status",role:"status"});#g=new R((t,e)=>this.pick(t,e));#c=l("div",{class:"panes"});#y=new ResizeObserver(()=>this.#b());announcer=new C;controls=new U(
this);panes=[];data=null;view=null;theme=null;colouring=null;colours=[];constructor(t){this.root=t;let e=l("div",{class:"\
above"},[this.#x,this.#d]),s=l("div",{class:"stage"},[this.#c,this.#n.element]);t.append(this.controls.element,e,s,this.
announcer.element,this.#g.element)}get lit(){let{picked:t}=this.view;return this.data.neighbours.length?t?this.panes.map(
(e,s)=>_(this.data,s,t.row)):[]:this.#s.lit}textOf(t){return v(this.data,t)}load(t,e){this.#p=e;let s=bt(t);this.data?.content!==
s.content&&this.#v(s),this.theme=ft(this.root),this.#s.wall=this,this.#w(),this.#y.observe(this.#c),this.root.dataset.ready=
String(s.n)}#v(t){this.#s=Pt(t.key);let e=this.#s.view;this.data=t,this.view=this.#s.view=Nt(e,t),[this.#r,this.#h,this.#o]=
[null,null,{pane:null,points:[]}],this.controls.say(""),this.panes=t.panes.map((s,o)=>new K(s,o,t.n));for(let s of this.
panes)this.#k(s);this.#c.replaceChildren(...this.panes.map(({element:s})=>s)),e&&(b(e.selected)||e.picked)&&this.#m()}#k(t){
Ft(this,t);let e=o=>{this.#h=o,this.#l()},{canvas:s}=t;s.addEventListener("pointerdown",()=>e(null)),s.addEventListener(
"focus",()=>s.matches(":focus-visible")&&e(t)),s.addEventListener("blur",()=>e(null)),s.addEventListener("keydown",o=>{e(
t),this.#t.press(t,o)})}focusPane(t){this.panes[(t+this.panes.length)%this.panes.length].canvas.focus()}#a(t){this.view=
this.#s.view={...this.view,...t}}set(t){this.#a(t),t.column===void 0?this.#f():this.#w()}search(t){if(!t){this.clear();return}
let e=At(this.data,t);this.select(e,"replace",t),this.controls.say(`${k(b(e))} found`)}close(){this.#y.disconnect(),this.#e.
stop(),this.announcer.stop(),cancelAnimationFrame(this.#i),this.#s.wall===this&&(this.#s.wall=null)}clear(){this.#a({picked:null}),
this.select(new Uint8Array(this.view.n),"replace"),this.announcer.say("Nothing is selected")}select(t,e,s=""){this.#a({selected:St(
this.view.selected,t,e),search:s}),this.controls.say(""),this.#f(),this.#m()}pick(t,e){this.#a({picked:t===null?null:{row:t,
pane:e}}),this.#l(),this.#m(),t!==null&&this.announcer.say(`Picked: ${this.textOf(t)}`)}hover(t,e,s){if(!(t===null&&this.#r===
null)){if(this.#r=t,t!==null&&e&&s){let{left:o,top:i}=e.canvas.getBoundingClientRect(),c={x:o+s.x,y:i+s.y};this.#n.show(
this.textOf(t),yt(this.colouring,e.index,t),c)}else this.#n.hide();this.#l()}}outline(t,e){this.#o={pane:t,points:e},this.#l()}reset(){
this.#a({cameras:this.panes.map(()=>O)}),this.#u()}moveCamera({index:t},e){let{cameras:s,linked:o}=this.view;this.#a({cameras:s.
map((i,c)=>o||c===t?e:i)}),this.hover(null),cancelAnimationFrame(this.#i),this.#i=requestAnimationFrame(()=>this.#u())}light(t){
this.#s.lit=t,this.#l()}#w(){let{columns:t,n:e}=this.data,s={name:"",unit:"",labels:[""],rows:[new Float32Array(e)]},o=t.
find(({name:i})=>i===this.view.column)??s;this.colouring=dt(o,this.panes.length),this.colours=xt(this.colouring.kind,this.
theme),It(this.#d,this,(i,c)=>this.select(i,c)),this.#b()}#b(){let t=this.#c.clientWidth,e=this.panes.length,s=t>=Ne?3:t>=
$e?2:1;this.#c.style.setProperty("--across",String(Math.ceil(e/Math.ceil(e/s)))),this.#c.classList.toggle("alone",e===1);
for(let o of this.panes)o.measure();this.#u()}#u(){for(let t of this.panes)t.project(this.view.cameras[t.index]);this.#f()}#f(){
let{selected:t,n:e,column:s,mode:o}=this.view,i=b(t);this.controls.show(this.view,this.data);for(let c of this.panes)c.draw(
this);this.#x.textContent=`${k(i)} of ${k(e)} rows selected`,Object.assign(this.root.dataset,{selected:i,colour:s,mode:o}),
this.#l()}#l(){let{lit:t}=this;for(let e of this.panes)e.overlay(this,{lit:t[e.index]??[],hovered:this.#r,outline:this.#o.
pane===e?this.#o.points:[],cross:this.#h===e?this.#t.cross(e):null});this.root.dataset.picked=String(this.view.picked?.row??
""),this.root.dataset.lit=t.map(e=>e.length).join(" "),this.#g.show(this.data,this.view)}#m(){this.#e.call(()=>this.#p(Ot(
this.view)))}},Ks=ut({name:"wall",show:n=>new rt(n),state:"report",file:{data:n=>n},cell:{trait:"payload",data:n=>{let{buffer:t,
byteOffset:e,byteLength:s}=n;return new Uint8Array(t,e,s)},traits:(n,{view:{selected:t,picked:e}})=>({selected:[...t.keys()].
filter(s=>t[s]),picked:e?.row??null})}});export{rt as Wall,Ks as default};
