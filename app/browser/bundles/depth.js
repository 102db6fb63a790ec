var ut={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function u(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[r,i]of Object.entries(e))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function k(n,t,e){return u("button",{type:"button",text:n,title:t,onclick:e})}function dt(n,t){let e=URL.createObjectURL(n);u("a",{href:e,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(e),1e4)}function A(n){return n.getContext("2d")}var tt=1;function et(){return Math.max(tt,devicePixelRatio||1)}function pt(n,t){
try{return tt=2,n(),t()}finally{tt=1,n()}}function D(n,t,e){let s=et();Object.assign(n,{width:t*s,height:e*s}),Object.assign(
n.style,{width:`${t}px`,height:`${e}px`}),A(n).scale(s,s)}var Pt=300,_=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},E=class{#t=new _(Pt);element=u("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var H=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function O(n){
let t=getComputedStyle(n),e=(r,i)=>t.getPropertyValue(r).trim()||i,s=x(e("--st-background-color","#ffffff")),o=x(e("--st\
-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:T(s,o,.72),line:T(s,o,.2),dim:T(
s,o,.3),missing:T(s,o,.5),primary:x(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function mt(n,t){
let s=(t?.16+.84*n:.92*n)*(H.length-1),o=Math.min(Math.floor(s),H.length-2);return T(H[o],H[o+1],s-o)}function T(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function g(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var U=null;function x(n){U??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),U.fillStyle=n,U.fillRect(
0,0,1,1);let[t,e,s]=U.getImageData(0,0,1,1).data;return[t,e,s]}function gt(n,{x:t,y:e,w:s,h:o},r){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),r(),n.restore()}function I(n,[t,e],s){
n.beginPath(),n.arc(t,e,s,0,2*Math.PI),n.fill()}function wt(n,t,[e,s],o){let[r,i]=[-1,o];for(let a=0;a<n;a++){let[h,c]=t(
a),l=Math.hypot(h-e,c-s);l<i&&([r,i]=[a,l])}return r}function P(n,t,{colour:e,width:s,halo:o},r){let i=[[t.background,s+
o],[e,s]];for(let[a,h]of i)n.beginPath(),r(),n.lineWidth=h,n.strokeStyle=g(a),n.stroke()}function B(n,t){return(e,s,o,{align:r="\
left",colour:i=t.muted,weight:a=400,halo:h=!1}={})=>{n.font=`${a} 11.5px ${t.font}`,n.textAlign=r,n.fillStyle=g(i),h&&(n.
strokeStyle=g(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}var yt=x("#d55e00"),[Wt,qt,W]=[8,16,7],G=class{#t=0;constructor(t,e){this.canvas=t,this.panel=e}resize(t){D(this.canvas,
t,t),this.#t=t/2}#e(t,e){let s=this.#t-Wt;return[this.#t+s*t,this.#t-s*e]}#o(t){return this.#e(this.panel.x[t],this.panel.
y[t])}nearest(t,e){return wt(this.panel.x.length,s=>this.#o(s),[t,e],qt)}draw(t,e,s){let o=A(this.canvas),{near:r,colour:i,
top:a}=this.panel;o.lineWidth=1,o.strokeStyle=g(t.line);for(let{x:p,y:w}of e){o.beginPath();for(let y=0;y<p.length;y++)o.
lineTo(...this.#e(p[y],w[y]));o.stroke()}let h=x(i);r.forEach((p,w)=>{o.fillStyle=g(h,p>0?.85:.4),I(o,this.#o(w),p>0?3:2)});
let[[c,l],[,f]]=[this.#e(0,0),this.#e(0,a)];P(o,t,{colour:yt,width:4,halo:2},()=>{o.moveTo(c,l),o.lineTo(c,f)}),o.beginPath(),
o.moveTo(c,f-W),o.lineTo(c-W,f+W),o.lineTo(c+W,f+W),o.fillStyle=g(yt),o.fill();let d=s.map(p=>this.#o(p));P(o,t,{colour:t.
ink,width:2,halo:3},()=>{for(let p of d)o.lineTo(...p)}),o.fillStyle=g(t.ink),o.strokeStyle=g(t.background);for(let p of d)
I(o,p,5),o.stroke()}};var Dt=300,z=class{#t=[];#e=[];#o=[];#s=[];#n=new E;#i=new ResizeObserver(()=>this.draw());text=u("p",{class:"pair"});spoken=this.#n.
element;constructor(t,e,s){this.point=s;let i={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:a=>{let[h,c]=ut[a.key]??[0,0];a.ctrlKey||a.metaKey||a.altKey||h===c||(a.preventDefault(),
e(h-c))}};this.element=u("div",{...i,...t}),this.#i.observe(this.element)}show(t,e){this.#e=e,this.#t=t.map((o,r)=>{let i=({
offsetX:d,offsetY:p})=>{let w=h.nearest(d,p);w>=0&&this.point(w,r)},a=u("canvas",{role:"img",onpointermove:i,onpointerdown:i}),
h=new G(a,o),[c,l]=[u("strong",{text:o.title}),u("div")],f=u("figcaption",{},[c,l]);return{panel:o,sphere:h,title:c,note:l,
figure:u("figure",{},[f,a])}});let s=this.#t.map(({figure:o})=>o);return this.element.replaceChildren(...s),s}move(t){this.#t.
forEach((e,s)=>{e.panel=t[s],e.sphere.panel=t[s],e.title.textContent=t[s].title})}mark(t,e,s){this.#o=t,this.#s=s,this.text.
textContent=e,this.#t.forEach(({panel:o,sphere:r,note:i},a)=>{i.textContent=s[a],r.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${o.title}: the mean of their directions has length ${o.mean_length.toFixed(2)}; the marked pair: ${s[a]}`}),
this.draw()}draw(){let t=O(this.element);for(let{sphere:e,figure:s}of this.#t){if(!s.clientWidth)return;e.resize(Math.min(
Dt,s.clientWidth)),e.draw(t,this.#e,this.#o)}}say(){let t=this.#t.map(({panel:e},s)=>`${e.title} ${this.#s[s]}`);this.#n.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#n.stop(),this.#i.disconnect()}};var j=100;function bt(n,t){pt(()=>n.draw(),()=>Ht(n.parts)).toBlob(s=>s&&dt(s,`${t}.png`))}function Ht(n){let t=n.map(c=>c.
getBoundingClientRect()),e=et(),s=e*Math.max(...t.map(c=>c.width)),o=e*t.reduce((c,l)=>c+l.height,0),r=u("canvas",{width:Math.
ceil(s),height:Math.ceil(o)}),[i,a]=[A(r),O(n[0])];i.fillStyle=g(a.background),i.fillRect(0,0,s,o),i.scale(e,e);let h=0;
return n.forEach((c,l)=>{i.save(),i.translate(-t[l].left,h-t[l].top);for(let f of[c,...c.querySelectorAll("canvas, .swat\
ch, .bar")])Ut(i,a,f);Bt(i,c),i.restore(),h+=t[l].height}),r}function Ut(n,t,e){let{left:s,top:o,width:r,height:i}=e.getBoundingClientRect();
if(!(!r||!i)){if(e instanceof HTMLCanvasElement)n.drawImage(e,s,o,r,i);else if(e.matches(".swatch"))n.fillStyle=getComputedStyle(
e).backgroundColor,n.fillRect(s,o,r,i);else if(e.matches(".scale .bar"))for(let a=0;a<j;a++)n.fillStyle=g(mt(a/(j-1),t.dark)),
n.fillRect(s+a*r/j,o,r/j+.5,i)}}function Bt(n,t){let[e,s]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(n.textAlign="center",n.textBaseline="middle";e.nextNode();){let o=e.currentNode,r=getComputedStyle(o.parentElement);
n.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,n.fillStyle=r.color;for(let{0:i,index:a}of o.data.matchAll(/\S+/g)){
s.setStart(o,a),s.setEnd(o,a+i.length);let{left:h,top:c,width:l,height:f}=s.getBoundingClientRect();!l||!f||(n.save(),n.
translate(h+l/2,c+f/2),r.writingMode.startsWith("vertical")&&n.rotate(-Math.PI/2),n.fillText(i,0,0),n.restore())}}}function St({show:n,...t}){let s={...t,show:i=>{let a=n(i);return Gt(a)&&i.append(k("Save PNG","Save the picture",()=>bt(
a,t.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&Kt(s,o.textContent??"");let r=jt(s);return i=>i?
r(i):{render:a=>Vt(s,a)}}function Gt(n){return"draw"in n&&"parts"in n}function zt(n,t){n.calls+=1;let e=n.calls;return()=>{
n.calls===e&&t()}}function jt({name:n,state:t,show:e}){let s=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{
let a=r.querySelector(`.${n}`),h=s.get(a)??{shown:e(a),calls:0};return s.set(a,h),h.shown.load(o,c=>i(t,c)),zt(h,()=>h.shown.
close?.())}}function Kt({name:n,show:t,file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),r=Uint8Array.from(
atob(s.trim()),a=>a.charCodeAt(0)),i=()=>o.load(e.data(r),e.told??(()=>{}));i(),matchMedia("(prefers-color-scheme: dark)").
addEventListener("change",i)}function Vt({name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[r,i]=[u("div"),u("div",
{class:n})],a=u("style",{text:String(s.get("sheet"))});r.attachShadow({mode:"open"}).append(a,i),o.append(r);let h=t(i),
c=()=>h.load(e.data(s.get(e.trait)),l=>{for(let[f,d]of Object.entries(e.traits(l,h)))s.set(f,d);s.save_changes()});return c(),
s.on(`change:${e.trait}`,c),()=>{s.off(`change:${e.trait}`,c),h.close?.()}}var K=class{#t=0;start(t,e,s,o,r=()=>{}){this.stop();let i=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/s)),f=i&&s<=600?1:l,d=f===1?e:t+f*(e-t);o(i?Math.round(d):d),f<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var[Mt,Xt,kt,Yt]=[46,10,16,34],$t={across:40,up:28},Jt=[1,2,5,10],Zt=12,V=[[],[7,3],[2,3],[9,3,2,3]];function At(n,t,e,s){
let{title:o="",titles:r,lines:i,hasZero:a,at:h,rug:c=[]}=s,l=B(n,t),f=i.filter(({name:m})=>m),d=kt*((s.names??f.length)+
+(o!==""))+10,[p,w]=[e.x+Mt,e.y+d],[y,b]=[e.w-Mt-Xt,e.h-Yt-d],[C,S]=[p+y,w+b],R=xt(i.map(({x:m})=>m)),q=Qt(xt([...i.map(
({y:m})=>m),a?[0]:[]])),L=m=>p+y*(m-R[0])/(R[1]-R[0]||1),Z=m=>S-b*(m-q[0])/(q[1]-q[0]);l(o,e.x,e.y+12,{weight:600,colour:t.
ink}),n.strokeStyle=g(T(t.background,t.ink,.45)),n.lineWidth=1,n.strokeRect(p+.5,w+.5,y-1,b-1);for(let{value:m,text:M}of vt(
R,y/$t.across))l(M,Math.min(L(m),C-8),S+14,{align:"center"});for(let{value:m,text:M}of vt(q,b/$t.up))l(M,p-5,Z(m)+4,{align:"\
right"});l(r[0],p+y/2,S+29,{align:"center"}),n.save(),n.translate(e.x+12,w+b/2),n.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),n.restore(),gt(n,{x:p,y:w,w:y,h:b},()=>{for(let m of Array.from(c))st(n,g(t.ink,.18),L(m),S,-7);h!==void 0&&st(
n,g(t.muted),L(h),S,-b),i.forEach(({colour:m,mark:M,...v},N)=>{if(n.setLineDash(V[N%V.length]),P(n,t,{colour:m,width:2,halo:2},
()=>{for(let F=0;F<v.x.length;F++)Number.isFinite(v.y[F])&&n.lineTo(L(v.x[F]),Z(v.y[F]))}),n.setLineDash([]),!M)return;let[
ft,Q]=[L(M[0]),Z(M[1])];n.setLineDash([3,3]),st(n,g(t.muted),ft,Q,S-Q),n.setLineDash([]),n.fillStyle=g(m),I(n,[ft,Q],5)})}),
f.forEach(({name:m,colour:M},v)=>{let N=e.y+kt*(v+(o?1:0))+8;n.strokeStyle=g(M),n.lineWidth=2,n.setLineDash(V[v%V.length]),
n.beginPath(),n.moveTo(e.x,N),n.lineTo(e.x+24,N),n.stroke(),n.setLineDash([]),l(m,e.x+30,N+4,{colour:t.ink})})}function st(n,t,e,s,o){
n.strokeStyle=t,n.lineWidth=1,n.beginPath(),n.moveTo(e,s),n.lineTo(e,s+o),n.stroke()}function xt(n){let t=n.flatMap(e=>Array.
from(e)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function Qt([n,t]){let e=Math.max(.1-(t-n)/2,.06*
(t-n));return[n-e,t+e]}function vt([n,t],e){let s=(t-n)/e,o=10**nt(s),r=o*(Jt.find(h=>h*o>=s)??10),[i,a]=[Math.ceil(n/r),
Math.floor(t/r)];return Array.from({length:a-i+1},(h,c)=>{let l=(i+c)*r;return{value:l,text:te(l,r)}})}function te(n,t){
let e=n?nt(n)-nt(t)+1:1,s=Math.min(Zt,Math.max(1,e));return n.toLocaleString("en",{maximumSignificantDigits:s})}function nt(n){
return Math.floor(Math.log10(Math.abs(n)))}var X=class{constructor(t,e,s){this.data=t,this.n=e,this.sides=[...s,...s.map(c=>e+c)];let o=Uint8Array.from(atob(t.numbers),
c=>c.charCodeAt(0)),r=new Int16Array(o.buffer),[i,a]=[0,0],h=c=>{let l=t.scales[a++];return i+=c,Float64Array.from(r.subarray(
i-c,i),f=>f*l)};this.largest=t.chosen.map(()=>h(2*e)),this.norms=h(2*e),this.along=h(2*e),this.ofPairs=h(e),this.ofShown=
h(this.sides.length*(this.sides.length-1)/2)}#t({out:t,isCentred:e}){let{mean:s}=this.data,r={rows:this.largest.map((i,a)=>e?
i:i.map(h=>h+s[a])).filter((i,a)=>!t.has(a)),lengths:new Float64Array(2*this.n),isCentred:e};return r.lengths.set(this.norms.
map((i,a)=>Math.sqrt(this.#e(r,a,a,1))||1)),r}#e({rows:t,isCentred:e},s,o,r){let i=r*this.norms[s]*this.norms[o];e||(i+=
this.along[s]+this.along[o]+this.data.rest_mean);for(let a of t)i+=a[s]*a[o];return i}cosines(t){let[e,{n:s}]=[this.#t(t),
this];return this.ofPairs.map((o,r)=>this.#e(e,r,s+r,o)/(e.lengths[r]*e.lengths[s+r]))}gram(t){let[e,{sides:s}]=[this.#t(
t),this],o=s.length,r=new Float64Array(o*o).fill(1),i=0;for(let a=0;a<o;a++)for(let h=a+1;h<o;h++){let[c,l]=[s[a],s[h]],
f=this.#e(e,c,l,this.ofShown[i++]);r[a*o+h]=f/(e.lengths[c]*e.lengths[l]),r[h*o+a]=r[a*o+h]}return r}};function Rt(n){let t=Math.
sqrt(n.length);return(n.reduce((e,s)=>e+s,0)-t)/(t*(t-1))}function it(n,t){let e=Math.sqrt(n.length),s=Array.from({length:e},
(l,f)=>n.subarray(f*e,(f+1)*e).reduce((d,p)=>d+p,0)),o=Math.sqrt(s.reduce((l,f)=>l+f,0))/e||1e-12,r=s.map(l=>l/(e*o)),i=n.
map((l,f)=>l-r[Math.floor(f/e)]*r[f%e]),a=Ct(t),h=Tt(i,a);for(let l=0;l<12;l++)a=Ct(h),h=Tt(i,a);let c=rt(a,ee(ot(a,h)));
return{length:o,along:r,flat:rt(c,se(ot(c,t)))}}function Tt(n,t){let e=t.length/2,s=new Float64Array(2*e);for(let o=0;o<
e;o++){let[r,i]=[0,0];for(let a=0;a<e;a++){let h=n[o*e+a];r+=h*t[2*a],i+=h*t[2*a+1]}s[2*o]=r,s[2*o+1]=i}return s}function ot(n,t){
let e=[0,0,0,0];for(let s=0;s<n.length;s+=2)for(let o=0;o<4;o++)e[o]+=n[s+(o>>1)]*t[s+(o&1)];return e}function rt(n,[t,e,
s,o]){return n.map((r,i)=>i%2?n[i-1]*e+r*o:r*t+n[i+1]*s)}function Ct(n){let[t,e,,s]=ot(n,n),[o,r]=[Math.sqrt(t)||1,e/(t||
1)],i=Math.sqrt(Math.max(s-r*e,0))||1;return rt(n,[1/o,-r/i,0,1/i])}function ee([n,t,e,s]){let o=Math.sqrt(Math.max(n*s-
t*e,0)),r=Math.sqrt(n+s+2*o)||1;return[(n+o)/r,t/r,e/r,(s+o)/r]}function se([n,t,e,s]){let o=n*s-t*e<0?-1:1,[r,i]=[n+o*s,
t-o*e],a=Math.hypot(r,i);return a?[r/a,i/a,-o*i/a,o*r/a]:[1,0,0,1]}function Et(n,t){let[e,s]=[n,t].map(ne),o=(e.length+1)/
2,r=(i,a)=>i.reduce((h,c,l)=>h+(c-o)*(a[l]-o),0);return r(e,s)/Math.sqrt(r(e,e)*r(s,s))}function ne(n){let t=Array.from(
n,(s,o)=>o).sort((s,o)=>n[s]-n[o]),e=new Float64Array(t.length);for(let s=0,o=0;s<t.length;s=o){for(;o<t.length&&n[t[o]]===
n[t[s]];)o++;for(let r=s;r<o;r++)e[t[r]]=(s+o+1)/2}return e}var $={out:new Set,isCentred:!1,isAfterFirst:!1},oe="#0072b2",Y=class{#t=new Map;#e=new Map;#o;#s;constructor(t){this.data=
t;let e=Float64Array.from({length:4*t.shown.length},(s,o)=>Math.sin(o+1));this.#o=t.layers.map((s,o)=>this.space(o,$).gram(
$)),this.#s=this.#o.map(s=>(e=it(s,e).flat,e))}get last(){return this.data.layers.length-1}space(t,{isAfterFirst:e}){let s=`${t}\
 ${e}`,{all:o,after_first:r}=this.data.layers[t],i=this.#t.get(s)??new X(e?r:o,this.data.n,this.data.shown);return this.#t.
set(s,i),i}#n(t,e){return e===$?this.#o[t]:this.space(t,e).gram(e)}scores(t){let e=JSON.stringify([[...t.out].sort(),t.isCentred,
t.isAfterFirst]),{gold:s,layers:o}=this.data,r=this.#e.get(e)??o.map((i,a)=>{let h=s?Et(this.space(a,t).cosines(t),s):Number.
NaN;return{cosine:Rt(this.#n(a,t)),rho:h}});return this.#e.set(e,r),r}panel(t,e){let{length:s,along:o,flat:r}=it(this.#n(
t,e),this.#s[t]);return re(o,r,s,this.data.tilt)}angles(t,e){let s=this.space(t,e).cosines(e);return this.data.shown.map(
o=>180/Math.PI*Math.acos(Math.min(1,s[o])))}};function re(n,t,e,s){let[o,r,i]=[[],[],[]].map(()=>new Array(n.length).fill(
0));return n.forEach((a,h)=>{let c=Math.sqrt(Math.max(0,1-a*a)),l=Math.atan2(t[2*h+1],t[2*h]),f=c*Math.sin(l);o[h]=c*Math.
cos(l),r[h]=a*Math.cos(s)-f*Math.sin(s),i[h]=f*Math.cos(s)+a*Math.sin(s)}),{x:o,y:r,near:i,colour:oe,top:e*Math.cos(s),mean_length:e}}var[at,ht,ie,ae,he]=[178,10,150,5,2],ce=15,le=[["#0072b2","#56b4e9"],["#6b6b6b","#a8a8a8"]].map(n=>n.map(x));function Ot(n,t){
let{layers:e,gold:s,unscored:o}=n.data,[r,i]=[$,t].map(d=>n.scores(d)),a=d=>d??Number.NaN,h=(d,p)=>[i,r].map((w,y)=>[y?"\
as it is":"shown",w.map(b=>p*b[d]),y]),c=e.map((d,p)=>a(n.space(p,t).data.shares[0])),l=e.map(({first_norm:d})=>Math.log10(
a(d))),f=e.map(({token_entropy:d})=>a(d));return[{title:"Random cosine",lines:h("cosine",1)},{title:"Rho x 100",lines:h(
"rho",100),why:s?"":o},{title:"Largest coordinate",lines:[["its share",c,0]]},{title:"First token, log10",lines:[["norm \
ratio",l,0]]},{title:"Token entropy",lines:[["mean",f,0]]}]}function Lt(n,t,e,s,o){let r=Math.max(1,Math.min(ae,Math.floor(
o/ie))),i=(o-(r-1)*ht)/r;D(n,o,at*Math.ceil(e.length/r));let a=A(n),h=e[0].lines[0][1].map((c,l)=>l);e.forEach(({title:c,
lines:l,why:f},d)=>{let[p,w]=[d%r*(i+ht),Math.floor(d/r)*at];if(l.every(([,b])=>b.every(Number.isNaN))){let b=B(a,t);b(c,
p,w+12,{weight:600,colour:t.ink}),fe(a,f||"The model has no such measure.",i).forEach((S,R)=>{b(S,p,w+34+ce*R)});return}
At(a,t,{x:p,y:w,w:i,h:at-ht},{title:c,titles:["layer",""],at:s,names:he,lines:l.map(([b,C,S])=>({name:`${b}: ${Number.isNaN(
C[s])?"none":C[s].toFixed(2)}`,colour:le[S][t.dark?1:0],x:h,y:C}))})})}function fe(n,t,e){let s=[""];for(let o of t.split(
" ")){let r=`${s.at(-1)} ${o}`.trim();n.measureText(r).width<=e?s[s.length-1]=r:s.push(o)}return s}function _t(n,t,e){let{flow:s}=n.data.layers[t],[o,r]=[$,e].map(d=>n.scores(d)[t]),i=ue(n,t,e),a=de(n.space(t,e).data.chosen,
e),h=!Number.isNaN(r.rho),c=s===null?"":`; the flow gives ${(100*s).toFixed(2)}`;if(!a.length)return h?`${i} Rho x 100 i\
s ${(100*r.rho).toFixed(2)}${c}.`:i;let l=Ft("the random cosine",o.cosine,r.cosine,3),f=Ft("rho x 100",100*o.rho,100*r.rho,
2);return`${i} Without ${It(a)}, ${l}${h?`, and ${f}${c}`:""}.`}function ue(n,t,e){let{name:s,first_part:o}=n.data.layers[t],
{chosen:r,shares:i}=n.space(t,e).data;if(!i.length)return`In layer ${s}, two random sentences have no positive cosine.`;
let a=`In layer ${s}, coordinates ${r[0]} and ${r[1]} make ${Nt(i[0]+i[1])} of the cosine of two random sentences`;return e.
isAfterFirst?`${a}, without their first tokens.`:o===null?`${a}.`:`${a}; the first token accounts for ${Nt(o)} of it.`}function de(n,{
out:t,isCentred:e,isAfterFirst:s}){let o=[...t].sort((a,h)=>a-h),r=o.map(a=>String(n[a])),i=`coordinate${r.length>1?"s":
""} ${It(r)}`;return o.join()==="0,1"&&(i="these two coordinates"),[...s?["the first token"]:[],...r.length?[i]:[],...e?
["the mean"]:[]]}function Nt(n){return`${(100*n).toFixed(0)} %`}function Ft(n,t,e,s){let[o,r]=[t,e].map(i=>i.toFixed(s));
return o===r?`${n} stays at ${r}`:`${n} ${e>t?"rises":"falls"} from ${o} to ${r}`}function It(n){let[t,e]=[n.at(-1)??"",
n.slice(0,-1)];return e.length?`${e.join(", ")} and ${t}`:t}var[pe,me]=[260,450],ct=[0,1],lt=class{#t=new K;#e=new _(me);#o=new E;#s=0;#n=0;#i=!1;#a=$;#h=null;#p=null;#y=k("Play","\
Play the layers from the shown one",()=>this.#O());#b=k("Back","One layer back",()=>this.#d(this.#s-1));#S=k("Forward","\
One layer on",()=>this.#d(this.#s+1));#l=u("input",{type:"range",min:0,step:1,"aria-label":"Layer",oninput:()=>this.#d(Number(
this.#l.value))});#M=u("output");#k=k("Leave out the largest 2","The two coordinates of the upper bars",()=>this.#T(this.#A?
[]:ct));#$=k("Subtract the mean","The mean of the fit corpus",()=>this.#g({isCentred:!this.#a.isCentred}));#x=k("First t\
oken out of the mean","The mean over all tokens but the first",()=>this.#g({isAfterFirst:!this.#a.isAfterFirst}));#f=u("\
div",{class:"bars",role:"group","aria-label":"Largest coordinates"});#m=u("p",{class:"verdict"});#u=u("canvas",{class:"c\
urves",role:"img"});#r=new z({role:"application"},t=>this.#C(this.#n+t),t=>this.#C(t));#v=new ResizeObserver(()=>this.#w());constructor(t){
this.root=t;let e=[this.#y,this.#b,this.#S,this.#l,this.#M],s=u("div",{class:"ball"},[this.#r.element,this.#r.text]),o=u(
"strong",{text:"Share of the random cosine; press to leave out"}),r=u("div",{class:"side"},[o,this.#f]);t.replaceChildren(
u("div",{class:"row"},e),u("div",{class:"row"},[this.#k,this.#$,this.#x]),this.#m,u("div",{class:"panes"},[s,r]),this.#u,
this.#r.spoken,this.#o.element),this.#v.observe(t)}load(t){if(this.#h)return;this.#h=new Y(t);let{gold:e,shown:s}=t,o=s.
map(r=>e?.[r]??0);this.#n=o.indexOf(Math.min(...o)),this.#l.max=String(this.#h.last),this.#c(Math.floor(this.#h.last/2))}get#A(){
let{out:t}=this.#a;return t.size===ct.length&&ct.every(e=>t.has(e))}#T(t){this.#g({out:new Set(t)})}#g(t){this.#a={...this.#a,
...t},this.#c(this.#s)}#O(){if(this.#i)return this.#d(this.#s);this.#i=!0,this.#c(this.#s===this.#h?.last?0:this.#s)}#d(t){
this.#e.stop(),this.#i=!1,this.#c(t)}#c(t){let e=this.#h;if(!e)return;this.#s=Math.max(0,Math.min(e.last,t));let s=`Laye\
r ${e.data.layers[this.#s].name}`,o={...e.panel(this.#s,this.#a),title:s},r=this.#p;this.#E(e);let i=a=>{this.#p=r?ge(r,
o,a):o,this.#r.move([this.#p]),this.#r.draw()};r||this.#r.show([o],e.data.circles),i(0),this.#R(e),this.#w(),this.#t.start(
0,1,pe,i,()=>{this.#i&&(this.#i=this.#s<e.last,this.#i?this.#e.call(()=>this.#c(this.#s+1)):this.#E(e))})}#C(t){let e=this.#h;
if(!e)return;let s=e.data.shown.length,o=(t+s)%s;o!==this.#n&&(this.#n=o,this.#R(e),this.#r.say())}#R(t){let{texts:e,gold:s,
shown:o,scale:r}=t.data,[i,a]=e[this.#n],h=s?`: gold score ${Number(s[o[this.#n]].toFixed(2))}`:"",[c,l]=r,f=h&&` of ${c?
`${c} to `:""}${l}`,d=t.angles(this.#s,this.#a)[this.#n];this.#r.mark([this.#n,this.#n+o.length],`“${i}” and “${a}\
”${h}${f}`,[`${d.toFixed(0)}° between the marked pair`]),this.root.dataset.pair=String(this.#n)}#E(t){let[e,s,{last:o}]=[
this.#s,this.#a,t],{data:r}=t.space(e,s);this.#y.textContent=this.#i?"Pause":"Play",this.#l.value=String(e),this.#b.disabled=
e<=0,this.#S.disabled=e>=o,this.#M.textContent=`layer ${t.data.layers[e].name} of ${o}`,J(this.#k,this.#A),J(this.#$,s.isCentred),
J(this.#x,s.isAfterFirst),this.#f.childElementCount!==r.chosen.length&&this.#L(r.chosen.length),Array.from(this.#f.children).
forEach((h,c)=>{let l=r.shares[c],f=l===void 0?"none":`${(100*l).toFixed(1)} %`,[d,p,w]=Array.from(h.children);d.textContent=
String(r.chosen[c]),w.textContent=f;let y=Math.max(0,Math.min(1,l??0));p.firstElementChild.style.width=`${100*y}%`,h.ariaLabel=
`Coordinate ${r.chosen[c]}: ${f}`,J(h,s.out.has(c))}),this.#m.textContent=_t(t,e,s),this.#o.say(this.#m.textContent);let{
cosine:i,rho:a}=t.scores(s)[e];Object.assign(this.root.dataset,{layer:e,cosine:i,rho:Number.isNaN(a)?"":a})}#L(t){let e=Array.
from({length:t},(s,o)=>{let r=()=>{let a=new Set(this.#a.out);a.delete(o)||a.add(o),this.#T(a)},i=u("span",{class:"track"},
[u("span")]);return u("button",{type:"button",class:"bar",onclick:r},[u("span"),i,u("span")])});this.#f.replaceChildren(
...e)}#w(){let[t,e]=[this.#h,this.root.clientWidth];if(!t||!e)return;let s=Ot(t,this.#a);Lt(this.#u,O(this.root),s,this.#s,
e),this.#u.ariaLabel=`Measures by layer: ${s.map(({title:o,why:r})=>r?`${o}: ${r}`:o).join(", ")}`}get parts(){return[this.#r.
element,this.#u]}draw(){this.#r.draw(),this.#w()}close(){this.#t.stop(),this.#e.stop(),this.#o.stop(),this.#r.close(),this.#v.
disconnect()}};function J(n,t){n.ariaPressed=String(t)}function ge(n,t,e){let s=(o,r)=>r.map((i,a)=>o[a]+e*(i-o[a]));return{
...t,x:s(n.x,t.x),y:s(n.y,t.y),top:n.top+e*(t.top-n.top)}}var ls=St({name:"depth",show:n=>new lt(n),state:"report"});export{lt as DepthView,ls as default};
