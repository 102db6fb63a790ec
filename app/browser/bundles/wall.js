function l(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[i,a]of Object.entries(e))typeof a=="function"?
o.addEventListener(i.slice(2),a):a!==null&&o.setAttribute(i,String(a));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function k(n,t,e){return l("button",{type:"button",text:n,title:t,onclick:e})}function L(n,t,e=""){let s=l("span",{text:n});
t instanceof HTMLSelectElement&&(t.ariaLabel=n);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return l("label",
{title:e||null},o?[t,s]:[s,t])}function P(n,t){let e=URL.createObjectURL(n);l("a",{href:e,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(e),1e4)}function M(n){return n.toLocaleString("en")}function N(n){return n.getContext("2d")}function mt(n){let t=globalThis.document?.querySelector("script#payload");t&&Xt(n,t.textContent??"");let e=Zt(n);return s=>s?
e(s):{render:o=>Jt(n,o)}}function Yt(n,t){n.calls+=1;let e=n.calls;return()=>{n.calls===e&&t()}}function Zt({name:n,state:t,
show:e}){let s=new WeakMap;return({data:o,parentElement:i,setStateValue:a})=>{let r=i.querySelector(`.${n}`),c=s.get(r)??
{shown:e(r),calls:0};return s.set(r,c),c.shown.load(o,h=>a(t,h)),Yt(c,()=>c.shown.close?.())}}function Xt({name:n,show:t,
file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),i=Uint8Array.from(atob(s.trim()),r=>r.charCodeAt(0)),a=()=>o.
load(e.data(i),e.told??(()=>{}));a(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function Jt({
name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[i,a]=[l("div"),l("div",{class:n})],r=l("style",{text:String(s.get(
"sheet"))});i.attachShadow({mode:"open"}).append(r,a),o.append(i);let c=t(a),h=()=>c.load(e.data(s.get(e.trait)),u=>{for(let[
f,p]of Object.entries(e.traits(u,c)))s.set(f,p);s.save_changes()});return h(),s.on(`change:${e.trait}`,h),()=>{s.off(`ch\
ange:${e.trait}`,h),c.close?.()}}var Qt=300,S=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},R=class{#t=new S(Qt);element=l("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var _=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function pt(n){
let t=getComputedStyle(n),e=(i,a)=>t.getPropertyValue(i).trim()||a,s=T(e("--st-background-color","#ffffff")),o=T(e("--st\
-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:A(s,o,.72),line:A(s,o,.2),dim:A(
s,o,.3),missing:A(s,o,.5),primary:T(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function C(n,t){
let s=(t?.16+.84*n:.92*n)*(_.length-1),o=Math.min(Math.floor(s),_.length-2);return A(_[o],_[o+1],s-o)}function A(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function x(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var U=null;function T(n){U??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),U.fillStyle=n,U.fillRect(
0,0,1,1);let[t,e,s]=U.getImageData(0,0,1,1).data;return[t,e,s]}var[te,ee]=[.01,.99],tt=255,dt=254,Q=254,gt=["","#E69F00","#56B4E9","#009E73","#0072B2","#D55E00","#CC79A7"];function xt({
name:n,unit:t,labels:e,rows:s},o){let i=re(e,s),a=s.map(c=>e.length?ie(c,i):se(c)),r=s.length>1;return{name:n,unit:t,labels:e,
perPane:r,kind:e.length?"category":"number",entries:ae(e,s,i),panes:Array.from({length:o},(c,h)=>a[r?h:0])}}function se(n){
let t=n.filter(i=>!Number.isNaN(i)).sort(),[e,s]=[te,ee].map(i=>ne(t,i)),o=Uint8Array.from(n,i=>Number.isNaN(i)?tt:oe((i-
e)/(s-e||1)));return{values:n,slots:o,low:e,high:s,nMissing:n.length-t.length}}function ne(n,t){if(!n.length)return NaN;
let e=t*(n.length-1),s=n[Math.floor(e)];return s+(n[Math.ceil(e)]-s)*(e%1)}function oe(n){return Math.round(Math.min(1,Math.
max(0,n))*(Q-1))}function ie(n,t){let e=Uint8Array.from(n,s=>{let o=t.indexOf(s);return Number.isNaN(s)?tt:o<0?dt:o});return{
values:n,slots:e,low:NaN,high:NaN,nMissing:0}}function re(n,t){let e=new Uint32Array(n.length);for(let s of t)for(let o of s)
Number.isNaN(o)||(e[o]+=1);return[...n.keys()].sort((s,o)=>e[o]-e[s]||s-o).slice(0,gt.length).sort((s,o)=>s-o)}function ae(n,t,e){
if(!n.length)return[];let s=e.map((i,a)=>({slot:a,text:n[i]})),o=n.length-e.length;return o&&s.push({slot:dt,text:`other\
 (${o} more)`}),t.some(i=>i.some(Number.isNaN))&&s.push({slot:tt,text:"missing"}),s}function wt(n,t){let e=gt.map(o=>o?T(
o):t.ink);return[...Array.from({length:Q},(o,i)=>n==="number"?C(i/(Q-1),t.dark):e[i%e.length]),A(t.background,t.ink,.62),
t.missing]}function yt({panes:n},t){return n[0].slots.map((e,s)=>Number(n.some(({slots:o})=>o[s]===t)))}function bt({name:n,
kind:t,unit:e,labels:s,panes:o},i,a){if(!n)return"";let r=o[i].values[a];return Number.isNaN(r)?`${n}: missing`:t==="cat\
egory"?`${n}: ${s[r]}`:`${n}: ${W(r)}${e&&` ${e}`}`}function vt({name:n,unit:t,panes:e},s){let{low:o,high:i,nMissing:a}=e[s],
r=Number.isNaN(o)?["","no values"]:[o,i].map(h=>W(h,3)),c=a?"; grey: missing":"";return{ends:r,note:`${n}${t&&` (${t})`}\
, 1st to 99th percentile${c}`}}function W(n,t=4){return n.toLocaleString("en",{maximumSignificantDigits:t})}var et=new TextDecoder;function kt(n){let t=n.slice(),e=new DataView(t.buffer),s=4+e.getUint32(0,!0),o=JSON.parse(et.decode(
t.subarray(4,s))),i=t.length-4-e.getUint32(t.length-4,!0),a=u=>new Float32Array(t.buffer,s+u,o.n),r=u=>({...u,planes:u.planes.
map(a)}),c=u=>({...u,rows:u.rows.map(a)}),h=({k:u,rows:f,values:p})=>({k:u,rows:new Uint32Array(t.buffer,s+f,o.n*u),values:new Float32Array(
t.buffer,s+p,o.n*u)});return{key:et.decode(t.subarray(i,t.length-4)),content:o.content,ids:o.ids,caption:o.caption,n:o.n,
panes:o.panes.map(r),columns:o.columns.map(c),neighbours:o.neighbours.map(h),textOffsets:new Uint32Array(t.buffer,s+o.text_offsets,
o.n+1),textBytes:t.subarray(s+o.text_bytes,i)}}function v({textBytes:n,textOffsets:t},e){return et.decode(n.subarray(t[e],
t[e+1]))}var st=200,ce=/^'*[=+\-@\t\r]/,j=class{#t=l("section");#e=l("section");#n;#i=[];element=l("div",{class:"beside"},[this.#t,
this.#e]);constructor(t){this.#n=t}show(t,e){this.element.hidden=!t.neighbours.length;let s=[t.content,e.picked,e.selected];
this.element.hidden||s.every((o,i)=>o===this.#i[i])||(this.#i=s,this.#t.replaceChildren(...this.#r(t,e.picked)),this.#e.
replaceChildren(...le(t,e)))}#r(t,e){let s=l("h2",{text:"Neighbours"});if(!e)return[s,l("p",{text:"Click a point to list\
 its nearest rows in the full space of every pane."})];let o=new Set(z(t,0,e.row)),i=t.panes.map((c,h)=>this.#o(t,h,e.row,
o)),{name:a}=t.panes[0],r=`New: no neighbour in ${a}. Neighbours are ringed in the panes.`;return[s,l("p",{class:"picked",
text:v(t,e.row)}),l("div",{class:"lists"},i),l("p",{text:r})]}#o(t,e,s,o){let{k:i,values:a}=t.neighbours[e],r=z(t,e,s).map(
(u,f)=>{let p=k(v(t,u),"Pick this row",()=>this.#n(u,e)),m=l("span",{class:"value",text:W(a[s*i+f])}),d=o.has(u)?[]:[l("\
strong",{text:"new"})];return l("li",{},[l("span",{class:"near"},[m,p,...d])])}),{name:c,badge:h}=t.panes[e];return l("d\
iv",{},[l("h3",{text:c,title:h}),l("ol",{},r)])}};function z(n,t,e){let{k:s,rows:o}=n.neighbours[t];return[...o.subarray(
e*s,(e+1)*s)]}function le(n,{selected:t}){let e=l("h2",{text:"Selection"}),s=[...t.keys()].filter(r=>t[r]);if(!s.length)
return[e,l("p",{text:"Draw a lasso, search, or click a colour of the legend to list its rows here."})];let o=s.slice(0,st).
map(r=>l("li",{text:v(n,r)})),i=s.length>st?`the first ${st} of `:"",a=()=>P(new Blob([he(n,s)],{type:"text/csv"}),"sele\
ction.csv");return[e,l("p",{text:`Listed: ${i}${M(s.length)} selected rows.`}),k("Save the rows (CSV)","Save all selecte\
d rows with every column",a),l("ul",{class:"rows",tabindex:0},o)]}function he(n,t){let e=n.columns.flatMap(i=>i.rows.map(
(a,r)=>({header:ue(i,i.rows.length>1?n.panes[r].name:""),cell:c=>fe(i,a[c])}))),s=["row","text",...e.map(i=>i.header)].map(
nt),o=t.map(i=>[String(i),nt(v(n,i)),...e.map(({cell:a})=>a(i))]);return[s,...o].map(i=>`${i.join(",")}\r
`).join("")}function ue({name:n,unit:t},e){return`${n}${t&&` (${t})`}${e&&`, ${e}`}`}function fe({labels:n},t){return Number.
isNaN(t)?"":n.length?nt(n[t]):String(Number(t.toPrecision(7)))}function nt(n){return`"${(ce.test(n)?`'${n}`:n).replaceAll(
'"','""')}"`}var[me,pe]=[.2,500],O={zoom:1,x:0,y:0};function Mt(n){let t=n.map(de),e=t.map(([o,i])=>(i-o)/2),s=Math.max(...e)||1;return{
planes:n,unit:s,centres:t.map(([o,i])=>(o+i)/2),half:e.map(o=>Math.max(o/s,.001))}}function ot({half:n},{zoom:t},e){return .92*
t*Math.min(e.w/(2*n[0]),e.h/(2*n[1]))}function it(n,t,e){let s=ot(n,t,e),{planes:o,centres:i,unit:a}=n;return{x:o[0].map(
r=>e.w/2+s*((r-i[0])/a-t.x)),y:o[1].map(r=>e.h/2-s*((r-i[1])/a-t.y))}}function D(n,t,e,s,o){let i=Math.min(pe,Math.max(me,
n.zoom*t)),[a,r]=[n,{zoom:i}].map(c=>ot(s,c,o));return{zoom:i,x:n.x+(e.x-o.w/2)*(1/a-1/r),y:n.y-(e.y-o.h/2)*(1/a-1/r)}}function St(n,t,e,s){
let o=ot(e,n,s);return{...n,x:n.x-t.x/o,y:n.y+t.y/o}}function de(n){let[t,e]=[1/0,-1/0];for(let s of n)s<t&&(t=s),s>e&&(e=
s);return[t,e]}var I=2,H=16,At=17,ge=".legend, .pane :is(.name, .badge, .axis, .own-scale)";function Ot(n){xe(n).toBlob(t=>{t&&P(t,"wal\
l.png")},"image/png")}function xe(n){let{root:t,theme:e,data:s,panes:o,lit:i}=n,a=l("canvas"),r=N(a),c=`11.5px ${e.font}`;
r.font=c;let h=we([...t.querySelectorAll(".panes, .legend:not([hidden])")]),u=ke(r,s.caption,h.width);a.width=I*(h.width+
2*H),a.height=I*(h.height+2*H+At*u.length),r.fillStyle=x(e.background),r.fillRect(0,0,a.width,a.height),r.scale(I,I),r.translate(
H-h.left,H-h.top);for(let f of o){let p=l("canvas");f.paint(p,n,I);let m={lit:i[f.index]??[],hovered:null,outline:[],cross:null};
f.drawMoving(N(p),n,m);let{left:d,top:g,width:w,height:E}=f.canvas.getBoundingClientRect();r.drawImage(p,d,g,w,E),r.strokeStyle=
x(e.line),r.strokeRect(d-.5,g-.5,w+1,E+1)}for(let f of t.querySelectorAll(ge))ye(r,e,f);return r.font=c,r.fillStyle=x(e.
muted),u.forEach((f,p)=>{r.fillText(f,h.left,h.top+h.height+At*(p+1))}),a}function we(n){let t=n.map(h=>h.getBoundingClientRect()),
[e,s]=[t.map(h=>h.left),t.map(h=>h.top)],[o,i]=[t.map(h=>h.right),t.map(h=>h.bottom)],a={left:Math.min(...e),top:Math.min(
...s)},[r,c]=[Math.max(...o)-a.left,Math.max(...i)-a.top];return{...a,width:r,height:c}}function ye(n,t,e){let s=getComputedStyle(
e).writingMode!=="horizontal-tb";for(let o of[e,...e.querySelectorAll("*")]){let{left:i,top:a,width:r,height:c}=o.getBoundingClientRect(),
{font:h,color:u,backgroundColor:f,textAlign:p}=getComputedStyle(o);if(n.save(),o.matches(".bar, .swatch")){let m=()=>be(
n,t,i,r);n.fillStyle=o.matches(".bar")?m():f,n.fillRect(i,a,r,c)}else if(!o.childElementCount){let m=p==="center";Object.
assign(n,{font:h,fillStyle:u,textBaseline:"middle"}),n.textAlign=m?"center":"left",n.translate(i+(m?r/2:0),a+c/2),s&&n.rotate(
-Math.PI/2),n.fillText(ve(n,o.textContent??"",s?c:r),0,0)}n.restore()}}function be(n,t,e,s){let o=n.createLinearGradient(
e,0,e+s,0);for(let i=0;i<=12;i++)o.addColorStop(i/12,x(C(i/12,t.dark)));return o}function ve(n,t,e){let s=e+1;if(n.measureText(
t).width<=s)return t;let o=t.length-1;for(;o>0&&n.measureText(`${t.slice(0,o)}…`).width>s;)o--;return`${t.slice(0,o)}…`}
function ke(n,t,e){let s=[];for(let o of t.split(" ").filter(Boolean)){let i=s.length?`${s.at(-1)} ${o}`:o;s.length&&n.measureText(
i).width<=e?s.splice(-1,1,i):s.push(o)}return s}var Me=[["lasso","Lasso","Drag around rows to select them in all panes; Shift adds, Alt removes"],["pan","Pan","Drag to \
move the picture; the wheel zooms in every mode"]],Se=250,Ae="Name regions of each picture by their distinctive words; z\
oom in for finer ones",B=class{message=l("span",{class:"message",role:"status"});constructor(t){let e=new S(Se);this.modes=
Me.map(([o,i,a])=>{let r=k(i,a,()=>t.set({mode:o}));return r.dataset.mode=o,r}),this.link=l("input",{type:"checkbox",onchange:()=>t.
set({linked:this.link.checked})}),this.named=l("input",{type:"checkbox",onchange:()=>t.set({named:this.named.checked})}),
this.column=l("select",{onchange:()=>t.set({column:this.column.value})}),this.text=l("input",{type:"search",maxlength:200,
placeholder:"Words in the text",oninput:()=>e.call(()=>t.search(this.text.value))});let s={class:"modes",role:"group","a\
ria-label":"What dragging does"};this.element=l("div",{class:"controls"},[l("div",s,this.modes),L("Link zoom",this.link,
"Zoom and move all panes together"),L("Topic names",this.named,Ae),k("Reset view","Show every row again; a double click \
does so too",()=>t.reset()),k("Clear","Select no row; Escape does so too",()=>t.clear()),k("Save picture (PNG)","Save th\
e panes and the legend as an image",()=>Ot(t)),L("Colour",this.column,"What the colour of a row stands for"),L("Search",
this.text,"Select the rows whose text holds this, whatever the case"),this.message])}say(t){this.message.textContent=t}show(t,{
panes:e,columns:s}){for(let i of this.modes)i.setAttribute("aria-pressed",String(i.dataset.mode===t.mode));this.link.checked=
t.linked,this.named.checked=t.named,this.column.replaceChildren(...s.map(({name:i})=>l("option",{value:i,text:i}))),this.
column.value=t.column;let o=e.some(({topics:i})=>i.length);this.named.closest("label")?.toggleAttribute("hidden",!o),this.
column.closest("label")?.toggleAttribute("hidden",!s.length),this.text.matches(":focus")||(this.text.value=t.search)}};var Nt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function F({altKey:n,shiftKey:t}){return n?"remove":t?"add":"replace"}function Ct(n,t,e){if(e==="replace")return t;let s=e===
"add"?1:0;return n.map((o,i)=>t[i]?s:o)}function b(n){return n.reduce((t,e)=>t+e,0)}function $t(n,t){let e=t.toLowerCase();
return new Uint8Array(n.n).map((s,o)=>Number(v(n,o).toLowerCase().includes(e)))}function Et({ids:n,selected:t,picked:e}){
let s=b(t)?Oe(t):null;return{ids:n,selected:s,picked:e?.row??null,pane:e?.pane??null}}function Oe(n){let t=new Uint8Array(
Math.ceil(n.length/8));n.forEach((s,o)=>{t[o>>3]|=s<<(o&7)});let e=Array.from(t,s=>String.fromCharCode(s)).join("");return btoa(
e)}function Lt(n,t){let e=t.columns[0]?.name??"";if(!n||n.ids!==t.ids||n.n!==t.n)return{ids:t.ids,n:t.n,cameras:t.panes.
map(()=>O),linked:!0,named:!0,mode:"lasso",column:e,selected:new Uint8Array(t.n),picked:null,search:""};let{cameras:s,linked:o,
picked:i,column:a}=n;return{...n,cameras:t.panes.map((r,c)=>s[c]??(o?s[0]:O)),column:t.columns.some(({name:r})=>r===a)?a:
e,picked:i&&{...i,pane:i.pane<t.panes.length?i.pane:0}}}function Tt(n,t){return It(n,({x:e,y:s})=>{let o=!1;for(let i=0,a=t.length-1;i<t.length;a=i++){let[r,c]=[t[i],t[a]];r.y>
s!=c.y>s&&e<(c.x-r.x)*(s-r.y)/(c.y-r.y)+r.x&&(o=!o)}return o})}function rt(n,{x:t,y:e,radius:s}){return It(n,o=>Math.hypot(
o.x-t,o.y-e)<=s&&q(n.size,o))}function It({screen:{x:n,y:t}},e){return Uint8Array.from(n,(s,o)=>Number(e({x:s,y:t[o]})))}
function $({screen:{x:n,y:t},size:e},s,o){let[i,a]=[null,o*o];for(let r=0;r<n.length;r++){let c=(n[r]-s.x)**2+(t[r]-s.y)**
2;c>a||!q(e,{x:n[r],y:t[r]})||([i,a]=[r,c])}return i}function q({w:n,h:t},{x:e,y:s}){return e>=0&&e<=n&&s>=0&&s<=t}function G({
x:n,y:t},{w:e,h:s}){return{x:Math.min(e,Math.max(0,n)),y:Math.min(s,Math.max(0,t))}}var Pt="Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. Brackets change the circle. Spac\
e adds the rows in the circle to the selection, Shift and Space removes them. Enter picks the nearest row, Escape clears\
. N and P go to the next and the previous pane.",[Ne,Ce]=[16,2],K=1.25,V=class{#t;#e=[];#n=24;constructor(t){this.#t=t}cross({
index:t,size:e}){let{x:s,y:o}=this.#e[t]??{x:.5,y:.5};return{x:s*e.w,y:o*e.h,radius:this.#n}}press(t,e){if(e.ctrlKey||e.
metaKey)return;let s=Nt[e.key],o=e.shiftKey?Ce:Ne,i=s?()=>this.#r(t,s[0]*o,-s[1]*o):this.#i(t,e.shiftKey)[e.key.toLowerCase()];
i&&(e.preventDefault(),i())}#i(t,e){let s=this.#t,[o,i]=[K,1/K].map(a=>()=>{let r=s.view.cameras[t.index];s.moveCamera(t,
D(r,a,this.cross(t),t.space,t.size))});return{"+":o,"=":o,"-":i,_:i,"[":()=>this.#o(t,1/K),"]":()=>this.#o(t,K)," ":()=>this.#h(
t,e),enter:()=>s.pick($(t,this.cross(t),1/0),t.index),escape:()=>s.clear(),n:()=>s.focusPane(t.index+1),p:()=>s.focusPane(
t.index-1)}}#r(t,e,s){let{index:o,size:i}=t,{x:a,y:r}=this.cross(t),c=G({x:a+e,y:r+s},i);this.#e[o]={x:c.x/i.w,y:c.y/i.h},
this.#s(t)}#o(t,e){this.#n=Math.min(200,Math.max(4,this.#n*e)),this.#s(t)}#h(t,e){let s=rt(t,this.cross(t));this.#t.select(
s,e?"remove":"add");let o=e?"removed":"added";this.#t.announcer.say(`${b(s)} rows in the circle ${o}`)}#s(t){let e=this.
cross(t),s=$(t,e,e.radius);this.#t.hover(s,t,e);let o=s===null?"":`; nearest: ${this.#t.textOf(s)}`;this.#t.announcer.say(
`${b(rt(t,e))} rows in the circle${o}`)}};var Rt=12;function _t(n,{colouring:t,colours:e,theme:s},o){let{kind:i,perPane:a,name:r}=t;if(n.hidden=i==="number"&&a||!r,
n.hidden)n.replaceChildren();else if(i==="number")n.replaceChildren(...at(t,s,0));else{let c=t.entries.map(({slot:h,text:u})=>{
let f=l("span",{class:"swatch","aria-hidden":"true"});f.style.background=x(e[h]);let p=g=>o(yt(t,h),F(g)),m=`Select the \
rows of ${u}; Shift adds them, Alt removes them`,d=l("span",{class:"entry-text",text:u});return l("button",{type:"button",
class:"entry",title:m,onclick:p},[f,d])});n.replaceChildren(l("span",{text:r}),...c)}}function at(n,t,e){let{ends:s,note:o}=vt(
n,e),i=Array.from({length:Rt},(h,u)=>x(C(u/(Rt-1),t.dark))),a=l("span",{class:"bar","aria-hidden":"true"});a.style.background=
`linear-gradient(to right, ${i.join(", ")})`;let[r,c]=s.map(h=>l("span",{text:h}));return[l("span",{text:o}),l("span",{class:"\
scale"},[r,a,c])]}function Ut(n){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(n);if(t)return t;let e={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(n,e),e}function Wt(n,{x:t,y:e,w:s,h:o},i){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),i(),n.restore()}function jt(n,t,{colour:e,width:s,halo:o},i){let a=[[t.background,s+o],[e,s]];for(let[r,c]of a)n.beginPath(),i(),n.lineWidth=
c,n.strokeStyle=x(r),n.stroke()}function zt(n,t){return(e,s,o,{align:i="left",colour:a=t.muted,weight:r=400,halo:c=!1}={})=>{
n.font=`${r} 11.5px ${t.font}`,n.textAlign=i,n.fillStyle=x(a),c&&(n.strokeStyle=x(t.background),n.lineWidth=4,n.lineJoin=
"round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}function Y([n,t,e]){return(4278190080|e<<16|t<<8|n)>>>0}function Dt({n},t){return{radius:Math.min(4,Math.max(.9,4*(300/n)**
.25))*t,opacity:Math.min(.9,Math.max(.35,.9*(2e3/n)**.25))}}function Z(n,t){let e=Math.ceil(n+.5),s=[];for(let o=-e;o<=e;o++)
for(let i=-e;i<=e;i++){let a=Math.min(1,Math.max(0,n+.5-Math.hypot(i,o))),r=Math.round(256*a*t);r&&s.push({dx:i,dy:o,weight:r})}
return{reach:e,covered:s}}function Ht(n,t,e,s,{slots:o,colours:i,stamp:a,wanted:r}){let c=n.length/t,{reach:h,covered:u}=a,
f=Int32Array.from(u,({dx:m,dy:d})=>d*t+m),p=Int32Array.from(u,({weight:m})=>m);for(let m=0;m<e.x.length;m++){if(r&&!r(m))
continue;let[d,g]=[Math.floor(e.x[m]*s),Math.floor(e.y[m]*s)];if(!(d>=0&&g>=0&&d<t&&g<c))continue;let w=d>=h&&g>=h&&d+h<
t&&g+h<c,E=i[o?o[m]:0];for(let y=0;y<f.length;y++){if(!w){let[ut,ft]=[d+u[y].dx,g+u[y].dy];if(ut<0||ft<0||ut>=t||ft>=c)continue}
$e(n,g*t+d+f[y],E,p[y])}}}function $e(n,t,e,s){let o=n[t],i=256-s,a=Math.imul(e&16711935,s)+Math.imul(o&16711935,i)>>>8,
r=Math.imul(e&65280,s)+Math.imul(o&65280,i)>>>8;n[t]=4278190080|a&16711935|r&65280}var Bt={height:16,apart:4};function Ft(n,t,e,s,o,i){let a=zt(n,t),r={colour:t.ink,weight:600,halo:!0};a("",0,0,r);let c=h=>n.
measureText(h).width;for(let{text:h,x:u,y:f}of Le(e,s,o,i,c))a(h,u,f+Bt.height-4,r)}function Ee(n,t){let e=n.map(s=>s.zoom).
filter(s=>s<=Math.max(1,t));return Math.max(...e)}function Le(n,t,e,s,o){let{height:i,apart:a}=Bt,r=Ee(n,t),c=(u,f,p)=>Math.
min(p-f-a,Math.max(a,u-f/2)),h=[];return n.forEach(({text:u,zoom:f},p)=>{let m={x:e.x[p],y:e.y[p]};if(f!==r||!q(s,m))return;
let d=o(u),[g,w]=[c(m.x,d,s.w),c(m.y,i,s.h)];h.every(y=>g>=y.x+y.w+a||y.x>=g+d+a||Math.abs(w-y.y)>=i+a)&&d+2*a<=s.w&&h.push(
{text:u,x:g,y:w,w:d})}),h}var Te=2.5,X=class{#t=l("canvas");size={w:1,h:1};constructor(t,e,s){this.data=t,this.index=e,this.space=Mt(t.planes);let o=[
0,1].map(r=>Float32Array.from(t.topics,({place:c})=>c[r]));this.topicSpace={...this.space,planes:o},this.screen={x:new Float32Array(
s),y:new Float32Array(s)},this.topicScreen=this.screen;let[i,a]=t.axes;this.canvas=l("canvas",{tabindex:0,role:"applicat\
ion","aria-label":`${t.name}. ${t.badge}. ${M(s)} rows. ${Pt}`,"aria-description":Ie(t.topics)}),this.plot=l("div",{class:"\
plot"},[this.canvas]),this.scale=l("div",{class:"own-scale"}),this.element=l("figure",{class:"pane"},[l("figcaption",{},
[l("strong",{class:"name",text:t.name,title:t.name}),l("span",{class:"badge",text:t.badge,title:t.badge})]),l("div",{class:"\
axis up",text:a}),this.plot,l("div",{class:"axis",text:i}),this.scale])}measure(){this.size={w:Math.max(1,this.plot.clientWidth),
h:Math.max(1,this.plot.clientHeight)}}project(t){this.screen=it(this.space,t,this.size),this.topicScreen=it(this.topicSpace,
t,this.size)}draw(t){this.paint(this.#t,t,devicePixelRatio||1),Object.assign(this.canvas,{width:this.#t.width,height:this.#t.
height});let{perPane:e,kind:s}=t.colouring,o=e&&s==="number"?at(t.colouring,t.theme,this.index):[];this.scale.replaceChildren(
...o)}paint(t,e,s){let{view:o,theme:i}=e;t.width=Math.round(this.size.w*s),t.height=Math.round(this.size.h*s);let a=N(t),
r=new ImageData(t.width,t.height),c=new Uint32Array(r.data.buffer).fill(Y(i.background));this.#e(c,t.width,e,s),a.putImageData(
r,0,0),a.scale(s,s);let{zoom:h}=o.cameras[this.index];o.named&&Ft(a,i,this.data.topics,h,this.topicScreen,this.size)}#e(t,e,{
view:s,theme:o,colouring:i,colours:a},r){let{radius:c,opacity:h}=Dt(s,r),{selected:u}=s,f=w=>Ht(t,e,this.screen,r,w),p={
slots:i.panes[this.index].slots,colours:Uint32Array.from(a,Y)};if(!b(u)){f({...p,stamp:Z(c,h)});return}let m=Uint32Array.
of(Y(o.dim)),d=Z(c,h/3);f({colours:m,stamp:d,wanted:w=>!u[w]});let g=Z(c,Math.max(h,.9));f({...p,stamp:g,wanted:w=>!!u[w]})}overlay(t,e){
let s=N(this.canvas);s.setTransform(1,0,0,1,0,0),s.drawImage(this.#t,0,0),s.scale(this.canvas.width/this.size.w,this.canvas.
width/this.size.w),this.drawMoving(s,t,e)}drawMoving(t,{theme:e,view:s},{lit:o,hovered:i,outline:a,cross:r}){let{x:c,y:h}=this.
screen,u=(f,p,m,d)=>jt(t,e,{colour:d,width:m,halo:Te},()=>{t.arc(c[f],h[f],p,0,2*Math.PI)});Wt(t,{x:0,y:0,...this.size},
()=>{for(let f of o)f<s.n&&u(f,6,2,e.primary);s.picked&&u(s.picked.row,9,2.5,e.ink),i!==null&&u(i,7,1.5,e.ink),t.beginPath();
for(let f of a)t.lineTo(f.x,f.y);t.closePath(),t.fillStyle=x(e.primary,.12),t.strokeStyle=x(e.primary),t.lineWidth=1.5,t.
fill(),t.stroke(),r&&(t.strokeStyle=x(e.ink),t.lineWidth=1,t.beginPath(),t.moveTo(r.x-r.radius-6,r.y),t.lineTo(r.x+r.radius+
6,r.y),t.moveTo(r.x,r.y-r.radius-6),t.lineTo(r.x,r.y+r.radius+6),t.moveTo(r.x+r.radius,r.y),t.arc(r.x,r.y,r.radius,0,2*Math.
PI),t.stroke())})}};function Ie(n){let t=n.filter(({zoom:e})=>e===1).map(({text:e})=>e);return t.length?`Topics: ${t.join(
"; ")}`:null}var qt=10,Pe=4,Re=3,_e=.0015;function Kt(n,t){let e=[],s=!1,o=(r,c)=>t.canvas.addEventListener(r,c,{passive:!1}),i=()=>{
e=[],n.outline(t,[])},a=r=>{let[c,h]=[e[0],e[e.length-1]];if(s||=Gt(r,c)>Pe,!s)return;let{mode:u,cameras:f}=n.view,p=G(r,
t.size);if(u==="lasso"&&Gt(p,h)>=Re&&e.push(p),u==="pan"){let m={x:r.x-h.x,y:r.y-h.y};n.moveCamera(t,St(f[t.index],m,t.space,
t.size)),e=[c,r]}else n.outline(t,e)};o("pointerdown",r=>{r.button===0&&(t.canvas.setPointerCapture(r.pointerId),[e,s]=[
[ct(r)],!1],n.hover(null))}),o("pointermove",r=>{let c=ct(r);e.length?a(c):n.hover($(t,c,qt),t,c)}),o("pointerup",r=>{let c=e;
if(i(),!c.length)return;let{mode:h}=n.view;s?h==="lasso"&&n.select(Tt(t,c),F(r)):n.pick($(t,c[0],qt),t.index)}),o("point\
ercancel",i),o("pointerleave",()=>n.hover(null)),o("dblclick",()=>n.moveCamera(t,O)),o("wheel",r=>{r.preventDefault();let c=r.
deltaMode===WheelEvent.DOM_DELTA_LINE?16*r.deltaY:r.deltaY,h=n.view.cameras[t.index],u=Math.exp(-c*_e);n.moveCamera(t,D(
h,u,ct(r),t.space,t.size))})}function ct({offsetX:n,offsetY:t}){return{x:n,y:t}}function Gt(n,t){return Math.hypot(n.x-t.
x,n.y-t.y)}var lt=14,J=class{value=l("div",{class:"value"});text=l("div",{class:"text"});element=l("div",{class:"tooltip",hidden:""},
[this.text,this.value]);show(t,e,s){this.text.textContent=t,this.value.textContent=e,this.element.hidden=!1;let o=this.element.
parentElement.getBoundingClientRect();this.element.style.maxWidth=`${Math.min(340,o.width-2)}px`;let{offsetWidth:i,offsetHeight:a}=this.
element,r=Vt(s.x-o.left,i,o.width),c=Vt(s.y-o.top,a,o.height);this.element.style.transform=`translate(${r}px, ${c}px)`}hide(){
this.element.hidden=!0}};function Vt(n,t,e){let s=n+lt+t<=e?n+lt:n-lt-t;return Math.max(0,Math.min(s,e-t))}var Ue=120,[We,je]=[900,560],ht=class{#t=new V(this);#e=new S(Ue);#n=new J;#i=0;#r=null;#o={pane:null,points:[]};#h=null;#s={
wall:null,lit:[],view:null,calls:0};#p=()=>{};#d=l("div",{class:"legend",role:"group","aria-label":"Legend"});#g=l("p",{
class:"status",role:"status"});#x=new j((t,e)=>this.pick(t,e));#a=l("div",{class:"panes"});#w=new ResizeObserver(()=>this.#b());announcer=new R;controls=new B(
this);panes=[];data=null;view=null;theme=null;colouring=null;colours=[];constructor(t){this.root=t;let e=l("div",{class:"\
above"},[this.#g,this.#d]),s=l("div",{class:"stage"},[this.#a,this.#n.element]);t.append(this.controls.element,e,s,this.
announcer.element,this.#x.element)}get lit(){let{picked:t}=this.view;return this.data.neighbours.length?t?this.panes.map(
(e,s)=>z(this.data,s,t.row)):[]:this.#s.lit}textOf(t){return v(this.data,t)}load(t,e){this.#p=e;let s=kt(t);this.data?.content!==
s.content&&this.#v(s),this.theme=pt(this.root),this.#s.wall=this,this.#y(),this.#w.observe(this.#a),this.root.dataset.ready=
String(s.n)}#v(t){this.#s=Ut(t.key);let e=this.#s.view;this.data=t,this.view=this.#s.view=Lt(e,t),[this.#r,this.#h,this.#o]=
[null,null,{pane:null,points:[]}],this.controls.say(""),this.panes=t.panes.map((s,o)=>new X(s,o,t.n));for(let s of this.
panes)this.#k(s);this.#a.replaceChildren(...this.panes.map(({element:s})=>s)),e&&(b(e.selected)||e.picked)&&this.#m()}#k(t){
Kt(this,t);let e=o=>{this.#h=o,this.#l()},{canvas:s}=t;s.addEventListener("pointerdown",()=>e(null)),s.addEventListener(
"focus",()=>s.matches(":focus-visible")&&e(t)),s.addEventListener("blur",()=>e(null)),s.addEventListener("keydown",o=>{e(
t),this.#t.press(t,o)})}focusPane(t){this.panes[(t+this.panes.length)%this.panes.length].canvas.focus()}#c(t){this.view=
this.#s.view={...this.view,...t}}set(t){this.#c(t),t.column===void 0?this.#f():this.#y()}search(t){if(!t){this.clear();return}
let e=$t(this.data,t);this.select(e,"replace",t),this.controls.say(`${M(b(e))} found`)}close(){this.#w.disconnect(),this.#e.
stop(),this.announcer.stop(),cancelAnimationFrame(this.#i),this.#s.wall===this&&(this.#s.wall=null)}clear(){this.#c({picked:null}),
this.select(new Uint8Array(this.view.n),"replace"),this.announcer.say("Nothing is selected")}select(t,e,s=""){this.#c({selected:Ct(
this.view.selected,t,e),search:s}),this.controls.say(""),this.#f(),this.#m()}pick(t,e){this.#c({picked:t===null?null:{row:t,
pane:e}}),this.#l(),this.#m(),t!==null&&this.announcer.say(`Picked: ${this.textOf(t)}`)}hover(t,e,s){if(!(t===null&&this.#r===
null)){if(this.#r=t,t!==null&&e&&s){let{left:o,top:i}=e.canvas.getBoundingClientRect(),a={x:o+s.x,y:i+s.y};this.#n.show(
this.textOf(t),bt(this.colouring,e.index,t),a)}else this.#n.hide();this.#l()}}outline(t,e){this.#o={pane:t,points:e},this.#l()}reset(){
this.#c({cameras:this.panes.map(()=>O)}),this.#u()}moveCamera({index:t},e){let{cameras:s,linked:o}=this.view;this.#c({cameras:s.
map((i,a)=>o||a===t?e:i)}),this.hover(null),cancelAnimationFrame(this.#i),this.#i=requestAnimationFrame(()=>this.#u())}light(t){
this.#s.lit=t,this.#l()}#y(){let{columns:t,n:e}=this.data,s={name:"",unit:"",labels:[""],rows:[new Float32Array(e)]},o=t.
find(({name:i})=>i===this.view.column)??s;this.colouring=xt(o,this.panes.length),this.colours=wt(this.colouring.kind,this.
theme),_t(this.#d,this,(i,a)=>this.select(i,a)),this.#b()}#b(){let t=this.#a.clientWidth,e=this.panes.length,s=t>=We?3:t>=
je?2:1;this.#a.style.setProperty("--across",String(Math.ceil(e/Math.ceil(e/s)))),this.#a.classList.toggle("alone",e===1);
for(let o of this.panes)o.measure();this.#u()}#u(){for(let t of this.panes)t.project(this.view.cameras[t.index]);this.#f()}#f(){
let{selected:t,n:e,column:s,mode:o}=this.view,i=b(t);this.controls.show(this.view,this.data);for(let a of this.panes)a.draw(
this);this.#g.textContent=`${M(i)} of ${M(e)} rows selected`,Object.assign(this.root.dataset,{selected:i,colour:s,mode:o}),
this.#l()}#l(){let{lit:t}=this;for(let e of this.panes)e.overlay(this,{lit:t[e.index]??[],hovered:this.#r,outline:this.#o.
pane===e?this.#o.points:[],cross:this.#h===e?this.#t.cross(e):null});this.root.dataset.picked=String(this.view.picked?.row??
""),this.root.dataset.lit=t.map(e=>e.length).join(" "),this.#x.show(this.data,this.view)}#m(){this.#e.call(()=>this.#p(Et(
this.view)))}},cn=mt({name:"wall",show:n=>new ht(n),state:"report",file:{data:n=>n},cell:{trait:"payload",data:n=>{let{buffer:t,
byteOffset:e,byteLength:s}=n;return new Uint8Array(t,e,s)},traits:(n,{view:{selected:t,picked:e}})=>({selected:[...t.keys()].
filter(s=>t[s]),picked:e?.row??null})}});export{ht as Wall,cn as default};
