function We(e,t){e.calls+=1;let s=e.calls;return()=>{e.calls===s&&t()}}function zt(e,t,s){let o=new WeakMap;return({data:n,
parentElement:r,setStateValue:i})=>{let c=r.querySelector(e),a=o.get(c)??{shown:s(c),calls:0};return o.set(c,a),a.shown.
load(n,h=>i(t,h)),We(a,()=>a.shown.close?.())}}function u(e,{text:t,...s}={},o=[]){let n=document.createElement(e);for(let[r,i]of Object.entries(s))typeof i=="function"?
n.addEventListener(r.slice(2),i):i!==null&&n.setAttribute(r,String(i));return t!==void 0&&(n.textContent=t),n.append(...o),
n}function T(e,t,s){return u("button",{type:"button",text:e,title:t,onclick:s})}function G(e,t){let s=URL.createObjectURL(
e);u("a",{href:s,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(s),1e4)}function v(e){return e.toLocaleString("\
en")}function C(e){return e.getContext("2d")}var O=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(this.#e)}};var ze=300,K=class{#t=new O(ze);element=u("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function Ht(e,t){let s=e.map(Be),o=s.map(([h,l])=>(h+l)/2),n=s.map(([h,l])=>(l-h)/2),r=e.length===2,i=(r?Math.max(...n):
He(e,o))||1,c=r&&!t,a=n.map(h=>c?h||1:i);return{isApart:c,centres:o,units:a,planes:e.map((h,l)=>h.map(f=>(f-o[l])/a[l])),
half:r?n.map((h,l)=>Math.max(h/a[l],.001)):[1,1]}}function jt(e,t){let{centres:s,units:o}=t,n=s.map((r,i)=>Float32Array.
from(e,({place:c})=>(c[i]-r)/o[i]));return{...t,planes:n}}function P(e){let t={zoom:1,x:0,y:0,turn:[1,0,0,0,1,0,0,0,1]};
return e===3?At(t,60,35):t}function X({half:e,isApart:t},{zoom:s},o){let[n,r]=[o.w/(2*e[0]),o.h/(2*e[1])],i=Math.min(n,r),
c=.92*s;return t?{x:n*c,y:r*c}:{x:i*c,y:i*c}}function Ft({centres:e,units:t,...s},o,n){let r=X(s,o,n),i=(c,a,h)=>[e[c]+(a-
h)*t[c],e[c]+(a+h)*t[c]];return{across:i(0,o.x,n.w/2/r.x),up:i(1,o.y,n.h/2/r.y)}}function xt(e,t,s,o){let n=X(e,t,s),r=s.
x+s.w/2-t.x*n.x,i=s.y+s.h/2+t.y*n.y,[c,a,h]=e.planes,[l,f,m,d,g,w,b,x,M]=t.turn;for(let p=0;p<c.length;p++)h&&o.depth?(o.
x[p]=r+n.x*(l*c[p]+f*a[p]+m*h[p]),o.y[p]=i-n.y*(d*c[p]+g*a[p]+w*h[p]),o.depth[p]=b*c[p]+x*a[p]+M*h[p]):(o.x[p]=r+n.x*c[p],
o.y[p]=i-n.y*a[p])}function V(e,t,s,o,n){let r=Math.min(500,Math.max(.2,e.zoom*t)),[i,c]=[e,{zoom:r}].map(a=>X(o,a,n));return{
...e,zoom:r,x:e.x+(s.x-n.x-n.w/2)*(1/i.x-1/c.x),y:e.y-(s.y-n.y-n.h/2)*(1/i.y-1/c.y)}}function Gt(e,t,s,o,n){let r=X(o,e,
n);return{...e,x:e.x-t/r.x,y:e.y+s/r.y}}function At(e,t,s){let[o,n]=[Math.cos(t*.01),Math.sin(t*.01)],[r,i]=[Math.cos(s*
.01),Math.sin(s*.01)],c=[o,0,n,0,1,0,-n,0,o],a=[1,0,0,0,r,-i,0,i,r];return{...e,turn:Bt(a,Bt(c,e.turn))}}function Bt(e,t){
return e.map((s,o)=>{let n=o-o%3;return e[n]*t[o%3]+e[n+1]*t[3+o%3]+e[n+2]*t[6+o%3]})}function Be(e){let[t,s]=[1/0,-1/0];
for(let o of e)o<t&&(t=o),o>s&&(s=o);return[t,s]}function He(e,t){let s=0;for(let o=0;o<e[0].length;o++)s=Math.max(s,Math.
hypot(...e.map((n,r)=>n[o]-t[r])));return s}var q=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function bt(e){
let t=getComputedStyle(e),s=(r,i)=>t.getPropertyValue(r).trim()||i,o=z(s("--st-background-color","#ffffff")),n=z(s("--st\
-text-color","#0b0b0e"));return{background:o,ink:n,dark:o[0]+o[1]+o[2]<n[0]+n[1]+n[2],muted:L(o,n,.72),line:L(o,n,.2),dim:L(
o,n,.3),missing:L(o,n,.5),primary:z(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function $(e,t){
let o=(t?.16+.84*e:.92*e)*(q.length-1),n=Math.min(Math.floor(o),q.length-2);return L(q[n],q[n+1],o-n)}function L(e,t,s){
let o=n=>Math.round(e[n]+(t[n]-e[n])*s);return[o(0),o(1),o(2)]}function y(e,t=1){return`rgb(${e.join(" ")} / ${100*t}%)`}
var Y=null;function z(e){Y??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),Y.fillStyle=e,Y.fillRect(
0,0,1,1);let[t,s,o]=Y.getImageData(0,0,1,1).data;return[t,s,o]}function Z(e,{x:t,y:s,w:o,h:n},r){e.save(),e.beginPath(),e.rect(t,s,o,n),e.clip(),r(),e.restore()}function Kt(e,t,{colour:s,
width:o,halo:n},r){let i=[[t.background,o+n],[s,o]];for(let[c,a]of i)e.beginPath(),r(),e.lineWidth=a,e.strokeStyle=y(c),
e.stroke()}var je=2.5;function J(e,{layout:t,screens:s,theme:o,view:n},{lit:r,hovered:i}){t.panes.forEach(({plot:c},a)=>{let h=(l,f,m,d)=>Kt(
e,o,{colour:d,width:m,halo:je},()=>{e.arc(s[a].x[l],s[a].y[l],f,0,2*Math.PI)});Z(e,c,()=>{for(let l of r[a]??[])l<n.n&&h(
l,6,2,o.primary);n.picked&&h(n.picked.row,9,2.5,o.ink),i!==null&&h(i,7,1.5,o.ink)})})}function Xt(e,{layout:t,theme:s},{
pane:o,points:n}){Z(e,t.panes[o].plot,()=>{e.beginPath();for(let{x:r,y:i}of n)e.lineTo(r,i);e.closePath(),e.fillStyle=y(
s.primary,.12),e.fill(),e.strokeStyle=y(s.primary),e.lineWidth=1.5,e.stroke()})}function Vt(e,{layout:t,theme:s},{pane:o,
x:n,y:r,radius:i}){Z(e,t.panes[o].plot,()=>{e.strokeStyle=y(s.ink),e.lineWidth=1,e.beginPath(),e.moveTo(n-i-6,r),e.lineTo(
n+i+6,r),e.moveTo(n,r-i-6),e.lineTo(n,r+i+6),e.moveTo(n+i,r),e.arc(n,r,i,0,2*Math.PI),e.stroke()})}var E=2,_=16,Fe=11.5,qt=17;function Yt(e,t){let s=u("canvas"),o=e.layoutFor(e.layout.width,!0);e.paint(s,o,E),J(C(s),e,{
lit:t,hovered:null}),Ge(s,e).toBlob(n=>{n&&G(n,"wall.png")},"image/png")}function Ge(e,{data:t,theme:s}){let o=u("canvas"),
n=C(o),r=`${E*Fe}px ${s.font}`;n.font=r;let i=Ke(n,t.caption,e.width);o.width=e.width+2*E*_,o.height=e.height+E*(2*_+qt*
i.length),n.fillStyle=y(s.background),n.fillRect(0,0,o.width,o.height),n.drawImage(e,E*_,E*_),n.font=r,n.fillStyle=y(s.muted);
let c=E*_+e.height;return i.forEach((a,h)=>{n.fillText(a,E*_,c+E*qt*(h+1))}),o}function Ke(e,t,s){let o=[];for(let n of t.
split(" ").filter(Boolean)){let r=o.length?`${o.at(-1)} ${n}`:n;o.length&&e.measureText(r).width<=s?o.splice(-1,1,r):o.push(
n)}return o}var N="replace";var Mt="remove";function Q(e){return e.altKey?Mt:e.shiftKey?"add":N}function Zt(e,t,s){if(s===N)return t;let o=s==="add"?
1:0;return e.map((n,r)=>t[r]?o:n)}function S(e){let t=0;for(let s of e)t+=s;return t}function Jt({ids:e,selected:t,picked:s}){
let o=S(t)?Xe(t):null;return{ids:e,selected:o,picked:s?.row??null,pane:s?.pane??null}}function Qt(e,t){let s=atob(e);return new Uint8Array(
t).map((o,n)=>s.charCodeAt(n>>3)>>(n&7)&1)}function Xe(e){let t=new Uint8Array(Math.ceil(e.length/8));e.forEach((o,n)=>{
t[n>>3]|=o<<(n&7)});let s="";for(let o of t)s+=String.fromCharCode(o);return btoa(s)}function te(e){return{setMode(t){e.change({mode:t}),e.showControls()},setLinked:t=>e.change({linked:t}),setNamed(t){e.change(
{named:t}),e.draw()},setColumn(t){e.change({column:t}),e.scene.colourRows(),e.showAll()},setSize(t){e.change({size:t}),e.
draw()},resetAll(){let{cameras:t,dims:s}=e.view;e.change({cameras:t.map(()=>P(s))}),e.showAll()},clear:()=>e.clear(),save:()=>Yt(
e.scene,e.lit),search:(t,s)=>Ve(e,t,s)}}function Ve(e,t,s){if(e.change({search:{text:t,isExpression:s}}),!t){e.search.stop(),
e.clear();return}e.controls.say("Searching"),e.search.start(e.scene.data,t,s,({rows:o,problem:n})=>{o&&e.select(o,N,{text:t,
isExpression:s}),e.controls.say(o?`${v(S(o))} found`:n)})}var B=255,tt=254,kt=254,ee=["","#E69F00","#56B4E9","#009E73","#0072B2","#D55E00","#CC79A7"],et=ee.length;function se(e){
return Math.round(Math.min(1,Math.max(0,e))*(kt-1))}function St(e,t){let s=Array.from({length:kt},(o,n)=>e==="number"?$(
n/(kt-1),t.dark):qe(n%et,t));return s[tt]=L(t.background,t.ink,.62),s[B]=t.missing,s}function qe(e,t){return e===0?t.ink:
z(ee[e])}var Ye=.01,Ze=.99;function ne(e,t){let s=e.rows.length>1,{kind:o,entries:n,slots:r,ranges:i}=e.labels.length?ts(e):Je(e.
rows),c=a=>Array.from({length:t},(h,l)=>a[s?l:0]);return{kind:o,entries:n,name:e.name,unit:e.unit,labels:e.labels,perPane:s,
values:c(e.rows),slots:c(r),ranges:c(i)}}function re({name:e,kind:t,unit:s,labels:o,values:n},r,i){if(!e)return"";let c=n[r][i];
return Number.isNaN(c)?`${e}: missing`:t==="category"?`${e}: ${o[c]}`:`${e}: ${ot(c)}${s&&` ${s}`}`}function st({name:e,
unit:t,ranges:s},o){let{low:n,high:r,nMissing:i}=s[o],c=Number.isNaN(n)?["","no values"]:[n,r].map(h=>ot(h,3)),a=i?"; gr\
ey: missing":"";return{ends:c,note:`${e}${t&&` (${t})`}, 1st to 99th percentile${a}`}}function ot(e,t=4){return e.toLocaleString(
"en",{maximumSignificantDigits:t})}function Je(e){let t=e.map(Qe),s=e.map((o,n)=>{let{low:r,high:i}=t[n],c=i-r||1;return Uint8Array.
from(o,a=>Number.isNaN(a)?B:se((a-r)/c))});return{kind:"number",entries:[],ranges:t,slots:s}}function Qe(e){let t=e.filter(
s=>!Number.isNaN(s)).sort();return{low:oe(t,Ye),high:oe(t,Ze),nMissing:e.length-t.length}}function oe(e,t){if(!e.length)
return NaN;let s=t*(e.length-1),o=e[Math.floor(s)];return o+(e[Math.ceil(s)]-o)*(s%1)}function ts(e){let t=new Uint8Array(
e.labels.length).fill(tt),s=es(e);s.forEach((i,c)=>{t[i]=e.colours[i]??c});let o=s.map(i=>({slot:t[i],text:e.labels[i]})),
n=e.labels.length-s.length;n&&o.push({slot:tt,text:`other (${n} more)`}),e.rows.some(i=>i.some(Number.isNaN))&&o.push({slot:B,
text:"missing"});let r=e.rows.map(i=>Uint8Array.from(i,c=>Number.isNaN(c)?B:t[c]));return{kind:"category",entries:o,slots:r,
ranges:[]}}function es(e){let t=e.labels.map((o,n)=>n);if(t.length<=et)return t;let s=ss(e);return t.sort((o,n)=>s[n]-s[o]||
o-n),t.slice(0,et).sort((o,n)=>o-n)}function ss(e){let t=new Uint32Array(e.labels.length);for(let s of e.rows)for(let o of s)
Number.isNaN(o)||(t[o]+=1);return t}function ie(e){let t=e.slice(),s=4+new DataView(t.buffer).getUint32(0,!0);return{header:JSON.parse(nt(t.subarray(4,s))),
body:s,bytes:t}}function nt(e){return new TextDecoder().decode(e)}function ce(e){let{header:t,body:s,bytes:o}=ie(e),n=new DataView(o.buffer).getUint32(o.length-4,!0),r=h=>new Float32Array(
o.buffer,s+h,t.n),i=h=>({...h,planes:h.planes.map(r)}),c=h=>({...h,rows:h.rows.map(r)}),a=({k:h,rows:l,values:f})=>({k:h,
rows:new Uint32Array(o.buffer,s+l,t.n*h),values:new Float32Array(o.buffer,s+f,t.n*h)});return{key:nt(o.subarray(o.length-
4-n,o.length-4)),content:t.content,ids:t.ids,caption:t.caption,n:t.n,dims:t.dims,panes:t.panes.map(i),columns:t.columns.
map(c),neighbours:t.neighbours.map(a),textOffsets:new Uint32Array(o.buffer,s+t.text_offsets,t.n+1),textBytes:o.subarray(
s+t.text_bytes,o.length-4-n)}}function R({textBytes:e,textOffsets:t},s){return nt(e.subarray(t[s],t[s+1]))}var os=/^'*[=+\-@\t\r]/;function ae(e,t){G(new Blob([ns(e,t)],{type:"text/csv"}),"selection.csv")}function ns(e,t){let s=e.
columns.flatMap(r=>r.rows.map((i,c)=>({header:rs(r,r.rows.length>1?e.panes[c].name:""),cell:a=>is(r,i[a])}))),o=["row","\
text",...s.map(r=>r.header)].map(vt),n=t.map(r=>[String(r),vt(R(e,r)),...s.map(({cell:i})=>i(r))]);return[o,...n].map(r=>`${r.
join(",")}\r
`).join("")}function rs({name:e,unit:t},s){return`${e}${t&&` (${t})`}${s&&`, ${s}`}`}function is({labels:e},t){return Number.
isNaN(t)?"":e.length?vt(e[t]):String(Number(t.toPrecision(7)))}function vt(e){return`"${(os.test(e)?`'${e}`:e).replaceAll(
'"','""')}"`}var Et=200,rt=class{#t=u("section");#e=u("section");#s;#n=[];element=u("div",{class:"beside"},[this.#t,this.#e]);constructor(t){
this.#s=t}show(t,s){this.element.hidden=!t.neighbours.length;let o=[t.content,s.picked,s.selected];this.element.hidden||
o.every((n,r)=>n===this.#n[r])||(this.#n=o,this.#t.replaceChildren(...this.#i(t,s.picked)),this.#e.replaceChildren(...cs(
t,s)))}#i(t,s){let o=u("h2",{text:"Neighbours"});if(!s)return[o,u("p",{text:"Click a point to list its nearest rows in t\
he full space of every pane."})];let n=new Set(it(t,0,s.row)),r=t.panes.map((a,h)=>this.#r(t,h,s.row,n)),{name:i}=t.panes[0],
c=`New: no neighbour in ${i}. Neighbours are ringed in the panes.`;return[o,u("p",{class:"picked",text:R(t,s.row)}),u("d\
iv",{class:"lists"},r),u("p",{text:c})]}#r(t,s,o,n){let{k:r,values:i}=t.neighbours[s],c=it(t,s,o).map((l,f)=>{let m=T(R(
t,l),"Pick this row",()=>this.#s({row:l,pane:s})),d=u("span",{class:"value",text:ot(i[o*r+f])}),g=n.has(l)?[]:[u("strong",
{text:"new"})];return u("li",{},[u("span",{class:"near"},[d,m,...g])])}),{name:a,badge:h}=t.panes[s];return u("div",{},[
u("h3",{text:a,title:h}),u("ol",{},c)])}};function it(e,t,s){let{k:o,rows:n}=e.neighbours[t];return[...n.subarray(s*o,(s+
1)*o)]}function cs(e,{selected:t}){let s=u("h2",{text:"Selection"}),o=[...t.keys()].filter(c=>t[c]);if(!o.length)return[
s,u("p",{text:"Draw a lasso, search, or click a colour of the legend to list its rows here."})];let n=o.slice(0,Et).map(
c=>u("li",{text:R(e,c)})),r=o.length>Et?`the first ${Et} of `:"",i=()=>ae(e,o);return[s,u("p",{text:`Listed: ${r}${v(o.length)}\
 selected rows.`}),T("Save the rows (CSV)","Save all selected rows with every column",i),u("ul",{class:"rows",tabindex:0},
n)]}var ct=class{#t=null;#e=0;start({textBytes:t,textOffsets:s},o,n,r){if(this.stop(),o.length>200){r({problem:"Search for a\
t most 200 characters."});return}let i=l=>{this.stop(),r(l)};this.#t=as(),this.#t.onmessage=({data:l})=>i(l),this.#t.onerror=
()=>i({problem:"The search failed: try a simpler one."});let[c,a]=[t.slice(),s.slice()];this.#t.postMessage({bytes:c,offsets:a,
pattern:o,isExpression:n});let h="The search took over 3 seconds: try a simpler expression.";this.#e=setTimeout(()=>i({problem:h}),
1e3*3)}stop(){clearTimeout(this.#e),this.#t?.terminate(),this.#t=null}};function as(){let e=`onmessage = ({ data }) => p\
ostMessage((${hs})(data));`,t=URL.createObjectURL(new Blob([e],{type:"text/javascript"})),s=new Worker(t);return URL.revokeObjectURL(
t),s}function hs({bytes:e,offsets:t,pattern:s,isExpression:o}){let n=null;try{n=o&&new RegExp(s,"iu")}catch(a){return{problem:`\
This is not a regular expression: ${(String(a).split(": ").pop()??"").toLowerCase()}.`}}let r=new TextDecoder,i=s.toLowerCase(),
c=new Uint8Array(t.length-1);for(let a=0;a<c.length;a++){let h=r.decode(e.subarray(t[a],t[a+1])),l=n?n.test(h):h.toLowerCase().
includes(i);c[a]=Number(l)}return{rows:c}}var us=[["lasso","Lasso","Drag around rows to select them in all panes; Shift adds, Alt removes"],["box","Box","Drag a b\
ox over rows to select them in all panes; Shift adds, Alt removes"],["pan","Pan","Drag to move the picture; the wheel zo\
oms in every mode"],["rotate","Rotate","Drag to turn the picture"]],fs=250,at=class{constructor(t){this.modes=us.map(([n,
r,i])=>{let c=T(r,i,()=>t.setMode(n));return c.dataset.mode=n,c}),this.link=u("input",{type:"checkbox",onchange:()=>t.setLinked(
this.link.checked)}),this.named=u("input",{type:"checkbox",onchange:()=>t.setNamed(this.named.checked)}),this.column=u("\
select",{onchange:()=>t.setColumn(this.column.value)}),this.size=u("input",{type:"range",min:.5,max:3,step:.25,oninput:()=>t.
setSize(Number(this.size.value))});let s=new O(fs),o=()=>s.call(()=>t.search(this.text.value,this.isExpression.checked));
this.text=u("input",{type:"search",maxlength:200,placeholder:"Words in the text",oninput:o}),this.isExpression=u("input",
{type:"checkbox",onchange:o}),this.message=u("span",{class:"message",role:"status"}),this.element=this.#t(t)}#t(t){return u(
"div",{class:"controls"},[u("div",{class:"modes",role:"group","aria-label":"What dragging does"},this.modes),D("Link zoo\
m",this.link,"Zoom, move and turn all panes together"),D("Topic names",this.named,"Name regions of each picture by their\
 distinctive words; zoom in for finer ones"),T("Reset view","Show every row again; a double click does so too",t.resetAll),
T("Clear","Select no row; Escape does so too",t.clear),T("Save picture (PNG)","Save the panes and the legend as an image",
t.save),D("Colour",this.column,"What the colour of a row stands for"),D("Point size",this.size,"Make the points smaller \
or larger"),u("div",{class:"search"},[D("Search",this.text,"Select the rows whose text holds this, whatever the case"),D(
"Regular expression",this.isExpression,"Read the search as a regular expression"),this.message])])}say(t){this.message.textContent=
t}show(t,s){for(let o of this.modes)o.setAttribute("aria-pressed",String(o.dataset.mode===t.mode)),o.hidden=o.dataset.mode===
"rotate"&&s.dims!==3;this.link.checked=t.linked,this.named.checked=t.named,this.named.closest("label")?.toggleAttribute(
"hidden",!s.panes.some(({topics:o})=>o.length)),this.size.value=String(t.size),this.column.replaceChildren(...s.columns.
map(({name:o})=>u("option",{value:o,text:o}))),this.column.value=t.column,this.column.closest("label")?.toggleAttribute(
"hidden",!s.columns.length),this.text.matches(":focus")||(this.text.value=t.search.text),this.isExpression.checked=t.search.
isExpression}};function D(e,t,s){let o=u("span",{text:e}),n=t instanceof HTMLInputElement&&t.type==="checkbox";return u(
"label",{title:s},n?[t,o]:[o,t])}var he={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var le={across:16,up:34},Tt=34;function ue(e,t,{dims:s,hasBars:o,hasTicks:n,strip:r}){let i=e>=900?3:e>=560?2:1,c=Math.ceil(
t/Math.ceil(t/i)),a=(e-20*(c-1))/c,h=(s===2?20:0)+(n?le.up:0),l=20+(n?le.across:0),m=Math.round(Math.min(t===1?620:440,Math.
max(220,(a-h)*.78))),d=42+m+l+(o?Tt:0),g=Array.from({length:t},(b,x)=>{let M=Math.round(x%c*(a+20)),p=Math.floor(x/c)*(d+
20),k={x:M+h,y:p+42,w:Math.floor(a)-h,h:m},wt=o?{x:k.x,y:p+d-Tt+6,w:k.w,h:Tt-6}:null;return{cell:{x:M,y:p,w:Math.floor(a),
h:d},plot:k,bar:wt}}),w=Math.ceil(t/c)*(d+20)-20;return{width:e,height:w+(r?20+r:0),panes:g,strip:r?{x:0,y:w+20,w:e}:null}}
function H(e,t){return e.panes.findIndex(({plot:s})=>Ot(s,t))}function ht(e,t){return{x:Math.min(t.x+t.w,Math.max(t.x,e.
x)),y:Math.min(t.y+t.h,Math.max(t.y,e.y))}}function Ot(e,{x:t,y:s}){return t>=e.x&&t<=e.x+e.w&&s>=e.y&&s<=e.y+e.h}function fe(e,t){let s=Math.ceil(t.w/16)+1,o=Math.ceil(t.h/16)+1,n=new Int32Array(e.x.length).fill(-1),r=new Uint32Array(
s*o+1);for(let a=0;a<n.length;a++){let[h,l]=[e.x[a]-t.x,e.y[a]-t.y];h<0||l<0||h>t.w||l>t.h||(n[a]=Math.floor(l/16)*s+Math.
floor(h/16),r[n[a]+1]+=1)}for(let a=0;a<s*o;a++)r[a+1]+=r[a];let i=new Uint32Array(r[s*o]),c=r.slice();for(let a=0;a<n.length;a++)
n[a]>=0&&(i[c[n[a]]++]=a);return{across:s,down:o,starts:r,rows:i,plot:t,screen:e}}function j(e,t,s){let{across:o,down:n,
starts:r,rows:i,plot:c,screen:a}=e,[h,l]=[t.x-c.x,t.y-c.y],f=(g,w)=>Math.min(w-1,Math.max(0,Math.floor(g/16))),[m,d]=[-1,
s*s];for(let g=f(l-s,n);g<=f(l+s,n);g++){let w=r[g*o+f(h-s,o)],b=r[g*o+f(h+s,o)+1];for(let x=w;x<b;x++){let[M,p]=[a.x[i[x]]-
t.x,a.y[i[x]]-t.y],k=M*M+p*p;k<=d&&([m,d]=[i[x],k])}}return m}function me(e,t){let[s,o]=lt(t.map(({x:i})=>i)),[n,r]=lt(t.map(({y:i})=>i));return Rt(e,(i,c)=>i>=s&&i<=o&&c>=n&&c<=r&&ms(
t,i,c))}function pe(e,t,s){let[o,n]=lt([t.x,s.x]),[r,i]=lt([t.y,s.y]);return Rt(e,(c,a)=>c>=o&&c<=n&&a>=r&&a<=i)}function de(e,t,s,o){
return Rt(e,(n,r)=>Math.hypot(n-t.x,r-t.y)<=s&&n>=o.x&&n<=o.x+o.w&&r>=o.y&&r<=o.y+o.h)}function Rt(e,t){let s=new Uint8Array(
e.x.length);for(let o=0;o<s.length;o++)t(e.x[o],e.y[o])&&(s[o]=1);return s}function ms(e,t,s){let o=!1;for(let n=0,r=e.length-
1;n<e.length;r=n++){let[i,c]=[e[n],e[r]];i.y>s!=c.y>s&&t<(c.x-i.x)*(s-i.y)/(c.y-i.y)+i.x&&(o=!o)}return o}function lt(e){
return[Math.min(...e),Math.max(...e)]}var ye="Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. Brackets change the circle. Spac\
e adds the rows in the circle to the selection, Shift and Space removes them. Enter picks the nearest row, Escape clears\
. N and P go to the next and the previous pane.",ps=16,ds=2,gs=24,U=1.25,ut=class{#t;#e=[];#s=gs;constructor(t){this.#t=
t}cross(t){let{plot:s}=this.#t.scene.layout.panes[t],o=this.#e[t]??{x:.5,y:.5};return{pane:t,x:s.x+o.x*s.w,y:s.y+o.y*s.h,
radius:this.#s}}press(t,s){if(s.ctrlKey||s.metaKey)return;let o=this.#n(t,s)[s.key];o&&(s.preventDefault(),o())}#n(t,s){
let o=this.#t,n=a=>()=>o.stage.focusPane((t+a+o.nPanes)%o.nPanes),r=a=>()=>this.#c(t,a),i=s.shiftKey?ds:ps,c=Object.entries(
he).map(([a,[h,l]])=>[a,()=>this.#i(t,h*i,-l*i)]);return{...Object.fromEntries(c),"+":r(U),"=":r(U),"-":r(1/U),_:r(1/U),
"[":()=>this.#r(t,1/U),"]":()=>this.#r(t,U)," ":()=>this.#o(t,s.shiftKey?Mt:"add"),Enter:()=>this.#f(t),Escape:()=>o.clear(),
n:n(1),N:n(1),p:n(-1),P:n(-1)}}#i(t,s,o){let{plot:n}=this.#t.scene.layout.panes[t],{x:r,y:i}=this.cross(t),c=ht({x:r+s,y:i+
o},n);this.#e[t]={x:(c.x-n.x)/n.w,y:(c.y-n.y)/n.h},this.#u(t)}#r(t,s){this.#s=Math.min(200,Math.max(4,this.#s*s)),this.#u(
t)}#c(t,s){let{view:o,spaces:n,layout:r}=this.#t.scene,{plot:i}=r.panes[t];this.#t.moveCamera(t,V(o.cameras[t],s,this.cross(
t),n[t],i))}#o(t,s){let o=this.#h(t);this.#t.select(o,s),this.#t.announcer.say(`${S(o)} rows in the circle ${s==="add"?"\
added":"removed"}`)}#h(t){let s=this.cross(t),{screens:o,layout:n}=this.#t.scene;return de(o[t],s,s.radius,n.panes[t].plot)}#l(t,s){
return j(this.#t.scene.filed(t),this.cross(t),s)}#f(t){let{plot:s}=this.#t.scene.layout.panes[t],o=this.#l(t,Math.hypot(
s.w,s.h));o>=0&&this.#t.pick({row:o,pane:t})}#u(t){let s=this.#l(t,this.#s),o=this.cross(t);this.#t.hover(s<0?null:{row:s,
pane:t,point:o});let n=s<0?"":`; nearest: ${this.#t.textOf(s)}`;this.#t.announcer.say(`${S(this.#h(t))} rows in the circ\
le${n}`)}};var we=12;function xe(e,t,s){let{colouring:o}=t,n=o.kind==="number"&&o.perPane;e.hidden=n||!o.name,e.replaceChildren(),!e.
hidden&&(o.kind==="number"?ys(e,t):ws(e,t,s))}function ys(e,{colouring:t,theme:s}){let{ends:o,note:n}=st(t,0),r=Array.from(
{length:we},(h,l)=>y($(l/(we-1),s.dark))),i=u("span",{class:"bar","aria-hidden":"true"});i.style.background=`linear-grad\
ient(to right, ${r.join(", ")})`;let[c,a]=o.map(h=>u("span",{text:h}));e.append(u("span",{text:n}),u("span",{class:"scal\
e"},[c,i,a]))}function ws(e,{colouring:t,colours:s,data:o},n){e.append(u("span",{text:t.name}));for(let{slot:r,text:i}of t.
entries){let c=u("span",{class:"swatch","aria-hidden":"true"});c.style.background=y(s[r]);let a=f=>n(xs(t,r,o.n),Q(f)),h=`\
Select the rows of ${i}; Shift adds them, Alt removes them`,l=u("span",{class:"entry-text",text:i});e.append(u("button",
{type:"button",class:"entry",title:h,onclick:a},[c,l]))}}function xs({slots:e},t,s){let o=new Uint8Array(s);for(let n of e)
for(let r=0;r<s;r++)n[r]===t&&(o[r]=1);return o}function Ae(e){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(e);if(t)return t;let s={wall:null,lit:[],
asked:null,view:null,calls:0};return globalThis.bertflowWalls.set(e,s),s}var be=10,As=4,bs=3,Ms=.0015;function Me(e,t){let{canvas:s}=e.stage,o=(r,i)=>s.addEventListener(r,i,{signal:t,passive:!1}),
n=null;o("pointerdown",r=>{n=r.button===0?ks(e,r):null,n&&s.setPointerCapture(r.pointerId)}),o("pointermove",r=>n?Ss(e,n,
r):Rs(e,r)),o("pointerup",r=>{n&&Es(e,n,r),n=null}),o("pointercancel",()=>{n=null,e.outline(null)}),o("pointerleave",()=>e.
hover(null)),o("dblclick",r=>{let i=H(e.scene.layout,F(e,r));i>=0&&e.resetView(i)}),o("wheel",r=>Cs(e,r))}function ks(e,t){
let s=F(e,t),o=H(e.scene.layout,s);return o<0?null:(t.preventDefault(),e.stage.focusPane(o,{isPressed:!0}),e.hover(null),
{pane:o,start:s,last:s,points:[s],moved:!1})}function Ss(e,t,s){let o=F(e,s),[n,r]=[o.x-t.last.x,o.y-t.last.y];if(t.moved||=
ke(o,t.start)>As,!t.moved)return;let{spaces:i,layout:c,view:a}=e.scene,{plot:h}=c.panes[t.pane],l=a.cameras[t.pane];a.mode===
"pan"?e.moveCamera(t.pane,Gt(l,n,r,i[t.pane],h)):a.mode==="rotate"?e.moveCamera(t.pane,At(l,n,r)):vs(e,t,ht(o,h)),t.last=
o}function vs(e,t,s){let{start:o,pane:n}=t,r=e.view.mode==="box";if(r?t.points=[o,s]:ke(s,t.points[t.points.length-1])>=
bs&&t.points.push(s),t.points.length<2)return;let i=[o,{x:s.x,y:o.y},s,{x:o.x,y:s.y}];e.outline({pane:n,points:r?i:t.points})}
function Es(e,t,s){if(e.outline(null),!t.moved){Os(e,t);return}let o=Ts(e,t);o&&(e.select(o,Q(s)),e.measure("brushMs",s.
timeStamp))}function Ts(e,{pane:t,points:s}){let o=e.scene.screens[t],{mode:n}=e.view;return n==="lasso"?me(o,s):n==="bo\
x"?pe(o,s[0],s[s.length-1]):null}function Os(e,{pane:t,start:s}){let o=j(e.scene.filed(t),s,be);e.pick(o<0?null:{row:o,pane:t})}
function Rs(e,t){let s=F(e,t),o=H(e.scene.layout,s),n=o<0?-1:j(e.scene.filed(o),s,be);e.hover(n<0?null:{row:n,pane:o,point:s})}
function Cs(e,t){let s=F(e,t),o=H(e.scene.layout,s);if(o<0)return;t.preventDefault();let{spaces:n,layout:r,view:i}=e.scene,
c=t.deltaMode===WheelEvent.DOM_DELTA_LINE?16*t.deltaY:t.deltaY,a=Math.exp(-c*Ms),{plot:h}=r.panes[o];e.moveCamera(o,V(i.
cameras[o],a,s,n[o],h))}function F(e,t){let s=e.stage.canvas.getBoundingClientRect();return{x:t.clientX-s.left,y:t.clientY-
s.top}}function ke(e,t){return Math.hypot(e.x-t.x,e.y-t.y)}function Se(e,t){let s=new Uint32Array(1025),o=n=>Math.min(1023,Math.max(0,Math.floor((n+1)/2*1024)));for(let n of e)s[o(
n)+1]+=1;for(let n=0;n<1024;n++)s[n+1]+=s[n];for(let n=0;n<e.length;n++)t[s[o(e[n])]++]=n}var Ls=[1,2,5,10],Ns=12;function Lt([e,t],s){let o=(t-e)/s,n=10**Ct(o),r=n*(Ls.find(a=>a*n>=o)??10),[i,c]=[Math.ceil(e/r),
Math.floor(t/r)];return Array.from({length:c-i+1},(a,h)=>{let l=(i+h)*r;return{value:l,text:Is(l,r)}})}function Is(e,t){
let s=e?Ct(e)-Ct(t)+1:1,o=Math.min(Ns,Math.max(1,s));return e.toLocaleString("en",{maximumSignificantDigits:o})}function Ct(e){
return Math.floor(Math.log10(Math.abs(e)))}var Nt=11.5;function A(e,t,s,o,n,r,i={}){let{size:c=Nt,weight:a=400,tone:h=t.muted,align:l="left",halo:f=!1}=i;e.font=It(
t,{size:c,weight:a}),e.fillStyle=y(h),e.textAlign=l;let m=Ps(e,s,r);f&&(e.strokeStyle=y(t.background),e.lineWidth=4,e.lineJoin=
"round",e.strokeText(m,o,n)),e.fillText(m,o,n)}function It({font:e},{size:t,weight:s}){return`${s} ${t}px ${e}`}function Ps(e,t,s){
if(e.measureText(t).width<=s)return t;let[o,n]=[0,t.length];for(;n-o>1;){let r=o+n>>1;e.measureText(`${t.slice(0,r)}…`).
width<=s?o=r:n=r}return`${t.slice(0,o)}…`}var W={height:16,apart:4};function ve(e,{data:t,layout:s,view:o,theme:n,topicScreens:r},i){let{x:c,y:a}=r[i],{plot:h}=s.
panes[i],l={size:Nt,weight:600,tone:n.ink,halo:!0};e.font=It(n,l);let f=_s(t.panes[i].topics,o.cameras[i].zoom,m=>({x:c[m],
y:a[m]}),h,m=>e.measureText(m).width);for(let{text:m,box:d}of f)A(e,n,m,d.x,d.y+W.height-4,d.w+1,l)}function $s(e,t){let s=e.
map(o=>o.zoom).filter(o=>o<=Math.max(1,t));return Math.max(...s)}function _s(e,t,s,o,n){let r=$s(e,t),i=[];return e.forEach(
({text:c,zoom:a},h)=>{if(a!==r)return;let l=s(h);if(!Ot(o,l))return;let f=Ds(l,n(c),o);f&&i.every(m=>!Us(f,m.box))&&i.push(
{text:c,box:f})}),i}function Ds(e,t,s){let o=W.height;if(t+2*W.apart>s.w)return null;let n=(r,i,c,a)=>Math.min(c+a-i-W.apart,
Math.max(c+W.apart,r-i/2));return{x:n(e.x,t,s.x,s.w),y:n(e.y,o,s.y,s.h),w:t,h:o}}function Us(e,t){let{apart:s}=W;return e.
x<t.x+t.w+s&&t.x<e.x+e.w+s&&e.y<t.y+t.h+s&&t.y<e.y+e.h+s}var Ws=14,Ee=8,zs=480,Pt=96,$t=10,Re=22,_t=190,Te=4,Oe={across:45,up:45};function Ce(e,t,s){let{layout:o,theme:n}=t;o.panes.
forEach(({bar:r},i)=>{Bs(e,t,i),r&&Ie(e,n,r,s,i)}),o.strip&&Hs(e,t,o.strip,s)}function Bs(e,t,s){let{data:o,layout:n,view:r,
theme:i,spaces:c}=t,{cell:a,plot:h}=n.panes[s],{name:l,badge:f,axes:m,equal_scale:d}=o.panes[s],g=r.cameras[s],w={size:Ws,
weight:600,tone:i.ink};if(A(e,i,l,a.x,a.y+14,a.w,w),A(e,i,f,a.x,a.y+32,a.w),e.strokeStyle=y(i.line),e.lineWidth=1,e.strokeRect(
h.x+.5,h.y+.5,h.w-1,h.h-1),r.named&&ve(e,t,s),m.length>2){Gs(e,i,h,m,g.turn);return}js(e,i,n.panes[s],m),d||Fs(e,i,h,Ft(
c[s],g,h))}function Hs(e,{theme:t,colours:s},o,n){if(n.kind==="category")Ks(e,t,o,s,n);else{let r=Math.min(zs,o.w);Ie(e,
t,{...o,w:r},n,0)}}function Le({kind:e,perPane:t,entries:s},o){return e==="number"?t?0:30:Re*Math.ceil((s.length+1)/Ne(o))}
function Ne(e){return Math.max(1,Math.floor(e/_t))}function js(e,t,{cell:s,plot:o,bar:n},[r,i]){let c=n?n.y-6:s.y+s.h;A(
e,t,r,o.x+o.w/2,c-5,o.w,{align:"center"}),e.save(),e.translate(s.x+12,o.y+o.h/2),e.rotate(-Math.PI/2),A(e,t,i,0,0,o.h,{align:"\
center"}),e.restore()}function Fs(e,t,s,{across:o,up:n}){let[r,i]=[s.x+s.w,s.y+s.h],c=(a,[h,l])=>(a-h)/(l-h);e.beginPath();
for(let{value:a,text:h}of Lt(o,s.w/Oe.across)){let l=s.x+s.w*c(a,o);e.moveTo(l,i),e.lineTo(l,i+Te),A(e,t,h,Math.min(l,r-
8),i+16,50,{align:"center"})}for(let{value:a,text:h}of Lt(n,s.h/Oe.up)){let l=i-s.h*c(a,n);e.moveTo(s.x-Te,l),e.lineTo(s.
x,l),A(e,t,h,s.x-7,l+4,32,{align:"right"})}e.stroke()}function Gs(e,t,s,o,n){let[r,i]=[s.w/3,s.y+s.h+15],[c,a,h]=[26,s.x+
44,s.y+s.h-44];o.forEach((l,f)=>{let[m,d]=[n[f]*c,-n[3+f]*c];e.strokeStyle=y(t.muted),e.lineWidth=1.5,e.beginPath(),e.moveTo(
a,h),e.lineTo(a+m,h+d),e.stroke();let g={align:"center",halo:!0},w=String(f+1);A(e,t,w,a+m*1.4,h+d*1.4+4,c,g),A(e,t,`${w}\
: ${l}`,s.x+f*r,i,r-8)})}function Ie(e,t,s,o,n){let{ends:r,note:i}=st(o,n);for(let l=0;l<Pt;l++){e.fillStyle=y($(l/(Pt-1),
t.dark));let[f,m]=[l,l+1].map(d=>Math.round(d*s.w/Pt));e.fillRect(s.x+f,s.y,m-f,Ee)}let[c,a]=r,h=s.y+Ee+14;A(e,t,c,s.x,h,
s.w*.13),A(e,t,a,s.x+s.w,h,s.w*.13,{align:"right"}),A(e,t,i,s.x+s.w/2,h,s.w*.74,{align:"center"})}function Ks(e,t,s,o,{name:n,
entries:r}){let i=Ne(s.w);[{text:n,slot:null},...r].forEach(({slot:c,text:a},h)=>{let l=s.x+h%i*_t,f=s.y+Math.floor(h/i)*
Re,m=c===null?0:$t+6;c!==null&&(e.fillStyle=y(o[c]),e.fillRect(l,f+2,$t,$t)),A(e,t,a,l+m,f+11,_t-m-12)})}function ft([e,t,s]){return(4278190080|s<<16|t<<8|e)>>>0}function mt(e,t){let s=Math.ceil(e+.5),o={reach:s,dx:[],dy:[],weight:[]};
for(let n=-s;n<=s;n++)for(let r=-s;r<=s;r++){let i=Math.min(1,Math.max(0,e+.5-Math.hypot(r,n))),c=Math.round(256*i*t);c&&
(o.dx.push(r),o.dy.push(n),o.weight.push(c))}return o}function Pe(e,t,s,o,n,{slots:r,colours:i,stamp:c,wanted:a}){let{x:h,
y:l,order:f}=o,{reach:m}=c,d=Int32Array.from(c.dx,(x,M)=>c.dy[M]*t+x),g=Int32Array.from(c.weight),[w,b]=[s.x+s.w,s.y+s.h];
for(let x=0;x<h.length;x++){let M=f?f[x]:x;if(a&&!a(M))continue;let p=h[M]*n|0,k=l[M]*n|0;if(p<s.x||k<s.y||p>=w||k>=b)continue;
let wt=p-m>=s.x&&k-m>=s.y&&p+m<w&&k+m<b,Ue=i[r?r[M]:0];for(let I=0;I<d.length;I++){if(!wt){let[Ut,Wt]=[p+c.dx[I],k+c.dy[I]];
if(Ut<s.x||Wt<s.y||Ut>=w||Wt>=b)continue}Xs(e,k*t+p+d[I],Ue,g[I])}}}function Xs(e,t,s,o){let n=e[t],r=256-o,i=Math.imul(
s&16711935,o)+Math.imul(n&16711935,r)>>>8,c=Math.imul(s&65280,o)+Math.imul(n&65280,r)>>>8;e[t]=4278190080|i&16711935|c&65280}var pt=class{#t=[];constructor(t,s,o,n){this.data=t,this.view=s,this.element=o,this.spaces=t.panes.map(r=>Ht(r.planes,r.
equal_scale)),this.screens=t.panes.map(()=>$e(t.n,t.dims)),this.topicSpaces=t.panes.map(({topics:r},i)=>jt(r,this.spaces[i])),
this.topicScreens=t.panes.map(({topics:r})=>$e(r.length,t.dims)),this.theme=bt(o),this.colouring=this.#e(),this.colours=
St(this.colouring.kind,this.theme),this.layout=this.layoutFor(n,!1),this.projectAll()}colourRows(){this.colouring=this.#e(),
this.readTheme()}#e(){let{columns:t,n:s,panes:o}=this.data,n=t.find(({name:r})=>r===this.view.column)??Vs(s);return ne(n,
o.length)}readTheme(){this.theme=bt(this.element),this.colours=St(this.colouring.kind,this.theme)}layOut(t){this.layout=
this.layoutFor(t,!1),this.projectAll()}layoutFor(t,s){return ue(t,this.data.panes.length,{dims:this.data.dims,hasTicks:this.
spaces.some(({isApart:o})=>o),hasBars:this.colouring.kind==="number"&&this.colouring.perPane,strip:s?Le(this.colouring,t):
0})}projectAll(){this.screens.forEach((t,s)=>{let[o,{plot:n}]=[this.view.cameras[s],this.layout.panes[s]];xt(this.spaces[s],
o,n,t),xt(this.topicSpaces[s],o,n,this.topicScreens[s]),t.depth&&t.order&&Se(t.depth,t.order)}),this.#t=this.screens.map(
()=>null)}filed(t){let s=this.#t[t]??fe(this.screens[t],this.layout.panes[t].plot);return this.#t[t]=s,s}paint(t,s,o){t.
width=Math.round(s.width*o),t.height=Math.round(s.height*o);let n=C(t),r=new ImageData(t.width,t.height),i=new Uint32Array(
r.data.buffer).fill(ft(this.theme.background));s.panes.forEach(({plot:c},a)=>{this.#s(i,t,Ys(c,t,o),a,o)}),n.putImageData(
r,0,0),n.scale(o,o),Ce(n,{...this,layout:s},this.colouring)}#s(t,s,o,n,r){let i=this.screens[n],{radius:c,opacity:a}=qs(
this.view,r),{selected:h}=this.view,l=b=>Pe(t,s.width,o,i,r,b),f=Uint32Array.from(this.colours,ft),m=this.colouring.slots[n];
if(!S(h)){l({slots:m,colours:f,stamp:mt(c,a)});return}let d=Uint32Array.of(ft(this.theme.dim)),g=mt(c,a/3);l({colours:d,
stamp:g,wanted:b=>!h[b]});let w=mt(c,Math.max(a,.9));l({slots:m,colours:f,stamp:w,wanted:b=>!!h[b]})}};function $e(e,t){
return{x:new Float32Array(e),y:new Float32Array(e),depth:t===3?new Float32Array(e):null,order:t===3?new Uint32Array(e):null}}
function Vs(e){return{name:"",unit:"",labels:[""],colours:[],rows:[new Float32Array(e)]}}function qs({n:e,size:t},s){return{
radius:Math.min(4,Math.max(.9,4*(300/e)**.25))*t*s,opacity:Math.min(.9,Math.max(.35,.9*(2e3/e)**.25))}}function Ys(e,t,s){
let[o,n]=[Math.round(e.x*s),Math.round(e.y*s)];return{x:o,y:n,w:Math.min(t.width-o,Math.round(e.w*s)),h:Math.min(t.height-
n,Math.round(e.h*s))}}var Dt=14,dt=class{value=u("div",{class:"value"});text=u("div",{class:"text"});element=u("div",{class:"tooltip",hidden:""},
[this.text,this.value]);show(t,s,o,n){this.text.textContent=t,this.value.textContent=s,this.element.hidden=!1,this.element.
style.maxWidth=`${Math.min(340,n.width-2)}px`;let{offsetWidth:r,offsetHeight:i}=this.element,c=_e(o.x,r,n.width),a=_e(o.
y,i,n.height);this.element.style.transform=`translate(${c}px, ${a}px)`}hide(){this.element.hidden=!0}};function _e(e,t,s){
let o=e+Dt+t<=s?e+Dt:e-Dt-t;return Math.max(0,Math.min(o,s-t))}var Zs=240;function Js(e){let t=e.filter(({zoom:s})=>s===1).map(({text:s})=>s);return t.length?`Topics: ${t.join("; ")}`:
null}var gt=class{#t=u("canvas");#e=!1;#s=()=>{};canvas=u("canvas",{"aria-hidden":"true"});frames=u("div",{class:"frames"});tooltip=new dt;element=u(
"div",{class:"stage"},[this.canvas,this.frames,this.tooltip.element]);get width(){return Math.max(Zs,Math.floor(this.element.
getBoundingClientRect().width))}setPanes({panes:t,n:s},o,n){this.#s=n;let r=t.map(({name:i,badge:c,topics:a},h)=>u("div",
{class:"frame",tabindex:"0",role:"application","aria-label":`${i}. ${c}. ${v(s)} rows. ${ye}`,"aria-description":Js(a),onkeydown:l=>{
this.#e=!1,n(h),o(h,l)},onfocus:()=>n(h),onblur:({relatedTarget:l})=>{this.frames.contains(l)||(this.#e=!1),n(-1)}}));this.
frames.replaceChildren(...r)}#n(t){return this.frames.children[t]}focusPane(t,{isPressed:s=!1}={}){this.#e=s,this.#n(t).
focus({preventScroll:s}),this.#s(t)}outlineKeyed(t){let s=t>=0&&!this.#e;return[...this.frames.children].forEach((o,n)=>{
o.classList.toggle("keyed",s&&n===t)}),s}place({panes:t}){t.forEach(({plot:s},o)=>{Object.assign(this.#n(o).style,{left:`${s.
x}px`,top:`${s.y}px`,width:`${s.w}px`,height:`${s.h}px`})})}draw(t){let{layout:s}=t;t.paint(this.#t,s,globalThis.devicePixelRatio||
1),Object.assign(this.canvas,{width:this.#t.width,height:this.#t.height}),this.canvas.style.width=`${s.width}px`,this.canvas.
style.height=`${s.height}px`}overlay(t,{lit:s,hovered:o,outline:n,cross:r}){let i=C(this.canvas),c=this.canvas.width/t.layout.
width;i.setTransform(1,0,0,1,0,0),i.drawImage(this.#t,0,0),i.scale(c,c),J(i,t,{lit:s,hovered:o}),n&&Xt(i,t,n),r&&Vt(i,t,
r)}};function Qs(e){return{ids:e.ids,n:e.n,dims:e.dims,cameras:e.panes.map(()=>P(e.dims)),linked:!0,named:!0,mode:"lasso",column:e.
columns[0]?.name??"",size:1,selected:new Uint8Array(e.n),picked:null,search:{text:"",isExpression:!1}}}function De(e,t){
let s=Qs(t);if(!e||e.ids!==t.ids||e.n!==t.n)return s;let o=e.dims!==t.dims,n=e.picked&&e.picked.pane<t.panes.length;return{
...e,dims:t.dims,mode:o&&e.mode==="rotate"?"lasso":e.mode,cameras:s.cameras.map((r,i)=>!o&&(e.cameras[i]??(e.linked&&e.cameras[0]))||
r),column:t.columns.some(({name:r})=>r===e.column)?e.column:s.column,picked:e.picked&&(n?e.picked:{...e.picked,pane:0})}}var to=120,yt=class{#t=new ut(this);#e=new O(to);#s=-1;#n=0;#i={outline:null,hovered:null};#r=null;#c=null;#o={wall:null,
lit:[],asked:null,view:null,calls:0};#h=()=>{};stage=new gt;search=new ct;announcer=new K;controls=new at(te(this));#l=new rt(
t=>this.pick(t));#f=u("div",{class:"legend",role:"group","aria-label":"Legend"});#u=u("p",{class:"status",role:"status"});constructor(t){
this.root=t;let s=u("div",{class:"above"},[this.#u,this.#f]),{controls:o,stage:n,announcer:r}=this;t.append(o.element,s,
n.element,r.element,this.#l.element)}get scene(){return this.#c}get view(){return this.scene.view}get nPanes(){return this.
scene.data.panes.length}get lit(){let{data:t,view:s}=this.scene,{picked:o}=s;return t.neighbours.length?o?t.panes.map((n,r)=>it(
t,r,o.row)):[]:this.#o.lit}textOf(t){return R(this.scene.data,t)}load(t,s){this.#h=s;let o=ce(t);this.#c?.data.content===
o.content?this.#c.readTheme():this.#p(o),this.#o.wall=this,this.#d(),this.showAll(),this.takeAsked(),this.root.dataset.ready=
String(o.n)}takeAsked(){let{asked:t}=this.#o;t?.ids===this.view.ids&&(this.#o.asked=null,this.select(Qt(t.rows,this.view.
n),N))}#p(t){this.#o=Ae(t.key);let s=this.#o.view;this.#i={outline:null,hovered:null},this.search.stop(),this.controls.say(
""),this.#c=new pt(t,De(s,t),this.root,this.stage.width),this.change({}),this.stage.setPanes(t,(o,n)=>this.#t.press(o,n),
this.#g),s&&(S(s.selected)||s.picked)&&this.#m()}change(t){this.scene.view={...this.view,...t},this.#o.view=this.view}#d(){
if(this.#r)return;this.#r=new AbortController,Me(this,this.#r.signal);let t=new ResizeObserver(()=>{this.stage.width!==this.
scene.layout.width&&this.showAll()});t.observe(this.stage.element),this.#r.signal.addEventListener("abort",()=>t.disconnect())}close(){
this.#r?.abort(),this.#r=null,this.search.stop(),this.#e.stop(),this.announcer.stop(),cancelAnimationFrame(this.#n),this.#o.
wall===this&&(this.#o.wall=null)}clear(){this.change({picked:null}),this.select(new Uint8Array(this.view.n),N),this.announcer.
say("Nothing is selected")}select(t,s,o={...this.view.search,text:""}){o.text||this.search.stop(),this.change({selected:Zt(
this.view.selected,t,s),search:o}),this.controls.say(""),this.showControls(),this.draw(),this.#m()}pick(t){this.change({
picked:t}),this.#a(),this.#m(),t&&this.announcer.say(`Picked: ${this.textOf(t.row)}`)}hover(t){if(!(t===null&&this.#i.hovered===
null)){if(this.#i.hovered=t?.row??null,t){let{colouring:s,layout:o}=this.scene,n=re(s,t.pane,t.row);this.stage.tooltip.show(
this.textOf(t.row),n,t.point,o)}else this.stage.tooltip.hide();this.#a()}}outline(t){this.#i.outline=t,this.#a()}resetView(t){
this.moveCamera(t,P(this.view.dims))}moveCamera(t,s){let{cameras:o,linked:n}=this.view;this.change({cameras:o.map((r,i)=>n||
i===t?s:r)}),this.hover(null),cancelAnimationFrame(this.#n),this.#n=requestAnimationFrame(()=>{let r=performance.now();this.
scene.projectAll(),this.draw(),this.measure("frameMs",r)})}light(t){this.#o.lit=t,this.#a()}measure(t,s){this.root.dataset[t]=
(performance.now()-s).toFixed(1)}#g=t=>{this.#s=this.stage.outlineKeyed(t)?t:-1,this.#a()};showControls(){this.controls.
show(this.view,this.scene.data),this.root.dataset.mode=this.view.mode}showAll(){this.showControls(),xe(this.#f,this.scene,
(t,s)=>this.select(t,s)),this.scene.layOut(this.stage.width),this.stage.place(this.scene.layout),this.draw()}draw(){this.
stage.draw(this.scene),this.#a();let{selected:t,n:s,column:o}=this.view,n=S(t);this.#u.textContent=`${v(n)} of ${v(s)} r\
ows selected`,Object.assign(this.root.dataset,{selected:n,colour:o})}#a(){let{lit:t}=this,s=this.#s>=0?this.#t.cross(this.#s):
null;this.stage.overlay(this.scene,{...this.#i,lit:t,cross:s}),this.root.dataset.picked=String(this.view.picked?.row??""),
this.root.dataset.lit=t.map(o=>o.length).join(" "),this.#l.show(this.scene.data,this.view)}#m(){this.#e.call(()=>this.#h(
Jt(this.view)))}};var wr=zt(".wall","report",e=>new yt(e));export{wr as default};
