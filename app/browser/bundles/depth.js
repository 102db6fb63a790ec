var ht={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function m(o,{text:t,...s}={},e=[]){let n=document.createElement(o);for(let[r,a]of Object.entries(s))typeof a=="function"?
n.addEventListener(r.slice(2),a):a!==null&&n.setAttribute(r,String(a));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function T(o,t,s){return m("button",{type:"button",text:o,title:t,onclick:s})}function N(o){return o.getContext("2d")}function q(o,t,s){let e=devicePixelRatio||1;Object.assign(o,{width:t*e,height:s*
e}),Object.assign(o.style,{width:`${t}px`,height:`${s}px`}),N(o).scale(e,e)}var Ct=300,_=class{#t;#s=0;constructor(t){this.#t=t}call(t){this.stop(),this.#s=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#s)}},R=class{#t=new _(Ct);element=m("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function U(o){let t=getComputedStyle(o),s=(r,a)=>t.getPropertyValue(r).trim()||a,e=A(s("--st-background-color","#ffffff")),
n=A(s("--st-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:L(e,n,.72),line:L(
e,n,.2),dim:L(e,n,.3),missing:L(e,n,.5),primary:A(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function L(o,t,s){let e=n=>Math.round(o[n]+(t[n]-o[n])*s);return[e(0),e(1),e(2)]}function b(o,t=1){return`rgb(${o.join("\
 ")} / ${100*t}%)`}var D=null;function A(o){D??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),D.fillStyle=
o,D.fillRect(0,0,1,1);let[t,s,e]=D.getImageData(0,0,1,1).data;return[t,s,e]}function ct(o,{x:t,y:s,w:e,h:n},r){o.save(),o.beginPath(),o.rect(t,s,e,n),o.clip(),r(),o.restore()}function I(o,[t,s],e){
o.beginPath(),o.arc(t,s,e,0,2*Math.PI),o.fill()}function lt(o,t,[s,e],n){let[r,a]=[-1,n];for(let i=0;i<o;i++){let[h,c]=t(
i),l=Math.hypot(h-s,c-e);l<a&&([r,a]=[i,l])}return r}function P(o,t,{colour:s,width:e,halo:n},r){let a=[[t.background,e+
n],[s,e]];for(let[i,h]of a)o.beginPath(),r(),o.lineWidth=h,o.strokeStyle=b(i),o.stroke()}function H(o,t){return(s,e,n,{align:r="\
left",colour:a=t.muted,weight:i=400,halo:h=!1}={})=>{o.font=`${i} 11.5px ${t.font}`,o.textAlign=r,o.fillStyle=b(a),h&&(o.
strokeStyle=b(t.background),o.lineWidth=4,o.lineJoin="round",o.strokeText(s,e,n)),o.fillText(s,e,n)}}var ft=A("#d55e00"),[Rt,Lt,W]=[8,16,7],G=class{#t=0;constructor(t,s){this.canvas=t,this.panel=s}resize(t){q(this.canvas,
t,t),this.#t=t/2}#s(t,s){let e=this.#t-Rt;return[this.#t+e*t,this.#t-e*s]}#o(t){return this.#s(this.panel.x[t],this.panel.
y[t])}nearest(t,s){return lt(this.panel.x.length,e=>this.#o(e),[t,s],Lt)}draw(t,s,e){let n=N(this.canvas),{near:r,colour:a,
top:i}=this.panel;n.lineWidth=1,n.strokeStyle=b(t.line);for(let{x:u,y}of s){n.beginPath();for(let d=0;d<u.length;d++)n.lineTo(
...this.#s(u[d],y[d]));n.stroke()}let h=A(a);r.forEach((u,y)=>{n.fillStyle=b(h,u>0?.85:.4),I(n,this.#o(y),u>0?3:2)});let[
[c,l],[,f]]=[this.#s(0,0),this.#s(0,i)];P(n,t,{colour:ft,width:4,halo:2},()=>{n.moveTo(c,l),n.lineTo(c,f)}),n.beginPath(),
n.moveTo(c,f-W),n.lineTo(c-W,f+W),n.lineTo(c+W,f+W),n.fillStyle=b(ft),n.fill();let p=e.map(u=>this.#o(u));P(n,t,{colour:t.
ink,width:2,halo:3},()=>{for(let u of p)n.lineTo(...u)}),n.fillStyle=b(t.ink),n.strokeStyle=b(t.background);for(let u of p)
I(n,u,5),n.stroke()}};var Ot=300,z=class{#t=[];#s=[];#o=[];#e=[];#n=new R;#r=new ResizeObserver(()=>this.draw());text=m("p",{class:"pair"});spoken=this.#n.
element;constructor(t,s,e){this.point=e;let a={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:i=>{let[h,c]=ht[i.key]??[0,0];i.ctrlKey||i.metaKey||i.altKey||h===c||(i.preventDefault(),
s(h-c))}};this.element=m("div",{...a,...t}),this.#r.observe(this.element)}show(t,s){this.#s=s,this.#t=t.map((n,r)=>{let a=({
offsetX:f,offsetY:p})=>{let u=h.nearest(f,p);u>=0&&this.point(u,r)},i=m("canvas",{role:"img",onpointermove:a,onpointerdown:a}),
h=new G(i,n),c=m("div"),l=m("figcaption",{},[m("strong",{text:n.title}),c]);return{panel:n,sphere:h,note:c,figure:m("fig\
ure",{},[l,i])}});let e=this.#t.map(({figure:n})=>n);return this.element.replaceChildren(...e),e}move(t){this.#t.forEach(
(s,e)=>{s.panel=t[e],s.sphere.panel=t[e]})}mark(t,s,e){this.#o=t,this.#e=e,this.text.textContent=s,this.#t.forEach(({panel:n,
sphere:r,note:a},i)=>{a.textContent=e[i],r.canvas.ariaLabel=`Sentences as points on a sphere, ${n.title}: the mean of th\
eir directions has length ${n.mean_length.toFixed(2)}; the marked pair: ${e[i]}`}),this.draw()}draw(){let t=U(this.element);
for(let{sphere:s,figure:e}of this.#t){if(!e.clientWidth)return;s.resize(Math.min(Ot,e.clientWidth)),s.draw(t,this.#s,this.#o)}}say(){
let t=this.#t.map(({panel:s},e)=>`${s.title} ${this.#e[e]}`);this.#n.say(`${this.text.textContent}; ${t.join(", ")}`)}close(){
this.#n.stop(),this.#r.disconnect()}};function ut(o){let t=globalThis.document?.querySelector("script#payload");t&&Nt(o,t.textContent??"");let s=Ft(o);return e=>e?
s(e):{render:n=>_t(o,n)}}function Et(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function Ft({name:o,state:t,
show:s}){let e=new WeakMap;return({data:n,parentElement:r,setStateValue:a})=>{let i=r.querySelector(`.${o}`),h=e.get(i)??
{shown:s(i),calls:0};return e.set(i,h),h.shown.load(n,c=>a(t,c)),Et(h,()=>h.shown.close?.())}}function Nt({name:o,show:t,
file:s},e){if(!s)return;let n=t(document.querySelector(`.${o}`)),r=Uint8Array.from(atob(e.trim()),i=>i.charCodeAt(0)),a=()=>n.
load(s.data(r),s.told??(()=>{}));a(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function _t({
name:o,show:t,cell:s},{model:e,el:n}){if(!s)return;let[r,a]=[m("div"),m("div",{class:o})],i=m("style",{text:String(e.get(
"sheet"))});r.attachShadow({mode:"open"}).append(i,a),n.append(r);let h=t(a),c=()=>h.load(s.data(e.get(s.trait)),l=>{for(let[
f,p]of Object.entries(s.traits(l,h)))e.set(f,p);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var j=class{#t=0;start(t,s,e,n,r=()=>{}){this.stop();let a=matchMedia("(prefers-reduced-motion: reduce)").matches,i=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-i)/e)),f=a&&e<=600?1:l,p=f===1?s:t+f*(s-t);n(a?Math.round(p):p),f<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var[pt,It,mt,Pt]=[46,10,16,34],dt={across:40,up:28},Wt=[1,2,5,10],qt=12,B=[[],[7,3],[2,3],[9,3,2,3]];function wt(o,t,s,e){
let{title:n="",titles:r,lines:a,hasZero:i,at:h,rug:c=[]}=e,l=H(o,t),f=a.filter(({name:g})=>g),p=mt*((e.names??f.length)+
+(n!==""))+10,[u,y]=[s.x+pt,s.y+p],[d,w]=[s.w-pt-It,s.h-Pt-p],[$,k]=[u+d,y+w],M=gt(a.map(({x:g})=>g)),C=Dt(gt([...a.map(
({y:g})=>g),i?[0]:[]])),O=g=>u+d*(g-M[0])/(M[1]-M[0]||1),J=g=>k-w*(g-C[0])/(C[1]-C[0]);l(n,s.x,s.y+12,{weight:600,colour:t.
ink}),o.strokeStyle=b(L(t.background,t.ink,.45)),o.lineWidth=1,o.strokeRect(u+.5,y+.5,d-1,w-1);for(let{value:g,text:S}of yt(
M,d/dt.across))l(S,Math.min(O(g),$-8),k+14,{align:"center"});for(let{value:g,text:S}of yt(C,w/dt.up))l(S,u-5,J(g)+4,{align:"\
right"});l(r[0],u+d/2,k+29,{align:"center"}),o.save(),o.translate(s.x+12,y+w/2),o.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),o.restore(),ct(o,{x:u,y,w:d,h:w},()=>{for(let g of Array.from(c))Z(o,b(t.ink,.18),O(g),k,-7);h!==void 0&&Z(o,b(
t.muted),O(h),k,-w),a.forEach(({colour:g,mark:S,...v},E)=>{if(o.setLineDash(B[E%B.length]),P(o,t,{colour:g,width:2,halo:2},
()=>{for(let F=0;F<v.x.length;F++)Number.isFinite(v.y[F])&&o.lineTo(O(v.x[F]),J(v.y[F]))}),o.setLineDash([]),!S)return;let[
at,X]=[O(S[0]),J(S[1])];o.setLineDash([3,3]),Z(o,b(t.muted),at,X,k-X),o.setLineDash([]),o.fillStyle=b(g),I(o,[at,X],5)})}),
f.forEach(({name:g,colour:S},v)=>{let E=s.y+mt*(v+(n?1:0))+8;o.strokeStyle=b(S),o.lineWidth=2,o.setLineDash(B[v%B.length]),
o.beginPath(),o.moveTo(s.x,E),o.lineTo(s.x+24,E),o.stroke(),o.setLineDash([]),l(g,s.x+30,E+4,{colour:t.ink})})}function Z(o,t,s,e,n){
o.strokeStyle=t,o.lineWidth=1,o.beginPath(),o.moveTo(s,e),o.lineTo(s,e+n),o.stroke()}function gt(o){let t=o.flatMap(s=>Array.
from(s)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function Dt([o,t]){let s=Math.max(.1-(t-o)/2,.06*
(t-o));return[o-s,t+s]}function yt([o,t],s){let e=(t-o)/s,n=10**Q(e),r=n*(Wt.find(h=>h*n>=e)??10),[a,i]=[Math.ceil(o/r),
Math.floor(t/r)];return Array.from({length:i-a+1},(h,c)=>{let l=(a+c)*r;return{value:l,text:Ut(l,r)}})}function Ut(o,t){
let s=o?Q(o)-Q(t)+1:1,e=Math.min(qt,Math.max(1,s));return o.toLocaleString("en",{maximumSignificantDigits:e})}function Q(o){
return Math.floor(Math.log10(Math.abs(o)))}var K=class{constructor(t,s,e){this.data=t,this.n=s,this.sides=[...e,...e.map(c=>s+c)];let n=Uint8Array.from(atob(t.numbers),
c=>c.charCodeAt(0)),r=new Int16Array(n.buffer),[a,i]=[0,0],h=c=>{let l=t.scales[i++];return a+=c,Float64Array.from(r.subarray(
a-c,a),f=>f*l)};this.largest=t.chosen.map(()=>h(2*s)),this.norms=h(2*s),this.along=h(2*s),this.ofPairs=h(s),this.ofShown=
h(this.sides.length*(this.sides.length-1)/2)}#t({out:t,isCentred:s}){let{mean:e}=this.data,r={rows:this.largest.map((a,i)=>s?
a:a.map(h=>h+e[i])).filter((a,i)=>!t.has(i)),lengths:new Float64Array(2*this.n),isCentred:s};return r.lengths.set(this.norms.
map((a,i)=>Math.sqrt(this.#s(r,i,i,1))||1)),r}#s({rows:t,isCentred:s},e,n,r){let a=r*this.norms[e]*this.norms[n];s||(a+=
this.along[e]+this.along[n]+this.data.rest_mean);for(let i of t)a+=i[e]*i[n];return a}cosines(t){let[s,{n:e}]=[this.#t(t),
this];return this.ofPairs.map((n,r)=>this.#s(s,r,e+r,n)/(s.lengths[r]*s.lengths[e+r]))}gram(t){let[s,{sides:e}]=[this.#t(
t),this],n=e.length,r=new Float64Array(n*n).fill(1),a=0;for(let i=0;i<n;i++)for(let h=i+1;h<n;h++){let[c,l]=[e[i],e[h]],
f=this.#s(s,c,l,this.ofShown[a++]);r[i*n+h]=f/(s.lengths[c]*s.lengths[l]),r[h*n+i]=r[i*n+h]}return r}};function Mt(o){let t=Math.
sqrt(o.length);return(o.reduce((s,e)=>s+e,0)-t)/(t*(t-1))}function et(o,t){let s=Math.sqrt(o.length),e=Array.from({length:s},
(l,f)=>o.subarray(f*s,(f+1)*s).reduce((p,u)=>p+u,0)),n=Math.sqrt(e.reduce((l,f)=>l+f,0))/s||1e-12,r=e.map(l=>l/(s*n)),a=o.
map((l,f)=>l-r[Math.floor(f/s)]*r[f%s]),i=kt(t),h=bt(a,i);for(let l=0;l<12;l++)i=kt(h),h=bt(a,i);let c=st(i,Ht(tt(i,h)));
return{length:n,along:r,flat:st(c,Gt(tt(c,t)))}}function bt(o,t){let s=t.length/2,e=new Float64Array(2*s);for(let n=0;n<
s;n++){let[r,a]=[0,0];for(let i=0;i<s;i++){let h=o[n*s+i];r+=h*t[2*i],a+=h*t[2*i+1]}e[2*n]=r,e[2*n+1]=a}return e}function tt(o,t){
let s=[0,0,0,0];for(let e=0;e<o.length;e+=2)for(let n=0;n<4;n++)s[n]+=o[e+(n>>1)]*t[e+(n&1)];return s}function st(o,[t,s,
e,n]){return o.map((r,a)=>a%2?o[a-1]*s+r*n:r*t+o[a+1]*e)}function kt(o){let[t,s,,e]=tt(o,o),[n,r]=[Math.sqrt(t)||1,s/(t||
1)],a=Math.sqrt(Math.max(e-r*s,0))||1;return st(o,[1/n,-r/a,0,1/a])}function Ht([o,t,s,e]){let n=Math.sqrt(Math.max(o*e-
t*s,0)),r=Math.sqrt(o+e+2*n)||1;return[(o+n)/r,t/r,s/r,(e+n)/r]}function Gt([o,t,s,e]){let n=o*e-t*s<0?-1:1,[r,a]=[o+n*e,
t-n*s],i=Math.hypot(r,a);return i?[r/i,a/i,-n*a/i,n*r/i]:[1,0,0,1]}function St(o,t){let[s,e]=[o,t].map(zt),n=(s.length+1)/
2,r=(a,i)=>a.reduce((h,c,l)=>h+(c-n)*(i[l]-n),0);return r(s,e)/Math.sqrt(r(s,s)*r(e,e))}function zt(o){let t=Array.from(
o,(e,n)=>n).sort((e,n)=>o[e]-o[n]),s=new Float64Array(t.length);for(let e=0,n=0;e<t.length;e=n){for(;n<t.length&&o[t[n]]===
o[t[e]];)n++;for(let r=e;r<n;r++)s[t[r]]=(e+n+1)/2}return s}var x={out:new Set,isCentred:!1,isAfterFirst:!1},jt="#0072b2",V=class{#t=new Map;#s=new Map;#o;#e;constructor(t){this.data=
t;let s=Float64Array.from({length:4*t.shown.length},(e,n)=>Math.sin(n+1));this.#o=t.layers.map((e,n)=>this.space(n,x).gram(
x)),this.#e=this.#o.map(e=>(s=et(e,s).flat,s))}get last(){return this.data.layers.length-1}space(t,{isAfterFirst:s}){let e=`${t}\
 ${s}`,{all:n,after_first:r}=this.data.layers[t],a=this.#t.get(e)??new K(s?r:n,this.data.n,this.data.shown);return this.#t.
set(e,a),a}#n(t,s){return s===x?this.#o[t]:this.space(t,s).gram(s)}scores(t){let s=JSON.stringify([[...t.out].sort(),t.isCentred,
t.isAfterFirst]),{gold:e,layers:n}=this.data,r=this.#s.get(s)??n.map((a,i)=>{let h=e?St(this.space(i,t).cosines(t),e):Number.
NaN;return{cosine:Mt(this.#n(i,t)),rho:h}});return this.#s.set(s,r),r}panel(t,s){let{length:e,along:n,flat:r}=et(this.#n(
t,s),this.#e[t]);return Bt(n,r,e,this.data.tilt)}angles(t,s){let e=this.space(t,s).cosines(s);return this.data.shown.map(
n=>180/Math.PI*Math.acos(Math.min(1,e[n])))}};function Bt(o,t,s,e){let[n,r,a]=[[],[],[]].map(()=>new Array(o.length).fill(
0));return o.forEach((i,h)=>{let c=Math.sqrt(Math.max(0,1-i*i)),l=Math.atan2(t[2*h+1],t[2*h]),f=c*Math.sin(l);n[h]=c*Math.
cos(l),r[h]=i*Math.cos(e)-f*Math.sin(e),a[h]=f*Math.cos(e)+i*Math.sin(e)}),{x:n,y:r,near:a,colour:jt,top:s*Math.cos(e),mean_length:s}}var[nt,ot,Kt,Vt,Yt]=[178,10,150,5,2],Jt=15,Xt=[["#0072b2","#56b4e9"],["#6b6b6b","#a8a8a8"]].map(o=>o.map(A));function xt(o,t){
let{layers:s,gold:e,unscored:n}=o.data,[r,a]=[x,t].map(p=>o.scores(p)),i=p=>p??Number.NaN,h=(p,u)=>[a,r].map((y,d)=>[d?"\
as it is":"shown",y.map(w=>u*w[p]),d]),c=s.map((p,u)=>i(o.space(u,t).data.shares[0])),l=s.map(({first_norm:p})=>Math.log10(
i(p))),f=s.map(({token_entropy:p})=>i(p));return[{title:"Random cosine",lines:h("cosine",1)},{title:"Rho x 100",lines:h(
"rho",100),why:e?"":n},{title:"Largest coordinate",lines:[["its share",c,0]]},{title:"First token, log10",lines:[["norm \
ratio",l,0]]},{title:"Token entropy",lines:[["mean",f,0]]}]}function $t(o,t,s,e,n){let r=Math.max(1,Math.min(Vt,Math.floor(
n/Kt))),a=(n-(r-1)*ot)/r;q(o,n,nt*Math.ceil(s.length/r));let i=N(o),h=s[0].lines[0][1].map((c,l)=>l);s.forEach(({title:c,
lines:l,why:f},p)=>{let[u,y]=[p%r*(a+ot),Math.floor(p/r)*nt];if(l.every(([,w])=>w.every(Number.isNaN))){let w=H(i,t);w(c,
u,y+12,{weight:600,colour:t.ink}),Zt(i,f||"The model has no such measure.",a).forEach((k,M)=>{w(k,u,y+34+Jt*M)});return}
wt(i,t,{x:u,y,w:a,h:nt-ot},{title:c,titles:["layer",""],at:e,names:Yt,lines:l.map(([w,$,k])=>({name:`${w}: ${Number.isNaN(
$[e])?"none":$[e].toFixed(2)}`,colour:Xt[k][t.dark?1:0],x:h,y:$}))})})}function Zt(o,t,s){let e=[""];for(let n of t.split(
" ")){let r=`${e.at(-1)} ${n}`.trim();o.measureText(r).width<=s?e[e.length-1]=r:e.push(n)}return e}function Tt(o,t,s){let{name:e,flow:n}=o.data.layers[t],{chosen:r,shares:a}=o.space(t,s).data,[i,h]=[x,s].map(M=>o.scores(
M)[t]),c=(100*(a[0]+a[1])).toFixed(0),l=s.isAfterFirst?", without their first tokens":"",f=a.length?`In layer ${e}, coor\
dinates ${r[0]} and ${r[1]} make ${c} % of the cosine of two random sentences${l}.`:`In layer ${e}, two random sentences\
 have no positive cosine.`,u=[...s.out].sort((M,C)=>M-C).map(M=>r[M]),y=[...s.isAfterFirst?["the first token"]:[],...u.length?
[`coordinate${u.length>1?"s":""} ${vt(u.map(String))}`]:[],...s.isCentred?["the mean"]:[]],d=!Number.isNaN(h.rho),w=n===
null?"":`; the flow gives ${(100*n).toFixed(2)}`;if(!y.length)return d?`${f} Rho x 100 is ${(100*h.rho).toFixed(2)}${w}.`:
f;let $=At("the random cosine",i.cosine,h.cosine,3),k=At("rho x 100",100*i.rho,100*h.rho,2);return`${f} Without ${vt(y)}\
, ${$}${d?`, and ${k}${w}`:""}.`}function At(o,t,s,e){let[n,r]=[t,s].map(a=>a.toFixed(e));return n===r?`${o} stays at ${r}`:
`${o} ${s>t?"rises":"falls"} from ${n} to ${r}`}function vt(o){let[t,s]=[o.at(-1)??"",o.slice(0,-1)];return s.length?`${s.
join(", ")} and ${t}`:t}var[Qt,ts]=[260,450],rt=[0,1],it=class{#t=new j;#s=new _(ts);#o=new R;#e=0;#n=0;#r=!1;#i=x;#h=null;#p=null;#y=T("Play","\
Play the layers from the shown one",()=>this.#O());#w=T("Back","One layer back",()=>this.#u(this.#e-1));#b=T("Forward","\
One layer on",()=>this.#u(this.#e+1));#l=m("input",{type:"range",min:0,step:1,"aria-label":"Layer",oninput:()=>this.#u(Number(
this.#l.value))});#k=m("output");#M=T("Leave out the largest 2","The two coordinates of the upper bars",()=>this.#v(this.#A?
[]:rt));#S=T("Subtract the mean","The mean of the fit corpus",()=>this.#g({isCentred:!this.#i.isCentred}));#x=T("First t\
oken out of the mean","The mean over all tokens but the first",()=>this.#g({isAfterFirst:!this.#i.isAfterFirst}));#f=m("\
div",{class:"bars",role:"group","aria-label":"Largest coordinates"});#m=m("p",{class:"verdict"});#d=m("canvas",{class:"c\
urves",role:"img"});#a=new z({role:"application"},t=>this.#T(this.#n+t),t=>this.#T(t));#$=new ResizeObserver(()=>this.#L());constructor(t){
this.root=t;let s=[this.#y,this.#w,this.#b,this.#l,this.#k],e=m("div",{class:"ball"},[this.#a.element,this.#a.text]),n=m(
"strong",{text:"Share of the random cosine; press to leave out"}),r=m("div",{class:"side"},[n,this.#f]);t.replaceChildren(
m("div",{class:"row"},s),m("div",{class:"row"},[this.#M,this.#S,this.#x]),this.#m,m("div",{class:"panes"},[e,r]),this.#d,
this.#a.spoken,this.#o.element),this.#$.observe(t)}load(t){if(this.#h)return;this.#h=new V(t);let{gold:s,shown:e}=t,n=e.
map(r=>s?.[r]??0);this.#n=n.indexOf(Math.min(...n)),this.#l.max=String(this.#h.last),this.#c(Math.floor(this.#h.last/2))}get#A(){
let{out:t}=this.#i;return t.size===rt.length&&rt.every(s=>t.has(s))}#v(t){this.#g({out:new Set(t)})}#g(t){this.#i={...this.#i,
...t},this.#c(this.#e)}#O(){if(this.#r)return this.#u(this.#e);this.#r=!0,this.#c(this.#e===this.#h?.last?0:this.#e)}#u(t){
this.#s.stop(),this.#r=!1,this.#c(t)}#c(t){let s=this.#h;if(!s)return;this.#e=Math.max(0,Math.min(s.last,t));let e=`Laye\
r ${s.data.layers[this.#e].name}`,n={...s.panel(this.#e,this.#i),title:e},r=this.#p;this.#R(s);let a=i=>{this.#p=r?ss(r,
n,i):n,this.#a.move([this.#p]),this.#a.draw()};r||this.#a.show([n],s.data.circles),a(0),this.#C(s),this.#L(),this.#t.start(
0,1,Qt,a,()=>{this.#r&&(this.#r=this.#e<s.last,this.#r?this.#s.call(()=>this.#c(this.#e+1)):this.#R(s))})}#T(t){let s=this.#h;
if(!s)return;let e=s.data.shown.length,n=(t+e)%e;n!==this.#n&&(this.#n=n,this.#C(s),this.#a.say())}#C(t){let{texts:s,gold:e,
shown:n,scale:r}=t.data,[a,i]=s[this.#n],h=e?`: gold score ${Number(e[n[this.#n]].toFixed(2))}`:"",[c,l]=r,f=h&&` of ${c?
`${c} to `:""}${l}`,p=t.angles(this.#e,this.#i)[this.#n];this.#a.mark([this.#n,this.#n+n.length],`“${a}” and “${i}\
”${h}${f}`,[`${p.toFixed(0)}° between the marked pair`]),this.root.dataset.pair=String(this.#n)}#R(t){let[s,e,{last:n}]=[
this.#e,this.#i,t],{data:r}=t.space(s,e);this.#y.textContent=this.#r?"Pause":"Play",this.#l.value=String(s),this.#w.disabled=
s<=0,this.#b.disabled=s>=n,this.#k.textContent=`layer ${t.data.layers[s].name} of ${n}`,Y(this.#M,this.#A),Y(this.#S,e.isCentred),
Y(this.#x,e.isAfterFirst),this.#f.childElementCount!==r.chosen.length&&this.#E(r.chosen.length),Array.from(this.#f.children).
forEach((h,c)=>{let l=r.shares[c],f=l===void 0?"none":`${(100*l).toFixed(1)} %`,[p,u,y]=Array.from(h.children);p.textContent=
String(r.chosen[c]),y.textContent=f;let d=Math.max(0,Math.min(1,l??0));u.firstElementChild.style.width=`${100*d}%`,h.ariaLabel=
`Coordinate ${r.chosen[c]}: ${f}`,Y(h,e.out.has(c))}),this.#m.textContent=Tt(t,s,e),this.#o.say(this.#m.textContent);let{
cosine:a,rho:i}=t.scores(e)[s];Object.assign(this.root.dataset,{layer:s,cosine:a,rho:Number.isNaN(i)?"":i})}#E(t){let s=Array.
from({length:t},(e,n)=>{let r=()=>{let i=new Set(this.#i.out);i.delete(n)||i.add(n),this.#v(i)},a=m("span",{class:"track"},
[m("span")]);return m("button",{type:"button",class:"bar",onclick:r},[m("span"),a,m("span")])});this.#f.replaceChildren(
...s)}#L(){let[t,s]=[this.#h,this.root.clientWidth];if(!t||!s)return;let e=xt(t,this.#i);$t(this.#d,U(this.root),e,this.#e,
s),this.#d.ariaLabel=`Measures by layer: ${e.map(({title:n,why:r})=>r?`${n}: ${r}`:n).join(", ")}`}close(){this.#t.stop(),
this.#s.stop(),this.#o.stop(),this.#a.close(),this.#$.disconnect()}};function Y(o,t){o.ariaPressed=String(t)}function ss(o,t,s){
let e=(n,r)=>r.map((a,i)=>n[i]+s*(a-n[i]));return{...t,x:e(o.x,t.x),y:e(o.y,t.y),top:o.top+s*(t.top-o.top)}}var js=ut({name:"\
depth",show:o=>new it(o),state:"report"});export{it as DepthView,js as default};
