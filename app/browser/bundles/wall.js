function h(s,{text:t,...e}={},n=[]){let o=document.createElement(s);for(let[r,a]of Object.entries(e))typeof a=="function"?
o.addEventListener(r.slice(2),a):a!==null&&o.setAttribute(r,String(a));return t!==void 0&&(o.textContent=t),o.append(...n),
o}function k(s,t,e){return h("button",{type:"button",text:s,title:t,onclick:e})}function $(s,t,e=""){let n=h("span",{text:s});
t instanceof HTMLSelectElement&&(t.ariaLabel=s);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return h("label",
{title:e||null},o?[t,n]:[n,t])}function _(s,t){let e=URL.createObjectURL(s);h("a",{href:e,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(e),1e4)}function M(s){return s.toLocaleString("en")}function O(s){return s.getContext("2d")}function wt(s){let t=globalThis.document?.querySelector("script#payload");t&&re(s,t.textContent??"");let e=ie(s);return n=>n?
e(n):{render:o=>ae(s,o)}}function oe(s,t){s.calls+=1;let e=s.calls;return()=>{s.calls===e&&t()}}function ie({name:s,state:t,
show:e}){let n=new WeakMap;return({data:o,parentElement:r,setStateValue:a})=>{let i=r.querySelector(`.${s}`),c=n.get(i)??
{shown:e(i),calls:0};return n.set(i,c),c.shown.load(o,l=>a(t,l)),oe(c,()=>c.shown.close?.())}}function re({name:s,show:t,
file:e},n){if(!e)return;let o=t(document.querySelector(`.${s}`)),r=Uint8Array.from(atob(n.trim()),i=>i.charCodeAt(0)),a=()=>o.
load(e.data(r),e.told??(()=>{}));a(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function ae({
name:s,show:t,cell:e},{model:n,el:o}){if(!e)return;let[r,a]=[h("div"),h("div",{class:s})],i=h("style",{text:String(n.get(
"sheet"))});r.attachShadow({mode:"open"}).append(i,a),o.append(r);let c=t(a),l=()=>c.load(e.data(n.get(e.trait)),u=>{for(let[
f,p]of Object.entries(e.traits(u,c)))n.set(f,p);n.save_changes()});return l(),n.on(`change:${e.trait}`,l),()=>{n.off(`ch\
ange:${e.trait}`,l),c.close?.()}}var S=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(this.#e)}};var ce=300,U=class{#t=new S(ce);element=h("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var W=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function xt(s){
let t=getComputedStyle(s),e=(r,a)=>t.getPropertyValue(r).trim()||a,n=R(e("--st-background-color","#ffffff")),o=R(e("--st\
-text-color","#0b0b0e"));return{background:n,ink:o,dark:n[0]+n[1]+n[2]<o[0]+o[1]+o[2],muted:A(n,o,.72),line:A(n,o,.2),dim:A(
n,o,.3),missing:A(n,o,.5),primary:R(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function E(s,t){
let n=(t?.16+.84*s:.92*s)*(W.length-1),o=Math.min(Math.floor(n),W.length-2);return A(W[o],W[o+1],n-o)}function A(s,t,e){
let n=o=>Math.round(s[o]+(t[o]-s[o])*e);return[n(0),n(1),n(2)]}function w(s,t=1){return`rgb(${s.join(" ")} / ${100*t}%)`}
var D=null;function R(s){D??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),D.fillStyle=s,D.fillRect(
0,0,1,1);let[t,e,n]=D.getImageData(0,0,1,1).data;return[t,e,n]}var L=255,z=254,it=254,yt=["","#E69F00","#56B4E9","#009E73","#0072B2","#D55E00","#CC79A7"],j=yt.length;function bt(s){return Math.
round(Math.min(1,Math.max(0,s))*(it-1))}function vt(s,t){let e=Array.from({length:it},(n,o)=>s==="number"?E(o/(it-1),t.dark):
le(o%j,t));return e[z]=A(t.background,t.ink,.62),e[L]=t.missing,e}function le(s,t){return s===0?t.ink:R(yt[s])}var he=.01,ue=.99;function Mt(s,t){let e=s.rows.length>1,{kind:n,entries:o,slots:r,ranges:a}=s.labels.length?pe(s):fe(s.
rows),i=c=>Array.from({length:t},(l,u)=>c[e?u:0]);return{kind:n,entries:o,name:s.name,unit:s.unit,labels:s.labels,perPane:e,
values:i(s.rows),slots:i(r),ranges:i(a)}}function St({name:s,kind:t,unit:e,labels:n,values:o},r,a){if(!s)return"";let i=o[r][a];
return Number.isNaN(i)?`${s}: missing`:t==="category"?`${s}: ${n[i]}`:`${s}: ${H(i)}${e&&` ${e}`}`}function At({name:s,unit:t,
ranges:e},n){let{low:o,high:r,nMissing:a}=e[n],i=Number.isNaN(o)?["","no values"]:[o,r].map(l=>H(l,3)),c=a?"; grey: miss\
ing":"";return{ends:i,note:`${s}${t&&` (${t})`}, 1st to 99th percentile${c}`}}function H(s,t=4){return s.toLocaleString(
"en",{maximumSignificantDigits:t})}function fe(s){let t=s.map(me),e=s.map((n,o)=>{let{low:r,high:a}=t[o],i=a-r||1;return Uint8Array.
from(n,c=>Number.isNaN(c)?L:bt((c-r)/i))});return{kind:"number",entries:[],ranges:t,slots:e}}function me(s){let t=s.filter(
e=>!Number.isNaN(e)).sort();return{low:kt(t,he),high:kt(t,ue),nMissing:s.length-t.length}}function kt(s,t){if(!s.length)
return NaN;let e=t*(s.length-1),n=s[Math.floor(e)];return n+(s[Math.ceil(e)]-n)*(e%1)}function pe(s){let t=new Uint8Array(
s.labels.length).fill(z),e=de(s);e.forEach((a,i)=>{t[a]=i});let n=e.map(a=>({slot:t[a],text:s.labels[a]})),o=s.labels.length-
e.length;o&&n.push({slot:z,text:`other (${o} more)`}),s.rows.some(a=>a.some(Number.isNaN))&&n.push({slot:L,text:"missing"});
let r=s.rows.map(a=>Uint8Array.from(a,i=>Number.isNaN(i)?L:t[i]));return{kind:"category",entries:n,slots:r,ranges:[]}}function de(s){
let t=s.labels.map((n,o)=>o);if(t.length<=j)return t;let e=ge(s);return t.sort((n,o)=>e[o]-e[n]||n-o),t.slice(0,j).sort(
(n,o)=>n-o)}function ge(s){let t=new Uint32Array(s.labels.length);for(let e of s.rows)for(let n of e)Number.isNaN(n)||(t[n]+=
1);return t}function Ot(s){let t=s.slice(),e=4+new DataView(t.buffer).getUint32(0,!0);return{header:JSON.parse(B(t.subarray(4,e))),body:e,
bytes:t}}var we=new TextDecoder;function B(s){return we.decode(s)}function Et(s){let{header:t,body:e,bytes:n}=Ot(s),o=new DataView(n.buffer).getUint32(n.length-4,!0),r=l=>new Float32Array(
n.buffer,e+l,t.n),a=l=>({...l,planes:l.planes.map(r)}),i=l=>({...l,rows:l.rows.map(r)}),c=({k:l,rows:u,values:f})=>({k:l,
rows:new Uint32Array(n.buffer,e+u,t.n*l),values:new Float32Array(n.buffer,e+f,t.n*l)});return{key:B(n.subarray(n.length-
4-o,n.length-4)),content:t.content,ids:t.ids,caption:t.caption,n:t.n,panes:t.panes.map(a),columns:t.columns.map(i),neighbours:t.
neighbours.map(c),textOffsets:new Uint32Array(n.buffer,e+t.text_offsets,t.n+1),textBytes:n.subarray(e+t.text_bytes,n.length-
4-o)}}function b({textBytes:s,textOffsets:t},e){return B(s.subarray(t[e],t[e+1]))}var xe=/^'*[=+\-@\t\r]/;function Ct(s,t){_(new Blob([ye(s,t)],{type:"text/csv"}),"selection.csv")}function ye(s,t){let e=s.
columns.flatMap(r=>r.rows.map((a,i)=>({header:be(r,r.rows.length>1?s.panes[i].name:""),cell:c=>ve(r,a[c])}))),n=["row","\
text",...e.map(r=>r.header)].map(rt),o=t.map(r=>[String(r),rt(b(s,r)),...e.map(({cell:a})=>a(r))]);return[n,...o].map(r=>`${r.
join(",")}\r
`).join("")}function be({name:s,unit:t},e){return`${s}${t&&` (${t})`}${e&&`, ${e}`}`}function ve({labels:s},t){return Number.
isNaN(t)?"":s.length?rt(s[t]):String(Number(t.toPrecision(7)))}function rt(s){return`"${(xe.test(s)?`'${s}`:s).replaceAll(
'"','""')}"`}var at=200,F=class{#t=h("section");#e=h("section");#s;#i=[];element=h("div",{class:"beside"},[this.#t,this.#e]);constructor(t){
this.#s=t}show(t,e){this.element.hidden=!t.neighbours.length;let n=[t.content,e.picked,e.selected];this.element.hidden||
n.every((o,r)=>o===this.#i[r])||(this.#i=n,this.#t.replaceChildren(...this.#r(t,e.picked)),this.#e.replaceChildren(...ke(
t,e)))}#r(t,e){let n=h("h2",{text:"Neighbours"});if(!e)return[n,h("p",{text:"Click a point to list its nearest rows in t\
he full space of every pane."})];let o=new Set(G(t,0,e.row)),r=t.panes.map((c,l)=>this.#o(t,l,e.row,o)),{name:a}=t.panes[0],
i=`New: no neighbour in ${a}. Neighbours are ringed in the panes.`;return[n,h("p",{class:"picked",text:b(t,e.row)}),h("d\
iv",{class:"lists"},r),h("p",{text:i})]}#o(t,e,n,o){let{k:r,values:a}=t.neighbours[e],i=G(t,e,n).map((u,f)=>{let p=k(b(t,
u),"Pick this row",()=>this.#s(u,e)),m=h("span",{class:"value",text:H(a[n*r+f])}),d=o.has(u)?[]:[h("strong",{text:"new"})];
return h("li",{},[h("span",{class:"near"},[m,p,...d])])}),{name:c,badge:l}=t.panes[e];return h("div",{},[h("h3",{text:c,
title:l}),h("ol",{},i)])}};function G(s,t,e){let{k:n,rows:o}=s.neighbours[t];return[...o.subarray(e*n,(e+1)*n)]}function ke(s,{
selected:t}){let e=h("h2",{text:"Selection"}),n=[...t.keys()].filter(i=>t[i]);if(!n.length)return[e,h("p",{text:"Draw a \
lasso, search, or click a colour of the legend to list its rows here."})];let o=n.slice(0,at).map(i=>h("li",{text:b(s,i)})),
r=n.length>at?`the first ${at} of `:"",a=()=>Ct(s,n);return[e,h("p",{text:`Listed: ${r}${M(n.length)} selected rows.`}),
k("Save the rows (CSV)","Save all selected rows with every column",a),h("ul",{class:"rows",tabindex:0},o)]}var[Me,Se]=[.2,500],C={zoom:1,x:0,y:0};function Nt(s){let t=s.map(Ae),e=t.map(([r,a])=>(r+a)/2),n=t.map(([r,a])=>(a-r)/2),
o=Math.max(...n)||1;return{centres:e,unit:o,planes:s.map((r,a)=>r.map(i=>(i-e[a])/o)),half:n.map(r=>Math.max(r/o,.001))}}
function $t(s,t){let e=t.centres.map((n,o)=>Float32Array.from(s,({place:r})=>(r[o]-n)/t.unit));return{...t,planes:e}}function ct({
half:s},{zoom:t},e){return .92*t*Math.min(e.w/(2*s[0]),e.h/(2*s[1]))}function lt(s,t,e){let n=ct(s,t,e),[o,r]=[e.w/2-t.x*
n,e.h/2+t.y*n],[a,i]=s.planes,[c,l]=[new Float32Array(a.length),new Float32Array(i.length)];for(let u=0;u<a.length;u++)c[u]=
o+n*a[u],l[u]=r-n*i[u];return{x:c,y:l}}function V(s,t,e,n,o){let r=Math.min(Se,Math.max(Me,s.zoom*t)),[a,i]=[s,{zoom:r}].
map(c=>ct(n,c,o));return{zoom:r,x:s.x+(e.x-o.w/2)*(1/a-1/i),y:s.y-(e.y-o.h/2)*(1/a-1/i)}}function Rt(s,t,e,n){let o=ct(e,
s,n);return{...s,x:s.x-t.x/o,y:s.y+t.y/o}}function Ae(s){let[t,e]=[1/0,-1/0];for(let n of s)n<t&&(t=n),n>e&&(e=n);return[
t,e]}var T=2,q=16,Lt=17,Oe=".legend, .pane :is(.name, .badge, .axis, .own-scale)";function Tt(s){Ee(s).toBlob(t=>{t&&_(t,"wal\
l.png")},"image/png")}function Ee(s){let{root:t,theme:e,data:n,panes:o,lit:r}=s,a=h("canvas"),i=O(a),c=`11.5px ${e.font}`;
i.font=c;let l=Ce([...t.querySelectorAll(".panes, .legend:not([hidden])")]),u=Le(i,n.caption,l.width);a.width=T*(l.width+
2*q),a.height=T*(l.height+2*q+Lt*u.length),i.fillStyle=w(e.background),i.fillRect(0,0,a.width,a.height),i.scale(T,T),i.translate(
q-l.left,q-l.top);for(let f of o){let p=h("canvas");f.paint(p,s,T);let m={lit:r[f.index]??[],hovered:null,outline:[],cross:null};
f.drawMoving(O(p),s,m);let{left:d,top:g,width:x,height:N}=f.canvas.getBoundingClientRect();i.drawImage(p,d,g,x,N),i.strokeStyle=
w(e.line),i.strokeRect(d-.5,g-.5,x+1,N+1)}for(let f of t.querySelectorAll(Oe))Ne(i,e,f);return i.font=c,i.fillStyle=w(e.
muted),u.forEach((f,p)=>{i.fillText(f,l.left,l.top+l.height+Lt*(p+1))}),a}function Ce(s){let t=s.map(l=>l.getBoundingClientRect()),
[e,n]=[t.map(l=>l.left),t.map(l=>l.top)],[o,r]=[t.map(l=>l.right),t.map(l=>l.bottom)],a={left:Math.min(...e),top:Math.min(
...n)},[i,c]=[Math.max(...o)-a.left,Math.max(...r)-a.top];return{...a,width:i,height:c}}function Ne(s,t,e){let n=getComputedStyle(
e).writingMode!=="horizontal-tb";for(let o of[e,...e.querySelectorAll("*")]){let{left:r,top:a,width:i,height:c}=o.getBoundingClientRect(),
{font:l,color:u,backgroundColor:f,textAlign:p}=getComputedStyle(o);if(s.save(),o.matches(".bar, .swatch")){let m=()=>$e(
s,t,r,i);s.fillStyle=o.matches(".bar")?m():f,s.fillRect(r,a,i,c)}else if(!o.childElementCount){let m=p==="center";Object.
assign(s,{font:l,fillStyle:u,textBaseline:"middle"}),s.textAlign=m?"center":"left",s.translate(r+(m?i/2:0),a+c/2),n&&s.rotate(
-Math.PI/2),s.fillText(Re(s,o.textContent??"",n?c:i),0,0)}s.restore()}}function $e(s,t,e,n){let o=s.createLinearGradient(
e,0,e+n,0);for(let r=0;r<=12;r++)o.addColorStop(r/12,w(E(r/12,t.dark)));return o}function Re(s,t,e){let n=e+1;if(s.measureText(
t).width<=n)return t;let o=t.length-1;for(;o>0&&s.measureText(`${t.slice(0,o)}…`).width>n;)o--;return`${t.slice(0,o)}…`}
function Le(s,t,e){let n=[];for(let o of t.split(" ").filter(Boolean)){let r=n.length?`${n.at(-1)} ${o}`:o;n.length&&s.measureText(
r).width<=e?n.splice(-1,1,r):n.push(o)}return n}var Te=[["lasso","Lasso","Drag around rows to select them in all panes; Shift adds, Alt removes"],["pan","Pan","Drag to \
move the picture; the wheel zooms in every mode"]],Ie=250,Pe="Name regions of each picture by their distinctive words; z\
oom in for finer ones",K=class{message=h("span",{class:"message",role:"status"});constructor(t){let e=new S(Ie);this.modes=
Te.map(([o,r,a])=>{let i=k(r,a,()=>t.set({mode:o}));return i.dataset.mode=o,i}),this.link=h("input",{type:"checkbox",onchange:()=>t.
set({linked:this.link.checked})}),this.named=h("input",{type:"checkbox",onchange:()=>t.set({named:this.named.checked})}),
this.column=h("select",{onchange:()=>t.set({column:this.column.value})}),this.text=h("input",{type:"search",maxlength:200,
placeholder:"Words in the text",oninput:()=>e.call(()=>t.search(this.text.value))});let n={class:"modes",role:"group","a\
ria-label":"What dragging does"};this.element=h("div",{class:"controls"},[h("div",n,this.modes),$("Link zoom",this.link,
"Zoom and move all panes together"),$("Topic names",this.named,Pe),k("Reset view","Show every row again; a double click \
does so too",()=>t.reset()),k("Clear","Select no row; Escape does so too",()=>t.clear()),k("Save picture (PNG)","Save th\
e panes and the legend as an image",()=>Tt(t)),$("Colour",this.column,"What the colour of a row stands for"),$("Search",
this.text,"Select the rows whose text holds this, whatever the case"),this.message])}say(t){this.message.textContent=t}show(t,{
panes:e,columns:n}){for(let r of this.modes)r.setAttribute("aria-pressed",String(r.dataset.mode===t.mode));this.link.checked=
t.linked,this.named.checked=t.named,this.column.replaceChildren(...n.map(({name:r})=>h("option",{value:r,text:r}))),this.
column.value=t.column;let o=e.some(({topics:r})=>r.length);this.named.closest("label")?.toggleAttribute("hidden",!o),this.
column.closest("label")?.toggleAttribute("hidden",!n.length),this.text.matches(":focus")||(this.text.value=t.search)}};var It={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var I="replace",P="add",ht="remove";function Y(s){return s.altKey?ht:s.shiftKey?P:I}function Pt(s,t,e){if(e===I)return t;
let n=e===P?1:0;return s.map((o,r)=>t[r]?n:o)}function v(s){let t=0;for(let e of s)t+=e;return t}function _t(s,t){let e=t.
toLowerCase();return new Uint8Array(s.n).map((n,o)=>Number(b(s,o).toLowerCase().includes(e)))}function Ut({ids:s,selected:t,
picked:e}){let n=v(t)?_e(t):null;return{ids:s,selected:n,picked:e?.row??null,pane:e?.pane??null}}function _e(s){let t=new Uint8Array(
Math.ceil(s.length/8));s.forEach((n,o)=>{t[o>>3]|=n<<(o&7)});let e="";for(let n of t)e+=String.fromCharCode(n);return btoa(
e)}function Dt(s,t){let[e,n]=Wt(t.map(({x:a})=>a)),[o,r]=Wt(t.map(({y:a})=>a));return jt(s,(a,i)=>a>=e&&a<=n&&i>=o&&i<=r&&Ue(
t,a,i))}function zt(s,t,e,{w:n,h:o}){return jt(s,(r,a)=>Math.hypot(r-t.x,a-t.y)<=e&&r>=0&&r<=n&&a>=0&&a<=o)}function jt({
x:s,y:t},e){let n=new Uint8Array(s.length);for(let o=0;o<n.length;o++)e(s[o],t[o])&&(n[o]=1);return n}function X({x:s,y:t},e,n,o){
let[r,a]=[-1,n*n];for(let i=0;i<s.length;i++){let c=(s[i]-e.x)**2+(t[i]-e.y)**2;c>a||!ut(o,{x:s[i],y:t[i]})||(r=i,a=c)}return r}
function ut({w:s,h:t},{x:e,y:n}){return e>=0&&e<=s&&n>=0&&n<=t}function Z({x:s,y:t},{w:e,h:n}){return{x:Math.min(e,Math.
max(0,s)),y:Math.min(n,Math.max(0,t))}}function Ue(s,t,e){let n=!1;for(let o=0,r=s.length-1;o<s.length;r=o++){let[a,i]=[
s[o],s[r]];a.y>e!=i.y>e&&t<(i.x-a.x)*(e-a.y)/(i.y-a.y)+a.x&&(n=!n)}return n}function Wt(s){return[Math.min(...s),Math.max(
...s)]}var Ht="Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. Brackets change the circle. Spac\
e adds the rows in the circle to the selection, Shift and Space removes them. Enter picks the nearest row, Escape clears\
. N and P go to the next and the previous pane.",[We,De]=[16,2],J=1.25,Q=class{#t;#e=[];#s=24;constructor(t){this.#t=t}cross({
index:t,size:e}){let{x:n,y:o}=this.#e[t]??{x:.5,y:.5};return{x:n*e.w,y:o*e.h,radius:this.#s}}press(t,e){if(e.ctrlKey||e.
metaKey)return;let n=this.#i(t,e.shiftKey)[e.key.toLowerCase()];n&&(e.preventDefault(),n())}#i(t,e){let n=this.#t,o=e?De:
We,r=Object.entries(It).map(([c,[l,u]])=>[c.toLowerCase(),()=>this.#r(t,l*o,-u*o)]),[a,i]=[J,1/J].map(c=>()=>this.#h(t,c));
return{...Object.fromEntries(r),"+":a,"=":a,"-":i,_:i,"[":()=>this.#o(t,1/J),"]":()=>this.#o(t,J)," ":()=>this.#n(t,e?ht:
P),enter:()=>n.pick(this.#f(t,1/0),t.index),escape:()=>n.clear(),n:()=>n.focusPane(t.index+1),p:()=>n.focusPane(t.index-
1)}}#r(t,e,n){let{index:o,size:r}=t,{x:a,y:i}=this.cross(t),c=Z({x:a+e,y:i+n},r);this.#e[o]={x:c.x/r.w,y:c.y/r.h},this.#m(
t)}#o(t,e){this.#s=Math.min(200,Math.max(4,this.#s*e)),this.#m(t)}#h(t,e){let n=this.#t.view.cameras[t.index];this.#t.moveCamera(
t,V(n,e,this.cross(t),t.space,t.size))}#n(t,e){let n=this.#u(t);this.#t.select(n,e),this.#t.announcer.say(`${v(n)} rows \
in the circle ${e===P?"added":"removed"}`)}#u(t){return zt(t.screen,this.cross(t),this.#s,t.size)}#f(t,e){let n=X(t.screen,
this.cross(t),e,t.size);return n<0?null:n}#m(t){let e=this.#f(t,this.#s);this.#t.hover(e,t,this.cross(t));let n=e===null?
"":`; nearest: ${this.#t.textOf(e)}`;this.#t.announcer.say(`${v(this.#u(t))} rows in the circle${n}`)}};var Bt=12;function Ft(s,{colouring:t,colours:e,theme:n},o){let{kind:r,perPane:a,name:i}=t;if(s.hidden=r==="number"&&a||!i,
s.hidden)s.replaceChildren();else if(r==="number")s.replaceChildren(...ft(t,n,0));else{let c=t.entries.map(({slot:l,text:u})=>{
let f=h("span",{class:"swatch","aria-hidden":"true"});f.style.background=w(e[l]);let p=g=>o(ze(t,l),Y(g)),m=`Select the \
rows of ${u}; Shift adds them, Alt removes them`,d=h("span",{class:"entry-text",text:u});return h("button",{type:"button",
class:"entry",title:m,onclick:p},[f,d])});s.replaceChildren(h("span",{text:i}),...c)}}function ft(s,t,e){let{ends:n,note:o}=At(
s,e),r=Array.from({length:Bt},(l,u)=>w(E(u/(Bt-1),t.dark))),a=h("span",{class:"bar","aria-hidden":"true"});a.style.background=
`linear-gradient(to right, ${r.join(", ")})`;let[i,c]=n.map(l=>h("span",{text:l}));return[h("span",{text:o}),h("span",{class:"\
scale"},[i,a,c])]}function ze({slots:s},t){return s[0].map((e,n)=>Number(s.some(o=>o[n]===t)))}function Gt(s){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(s);if(t)return t;let e={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(s,e),e}function Vt(s,{x:t,y:e,w:n,h:o},r){s.save(),s.beginPath(),s.rect(t,e,n,o),s.clip(),r(),s.restore()}function qt(s,t,{colour:e,
width:n,halo:o},r){let a=[[t.background,n+o],[e,n]];for(let[i,c]of a)s.beginPath(),r(),s.lineWidth=c,s.strokeStyle=w(i),
s.stroke()}function Kt(s,t){return(e,n,o,{align:r="left",colour:a=t.muted,weight:i=400,halo:c=!1}={})=>{s.font=`${i} 11.\
5px ${t.font}`,s.textAlign=r,s.fillStyle=w(a),c&&(s.strokeStyle=w(t.background),s.lineWidth=4,s.lineJoin="round",s.strokeText(
e,n,o)),s.fillText(e,n,o)}}function tt([s,t,e]){return(4278190080|e<<16|t<<8|s)>>>0}function Yt({n:s},t){return{radius:Math.min(4,Math.max(.9,4*(300/
s)**.25))*t,opacity:Math.min(.9,Math.max(.35,.9*(2e3/s)**.25))}}function et(s,t){let e=Math.ceil(s+.5),n=[];for(let o=-e;o<=
e;o++)for(let r=-e;r<=e;r++){let a=Math.min(1,Math.max(0,s+.5-Math.hypot(r,o))),i=Math.round(256*a*t);i&&n.push({dx:r,dy:o,
weight:i})}return{reach:e,covered:n}}function Xt(s,t,e,n,{slots:o,colours:r,stamp:a,wanted:i}){let c=s.length/t,{reach:l,
covered:u}=a,f=Int32Array.from(u,({dx:m,dy:d})=>d*t+m),p=Int32Array.from(u,({weight:m})=>m);for(let m=0;m<e.x.length;m++){
if(i&&!i(m))continue;let[d,g]=[Math.floor(e.x[m]*n),Math.floor(e.y[m]*n)];if(!(d>=0&&g>=0&&d<t&&g<c))continue;let x=d>=l&&
g>=l&&d+l<t&&g+l<c,N=r[o?o[m]:0];for(let y=0;y<f.length;y++){if(!x){let[dt,gt]=[d+u[y].dx,g+u[y].dy];if(dt<0||gt<0||dt>=
t||gt>=c)continue}je(s,g*t+d+f[y],N,p[y])}}}function je(s,t,e,n){let o=s[t],r=256-n,a=Math.imul(e&16711935,n)+Math.imul(
o&16711935,r)>>>8,i=Math.imul(e&65280,n)+Math.imul(o&65280,r)>>>8;s[t]=4278190080|a&16711935|i&65280}var Zt={height:16,apart:4};function Jt(s,t,e,n,o,r){let a=Kt(s,t),i={colour:t.ink,weight:600,halo:!0};a("",0,0,i);let c=l=>s.
measureText(l).width;for(let{text:l,x:u,y:f}of Be(e,n,o,r,c))a(l,u,f+Zt.height-4,i)}function He(s,t){let e=s.map(n=>n.zoom).
filter(n=>n<=Math.max(1,t));return Math.max(...e)}function Be(s,t,e,n,o){let{height:r,apart:a}=Zt,i=He(s,t),c=(u,f,p)=>Math.
min(p-f-a,Math.max(a,u-f/2)),l=[];return s.forEach(({text:u,zoom:f},p)=>{let m={x:e.x[p],y:e.y[p]};if(f!==i||!ut(n,m))return;
let d=o(u),[g,x]=[c(m.x,d,n.w),c(m.y,r,n.h)];l.every(y=>g>=y.x+y.w+a||y.x>=g+d+a||Math.abs(x-y.y)>=r+a)&&d+2*a<=n.w&&l.push(
{text:u,x:g,y:x,w:d})}),l}var Fe=2.5,st=class{#t=h("canvas");size={w:1,h:1};constructor(t,e,n){this.data=t,this.index=e,this.space=Nt(t.planes),this.
topicSpace=$t(t.topics,this.space),this.screen={x:new Float32Array(n),y:new Float32Array(n)},this.topicScreen=this.screen;
let[o,r]=t.axes;this.canvas=h("canvas",{tabindex:0,role:"application","aria-label":`${t.name}. ${t.badge}. ${M(n)} rows.\
 ${Ht}`,"aria-description":Ge(t.topics)}),this.plot=h("div",{class:"plot"},[this.canvas]),this.scale=h("div",{class:"own\
-scale"}),this.element=h("figure",{class:"pane"},[h("figcaption",{},[h("strong",{class:"name",text:t.name,title:t.name}),
h("span",{class:"badge",text:t.badge,title:t.badge})]),h("div",{class:"axis up",text:r}),this.plot,h("div",{class:"axis",
text:o}),this.scale])}measure(){this.size={w:Math.max(1,this.plot.clientWidth),h:Math.max(1,this.plot.clientHeight)}}project(t){
this.screen=lt(this.space,t,this.size),this.topicScreen=lt(this.topicSpace,t,this.size)}draw(t){this.paint(this.#t,t,devicePixelRatio||
1),Object.assign(this.canvas,{width:this.#t.width,height:this.#t.height});let{perPane:e,kind:n}=t.colouring,o=e&&n==="nu\
mber"?ft(t.colouring,t.theme,this.index):[];this.scale.replaceChildren(...o)}paint(t,e,n){let{view:o,theme:r}=e;t.width=
Math.round(this.size.w*n),t.height=Math.round(this.size.h*n);let a=O(t),i=new ImageData(t.width,t.height),c=new Uint32Array(
i.data.buffer).fill(tt(r.background));this.#e(c,t.width,e,n),a.putImageData(i,0,0),a.scale(n,n);let{zoom:l}=o.cameras[this.
index];o.named&&Jt(a,r,this.data.topics,l,this.topicScreen,this.size)}#e(t,e,{view:n,theme:o,colouring:r,colours:a},i){let{
radius:c,opacity:l}=Yt(n,i),{selected:u}=n,f=x=>Xt(t,e,this.screen,i,x),p={slots:r.slots[this.index],colours:Uint32Array.
from(a,tt)};if(!v(u)){f({...p,stamp:et(c,l)});return}let m=Uint32Array.of(tt(o.dim)),d=et(c,l/3);f({colours:m,stamp:d,wanted:x=>!u[x]});
let g=et(c,Math.max(l,.9));f({...p,stamp:g,wanted:x=>!!u[x]})}overlay(t,e){let n=O(this.canvas);n.setTransform(1,0,0,1,0,
0),n.drawImage(this.#t,0,0),n.scale(this.canvas.width/this.size.w,this.canvas.width/this.size.w),this.drawMoving(n,t,e)}drawMoving(t,{
theme:e,view:n},{lit:o,hovered:r,outline:a,cross:i}){let{x:c,y:l}=this.screen,u=(f,p,m,d)=>qt(t,e,{colour:d,width:m,halo:Fe},
()=>{t.arc(c[f],l[f],p,0,2*Math.PI)});Vt(t,{x:0,y:0,...this.size},()=>{for(let f of o)f<n.n&&u(f,6,2,e.primary);n.picked&&
u(n.picked.row,9,2.5,e.ink),r!==null&&u(r,7,1.5,e.ink),t.beginPath();for(let f of a)t.lineTo(f.x,f.y);t.closePath(),t.fillStyle=
w(e.primary,.12),t.strokeStyle=w(e.primary),t.lineWidth=1.5,t.fill(),t.stroke(),i&&(t.strokeStyle=w(e.ink),t.lineWidth=1,
t.beginPath(),t.moveTo(i.x-i.radius-6,i.y),t.lineTo(i.x+i.radius+6,i.y),t.moveTo(i.x,i.y-i.radius-6),t.lineTo(i.x,i.y+i.
radius+6),t.moveTo(i.x+i.radius,i.y),t.arc(i.x,i.y,i.radius,0,2*Math.PI),t.stroke())})}};function Ge(s){let t=s.filter(({
zoom:e})=>e===1).map(({text:e})=>e);return t.length?`Topics: ${t.join("; ")}`:null}var Ve=10,qe=4,Ke=3,Ye=.0015;function ee(s,t){let e=[],n=!1,o=(i,c)=>t.canvas.addEventListener(i,c,{passive:!1}),r=()=>{
e=[],s.outline(t,[])},a=i=>{let[c,l]=[e[0],e[e.length-1]];if(n||=te(i,c)>qe,!n)return;let{mode:u,cameras:f}=s.view,p=Z(i,
t.size);if(u==="lasso"&&te(p,l)>=Ke&&e.push(p),u==="pan"){let m={x:i.x-l.x,y:i.y-l.y};s.moveCamera(t,Rt(f[t.index],m,t.space,
t.size)),e=[c,i]}else s.outline(t,e)};o("pointerdown",i=>{i.button===0&&(t.canvas.setPointerCapture(i.pointerId),[e,n]=[
[mt(i)],!1],s.hover(null))}),o("pointermove",i=>{let c=mt(i);e.length?a(c):s.hover(Qt(t,c),t,c)}),o("pointerup",i=>{let c=e;
if(r(),!c.length)return;let{mode:l}=s.view;n?l==="lasso"&&s.select(Dt(t.screen,c),Y(i)):s.pick(Qt(t,c[0]),t.index)}),o("\
pointercancel",r),o("pointerleave",()=>s.hover(null)),o("dblclick",()=>s.resetView(t)),o("wheel",i=>{i.preventDefault();
let c=i.deltaMode===WheelEvent.DOM_DELTA_LINE?16*i.deltaY:i.deltaY,l=s.view.cameras[t.index],u=Math.exp(-c*Ye);s.moveCamera(
t,V(l,u,mt(i),t.space,t.size))})}function Qt({screen:s,size:t},e){let n=X(s,e,Ve,t);return n<0?null:n}function mt({offsetX:s,
offsetY:t}){return{x:s,y:t}}function te(s,t){return Math.hypot(s.x-t.x,s.y-t.y)}var pt=14,nt=class{value=h("div",{class:"value"});text=h("div",{class:"text"});element=h("div",{class:"tooltip",hidden:""},
[this.text,this.value]);show(t,e,n){this.text.textContent=t,this.value.textContent=e,this.element.hidden=!1;let o=this.element.
parentElement.getBoundingClientRect();this.element.style.maxWidth=`${Math.min(340,o.width-2)}px`;let{offsetWidth:r,offsetHeight:a}=this.
element,i=se(n.x-o.left,r,o.width),c=se(n.y-o.top,a,o.height);this.element.style.transform=`translate(${i}px, ${c}px)`}hide(){
this.element.hidden=!0}};function se(s,t,e){let n=s+pt+t<=e?s+pt:s-pt-t;return Math.max(0,Math.min(n,e-t))}function ne(s,t){let e=t.columns[0]?.name??"";if(!s||s.ids!==t.ids||s.n!==t.n)return{ids:t.ids,n:t.n,cameras:t.panes.map(
()=>C),linked:!0,named:!0,mode:"lasso",column:e,selected:new Uint8Array(t.n),picked:null,search:""};let{cameras:n,linked:o,
picked:r,column:a}=s;return{...s,cameras:t.panes.map((i,c)=>n[c]??(o?n[0]:C)),column:t.columns.some(({name:i})=>i===a)?a:
e,picked:r&&{...r,pane:r.pane<t.panes.length?r.pane:0}}}var Xe=120,[Ze,Je]=[900,560],ot=class{#t=new Q(this);#e=new S(Xe);#s=new nt;#i=0;#r=null;#o={pane:null,points:[]};#h=null;#n={
wall:null,lit:[],view:null,calls:0};#u=()=>{};#f=h("div",{class:"legend",role:"group","aria-label":"Legend"});#m=h("p",{
class:"status",role:"status"});#w=new F((t,e)=>this.pick(t,e));#a=h("div",{class:"panes"});#x=new ResizeObserver(()=>this.#b());announcer=new U;controls=new K(
this);panes=[];data=null;view=null;theme=null;colouring=null;colours=[];constructor(t){this.root=t;let e=h("div",{class:"\
above"},[this.#m,this.#f]),n=h("div",{class:"stage"},[this.#a,this.#s.element]);t.append(this.controls.element,e,n,this.
announcer.element,this.#w.element)}get lit(){let{picked:t}=this.view;return this.data.neighbours.length?t?this.panes.map(
(e,n)=>G(this.data,n,t.row)):[]:this.#n.lit}textOf(t){return b(this.data,t)}load(t,e){this.#u=e;let n=Et(t);this.data?.content!==
n.content&&this.#v(n),this.theme=xt(this.root),this.#n.wall=this,this.#y(),this.#x.observe(this.#a),this.root.dataset.ready=
String(n.n)}#v(t){this.#n=Gt(t.key);let e=this.#n.view;this.data=t,this.view=this.#n.view=ne(e,t),[this.#r,this.#h,this.#o]=
[null,null,{pane:null,points:[]}],this.controls.say(""),this.panes=t.panes.map((n,o)=>new st(n,o,t.n));for(let n of this.
panes)this.#k(n);this.#a.replaceChildren(...this.panes.map(({element:n})=>n)),e&&(v(e.selected)||e.picked)&&this.#g()}#k(t){
ee(this,t);let e=o=>{this.#h=o,this.#l()},{canvas:n}=t;n.addEventListener("pointerdown",()=>e(null)),n.addEventListener(
"focus",()=>n.matches(":focus-visible")&&e(t)),n.addEventListener("blur",()=>e(null)),n.addEventListener("keydown",o=>{e(
t),this.#t.press(t,o)})}focusPane(t){this.panes[(t+this.panes.length)%this.panes.length].canvas.focus()}#c(t){this.view=
this.#n.view={...this.view,...t}}set(t){this.#c(t),t.column===void 0?this.#d():this.#y()}search(t){if(!t){this.clear();return}
let e=_t(this.data,t);this.select(e,I,t),this.controls.say(`${M(v(e))} found`)}close(){this.#x.disconnect(),this.#e.stop(),
this.announcer.stop(),cancelAnimationFrame(this.#i),this.#n.wall===this&&(this.#n.wall=null)}clear(){this.#c({picked:null}),
this.select(new Uint8Array(this.view.n),I),this.announcer.say("Nothing is selected")}select(t,e,n=""){this.#c({selected:Pt(
this.view.selected,t,e),search:n}),this.controls.say(""),this.#d(),this.#g()}pick(t,e){this.#c({picked:t===null?null:{row:t,
pane:e}}),this.#l(),this.#g(),t!==null&&this.announcer.say(`Picked: ${this.textOf(t)}`)}hover(t,e,n){if(!(t===null&&this.#r===
null)){if(this.#r=t,t!==null&&e&&n){let{left:o,top:r}=e.canvas.getBoundingClientRect(),a={x:o+n.x,y:r+n.y};this.#s.show(
this.textOf(t),St(this.colouring,e.index,t),a)}else this.#s.hide();this.#l()}}outline(t,e){this.#o={pane:t,points:e},this.#l()}resetView(t){
this.moveCamera(t,C)}reset(){this.#c({cameras:this.panes.map(()=>C)}),this.#p()}moveCamera({index:t},e){let{cameras:n,linked:o}=this.
view;this.#c({cameras:n.map((r,a)=>o||a===t?e:r)}),this.hover(null),cancelAnimationFrame(this.#i),this.#i=requestAnimationFrame(
()=>this.#p())}light(t){this.#n.lit=t,this.#l()}#y(){let{columns:t,n:e}=this.data,n={name:"",unit:"",labels:[""],rows:[new Float32Array(
e)]},o=t.find(({name:r})=>r===this.view.column)??n;this.colouring=Mt(o,this.panes.length),this.colours=vt(this.colouring.
kind,this.theme),Ft(this.#f,this,(r,a)=>this.select(r,a)),this.#b()}#b(){let t=this.#a.clientWidth,e=this.panes.length,n=t>=
Ze?3:t>=Je?2:1;this.#a.style.setProperty("--across",String(Math.ceil(e/Math.ceil(e/n)))),this.#a.classList.toggle("alone",
e===1);for(let o of this.panes)o.measure();this.#p()}#p(){for(let t of this.panes)t.project(this.view.cameras[t.index]);
this.#d()}#d(){let{selected:t,n:e,column:n,mode:o}=this.view,r=v(t);this.controls.show(this.view,this.data);for(let a of this.
panes)a.draw(this);this.#m.textContent=`${M(r)} of ${M(e)} rows selected`,Object.assign(this.root.dataset,{selected:r,colour:n,
mode:o}),this.#l()}#l(){let{lit:t}=this;for(let e of this.panes)e.overlay(this,{lit:t[e.index]??[],hovered:this.#r,outline:this.#o.
pane===e?this.#o.points:[],cross:this.#h===e?this.#t.cross(e):null});this.root.dataset.picked=String(this.view.picked?.row??
""),this.root.dataset.lit=t.map(e=>e.length).join(" "),this.#w.show(this.data,this.view)}#g(){this.#e.call(()=>this.#u(Ut(
this.view)))}};var Un=wt({name:"wall",show:s=>new ot(s),state:"report",file:{data:s=>s},cell:{trait:"payload",data:s=>{let{buffer:t,byteOffset:e,
byteLength:n}=s;return new Uint8Array(t,e,n)},traits:(s,{view:{selected:t,picked:e}})=>({selected:[...t.keys()].filter(n=>t[n]),
picked:e?.row??null})}});export{Un as default};
