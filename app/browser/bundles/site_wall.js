function u(e,{text:t,...s}={},o=[]){let n=document.createElement(e);for(let[r,i]of Object.entries(s))typeof i=="function"?
n.addEventListener(r.slice(2),i):i!==null&&n.setAttribute(r,String(i));return t!==void 0&&(n.textContent=t),n.append(...o),
n}function D(e,t,s){return u("button",{type:"button",text:e,title:t,onclick:s})}function T(e){return e.toLocaleString("e\
n")}function R(e){return e.getContext("2d")}function Lt(e,t){let s=e.map(ve),o=s.map(([h,l])=>(h+l)/2),n=s.map(([h,l])=>(l-h)/2),r=e.length===2,i=(r?Math.max(...n):
Te(e,o))||1,c=r&&!t,a=n.map(h=>c?h||1:i);return{isApart:c,centres:o,units:a,planes:e.map((h,l)=>h.map(f=>(f-o[l])/a[l])),
half:r?n.map((h,l)=>Math.max(h/a[l],.001)):[1,1]}}function O(e){let t={zoom:1,x:0,y:0,turn:[1,0,0,0,1,0,0,0,1]};return e===
3?mt(t,60,35):t}function j({half:e,isApart:t},{zoom:s},o){let[n,r]=[o.w/(2*e[0]),o.h/(2*e[1])],i=Math.min(n,r),c=.92*s;return t?
{x:n*c,y:r*c}:{x:i*c,y:i*c}}function Ot({centres:e,units:t,...s},o,n){let r=j(s,o,n),i=(c,a,h)=>[e[c]+(a-h)*t[c],e[c]+(a+
h)*t[c]];return{across:i(0,o.x,n.w/2/r.x),up:i(1,o.y,n.h/2/r.y)}}function It(e,t,s,o){let n=j(e,t,s),r=s.x+s.w/2-t.x*n.x,
i=s.y+s.h/2+t.y*n.y,[c,a,h]=e.planes,[l,f,d,p,y,w,A,x,M]=t.turn;for(let m=0;m<c.length;m++)h&&o.depth?(o.x[m]=r+n.x*(l*c[m]+
f*a[m]+d*h[m]),o.y[m]=i-n.y*(p*c[m]+y*a[m]+w*h[m]),o.depth[m]=A*c[m]+x*a[m]+M*h[m]):(o.x[m]=r+n.x*c[m],o.y[m]=i-n.y*a[m])}
function G(e,t,s,o,n){let r=Math.min(500,Math.max(.2,e.zoom*t)),[i,c]=[e,{zoom:r}].map(a=>j(o,a,n));return{...e,zoom:r,x:e.
x+(s.x-n.x-n.w/2)*(1/i.x-1/c.x),y:e.y-(s.y-n.y-n.h/2)*(1/i.y-1/c.y)}}function Pt(e,t,s,o,n){let r=j(o,e,n);return{...e,x:e.
x-t/r.x,y:e.y+s/r.y}}function mt(e,t,s){let[o,n]=[Math.cos(t*.01),Math.sin(t*.01)],[r,i]=[Math.cos(s*.01),Math.sin(s*.01)],
c=[o,0,n,0,1,0,-n,0,o],a=[1,0,0,0,r,-i,0,i,r];return{...e,turn:Ct(a,Ct(c,e.turn))}}function Ct(e,t){return e.map((s,o)=>{
let n=o-o%3;return e[n]*t[o%3]+e[n+1]*t[3+o%3]+e[n+2]*t[6+o%3]})}function ve(e){let[t,s]=[1/0,-1/0];for(let o of e)o<t&&
(t=o),o>s&&(s=o);return[t,s]}function Te(e,t){let s=0;for(let o=0;o<e[0].length;o++)s=Math.max(s,Math.hypot(...e.map((n,r)=>n[o]-
t[r])));return s}var K=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function dt(e){
let t=getComputedStyle(e),s=(r,i)=>t.getPropertyValue(r).trim()||i,o=$(s("--st-background-color","#ffffff")),n=$(s("--st\
-text-color","#0b0b0e"));return{background:o,ink:n,dark:o[0]+o[1]+o[2]<n[0]+n[1]+n[2],muted:C(o,n,.72),line:C(o,n,.2),dim:C(
o,n,.3),missing:C(o,n,.5),primary:$(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function I(e,t){
let o=(t?.16+.84*e:.92*e)*(K.length-1),n=Math.min(Math.floor(o),K.length-2);return C(K[n],K[n+1],o-n)}function C(e,t,s){
let o=n=>Math.round(e[n]+(t[n]-e[n])*s);return[o(0),o(1),o(2)]}function g(e,t=1){return`rgb(${e.join(" ")} / ${100*t}%)`}
var X=null;function $(e){X??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),X.fillStyle=e,X.fillRect(
0,0,1,1);let[t,s,o]=X.getImageData(0,0,1,1).data;return[t,s,o]}function F(e,{x:t,y:s,w:o,h:n},r){e.save(),e.beginPath(),e.rect(t,s,o,n),e.clip(),r(),e.restore()}function Nt(e,t,{colour:s,
width:o,halo:n},r){let i=[[t.background,o+n],[s,o]];for(let[c,a]of i)e.beginPath(),r(),e.lineWidth=a,e.strokeStyle=g(c),
e.stroke()}var Re=2.5;function V(e,{layout:t,screens:s,theme:o,view:n},{lit:r,hovered:i}){t.panes.forEach(({plot:c},a)=>{let h=(l,f,d,p)=>Nt(
e,o,{colour:p,width:d,halo:Re},()=>{e.arc(s[a].x[l],s[a].y[l],f,0,2*Math.PI)});F(e,c,()=>{for(let l of r[a]??[])l<n.n&&h(
l,6,2,o.primary);n.picked&&h(n.picked.row,9,2.5,o.ink),i!==null&&h(i,7,1.5,o.ink)})})}function _t(e,{layout:t,theme:s},{
pane:o,points:n}){F(e,t.panes[o].plot,()=>{e.beginPath();for(let{x:r,y:i}of n)e.lineTo(r,i);e.closePath(),e.fillStyle=g(
s.primary,.12),e.fill(),e.strokeStyle=g(s.primary),e.lineWidth=1.5,e.stroke()})}function Dt(e,{layout:t,theme:s},{pane:o,
x:n,y:r,radius:i}){F(e,t.panes[o].plot,()=>{e.strokeStyle=g(s.ink),e.lineWidth=1,e.beginPath(),e.moveTo(n-i-6,r),e.lineTo(
n+i+6,r),e.moveTo(n,r-i-6),e.lineTo(n,r+i+6),e.moveTo(n+i,r),e.arc(n,r,i,0,2*Math.PI),e.stroke()})}var S=2,P=16,Ce=11.5,$t=17;function Ut(e,t){let s=u("canvas"),o=e.layoutFor(e.layout.width,!0);e.paint(s,o,S),V(R(s),e,{
lit:t,hovered:null}),Le(s,e).toBlob(n=>{if(!n)return;let r=URL.createObjectURL(n);u("a",{href:r,download:"wall.png"}).click(),
setTimeout(()=>URL.revokeObjectURL(r),1e4)},"image/png")}function Le(e,{data:t,theme:s}){let o=u("canvas"),n=R(o),r=`${S*
Ce}px ${s.font}`;n.font=r;let i=Oe(n,t.caption,e.width);o.width=e.width+2*S*P,o.height=e.height+S*(2*P+$t*i.length),n.fillStyle=
g(s.background),n.fillRect(0,0,o.width,o.height),n.drawImage(e,S*P,S*P),n.font=r,n.fillStyle=g(s.muted);let c=S*P+e.height;
return i.forEach((a,h)=>{n.fillText(a,S*P,c+S*$t*(h+1))}),o}function Oe(e,t,s){let o=[];for(let n of t.split(" ").filter(
Boolean)){let r=o.length?`${o.at(-1)} ${n}`:n;o.length&&e.measureText(r).width<=s?o.splice(-1,1,r):o.push(n)}return o}var N="replace";var pt="remove";function Y(e){return e.altKey?pt:e.shiftKey?"add":N}function Wt(e,t,s){if(s===N)return t;let o=s==="add"?
1:0;return e.map((n,r)=>t[r]?o:n)}function k(e){let t=0;for(let s of e)t+=s;return t}function Bt({ids:e,selected:t,picked:s}){
let o=k(t)?Ie(t):null;return{ids:e,selected:o,picked:s?.row??null,pane:s?.pane??null}}function Ie(e){let t=new Uint8Array(
Math.ceil(e.length/8));e.forEach((o,n)=>{t[n>>3]|=o<<(n&7)});let s="";for(let o of t)s+=String.fromCharCode(o);return btoa(
s)}function Ht(e){return{setMode(t){e.change({mode:t}),e.showControls()},setLinked:t=>e.change({linked:t}),setColumn(t){e.change(
{column:t}),e.scene.colourRows(),e.showAll()},setSize(t){e.change({size:t}),e.draw()},resetAll(){let{cameras:t,dims:s}=e.
view;e.change({cameras:t.map(()=>O(s))}),e.showAll()},clear:()=>e.clear(),save:()=>Ut(e.scene,e.lit),search:(t,s)=>Pe(e,
t,s)}}function Pe(e,t,s){if(e.change({search:{text:t,isExpression:s}}),!t){e.search.stop(),e.clear();return}e.controls.say(
"Searching"),e.search.start(e.scene.data,t,s,({rows:o,problem:n})=>{o&&e.select(o,N,{text:t,isExpression:s}),e.controls.
say(o?`${T(k(o))} found`:n)})}var v=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(this.#e)}};var Ne=300,q=class{#t=new v(Ne);element=u("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var U=255,Z=254,gt=254,zt=["","#E69F00","#56B4E9","#009E73","#0072B2","#D55E00","#CC79A7"],J=zt.length;function jt(e){return Math.
round(Math.min(1,Math.max(0,e))*(gt-1))}function yt(e,t){let s=Array.from({length:gt},(o,n)=>e==="number"?I(n/(gt-1),t.dark):
_e(n%J,t));return s[Z]=C(t.background,t.ink,.62),s[U]=t.missing,s}function _e(e,t){return e===0?t.ink:$(zt[e])}var De=.01,$e=.99;function Kt(e,t){let s=e.rows.length>1,{kind:o,entries:n,slots:r,ranges:i}=e.labels.length?Be(e):Ue(e.
rows),c=a=>Array.from({length:t},(h,l)=>a[s?l:0]);return{kind:o,entries:n,name:e.name,unit:e.unit,labels:e.labels,perPane:s,
values:c(e.rows),slots:c(r),ranges:c(i)}}function Xt({name:e,kind:t,unit:s,labels:o,values:n},r,i){if(!e)return"";let c=n[r][i];
return Number.isNaN(c)?`${e}: missing`:t==="category"?`${e}: ${o[c]}`:`${e}: ${wt(c)}${s&&` ${s}`}`}function Q({name:e,unit:t,
ranges:s},o){let{low:n,high:r,nMissing:i}=s[o],c=Number.isNaN(n)?["","no values"]:[wt(n),wt(r)],a=i?"; grey: missing":"";
return{ends:c,note:`${e}${t&&` (${t})`}, 1st to 99th percentile${a}`}}function wt(e){return e.toLocaleString("en",{maximumSignificantDigits:4})}
function Ue(e){let t=e.map(We),s=e.map((o,n)=>{let{low:r,high:i}=t[n],c=i-r||1;return Uint8Array.from(o,a=>Number.isNaN(
a)?U:jt((a-r)/c))});return{kind:"number",entries:[],ranges:t,slots:s}}function We(e){let t=e.filter(s=>!Number.isNaN(s)).
sort();return{low:Gt(t,De),high:Gt(t,$e),nMissing:e.length-t.length}}function Gt(e,t){if(!e.length)return NaN;let s=t*(e.
length-1),o=e[Math.floor(s)];return o+(e[Math.ceil(s)]-o)*(s%1)}function Be(e){let t=new Uint8Array(e.labels.length).fill(
Z),s=He(e);s.forEach((i,c)=>{t[i]=e.colours[i]??c});let o=s.map(i=>({slot:t[i],text:e.labels[i]})),n=e.labels.length-s.length;
n&&o.push({slot:Z,text:`other (${n} more)`}),e.rows.some(i=>i.some(Number.isNaN))&&o.push({slot:U,text:"missing"});let r=e.
rows.map(i=>Uint8Array.from(i,c=>Number.isNaN(c)?U:t[c]));return{kind:"category",entries:o,slots:r,ranges:[]}}function He(e){
let t=e.labels.map((o,n)=>n);if(t.length<=J)return t;let s=ze(e);return t.sort((o,n)=>s[n]-s[o]||o-n),t.slice(0,J).sort(
(o,n)=>o-n)}function ze(e){let t=new Uint32Array(e.labels.length);for(let s of e.rows)for(let o of s)Number.isNaN(o)||(t[o]+=
1);return t}var tt=class{#t=null;#e=0;start({textBytes:t,textOffsets:s},o,n,r){if(this.stop(),o.length>200){r({problem:"Search for a\
t most 200 characters."});return}let i=l=>{this.stop(),r(l)};this.#t=je(),this.#t.onmessage=({data:l})=>i(l),this.#t.onerror=
()=>i({problem:"The search failed: try a simpler one."});let[c,a]=[t.slice(),s.slice()];this.#t.postMessage({bytes:c,offsets:a,
pattern:o,isExpression:n});let h="The search took over 3 seconds: try a simpler expression.";this.#e=setTimeout(()=>i({problem:h}),
1e3*3)}stop(){clearTimeout(this.#e),this.#t?.terminate(),this.#t=null}};function je(){let e=`onmessage = ({ data }) => p\
ostMessage((${Ge})(data));`,t=URL.createObjectURL(new Blob([e],{type:"text/javascript"})),s=new Worker(t);return URL.revokeObjectURL(
t),s}function Ge({bytes:e,offsets:t,pattern:s,isExpression:o}){let n=null;try{n=o&&new RegExp(s,"iu")}catch(a){return{problem:`\
This is not a regular expression: ${(String(a).split(": ").pop()??"").toLowerCase()}.`}}let r=new TextDecoder,i=s.toLowerCase(),
c=new Uint8Array(t.length-1);for(let a=0;a<c.length;a++){let h=r.decode(e.subarray(t[a],t[a+1])),l=n?n.test(h):h.toLowerCase().
includes(i);c[a]=Number(l)}return{rows:c}}var Xe=[["lasso","Lasso","Drag around rows to select them in all panes; Shift adds, Alt removes"],["box","Box","Drag a b\
ox over rows to select them in all panes; Shift adds, Alt removes"],["pan","Pan","Drag to move the picture; the wheel zo\
oms in every mode"],["rotate","Rotate","Drag to turn the picture"]],Fe=250,et=class{constructor(t){this.modes=Xe.map(([n,
r,i])=>{let c=D(r,i,()=>t.setMode(n));return c.dataset.mode=n,c}),this.link=u("input",{type:"checkbox",onchange:()=>t.setLinked(
this.link.checked)}),this.column=u("select",{onchange:()=>t.setColumn(this.column.value)}),this.size=u("input",{type:"ra\
nge",min:.5,max:3,step:.25,oninput:()=>t.setSize(Number(this.size.value))});let s=new v(Fe),o=()=>s.call(()=>t.search(this.
text.value,this.isExpression.checked));this.text=u("input",{type:"search",maxlength:200,placeholder:"Words in the text",
oninput:o}),this.isExpression=u("input",{type:"checkbox",onchange:o}),this.message=u("span",{class:"message",role:"statu\
s"}),this.element=this.#t(t)}#t(t){return u("div",{class:"controls"},[u("div",{class:"modes",role:"group","aria-label":"\
What dragging does"},this.modes),W("Link zoom",this.link,"Zoom, move and turn all panes together"),D("Reset view","Show \
every row again; a double click does so too",t.resetAll),D("Clear","Select no row; Escape does so too",t.clear),D("Save \
picture (PNG)","Save the panes and the legend as an image",t.save),W("Colour",this.column,"What the colour of a row stan\
ds for"),W("Point size",this.size,"Make the points smaller or larger"),u("div",{class:"search"},[W("Search",this.text,"S\
elect the rows whose text holds this, whatever the case"),W("Regular expression",this.isExpression,"Read the search as a\
 regular expression"),this.message])])}say(t){this.message.textContent=t}show(t,s){for(let o of this.modes)o.setAttribute(
"aria-pressed",String(o.dataset.mode===t.mode)),o.hidden=o.dataset.mode==="rotate"&&s.dims!==3;this.link.checked=t.linked,
this.size.value=String(t.size),this.column.replaceChildren(...s.columns.map(({name:o})=>u("option",{value:o,text:o}))),this.
column.value=t.column,this.column.closest("label")?.toggleAttribute("hidden",!s.columns.length),this.text.matches(":focu\
s")||(this.text.value=t.search.text),this.isExpression.checked=t.search.isExpression}};function W(e,t,s){let o=u("span",
{text:e}),n=t instanceof HTMLInputElement&&t.type==="checkbox";return u("label",{title:s},n?[t,o]:[o,t])}var Ft={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};var Vt={across:16,up:34},xt=34;function Yt(e,t,{dims:s,hasBars:o,hasTicks:n,strip:r}){let i=e>=900?3:e>=560?2:1,c=Math.ceil(
t/Math.ceil(t/i)),a=(e-20*(c-1))/c,h=(s===2?20:0)+(n?Vt.up:0),l=20+(n?Vt.across:0),d=Math.round(Math.min(t===1?620:440,Math.
max(220,(a-h)*.78))),p=42+d+l+(o?xt:0),y=Array.from({length:t},(A,x)=>{let M=Math.round(x%c*(a+20)),m=Math.floor(x/c)*(p+
20),b={x:M+h,y:m+42,w:Math.floor(a)-h,h:d},ft=o?{x:b.x,y:m+p-xt+6,w:b.w,h:xt-6}:null;return{cell:{x:M,y:m,w:Math.floor(a),
h:p},plot:b,bar:ft}}),w=Math.ceil(t/c)*(p+20)-20;return{width:e,height:w+(r?20+r:0),panes:y,strip:r?{x:0,y:w+20,w:e}:null}}
function B(e,t){return e.panes.findIndex(({plot:s})=>Ve(s,t))}function st(e,t){return{x:Math.min(t.x+t.w,Math.max(t.x,e.
x)),y:Math.min(t.y+t.h,Math.max(t.y,e.y))}}function Ve(e,{x:t,y:s}){return t>=e.x&&t<=e.x+e.w&&s>=e.y&&s<=e.y+e.h}function qt(e,t){let s=Math.ceil(t.w/16)+1,o=Math.ceil(t.h/16)+1,n=new Int32Array(e.x.length).fill(-1),r=new Uint32Array(
s*o+1);for(let a=0;a<n.length;a++){let[h,l]=[e.x[a]-t.x,e.y[a]-t.y];h<0||l<0||h>t.w||l>t.h||(n[a]=Math.floor(l/16)*s+Math.
floor(h/16),r[n[a]+1]+=1)}for(let a=0;a<s*o;a++)r[a+1]+=r[a];let i=new Uint32Array(r[s*o]),c=r.slice();for(let a=0;a<n.length;a++)
n[a]>=0&&(i[c[n[a]]++]=a);return{across:s,down:o,starts:r,rows:i,plot:t,screen:e}}function H(e,t,s){let{across:o,down:n,
starts:r,rows:i,plot:c,screen:a}=e,[h,l]=[t.x-c.x,t.y-c.y],f=(y,w)=>Math.min(w-1,Math.max(0,Math.floor(y/16))),[d,p]=[-1,
s*s];for(let y=f(l-s,n);y<=f(l+s,n);y++){let w=r[y*o+f(h-s,o)],A=r[y*o+f(h+s,o)+1];for(let x=w;x<A;x++){let[M,m]=[a.x[i[x]]-
t.x,a.y[i[x]]-t.y],b=M*M+m*m;b<=p&&([d,p]=[i[x],b])}}return d}function Zt(e,t){let[s,o]=ot(t.map(({x:i})=>i)),[n,r]=ot(t.map(({y:i})=>i));return At(e,(i,c)=>i>=s&&i<=o&&c>=n&&c<=r&&Ye(
t,i,c))}function Jt(e,t,s){let[o,n]=ot([t.x,s.x]),[r,i]=ot([t.y,s.y]);return At(e,(c,a)=>c>=o&&c<=n&&a>=r&&a<=i)}function Qt(e,t,s,o){
return At(e,(n,r)=>Math.hypot(n-t.x,r-t.y)<=s&&n>=o.x&&n<=o.x+o.w&&r>=o.y&&r<=o.y+o.h)}function At(e,t){let s=new Uint8Array(
e.x.length);for(let o=0;o<s.length;o++)t(e.x[o],e.y[o])&&(s[o]=1);return s}function Ye(e,t,s){let o=!1;for(let n=0,r=e.length-
1;n<e.length;r=n++){let[i,c]=[e[n],e[r]];i.y>s!=c.y>s&&t<(c.x-i.x)*(s-i.y)/(c.y-i.y)+i.x&&(o=!o)}return o}function ot(e){
return[Math.min(...e),Math.max(...e)]}var ee="Arrow keys move the cross-hair, with Shift in small steps. Plus and minus zoom. Brackets change the circle. Spac\
e adds the rows in the circle to the selection, Shift and Space removes them. Enter picks the nearest row, Escape clears\
. N and P go to the next and the previous pane.",qe=16,Ze=2,Je=24,_=1.25,nt=class{#t;#e=[];#s=Je;constructor(t){this.#t=
t}cross(t){let{plot:s}=this.#t.scene.layout.panes[t],o=this.#e[t]??{x:.5,y:.5};return{pane:t,x:s.x+o.x*s.w,y:s.y+o.y*s.h,
radius:this.#s}}press(t,s){if(s.ctrlKey||s.metaKey)return;let o=this.#r(t,s)[s.key];o&&(s.preventDefault(),o())}#r(t,s){
let o=this.#t,n=a=>()=>o.stage.focusPane((t+a+o.nPanes)%o.nPanes),r=a=>()=>this.#c(t,a),i=s.shiftKey?Ze:qe,c=Object.entries(
Ft).map(([a,[h,l]])=>[a,()=>this.#i(t,h*i,-l*i)]);return{...Object.fromEntries(c),"+":r(_),"=":r(_),"-":r(1/_),_:r(1/_),
"[":()=>this.#n(t,1/_),"]":()=>this.#n(t,_)," ":()=>this.#o(t,s.shiftKey?pt:"add"),Enter:()=>this.#u(t),Escape:()=>o.clear(),
n:n(1),N:n(1),p:n(-1),P:n(-1)}}#i(t,s,o){let{plot:n}=this.#t.scene.layout.panes[t],{x:r,y:i}=this.cross(t),c=st({x:r+s,y:i+
o},n);this.#e[t]={x:(c.x-n.x)/n.w,y:(c.y-n.y)/n.h},this.#f(t)}#n(t,s){this.#s=Math.min(200,Math.max(4,this.#s*s)),this.#f(
t)}#c(t,s){let{view:o,spaces:n,layout:r}=this.#t.scene,{plot:i}=r.panes[t];this.#t.moveCamera(t,G(o.cameras[t],s,this.cross(
t),n[t],i))}#o(t,s){let o=this.#h(t);this.#t.select(o,s),this.#t.announcer.say(`${k(o)} rows in the circle ${s==="add"?"\
added":"removed"}`)}#h(t){let s=this.cross(t),{screens:o,layout:n}=this.#t.scene;return Qt(o[t],s,s.radius,n.panes[t].plot)}#l(t,s){
return H(this.#t.scene.filed(t),this.cross(t),s)}#u(t){let{plot:s}=this.#t.scene.layout.panes[t],o=this.#l(t,Math.hypot(
s.w,s.h));o>=0&&this.#t.pick({row:o,pane:t})}#f(t){let s=this.#l(t,this.#s),o=this.cross(t);this.#t.hover(s<0?null:{row:s,
pane:t,point:o});let n=s<0?"":`; nearest: ${this.#t.textOf(s)}`;this.#t.announcer.say(`${k(this.#h(t))} rows in the circ\
le${n}`)}};var se=12;function oe(e,t,s){let{colouring:o}=t,n=o.kind==="number"&&o.perPane;e.hidden=n||!o.name,e.replaceChildren(),!e.
hidden&&(o.kind==="number"?Qe(e,t):ts(e,t,s))}function Qe(e,{colouring:t,theme:s}){let{ends:o,note:n}=Q(t,0),r=Array.from(
{length:se},(h,l)=>g(I(l/(se-1),s.dark))),i=u("span",{class:"bar","aria-hidden":"true"});i.style.background=`linear-grad\
ient(to right, ${r.join(", ")})`;let[c,a]=o.map(h=>u("span",{text:h}));e.append(u("span",{text:n}),u("span",{class:"scal\
e"},[c,i,a]))}function ts(e,{colouring:t,colours:s,data:o},n){e.append(u("span",{text:t.name}));for(let{slot:r,text:i}of t.
entries){let c=u("span",{class:"swatch","aria-hidden":"true"});c.style.background=g(s[r]);let a=f=>n(es(t,r,o.n),Y(f)),h=`\
Select the rows of ${i}; Shift adds them, Alt removes them`,l=u("span",{class:"entry-text",text:i});e.append(u("button",
{type:"button",class:"entry",title:h,onclick:a},[c,l]))}}function es({slots:e},t,s){let o=new Uint8Array(s);for(let n of e)
for(let r=0;r<s;r++)n[r]===t&&(o[r]=1);return o}function ne(e){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(e);if(t)return t;let s={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(e,s),s}function re(e){let t=e.slice(),s=4+new DataView(t.buffer).getUint32(0,!0);return{header:JSON.parse(rt(t.subarray(4,s))),
body:s,bytes:t}}function rt(e){return new TextDecoder().decode(e)}function ie(e){let{header:t,body:s,bytes:o}=re(e),n=new DataView(o.buffer).getUint32(o.length-4,!0),r=a=>new Float32Array(
o.buffer,s+a,t.n),i=a=>({...a,planes:a.planes.map(r)}),c=a=>({...a,rows:a.rows.map(r)});return{key:rt(o.subarray(o.length-
4-n,o.length-4)),content:t.content,ids:t.ids,caption:t.caption,n:t.n,dims:t.dims,panes:t.panes.map(i),columns:t.columns.
map(c),textOffsets:new Uint32Array(o.buffer,s+t.text_offsets,t.n+1),textBytes:o.subarray(s+t.text_bytes,o.length-4-n)}}function ce({
textBytes:e,textOffsets:t},s){return rt(e.subarray(t[s],t[s+1]))}var ae=10,ss=4,os=3,ns=.0015;function he(e,t){let{canvas:s}=e.stage,o=(r,i)=>s.addEventListener(r,i,{signal:t,passive:!1}),
n=null;o("pointerdown",r=>{n=r.button===0?rs(e,r):null,n&&s.setPointerCapture(r.pointerId)}),o("pointermove",r=>n?is(e,n,
r):us(e,r)),o("pointerup",r=>{n&&as(e,n,r),n=null}),o("pointercancel",()=>{n=null,e.outline(null)}),o("pointerleave",()=>e.
hover(null)),o("dblclick",r=>{let i=B(e.scene.layout,z(e,r));i>=0&&e.resetView(i)}),o("wheel",r=>fs(e,r))}function rs(e,t){
let s=z(e,t),o=B(e.scene.layout,s);return o<0?null:(t.preventDefault(),e.stage.focusPane(o,{isPressed:!0}),e.hover(null),
{pane:o,start:s,last:s,points:[s],moved:!1})}function is(e,t,s){let o=z(e,s),[n,r]=[o.x-t.last.x,o.y-t.last.y];if(t.moved||=
le(o,t.start)>ss,!t.moved)return;let{spaces:i,layout:c,view:a}=e.scene,{plot:h}=c.panes[t.pane],l=a.cameras[t.pane];a.mode===
"pan"?e.moveCamera(t.pane,Pt(l,n,r,i[t.pane],h)):a.mode==="rotate"?e.moveCamera(t.pane,mt(l,n,r)):cs(e,t,st(o,h)),t.last=
o}function cs(e,t,s){let{start:o,pane:n}=t,r=e.view.mode==="box";if(r?t.points=[o,s]:le(s,t.points[t.points.length-1])>=
os&&t.points.push(s),t.points.length<2)return;let i=[o,{x:s.x,y:o.y},s,{x:o.x,y:s.y}];e.outline({pane:n,points:r?i:t.points})}
function as(e,t,s){if(e.outline(null),!t.moved){ls(e,t);return}let o=hs(e,t);o&&(e.select(o,Y(s)),e.measure("brushMs",s.
timeStamp))}function hs(e,{pane:t,points:s}){let o=e.scene.screens[t],{mode:n}=e.view;return n==="lasso"?Zt(o,s):n==="bo\
x"?Jt(o,s[0],s[s.length-1]):null}function ls(e,{pane:t,start:s}){let o=H(e.scene.filed(t),s,ae);e.pick(o<0?null:{row:o,pane:t})}
function us(e,t){let s=z(e,t),o=B(e.scene.layout,s),n=o<0?-1:H(e.scene.filed(o),s,ae);e.hover(n<0?null:{row:n,pane:o,point:s})}
function fs(e,t){let s=z(e,t),o=B(e.scene.layout,s);if(o<0)return;t.preventDefault();let{spaces:n,layout:r,view:i}=e.scene,
c=t.deltaMode===WheelEvent.DOM_DELTA_LINE?16*t.deltaY:t.deltaY,a=Math.exp(-c*ns),{plot:h}=r.panes[o];e.moveCamera(o,G(i.
cameras[o],a,s,n[o],h))}function z(e,t){let s=e.stage.canvas.getBoundingClientRect();return{x:t.clientX-s.left,y:t.clientY-
s.top}}function le(e,t){return Math.hypot(e.x-t.x,e.y-t.y)}function ue(e,t){let s=new Uint32Array(1025),o=n=>Math.min(1023,Math.max(0,Math.floor((n+1)/2*1024)));for(let n of e)s[o(
n)+1]+=1;for(let n=0;n<1024;n++)s[n+1]+=s[n];for(let n=0;n<e.length;n++)t[s[o(e[n])]++]=n}var ms=[1,2,5,10],ds=12;function bt([e,t],s){let o=(t-e)/s,n=10**Mt(o),r=n*(ms.find(a=>a*n>=o)??10),[i,c]=[Math.ceil(e/r),
Math.floor(t/r)];return Array.from({length:c-i+1},(a,h)=>{let l=(i+h)*r;return{value:l,text:ps(l,r)}})}function ps(e,t){
let s=e?Mt(e)-Mt(t)+1:1,o=Math.min(ds,Math.max(1,s));return e.toLocaleString("en",{maximumSignificantDigits:o})}function Mt(e){
return Math.floor(Math.log10(Math.abs(e)))}var gs=14,ys=11.5,fe=8,ws=480,Et=96,kt=10,pe=22,St=190,me=4,de={across:45,up:45};function ge(e,t,s){let{layout:o,theme:n}=t;
o.panes.forEach(({bar:r},i)=>{xs(e,t,i),r&&xe(e,n,r,s,i)}),o.strip&&As(e,t,o.strip,s)}function xs(e,{data:t,layout:s,view:o,
theme:n,spaces:r},i){let{cell:c,plot:a}=s.panes[i],{name:h,badge:l,axes:f,equal_scale:d}=t.panes[i],p=o.cameras[i],y={size:gs,
weight:600,tone:n.ink};if(E(e,n,h,c.x,c.y+14,c.w,y),E(e,n,l,c.x,c.y+32,c.w),e.strokeStyle=g(n.line),e.lineWidth=1,e.strokeRect(
a.x+.5,a.y+.5,a.w-1,a.h-1),f.length>2){Es(e,n,a,f,p.turn);return}Ms(e,n,s.panes[i],f),d||bs(e,n,a,Ot(r[i],p,a))}function As(e,{
theme:t,colours:s},o,n){if(n.kind==="category")ks(e,t,o,s,n);else{let r=Math.min(ws,o.w);xe(e,t,{...o,w:r},n,0)}}function ye({
kind:e,perPane:t,entries:s},o){return e==="number"?t?0:30:pe*Math.ceil((s.length+1)/we(o))}function we(e){return Math.max(
1,Math.floor(e/St))}function Ms(e,t,{cell:s,plot:o,bar:n},[r,i]){let c=n?n.y-6:s.y+s.h;E(e,t,r,o.x+o.w/2,c-5,o.w,{align:"\
center"}),e.save(),e.translate(s.x+12,o.y+o.h/2),e.rotate(-Math.PI/2),E(e,t,i,0,0,o.h,{align:"center"}),e.restore()}function bs(e,t,s,{
across:o,up:n}){let[r,i]=[s.x+s.w,s.y+s.h],c=(a,[h,l])=>(a-h)/(l-h);e.beginPath();for(let{value:a,text:h}of bt(o,s.w/de.
across)){let l=s.x+s.w*c(a,o);e.moveTo(l,i),e.lineTo(l,i+me),E(e,t,h,Math.min(l,r-8),i+16,50,{align:"center"})}for(let{value:a,
text:h}of bt(n,s.h/de.up)){let l=i-s.h*c(a,n);e.moveTo(s.x-me,l),e.lineTo(s.x,l),E(e,t,h,s.x-7,l+4,32,{align:"right"})}e.
stroke()}function Es(e,t,s,o,n){let[r,i]=[s.w/3,s.y+s.h+15],[c,a,h]=[26,s.x+44,s.y+s.h-44];o.forEach((l,f)=>{let[d,p]=[n[f]*
c,-n[3+f]*c];e.strokeStyle=g(t.muted),e.lineWidth=1.5,e.beginPath(),e.moveTo(a,h),e.lineTo(a+d,h+p),e.stroke();let y={align:"\
center",halo:!0},w=String(f+1);E(e,t,w,a+d*1.4,h+p*1.4+4,c,y),E(e,t,`${w}: ${l}`,s.x+f*r,i,r-8)})}function xe(e,t,s,o,n){
let{ends:r,note:i}=Q(o,n);for(let l=0;l<Et;l++){e.fillStyle=g(I(l/(Et-1),t.dark));let[f,d]=[l,l+1].map(p=>Math.round(p*s.
w/Et));e.fillRect(s.x+f,s.y,d-f,fe)}let[c,a]=r,h=s.y+fe+14;E(e,t,c,s.x,h,s.w*.13),E(e,t,a,s.x+s.w,h,s.w*.13,{align:"righ\
t"}),E(e,t,i,s.x+s.w/2,h,s.w*.74,{align:"center"})}function ks(e,t,s,o,{name:n,entries:r}){let i=we(s.w);[{text:n,slot:null},
...r].forEach(({slot:c,text:a},h)=>{let l=s.x+h%i*St,f=s.y+Math.floor(h/i)*pe,d=c===null?0:kt+6;c!==null&&(e.fillStyle=g(
o[c]),e.fillRect(l,f+2,kt,kt)),E(e,t,a,l+d,f+11,St-d-12)})}function E(e,t,s,o,n,r,i={}){let{size:c=ys,weight:a=400,tone:h=t.
muted,align:l="left",halo:f=!1}=i;e.font=`${a} ${c}px ${t.font}`,e.fillStyle=g(h),e.textAlign=l;let d=Ss(e,s,r);f&&(e.strokeStyle=
g(t.background),e.lineWidth=3,e.strokeText(d,o,n)),e.fillText(d,o,n)}function Ss(e,t,s){if(e.measureText(t).width<=s)return t;
let[o,n]=[0,t.length];for(;n-o>1;){let r=o+n>>1;e.measureText(`${t.slice(0,r)}…`).width<=s?o=r:n=r}return`${t.slice(0,
o)}…`}function it([e,t,s]){return(4278190080|s<<16|t<<8|e)>>>0}function ct(e,t){let s=Math.ceil(e+.5),o={reach:s,dx:[],dy:[],weight:[]};
for(let n=-s;n<=s;n++)for(let r=-s;r<=s;r++){let i=Math.min(1,Math.max(0,e+.5-Math.hypot(r,n))),c=Math.round(256*i*t);c&&
(o.dx.push(r),o.dy.push(n),o.weight.push(c))}return o}function Ae(e,t,s,o,n,{slots:r,colours:i,stamp:c,wanted:a}){let{x:h,
y:l,order:f}=o,{reach:d}=c,p=Int32Array.from(c.dx,(x,M)=>c.dy[M]*t+x),y=Int32Array.from(c.weight),[w,A]=[s.x+s.w,s.y+s.h];
for(let x=0;x<h.length;x++){let M=f?f[x]:x;if(a&&!a(M))continue;let m=h[M]*n|0,b=l[M]*n|0;if(m<s.x||b<s.y||m>=w||b>=A)continue;
let ft=m-d>=s.x&&b-d>=s.y&&m+d<w&&b+d<A,Se=i[r?r[M]:0];for(let L=0;L<p.length;L++){if(!ft){let[Tt,Rt]=[m+c.dx[L],b+c.dy[L]];
if(Tt<s.x||Rt<s.y||Tt>=w||Rt>=A)continue}vs(e,b*t+m+p[L],Se,y[L])}}}function vs(e,t,s,o){let n=e[t],r=256-o,i=Math.imul(
s&16711935,o)+Math.imul(n&16711935,r)>>>8,c=Math.imul(s&65280,o)+Math.imul(n&65280,r)>>>8;e[t]=4278190080|i&16711935|c&65280}var at=class{#t=[];constructor(t,s,o,n){this.data=t,this.view=s,this.element=o,this.spaces=t.panes.map(r=>Lt(r.planes,r.
equal_scale)),this.screens=t.panes.map(()=>Ts(t)),this.theme=dt(o),this.colouring=this.#e(),this.colours=yt(this.colouring.
kind,this.theme),this.layout=this.layoutFor(n,!1),this.projectAll()}colourRows(){this.colouring=this.#e(),this.readTheme()}#e(){
let{columns:t,n:s,panes:o}=this.data,n=t.find(({name:r})=>r===this.view.column)??Rs(s);return Kt(n,o.length)}readTheme(){
this.theme=dt(this.element),this.colours=yt(this.colouring.kind,this.theme)}layOut(t){this.layout=this.layoutFor(t,!1),this.
projectAll()}layoutFor(t,s){return Yt(t,this.data.panes.length,{dims:this.data.dims,hasTicks:this.spaces.some(({isApart:o})=>o),
hasBars:this.colouring.kind==="number"&&this.colouring.perPane,strip:s?ye(this.colouring,t):0})}projectAll(){this.screens.
forEach((t,s)=>{It(this.spaces[s],this.view.cameras[s],this.layout.panes[s].plot,t),t.depth&&t.order&&ue(t.depth,t.order)}),
this.#t=this.screens.map(()=>null)}filed(t){let s=this.#t[t]??qt(this.screens[t],this.layout.panes[t].plot);return this.#t[t]=
s,s}paint(t,s,o){t.width=Math.round(s.width*o),t.height=Math.round(s.height*o);let n=R(t),r=new ImageData(t.width,t.height),
i=new Uint32Array(r.data.buffer).fill(it(this.theme.background));s.panes.forEach(({plot:c},a)=>{this.#s(i,t,Ls(c,t,o),a,
o)}),n.putImageData(r,0,0),n.scale(o,o),ge(n,{...this,layout:s},this.colouring)}#s(t,s,o,n,r){let i=this.screens[n],{radius:c,
opacity:a}=Cs(this.view,r),{selected:h}=this.view,l=A=>Ae(t,s.width,o,i,r,A),f=Uint32Array.from(this.colours,it),d=this.
colouring.slots[n];if(!k(h)){l({slots:d,colours:f,stamp:ct(c,a)});return}let p=Uint32Array.of(it(this.theme.dim)),y=ct(c,
a/3);l({colours:p,stamp:y,wanted:A=>!h[A]});let w=ct(c,Math.max(a,.9));l({slots:d,colours:f,stamp:w,wanted:A=>!!h[A]})}};
function Ts({n:e,dims:t}){return{x:new Float32Array(e),y:new Float32Array(e),depth:t===3?new Float32Array(e):null,order:t===
3?new Uint32Array(e):null}}function Rs(e){return{name:"",unit:"",labels:[""],colours:[],rows:[new Float32Array(e)]}}function Cs({
n:e,size:t},s){return{radius:Math.min(4,Math.max(.9,4*(300/e)**.25))*t*s,opacity:Math.min(.9,Math.max(.35,.9*(2e3/e)**.25))}}
function Ls(e,t,s){let[o,n]=[Math.round(e.x*s),Math.round(e.y*s)];return{x:o,y:n,w:Math.min(t.width-o,Math.round(e.w*s)),
h:Math.min(t.height-n,Math.round(e.h*s))}}var vt=14,ht=class{value=u("div",{class:"value"});text=u("div",{class:"text"});element=u("div",{class:"tooltip",hidden:""},
[this.text,this.value]);show(t,s,o,n){this.text.textContent=t,this.value.textContent=s,this.element.hidden=!1,this.element.
style.maxWidth=`${Math.min(340,n.width-2)}px`;let{offsetWidth:r,offsetHeight:i}=this.element,c=Me(o.x,r,n.width),a=Me(o.
y,i,n.height);this.element.style.transform=`translate(${c}px, ${a}px)`}hide(){this.element.hidden=!0}};function Me(e,t,s){
let o=e+vt+t<=s?e+vt:e-vt-t;return Math.max(0,Math.min(o,s-t))}var Os=240,lt=class{#t=u("canvas");#e=!1;#s=()=>{};canvas=u("canvas",{"aria-hidden":"true"});frames=u("div",{class:"fram\
es"});tooltip=new ht;element=u("div",{class:"stage"},[this.canvas,this.frames,this.tooltip.element]);get width(){return Math.
max(Os,Math.floor(this.element.getBoundingClientRect().width))}setPanes({panes:t,n:s},o,n){this.#s=n;let r=t.map(({name:i,
badge:c},a)=>u("div",{class:"frame",tabindex:"0",role:"application","aria-label":`${i}. ${c}. ${T(s)} rows. ${ee}`,onkeydown:h=>{
this.#e=!1,n(a),o(a,h)},onfocus:()=>n(a),onblur:({relatedTarget:h})=>{this.frames.contains(h)||(this.#e=!1),n(-1)}}));this.
frames.replaceChildren(...r)}#r(t){return this.frames.children[t]}focusPane(t,{isPressed:s=!1}={}){this.#e=s,this.#r(t).
focus({preventScroll:s}),this.#s(t)}outlineKeyed(t){let s=t>=0&&!this.#e;return[...this.frames.children].forEach((o,n)=>{
o.classList.toggle("keyed",s&&n===t)}),s}place({panes:t}){t.forEach(({plot:s},o)=>{Object.assign(this.#r(o).style,{left:`${s.
x}px`,top:`${s.y}px`,width:`${s.w}px`,height:`${s.h}px`})})}draw(t){let{layout:s}=t;t.paint(this.#t,s,globalThis.devicePixelRatio||
1),Object.assign(this.canvas,{width:this.#t.width,height:this.#t.height}),this.canvas.style.width=`${s.width}px`,this.canvas.
style.height=`${s.height}px`}overlay(t,{lit:s,hovered:o,outline:n,cross:r}){let i=R(this.canvas),c=this.canvas.width/t.layout.
width;i.setTransform(1,0,0,1,0,0),i.drawImage(this.#t,0,0),i.scale(c,c),V(i,t,{lit:s,hovered:o}),n&&_t(i,t,n),r&&Dt(i,t,
r)}};function Is(e){return{ids:e.ids,n:e.n,dims:e.dims,cameras:e.panes.map(()=>O(e.dims)),linked:!0,mode:"lasso",column:e.columns[0]?.
name??"",size:1,selected:new Uint8Array(e.n),picked:null,search:{text:"",isExpression:!1}}}function be(e,t){let s=Is(t);
if(!e||e.ids!==t.ids||e.n!==t.n)return s;let o=e.dims!==t.dims,n=e.picked&&e.picked.pane<t.panes.length;return{...e,dims:t.
dims,mode:o&&e.mode==="rotate"?"lasso":e.mode,cameras:s.cameras.map((r,i)=>!o&&(e.cameras[i]??(e.linked&&e.cameras[0]))||
r),column:t.columns.some(({name:r})=>r===e.column)?e.column:s.column,picked:e.picked&&(n?e.picked:{...e.picked,pane:0})}}var Ps=120,ut=class{#t=new nt(this);#e=new v(Ps);#s=-1;#r=0;#i={outline:null,hovered:null};#n=null;#c=null;#o={wall:null,
lit:[],view:null,calls:0};#h=()=>{};stage=new lt;search=new tt;announcer=new q;controls=new et(Ht(this));#l=u("div",{class:"\
legend",role:"group","aria-label":"Legend"});#u=u("p",{class:"status",role:"status"});constructor(t){this.root=t;let s=u(
"div",{class:"above"},[this.#u,this.#l]);t.append(this.controls.element,s,this.stage.element,this.announcer.element)}get scene(){
return this.#c}get view(){return this.scene.view}get nPanes(){return this.scene.data.panes.length}get lit(){return this.#o.
lit}textOf(t){return ce(this.scene.data,t)}load(t,s){this.#h=s;let o=ie(t);this.#c?.data.content===o.content?this.#c.readTheme():
this.#f(o),this.#o.wall=this,this.#d(),this.showAll(),this.root.dataset.ready=String(o.n)}#f(t){this.#o=ne(t.key);let s=this.#o.
view;this.#i={outline:null,hovered:null},this.search.stop(),this.controls.say(""),this.#c=new at(t,be(s,t),this.root,this.
stage.width),this.change({}),this.stage.setPanes(t,(o,n)=>this.#t.press(o,n),this.#p),s&&(k(s.selected)||s.picked)&&this.#m()}change(t){
this.scene.view={...this.view,...t},this.#o.view=this.view}#d(){if(this.#n)return;this.#n=new AbortController,he(this,this.#n.
signal);let t=new ResizeObserver(()=>{this.stage.width!==this.scene.layout.width&&this.showAll()});t.observe(this.stage.
element),this.#n.signal.addEventListener("abort",()=>t.disconnect())}close(){this.#n?.abort(),this.#n=null,this.search.stop(),
this.#e.stop(),this.announcer.stop(),cancelAnimationFrame(this.#r),this.#o.wall===this&&(this.#o.wall=null)}clear(){this.
change({picked:null}),this.select(new Uint8Array(this.view.n),N),this.announcer.say("Nothing is selected")}select(t,s,o={
...this.view.search,text:""}){o.text||this.search.stop(),this.change({selected:Wt(this.view.selected,t,s),search:o}),this.
controls.say(""),this.showControls(),this.draw(),this.#m()}pick(t){this.change({picked:t}),this.#a(),this.#m(),t&&this.announcer.
say(`Picked: ${this.textOf(t.row)}`)}hover(t){if(!(t===null&&this.#i.hovered===null)){if(this.#i.hovered=t?.row??null,t){
let{colouring:s,layout:o}=this.scene,n=Xt(s,t.pane,t.row);this.stage.tooltip.show(this.textOf(t.row),n,t.point,o)}else this.
stage.tooltip.hide();this.#a()}}outline(t){this.#i.outline=t,this.#a()}resetView(t){this.moveCamera(t,O(this.view.dims))}moveCamera(t,s){
let{cameras:o,linked:n}=this.view;this.change({cameras:o.map((r,i)=>n||i===t?s:r)}),this.hover(null),cancelAnimationFrame(
this.#r),this.#r=requestAnimationFrame(()=>{let r=performance.now();this.scene.projectAll(),this.draw(),this.measure("fr\
ameMs",r)})}light(t){this.#o.lit=t,this.#a()}measure(t,s){this.root.dataset[t]=(performance.now()-s).toFixed(1)}#p=t=>{this.#s=
this.stage.outlineKeyed(t)?t:-1,this.#a()};showControls(){this.controls.show(this.view,this.scene.data),this.root.dataset.
mode=this.view.mode}showAll(){this.showControls(),oe(this.#l,this.scene,(t,s)=>this.select(t,s)),this.scene.layOut(this.
stage.width),this.stage.place(this.scene.layout),this.draw()}draw(){this.stage.draw(this.scene),this.#a();let{selected:t,
n:s,column:o}=this.view,n=k(t);this.#u.textContent=`${T(n)} of ${T(s)} rows selected`,Object.assign(this.root.dataset,{selected:n,
colour:o})}#a(){let{lit:t}=this,s=this.#s>=0?this.#t.cross(this.#s):null;this.stage.overlay(this.scene,{...this.#i,lit:t,
cross:s}),this.root.dataset.picked=String(this.view.picked?.row??""),this.root.dataset.lit=t.map(o=>o.length).join(" ")}#m(){
this.#e.call(()=>this.#h(Bt(this.view)))}};function Ee(e,t){let s=document.querySelector(e),o=t(s);o(),matchMedia("(prefers-color-scheme: dark)").addEventListener(
"change",o)}function ke(){let e=document.getElementById("payload")?.textContent??"";return Uint8Array.from(atob(e.trim()),
t=>t.charCodeAt(0))}Ee(".wall",e=>{let t=new ut(e),s=ke();return()=>t.load(s,()=>{})});
