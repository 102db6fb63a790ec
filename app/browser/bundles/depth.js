var dt={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function u(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[r,a]of Object.entries(e))typeof a=="function"?
o.addEventListener(r.slice(2),a):a!==null&&o.setAttribute(r,String(a));return t!==void 0&&(o.textContent=t),o.append(...s),
o}function k(n,t,e){return u("button",{type:"button",text:n,title:t,onclick:e})}function pt(n,t){let e=URL.createObjectURL(n);u("a",{href:e,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(e),1e4)}function A(n){return n.getContext("2d")}var et=1;function st(){return Math.max(et,devicePixelRatio||1)}function mt(n,t){
try{return et=2,n(),t()}finally{et=1,n()}}function D(n,t,e){let s=st();Object.assign(n,{width:t*s,height:e*s}),Object.assign(
n.style,{width:`${t}px`,height:`${e}px`}),A(n).scale(s,s)}var Wt=300,_=class{#t;#e=0;constructor(t){this.#t=t}call(t){this.stop(),this.#e=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#e)}},O=class{#t=new _(Wt);element=u("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};var H=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function E(n){
let t=getComputedStyle(n),e=(r,a)=>t.getPropertyValue(r).trim()||a,s=$(e("--st-background-color","#ffffff")),o=$(e("--st\
-text-color","#0b0b0e"));return{background:s,ink:o,dark:s[0]+s[1]+s[2]<o[0]+o[1]+o[2],muted:T(s,o,.72),line:T(s,o,.2),dim:T(
s,o,.3),missing:T(s,o,.5),primary:$(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function gt(n,t){
let s=(t?.16+.84*n:.92*n)*(H.length-1),o=Math.min(Math.floor(s),H.length-2);return T(H[o],H[o+1],s-o)}function T(n,t,e){
let s=o=>Math.round(n[o]+(t[o]-n[o])*e);return[s(0),s(1),s(2)]}function g(n,t=1){return`rgb(${n.join(" ")} / ${100*t}%)`}
var B=null;function $(n){B??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),B.fillStyle=n,B.fillRect(
0,0,1,1);let[t,e,s]=B.getImageData(0,0,1,1).data;return[t,e,s]}function wt(n,{x:t,y:e,w:s,h:o},r){n.save(),n.beginPath(),n.rect(t,e,s,o),n.clip(),r(),n.restore()}function I(n,[t,e],s){
n.beginPath(),n.arc(t,e,s,0,2*Math.PI),n.fill()}function yt(n,t,[e,s],o){let[r,a]=[-1,o];for(let i=0;i<n;i++){let[h,c]=t(
i),l=Math.hypot(h-e,c-s);l<a&&([r,a]=[i,l])}return r}function P(n,t,{colour:e,width:s,halo:o},r){let a=[[t.background,s+
o],[e,s]];for(let[i,h]of a)n.beginPath(),r(),n.lineWidth=h,n.strokeStyle=g(i),n.stroke()}function U(n,t){return(e,s,o,{align:r="\
left",colour:a=t.muted,weight:i=400,halo:h=!1}={})=>{n.font=`${i} 11.5px ${t.font}`,n.textAlign=r,n.fillStyle=g(a),h&&(n.
strokeStyle=g(t.background),n.lineWidth=4,n.lineJoin="round",n.strokeText(e,s,o)),n.fillText(e,s,o)}}var bt=$("#d55e00"),[qt,Dt,W]=[8,16,7],G=class{#t=0;constructor(t,e){this.canvas=t,this.panel=e}resize(t){D(this.canvas,
t,t),this.#t=t/2}#e(t,e){let s=this.#t-qt;return[this.#t+s*t,this.#t-s*e]}#o(t){return this.#e(this.panel.x[t],this.panel.
y[t])}nearest(t,e){return yt(this.panel.x.length,s=>this.#o(s),[t,e],Dt)}draw(t,e,s){let o=A(this.canvas),{near:r,colour:a,
top:i}=this.panel;o.lineWidth=1,o.strokeStyle=g(t.line);for(let{x:p,y:w}of e){o.beginPath();for(let y=0;y<p.length;y++)o.
lineTo(...this.#e(p[y],w[y]));o.stroke()}let h=$(a);r.forEach((p,w)=>{o.fillStyle=g(h,p>0?.85:.4),I(o,this.#o(w),p>0?3:2)});
let[[c,l],[,f]]=[this.#e(0,0),this.#e(0,i)];P(o,t,{colour:bt,width:4,halo:2},()=>{o.moveTo(c,l),o.lineTo(c,f)}),o.beginPath(),
o.moveTo(c,f-W),o.lineTo(c-W,f+W),o.lineTo(c+W,f+W),o.fillStyle=g(bt),o.fill();let d=s.map(p=>this.#o(p));P(o,t,{colour:t.
ink,width:2,halo:3},()=>{for(let p of d)o.lineTo(...p)}),o.fillStyle=g(t.ink),o.strokeStyle=g(t.background);for(let p of d)
I(o,p,5),o.stroke()}};var Ht=300,z=class{#t=[];#e=[];#o=[];#s=[];#n=new O;#i=new ResizeObserver(()=>this.draw());text=u("p",{class:"pair"});spoken=this.#n.
element;constructor(t,e,s){this.point=s;let a={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:i=>{let[h,c]=dt[i.key]??[0,0];i.ctrlKey||i.metaKey||i.altKey||h===c||(i.preventDefault(),
e(h-c))}};this.element=u("div",{...a,...t}),this.#i.observe(this.element)}show(t,e){this.#e=e,this.#t=t.map((o,r)=>{let a=({
offsetX:d,offsetY:p})=>{let w=h.nearest(d,p);w>=0&&this.point(w,r)},i=u("canvas",{role:"img",onpointermove:a,onpointerdown:a}),
h=new G(i,o),[c,l]=[u("strong",{text:o.title}),u("div")],f=u("figcaption",{},[c,l]);return{panel:o,sphere:h,title:c,note:l,
figure:u("figure",{},[f,i])}});let s=this.#t.map(({figure:o})=>o);return this.element.replaceChildren(...s),s}move(t){this.#t.
forEach((e,s)=>{e.panel=t[s],e.sphere.panel=t[s],e.title.textContent=t[s].title})}mark(t,e,s){this.#o=t,this.#s=s,this.text.
textContent=e,this.#t.forEach(({panel:o,sphere:r,note:a},i)=>{a.textContent=s[i],r.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${o.title}: the mean of their directions has length ${o.mean_length.toFixed(2)}; the marked pair: ${s[i]}`}),
this.draw()}draw(){let t=E(this.element);for(let{sphere:e,figure:s}of this.#t){if(!s.clientWidth)return;e.resize(Math.min(
Ht,s.clientWidth)),e.draw(t,this.#e,this.#o)}}say(){let t=this.#t.map(({panel:e},s)=>`${e.title} ${this.#s[s]}`);this.#n.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#n.stop(),this.#i.disconnect()}};function j(n){let t=atob(n),e=new Uint8Array(t.length);for(let s=0;s<t.length;s++)e[s]=t.charCodeAt(s);return e}var K=100;function Mt(n,t){mt(()=>n.draw(),()=>Bt(n.parts)).toBlob(s=>s&&pt(s,`${t}.png`))}function Bt(n){let t=n.map(c=>c.
getBoundingClientRect()),e=st(),s=e*Math.max(...t.map(c=>c.width)),o=e*t.reduce((c,l)=>c+l.height,0),r=u("canvas",{width:Math.
ceil(s),height:Math.ceil(o)}),[a,i]=[A(r),E(n[0])];a.fillStyle=g(i.background),a.fillRect(0,0,s,o),a.scale(e,e);let h=0;
return n.forEach((c,l)=>{a.save(),a.translate(-t[l].left,h-t[l].top);for(let f of[c,...c.querySelectorAll("canvas, .swat\
ch, .bar")])Ut(a,i,f);Gt(a,c),a.restore(),h+=t[l].height}),r}function Ut(n,t,e){let{left:s,top:o,width:r,height:a}=e.getBoundingClientRect();
if(!(!r||!a)){if(e instanceof HTMLCanvasElement)n.drawImage(e,s,o,r,a);else if(e.matches(".swatch"))n.fillStyle=getComputedStyle(
e).backgroundColor,n.fillRect(s,o,r,a);else if(e.matches(".scale .bar"))for(let i=0;i<K;i++)n.fillStyle=g(gt(i/(K-1),t.dark)),
n.fillRect(s+i*r/K,o,r/K+.5,a)}}function Gt(n,t){let[e,s]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(n.textAlign="center",n.textBaseline="middle";e.nextNode();){let o=e.currentNode,r=getComputedStyle(o.parentElement);
n.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,n.fillStyle=r.color;for(let{0:a,index:i}of o.data.matchAll(/\S+/g)){
s.setStart(o,i),s.setEnd(o,i+a.length);let{left:h,top:c,width:l,height:f}=s.getBoundingClientRect();!l||!f||(n.save(),n.
translate(h+l/2,c+f/2),r.writingMode.startsWith("vertical")&&n.rotate(-Math.PI/2),n.fillText(a,0,0),n.restore())}}}function St({show:n,...t}){let s={...t,show:a=>{let i=n(a);return zt(i)&&a.append(k("Save PNG","Save the picture",()=>Mt(
i,t.name))),i}},o=globalThis.document?.querySelector("script#payload");o&&Vt(s,o.textContent??"");let r=Kt(s);return a=>a?
r(a):{render:i=>Xt(s,i)}}function zt(n){return"draw"in n&&"parts"in n}function jt(n,t){n.calls+=1;let e=n.calls;return()=>{
n.calls===e&&t()}}function Kt({name:n,state:t,show:e}){let s=new WeakMap;return({data:o,parentElement:r,setStateValue:a})=>{
let i=r.querySelector(`.${n}`),h=s.get(i)??{shown:e(i),calls:0};return s.set(i,h),h.shown.load(o,c=>a(t,c)),jt(h,()=>h.shown.
close?.())}}function Vt({name:n,show:t,file:e},s){if(!e)return;let o=t(document.querySelector(`.${n}`)),r=()=>o.load(e.data(
j(s.trim())),e.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function Xt({
name:n,show:t,cell:e},{model:s,el:o}){if(!e)return;let[r,a]=[u("div"),u("div",{class:n})],i=u("style",{text:String(s.get(
"sheet"))});r.attachShadow({mode:"open"}).append(i,a),o.append(r);let h=t(a),c=()=>h.load(e.data(s.get(e.trait)),l=>{for(let[
f,d]of Object.entries(e.traits(l,h)))s.set(f,d);s.save_changes()});return c(),s.on(`change:${e.trait}`,c),()=>{s.off(`ch\
ange:${e.trait}`,c),h.close?.()}}var V=class{#t=0;start(t,e,s,o,r=()=>{}){this.stop();let a=matchMedia("(prefers-reduced-motion: reduce)").matches,i=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-i)/s)),f=a&&s<=600?1:l,d=f===1?e:t+f*(e-t);o(a?Math.round(d):d),f<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var[kt,Yt,xt,Jt]=[46,10,16,34],$t={across:40,up:28},Zt=[1,2,5,10],Qt=12,X=[[],[7,3],[2,3],[9,3,2,3]];function Tt(n,t,e,s){
let{title:o="",titles:r,lines:a,hasZero:i,at:h,rug:c=[]}=s,l=U(n,t),f=a.filter(({name:m})=>m),d=xt*((s.names??f.length)+
+(o!==""))+10,[p,w]=[e.x+kt,e.y+d],[y,b]=[e.w-kt-Yt,e.h-Jt-d],[C,M]=[p+y,w+b],R=vt(a.map(({x:m})=>m)),q=te(vt([...a.map(
({y:m})=>m),i?[0]:[]])),L=m=>p+y*(m-R[0])/(R[1]-R[0]||1),Q=m=>M-b*(m-q[0])/(q[1]-q[0]);l(o,e.x,e.y+12,{weight:600,colour:t.
ink}),n.strokeStyle=g(T(t.background,t.ink,.45)),n.lineWidth=1,n.strokeRect(p+.5,w+.5,y-1,b-1);for(let{value:m,text:S}of At(
R,y/$t.across))l(S,Math.min(L(m),C-8),M+14,{align:"center"});for(let{value:m,text:S}of At(q,b/$t.up))l(S,p-5,Q(m)+4,{align:"\
right"});l(r[0],p+y/2,M+29,{align:"center"}),n.save(),n.translate(e.x+12,w+b/2),n.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),n.restore(),wt(n,{x:p,y:w,w:y,h:b},()=>{for(let m of Array.from(c))nt(n,g(t.ink,.18),L(m),M,-7);h!==void 0&&nt(
n,g(t.muted),L(h),M,-b),a.forEach(({colour:m,mark:S,...v},N)=>{if(n.setLineDash(X[N%X.length]),P(n,t,{colour:m,width:2,halo:2},
()=>{for(let F=0;F<v.x.length;F++)Number.isFinite(v.y[F])&&n.lineTo(L(v.x[F]),Q(v.y[F]))}),n.setLineDash([]),!S)return;let[
ut,tt]=[L(S[0]),Q(S[1])];n.setLineDash([3,3]),nt(n,g(t.muted),ut,tt,M-tt),n.setLineDash([]),n.fillStyle=g(m),I(n,[ut,tt],
5)})}),f.forEach(({name:m,colour:S},v)=>{let N=e.y+xt*(v+(o?1:0))+8;n.strokeStyle=g(S),n.lineWidth=2,n.setLineDash(X[v%X.
length]),n.beginPath(),n.moveTo(e.x,N),n.lineTo(e.x+24,N),n.stroke(),n.setLineDash([]),l(m,e.x+30,N+4,{colour:t.ink})})}
function nt(n,t,e,s,o){n.strokeStyle=t,n.lineWidth=1,n.beginPath(),n.moveTo(e,s),n.lineTo(e,s+o),n.stroke()}function vt(n){
let t=n.flatMap(e=>Array.from(e)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function te([n,t]){let e=Math.
max(.1-(t-n)/2,.06*(t-n));return[n-e,t+e]}function At([n,t],e){let s=(t-n)/e,o=10**ot(s),r=o*(Zt.find(h=>h*o>=s)??10),[a,
i]=[Math.ceil(n/r),Math.floor(t/r)];return Array.from({length:i-a+1},(h,c)=>{let l=(a+c)*r;return{value:l,text:ee(l,r)}})}
function ee(n,t){let e=n?ot(n)-ot(t)+1:1,s=Math.min(Qt,Math.max(1,e));return n.toLocaleString("en",{maximumSignificantDigits:s})}
function ot(n){return Math.floor(Math.log10(Math.abs(n)))}var se=12,Y=class{constructor(t,e,s){this.data=t,this.n=e,this.sides=[...s,...s.map(h=>e+h)];let o=new Int16Array(j(t.numbers).
buffer),[r,a]=[0,0],i=h=>{let c=t.scales[a++];return r+=h,new Float64Array(o.subarray(r-h,r)).map(l=>l*c)};this.largest=
t.chosen.map(()=>i(2*e)),this.norms=i(2*e),this.along=i(2*e),this.ofPairs=i(e),this.ofShown=i(this.sides.length*(this.sides.
length-1)/2)}#t({out:t,isCentred:e}){let{mean:s}=this.data,r={rows:this.largest.map((a,i)=>e?a:a.map(h=>h+s[i])).filter(
(a,i)=>!t.has(i)),lengths:new Float64Array(2*this.n),isCentred:e};return r.lengths.set(this.norms.map((a,i)=>Math.sqrt(this.#e(
r,i,i,1))||1)),r}#e({rows:t,isCentred:e},s,o,r){let a=r*this.norms[s]*this.norms[o];e||(a+=this.along[s]+this.along[o]+this.
data.rest_mean);for(let i of t)a+=i[s]*i[o];return a}cosines(t){let[e,{n:s}]=[this.#t(t),this];return this.ofPairs.map((o,r)=>this.#e(
e,r,s+r,o)/(e.lengths[r]*e.lengths[s+r]))}gram(t){let[e,{sides:s}]=[this.#t(t),this],o=s.length,r=new Float64Array(o*o).
fill(1),a=0;for(let i=0;i<o;i++)for(let h=i+1;h<o;h++){let[c,l]=[s[i],s[h]],f=this.#e(e,c,l,this.ofShown[a++]);r[i*o+h]=
f/(e.lengths[c]*e.lengths[l]),r[h*o+i]=r[i*o+h]}return r}};function Ot(n){let t=Math.sqrt(n.length);return(n.reduce((e,s)=>e+
s,0)-t)/(t*(t-1))}function at(n,t){let e=Math.sqrt(n.length),s=Array.from({length:e},(l,f)=>n.subarray(f*e,(f+1)*e).reduce(
(d,p)=>d+p,0)),o=Math.sqrt(s.reduce((l,f)=>l+f,0))/e||1e-12,r=s.map(l=>l/(e*o)),a=n.map((l,f)=>l-r[Math.floor(f/e)]*r[f%
e]),i=Rt(t),h=Ct(a,i);for(let l=0;l<se;l++)i=Rt(h),h=Ct(a,i);let c=it(i,ne(rt(i,h)));return{length:o,along:r,flat:it(c,oe(
rt(c,t)))}}function Ct(n,t){let e=t.length/2,s=new Float64Array(2*e);for(let o=0;o<e;o++){let[r,a]=[0,0];for(let i=0;i<e;i++){
let h=n[o*e+i];r+=h*t[2*i],a+=h*t[2*i+1]}s[2*o]=r,s[2*o+1]=a}return s}function rt(n,t){let e=[0,0,0,0];for(let s=0;s<n.length;s+=
2)for(let o=0;o<4;o++)e[o]+=n[s+(o>>1)]*t[s+(o&1)];return e}function it(n,[t,e,s,o]){return n.map((r,a)=>a%2?n[a-1]*e+r*
o:r*t+n[a+1]*s)}function Rt(n){let[t,e,,s]=rt(n,n),[o,r]=[Math.sqrt(t)||1,e/(t||1)],a=Math.sqrt(Math.max(s-r*e,0))||1;return it(
n,[1/o,-r/a,0,1/a])}function ne([n,t,e,s]){let o=Math.sqrt(Math.max(n*s-t*e,0)),r=Math.sqrt(n+s+2*o)||1;return[(n+o)/r,t/
r,e/r,(s+o)/r]}function oe([n,t,e,s]){let o=n*s-t*e<0?-1:1,[r,a]=[n+o*s,t-o*e],i=Math.hypot(r,a);return i?[r/i,a/i,-o*a/
i,o*r/i]:[1,0,0,1]}function Et(n,t){let[e,s]=[n,t].map(re),o=(e.length+1)/2,r=(a,i)=>a.reduce((h,c,l)=>h+(c-o)*(i[l]-o),
0);return r(e,s)/Math.sqrt(r(e,e)*r(s,s))}function re(n){let t=Array.from(n,(s,o)=>o).sort((s,o)=>n[s]-n[o]),e=new Float64Array(
t.length);for(let s=0,o=0;s<t.length;s=o){for(;o<t.length&&n[t[o]]===n[t[s]];)o++;for(let r=s;r<o;r++)e[t[r]]=(s+o+1)/2}
return e}var x={out:new Set,isCentred:!1,isAfterFirst:!1},ie="#0072b2",J=class{#t=new Map;#e=new Map;#o;#s;constructor(t){this.data=
t;let e=Float64Array.from({length:4*t.shown.length},(s,o)=>Math.sin(o+1));this.#o=t.layers.map((s,o)=>this.space(o,x).gram(
x)),this.#s=this.#o.map(s=>(e=at(s,e).flat,e))}get last(){return this.data.layers.length-1}space(t,{isAfterFirst:e}){let s=`${t}\
 ${e}`,{all:o,after_first:r}=this.data.layers[t],a=this.#t.get(s)??new Y(e?r:o,this.data.n,this.data.shown);return this.#t.
set(s,a),a}#n(t,e){return e===x?this.#o[t]:this.space(t,e).gram(e)}scores(t){let e=JSON.stringify([[...t.out].sort(),t.isCentred,
t.isAfterFirst]),{gold:s,layers:o}=this.data,r=this.#e.get(e)??o.map((a,i)=>{let h=s?Et(this.space(i,t).cosines(t),s):Number.
NaN;return{cosine:Ot(this.#n(i,t)),rho:h}});return this.#e.set(e,r),r}panel(t,e){let{length:s,along:o,flat:r}=at(this.#n(
t,e),this.#s[t]);return ae(o,r,s,this.data.tilt)}angles(t,e){let s=this.space(t,e).cosines(e);return this.data.shown.map(
o=>180/Math.PI*Math.acos(Math.min(1,s[o])))}};function ae(n,t,e,s){let[o,r,a]=[[],[],[]].map(()=>new Array(n.length).fill(
0));return n.forEach((i,h)=>{let c=Math.sqrt(Math.max(0,1-i*i)),l=Math.atan2(t[2*h+1],t[2*h]),f=c*Math.sin(l);o[h]=c*Math.
cos(l),r[h]=i*Math.cos(s)-f*Math.sin(s),a[h]=f*Math.cos(s)+i*Math.sin(s)}),{x:o,y:r,near:a,colour:ie,top:e*Math.cos(s),mean_length:e}}var[ht,ct,he,ce,le]=[178,10,150,5,2],fe=15,ue=[["#0072b2","#56b4e9"],["#6b6b6b","#a8a8a8"]].map(n=>n.map($));function Lt(n,t){
let{layers:e,gold:s,unscored:o}=n.data,[r,a]=[x,t].map(d=>n.scores(d)),i=d=>d??Number.NaN,h=(d,p)=>[a,r].map((w,y)=>[y?"\
as it is":"shown",w.map(b=>p*b[d]),y]),c=e.map((d,p)=>i(n.space(p,t).data.shares[0])),l=e.map(({first_norm:d})=>Math.log10(
i(d))),f=e.map(({token_entropy:d})=>i(d));return[{title:"Random cosine",lines:h("cosine",1)},{title:"Rho x 100",lines:h(
"rho",100),why:s?"":o},{title:"Largest coordinate",lines:[["its share",c,0]]},{title:"First token, log10",lines:[["norm \
ratio",l,0]]},{title:"Token entropy",lines:[["mean",f,0]]}]}function Nt(n,t,e,s,o){let r=Math.max(1,Math.min(ce,Math.floor(
o/he))),a=(o-(r-1)*ct)/r;D(n,o,ht*Math.ceil(e.length/r));let i=A(n),h=e[0].lines[0][1].map((c,l)=>l);e.forEach(({title:c,
lines:l,why:f},d)=>{let[p,w]=[d%r*(a+ct),Math.floor(d/r)*ht];if(l.every(([,b])=>b.every(Number.isNaN))){let b=U(i,t);b(c,
p,w+12,{weight:600,colour:t.ink}),de(i,f||"The model has no such measure.",a).forEach((M,R)=>{b(M,p,w+34+fe*R)});return}
Tt(i,t,{x:p,y:w,w:a,h:ht-ct},{title:c,titles:["layer",""],at:s,names:le,lines:l.map(([b,C,M])=>({name:`${b}: ${Number.isNaN(
C[s])?"none":C[s].toFixed(2)}`,colour:ue[M][t.dark?1:0],x:h,y:C}))})})}function de(n,t,e){let s=[""];for(let o of t.split(
" ")){let r=`${s.at(-1)} ${o}`.trim();n.measureText(r).width<=e?s[s.length-1]=r:s.push(o)}return s}function It(n,t,e){let{flow:s}=n.data.layers[t],[o,r]=[x,e].map(d=>n.scores(d)[t]),a=pe(n,t,e),i=me(n.space(t,e).data.chosen,
e),h=!Number.isNaN(r.rho),c=s===null?"":`; the flow gives ${(100*s).toFixed(2)}`;if(!i.length)return h?`${a} Rho x 100 i\
s ${(100*r.rho).toFixed(2)}${c}.`:a;let l=_t("the random cosine",o.cosine,r.cosine,3),f=_t("rho x 100",100*o.rho,100*r.rho,
2);return`${a} Without ${Pt(i)}, ${l}${h?`, and ${f}${c}`:""}.`}function pe(n,t,e){let{name:s,first_part:o}=n.data.layers[t],
{chosen:r,shares:a}=n.space(t,e).data;if(!a.length)return`In layer ${s}, two random sentences have no positive cosine.`;
let i=`In layer ${s}, coordinates ${r[0]} and ${r[1]} make ${Ft(a[0]+a[1])} of the cosine of two random sentences`;return e.
isAfterFirst?`${i}, without their first tokens.`:o===null?`${i}.`:`${i}; the first token accounts for ${Ft(o)} of it.`}function me(n,{
out:t,isCentred:e,isAfterFirst:s}){let o=[...t].sort((i,h)=>i-h),r=o.map(i=>String(n[i])),a=`coordinate${r.length>1?"s":
""} ${Pt(r)}`;return o.join()==="0,1"&&(a="these two coordinates"),[...s?["the first token"]:[],...r.length?[a]:[],...e?
["the mean"]:[]]}function Ft(n){return`${(100*n).toFixed(0)} %`}function _t(n,t,e,s){let[o,r]=[t,e].map(a=>a.toFixed(s));
return o===r?`${n} stays at ${r}`:`${n} ${e>t?"rises":"falls"} from ${o} to ${r}`}function Pt(n){let[t,e]=[n.at(-1)??"",
n.slice(0,-1)];return e.length?`${e.join(", ")} and ${t}`:t}var[ge,we]=[260,450],lt=[0,1],ft=class{#t=new V;#e=new _(we);#o=new O;#s=0;#n=0;#i=!1;#a=x;#h=null;#p=null;#y=k("Play","\
Play the layers from the shown one",()=>this.#E());#b=k("Back","One layer back",()=>this.#d(this.#s-1));#M=k("Forward","\
One layer on",()=>this.#d(this.#s+1));#l=u("input",{type:"range",min:0,step:1,"aria-label":"Layer",oninput:()=>this.#d(Number(
this.#l.value))});#S=u("output");#k=k("Leave out the largest 2","The two coordinates of the upper bars",()=>this.#T(this.#A?
[]:lt));#x=k("Subtract the mean","The mean of the fit corpus",()=>this.#g({isCentred:!this.#a.isCentred}));#$=k("First t\
oken out of the mean","The mean over all tokens but the first",()=>this.#g({isAfterFirst:!this.#a.isAfterFirst}));#f=u("\
div",{class:"bars",role:"group","aria-label":"Largest coordinates"});#m=u("p",{class:"verdict"});#u=u("canvas",{class:"c\
urves",role:"img"});#r=new z({role:"application"},t=>this.#C(this.#n+t),t=>this.#C(t));#v=new ResizeObserver(()=>this.#w());constructor(t){
this.root=t;let e=[this.#y,this.#b,this.#M,this.#l,this.#S],s=u("div",{class:"ball"},[this.#r.element,this.#r.text]),o=u(
"strong",{text:"Share of the random cosine; press to leave out"}),r=u("div",{class:"side"},[o,this.#f]);t.replaceChildren(
u("div",{class:"row"},e),u("div",{class:"row"},[this.#k,this.#x,this.#$]),this.#m,u("div",{class:"panes"},[s,r]),this.#u,
this.#r.spoken,this.#o.element),this.#v.observe(t)}load(t){if(this.#h)return;this.#h=new J(t);let{gold:e,shown:s}=t,o=s.
map(r=>e?.[r]??0);this.#n=o.indexOf(Math.min(...o)),this.#l.max=String(this.#h.last),this.#c(Math.floor(this.#h.last/2))}get#A(){
let{out:t}=this.#a;return t.size===lt.length&&lt.every(e=>t.has(e))}#T(t){this.#g({out:new Set(t)})}#g(t){this.#a={...this.#a,
...t},this.#c(this.#s)}#E(){if(this.#i)return this.#d(this.#s);this.#i=!0,this.#c(this.#s===this.#h?.last?0:this.#s)}#d(t){
this.#e.stop(),this.#i=!1,this.#c(t)}#c(t){let e=this.#h;if(!e)return;this.#s=Math.max(0,Math.min(e.last,t));let s=`Laye\
r ${e.data.layers[this.#s].name}`,o={...e.panel(this.#s,this.#a),title:s},r=this.#p;this.#O(e);let a=i=>{this.#p=r?ye(r,
o,i):o,this.#r.move([this.#p]),this.#r.draw()};r||this.#r.show([o],e.data.circles),a(0),this.#R(e),this.#w(),this.#t.start(
0,1,ge,a,()=>{this.#i&&(this.#i=this.#s<e.last,this.#i?this.#e.call(()=>this.#c(this.#s+1)):this.#O(e))})}#C(t){let e=this.#h;
if(!e)return;let s=e.data.shown.length,o=(t+s)%s;o!==this.#n&&(this.#n=o,this.#R(e),this.#r.say())}#R(t){let{texts:e,gold:s,
shown:o,scale:r}=t.data,[a,i]=e[this.#n],h=s?`: gold score ${Number(s[o[this.#n]].toFixed(2))}`:"",[c,l]=r,f=h&&` of ${c?
`${c} to `:""}${l}`,d=t.angles(this.#s,this.#a)[this.#n];this.#r.mark([this.#n,this.#n+o.length],`“${a}” and “${i}\
”${h}${f}`,[`${d.toFixed(0)}° between the marked pair`]),this.root.dataset.pair=String(this.#n)}#O(t){let[e,s,{last:o}]=[
this.#s,this.#a,t],{data:r}=t.space(e,s);this.#y.textContent=this.#i?"Pause":"Play",this.#l.value=String(e),this.#b.disabled=
e<=0,this.#M.disabled=e>=o,this.#S.textContent=`layer ${t.data.layers[e].name} of ${o}`,Z(this.#k,this.#A),Z(this.#x,s.isCentred),
Z(this.#$,s.isAfterFirst),this.#f.childElementCount!==r.chosen.length&&this.#L(r.chosen.length),Array.from(this.#f.children).
forEach((h,c)=>{let l=r.shares[c],f=l===void 0?"none":`${(100*l).toFixed(1)} %`,[d,p,w]=Array.from(h.children);d.textContent=
String(r.chosen[c]),w.textContent=f;let y=Math.max(0,Math.min(1,l??0));p.firstElementChild.style.width=`${100*y}%`,h.ariaLabel=
`Coordinate ${r.chosen[c]}: ${f}`,Z(h,s.out.has(c))}),this.#m.textContent=It(t,e,s),this.#o.say(this.#m.textContent);let{
cosine:a,rho:i}=t.scores(s)[e];Object.assign(this.root.dataset,{layer:e,cosine:a,rho:Number.isNaN(i)?"":i})}#L(t){let e=Array.
from({length:t},(s,o)=>{let r=()=>{let i=new Set(this.#a.out);i.delete(o)||i.add(o),this.#T(i)},a=u("span",{class:"track"},
[u("span")]);return u("button",{type:"button",class:"bar",onclick:r},[u("span"),a,u("span")])});this.#f.replaceChildren(
...e)}#w(){let[t,e]=[this.#h,this.root.clientWidth];if(!t||!e)return;let s=Lt(t,this.#a);Nt(this.#u,E(this.root),s,this.#s,
e),this.#u.ariaLabel=`Measures by layer: ${s.map(({title:o,why:r})=>r?`${o}: ${r}`:o).join(", ")}`}get parts(){return[this.#r.
element,this.#u]}draw(){this.#r.draw(),this.#w()}close(){this.#t.stop(),this.#e.stop(),this.#o.stop(),this.#r.close(),this.#v.
disconnect()}};function Z(n,t){n.ariaPressed=String(t)}function ye(n,t,e){let s=(o,r)=>r.map((a,i)=>o[i]+e*(a-o[i]));return{
...t,x:s(n.x,t.x),y:s(n.y,t.y),top:n.top+e*(t.top-n.top)}}var ms=St({name:"depth",show:n=>new ft(n),state:"report"});export{ft as DepthView,ms as default};
