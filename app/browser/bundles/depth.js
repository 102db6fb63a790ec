var pt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function u(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[r,i]of Object.entries(e))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function S(n,t,e){return u("button",{type:"button",text:n,title:t,onclick:e})}function mt(n,t){let e=URL.createObjectURL(n);u("a",{href:e,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(e),1e4)}function T(n){return n.getContext("2d")}var et=1;function st(){return Math.max(et,devicePixelRatio||1)}function gt(n,t){
try{return et=2,n(),t()}finally{et=1,n()}}function q(n,t,e){let s=st();Object.assign(n,{width:t*s,height:e*s}),Object.assign(
n.style,{width:`${t}px`,height:`${e}px`}),T(n).scale(s,s)}var Ut=300,C=class{#t;#s=0;constructor(t){this.#t=t}call(t){this.stop(),this.#s=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#s)}},L=class{#t=new C(Ut);element=u("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var H=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function O(n){
let t=getComputedStyle(n),e=(r,i)=>t.getPropertyValue(r).trim()||i,s=v(e("--st-background-color","#ffffff")),o=v(e("--st\
-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:E(s,o,.72),line:E(s,o,.2),dim:E(
s,o,.3),missing:E(s,o,.5),primary:v(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function wt(n,t){
let s=(t?.16+.84*n:.92*n)*(H.length-1),o=Math.min(Math.floor(s),H.length-2);return E(H[o],H[o+1],s-o)}function E(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function g(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var U=null;function v(n){U??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),U.fillStyle=n,U.fillRect(
0,0,1,1);let[t,e,s]=U.getImageData(0,0,1,1).data;return[t,e,s]}function yt(n,{x:t,y:e,w:s,h:o},r){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),r(),n.restore()}function P(n,[t,e],s){
n.beginPath(),n.arc(t,e,s,0,2*Math.PI),n.fill()}function bt(n,t,[e,s],o){let[r,i]=[-1,o];for(let a=0;a<n;a++){let[c,h]=t(
a),l=Math.hypot(c-e,h-s);l<i&&([r,i]=[a,l])}return r}function I(n,t,{colour:e,width:s,halo:o},r){let i=[[t.background,s+
o],[e,s]];for(let[a,c]of i)n.beginPath(),r(),n.lineWidth=c,n.strokeStyle=g(a),n.stroke()}function B(n,t){return(e,s,o,{align:r="\
left",colour:i=t.muted,weight:a=400,halo:c=!1}={})=>{n.font=`${a} 11.5px ${t.font}`,n.textAlign=r,n.fillStyle=g(i),c&&(n.
strokeStyle=g(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}var St=v("#d55e00"),[Bt,Gt,W]=[8,16,7],G=class{#t=0;constructor(t,e){this.canvas=t,this.panel=e}resize(t){q(this.canvas,
t,t),this.#t=t/2}#s(t,e){let s=this.#t-Bt;return[this.#t+s*t,this.#t-s*e]}#o(t){return this.#s(this.panel.x[t],this.panel.
y[t])}nearest(t,e){return bt(this.panel.x.length,s=>this.#o(s),[t,e],Gt)}draw(t,e,s){let o=T(this.canvas),{near:r,colour:i,
top:a}=this.panel;o.lineWidth=1,o.strokeStyle=g(t.line);for(let{x:p,y:w}of e){o.beginPath();for(let b=0;b<p.length;b++)o.
lineTo(...this.#s(p[b],w[b]));o.stroke()}let c=v(i);r.forEach((p,w)=>{o.fillStyle=g(c,p>0?.85:.4),P(o,this.#o(w),p>0?3:2)});
let[[h,l],[,f]]=[this.#s(0,0),this.#s(0,a)];I(o,t,{colour:St,width:4,halo:2},()=>{o.moveTo(h,l),o.lineTo(h,f)}),o.beginPath(),
o.moveTo(h,f-W),o.lineTo(h-W,f+W),o.lineTo(h+W,f+W),o.fillStyle=g(St),o.fill();let d=s.map(p=>this.#o(p));I(o,t,{colour:t.
ink,width:2,halo:3},()=>{for(let p of d)o.lineTo(...p)}),o.fillStyle=g(t.ink),o.strokeStyle=g(t.background);for(let p of d)
P(o,p,5),o.stroke()}};var zt=300;function nt([n,t],e,[s,o]=[0,0]){let r=s?`${s} to ${o}`:o,i=e===void 0?"":`: gold score ${Number(e.toFixed(2))}\
 of ${r}`;return`“${n}” and “${t}”${i}`}var z=class{#t=[];#s=[];#o=[];#e=[];#n=new L;#a=new ResizeObserver(()=>this.
draw());text=u("p",{class:"pair"});spoken=this.#n.element;constructor(t,e,s){this.point=s;let i={class:"spheres",tabindex:0,
"aria-label":"Spheres; the arrow keys show one pair of sentences after the other",onkeydown:a=>{let[c,h]=pt[a.key]??[0,0];
a.ctrlKey||a.metaKey||a.altKey||c===h||(a.preventDefault(),e(c-h))}};this.element=u("div",{...i,...t}),this.#a.observe(this.
element)}show(t,e){this.#s=e,this.#t=t.map((o,r)=>{let i=({offsetX:d,offsetY:p})=>{let w=c.nearest(d,p);w>=0&&this.point(
w,r)},a=u("canvas",{role:"img",onpointermove:i,onpointerdown:i}),c=new G(a,o),[h,l]=[u("strong",{text:o.title}),u("div")],
f=u("figcaption",{},[h,l]);return{panel:o,sphere:c,title:h,note:l,figure:u("figure",{},[f,a])}});let s=this.#t.map(({figure:o})=>o);
return this.element.replaceChildren(...s),s}move(t){this.#t.forEach((e,s)=>{e.panel=t[s],e.sphere.panel=t[s],e.title.textContent=
t[s].title})}mark(t,e,s){this.#o=t,this.#e=s,this.text.textContent=e,this.#t.forEach(({panel:o,sphere:r,note:i},a)=>{i.textContent=
s[a],r.canvas.ariaLabel=`Sentences as points on a sphere, ${o.title}: the mean of their directions has length ${o.mean_length.
toFixed(2)}; the marked pair: ${s[a]}`}),this.draw()}draw(){let t=O(this.element);for(let{sphere:e,figure:s}of this.#t){
if(!s.clientWidth)return;e.resize(Math.min(zt,s.clientWidth)),e.draw(t,this.#s,this.#o)}}say(){let t=this.#t.map(({panel:e},s)=>`${e.
title} ${this.#e[s]}`);this.#n.say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#n.stop(),this.#a.disconnect()}};function j(n){let t=atob(n),e=new Uint8Array(t.length);for(let s=0;s<t.length;s++)e[s]=t.charCodeAt(s);return e}var jt=300,Jt=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function Mt(n,t){let e=new C(jt),s=()=>{
location.hash&&(t.place=Number.parseInt(location.hash.slice(1),10)||0)};s(),addEventListener("hashchange",s);let o=()=>history.
replaceState(null,"",`#${t.place}`);new MutationObserver(()=>e.call(o)).observe(n,{attributes:!0})}function kt(n){document.
documentElement.classList.toggle("alone",Jt),n.append(Kt(n))}function Kt(n){let t=u("input",{readonly:"","aria-label":"H\
TML that embeds the figure"}),e=S("Copy","Copy the line",()=>{t.select(),navigator.clipboard?.writeText(t.value)}),s=u("\
details",{class:"embed"},[u("summary",{text:"Embed this figure"}),t,e]);return s.addEventListener("toggle",()=>{let o=new URL(
`?only=figure${location.hash}`,location.href);t.value=`<iframe src="${o}" title="${document.title}" width="100%" height=\
"${n.offsetHeight}" style="border: 0" loading="lazy"></iframe>`}),s}var J=100;function xt(n,t){gt(()=>n.draw(),()=>Vt(n.parts)).toBlob(s=>s&&mt(s,`${t}.png`))}function Vt(n){let t=n.map(h=>h.
getBoundingClientRect()),e=st(),s=e*Math.max(...t.map(h=>h.width)),o=e*t.reduce((h,l)=>h+l.height,0),r=u("canvas",{width:Math.
ceil(s),height:Math.ceil(o)}),[i,a]=[T(r),O(n[0])];i.fillStyle=g(a.background),i.fillRect(0,0,s,o),i.scale(e,e);let c=0;
return n.forEach((h,l)=>{i.save(),i.translate(-t[l].left,c-t[l].top);for(let f of[h,...h.querySelectorAll("canvas, .swat\
ch, .bar")])Xt(i,a,f);Yt(i,h),i.restore(),c+=t[l].height}),r}function Xt(n,t,e){let{left:s,top:o,width:r,height:i}=e.getBoundingClientRect();
if(!(!r||!i)){if(e instanceof HTMLCanvasElement)n.drawImage(e,s,o,r,i);else if(e.matches(".swatch"))n.fillStyle=getComputedStyle(
e).backgroundColor,n.fillRect(s,o,r,i);else if(e.matches(".scale .bar"))for(let a=0;a<J;a++)n.fillStyle=g(wt(a/(J-1),t.dark)),
n.fillRect(s+a*r/J,o,r/J+.5,i)}}function Yt(n,t){let[e,s]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(n.textAlign="center",n.textBaseline="middle";e.nextNode();){let o=e.currentNode,r=getComputedStyle(o.parentElement);
n.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,n.fillStyle=r.color;for(let{0:i,index:a}of o.data.matchAll(/\S+/g)){
s.setStart(o,a),s.setEnd(o,a+i.length);let{left:c,top:h,width:l,height:f}=s.getBoundingClientRect();!l||!f||(n.save(),n.
translate(c+l/2,h+f/2),r.writingMode.startsWith("vertical")&&n.rotate(-Math.PI/2),n.fillText(i,0,0),n.restore())}}}function $t({show:n,...t}){let s={...t,show:i=>{let a=n(i);return Zt(a)&&i.append(S("Save PNG","Save the picture",()=>xt(
a,t.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&ne(s,o.textContent??"");let r=se(s);return i=>i?
r(i):{render:a=>oe(s,a)}}function Zt(n){return"draw"in n&&"parts"in n}function Qt(n){return"place"in n}function te(n){return JSON.
parse(new TextDecoder().decode(n))}function ee(n,t){n.calls+=1;let e=n.calls;return()=>{n.calls===e&&t()}}function se({name:n,
state:t,show:e}){let s=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{let a=r.querySelector(`.${n}`),c=s.
get(a)??{shown:e(a),calls:0};return s.set(a,c),c.shown.load(o,h=>i(t,h)),ee(c,()=>c.shown.close?.())}}function ne({name:n,
show:t,file:e},s){let o=document.querySelector(`.${n}`),r=t(o),i=j(s.trim()),a=()=>r.load(e?.data(i)??te(i),e?.told??(()=>{}));
a(),Qt(r)&&Mt(o,r),kt(o),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function oe({name:n,show:t,
cell:e},{model:s,el:o}){if(!e)return;let[r,i]=[u("div"),u("div",{class:n})],a=u("style",{text:String(s.get("sheet"))});r.
attachShadow({mode:"open"}).append(a,i),o.append(r);let c=t(i),h=()=>c.load(e.data(s.get(e.trait)),l=>{for(let[f,d]of Object.
entries(e.traits(l,c)))s.set(f,d);s.save_changes()});return h(),s.on(`change:${e.trait}`,h),()=>{s.off(`change:${e.trait}`,
h),c.close?.()}}var K=class{#t=0;start(t,e,s,o,r=()=>{}){this.stop();let i=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),c=h=>{let l=Math.min(1,Math.max(0,(h-a)/s)),f=i&&s<=600?1:l,d=f===1?e:t+f*(e-t);o(i?Math.round(d):d),f<1?this.#t=requestAnimationFrame(
c):r()};this.#t=requestAnimationFrame(c)}stop(){cancelAnimationFrame(this.#t)}};var[vt,re,At,ie]=[46,10,16,34],Tt={across:40,up:28},ae=[1,2,5,10],ce=12,V=[[],[7,3],[2,3],[9,3,2,3]];function Rt(n,t,e,s){
let{title:o="",titles:r,lines:i,hasZero:a,at:c,rug:h=[]}=s,l=B(n,t),f=i.filter(({name:m})=>m),d=At*((s.names??f.length)+
+(o!==""))+10,[p,w]=[e.x+vt,e.y+d],[b,y]=[e.w-vt-re,e.h-ie-d],[$,M]=[p+b,w+y],R=Ct(i.map(({x:m})=>m)),D=he(Ct([...i.map(
({y:m})=>m),a?[0]:[]])),N=m=>p+b*(m-R[0])/(R[1]-R[0]||1),Q=m=>M-y*(m-D[0])/(D[1]-D[0]);l(o,e.x,e.y+12,{weight:600,colour:t.
ink}),n.strokeStyle=g(E(t.background,t.ink,.45)),n.lineWidth=1,n.strokeRect(p+.5,w+.5,b-1,y-1);for(let{value:m,text:x}of Et(
R,b/Tt.across))l(x,Math.min(N(m),$-8),M+14,{align:"center"});for(let{value:m,text:x}of Et(D,y/Tt.up))l(x,p-5,Q(m)+4,{align:"\
right"});l(r[0],p+b/2,M+29,{align:"center"}),n.save(),n.translate(e.x+12,w+y/2),n.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),n.restore(),yt(n,{x:p,y:w,w:b,h:y},()=>{for(let m of Array.from(h))ot(n,g(t.ink,.18),N(m),M,-7);c!==void 0&&ot(
n,g(t.muted),N(c),M,-y),i.forEach(({colour:m,mark:x,...A},_)=>{if(n.setLineDash(V[_%V.length]),I(n,t,{colour:m,width:2,halo:2},
()=>{for(let F=0;F<A.x.length;F++)Number.isFinite(A.y[F])&&n.lineTo(N(A.x[F]),Q(A.y[F]))}),n.setLineDash([]),!x)return;let[
dt,tt]=[N(x[0]),Q(x[1])];n.setLineDash([3,3]),ot(n,g(t.muted),dt,tt,M-tt),n.setLineDash([]),n.fillStyle=g(m),P(n,[dt,tt],
5)})}),f.forEach(({name:m,colour:x},A)=>{let _=e.y+At*(A+(o?1:0))+8;n.strokeStyle=g(x),n.lineWidth=2,n.setLineDash(V[A%V.
length]),n.beginPath(),n.moveTo(e.x,_),n.lineTo(e.x+24,_),n.stroke(),n.setLineDash([]),l(m,e.x+30,_+4,{colour:t.ink})})}
function ot(n,t,e,s,o){n.strokeStyle=t,n.lineWidth=1,n.beginPath(),n.moveTo(e,s),n.lineTo(e,s+o),n.stroke()}function Ct(n){
let t=n.flatMap(e=>Array.from(e)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function he([n,t]){let e=Math.
max(.1-(t-n)/2,.06*(t-n));return[n-e,t+e]}function Et([n,t],e){let s=(t-n)/e,o=10**rt(s),r=o*(ae.find(c=>c*o>=s)??10),[i,
a]=[Math.ceil(n/r),Math.floor(t/r)];return Array.from({length:a-i+1},(c,h)=>{let l=(i+h)*r;return{value:l,text:le(l,r)}})}
function le(n,t){let e=n?rt(n)-rt(t)+1:1,s=Math.min(ce,Math.max(1,e));return n.toLocaleString("en",{maximumSignificantDigits:s})}
function rt(n){return Math.floor(Math.log10(Math.abs(n)))}var fe=12,X=class{constructor(t,e,s){this.data=t,this.n=e,this.sides=[...s,...s.map(c=>e+c)];let o=new Int16Array(j(t.numbers).
buffer),[r,i]=[0,0],a=c=>{let h=t.scales[i++];return r+=c,new Float64Array(o.subarray(r-c,r)).map(l=>l*h)};this.largest=
t.chosen.map(()=>a(2*e)),this.norms=a(2*e),this.along=a(2*e),this.ofPairs=a(e),this.ofShown=a(this.sides.length*(this.sides.
length-1)/2)}#t({out:t,isCentred:e}){let{mean:s}=this.data,r={rows:this.largest.map((i,a)=>e?i:i.map(c=>c+s[a])).filter(
(i,a)=>!t.has(a)),lengths:new Float64Array(2*this.n),isCentred:e};return r.lengths.set(this.norms.map((i,a)=>Math.sqrt(this.#s(
r,a,a,1))||1)),r}#s({rows:t,isCentred:e},s,o,r){let i=r*this.norms[s]*this.norms[o];e||(i+=this.along[s]+this.along[o]+this.
data.rest_mean);for(let a of t)i+=a[s]*a[o];return i}cosines(t){let[e,{n:s}]=[this.#t(t),this];return this.ofPairs.map((o,r)=>this.#s(
e,r,s+r,o)/(e.lengths[r]*e.lengths[s+r]))}gram(t){let[e,{sides:s}]=[this.#t(t),this],o=s.length,r=new Float64Array(o*o).
fill(1),i=0;for(let a=0;a<o;a++)for(let c=a+1;c<o;c++){let[h,l]=[s[a],s[c]],f=this.#s(e,h,l,this.ofShown[i++]);r[a*o+c]=
f/(e.lengths[h]*e.lengths[l]),r[c*o+a]=r[a*o+c]}return r}};function Nt(n){let t=Math.sqrt(n.length);return(n.reduce((e,s)=>e+
s,0)-t)/(t*(t-1))}function ct(n,t){let e=Math.sqrt(n.length),s=Array.from({length:e},(l,f)=>n.subarray(f*e,(f+1)*e).reduce(
(d,p)=>d+p,0)),o=Math.sqrt(s.reduce((l,f)=>l+f,0))/e||1e-12,r=s.map(l=>l/(e*o)),i=n.map((l,f)=>l-r[Math.floor(f/e)]*r[f%
e]),a=Ot(t),c=Lt(i,a);for(let l=0;l<fe;l++)a=Ot(c),c=Lt(i,a);let h=at(a,ue(it(a,c)));return{length:o,along:r,flat:at(h,de(
it(h,t)))}}function Lt(n,t){let e=t.length/2,s=new Float64Array(2*e);for(let o=0;o<e;o++){let[r,i]=[0,0];for(let a=0;a<e;a++){
let c=n[o*e+a];r+=c*t[2*a],i+=c*t[2*a+1]}s[2*o]=r,s[2*o+1]=i}return s}function it(n,t){let e=[0,0,0,0];for(let s=0;s<n.length;s+=
2)for(let o=0;o<4;o++)e[o]+=n[s+(o>>1)]*t[s+(o&1)];return e}function at(n,[t,e,s,o]){return n.map((r,i)=>i%2?n[i-1]*e+r*
o:r*t+n[i+1]*s)}function Ot(n){let[t,e,,s]=it(n,n),[o,r]=[Math.sqrt(t)||1,e/(t||1)],i=Math.sqrt(Math.max(s-r*e,0))||1;return at(
n,[1/o,-r/i,0,1/i])}function ue([n,t,e,s]){let o=Math.sqrt(Math.max(n*s-t*e,0)),r=Math.sqrt(n+s+2*o)||1;return[(n+o)/r,t/
r,e/r,(s+o)/r]}function de([n,t,e,s]){let o=n*s-t*e<0?-1:1,[r,i]=[n+o*s,t-o*e],a=Math.hypot(r,i);return a?[r/a,i/a,-o*i/
a,o*r/a]:[1,0,0,1]}function _t(n,t){let[e,s]=[n,t].map(pe),o=(e.length+1)/2,r=(i,a)=>i.reduce((c,h,l)=>c+(h-o)*(a[l]-o),
0);return r(e,s)/Math.sqrt(r(e,e)*r(s,s))}function pe(n){let t=Array.from(n,(s,o)=>o).sort((s,o)=>n[s]-n[o]),e=new Float64Array(
t.length);for(let s=0,o=0;s<t.length;s=o){for(;o<t.length&&n[t[o]]===n[t[s]];)o++;for(let r=s;r<o;r++)e[t[r]]=(s+o+1)/2}
return e}var k={out:new Set,isCentred:!1,isAfterFirst:!1},me="#0072b2",ge=2,Y=class{#t=new Map;#s=new Map;#o;#e;constructor(t){this.
data=t;let e=Float64Array.from({length:4*t.shown.length},(s,o)=>Math.sin(o+1));this.#o=t.layers.map((s,o)=>this.space(o,
k).gram(k)),this.#e=this.#o.map(s=>(e=ct(s,e).flat,e))}get last(){return this.data.layers.length-1}space(t,{isAfterFirst:e}){
let s=`${t} ${e}`,{all:o,after_first:r}=this.data.layers[t],i=this.#t.get(s)??new X(e?r:o,this.data.n,this.data.shown);return this.#t.
set(s,i),i}#n(t,e){return e===k?this.#o[t]:this.space(t,e).gram(e)}scores(t){let e=JSON.stringify([[...t.out].sort(),t.isCentred,
t.isAfterFirst]),{gold:s,layers:o}=this.data,r=this.#s.get(e)??o.map((i,a)=>{let c=s?_t(this.space(a,t).cosines(t),s):Number.
NaN;return{cosine:Nt(this.#n(a,t)),rho:c}});return this.#s.set(e,r),r}panel(t,e){let{length:s,along:o,flat:r}=ct(this.#n(
t,e),this.#e[t]);return we(o,r,s,this.data.tilt)}angles(t,e){let s=this.space(t,e).cosines(e);return this.data.shown.map(
o=>180/Math.PI*Math.acos(Math.min(1,s[o])))}mostChanged(t,e){let[s,o]=[k,e].map(i=>this.space(t,i).cosines(i)),r=i=>Math.
abs(i.now-i.before);return this.data.shown.map((i,a)=>({pair:a,before:s[i],now:o[i]})).filter(r).sort((i,a)=>r(a)-r(i)).
slice(0,ge)}};function we(n,t,e,s){let[o,r,i]=[[],[],[]].map(()=>new Array(n.length).fill(0));return n.forEach((a,c)=>{let h=Math.
sqrt(Math.max(0,1-a*a)),l=Math.atan2(t[2*c+1],t[2*c]),f=h*Math.sin(l);o[c]=h*Math.cos(l),r[c]=a*Math.cos(s)-f*Math.sin(s),
i[c]=f*Math.cos(s)+a*Math.sin(s)}),{x:o,y:r,near:i,colour:me,top:e*Math.cos(s),mean_length:e}}var[ht,lt,ye,be,Se]=[178,10,150,5,2],Me=15,ke=[["#0072b2","#56b4e9"],["#6b6b6b","#a8a8a8"]].map(n=>n.map(v));function Ft(n,t){
let{layers:e,gold:s,unscored:o}=n.data,[r,i]=[k,t].map(d=>n.scores(d)),a=d=>d??Number.NaN,c=(d,p)=>[i,r].map((w,b)=>[b?"\
as it is":"shown",w.map(y=>p*y[d]),b]),h=e.map((d,p)=>a(n.space(p,t).data.shares[0])),l=e.map(({first_norm:d})=>Math.log10(
a(d))),f=e.map(({token_entropy:d})=>a(d));return[{title:"Random cosine",lines:c("cosine",1)},{title:"Rho x 100",lines:c(
"rho",100),why:s?"":o},{title:"Largest coordinate",lines:[["its share",h,0]]},{title:"First token's norm",lines:[["log10\
 of its ratio",l,0]]},{title:"Token entropy",lines:[["mean",f,0]]}]}function Pt(n,t,e,s,o){let r=Math.max(1,Math.min(be,
Math.floor(o/ye))),i=(o-(r-1)*lt)/r;q(n,o,ht*Math.ceil(e.length/r));let a=T(n),c=e[0].lines[0][1].map((h,l)=>l);e.forEach(
({title:h,lines:l,why:f},d)=>{let[p,w]=[d%r*(i+lt),Math.floor(d/r)*ht];if(l.every(([,y])=>y.every(Number.isNaN))){let y=B(
a,t);y(h,p,w+12,{weight:600,colour:t.ink}),xe(a,f||"The model has no such measure.",i).forEach((M,R)=>{y(M,p,w+34+Me*R)});
return}Rt(a,t,{x:p,y:w,w:i,h:ht-lt},{title:h,titles:["layer",""],at:s,names:Se,lines:l.map(([y,$,M])=>({name:`${y}: ${Number.
isNaN($[s])?"none":$[s].toFixed(2)}`,colour:ke[M][t.dark?1:0],x:c,y:$}))})})}function xe(n,t,e){let s=[""];for(let o of t.
split(" ")){let r=`${s.at(-1)} ${o}`.trim();n.measureText(r).width<=e?s[s.length-1]=r:s.push(o)}return s}var $e=.005;function Dt(n,t,e){let{flow:s}=n.data.layers[t],[o,r]=[k,e].map(d=>n.scores(d)[t]),i=ve(n,t,e),a=Ae(n.space(
t,e).data,e),c=!Number.isNaN(r.rho),h=s===null?"":`; the flow gives ${(100*s).toFixed(2)}`;if(!a.length)return c?`${i} R\
ho x 100 is ${(100*r.rho).toFixed(2)}${h}.`:i;let l=Wt("the random cosine",o.cosine,r.cosine,3),f=Wt("rho x 100",100*o.rho,
100*r.rho,2);return`${i} Without ${Ht(a)}, ${l}${c?`, and ${f}${h}`:""}.`}function ve(n,t,e){let{name:s,first_part:o}=n.
data.layers[t],{data:r}=n.space(t,e),{chosen:i,shares:a}=r;if(!a.length)return`In layer ${s}, two random sentences have \
no positive cosine.`;let[c,h]=qt(r)?[`coordinates ${i[0]} and ${i[1]} make`,a[0]+a[1]]:[`coordinate ${i[0]} makes`,a[0]],
l=`In layer ${s}, ${c} ${It(h)} of the cosine of two random sentences`;return e.isAfterFirst?`${l}, without their first \
tokens.`:o===null?`${l}.`:`${l}; the first token accounts for ${It(o)} of it.`}function qt({shares:n}){return n[1]>=$e}function Ae(n,{
out:t,isCentred:e,isAfterFirst:s}){let o=[...t].sort((a,c)=>a-c),r=o.map(a=>String(n.chosen[a])),i=`coordinate${r.length>
1?"s":""} ${Ht(r)}`;return o.join()==="0,1"&&qt(n)&&(i="these two coordinates"),[...s?["the first token"]:[],...r.length?
[i]:[],...e?["the mean"]:[]]}function It(n){return`${Math.round(100*n)} %`}function Wt(n,t,e,s){let[o,r]=[t,e].map(i=>i.
toFixed(s));return o===r?`${n} stays at ${r}`:`${n} ${e>t?"rises":"falls"} from ${o} to ${r}`}function Ht(n){let[t,e]=[n.
at(-1)??"",n.slice(0,-1)];return e.length?`${e.join(", ")} and ${t}`:t}var[Te,Ce]=[260,450],ft=[0,1],ut=class{#t=new K;#s=new C(Ce);#o=new L;#e=0;#n=0;#a=!1;#i=k;#c=null;#m=null;#b=S("Play","\
Play the layers from the shown one",()=>this.#O());#S=S("Back","One layer back",()=>this.#h(this.#e-1));#M=S("Forward","\
One layer on",()=>this.#h(this.#e+1));#f=u("input",{type:"range",min:0,step:1,"aria-label":"Layer",oninput:()=>this.#h(Number(
this.#f.value))});#k=u("output");#x=S("Leave out the largest 2","The two coordinates of the upper bars",()=>this.#E(this.#C?
[]:ft));#$=S("Subtract the mean","The mean of the fit corpus",()=>this.#g({isCentred:!this.#i.isCentred}));#v=S("First t\
oken out of the mean","The mean over all tokens but the first",()=>this.#g({isAfterFirst:!this.#i.isAfterFirst}));#u=u("\
div",{class:"bars",role:"group","aria-label":"Largest coordinates"});#A=u("div",{class:"changed"});#d=u("p",{class:"verd\
ict"});#p=u("canvas",{class:"curves",role:"img"});#r=new z({role:"application"},t=>this.#w(this.#n+t),t=>this.#w(t));#T=new ResizeObserver(
()=>this.#y());constructor(t){this.root=t;let e=[this.#b,this.#S,this.#M,this.#f,this.#k],s=u("div",{class:"ball"},[this.#r.
element,this.#r.text]),o=u("strong",{text:"Share of the random cosine; press to leave out"}),r=u("div",{class:"side"},[o,
this.#u,this.#A]);t.replaceChildren(u("div",{class:"row"},e),u("div",{class:"row"},[this.#x,this.#$,this.#v]),this.#d,u(
"div",{class:"panes"},[s,r]),this.#p,this.#r.spoken,this.#o.element),this.#T.observe(t)}load(t){if(this.#c)return;this.#c=
new Y(t);let{gold:e,shown:s}=t,o=s.map(r=>e?.[r]??0);this.#n=o.indexOf(Math.min(...o)),this.#f.max=String(this.#c.last),
this.#l(Math.floor(this.#c.last/2))}get#C(){let{out:t}=this.#i;return t.size===ft.length&&ft.every(e=>t.has(e))}#E(t){this.#g(
{out:new Set(t)})}#g(t){this.#i={...this.#i,...t},this.#l(this.#e)}#O(){if(this.#a)return this.#h(this.#e);this.#a=!0,this.#l(
this.#e===this.#c?.last?0:this.#e)}#h(t){this.#s.stop(),this.#a=!1,this.#l(t)}#l(t){let e=this.#c;if(!e)return;this.#e=Math.
max(0,Math.min(e.last,t));let{model:s,layers:o}=e.data,r=`${s}, layer ${o[this.#e].name}`,i={...e.panel(this.#e,this.#i),
title:r},a=this.#m;this.#L(e);let c=h=>{this.#m=a?Ee(a,i,h):i,this.#r.move([this.#m]),this.#r.draw()};a||this.#r.show([i],
e.data.circles),c(0),this.#R(e),this.#y(),this.#t.start(0,1,Te,c,()=>{this.#a&&(this.#a=this.#e<e.last,this.#a?this.#s.call(
()=>this.#l(this.#e+1)):this.#L(e))})}#w(t){let e=this.#c;if(!e)return;let s=e.data.shown.length,o=(t+s)%s;o!==this.#n&&
(this.#n=o,this.#R(e),this.#r.say())}#R(t){let{texts:e,gold:s,shown:o,scale:r}=t.data,i=t.angles(this.#e,this.#i)[this.#n];
this.#r.mark([this.#n,this.#n+o.length],nt(e[this.#n],s?.[o[this.#n]],r),[`${i.toFixed(0)}° between the marked pair`]),
this.root.dataset.pair=String(this.#n)}#L(t){let[e,s,{last:o}]=[this.#e,this.#i,t],{data:r}=t.space(e,s);this.#b.textContent=
this.#a?"Pause":"Play",this.#f.value=String(e),this.#S.disabled=e<=0,this.#M.disabled=e>=o;let{model:i,layers:a}=t.data;
this.#k.textContent=`${i}, layer ${a[e].name} of ${o}`,Z(this.#x,this.#C),Z(this.#$,s.isCentred),Z(this.#v,s.isAfterFirst),
this.#u.childElementCount!==r.chosen.length&&this.#_(r.chosen.length),Array.from(this.#u.children).forEach((l,f)=>{let d=r.
shares[f],p=d===void 0?"none":`${(100*d).toFixed(1)} %`,[w,b,y]=Array.from(l.children);w.textContent=String(r.chosen[f]),
y.textContent=p;let $=Math.max(0,Math.min(1,d??0));b.firstElementChild.style.width=`${100*$}%`,l.ariaLabel=`Coordinate ${r.
chosen[f]}: ${p}`,Z(l,s.out.has(f))}),this.#N(t),this.#d.textContent=Dt(t,e,s),this.#o.say(this.#d.textContent);let{cosine:c,
rho:h}=t.scores(s)[e];Object.assign(this.root.dataset,{layer:e,cosine:c,rho:Number.isNaN(h)?"":h})}#N(t){let e=t.mostChanged(
this.#e,this.#i).map(({pair:o,before:r,now:i})=>{let a=[r,i].map(h=>h.toFixed(3)).join(" to "),c=`${nt(t.data.texts[o])}\
: ${a}`;return S(c,"Mark this pair on the sphere",()=>this.#w(o))}),s=u("strong",{text:"Cosines that change most; press \
to mark the pair"});this.#A.replaceChildren(...e.length?[s,...e]:[])}#_(t){let e=Array.from({length:t},(s,o)=>{let r=()=>{
let a=new Set(this.#i.out);a.delete(o)||a.add(o),this.#E(a)},i=u("span",{class:"track"},[u("span")]);return u("button",{
type:"button",class:"bar",onclick:r},[u("span"),i,u("span")])});this.#u.replaceChildren(...e)}#y(){let[t,e]=[this.#c,this.
root.clientWidth];if(!t||!e)return;let s=Ft(t,this.#i);Pt(this.#p,O(this.root),s,this.#e,e),this.#p.ariaLabel=`Measures \
by layer: ${s.map(({title:o,why:r})=>r?`${o}: ${r}`:o).join(", ")}`}get place(){return this.#e}set place(t){this.#h(t)}get parts(){
return[this.#d,this.#r.element,this.#r.text,this.#p]}draw(){this.#r.draw(),this.#y()}close(){this.#t.stop(),this.#s.stop(),
this.#o.stop(),this.#r.close(),this.#T.disconnect()}};function Z(n,t){n.ariaPressed=String(t)}function Ee(n,t,e){let s=(o,r)=>r.
map((i,a)=>o[a]+e*(i-o[a]));return{...t,x:s(n.x,t.x),y:s(n.y,t.y),top:n.top+e*(t.top-n.top)}}var Rs=$t({name:"depth",show:n=>new ut(
n),state:"report"});export{ut as DepthView,Rs as default};
