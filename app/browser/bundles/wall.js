function h(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[i,a]of Object.entries(e))typeof a=="function"?
o.addEventListener(i.slice(2),a):a!==null&&o.setAttribute(i,String(a));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function k(n,t,e){return h("button",{type:"button",text:n,title:t,onclick:e})}function $(n,t,e=""){let s=h("span",{text:n});
t instanceof HTMLSelectElement&&(t.ariaLabel=n);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return h("label",
{title:e||null},o?[t,s]:[s,t])}function I(n,t){let e=URL.createObjectURL(n);h("a",{href:e,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(e),1e4)}function M(n){return n.toLocaleString("en")}function O(n){return n.getContext("2d")}function dt(n){let t=globalThis.document?.querySelector("script#payload");t&&ne(n,t.textContent??"");let e=se(n);return s=>s?
e(s):{render:o=>oe(n,o)}}function ee(n,t){n.calls+=1;let e=n.calls;return()=>{n.calls===e&&t()}}function se({name:n,state:t,
show:e}){let s=new WeakMap;return({data:o,parentElement:i,setStateValue:a})=>{let r=i.querySelector(`.${n}`),c=s.get(r)??
{shown:e(r),calls:0};return s.set(r,c),c.shown.load(o,l=>a(t,l)),ee(c,()=>c.shown.close?.())}}function ne({name:n,show:t,
file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),i=Uint8Array.from(atob(s.trim()),r=>r.charCodeAt(0)),a=()=>o.
load(e.data(i),e.told??(()=>{}));a(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function oe({
name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[i,a]=[h("div"),h("div",{class:n})],r=h("style",{text:String(s.get(
"sheet"))});i.attachShadow({mode:"open"}).append(r,a),o.append(i);let c=t(a),l=()=>c.load(e.data(s.get(e.trait)),u=>{for(let[
f,p]of Object.entries(e.traits(u,c)))s.set(f,p);s.save_changes()});return l(),s.on(`change:${e.trait}`,l),()=>{s.off(`ch\
ange:${e.trait}`,l),c.close?.()}}var S=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(this.#e)}};var ie=300,U=class{#t=new S(ie);element=h("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var W=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function gt(n){
let t=getComputedStyle(n),e=(i,a)=>t.getPropertyValue(i).trim()||a,s=L(e("--st-background-color","#ffffff")),o=L(e("--st\
-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:A(s,o,.72),line:A(s,o,.2),dim:A(
s,o,.3),missing:A(s,o,.5),primary:L(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function C(n,t){
let s=(t?.16+.84*n:.92*n)*(W.length-1),o=Math.min(Math.floor(s),W.length-2);return A(W[o],W[o+1],s-o)}function A(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function x(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var _=null;function L(n){_??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),_.fillStyle=n,_.fillRect(
0,0,1,1);let[t,e,s]=_.getImageData(0,0,1,1).data;return[t,e,s]}var[re,ae]=[.01,.99],nt=255,xt=254,st=254,wt=["","#E69F00","#56B4E9","#009E73","#0072B2","#D55E00","#CC79A7"];function yt({
name:n,unit:t,labels:e,rows:s},o){let i=fe(e,s),a=s.map(c=>e.length?ue(c,i):ce(c)),r=s.length>1;return{name:n,unit:t,labels:e,
perPane:r,kind:e.length?"category":"number",entries:me(e,s,i),panes:Array.from({length:o},(c,l)=>a[r?l:0])}}function ce(n){
let t=n.filter(i=>!Number.isNaN(i)).sort(),[e,s]=[re,ae].map(i=>le(t,i)),o=Uint8Array.from(n,i=>Number.isNaN(i)?nt:he((i-
e)/(s-e||1)));return{values:n,slots:o,low:e,high:s,nMissing:n.length-t.length}}function le(n,t){if(!n.length)return NaN;
let e=t*(n.length-1),s=n[Math.floor(e)];return s+(n[Math.ceil(e)]-s)*(e%1)}function he(n){return Math.round(Math.min(1,Math.
max(0,n))*(st-1))}function ue(n,t){let e=Uint8Array.from(n,s=>{let o=t.indexOf(s);return Number.isNaN(s)?nt:o<0?xt:o});return{
values:n,slots:e,low:NaN,high:NaN,nMissing:0}}function fe(n,t){let e=new Uint32Array(n.length);for(let s of t)for(let o of s)
Number.isNaN(o)||(e[o]+=1);return[...n.keys()].sort((s,o)=>e[o]-e[s]||s-o).slice(0,wt.length).sort((s,o)=>s-o)}function me(n,t,e){
if(!n.length)return[];let s=e.map((i,a)=>({slot:a,text:n[i]})),o=n.length-e.length;return o&&s.push({slot:xt,text:`other\
 (${o} more)`}),t.some(i=>i.some(Number.isNaN))&&s.push({slot:nt,text:"missing"}),s}function bt(n,t){let e=wt.map(o=>o?L(
o):t.ink);return[...Array.from({length:st},(o,i)=>n==="number"?C(i/(st-1),t.dark):e[i%e.length]),A(t.background,t.ink,.62),
t.missing]}function vt({panes:n},t){return n[0].slots.map((e,s)=>Number(n.some(({slots:o})=>o[s]===t)))}function kt({name:n,
kind:t,unit:e,labels:s,panes:o},i,a){if(!n)return"";let r=o[i].values[a];return Number.isNaN(r)?`${n}: missing`:t==="cat\
egory"?`${n}: ${s[r]}`:`${n}: ${D(r)}${e&&` ${e}`}`}function Mt({name:n,unit:t,panes:e},s){let{low:o,high:i,nMissing:a}=e[s],
r=Number.isNaN(o)?["","no values"]:[o,i].map(l=>D(l,3)),c=a?"; grey: missing":"";return{ends:r,note:`${n}${t&&` (${t})`}\
, 1st to 99th percentile${c}`}}function D(n,t=4){return n.toLocaleString("en",{maximumSignificantDigits:t})}function St(n){let t=n.slice(),e=4+new DataView(t.buffer).getUint32(0,!0);return{header:JSON.parse(z(t.subarray(4,e))),body:e,
bytes:t}}var pe=new TextDecoder;function z(n){return pe.decode(n)}function At(n){let{header:t,body:e,bytes:s}=St(n),o=new DataView(s.buffer).getUint32(s.length-4,!0),i=l=>new Float32Array(
s.buffer,e+l,t.n),a=l=>({...l,planes:l.planes.map(i)}),r=l=>({...l,rows:l.rows.map(i)}),c=({k:l,rows:u,values:f})=>({k:l,
rows:new Uint32Array(s.buffer,e+u,t.n*l),values:new Float32Array(s.buffer,e+f,t.n*l)});return{key:z(s.subarray(s.length-
4-o,s.length-4)),content:t.content,ids:t.ids,caption:t.caption,n:t.n,panes:t.panes.map(a),columns:t.columns.map(r),neighbours:t.
neighbours.map(c),textOffsets:new Uint32Array(s.buffer,e+t.text_offsets,t.n+1),textBytes:s.subarray(e+t.text_bytes,s.length-
4-o)}}function b({textBytes:n,textOffsets:t},e){return z(n.subarray(t[e],t[e+1]))}var de=/^'*[=+\-@\t\r]/;function Ot(n,t){I(new Blob([ge(n,t)],{type:"text/csv"}),"selection.csv")}function ge(n,t){let e=n.
columns.flatMap(i=>i.rows.map((a,r)=>({header:xe(i,i.rows.length>1?n.panes[r].name:""),cell:c=>we(i,a[c])}))),s=["row","\
text",...e.map(i=>i.header)].map(ot),o=t.map(i=>[String(i),ot(b(n,i)),...e.map(({cell:a})=>a(i))]);return[s,...o].map(i=>`${i.
join(",")}\r
`).join("")}function xe({name:n,unit:t},e){return`${n}${t&&` (${t})`}${e&&`, ${e}`}`}function we({labels:n},t){return Number.
isNaN(t)?"":n.length?ot(n[t]):String(Number(t.toPrecision(7)))}function ot(n){return`"${(de.test(n)?`'${n}`:n).replaceAll(
'"','""')}"`}var it=200,j=class{#t=h("section");#e=h("section");#s;#i=[];element=h("div",{class:"beside"},[this.#t,this.#e]);constructor(t){
this.#s=t}show(t,e){this.element.hidden=!t.neighbours.length;let s=[t.content,e.picked,e.selected];this.element.hidden||
s.every((o,i)=>o===this.#i[i])||(this.#i=s,this.#t.replaceChildren(...this.#r(t,e.picked)),this.#e.replaceChildren(...ye(
t,e)))}#r(t,e){let s=h("h2",{text:"Neighbours"});if(!e)return[s,h("p",{text:"Click a point to list its nearest rows in t\
he full space of every pane."})];let o=new Set(B(t,0,e.row)),i=t.panes.map((c,l)=>this.#o(t,l,e.row,o)),{name:a}=t.panes[0],
r=`New: no neighbour in ${a}. Neighbours are ringed in the panes.`;return[s,h("p",{class:"picked",text:b(t,e.row)}),h("d\
iv",{class:"lists"},i),h("p",{text:r})]}#o(t,e,s,o){let{k:i,values:a}=t.neighbours[e],r=B(t,e,s).map((u,f)=>{let p=k(b(t,
u),"Pick this row",()=>this.#s(u,e)),m=h("span",{class:"value",text:D(a[s*i+f])}),d=o.has(u)?[]:[h("strong",{text:"new"})];
return h("li",{},[h("span",{class:"near"},[m,p,...d])])}),{name:c,badge:l}=t.panes[e];return h("div",{},[h("h3",{text:c,
title:l}),h("ol",{},r)])}};function B(n,t,e){let{k:s,rows:o}=n.neighbours[t];return[...o.subarray(e*s,(e+1)*s)]}function ye(n,{
selected:t}){let e=h("h2",{text:"Selection"}),s=[...t.keys()].filter(r=>t[r]);if(!s.length)return[e,h("p",{text:"Draw a \
lasso, search, or click a colour of the legend to list its rows here."})];let o=s.slice(0,it).map(r=>h("li",{text:b(n,r)})),
i=s.length>it?`the first ${it} of `:"",a=()=>Ot(n,s);return[e,h("p",{text:`Listed: ${i}${M(s.length)} selected rows.`}),
k("Save the rows (CSV)","Save all selected rows with every column",a),h("ul",{class:"rows",tabindex:0},o)]}var[be,ve]=[.2,500],E={zoom:1,x:0,y:0};function Ct(n){let t=n.map(ke),e=t.map(([o,i])=>(i-o)/2),s=Math.max(...e)||1;return{
planes:n,unit:s,centres:t.map(([o,i])=>(o+i)/2),half:e.map(o=>Math.max(o/s,.001))}}function rt({half:n},{zoom:t},e){return .92*
t*Math.min(e.w/(2*n[0]),e.h/(2*n[1]))}function at(n,t,e){let s=rt(n,t,e),{planes:o,centres:i,unit:a}=n;return{x:o[0].map(
r=>e.w/2+s*((r-i[0])/a-t.x)),y:o[1].map(r=>e.h/2-s*((r-i[1])/a-t.y))}}function H(n,t,e,s,o){let i=Math.min(ve,Math.max(be,
n.zoom*t)),[a,r]=[n,{zoom:i}].map(c=>rt(s,c,o));return{zoom:i,x:n.x+(e.x-o.w/2)*(1/a-1/r),y:n.y-(e.y-o.h/2)*(1/a-1/r)}}function Et(n,t,e,s){
let o=rt(e,n,s);return{...n,x:n.x-t.x/o,y:n.y+t.y/o}}function ke(n){let[t,e]=[1/0,-1/0];for(let s of n)s<t&&(t=s),s>e&&(e=
s);return[t,e]}var R=2,F=16,Nt=17,Me=".legend, .pane :is(.name, .badge, .axis, .own-scale)";function $t(n){Se(n).toBlob(t=>{t&&I(t,"wal\
l.png")},"image/png")}function Se(n){let{root:t,theme:e,data:s,panes:o,lit:i}=n,a=h("canvas"),r=O(a),c=`11.5px ${e.font}`;
r.font=c;let l=Ae([...t.querySelectorAll(".panes, .legend:not([hidden])")]),u=Ne(r,s.caption,l.width);a.width=R*(l.width+
2*F),a.height=R*(l.height+2*F+Nt*u.length),r.fillStyle=x(e.background),r.fillRect(0,0,a.width,a.height),r.scale(R,R),r.translate(
F-l.left,F-l.top);for(let f of o){let p=h("canvas");f.paint(p,n,R);let m={lit:i[f.index]??[],hovered:null,outline:[],cross:null};
f.drawMoving(O(p),n,m);let{left:d,top:g,width:w,height:N}=f.canvas.getBoundingClientRect();r.drawImage(p,d,g,w,N),r.strokeStyle=
x(e.line),r.strokeRect(d-.5,g-.5,w+1,N+1)}for(let f of t.querySelectorAll(Me))Oe(r,e,f);return r.font=c,r.fillStyle=x(e.
muted),u.forEach((f,p)=>{r.fillText(f,l.left,l.top+l.height+Nt*(p+1))}),a}function Ae(n){let t=n.map(l=>l.getBoundingClientRect()),
[e,s]=[t.map(l=>l.left),t.map(l=>l.top)],[o,i]=[t.map(l=>l.right),t.map(l=>l.bottom)],a={left:Math.min(...e),top:Math.min(
...s)},[r,c]=[Math.max(...o)-a.left,Math.max(...i)-a.top];return{...a,width:r,height:c}}function Oe(n,t,e){let s=getComputedStyle(
e).writingMode!=="horizontal-tb";for(let o of[e,...e.querySelectorAll("*")]){let{left:i,top:a,width:r,height:c}=o.getBoundingClientRect(),
{font:l,color:u,backgroundColor:f,textAlign:p}=getComputedStyle(o);if(n.save(),o.matches(".bar, .swatch")){let m=()=>Ce(
n,t,i,r);n.fillStyle=o.matches(".bar")?m():f,n.fillRect(i,a,r,c)}else if(!o.childElementCount){let m=p==="center";Object.
assign(n,{font:l,fillStyle:u,textBaseline:"middle"}),n.textAlign=m?"center":"left",n.translate(i+(m?r/2:0),a+c/2),s&&n.rotate(
-Math.PI/2),n.fillText(Ee(n,o.textContent??"",s?c:r),0,0)}n.restore()}}function Ce(n,t,e,s){let o=n.createLinearGradient(
e,0,e+s,0);for(let i=0;i<=12;i++)o.addColorStop(i/12,x(C(i/12,t.dark)));return o}function Ee(n,t,e){let s=e+1;if(n.measureText(
t).width<=s)return t;let o=t.length-1;for(;o>0&&n.measureText(`${t.slice(0,o)}…`).width>s;)o--;return`${t.slice(0,o)}…`}
function Ne(n,t,e){let s=[];for(let o of t.split(" ").filter(Boolean)){let i=s.length?`${s.at(-1)} ${o}`:o;s.length&&n.measureText(
i).width<=e?s.splice(-1,1,i):s.push(o)}return s}var $e=[["lasso","Lasso","Drag around rows to select them in all panes; Shift adds, Alt removes"],["pan","Pan","Drag to \
move the picture; the wheel zooms in every mode"]],Le=250,Re="Name regions of each picture by their distinctive words; z\
oom in for finer ones",V=class{message=h("span",{class:"message",role:"status"});constructor(t){let e=new S(Le);this.modes=
$e.map(([o,i,a])=>{let r=k(i,a,()=>t.set({mode:o}));return r.dataset.mode=o,r}),this.link=h("input",{type:"checkbox",onchange:()=>t.
set({linked:this.link.checked})}),this.named=h("input",{type:"checkbox",onchange:()=>t.set({named:this.named.checked})}),
this.column=h("select",{onchange:()=>t.set({column:this.column.value})}),this.text=h("input",{type:"search",maxlength:200,
placeholder:"Words in the text",oninput:()=>e.call(()=>t.search(this.text.value))});let s={class:"modes",role:"group","a\
ria-label":"What dragging does"};this.element=h("div",{class:"controls"},[h("div",s,this.modes),$("Link zoom",this.link,
"Zoom and move all panes together"),$("Topic names",this.named,Re),k("Reset view","Show every row again; a double click \
does so too",()=>t.reset()),k("Clear","Select no row; Escape does so too",()=>t.clear()),k("Save picture (PNG)","Save th\
e panes and the legend as an image",()=>$t(t)),$("Colour",this.column,"What the colour of a row stands for"),$("Search",
this.text,"Select the rows whose text holds this, whatever the case"),this.message])}say(t){this.message.textContent=t}show(t,{
panes:e,columns:s}){for(let i of this.modes)i.setAttribute("aria-pressed",String(i.dataset.mode===t.mode));this.link.checked=
t.linked,this.named.checked=t.named,this.column.replaceChildren(...s.map(({name:i})=>h("option",{value:i,text:i}))),this.
column.value=t.column;let o=e.some(({topics:i})=>i.length);this.named.closest("label")?.toggleAttribute("hidden",!o),this.
column.closest("label")?.toggleAttribute("hidden",!s.length),this.text.matches(":focus")||(this.text.value=t.search)}};var Lt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var T="replace",P="add",ct="remove";function q(n){return n.altKey?ct:n.shiftKey?P:T}function Rt(n,t,e){if(e===T)return t;
let s=e===P?1:0;return n.map((o,i)=>t[i]?s:o)}function v(n){let t=0;for(let e of n)t+=e;return t}function Tt(n,t){let e=t.
toLowerCase();return new Uint8Array(n.n).map((s,o)=>Number(b(n,o).toLowerCase().includes(e)))}function Pt({ids:n,selected:t,
picked:e}){let s=v(t)?Te(t):null;return{ids:n,selected:s,picked:e?.row??null,pane:e?.pane??null}}function Te(n){let t=new Uint8Array(
Math.ceil(n.length/8));n.forEach((s,o)=>{t[o>>3]|=s<<(o&7)});let e="";for(let s of t)e+=String.fromCharCode(s);return btoa(
e)}function Ut(n,t){let[e,s]=It(t.map(({x:a})=>a)),[o,i]=It(t.map(({y:a})=>a));return _t(n,(a,r)=>a>=e&&a<=s&&r>=o&&r<=i&&Pe(
t,a,r))}function Wt(n,t,e,{w:s,h:o}){return _t(n,(i,a)=>Math.hypot(i-t.x,a-t.y)<=e&&i>=0&&i<=s&&a>=0&&a<=o)}function _t({
x:n,y:t},e){let s=new Uint8Array(n.length);for(let o=0;o<s.length;o++)e(n[o],t[o])&&(s[o]=1);return s}function G({x:n,y:t},e,s,o){
let[i,a]=[-1,s*s];for(let r=0;r<n.length;r++){let c=(n[r]-e.x)**2+(t[r]-e.y)**2;c>a||!lt(o,{x:n[r],y:t[r]})||(i=r,a=c)}return i}
function lt({w:n,h:t},{x:e,y:s}){return e>=0&&e<=n&&s>=0&&s<=t}function K({x:n,y:t},{w:e,h:s}){return{x:Math.min(e,Math.
max(0,n)),y:Math.min(s,Math.max(0,t))}}function Pe(n,t,e){let s=!1;for(let o=0,i=n.length-1;o<n.length;i=o++){let[a,r]=[
n[o],n[i]];a.y>e!=r.y>e&&t<(r.x-a.x)*(e-a.y)/(r.y-a.y)+a.x&&(s=!s)}return s}function It(n){return[Math.min(...n),Math.max(
...n)]}var Dt="Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. Brackets change the circle. Spac\
e adds the rows in the circle to the selection, Shift and Space removes them. Enter picks the nearest row, Escape clears\
. N and P go to the next and the previous pane.",[Ie,Ue]=[16,2],Y=1.25,Z=class{#t;#e=[];#s=24;constructor(t){this.#t=t}cross({
index:t,size:e}){let{x:s,y:o}=this.#e[t]??{x:.5,y:.5};return{x:s*e.w,y:o*e.h,radius:this.#s}}press(t,e){if(e.ctrlKey||e.
metaKey)return;let s=this.#i(t,e.shiftKey)[e.key.toLowerCase()];s&&(e.preventDefault(),s())}#i(t,e){let s=this.#t,o=e?Ue:
Ie,i=Object.entries(Lt).map(([c,[l,u]])=>[c.toLowerCase(),()=>this.#r(t,l*o,-u*o)]),[a,r]=[Y,1/Y].map(c=>()=>this.#h(t,c));
return{...Object.fromEntries(i),"+":a,"=":a,"-":r,_:r,"[":()=>this.#o(t,1/Y),"]":()=>this.#o(t,Y)," ":()=>this.#n(t,e?ct:
P),enter:()=>s.pick(this.#f(t,1/0),t.index),escape:()=>s.clear(),n:()=>s.focusPane(t.index+1),p:()=>s.focusPane(t.index-
1)}}#r(t,e,s){let{index:o,size:i}=t,{x:a,y:r}=this.cross(t),c=K({x:a+e,y:r+s},i);this.#e[o]={x:c.x/i.w,y:c.y/i.h},this.#m(
t)}#o(t,e){this.#s=Math.min(200,Math.max(4,this.#s*e)),this.#m(t)}#h(t,e){let s=this.#t.view.cameras[t.index];this.#t.moveCamera(
t,H(s,e,this.cross(t),t.space,t.size))}#n(t,e){let s=this.#u(t);this.#t.select(s,e),this.#t.announcer.say(`${v(s)} rows \
in the circle ${e===P?"added":"removed"}`)}#u(t){return Wt(t.screen,this.cross(t),this.#s,t.size)}#f(t,e){let s=G(t.screen,
this.cross(t),e,t.size);return s<0?null:s}#m(t){let e=this.#f(t,this.#s);this.#t.hover(e,t,this.cross(t));let s=e===null?
"":`; nearest: ${this.#t.textOf(e)}`;this.#t.announcer.say(`${v(this.#u(t))} rows in the circle${s}`)}};var zt=12;function jt(n,{colouring:t,colours:e,theme:s},o){let{kind:i,perPane:a,name:r}=t;if(n.hidden=i==="number"&&a||!r,
n.hidden)n.replaceChildren();else if(i==="number")n.replaceChildren(...ht(t,s,0));else{let c=t.entries.map(({slot:l,text:u})=>{
let f=h("span",{class:"swatch","aria-hidden":"true"});f.style.background=x(e[l]);let p=g=>o(vt(t,l),q(g)),m=`Select the \
rows of ${u}; Shift adds them, Alt removes them`,d=h("span",{class:"entry-text",text:u});return h("button",{type:"button",
class:"entry",title:m,onclick:p},[f,d])});n.replaceChildren(h("span",{text:r}),...c)}}function ht(n,t,e){let{ends:s,note:o}=Mt(
n,e),i=Array.from({length:zt},(l,u)=>x(C(u/(zt-1),t.dark))),a=h("span",{class:"bar","aria-hidden":"true"});a.style.background=
`linear-gradient(to right, ${i.join(", ")})`;let[r,c]=s.map(l=>h("span",{text:l}));return[h("span",{text:o}),h("span",{class:"\
scale"},[r,a,c])]}function Bt(n){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(n);if(t)return t;let e={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(n,e),e}function Ht(n,{x:t,y:e,w:s,h:o},i){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),i(),n.restore()}function Ft(n,t,{colour:e,
width:s,halo:o},i){let a=[[t.background,s+o],[e,s]];for(let[r,c]of a)n.beginPath(),i(),n.lineWidth=c,n.strokeStyle=x(r),
n.stroke()}function Vt(n,t){return(e,s,o,{align:i="left",colour:a=t.muted,weight:r=400,halo:c=!1}={})=>{n.font=`${r} 11.\
5px ${t.font}`,n.textAlign=i,n.fillStyle=x(a),c&&(n.strokeStyle=x(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(
e,s,o)),n.fillText(e,s,o)}}function J([n,t,e]){return(4278190080|e<<16|t<<8|n)>>>0}function qt({n},t){return{radius:Math.min(4,Math.max(.9,4*(300/n)**
.25))*t,opacity:Math.min(.9,Math.max(.35,.9*(2e3/n)**.25))}}function X(n,t){let e=Math.ceil(n+.5),s=[];for(let o=-e;o<=e;o++)
for(let i=-e;i<=e;i++){let a=Math.min(1,Math.max(0,n+.5-Math.hypot(i,o))),r=Math.round(256*a*t);r&&s.push({dx:i,dy:o,weight:r})}
return{reach:e,covered:s}}function Gt(n,t,e,s,{slots:o,colours:i,stamp:a,wanted:r}){let c=n.length/t,{reach:l,covered:u}=a,
f=Int32Array.from(u,({dx:m,dy:d})=>d*t+m),p=Int32Array.from(u,({weight:m})=>m);for(let m=0;m<e.x.length;m++){if(r&&!r(m))
continue;let[d,g]=[Math.floor(e.x[m]*s),Math.floor(e.y[m]*s)];if(!(d>=0&&g>=0&&d<t&&g<c))continue;let w=d>=l&&g>=l&&d+l<
t&&g+l<c,N=i[o?o[m]:0];for(let y=0;y<f.length;y++){if(!w){let[mt,pt]=[d+u[y].dx,g+u[y].dy];if(mt<0||pt<0||mt>=t||pt>=c)continue}
We(n,g*t+d+f[y],N,p[y])}}}function We(n,t,e,s){let o=n[t],i=256-s,a=Math.imul(e&16711935,s)+Math.imul(o&16711935,i)>>>8,
r=Math.imul(e&65280,s)+Math.imul(o&65280,i)>>>8;n[t]=4278190080|a&16711935|r&65280}var Kt={height:16,apart:4};function Yt(n,t,e,s,o,i){let a=Vt(n,t),r={colour:t.ink,weight:600,halo:!0};a("",0,0,r);let c=l=>n.
measureText(l).width;for(let{text:l,x:u,y:f}of De(e,s,o,i,c))a(l,u,f+Kt.height-4,r)}function _e(n,t){let e=n.map(s=>s.zoom).
filter(s=>s<=Math.max(1,t));return Math.max(...e)}function De(n,t,e,s,o){let{height:i,apart:a}=Kt,r=_e(n,t),c=(u,f,p)=>Math.
min(p-f-a,Math.max(a,u-f/2)),l=[];return n.forEach(({text:u,zoom:f},p)=>{let m={x:e.x[p],y:e.y[p]};if(f!==r||!lt(s,m))return;
let d=o(u),[g,w]=[c(m.x,d,s.w),c(m.y,i,s.h)];l.every(y=>g>=y.x+y.w+a||y.x>=g+d+a||Math.abs(w-y.y)>=i+a)&&d+2*a<=s.w&&l.push(
{text:u,x:g,y:w,w:d})}),l}var ze=2.5,Q=class{#t=h("canvas");size={w:1,h:1};constructor(t,e,s){this.data=t,this.index=e,this.space=Ct(t.planes);let o=[
0,1].map(r=>Float32Array.from(t.topics,({place:c})=>c[r]));this.topicSpace={...this.space,planes:o},this.screen={x:new Float32Array(
s),y:new Float32Array(s)},this.topicScreen=this.screen;let[i,a]=t.axes;this.canvas=h("canvas",{tabindex:0,role:"applicat\
ion","aria-label":`${t.name}. ${t.badge}. ${M(s)} rows. ${Dt}`,"aria-description":je(t.topics)}),this.plot=h("div",{class:"\
plot"},[this.canvas]),this.scale=h("div",{class:"own-scale"}),this.element=h("figure",{class:"pane"},[h("figcaption",{},
[h("strong",{class:"name",text:t.name,title:t.name}),h("span",{class:"badge",text:t.badge,title:t.badge})]),h("div",{class:"\
axis up",text:a}),this.plot,h("div",{class:"axis",text:i}),this.scale])}measure(){this.size={w:Math.max(1,this.plot.clientWidth),
h:Math.max(1,this.plot.clientHeight)}}project(t){this.screen=at(this.space,t,this.size),this.topicScreen=at(this.topicSpace,
t,this.size)}draw(t){this.paint(this.#t,t,devicePixelRatio||1),Object.assign(this.canvas,{width:this.#t.width,height:this.#t.
height});let{perPane:e,kind:s}=t.colouring,o=e&&s==="number"?ht(t.colouring,t.theme,this.index):[];this.scale.replaceChildren(
...o)}paint(t,e,s){let{view:o,theme:i}=e;t.width=Math.round(this.size.w*s),t.height=Math.round(this.size.h*s);let a=O(t),
r=new ImageData(t.width,t.height),c=new Uint32Array(r.data.buffer).fill(J(i.background));this.#e(c,t.width,e,s),a.putImageData(
r,0,0),a.scale(s,s);let{zoom:l}=o.cameras[this.index];o.named&&Yt(a,i,this.data.topics,l,this.topicScreen,this.size)}#e(t,e,{
view:s,theme:o,colouring:i,colours:a},r){let{radius:c,opacity:l}=qt(s,r),{selected:u}=s,f=w=>Gt(t,e,this.screen,r,w),p={
slots:i.panes[this.index].slots,colours:Uint32Array.from(a,J)};if(!v(u)){f({...p,stamp:X(c,l)});return}let m=Uint32Array.
of(J(o.dim)),d=X(c,l/3);f({colours:m,stamp:d,wanted:w=>!u[w]});let g=X(c,Math.max(l,.9));f({...p,stamp:g,wanted:w=>!!u[w]})}overlay(t,e){
let s=O(this.canvas);s.setTransform(1,0,0,1,0,0),s.drawImage(this.#t,0,0),s.scale(this.canvas.width/this.size.w,this.canvas.
width/this.size.w),this.drawMoving(s,t,e)}drawMoving(t,{theme:e,view:s},{lit:o,hovered:i,outline:a,cross:r}){let{x:c,y:l}=this.
screen,u=(f,p,m,d)=>Ft(t,e,{colour:d,width:m,halo:ze},()=>{t.arc(c[f],l[f],p,0,2*Math.PI)});Ht(t,{x:0,y:0,...this.size},
()=>{for(let f of o)f<s.n&&u(f,6,2,e.primary);s.picked&&u(s.picked.row,9,2.5,e.ink),i!==null&&u(i,7,1.5,e.ink),t.beginPath();
for(let f of a)t.lineTo(f.x,f.y);t.closePath(),t.fillStyle=x(e.primary,.12),t.strokeStyle=x(e.primary),t.lineWidth=1.5,t.
fill(),t.stroke(),r&&(t.strokeStyle=x(e.ink),t.lineWidth=1,t.beginPath(),t.moveTo(r.x-r.radius-6,r.y),t.lineTo(r.x+r.radius+
6,r.y),t.moveTo(r.x,r.y-r.radius-6),t.lineTo(r.x,r.y+r.radius+6),t.moveTo(r.x+r.radius,r.y),t.arc(r.x,r.y,r.radius,0,2*Math.
PI),t.stroke())})}};function je(n){let t=n.filter(({zoom:e})=>e===1).map(({text:e})=>e);return t.length?`Topics: ${t.join(
"; ")}`:null}var Be=10,He=4,Fe=3,Ve=.0015;function Xt(n,t){let e=[],s=!1,o=(r,c)=>t.canvas.addEventListener(r,c,{passive:!1}),i=()=>{
e=[],n.outline(t,[])},a=r=>{let[c,l]=[e[0],e[e.length-1]];if(s||=Jt(r,c)>He,!s)return;let{mode:u,cameras:f}=n.view,p=K(r,
t.size);if(u==="lasso"&&Jt(p,l)>=Fe&&e.push(p),u==="pan"){let m={x:r.x-l.x,y:r.y-l.y};n.moveCamera(t,Et(f[t.index],m,t.space,
t.size)),e=[c,r]}else n.outline(t,e)};o("pointerdown",r=>{r.button===0&&(t.canvas.setPointerCapture(r.pointerId),[e,s]=[
[ut(r)],!1],n.hover(null))}),o("pointermove",r=>{let c=ut(r);e.length?a(c):n.hover(Zt(t,c),t,c)}),o("pointerup",r=>{let c=e;
if(i(),!c.length)return;let{mode:l}=n.view;s?l==="lasso"&&n.select(Ut(t.screen,c),q(r)):n.pick(Zt(t,c[0]),t.index)}),o("\
pointercancel",i),o("pointerleave",()=>n.hover(null)),o("dblclick",()=>n.resetView(t)),o("wheel",r=>{r.preventDefault();
let c=r.deltaMode===WheelEvent.DOM_DELTA_LINE?16*r.deltaY:r.deltaY,l=n.view.cameras[t.index],u=Math.exp(-c*Ve);n.moveCamera(
t,H(l,u,ut(r),t.space,t.size))})}function Zt({screen:n,size:t},e){let s=G(n,e,Be,t);return s<0?null:s}function ut({offsetX:n,
offsetY:t}){return{x:n,y:t}}function Jt(n,t){return Math.hypot(n.x-t.x,n.y-t.y)}var ft=14,tt=class{value=h("div",{class:"value"});text=h("div",{class:"text"});element=h("div",{class:"tooltip",hidden:""},
[this.text,this.value]);show(t,e,s){this.text.textContent=t,this.value.textContent=e,this.element.hidden=!1;let o=this.element.
parentElement.getBoundingClientRect();this.element.style.maxWidth=`${Math.min(340,o.width-2)}px`;let{offsetWidth:i,offsetHeight:a}=this.
element,r=Qt(s.x-o.left,i,o.width),c=Qt(s.y-o.top,a,o.height);this.element.style.transform=`translate(${r}px, ${c}px)`}hide(){
this.element.hidden=!0}};function Qt(n,t,e){let s=n+ft+t<=e?n+ft:n-ft-t;return Math.max(0,Math.min(s,e-t))}function te(n,t){let e=t.columns[0]?.name??"";if(!n||n.ids!==t.ids||n.n!==t.n)return{ids:t.ids,n:t.n,cameras:t.panes.map(
()=>E),linked:!0,named:!0,mode:"lasso",column:e,selected:new Uint8Array(t.n),picked:null,search:""};let{cameras:s,linked:o,
picked:i,column:a}=n;return{...n,cameras:t.panes.map((r,c)=>s[c]??(o?s[0]:E)),column:t.columns.some(({name:r})=>r===a)?a:
e,picked:i&&{...i,pane:i.pane<t.panes.length?i.pane:0}}}var qe=120,[Ge,Ke]=[900,560],et=class{#t=new Z(this);#e=new S(qe);#s=new tt;#i=0;#r=null;#o={pane:null,points:[]};#h=null;#n={
wall:null,lit:[],view:null,calls:0};#u=()=>{};#f=h("div",{class:"legend",role:"group","aria-label":"Legend"});#m=h("p",{
class:"status",role:"status"});#x=new j((t,e)=>this.pick(t,e));#a=h("div",{class:"panes"});#w=new ResizeObserver(()=>this.#b());announcer=new U;controls=new V(
this);panes=[];data=null;view=null;theme=null;colouring=null;colours=[];constructor(t){this.root=t;let e=h("div",{class:"\
above"},[this.#m,this.#f]),s=h("div",{class:"stage"},[this.#a,this.#s.element]);t.append(this.controls.element,e,s,this.
announcer.element,this.#x.element)}get lit(){let{picked:t}=this.view;return this.data.neighbours.length?t?this.panes.map(
(e,s)=>B(this.data,s,t.row)):[]:this.#n.lit}textOf(t){return b(this.data,t)}load(t,e){this.#u=e;let s=At(t);this.data?.content!==
s.content&&this.#v(s),this.theme=gt(this.root),this.#n.wall=this,this.#y(),this.#w.observe(this.#a),this.root.dataset.ready=
String(s.n)}#v(t){this.#n=Bt(t.key);let e=this.#n.view;this.data=t,this.view=this.#n.view=te(e,t),[this.#r,this.#h,this.#o]=
[null,null,{pane:null,points:[]}],this.controls.say(""),this.panes=t.panes.map((s,o)=>new Q(s,o,t.n));for(let s of this.
panes)this.#k(s);this.#a.replaceChildren(...this.panes.map(({element:s})=>s)),e&&(v(e.selected)||e.picked)&&this.#g()}#k(t){
Xt(this,t);let e=o=>{this.#h=o,this.#l()},{canvas:s}=t;s.addEventListener("pointerdown",()=>e(null)),s.addEventListener(
"focus",()=>s.matches(":focus-visible")&&e(t)),s.addEventListener("blur",()=>e(null)),s.addEventListener("keydown",o=>{e(
t),this.#t.press(t,o)})}focusPane(t){this.panes[(t+this.panes.length)%this.panes.length].canvas.focus()}#c(t){this.view=
this.#n.view={...this.view,...t}}set(t){this.#c(t),t.column===void 0?this.#d():this.#y()}search(t){if(!t){this.clear();return}
let e=Tt(this.data,t);this.select(e,T,t),this.controls.say(`${M(v(e))} found`)}close(){this.#w.disconnect(),this.#e.stop(),
this.announcer.stop(),cancelAnimationFrame(this.#i),this.#n.wall===this&&(this.#n.wall=null)}clear(){this.#c({picked:null}),
this.select(new Uint8Array(this.view.n),T),this.announcer.say("Nothing is selected")}select(t,e,s=""){this.#c({selected:Rt(
this.view.selected,t,e),search:s}),this.controls.say(""),this.#d(),this.#g()}pick(t,e){this.#c({picked:t===null?null:{row:t,
pane:e}}),this.#l(),this.#g(),t!==null&&this.announcer.say(`Picked: ${this.textOf(t)}`)}hover(t,e,s){if(!(t===null&&this.#r===
null)){if(this.#r=t,t!==null&&e&&s){let{left:o,top:i}=e.canvas.getBoundingClientRect(),a={x:o+s.x,y:i+s.y};this.#s.show(
this.textOf(t),kt(this.colouring,e.index,t),a)}else this.#s.hide();this.#l()}}outline(t,e){this.#o={pane:t,points:e},this.#l()}resetView(t){
this.moveCamera(t,E)}reset(){this.#c({cameras:this.panes.map(()=>E)}),this.#p()}moveCamera({index:t},e){let{cameras:s,linked:o}=this.
view;this.#c({cameras:s.map((i,a)=>o||a===t?e:i)}),this.hover(null),cancelAnimationFrame(this.#i),this.#i=requestAnimationFrame(
()=>this.#p())}light(t){this.#n.lit=t,this.#l()}#y(){let{columns:t,n:e}=this.data,s={name:"",unit:"",labels:[""],rows:[new Float32Array(
e)]},o=t.find(({name:i})=>i===this.view.column)??s;this.colouring=yt(o,this.panes.length),this.colours=bt(this.colouring.
kind,this.theme),jt(this.#f,this,(i,a)=>this.select(i,a)),this.#b()}#b(){let t=this.#a.clientWidth,e=this.panes.length,s=t>=
Ge?3:t>=Ke?2:1;this.#a.style.setProperty("--across",String(Math.ceil(e/Math.ceil(e/s)))),this.#a.classList.toggle("alone",
e===1);for(let o of this.panes)o.measure();this.#p()}#p(){for(let t of this.panes)t.project(this.view.cameras[t.index]);
this.#d()}#d(){let{selected:t,n:e,column:s,mode:o}=this.view,i=v(t);this.controls.show(this.view,this.data);for(let a of this.
panes)a.draw(this);this.#m.textContent=`${M(i)} of ${M(e)} rows selected`,Object.assign(this.root.dataset,{selected:i,colour:s,
mode:o}),this.#l()}#l(){let{lit:t}=this;for(let e of this.panes)e.overlay(this,{lit:t[e.index]??[],hovered:this.#r,outline:this.#o.
pane===e?this.#o.points:[],cross:this.#h===e?this.#t.cross(e):null});this.root.dataset.picked=String(this.view.picked?.row??
""),this.root.dataset.lit=t.map(e=>e.length).join(" "),this.#x.show(this.data,this.view)}#g(){this.#e.call(()=>this.#u(Pt(
this.view)))}};var $n=dt({name:"wall",show:n=>new et(n),state:"report",file:{data:n=>n},cell:{trait:"payload",data:n=>{let{buffer:t,byteOffset:e,
byteLength:s}=n;return new Uint8Array(t,e,s)},traits:(n,{view:{selected:t,picked:e}})=>({selected:[...t.keys()].filter(s=>t[s]),
picked:e?.row??null})}});export{$n as default};
