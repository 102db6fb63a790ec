function l(s,{text:t,...e}={},n=[]){let o=document.createElement(s);for(let[i,a]of Object.entries(e))typeof a=="function"?
o.addEventListener(i.slice(2),a):a!==null&&o.setAttribute(i,String(a));return t!==void 0&&(o.textContent=t),o.append(...n),
o}function w(s,t,e){return l("button",{type:"button",text:s,title:t,onclick:e})}function $(s,t,e=""){let n=l("span",{text:s});
t instanceof HTMLSelectElement&&(t.ariaLabel=s);let o=t instanceof HTMLInputElement&&t.type==="checkbox";return l("label",
{title:e||null},o?[t,n]:[n,t])}function L(s,t){let e=URL.createObjectURL(s);l("a",{href:e,download:t}).click(),setTimeout(
()=>URL.revokeObjectURL(e),1e4)}function S(s){return s.toLocaleString("en")}function C(s){return s.getContext("2d")}var Q=1;
function P(){return Math.max(Q,devicePixelRatio||1)}function dt(s,t){try{return Q=2,s(),t()}finally{Q=1,s()}}function gt(s){let t=atob(s),e=new Uint8Array(t.length);for(let n=0;n<t.length;n++)e[n]=t.charCodeAt(n);return e}var Qt=300,k=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},R=class{#t=new k(Qt);element=l("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var te=300,ee=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function xt(s,t){let e=new k(te),n=()=>{
location.hash&&(t.place=Number.parseInt(location.hash.slice(1),10)||0)};n(),addEventListener("hashchange",n);let o=()=>history.
replaceState(null,"",`#${t.place}`);new MutationObserver(()=>e.call(o)).observe(s,{attributes:!0})}function yt(s){document.
documentElement.classList.toggle("alone",ee),s.append(se(s))}function se(s){let t=l("input",{readonly:"","aria-label":"H\
TML that embeds the figure"}),e=w("Copy","Copy the line",()=>{t.select(),navigator.clipboard?.writeText(t.value)}),n=l("\
details",{class:"embed"},[l("summary",{text:"Embed this figure"}),t,e]);return n.addEventListener("toggle",()=>{let o=new URL(
`?only=figure${location.hash}`,location.href);t.value=`<iframe src="${o}" title="${document.title}" width="100%" height=\
"${s.offsetHeight}" style="border: 0" loading="lazy"></iframe>`}),n}var I=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function _(s){
let t=getComputedStyle(s),e=(i,a)=>t.getPropertyValue(i).trim()||a,n=T(e("--st-background-color","#ffffff")),o=T(e("--st\
-text-color","#0b0b0e"));return{background:n,ink:o,dark:n[0]+n[1]+n[2]<o[0]+o[1]+o[2],muted:A(n,o,.72),line:A(n,o,.2),dim:A(
n,o,.3),missing:A(n,o,.5),primary:T(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function N(s,t){
let n=(t?.16+.84*s:.92*s)*(I.length-1),o=Math.min(Math.floor(n),I.length-2);return A(I[o],I[o+1],n-o)}function A(s,t,e){
let n=o=>Math.round(s[o]+(t[o]-s[o])*e);return[n(0),n(1),n(2)]}function x(s,t=1){return`rgb(${s.join(" ")} / ${100*t}%)`}
var W=null;function T(s){W??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),W.fillStyle=s,W.fillRect(
0,0,1,1);let[t,e,n]=W.getImageData(0,0,1,1).data;return[t,e,n]}var U=100;function wt(s,t){dt(()=>s.draw(),()=>ne(s.parts)).toBlob(n=>n&&L(n,`${t}.png`))}function ne(s){let t=s.map(h=>h.
getBoundingClientRect()),e=P(),n=e*Math.max(...t.map(h=>h.width)),o=e*t.reduce((h,u)=>h+u.height,0),i=l("canvas",{width:Math.
ceil(n),height:Math.ceil(o)}),[a,r]=[C(i),_(s[0])];a.fillStyle=x(r.background),a.fillRect(0,0,n,o),a.scale(e,e);let c=0;
return s.forEach((h,u)=>{a.save(),a.translate(-t[u].left,c-t[u].top);for(let f of[h,...h.querySelectorAll("canvas, .swat\
ch, .bar")])oe(a,r,f);ie(a,h),a.restore(),c+=t[u].height}),i}function oe(s,t,e){let{left:n,top:o,width:i,height:a}=e.getBoundingClientRect();
if(!(!i||!a)){if(e instanceof HTMLCanvasElement)s.drawImage(e,n,o,i,a);else if(e.matches(".swatch"))s.fillStyle=getComputedStyle(
e).backgroundColor,s.fillRect(n,o,i,a);else if(e.matches(".scale .bar"))for(let r=0;r<U;r++)s.fillStyle=x(N(r/(U-1),t.dark)),
s.fillRect(n+r*i/U,o,i/U+.5,a)}}function ie(s,t){let[e,n]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(s.textAlign="center",s.textBaseline="middle";e.nextNode();){let o=e.currentNode,i=getComputedStyle(o.parentElement);
s.font=`${i.fontWeight} ${i.fontSize} ${i.fontFamily}`,s.fillStyle=i.color;for(let{0:a,index:r}of o.data.matchAll(/\S+/g)){
n.setStart(o,r),n.setEnd(o,r+a.length);let{left:c,top:h,width:u,height:f}=n.getBoundingClientRect();!u||!f||(s.save(),s.
translate(c+u/2,h+f/2),i.writingMode.startsWith("vertical")&&s.rotate(-Math.PI/2),s.fillText(a,0,0),s.restore())}}}function bt({show:s,...t}){let n={...t,show:a=>{let r=s(a);return re(r)&&a.append(w("Save PNG","Save the picture",()=>wt(
r,t.name))),r}},o=globalThis.document?.querySelector("script#payload");o&&ue(n,o.textContent??"");let i=he(n);return a=>a?
i(a):{render:r=>fe(n,r)}}function re(s){return"draw"in s&&"parts"in s}function ae(s){return"place"in s}function ce(s){return JSON.
parse(new TextDecoder().decode(s))}function le(s,t){s.calls+=1;let e=s.calls;return()=>{s.calls===e&&t()}}function he({name:s,
state:t,show:e}){let n=new WeakMap;return({data:o,parentElement:i,setStateValue:a})=>{let r=i.querySelector(`.${s}`),c=n.
get(r)??{shown:e(r),calls:0};return n.set(r,c),c.shown.load(o,h=>a(t,h)),le(c,()=>c.shown.close?.())}}function ue({name:s,
show:t,file:e},n){let o=document.querySelector(`.${s}`),i=t(o),a=gt(n.trim()),r=()=>i.load(e?.data(a)??ce(a),e?.told??(()=>{}));
r(),ae(i)&&xt(o,i),yt(o),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function fe({name:s,show:t,
cell:e},{model:n,el:o}){if(!e)return;let[i,a]=[l("div"),l("div",{class:s})],r=l("style",{text:String(n.get("sheet"))});i.
attachShadow({mode:"open"}).append(r,a),o.append(i);let c=t(a),h=()=>c.load(e.data(n.get(e.trait)),u=>{for(let[f,p]of Object.
entries(e.traits(u,c)))n.set(f,p);n.save_changes()});return h(),n.on(`change:${e.trait}`,h),()=>{n.off(`change:${e.trait}`,
h),c.close?.()}}var[me,pe]=[.01,.99],et=255,vt=254,tt=254,kt=["","#E69F00","#56B4E9","#009E73","#0072B2","#D55E00","#CC79A7"];function Mt({
name:s,unit:t,labels:e,rows:n},o){let i=we(e,n),a=n.map(c=>e.length?ye(c,i):de(c)),r=n.length>1;return{name:s,unit:t,labels:e,
perPane:r,kind:e.length?"category":"number",entries:be(e,n,i),panes:Array.from({length:o},(c,h)=>a[r?h:0])}}function de(s){
let t=s.filter(i=>!Number.isNaN(i)).sort(),[e,n]=[me,pe].map(i=>ge(t,i)),o=Uint8Array.from(s,i=>Number.isNaN(i)?et:xe((i-
e)/(n-e||1)));return{values:s,slots:o,low:e,high:n,nMissing:s.length-t.length}}function ge(s,t){if(!s.length)return NaN;
let e=t*(s.length-1),n=s[Math.floor(e)];return n+(s[Math.ceil(e)]-n)*(e%1)}function xe(s){return Math.round(Math.min(1,Math.
max(0,s))*(tt-1))}function ye(s,t){let e=Uint8Array.from(s,n=>{let o=t.indexOf(n);return Number.isNaN(n)?et:o<0?vt:o});return{
values:s,slots:e,low:NaN,high:NaN,nMissing:0}}function we(s,t){let e=new Uint32Array(s.length);for(let n of t)for(let o of n)
Number.isNaN(o)||(e[o]+=1);return[...s.keys()].sort((n,o)=>e[o]-e[n]||n-o).slice(0,kt.length).sort((n,o)=>n-o)}function be(s,t,e){
if(!s.length)return[];let n=e.map((i,a)=>({slot:a,text:s[i]})),o=s.length-e.length;return o&&n.push({slot:vt,text:`other\
 (${o} more)`}),t.some(i=>i.some(Number.isNaN))&&n.push({slot:et,text:"missing"}),n}function St(s,t){let e=kt.map(o=>o?T(
o):t.ink);return[...Array.from({length:tt},(o,i)=>s==="number"?N(i/(tt-1),t.dark):e[i%e.length]),A(t.background,t.ink,.62),
t.missing]}function At({panes:s},t){return s[0].slots.map((e,n)=>Number(s.some(({slots:o})=>o[n]===t)))}function Ot({name:s,
kind:t,unit:e,labels:n,panes:o},i,a){if(!s)return"";let r=o[i].values[a];return Number.isNaN(r)?`${s}: missing`:t==="cat\
egory"?`${s}: ${n[r]}`:`${s}: ${H(r)}${e&&` ${e}`}`}function Nt({name:s,unit:t,panes:e},n){let{low:o,high:i,nMissing:a}=e[n],
r=Number.isNaN(o)?["","no values"]:[o,i].map(h=>H(h,3)),c=a?"; grey: missing":"";return{ends:r,note:`${s}${t&&` (${t})`}\
, 1st to 99th percentile${c}`}}function H(s,t=4){return s.toLocaleString("en",{maximumSignificantDigits:t})}var st=new TextDecoder;function Et(s){let t=s.slice(),e=new DataView(t.buffer),n=4+e.getUint32(0,!0),o=JSON.parse(st.decode(
t.subarray(4,n))),i=t.length-4-e.getUint32(t.length-4,!0),a=u=>new Float32Array(t.buffer,n+u,o.n),r=u=>({...u,planes:u.planes.
map(a)}),c=u=>({...u,rows:u.rows.map(a)}),h=({k:u,rows:f,values:p})=>({k:u,rows:new Uint32Array(t.buffer,n+f,o.n*u),values:new Float32Array(
t.buffer,n+p,o.n*u)});return{key:st.decode(t.subarray(i,t.length-4)),content:o.content,ids:o.ids,n:o.n,panes:o.panes.map(
r),columns:o.columns.map(c),neighbours:o.neighbours.map(h),textOffsets:new Uint32Array(t.buffer,n+o.text_offsets,o.n+1),
textBytes:t.subarray(n+o.text_bytes,i)}}function M({textBytes:s,textOffsets:t},e){return st.decode(s.subarray(t[e],t[e+1]))}var nt=200,ve=/^'*[=+\-@\t\r]/,z=class{#t=l("section");#e=l("section");#n;#i=[];element=l("div",{class:"beside"},[this.#t,
this.#e]);constructor(t){this.#n=t}show(t,e){this.element.hidden=!t.neighbours.length;let n=[t.content,e.picked,e.selected];
this.element.hidden||n.every((o,i)=>o===this.#i[i])||(this.#i=n,this.#t.replaceChildren(...this.#r(t,e.picked)),this.#e.
replaceChildren(...ke(t,e)))}#r(t,e){let n=l("h2",{text:"Neighbours"});if(!e)return[n,l("p",{text:"Click a point to list\
 its nearest rows in the full space of every pane."})];let o=new Set(D(t,0,e.row)),i=t.panes.map((c,h)=>this.#o(t,h,e.row,
o)),{name:a}=t.panes[0],r=`New: not a neighbour in ${a}. Neighbours are ringed in the panes.`;return[n,l("p",{class:"pic\
ked",text:M(t,e.row)}),l("div",{class:"lists"},i),l("p",{text:r})]}#o(t,e,n,o){let{k:i,values:a}=t.neighbours[e],r=D(t,e,
n).map((u,f)=>{let p=w(M(t,u),"Pick this row",()=>this.#n(u,e)),m=l("span",{class:"value",text:H(a[n*i+f])}),d=o.has(u)?
[]:[l("strong",{text:"new"})];return l("li",{},[l("span",{class:"near"},[m,p,...d])])}),{name:c,badge:h}=t.panes[e];return l(
"div",{},[l("h3",{text:c,title:h}),l("ol",{},r)])}};function D(s,t,e){let{k:n,rows:o}=s.neighbours[t];return[...o.subarray(
e*n,(e+1)*n)]}function ke(s,{selected:t}){let e=l("h2",{text:"Selection"}),n=[...t.keys()].filter(r=>t[r]);if(!n.length)
return[e,l("p",{text:"Draw a lasso, search, or click a category of the legend to list its rows here."})];let o=n.slice(0,
nt).map(r=>l("li",{text:M(s,r)})),i=n.length>nt?`the first ${nt} of `:"",a=()=>L(new Blob([Me(s,n)],{type:"text/csv"}),"\
selection.csv");return[e,l("p",{text:`Listed: ${i}${S(n.length)} selected rows.`}),w("Save the rows (CSV)","Save all sel\
ected rows with every column",a),l("ul",{class:"rows",tabindex:0},o)]}function Me(s,t){let e=s.columns.flatMap(i=>i.rows.
map((a,r)=>({header:Se(i,i.rows.length>1?s.panes[r].name:""),cell:c=>Ae(i,a[c])}))),n=["row","text",...e.map(i=>i.header)].
map(ot),o=t.map(i=>[String(i),ot(M(s,i)),...e.map(({cell:a})=>a(i))]);return[n,...o].map(i=>`${i.join(",")}\r
`).join("")}function Se({name:s,unit:t},e){return`${s}${t&&` (${t})`}${e&&`, ${e}`}`}function Ae({labels:s},t){return Number.
isNaN(t)?"":s.length?ot(s[t]):String(Number(t.toPrecision(7)))}function ot(s){return`"${(ve.test(s)?`'${s}`:s).replaceAll(
'"','""')}"`}var[Oe,Ne]=[.2,500],O={zoom:1,x:0,y:0};function $t(s){let t=s.map(Ee),e=t.map(([o,i])=>(i-o)/2),n=Math.max(...e)||1;return{
planes:s,unit:n,centres:t.map(([o,i])=>(o+i)/2),half:e.map(o=>Math.max(o/n,.001))}}function it({half:s},{zoom:t},e){return .92*
t*Math.min(e.w/(2*s[0]),e.h/(2*s[1]))}function rt(s,t,e){let n=it(s,t,e),{planes:o,centres:i,unit:a}=s;return{x:o[0].map(
r=>e.w/2+n*((r-i[0])/a-t.x)),y:o[1].map(r=>e.h/2-n*((r-i[1])/a-t.y))}}function j(s,t,e,n,o){let i=Math.min(Ne,Math.max(Oe,
s.zoom*t)),[a,r]=[s,{zoom:i}].map(c=>it(n,c,o));return{zoom:i,x:s.x+(e.x-o.w/2)*(1/a-1/r),y:s.y-(e.y-o.h/2)*(1/a-1/r)}}function Ct(s,t,e,n){
let o=it(e,s,n);return{...s,x:s.x-t.x/o,y:s.y+t.y/o}}function Ee(s){let[t,e]=[1/0,-1/0];for(let n of s)n<t&&(t=n),n>e&&(e=
n);return[t,e]}var $e=[["lasso","Lasso","Drag around rows to select them in all panes; Shift adds, Alt removes"],["pan","Pan","Drag to \
move the picture; the wheel zooms in every mode"]],Ce=250,Te="Name regions of each picture by their distinctive words; z\
oom in for finer ones",B=class{message=l("span",{class:"message",role:"status"});constructor(t){let e=new k(Ce);this.modes=
$e.map(([o,i,a])=>{let r=w(i,a,()=>t.set({mode:o}));return r.dataset.mode=o,r}),this.link=l("input",{type:"checkbox",onchange:()=>t.
set({linked:this.link.checked})}),this.named=l("input",{type:"checkbox",onchange:()=>t.set({named:this.named.checked})}),
this.column=l("select",{onchange:()=>t.set({column:this.column.value})}),this.text=l("input",{type:"search",maxlength:200,
placeholder:"Words in the text",oninput:()=>e.call(()=>t.search(this.text.value))});let n={class:"modes",role:"group","a\
ria-label":"What dragging does"};this.element=l("div",{class:"controls"},[l("div",n,this.modes),$("Link zoom",this.link,
"Zoom and move all panes together"),$("Topic names",this.named,Te),w("Reset view","Show every row again; a double click \
does so too",()=>t.reset()),w("Clear","Select no row; Escape does so too",()=>t.clear()),$("Colour",this.column,"What th\
e colour of a row stands for"),$("Search",this.text,"Select the rows whose text contains this, in either case"),this.message])}say(t){
this.message.textContent=t}show(t,{panes:e,columns:n}){for(let i of this.modes)i.setAttribute("aria-pressed",String(i.dataset.
mode===t.mode));this.link.checked=t.linked,this.named.checked=t.named,this.column.replaceChildren(...n.map(({name:i})=>l(
"option",{value:i,text:i}))),this.column.value=t.column;let o=e.some(({topics:i})=>i.length);this.named.closest("label")?.
toggleAttribute("hidden",!o),this.column.closest("label")?.toggleAttribute("hidden",!n.length),this.text.matches(":focus")||
(this.text.value=t.search)}};var Tt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function F({altKey:s,shiftKey:t}){return s?"remove":t?"add":"replace"}function Lt(s,t,e){if(e==="replace")return t;let n=e===
"add"?1:0;return s.map((o,i)=>t[i]?n:o)}function v(s){return s.reduce((t,e)=>t+e,0)}function Pt(s,t){let e=t.toLowerCase();
return new Uint8Array(s.n).map((n,o)=>Number(M(s,o).toLowerCase().includes(e)))}function Rt({ids:s,selected:t,picked:e}){
let n=v(t)?Le(t):null;return{ids:s,selected:n,picked:e?.row??null,pane:e?.pane??null}}function Le(s){let t=new Uint8Array(
Math.ceil(s.length/8));s.forEach((n,o)=>{t[o>>3]|=n<<(o&7)});let e=Array.from(t,n=>String.fromCharCode(n)).join("");return btoa(
e)}function It(s,t){let e=t.columns[0]?.name??"";if(!s||s.ids!==t.ids||s.n!==t.n)return{ids:t.ids,n:t.n,cameras:t.panes.
map(()=>O),linked:!0,named:!0,mode:"lasso",column:e,selected:new Uint8Array(t.n),picked:null,search:""};let{cameras:n,linked:o,
picked:i,column:a}=s;return{...s,cameras:t.panes.map((r,c)=>n[c]??(o?n[0]:O)),column:t.columns.some(({name:r})=>r===a)?a:
e,picked:i&&{...i,pane:i.pane<t.panes.length?i.pane:0}}}function Wt(s,t){return _t(s,({x:e,y:n})=>{let o=!1;for(let i=0,a=t.length-1;i<t.length;a=i++){let[r,c]=[t[i],t[a]];r.y>
n!=c.y>n&&e<(c.x-r.x)*(n-r.y)/(c.y-r.y)+r.x&&(o=!o)}return o})}function at(s,{x:t,y:e,radius:n}){return _t(s,o=>Math.hypot(
o.x-t,o.y-e)<=n&&q(s.size,o))}function _t({screen:{x:s,y:t}},e){return Uint8Array.from(s,(n,o)=>Number(e({x:n,y:t[o]})))}
function E({screen:{x:s,y:t},size:e},n,o){let[i,a]=[null,o*o];for(let r=0;r<s.length;r++){let c=(s[r]-n.x)**2+(t[r]-n.y)**
2;c>a||!q(e,{x:s[r],y:t[r]})||([i,a]=[r,c])}return i}function q({w:s,h:t},{x:e,y:n}){return e>=0&&e<=s&&n>=0&&n<=t}function G({
x:s,y:t},{w:e,h:n}){return{x:Math.min(e,Math.max(0,s)),y:Math.min(n,Math.max(0,t))}}var Ut="Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. Brackets change the circle. Spac\
e adds the rows in the circle to the selection, Shift and Space removes them. Enter picks the nearest row, Escape clears\
. N and P go to the next and the previous pane.",[Pe,Re]=[16,2],K=1.25,V=class{#t;#e=[];#n=24;constructor(t){this.#t=t}cross({
index:t,size:e}){let{x:n,y:o}=this.#e[t]??{x:.5,y:.5};return{x:n*e.w,y:o*e.h,radius:this.#n}}press(t,e){if(e.ctrlKey||e.
metaKey)return;let n=Tt[e.key],o=e.shiftKey?Re:Pe,i=n?()=>this.#r(t,n[0]*o,-n[1]*o):this.#i(t,e.shiftKey)[e.key.toLowerCase()];
i&&(e.preventDefault(),i())}#i(t,e){let n=this.#t,[o,i]=[K,1/K].map(a=>()=>{let r=n.view.cameras[t.index];n.moveCamera(t,
j(r,a,this.cross(t),t.space,t.size))});return{"+":o,"=":o,"-":i,_:i,"[":()=>this.#o(t,1/K),"]":()=>this.#o(t,K)," ":()=>this.#h(
t,e),enter:()=>n.pick(E(t,this.cross(t),1/0),t.index),escape:()=>n.clear(),n:()=>n.focusPane(t.index+1),p:()=>n.focusPane(
t.index-1)}}#r(t,e,n){let{index:o,size:i}=t,{x:a,y:r}=this.cross(t),c=G({x:a+e,y:r+n},i);this.#e[o]={x:c.x/i.w,y:c.y/i.h},
this.#s(t)}#o(t,e){this.#n=Math.min(200,Math.max(4,this.#n*e)),this.#s(t)}#h(t,e){let n=at(t,this.cross(t));this.#t.select(
n,e?"remove":"add");let o=e?"removed":"added";this.#t.announcer.say(`${v(n)} rows in the circle ${o}`)}#s(t){let e=this.
cross(t),n=E(t,e,e.radius);this.#t.hover(n,t,e);let o=n===null?"":`; nearest: ${this.#t.textOf(n)}`;this.#t.announcer.say(
`${v(at(t,e))} rows in the circle${o}`)}};var Ht=12;function zt(s,{colouring:t,colours:e,theme:n},o){let{kind:i,perPane:a,name:r}=t;if(s.hidden=i==="number"&&a||!r,
s.hidden)s.replaceChildren();else if(i==="number")s.replaceChildren(...ct(t,n,0));else{let c=t.entries.map(({slot:h,text:u})=>{
let f=l("span",{class:"swatch","aria-hidden":"true"});f.style.background=x(e[h]);let p=g=>o(At(t,h),F(g)),m=`Select the \
rows of ${u}; Shift adds them, Alt removes them`,d=l("span",{class:"entry-text",text:u});return l("button",{type:"button",
class:"entry",title:m,onclick:p},[f,d])});s.replaceChildren(l("span",{text:r}),...c)}}function ct(s,t,e){let{ends:n,note:o}=Nt(
s,e),i=Array.from({length:Ht},(h,u)=>x(N(u/(Ht-1),t.dark))),a=l("span",{class:"bar","aria-hidden":"true"});a.style.background=
`linear-gradient(to right, ${i.join(", ")})`;let[r,c]=n.map(h=>l("span",{text:h}));return[l("span",{text:o}),l("span",{class:"\
scale"},[r,a,c])]}function Dt(s){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(s);if(t)return t;let e={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(s,e),e}function jt(s,{x:t,y:e,w:n,h:o},i){s.save(),s.beginPath(),s.rect(t,e,n,o),s.clip(),i(),s.restore()}function Bt(s,t,{colour:e,width:n,halo:o},i){let a=[[t.background,n+o],[e,n]];for(let[r,c]of a)s.beginPath(),i(),s.lineWidth=
c,s.strokeStyle=x(r),s.stroke()}function Ft(s,t){return(e,n,o,{align:i="left",colour:a=t.muted,weight:r=400,halo:c=!1}={})=>{
s.font=`${r} 11.5px ${t.font}`,s.textAlign=i,s.fillStyle=x(a),c&&(s.strokeStyle=x(t.background),s.lineWidth=4,s.lineJoin=
"round",s.strokeText(e,n,o)),s.fillText(e,n,o)}}function Y([s,t,e]){return(4278190080|e<<16|t<<8|s)>>>0}function qt({n:s},t){return{radius:Math.min(4,Math.max(.9,4*(300/
s)**.25))*t,opacity:Math.min(.9,Math.max(.35,.9*(2e3/s)**.25))}}function X(s,t){let e=Math.ceil(s+.5),n=[];for(let o=-e;o<=
e;o++)for(let i=-e;i<=e;i++){let a=Math.min(1,Math.max(0,s+.5-Math.hypot(i,o))),r=Math.round(256*a*t);r&&n.push({dx:i,dy:o,
weight:r})}return{reach:e,covered:n}}function Gt(s,t,e,n,{slots:o,colours:i,stamp:a,wanted:r}){let c=s.length/t,{reach:h,
covered:u}=a,f=Int32Array.from(u,({dx:m,dy:d})=>d*t+m),p=Int32Array.from(u,({weight:m})=>m);for(let m=0;m<e.x.length;m++){
if(r&&!r(m))continue;let[d,g]=[Math.floor(e.x[m]*n),Math.floor(e.y[m]*n)];if(!(d>=0&&g>=0&&d<t&&g<c))continue;let b=d>=h&&
g>=h&&d+h<t&&g+h<c,ft=i[o?o[m]:0];for(let y=0;y<f.length;y++){if(!b){let[mt,pt]=[d+u[y].dx,g+u[y].dy];if(mt<0||pt<0||mt>=
t||pt>=c)continue}Ie(s,g*t+d+f[y],ft,p[y])}}}function Ie(s,t,e,n){let o=s[t],i=256-n,a=Math.imul(e&16711935,n)+Math.imul(
o&16711935,i)>>>8,r=Math.imul(e&65280,n)+Math.imul(o&65280,i)>>>8;s[t]=4278190080|a&16711935|r&65280}var Kt={height:16,apart:4};function Vt(s,t,e,n,o,i){let a=Ft(s,t),r={colour:t.ink,weight:600,halo:!0};a("",0,0,r);let c=h=>s.
measureText(h).width;for(let{text:h,x:u,y:f}of _e(e,n,o,i,c))a(h,u,f+Kt.height-4,r)}function We(s,t){let e=s.map(n=>n.zoom).
filter(n=>n<=Math.max(1,t));return Math.max(...e)}function _e(s,t,e,n,o){let{height:i,apart:a}=Kt,r=We(s,t),c=(u,f,p)=>Math.
min(p-f-a,Math.max(a,u-f/2)),h=[];return s.forEach(({text:u,zoom:f},p)=>{let m={x:e.x[p],y:e.y[p]};if(f!==r||!q(n,m))return;
let d=o(u),[g,b]=[c(m.x,d,n.w),c(m.y,i,n.h)];h.every(y=>g>=y.x+y.w+i||y.x>=g+d+i||Math.abs(b-y.y)>=i+a)&&d+2*a<=n.w&&h.push(
{text:u,x:g,y:b,w:d})}),h}var Ue=2.5,Z=class{#t=l("canvas");size={w:1,h:1};constructor(t,e,n){this.data=t,this.index=e,this.space=$t(t.planes);let o=[
0,1].map(r=>Float32Array.from(t.topics,({place:c})=>c[r]));this.topicSpace={...this.space,planes:o},this.screen={x:new Float32Array(
n),y:new Float32Array(n)},this.topicScreen=this.screen;let[i,a]=t.axes;this.canvas=l("canvas",{tabindex:0,role:"applicat\
ion","aria-label":`${t.name}. ${t.badge}. ${S(n)} rows. ${Ut}`,"aria-description":He(t.topics)}),this.plot=l("div",{class:"\
plot"},[this.canvas]),this.scale=l("div",{class:"own-scale"}),this.element=l("figure",{class:"pane"},[l("figcaption",{},
[l("strong",{class:"name",text:t.name,title:t.name}),l("span",{class:"badge",text:t.badge,title:t.badge})]),l("div",{class:"\
axis up",text:a}),this.plot,l("div",{class:"axis",text:i}),this.scale])}measure(){this.size={w:Math.max(1,this.plot.clientWidth),
h:Math.max(1,this.plot.clientHeight)}}project(t){this.screen=rt(this.space,t,this.size),this.topicScreen=rt(this.topicSpace,
t,this.size)}draw(t){let{view:e,theme:n,colouring:o}=t,i=P(),a=new ImageData(Math.round(this.size.w*i),Math.round(this.size.
h*i));for(let f of[this.#t,this.canvas])Object.assign(f,{width:a.width,height:a.height});let r=new Uint32Array(a.data.buffer).
fill(Y(n.background));this.#e(r,a.width,t,i);let c=C(this.#t);c.putImageData(a,0,0),c.scale(i,i);let{zoom:h}=e.cameras[this.
index];e.named&&Vt(c,n,this.data.topics,h,this.topicScreen,this.size);let u=o.perPane&&o.kind==="number";this.scale.replaceChildren(
...u?ct(o,n,this.index):[])}#e(t,e,{view:n,theme:o,colouring:i,colours:a},r){let{radius:c,opacity:h}=qt(n,r),{selected:u}=n,
f=b=>Gt(t,e,this.screen,r,b),p={slots:i.panes[this.index].slots,colours:Uint32Array.from(a,Y)};if(!v(u)){f({...p,stamp:X(
c,h)});return}let m=Uint32Array.of(Y(o.dim)),d=X(c,h/3);f({colours:m,stamp:d,wanted:b=>!u[b]});let g=X(c,Math.max(h,.9));
f({...p,stamp:g,wanted:b=>!!u[b]})}overlay({theme:t,view:e},{lit:n,hovered:o,outline:i,cross:a}){let r=C(this.canvas);r.
setTransform(1,0,0,1,0,0),r.drawImage(this.#t,0,0),r.scale(this.canvas.width/this.size.w,this.canvas.width/this.size.w);
let{x:c,y:h}=this.screen,u=(f,p,m,d)=>Bt(r,t,{colour:d,width:m,halo:Ue},()=>{r.arc(c[f],h[f],p,0,2*Math.PI)});jt(r,{x:0,
y:0,...this.size},()=>{for(let f of n)f<e.n&&u(f,6,2,t.primary);e.picked&&u(e.picked.row,9,2.5,t.ink),o!==null&&u(o,7,1.5,
t.ink),r.beginPath();for(let f of i)r.lineTo(f.x,f.y);r.closePath(),r.fillStyle=x(t.primary,.12),r.strokeStyle=x(t.primary),
r.lineWidth=1.5,r.fill(),r.stroke(),a&&(r.strokeStyle=x(t.ink),r.lineWidth=1,r.beginPath(),r.moveTo(a.x-a.radius-6,a.y),
r.lineTo(a.x+a.radius+6,a.y),r.moveTo(a.x,a.y-a.radius-6),r.lineTo(a.x,a.y+a.radius+6),r.moveTo(a.x+a.radius,a.y),r.arc(
a.x,a.y,a.radius,0,2*Math.PI),r.stroke())})}};function He(s){let t=s.filter(({zoom:e})=>e===1).map(({text:e})=>e);return t.
length?`Topics: ${t.join("; ")}`:null}var Yt=10,ze=4,De=3,je=.0015;function Zt(s,t){let e=[],n=!1,o=(r,c)=>t.canvas.addEventListener(r,c,{passive:!1}),i=()=>{
e=[],s.outline(t,[])},a=r=>{let[c,h]=[e[0],e[e.length-1]];if(n||=Xt(r,c)>ze,!n)return;let{mode:u,cameras:f}=s.view,p=G(r,
t.size);if(u==="lasso"&&Xt(p,h)>=De&&e.push(p),u==="pan"){let m={x:r.x-h.x,y:r.y-h.y};s.moveCamera(t,Ct(f[t.index],m,t.space,
t.size)),e=[c,r]}else s.outline(t,e)};o("pointerdown",r=>{r.button===0&&(t.canvas.setPointerCapture(r.pointerId),[e,n]=[
[lt(r)],!1],s.hover(null))}),o("pointermove",r=>{let c=lt(r);e.length?a(c):s.hover(E(t,c,Yt),t,c)}),o("pointerup",r=>{let c=e;
if(i(),!c.length)return;let{mode:h}=s.view;n?h==="lasso"&&s.select(Wt(t,c),F(r)):s.pick(E(t,c[0],Yt),t.index)}),o("point\
ercancel",i),o("pointerleave",()=>s.hover(null)),o("dblclick",()=>s.moveCamera(t,O)),o("wheel",r=>{r.preventDefault();let c=r.
deltaMode===WheelEvent.DOM_DELTA_LINE?16*r.deltaY:r.deltaY,h=s.view.cameras[t.index],u=Math.exp(-c*je);s.moveCamera(t,j(
h,u,lt(r),t.space,t.size))})}function lt({offsetX:s,offsetY:t}){return{x:s,y:t}}function Xt(s,t){return Math.hypot(s.x-t.
x,s.y-t.y)}var ht=14,J=class{value=l("div",{class:"value"});text=l("div",{class:"text"});element=l("div",{class:"tooltip",hidden:""},
[this.text,this.value]);show(t,e,n){this.text.textContent=t,this.value.textContent=e,this.element.hidden=!1;let o=this.element.
parentElement.getBoundingClientRect();this.element.style.maxWidth=`${Math.min(340,o.width-2)}px`;let{offsetWidth:i,offsetHeight:a}=this.
element,r=Jt(n.x-o.left,i,o.width),c=Jt(n.y-o.top,a,o.height);this.element.style.transform=`translate(${r}px, ${c}px)`}hide(){
this.element.hidden=!0}};function Jt(s,t,e){let n=s+ht+t<=e?s+ht:s-ht-t;return Math.max(0,Math.min(n,e-t))}var Be=120,[Fe,qe]=[900,560],ut=class{#t=new V(this);#e=new k(Be);#n=new J;#i=0;#r=null;#o={pane:null,points:[]};#h=null;#s={
wall:null,lit:[],view:null,calls:0};#d=()=>{};#f=l("div",{class:"legend",role:"group","aria-label":"Legend"});#g=l("p",{
class:"status",role:"status"});#x=new z((t,e)=>this.pick(t,e));#a=l("div",{class:"panes"});#y=new ResizeObserver(()=>this.#b());announcer=new R;controls=new B(
this);panes=[];data=null;view=null;theme=null;colouring=null;colours=[];constructor(t){this.root=t;let e=l("div",{class:"\
above"},[this.#g,this.#f]),n=l("div",{class:"stage"},[this.#a,this.#n.element]);t.append(this.controls.element,e,n,this.
announcer.element,this.#x.element)}get lit(){let{picked:t}=this.view;return this.data.neighbours.length?t?this.panes.map(
(e,n)=>D(this.data,n,t.row)):[]:this.#s.lit}textOf(t){return M(this.data,t)}load(t,e){this.#d=e;let n=Et(t);this.data?.content!==
n.content&&this.#v(n),this.theme=_(this.root),this.#s.wall=this,this.#w(),this.#y.observe(this.#a),this.root.dataset.ready=
String(n.n)}#v(t){this.#s=Dt(t.key);let e=this.#s.view;this.data=t,this.view=this.#s.view=It(e,t),[this.#r,this.#h,this.#o]=
[null,null,{pane:null,points:[]}],this.controls.say(""),this.panes=t.panes.map((n,o)=>new Z(n,o,t.n));for(let n of this.
panes)this.#k(n);this.#a.replaceChildren(...this.panes.map(({element:n})=>n)),e&&(v(e.selected)||e.picked)&&this.#p()}#k(t){
Zt(this,t);let e=o=>{this.#h=o,this.#l()},{canvas:n}=t;n.addEventListener("pointerdown",()=>e(null)),n.addEventListener(
"focus",()=>n.matches(":focus-visible")&&e(t)),n.addEventListener("blur",()=>e(null)),n.addEventListener("keydown",o=>{e(
t),this.#t.press(t,o)})}focusPane(t){this.panes[(t+this.panes.length)%this.panes.length].canvas.focus()}#c(t){this.view=
this.#s.view={...this.view,...t}}set(t){this.#c(t),t.column===void 0?this.#u():this.#w()}search(t){if(!t){this.clear();return}
let e=Pt(this.data,t);this.select(e,"replace",t),this.controls.say(`${S(v(e))} found`)}close(){this.#y.disconnect(),this.#e.
stop(),this.announcer.stop(),cancelAnimationFrame(this.#i),this.#s.wall===this&&(this.#s.wall=null)}clear(){this.#c({picked:null}),
this.select(new Uint8Array(this.view.n),"replace"),this.announcer.say("Nothing is selected")}select(t,e,n=""){this.#c({selected:Lt(
this.view.selected,t,e),search:n}),this.controls.say(""),this.#u(),this.#p()}pick(t,e){this.#c({picked:t===null?null:{row:t,
pane:e}}),this.#l(),this.#p(),t!==null&&this.announcer.say(`Picked: ${this.textOf(t)}`)}hover(t,e,n){if(!(t===null&&this.#r===
null)){if(this.#r=t,t!==null&&e&&n){let{left:o,top:i}=e.canvas.getBoundingClientRect(),a={x:o+n.x,y:i+n.y};this.#n.show(
this.textOf(t),Ot(this.colouring,e.index,t),a)}else this.#n.hide();this.#l()}}outline(t,e){this.#o={pane:t,points:e},this.#l()}reset(){
this.#c({cameras:this.panes.map(()=>O)}),this.#m()}moveCamera({index:t},e){let{cameras:n,linked:o}=this.view;this.#c({cameras:n.
map((i,a)=>o||a===t?e:i)}),this.hover(null),cancelAnimationFrame(this.#i),this.#i=requestAnimationFrame(()=>this.#m())}light(t){
this.#s.lit=t,this.#l()}#w(){let{columns:t,n:e}=this.data,n={name:"",unit:"",labels:[""],rows:[new Float32Array(e)]},o=t.
find(({name:i})=>i===this.view.column)??n;this.colouring=Mt(o,this.panes.length),this.colours=St(this.colouring.kind,this.
theme),zt(this.#f,this,(i,a)=>this.select(i,a)),this.#b()}#b(){let t=this.#a.clientWidth,e=this.panes.length,n=t>=Fe?3:t>=
qe?2:1;this.#a.style.setProperty("--across",String(Math.ceil(e/Math.ceil(e/n)))),this.#a.classList.toggle("alone",e===1);
for(let o of this.panes)o.measure();this.#m()}get place(){return this.view.picked?.row??-1}set place(t){t>=0&&t<this.data.
n&&this.pick(t,0)}get parts(){return[this.#f,this.#a]}draw(){this.#u()}#m(){for(let t of this.panes)t.project(this.view.
cameras[t.index]);this.#u()}#u(){let{selected:t,n:e,column:n,mode:o}=this.view,i=v(t);this.controls.show(this.view,this.
data);for(let a of this.panes)a.draw(this);this.#g.textContent=`${S(i)} of ${S(e)} rows selected`,Object.assign(this.root.
dataset,{selected:i,colour:n,mode:o}),this.#l()}#l(){let{lit:t}=this;for(let e of this.panes)e.overlay(this,{lit:t[e.index]??
[],hovered:this.#r,outline:this.#o.pane===e?this.#o.points:[],cross:this.#h===e?this.#t.cross(e):null});this.root.dataset.
picked=String(this.view.picked?.row??""),this.root.dataset.lit=t.map(e=>e.length).join(" "),this.#x.show(this.data,this.
view)}#p(){this.#e.call(()=>this.#d(Rt(this.view)))}},bn=bt({name:"wall",show:s=>new ut(s),state:"report",file:{data:s=>s},
cell:{trait:"payload",data:s=>{let{buffer:t,byteOffset:e,byteLength:n}=s;return new Uint8Array(t,e,n)},traits:(s,{view:{
selected:t,picked:e}})=>({selected:[...t.keys()].filter(n=>t[n]),picked:e?.row??null})}});export{ut as Wall,bn as default};
