var dt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function u(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[r,i]of Object.entries(e))typeof i=="function"?
o.addEventListener(r.slice(2),i):i!==null&&o.setAttribute(r,String(i));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function S(n,t,e){return u("button",{type:"button",text:n,title:t,onclick:e})}function pt(n,t){let e=URL.createObjectURL(n);u("a",{href:e,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(e),1e4)}function T(n){return n.getContext("2d")}var et=1;function st(){return Math.max(et,devicePixelRatio||1)}function mt(n,t){
try{return et=2,n(),t()}finally{et=1,n()}}function D(n,t,e){let s=st();Object.assign(n,{width:t*s,height:e*s}),Object.assign(
n.style,{width:`${t}px`,height:`${e}px`}),T(n).scale(s,s)}var qt=300,_=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},E=class{#t=new _(qt);element=u("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var H=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function O(n){
let t=getComputedStyle(n),e=(r,i)=>t.getPropertyValue(r).trim()||i,s=v(e("--st-background-color","#ffffff")),o=v(e("--st\
-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:C(s,o,.72),line:C(s,o,.2),dim:C(
s,o,.3),missing:C(s,o,.5),primary:v(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function gt(n,t){
let s=(t?.16+.84*n:.92*n)*(H.length-1),o=Math.min(Math.floor(s),H.length-2);return C(H[o],H[o+1],s-o)}function C(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function g(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var B=null;function v(n){B??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),B.fillStyle=n,B.fillRect(
0,0,1,1);let[t,e,s]=B.getImageData(0,0,1,1).data;return[t,e,s]}function wt(n,{x:t,y:e,w:s,h:o},r){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),r(),n.restore()}function I(n,[t,e],s){
n.beginPath(),n.arc(t,e,s,0,2*Math.PI),n.fill()}function yt(n,t,[e,s],o){let[r,i]=[-1,o];for(let a=0;a<n;a++){let[h,c]=t(
a),l=Math.hypot(h-e,c-s);l<i&&([r,i]=[a,l])}return r}function P(n,t,{colour:e,width:s,halo:o},r){let i=[[t.background,s+
o],[e,s]];for(let[a,h]of i)n.beginPath(),r(),n.lineWidth=h,n.strokeStyle=g(a),n.stroke()}function G(n,t){return(e,s,o,{align:r="\
left",colour:i=t.muted,weight:a=400,halo:h=!1}={})=>{n.font=`${a} 11.5px ${t.font}`,n.textAlign=r,n.fillStyle=g(i),h&&(n.
strokeStyle=g(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}var bt=v("#d55e00"),[Dt,Ht,W]=[8,16,7],U=class{#t=0;constructor(t,e){this.canvas=t,this.panel=e}resize(t){D(this.canvas,
t,t),this.#t=t/2}#e(t,e){let s=this.#t-Dt;return[this.#t+s*t,this.#t-s*e]}#o(t){return this.#e(this.panel.x[t],this.panel.
y[t])}nearest(t,e){return yt(this.panel.x.length,s=>this.#o(s),[t,e],Ht)}draw(t,e,s){let o=T(this.canvas),{near:r,colour:i,
top:a}=this.panel;o.lineWidth=1,o.strokeStyle=g(t.line);for(let{x:p,y:w}of e){o.beginPath();for(let b=0;b<p.length;b++)o.
lineTo(...this.#e(p[b],w[b]));o.stroke()}let h=v(i);r.forEach((p,w)=>{o.fillStyle=g(h,p>0?.85:.4),I(o,this.#o(w),p>0?3:2)});
let[[c,l],[,f]]=[this.#e(0,0),this.#e(0,a)];P(o,t,{colour:bt,width:4,halo:2},()=>{o.moveTo(c,l),o.lineTo(c,f)}),o.beginPath(),
o.moveTo(c,f-W),o.lineTo(c-W,f+W),o.lineTo(c+W,f+W),o.fillStyle=g(bt),o.fill();let d=s.map(p=>this.#o(p));P(o,t,{colour:t.
ink,width:2,halo:3},()=>{for(let p of d)o.lineTo(...p)}),o.fillStyle=g(t.ink),o.strokeStyle=g(t.background);for(let p of d)
I(o,p,5),o.stroke()}};var Bt=300,z=class{#t=[];#e=[];#o=[];#s=[];#n=new E;#a=new ResizeObserver(()=>this.draw());text=u("p",{class:"pair"});spoken=this.#n.
element;constructor(t,e,s){this.point=s;let i={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:a=>{let[h,c]=dt[a.key]??[0,0];a.ctrlKey||a.metaKey||a.altKey||h===c||(a.preventDefault(),
e(h-c))}};this.element=u("div",{...i,...t}),this.#a.observe(this.element)}show(t,e){this.#e=e,this.#t=t.map((o,r)=>{let i=({
offsetX:d,offsetY:p})=>{let w=h.nearest(d,p);w>=0&&this.point(w,r)},a=u("canvas",{role:"img",onpointermove:i,onpointerdown:i}),
h=new U(a,o),[c,l]=[u("strong",{text:o.title}),u("div")],f=u("figcaption",{},[c,l]);return{panel:o,sphere:h,title:c,note:l,
figure:u("figure",{},[f,a])}});let s=this.#t.map(({figure:o})=>o);return this.element.replaceChildren(...s),s}move(t){this.#t.
forEach((e,s)=>{e.panel=t[s],e.sphere.panel=t[s],e.title.textContent=t[s].title})}mark(t,e,s){this.#o=t,this.#s=s,this.text.
textContent=e,this.#t.forEach(({panel:o,sphere:r,note:i},a)=>{i.textContent=s[a],r.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${o.title}: the mean of their directions has length ${o.mean_length.toFixed(2)}; the marked pair: ${s[a]}`}),
this.draw()}draw(){let t=O(this.element);for(let{sphere:e,figure:s}of this.#t){if(!s.clientWidth)return;e.resize(Math.min(
Bt,s.clientWidth)),e.draw(t,this.#e,this.#o)}}say(){let t=this.#t.map(({panel:e},s)=>`${e.title} ${this.#s[s]}`);this.#n.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#n.stop(),this.#a.disconnect()}};function K(n){let t=atob(n),e=new Uint8Array(t.length);for(let s=0;s<t.length;s++)e[s]=t.charCodeAt(s);return e}var V=100;function Mt(n,t){mt(()=>n.draw(),()=>Gt(n.parts)).toBlob(s=>s&&pt(s,`${t}.png`))}function Gt(n){let t=n.map(c=>c.
getBoundingClientRect()),e=st(),s=e*Math.max(...t.map(c=>c.width)),o=e*t.reduce((c,l)=>c+l.height,0),r=u("canvas",{width:Math.
ceil(s),height:Math.ceil(o)}),[i,a]=[T(r),O(n[0])];i.fillStyle=g(a.background),i.fillRect(0,0,s,o),i.scale(e,e);let h=0;
return n.forEach((c,l)=>{i.save(),i.translate(-t[l].left,h-t[l].top);for(let f of[c,...c.querySelectorAll("canvas, .swat\
ch, .bar")])Ut(i,a,f);zt(i,c),i.restore(),h+=t[l].height}),r}function Ut(n,t,e){let{left:s,top:o,width:r,height:i}=e.getBoundingClientRect();
if(!(!r||!i)){if(e instanceof HTMLCanvasElement)n.drawImage(e,s,o,r,i);else if(e.matches(".swatch"))n.fillStyle=getComputedStyle(
e).backgroundColor,n.fillRect(s,o,r,i);else if(e.matches(".scale .bar"))for(let a=0;a<V;a++)n.fillStyle=g(gt(a/(V-1),t.dark)),
n.fillRect(s+a*r/V,o,r/V+.5,i)}}function zt(n,t){let[e,s]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(n.textAlign="center",n.textBaseline="middle";e.nextNode();){let o=e.currentNode,r=getComputedStyle(o.parentElement);
n.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,n.fillStyle=r.color;for(let{0:i,index:a}of o.data.matchAll(/\S+/g)){
s.setStart(o,a),s.setEnd(o,a+i.length);let{left:h,top:c,width:l,height:f}=s.getBoundingClientRect();!l||!f||(n.save(),n.
translate(h+l/2,c+f/2),r.writingMode.startsWith("vertical")&&n.rotate(-Math.PI/2),n.fillText(i,0,0),n.restore())}}}function St({show:n,...t}){let s={...t,show:i=>{let a=n(i);return Kt(a)&&i.append(S("Save PNG","Save the picture",()=>Mt(
a,t.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&Yt(s,o.textContent??"");let r=Xt(s);return i=>i?
r(i):{render:a=>jt(s,a)}}function Kt(n){return"draw"in n&&"parts"in n}function Vt(n,t){n.calls+=1;let e=n.calls;return()=>{
n.calls===e&&t()}}function Xt({name:n,state:t,show:e}){let s=new WeakMap;return({data:o,parentElement:r,setStateValue:i})=>{
let a=r.querySelector(`.${n}`),h=s.get(a)??{shown:e(a),calls:0};return s.set(a,h),h.shown.load(o,c=>i(t,c)),Vt(h,()=>h.shown.
close?.())}}function Yt({name:n,show:t,file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),r=()=>o.load(e.data(
K(s.trim())),e.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function jt({
name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[r,i]=[u("div"),u("div",{class:n})],a=u("style",{text:String(s.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,i),o.append(r);let h=t(i),c=()=>h.load(e.data(s.get(e.trait)),l=>{for(let[
f,d]of Object.entries(e.traits(l,h)))s.set(f,d);s.save_changes()});return c(),s.on(`change:${e.trait}`,c),()=>{s.off(`ch\
ange:${e.trait}`,c),h.close?.()}}var X=class{#t=0;start(t,e,s,o,r=()=>{}){this.stop();let i=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/s)),f=i&&s<=600?1:l,d=f===1?e:t+f*(e-t);o(i?Math.round(d):d),f<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var[kt,Jt,$t,Zt]=[46,10,16,34],xt={across:40,up:28},Qt=[1,2,5,10],te=12,Y=[[],[7,3],[2,3],[9,3,2,3]];function Tt(n,t,e,s){
let{title:o="",titles:r,lines:i,hasZero:a,at:h,rug:c=[]}=s,l=G(n,t),f=i.filter(({name:m})=>m),d=$t*((s.names??f.length)+
+(o!==""))+10,[p,w]=[e.x+kt,e.y+d],[b,y]=[e.w-kt-Jt,e.h-Zt-d],[x,M]=[p+b,w+y],R=vt(i.map(({x:m})=>m)),q=ee(vt([...i.map(
({y:m})=>m),a?[0]:[]])),L=m=>p+b*(m-R[0])/(R[1]-R[0]||1),Q=m=>M-y*(m-q[0])/(q[1]-q[0]);l(o,e.x,e.y+12,{weight:600,colour:t.
ink}),n.strokeStyle=g(C(t.background,t.ink,.45)),n.lineWidth=1,n.strokeRect(p+.5,w+.5,b-1,y-1);for(let{value:m,text:$}of At(
R,b/xt.across))l($,Math.min(L(m),x-8),M+14,{align:"center"});for(let{value:m,text:$}of At(q,y/xt.up))l($,p-5,Q(m)+4,{align:"\
right"});l(r[0],p+b/2,M+29,{align:"center"}),n.save(),n.translate(e.x+12,w+y/2),n.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),n.restore(),wt(n,{x:p,y:w,w:b,h:y},()=>{for(let m of Array.from(c))nt(n,g(t.ink,.18),L(m),M,-7);h!==void 0&&nt(
n,g(t.muted),L(h),M,-y),i.forEach(({colour:m,mark:$,...A},N)=>{if(n.setLineDash(Y[N%Y.length]),P(n,t,{colour:m,width:2,halo:2},
()=>{for(let F=0;F<A.x.length;F++)Number.isFinite(A.y[F])&&n.lineTo(L(A.x[F]),Q(A.y[F]))}),n.setLineDash([]),!$)return;let[
ut,tt]=[L($[0]),Q($[1])];n.setLineDash([3,3]),nt(n,g(t.muted),ut,tt,M-tt),n.setLineDash([]),n.fillStyle=g(m),I(n,[ut,tt],
5)})}),f.forEach(({name:m,colour:$},A)=>{let N=e.y+$t*(A+(o?1:0))+8;n.strokeStyle=g($),n.lineWidth=2,n.setLineDash(Y[A%Y.
length]),n.beginPath(),n.moveTo(e.x,N),n.lineTo(e.x+24,N),n.stroke(),n.setLineDash([]),l(m,e.x+30,N+4,{colour:t.ink})})}
function nt(n,t,e,s,o){n.strokeStyle=t,n.lineWidth=1,n.beginPath(),n.moveTo(e,s),n.lineTo(e,s+o),n.stroke()}function vt(n){
let t=n.flatMap(e=>Array.from(e)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function ee([n,t]){let e=Math.
max(.1-(t-n)/2,.06*(t-n));return[n-e,t+e]}function At([n,t],e){let s=(t-n)/e,o=10**ot(s),r=o*(Qt.find(h=>h*o>=s)??10),[i,
a]=[Math.ceil(n/r),Math.floor(t/r)];return Array.from({length:a-i+1},(h,c)=>{let l=(i+c)*r;return{value:l,text:se(l,r)}})}
function se(n,t){let e=n?ot(n)-ot(t)+1:1,s=Math.min(te,Math.max(1,e));return n.toLocaleString("en",{maximumSignificantDigits:s})}
function ot(n){return Math.floor(Math.log10(Math.abs(n)))}var ne=12,j=class{constructor(t,e,s){this.data=t,this.n=e,this.sides=[...s,...s.map(h=>e+h)];let o=new Int16Array(K(t.numbers).
buffer),[r,i]=[0,0],a=h=>{let c=t.scales[i++];return r+=h,new Float64Array(o.subarray(r-h,r)).map(l=>l*c)};this.largest=
t.chosen.map(()=>a(2*e)),this.norms=a(2*e),this.along=a(2*e),this.ofPairs=a(e),this.ofShown=a(this.sides.length*(this.sides.
length-1)/2)}#t({out:t,isCentred:e}){let{mean:s}=this.data,r={rows:this.largest.map((i,a)=>e?i:i.map(h=>h+s[a])).filter(
(i,a)=>!t.has(a)),lengths:new Float64Array(2*this.n),isCentred:e};return r.lengths.set(this.norms.map((i,a)=>Math.sqrt(this.#e(
r,a,a,1))||1)),r}#e({rows:t,isCentred:e},s,o,r){let i=r*this.norms[s]*this.norms[o];e||(i+=this.along[s]+this.along[o]+this.
data.rest_mean);for(let a of t)i+=a[s]*a[o];return i}cosines(t){let[e,{n:s}]=[this.#t(t),this];return this.ofPairs.map((o,r)=>this.#e(
e,r,s+r,o)/(e.lengths[r]*e.lengths[s+r]))}gram(t){let[e,{sides:s}]=[this.#t(t),this],o=s.length,r=new Float64Array(o*o).
fill(1),i=0;for(let a=0;a<o;a++)for(let h=a+1;h<o;h++){let[c,l]=[s[a],s[h]],f=this.#e(e,c,l,this.ofShown[i++]);r[a*o+h]=
f/(e.lengths[c]*e.lengths[l]),r[h*o+a]=r[a*o+h]}return r}};function Et(n){let t=Math.sqrt(n.length);return(n.reduce((e,s)=>e+
s,0)-t)/(t*(t-1))}function at(n,t){let e=Math.sqrt(n.length),s=Array.from({length:e},(l,f)=>n.subarray(f*e,(f+1)*e).reduce(
(d,p)=>d+p,0)),o=Math.sqrt(s.reduce((l,f)=>l+f,0))/e||1e-12,r=s.map(l=>l/(e*o)),i=n.map((l,f)=>l-r[Math.floor(f/e)]*r[f%
e]),a=Rt(t),h=Ct(i,a);for(let l=0;l<ne;l++)a=Rt(h),h=Ct(i,a);let c=it(a,oe(rt(a,h)));return{length:o,along:r,flat:it(c,re(
rt(c,t)))}}function Ct(n,t){let e=t.length/2,s=new Float64Array(2*e);for(let o=0;o<e;o++){let[r,i]=[0,0];for(let a=0;a<e;a++){
let h=n[o*e+a];r+=h*t[2*a],i+=h*t[2*a+1]}s[2*o]=r,s[2*o+1]=i}return s}function rt(n,t){let e=[0,0,0,0];for(let s=0;s<n.length;s+=
2)for(let o=0;o<4;o++)e[o]+=n[s+(o>>1)]*t[s+(o&1)];return e}function it(n,[t,e,s,o]){return n.map((r,i)=>i%2?n[i-1]*e+r*
o:r*t+n[i+1]*s)}function Rt(n){let[t,e,,s]=rt(n,n),[o,r]=[Math.sqrt(t)||1,e/(t||1)],i=Math.sqrt(Math.max(s-r*e,0))||1;return it(
n,[1/o,-r/i,0,1/i])}function oe([n,t,e,s]){let o=Math.sqrt(Math.max(n*s-t*e,0)),r=Math.sqrt(n+s+2*o)||1;return[(n+o)/r,t/
r,e/r,(s+o)/r]}function re([n,t,e,s]){let o=n*s-t*e<0?-1:1,[r,i]=[n+o*s,t-o*e],a=Math.hypot(r,i);return a?[r/a,i/a,-o*i/
a,o*r/a]:[1,0,0,1]}function Ot(n,t){let[e,s]=[n,t].map(ie),o=(e.length+1)/2,r=(i,a)=>i.reduce((h,c,l)=>h+(c-o)*(a[l]-o),
0);return r(e,s)/Math.sqrt(r(e,e)*r(s,s))}function ie(n){let t=Array.from(n,(s,o)=>o).sort((s,o)=>n[s]-n[o]),e=new Float64Array(
t.length);for(let s=0,o=0;s<t.length;s=o){for(;o<t.length&&n[t[o]]===n[t[s]];)o++;for(let r=s;r<o;r++)e[t[r]]=(s+o+1)/2}
return e}var k={out:new Set,isCentred:!1,isAfterFirst:!1},ae="#0072b2",he=2,J=class{#t=new Map;#e=new Map;#o;#s;constructor(t){this.
data=t;let e=Float64Array.from({length:4*t.shown.length},(s,o)=>Math.sin(o+1));this.#o=t.layers.map((s,o)=>this.space(o,
k).gram(k)),this.#s=this.#o.map(s=>(e=at(s,e).flat,e))}get last(){return this.data.layers.length-1}space(t,{isAfterFirst:e}){
let s=`${t} ${e}`,{all:o,after_first:r}=this.data.layers[t],i=this.#t.get(s)??new j(e?r:o,this.data.n,this.data.shown);return this.#t.
set(s,i),i}#n(t,e){return e===k?this.#o[t]:this.space(t,e).gram(e)}scores(t){let e=JSON.stringify([[...t.out].sort(),t.isCentred,
t.isAfterFirst]),{gold:s,layers:o}=this.data,r=this.#e.get(e)??o.map((i,a)=>{let h=s?Ot(this.space(a,t).cosines(t),s):Number.
NaN;return{cosine:Et(this.#n(a,t)),rho:h}});return this.#e.set(e,r),r}panel(t,e){let{length:s,along:o,flat:r}=at(this.#n(
t,e),this.#s[t]);return ce(o,r,s,this.data.tilt)}angles(t,e){let s=this.space(t,e).cosines(e);return this.data.shown.map(
o=>180/Math.PI*Math.acos(Math.min(1,s[o])))}mostChanged(t,e){let[s,o]=[k,e].map(i=>this.space(t,i).cosines(i)),r=i=>Math.
abs(i.now-i.before);return this.data.shown.map((i,a)=>({pair:a,before:s[i],now:o[i]})).filter(r).sort((i,a)=>r(a)-r(i)).
slice(0,he)}};function ce(n,t,e,s){let[o,r,i]=[[],[],[]].map(()=>new Array(n.length).fill(0));return n.forEach((a,h)=>{let c=Math.
sqrt(Math.max(0,1-a*a)),l=Math.atan2(t[2*h+1],t[2*h]),f=c*Math.sin(l);o[h]=c*Math.cos(l),r[h]=a*Math.cos(s)-f*Math.sin(s),
i[h]=f*Math.cos(s)+a*Math.sin(s)}),{x:o,y:r,near:i,colour:ae,top:e*Math.cos(s),mean_length:e}}var[ht,ct,le,fe,ue]=[178,10,150,5,2],de=15,pe=[["#0072b2","#56b4e9"],["#6b6b6b","#a8a8a8"]].map(n=>n.map(v));function Lt(n,t){
let{layers:e,gold:s,unscored:o}=n.data,[r,i]=[k,t].map(d=>n.scores(d)),a=d=>d??Number.NaN,h=(d,p)=>[i,r].map((w,b)=>[b?"\
as it is":"shown",w.map(y=>p*y[d]),b]),c=e.map((d,p)=>a(n.space(p,t).data.shares[0])),l=e.map(({first_norm:d})=>Math.log10(
a(d))),f=e.map(({token_entropy:d})=>a(d));return[{title:"Random cosine",lines:h("cosine",1)},{title:"Rho x 100",lines:h(
"rho",100),why:s?"":o},{title:"Largest coordinate",lines:[["its share",c,0]]},{title:"First token's norm",lines:[["log10\
 of its ratio",l,0]]},{title:"Token entropy",lines:[["mean",f,0]]}]}function Nt(n,t,e,s,o){let r=Math.max(1,Math.min(fe,
Math.floor(o/le))),i=(o-(r-1)*ct)/r;D(n,o,ht*Math.ceil(e.length/r));let a=T(n),h=e[0].lines[0][1].map((c,l)=>l);e.forEach(
({title:c,lines:l,why:f},d)=>{let[p,w]=[d%r*(i+ct),Math.floor(d/r)*ht];if(l.every(([,y])=>y.every(Number.isNaN))){let y=G(
a,t);y(c,p,w+12,{weight:600,colour:t.ink}),me(a,f||"The model has no such measure.",i).forEach((M,R)=>{y(M,p,w+34+de*R)});
return}Tt(a,t,{x:p,y:w,w:i,h:ht-ct},{title:c,titles:["layer",""],at:s,names:ue,lines:l.map(([y,x,M])=>({name:`${y}: ${Number.
isNaN(x[s])?"none":x[s].toFixed(2)}`,colour:pe[M][t.dark?1:0],x:h,y:x}))})})}function me(n,t,e){let s=[""];for(let o of t.
split(" ")){let r=`${s.at(-1)} ${o}`.trim();n.measureText(r).width<=e?s[s.length-1]=r:s.push(o)}return s}var ge=.005;function It(n,t,e){let{flow:s}=n.data.layers[t],[o,r]=[k,e].map(d=>n.scores(d)[t]),i=we(n,t,e),a=ye(n.space(
t,e).data,e),h=!Number.isNaN(r.rho),c=s===null?"":`; the flow gives ${(100*s).toFixed(2)}`;if(!a.length)return h?`${i} R\
ho x 100 is ${(100*r.rho).toFixed(2)}${c}.`:i;let l=_t("the random cosine",o.cosine,r.cosine,3),f=_t("rho x 100",100*o.rho,
100*r.rho,2);return`${i} Without ${Wt(a)}, ${l}${h?`, and ${f}${c}`:""}.`}function we(n,t,e){let{name:s,first_part:o}=n.
data.layers[t],{data:r}=n.space(t,e),{chosen:i,shares:a}=r;if(!a.length)return`In layer ${s}, two random sentences have \
no positive cosine.`;let[h,c]=Pt(r)?[`coordinates ${i[0]} and ${i[1]} make`,a[0]+a[1]]:[`coordinate ${i[0]} makes`,a[0]],
l=`In layer ${s}, ${h} ${Ft(c)} of the cosine of two random sentences`;return e.isAfterFirst?`${l}, without their first \
tokens.`:o===null?`${l}.`:`${l}; the first token accounts for ${Ft(o)} of it.`}function Pt({shares:n}){return n[1]>=ge}function ye(n,{
out:t,isCentred:e,isAfterFirst:s}){let o=[...t].sort((a,h)=>a-h),r=o.map(a=>String(n.chosen[a])),i=`coordinate${r.length>
1?"s":""} ${Wt(r)}`;return o.join()==="0,1"&&Pt(n)&&(i="these two coordinates"),[...s?["the first token"]:[],...r.length?
[i]:[],...e?["the mean"]:[]]}function Ft(n){return`${(100*n).toFixed(0)} %`}function _t(n,t,e,s){let[o,r]=[t,e].map(i=>i.
toFixed(s));return o===r?`${n} stays at ${r}`:`${n} ${e>t?"rises":"falls"} from ${o} to ${r}`}function Wt(n){let[t,e]=[n.
at(-1)??"",n.slice(0,-1)];return e.length?`${e.join(", ")} and ${t}`:t}var[be,Me]=[260,450],lt=[0,1],ft=class{#t=new X;#e=new _(Me);#o=new E;#s=0;#n=0;#a=!1;#i=k;#h=null;#m=null;#b=S("Play","\
Play the layers from the shown one",()=>this.#L());#M=S("Back","One layer back",()=>this.#p(this.#s-1));#S=S("Forward","\
One layer on",()=>this.#p(this.#s+1));#l=u("input",{type:"range",min:0,step:1,"aria-label":"Layer",oninput:()=>this.#p(Number(
this.#l.value))});#k=u("output");#$=S("Leave out the largest 2","The two coordinates of the upper bars",()=>this.#R(this.#C?
[]:lt));#x=S("Subtract the mean","The mean of the fit corpus",()=>this.#g({isCentred:!this.#i.isCentred}));#v=S("First t\
oken out of the mean","The mean over all tokens but the first",()=>this.#g({isAfterFirst:!this.#i.isAfterFirst}));#f=u("\
div",{class:"bars",role:"group","aria-label":"Largest coordinates"});#A=u("div",{class:"changed"});#u=u("p",{class:"verd\
ict"});#d=u("canvas",{class:"curves",role:"img"});#r=new z({role:"application"},t=>this.#w(this.#n+t),t=>this.#w(t));#T=new ResizeObserver(
()=>this.#y());constructor(t){this.root=t;let e=[this.#b,this.#M,this.#S,this.#l,this.#k],s=u("div",{class:"ball"},[this.#r.
element,this.#r.text]),o=u("strong",{text:"Share of the random cosine; press to leave out"}),r=u("div",{class:"side"},[o,
this.#f,this.#A]);t.replaceChildren(u("div",{class:"row"},e),u("div",{class:"row"},[this.#$,this.#x,this.#v]),this.#u,u(
"div",{class:"panes"},[s,r]),this.#d,this.#r.spoken,this.#o.element),this.#T.observe(t)}load(t){if(this.#h)return;this.#h=
new J(t);let{gold:e,shown:s}=t,o=s.map(r=>e?.[r]??0);this.#n=o.indexOf(Math.min(...o)),this.#l.max=String(this.#h.last),
this.#c(Math.floor(this.#h.last/2))}get#C(){let{out:t}=this.#i;return t.size===lt.length&&lt.every(e=>t.has(e))}#R(t){this.#g(
{out:new Set(t)})}#g(t){this.#i={...this.#i,...t},this.#c(this.#s)}#L(){if(this.#a)return this.#p(this.#s);this.#a=!0,this.#c(
this.#s===this.#h?.last?0:this.#s)}#p(t){this.#e.stop(),this.#a=!1,this.#c(t)}#c(t){let e=this.#h;if(!e)return;this.#s=Math.
max(0,Math.min(e.last,t));let s=`Layer ${e.data.layers[this.#s].name}`,o={...e.panel(this.#s,this.#i),title:s},r=this.#m;
this.#O(e);let i=a=>{this.#m=r?Se(r,o,a):o,this.#r.move([this.#m]),this.#r.draw()};r||this.#r.show([o],e.data.circles),i(
0),this.#E(e),this.#y(),this.#t.start(0,1,be,i,()=>{this.#a&&(this.#a=this.#s<e.last,this.#a?this.#e.call(()=>this.#c(this.#s+
1)):this.#O(e))})}#w(t){let e=this.#h;if(!e)return;let s=e.data.shown.length,o=(t+s)%s;o!==this.#n&&(this.#n=o,this.#E(e),
this.#r.say())}#E(t){let{texts:e,gold:s,shown:o,scale:r}=t.data,[i,a]=e[this.#n],h=s?`: gold score ${Number(s[o[this.#n]].
toFixed(2))}`:"",[c,l]=r,f=h&&` of ${c?`${c} to `:""}${l}`,d=t.angles(this.#s,this.#i)[this.#n];this.#r.mark([this.#n,this.#n+
o.length],`“${i}” and “${a}”${h}${f}`,[`${d.toFixed(0)}° between the marked pair`]),this.root.dataset.pair=String(
this.#n)}#O(t){let[e,s,{last:o}]=[this.#s,this.#i,t],{data:r}=t.space(e,s);this.#b.textContent=this.#a?"Pause":"Play",this.#l.
value=String(e),this.#M.disabled=e<=0,this.#S.disabled=e>=o;let{model:i,layers:a}=t.data;this.#k.textContent=`${i}, laye\
r ${a[e].name} of ${o}`,Z(this.#$,this.#C),Z(this.#x,s.isCentred),Z(this.#v,s.isAfterFirst),this.#f.childElementCount!==
r.chosen.length&&this.#F(r.chosen.length),Array.from(this.#f.children).forEach((l,f)=>{let d=r.shares[f],p=d===void 0?"n\
one":`${(100*d).toFixed(1)} %`,[w,b,y]=Array.from(l.children);w.textContent=String(r.chosen[f]),y.textContent=p;let x=Math.
max(0,Math.min(1,d??0));b.firstElementChild.style.width=`${100*x}%`,l.ariaLabel=`Coordinate ${r.chosen[f]}: ${p}`,Z(l,s.
out.has(f))}),this.#N(t),this.#u.textContent=It(t,e,s),this.#o.say(this.#u.textContent);let{cosine:h,rho:c}=t.scores(s)[e];
Object.assign(this.root.dataset,{layer:e,cosine:h,rho:Number.isNaN(c)?"":c})}#N(t){let e=t.mostChanged(this.#s,this.#i).
map(({pair:o,before:r,now:i})=>{let[a,h]=t.data.texts[o],c=`“${a}” and “${h}”: ${r.toFixed(3)} to ${i.toFixed(3)}`;
return S(c,"Mark this pair on the sphere",()=>this.#w(o))}),s=u("strong",{text:"Cosines that change most; press to mark \
the pair"});this.#A.replaceChildren(...e.length?[s,...e]:[])}#F(t){let e=Array.from({length:t},(s,o)=>{let r=()=>{let a=new Set(
this.#i.out);a.delete(o)||a.add(o),this.#R(a)},i=u("span",{class:"track"},[u("span")]);return u("button",{type:"button",
class:"bar",onclick:r},[u("span"),i,u("span")])});this.#f.replaceChildren(...e)}#y(){let[t,e]=[this.#h,this.root.clientWidth];
if(!t||!e)return;let s=Lt(t,this.#i);Nt(this.#d,O(this.root),s,this.#s,e),this.#d.ariaLabel=`Measures by layer: ${s.map(
({title:o,why:r})=>r?`${o}: ${r}`:o).join(", ")}`}get parts(){return[this.#u,this.#r.element,this.#r.text,this.#d]}draw(){
this.#r.draw(),this.#y()}close(){this.#t.stop(),this.#e.stop(),this.#o.stop(),this.#r.close(),this.#T.disconnect()}};function Z(n,t){
n.ariaPressed=String(t)}function Se(n,t,e){let s=(o,r)=>r.map((i,a)=>o[a]+e*(i-o[a]));return{...t,x:s(n.x,t.x),y:s(n.y,t.
y),top:n.top+e*(t.top-n.top)}}var ys=St({name:"depth",show:n=>new ft(n),state:"report"});export{ft as DepthView,ys as default};
