var ht={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function m(o,{text:t,...s}={},e=[]){let n=document.createElement(o);for(let[r,a]of Object.entries(s))typeof a=="function"?
n.addEventListener(r.slice(2),a):a!==null&&n.setAttribute(r,String(a));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function A(o,t,s){return m("button",{type:"button",text:o,title:t,onclick:s})}function N(o){return o.getContext("2d")}function q(o,t,s){let e=devicePixelRatio||1;Object.assign(o,{width:t*e,height:s*
e}),Object.assign(o.style,{width:`${t}px`,height:`${s}px`}),N(o).scale(e,e)}var Ot=300,F=class{#t;#s=0;constructor(t){this.#t=t}call(t){this.stop(),this.#s=setTimeout(t,this.#t)}stop(){clearTimeout(
this.#s)}},C=class{#t=new F(Ot);element=m("p",{class:"spoken","aria-live":"polite"});say(t){this.#t.call(()=>{this.element.
textContent=t})}stop(){this.#t.stop()}};function U(o){let t=getComputedStyle(o),s=(r,a)=>t.getPropertyValue(r).trim()||a,e=x(s("--st-background-color","#ffffff")),
n=x(s("--st-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:O(e,n,.72),line:O(
e,n,.2),dim:O(e,n,.3),missing:O(e,n,.5),primary:x(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function O(o,t,s){let e=n=>Math.round(o[n]+(t[n]-o[n])*s);return[e(0),e(1),e(2)]}function y(o,t=1){return`rgb(${o.join("\
 ")} / ${100*t}%)`}var D=null;function x(o){D??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),D.fillStyle=
o,D.fillRect(0,0,1,1);let[t,s,e]=D.getImageData(0,0,1,1).data;return[t,s,e]}function ct(o,{x:t,y:s,w:e,h:n},r){o.save(),o.beginPath(),o.rect(t,s,e,n),o.clip(),r(),o.restore()}function _(o,[t,s],e){
o.beginPath(),o.arc(t,s,e,0,2*Math.PI),o.fill()}function lt(o,t,[s,e],n){let[r,a]=[-1,n];for(let i=0;i<o;i++){let[h,c]=t(
i),l=Math.hypot(h-s,c-e);l<a&&([r,a]=[i,l])}return r}function I(o,t,{colour:s,width:e,halo:n},r){let a=[[t.background,e+
n],[s,e]];for(let[i,h]of a)o.beginPath(),r(),o.lineWidth=h,o.strokeStyle=y(i),o.stroke()}function H(o,t){return(s,e,n,{align:r="\
left",colour:a=t.muted,weight:i=400,halo:h=!1}={})=>{o.font=`${i} 11.5px ${t.font}`,o.textAlign=r,o.fillStyle=y(a),h&&(o.
strokeStyle=y(t.background),o.lineWidth=4,o.lineJoin="round",o.strokeText(s,e,n)),o.fillText(s,e,n)}}var ft=x("#d55e00"),[Rt,Lt,P]=[8,16,7],G=class{#t=0;constructor(t,s){this.canvas=t,this.panel=s}resize(t){q(this.canvas,
t,t),this.#t=t/2}#s(t,s){let e=this.#t-Rt;return[this.#t+e*t,this.#t-e*s]}#o(t){return this.#s(this.panel.x[t],this.panel.
y[t])}nearest(t,s){return lt(this.panel.x.length,e=>this.#o(e),[t,s],Lt)}draw(t,s,e){let n=N(this.canvas),{near:r,colour:a,
top:i}=this.panel;n.lineWidth=1,n.strokeStyle=y(t.line);for(let{x:p,y:g}of s){n.beginPath();for(let w=0;w<p.length;w++)n.
lineTo(...this.#s(p[w],g[w]));n.stroke()}let h=x(a);r.forEach((p,g)=>{n.fillStyle=y(h,p>0?.85:.4),_(n,this.#o(g),p>0?3:2)});
let[[c,l],[,f]]=[this.#s(0,0),this.#s(0,i)];I(n,t,{colour:ft,width:4,halo:2},()=>{n.moveTo(c,l),n.lineTo(c,f)}),n.beginPath(),
n.moveTo(c,f-P),n.lineTo(c-P,f+P),n.lineTo(c+P,f+P),n.fillStyle=y(ft),n.fill();let u=e.map(p=>this.#o(p));I(n,t,{colour:t.
ink,width:2,halo:3},()=>{for(let p of u)n.lineTo(...p)}),n.fillStyle=y(t.ink),n.strokeStyle=y(t.background);for(let p of u)
_(n,p,5),n.stroke()}};var Et=300,z=class{#t=[];#s=[];#o=[];#e=[];#n=new C;#r=new ResizeObserver(()=>this.draw());text=m("p",{class:"pair"});spoken=this.#n.
element;constructor(t,s,e){this.point=e;let a={class:"spheres",tabindex:0,"aria-label":"Spheres; the arrow keys show one\
 pair of sentences after the other",onkeydown:i=>{let[h,c]=ht[i.key]??[0,0];i.ctrlKey||i.metaKey||i.altKey||h===c||(i.preventDefault(),
s(h-c))}};this.element=m("div",{...a,...t}),this.#r.observe(this.element)}show(t,s){this.#s=s,this.#t=t.map((n,r)=>{let a=({
offsetX:u,offsetY:p})=>{let g=h.nearest(u,p);g>=0&&this.point(g,r)},i=m("canvas",{role:"img",onpointermove:a,onpointerdown:a}),
h=new G(i,n),[c,l]=[m("strong",{text:n.title}),m("div")],f=m("figcaption",{},[c,l]);return{panel:n,sphere:h,title:c,note:l,
figure:m("figure",{},[f,i])}});let e=this.#t.map(({figure:n})=>n);return this.element.replaceChildren(...e),e}move(t){this.#t.
forEach((s,e)=>{s.panel=t[e],s.sphere.panel=t[e],s.title.textContent=t[e].title})}mark(t,s,e){this.#o=t,this.#e=e,this.text.
textContent=s,this.#t.forEach(({panel:n,sphere:r,note:a},i)=>{a.textContent=e[i],r.canvas.ariaLabel=`Sentences as points\
 on a sphere, ${n.title}: the mean of their directions has length ${n.mean_length.toFixed(2)}; the marked pair: ${e[i]}`}),
this.draw()}draw(){let t=U(this.element);for(let{sphere:s,figure:e}of this.#t){if(!e.clientWidth)return;s.resize(Math.min(
Et,e.clientWidth)),s.draw(t,this.#s,this.#o)}}say(){let t=this.#t.map(({panel:s},e)=>`${s.title} ${this.#e[e]}`);this.#n.
say(`${this.text.textContent}; ${t.join(", ")}`)}close(){this.#n.stop(),this.#r.disconnect()}};function ut(o){let t=globalThis.document?.querySelector("script#payload");t&&_t(o,t.textContent??"");let s=Ft(o);return e=>e?
s(e):{render:n=>It(o,n)}}function Nt(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function Ft({name:o,state:t,
show:s}){let e=new WeakMap;return({data:n,parentElement:r,setStateValue:a})=>{let i=r.querySelector(`.${o}`),h=e.get(i)??
{shown:s(i),calls:0};return e.set(i,h),h.shown.load(n,c=>a(t,c)),Nt(h,()=>h.shown.close?.())}}function _t({name:o,show:t,
file:s},e){if(!s)return;let n=t(document.querySelector(`.${o}`)),r=Uint8Array.from(atob(e.trim()),i=>i.charCodeAt(0)),a=()=>n.
load(s.data(r),s.told??(()=>{}));a(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function It({
name:o,show:t,cell:s},{model:e,el:n}){if(!s)return;let[r,a]=[m("div"),m("div",{class:o})],i=m("style",{text:String(e.get(
"sheet"))});r.attachShadow({mode:"open"}).append(i,a),n.append(r);let h=t(a),c=()=>h.load(s.data(e.get(s.trait)),l=>{for(let[
f,u]of Object.entries(s.traits(l,h)))e.set(f,u);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var j=class{#t=0;start(t,s,e,n,r=()=>{}){this.stop();let a=matchMedia("(prefers-reduced-motion: reduce)").matches,i=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-i)/e)),f=a&&e<=600?1:l,u=f===1?s:t+f*(s-t);n(a?Math.round(u):u),f<1?this.#t=requestAnimationFrame(
h):r()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var[pt,Pt,mt,Wt]=[46,10,16,34],dt={across:40,up:28},qt=[1,2,5,10],Dt=12,B=[[],[7,3],[2,3],[9,3,2,3]];function yt(o,t,s,e){
let{title:n="",titles:r,lines:a,hasZero:i,at:h,rug:c=[]}=e,l=H(o,t),f=a.filter(({name:d})=>d),u=mt*((e.names??f.length)+
+(n!==""))+10,[p,g]=[s.x+pt,s.y+u],[w,b]=[s.w-pt-Pt,s.h-Wt-u],[v,k]=[p+w,g+b],T=gt(a.map(({x:d})=>d)),W=Ut(gt([...a.map(
({y:d})=>d),i?[0]:[]])),R=d=>p+w*(d-T[0])/(T[1]-T[0]||1),J=d=>k-b*(d-W[0])/(W[1]-W[0]);l(n,s.x,s.y+12,{weight:600,colour:t.
ink}),o.strokeStyle=y(O(t.background,t.ink,.45)),o.lineWidth=1,o.strokeRect(p+.5,g+.5,w-1,b-1);for(let{value:d,text:M}of wt(
T,w/dt.across))l(M,Math.min(R(d),v-8),k+14,{align:"center"});for(let{value:d,text:M}of wt(W,b/dt.up))l(M,p-5,J(d)+4,{align:"\
right"});l(r[0],p+w/2,k+29,{align:"center"}),o.save(),o.translate(s.x+12,g+b/2),o.rotate(-Math.PI/2),l(r[1],0,0,{align:"\
center"}),o.restore(),ct(o,{x:p,y:g,w,h:b},()=>{for(let d of Array.from(c))Z(o,y(t.ink,.18),R(d),k,-7);h!==void 0&&Z(o,y(
t.muted),R(h),k,-b),a.forEach(({colour:d,mark:M,...$},L)=>{if(o.setLineDash(B[L%B.length]),I(o,t,{colour:d,width:2,halo:2},
()=>{for(let E=0;E<$.x.length;E++)Number.isFinite($.y[E])&&o.lineTo(R($.x[E]),J($.y[E]))}),o.setLineDash([]),!M)return;let[
at,X]=[R(M[0]),J(M[1])];o.setLineDash([3,3]),Z(o,y(t.muted),at,X,k-X),o.setLineDash([]),o.fillStyle=y(d),_(o,[at,X],5)})}),
f.forEach(({name:d,colour:M},$)=>{let L=s.y+mt*($+(n?1:0))+8;o.strokeStyle=y(M),o.lineWidth=2,o.setLineDash(B[$%B.length]),
o.beginPath(),o.moveTo(s.x,L),o.lineTo(s.x+24,L),o.stroke(),o.setLineDash([]),l(d,s.x+30,L+4,{colour:t.ink})})}function Z(o,t,s,e,n){
o.strokeStyle=t,o.lineWidth=1,o.beginPath(),o.moveTo(s,e),o.lineTo(s,e+n),o.stroke()}function gt(o){let t=o.flatMap(s=>Array.
from(s)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function Ut([o,t]){let s=Math.max(.1-(t-o)/2,.06*
(t-o));return[o-s,t+s]}function wt([o,t],s){let e=(t-o)/s,n=10**Q(e),r=n*(qt.find(h=>h*n>=e)??10),[a,i]=[Math.ceil(o/r),
Math.floor(t/r)];return Array.from({length:i-a+1},(h,c)=>{let l=(a+c)*r;return{value:l,text:Ht(l,r)}})}function Ht(o,t){
let s=o?Q(o)-Q(t)+1:1,e=Math.min(Dt,Math.max(1,s));return o.toLocaleString("en",{maximumSignificantDigits:e})}function Q(o){
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
(l,f)=>o.subarray(f*s,(f+1)*s).reduce((u,p)=>u+p,0)),n=Math.sqrt(e.reduce((l,f)=>l+f,0))/s||1e-12,r=e.map(l=>l/(s*n)),a=o.
map((l,f)=>l-r[Math.floor(f/s)]*r[f%s]),i=kt(t),h=bt(a,i);for(let l=0;l<12;l++)i=kt(h),h=bt(a,i);let c=st(i,Gt(tt(i,h)));
return{length:n,along:r,flat:st(c,zt(tt(c,t)))}}function bt(o,t){let s=t.length/2,e=new Float64Array(2*s);for(let n=0;n<
s;n++){let[r,a]=[0,0];for(let i=0;i<s;i++){let h=o[n*s+i];r+=h*t[2*i],a+=h*t[2*i+1]}e[2*n]=r,e[2*n+1]=a}return e}function tt(o,t){
let s=[0,0,0,0];for(let e=0;e<o.length;e+=2)for(let n=0;n<4;n++)s[n]+=o[e+(n>>1)]*t[e+(n&1)];return s}function st(o,[t,s,
e,n]){return o.map((r,a)=>a%2?o[a-1]*s+r*n:r*t+o[a+1]*e)}function kt(o){let[t,s,,e]=tt(o,o),[n,r]=[Math.sqrt(t)||1,s/(t||
1)],a=Math.sqrt(Math.max(e-r*s,0))||1;return st(o,[1/n,-r/a,0,1/a])}function Gt([o,t,s,e]){let n=Math.sqrt(Math.max(o*e-
t*s,0)),r=Math.sqrt(o+e+2*n)||1;return[(o+n)/r,t/r,s/r,(e+n)/r]}function zt([o,t,s,e]){let n=o*e-t*s<0?-1:1,[r,a]=[o+n*e,
t-n*s],i=Math.hypot(r,a);return i?[r/i,a/i,-n*a/i,n*r/i]:[1,0,0,1]}function St(o,t){let[s,e]=[o,t].map(jt),n=(s.length+1)/
2,r=(a,i)=>a.reduce((h,c,l)=>h+(c-n)*(i[l]-n),0);return r(s,e)/Math.sqrt(r(s,s)*r(e,e))}function jt(o){let t=Array.from(
o,(e,n)=>n).sort((e,n)=>o[e]-o[n]),s=new Float64Array(t.length);for(let e=0,n=0;e<t.length;e=n){for(;n<t.length&&o[t[n]]===
o[t[e]];)n++;for(let r=e;r<n;r++)s[t[r]]=(e+n+1)/2}return s}var S={out:new Set,isCentred:!1,isAfterFirst:!1},Bt="#0072b2",V=class{#t=new Map;#s=new Map;#o;#e;constructor(t){this.data=
t;let s=Float64Array.from({length:4*t.shown.length},(e,n)=>Math.sin(n+1));this.#o=t.layers.map((e,n)=>this.space(n,S).gram(
S)),this.#e=this.#o.map(e=>(s=et(e,s).flat,s))}get last(){return this.data.layers.length-1}space(t,{isAfterFirst:s}){let e=`${t}\
 ${s}`,{all:n,after_first:r}=this.data.layers[t],a=this.#t.get(e)??new K(s?r:n,this.data.n,this.data.shown);return this.#t.
set(e,a),a}#n(t,s){return s===S?this.#o[t]:this.space(t,s).gram(s)}scores(t){let s=JSON.stringify([[...t.out].sort(),t.isCentred,
t.isAfterFirst]),{gold:e,layers:n}=this.data,r=this.#s.get(s)??n.map((a,i)=>{let h=e?St(this.space(i,t).cosines(t),e):Number.
NaN;return{cosine:Mt(this.#n(i,t)),rho:h}});return this.#s.set(s,r),r}panel(t,s){let{length:e,along:n,flat:r}=et(this.#n(
t,s),this.#e[t]);return Kt(n,r,e,this.data.tilt)}angles(t,s){let e=this.space(t,s).cosines(s);return this.data.shown.map(
n=>180/Math.PI*Math.acos(Math.min(1,e[n])))}};function Kt(o,t,s,e){let[n,r,a]=[[],[],[]].map(()=>new Array(o.length).fill(
0));return o.forEach((i,h)=>{let c=Math.sqrt(Math.max(0,1-i*i)),l=Math.atan2(t[2*h+1],t[2*h]),f=c*Math.sin(l);n[h]=c*Math.
cos(l),r[h]=i*Math.cos(e)-f*Math.sin(e),a[h]=f*Math.cos(e)+i*Math.sin(e)}),{x:n,y:r,near:a,colour:Bt,top:s*Math.cos(e),mean_length:s}}var[nt,ot,Vt,Yt,Jt]=[178,10,150,5,2],Xt=15,Zt=[["#0072b2","#56b4e9"],["#6b6b6b","#a8a8a8"]].map(o=>o.map(x));function xt(o,t){
let{layers:s,gold:e,unscored:n}=o.data,[r,a]=[S,t].map(u=>o.scores(u)),i=u=>u??Number.NaN,h=(u,p)=>[a,r].map((g,w)=>[w?"\
as it is":"shown",g.map(b=>p*b[u]),w]),c=s.map((u,p)=>i(o.space(p,t).data.shares[0])),l=s.map(({first_norm:u})=>Math.log10(
i(u))),f=s.map(({token_entropy:u})=>i(u));return[{title:"Random cosine",lines:h("cosine",1)},{title:"Rho x 100",lines:h(
"rho",100),why:e?"":n},{title:"Largest coordinate",lines:[["its share",c,0]]},{title:"First token, log10",lines:[["norm \
ratio",l,0]]},{title:"Token entropy",lines:[["mean",f,0]]}]}function $t(o,t,s,e,n){let r=Math.max(1,Math.min(Yt,Math.floor(
n/Vt))),a=(n-(r-1)*ot)/r;q(o,n,nt*Math.ceil(s.length/r));let i=N(o),h=s[0].lines[0][1].map((c,l)=>l);s.forEach(({title:c,
lines:l,why:f},u)=>{let[p,g]=[u%r*(a+ot),Math.floor(u/r)*nt];if(l.every(([,b])=>b.every(Number.isNaN))){let b=H(i,t);b(c,
p,g+12,{weight:600,colour:t.ink}),Qt(i,f||"The model has no such measure.",a).forEach((k,T)=>{b(k,p,g+34+Xt*T)});return}
yt(i,t,{x:p,y:g,w:a,h:nt-ot},{title:c,titles:["layer",""],at:e,names:Jt,lines:l.map(([b,v,k])=>({name:`${b}: ${Number.isNaN(
v[e])?"none":v[e].toFixed(2)}`,colour:Zt[k][t.dark?1:0],x:h,y:v}))})})}function Qt(o,t,s){let e=[""];for(let n of t.split(
" ")){let r=`${e.at(-1)} ${n}`.trim();o.measureText(r).width<=s?e[e.length-1]=r:e.push(n)}return e}function Tt(o,t,s){let{flow:e}=o.data.layers[t],[n,r]=[S,s].map(u=>o.scores(u)[t]),a=ts(o,t,s),i=ss(o.space(t,s).data.chosen,
s),h=!Number.isNaN(r.rho),c=e===null?"":`; the flow gives ${(100*e).toFixed(2)}`;if(!i.length)return h?`${a} Rho x 100 i\
s ${(100*r.rho).toFixed(2)}${c}.`:a;let l=vt("the random cosine",n.cosine,r.cosine,3),f=vt("rho x 100",100*n.rho,100*r.rho,
2);return`${a} Without ${Ct(i)}, ${l}${h?`, and ${f}${c}`:""}.`}function ts(o,t,s){let{name:e,first_part:n}=o.data.layers[t],
{chosen:r,shares:a}=o.space(t,s).data;if(!a.length)return`In layer ${e}, two random sentences have no positive cosine.`;
let i=`In layer ${e}, coordinates ${r[0]} and ${r[1]} make ${At(a[0]+a[1])} of the cosine of two random sentences`;return s.
isAfterFirst?`${i}, without their first tokens.`:n===null?`${i}.`:`${i}; the first token accounts for ${At(n)} of it.`}function ss(o,{
out:t,isCentred:s,isAfterFirst:e}){let n=[...t].sort((i,h)=>i-h),r=n.map(i=>String(o[i])),a=`coordinate${r.length>1?"s":
""} ${Ct(r)}`;return n.join()==="0,1"&&(a="these two coordinates"),[...e?["the first token"]:[],...r.length?[a]:[],...s?
["the mean"]:[]]}function At(o){return`${(100*o).toFixed(0)} %`}function vt(o,t,s,e){let[n,r]=[t,s].map(a=>a.toFixed(e));
return n===r?`${o} stays at ${r}`:`${o} ${s>t?"rises":"falls"} from ${n} to ${r}`}function Ct(o){let[t,s]=[o.at(-1)??"",
o.slice(0,-1)];return s.length?`${s.join(", ")} and ${t}`:t}var[es,ns]=[260,450],rt=[0,1],it=class{#t=new j;#s=new F(ns);#o=new C;#e=0;#n=0;#r=!1;#i=S;#h=null;#p=null;#w=A("Play","\
Play the layers from the shown one",()=>this.#L());#y=A("Back","One layer back",()=>this.#u(this.#e-1));#b=A("Forward","\
One layer on",()=>this.#u(this.#e+1));#l=m("input",{type:"range",min:0,step:1,"aria-label":"Layer",oninput:()=>this.#u(Number(
this.#l.value))});#k=m("output");#M=A("Leave out the largest 2","The two coordinates of the upper bars",()=>this.#v(this.#A?
[]:rt));#S=A("Subtract the mean","The mean of the fit corpus",()=>this.#g({isCentred:!this.#i.isCentred}));#x=A("First t\
oken out of the mean","The mean over all tokens but the first",()=>this.#g({isAfterFirst:!this.#i.isAfterFirst}));#f=m("\
div",{class:"bars",role:"group","aria-label":"Largest coordinates"});#m=m("p",{class:"verdict"});#d=m("canvas",{class:"c\
urves",role:"img"});#a=new z({role:"application"},t=>this.#T(this.#n+t),t=>this.#T(t));#$=new ResizeObserver(()=>this.#R());constructor(t){
this.root=t;let s=[this.#w,this.#y,this.#b,this.#l,this.#k],e=m("div",{class:"ball"},[this.#a.element,this.#a.text]),n=m(
"strong",{text:"Share of the random cosine; press to leave out"}),r=m("div",{class:"side"},[n,this.#f]);t.replaceChildren(
m("div",{class:"row"},s),m("div",{class:"row"},[this.#M,this.#S,this.#x]),this.#m,m("div",{class:"panes"},[e,r]),this.#d,
this.#a.spoken,this.#o.element),this.#$.observe(t)}load(t){if(this.#h)return;this.#h=new V(t);let{gold:s,shown:e}=t,n=e.
map(r=>s?.[r]??0);this.#n=n.indexOf(Math.min(...n)),this.#l.max=String(this.#h.last),this.#c(Math.floor(this.#h.last/2))}get#A(){
let{out:t}=this.#i;return t.size===rt.length&&rt.every(s=>t.has(s))}#v(t){this.#g({out:new Set(t)})}#g(t){this.#i={...this.#i,
...t},this.#c(this.#e)}#L(){if(this.#r)return this.#u(this.#e);this.#r=!0,this.#c(this.#e===this.#h?.last?0:this.#e)}#u(t){
this.#s.stop(),this.#r=!1,this.#c(t)}#c(t){let s=this.#h;if(!s)return;this.#e=Math.max(0,Math.min(s.last,t));let e=`Laye\
r ${s.data.layers[this.#e].name}`,n={...s.panel(this.#e,this.#i),title:e},r=this.#p;this.#O(s);let a=i=>{this.#p=r?os(r,
n,i):n,this.#a.move([this.#p]),this.#a.draw()};r||this.#a.show([n],s.data.circles),a(0),this.#C(s),this.#R(),this.#t.start(
0,1,es,a,()=>{this.#r&&(this.#r=this.#e<s.last,this.#r?this.#s.call(()=>this.#c(this.#e+1)):this.#O(s))})}#T(t){let s=this.#h;
if(!s)return;let e=s.data.shown.length,n=(t+e)%e;n!==this.#n&&(this.#n=n,this.#C(s),this.#a.say())}#C(t){let{texts:s,gold:e,
shown:n,scale:r}=t.data,[a,i]=s[this.#n],h=e?`: gold score ${Number(e[n[this.#n]].toFixed(2))}`:"",[c,l]=r,f=h&&` of ${c?
`${c} to `:""}${l}`,u=t.angles(this.#e,this.#i)[this.#n];this.#a.mark([this.#n,this.#n+n.length],`“${a}” and “${i}\
”${h}${f}`,[`${u.toFixed(0)}° between the marked pair`]),this.root.dataset.pair=String(this.#n)}#O(t){let[s,e,{last:n}]=[
this.#e,this.#i,t],{data:r}=t.space(s,e);this.#w.textContent=this.#r?"Pause":"Play",this.#l.value=String(s),this.#y.disabled=
s<=0,this.#b.disabled=s>=n,this.#k.textContent=`layer ${t.data.layers[s].name} of ${n}`,Y(this.#M,this.#A),Y(this.#S,e.isCentred),
Y(this.#x,e.isAfterFirst),this.#f.childElementCount!==r.chosen.length&&this.#E(r.chosen.length),Array.from(this.#f.children).
forEach((h,c)=>{let l=r.shares[c],f=l===void 0?"none":`${(100*l).toFixed(1)} %`,[u,p,g]=Array.from(h.children);u.textContent=
String(r.chosen[c]),g.textContent=f;let w=Math.max(0,Math.min(1,l??0));p.firstElementChild.style.width=`${100*w}%`,h.ariaLabel=
`Coordinate ${r.chosen[c]}: ${f}`,Y(h,e.out.has(c))}),this.#m.textContent=Tt(t,s,e),this.#o.say(this.#m.textContent);let{
cosine:a,rho:i}=t.scores(e)[s];Object.assign(this.root.dataset,{layer:s,cosine:a,rho:Number.isNaN(i)?"":i})}#E(t){let s=Array.
from({length:t},(e,n)=>{let r=()=>{let i=new Set(this.#i.out);i.delete(n)||i.add(n),this.#v(i)},a=m("span",{class:"track"},
[m("span")]);return m("button",{type:"button",class:"bar",onclick:r},[m("span"),a,m("span")])});this.#f.replaceChildren(
...s)}#R(){let[t,s]=[this.#h,this.root.clientWidth];if(!t||!s)return;let e=xt(t,this.#i);$t(this.#d,U(this.root),e,this.#e,
s),this.#d.ariaLabel=`Measures by layer: ${e.map(({title:n,why:r})=>r?`${n}: ${r}`:n).join(", ")}`}close(){this.#t.stop(),
this.#s.stop(),this.#o.stop(),this.#a.close(),this.#$.disconnect()}};function Y(o,t){o.ariaPressed=String(t)}function os(o,t,s){
let e=(n,r)=>r.map((a,i)=>n[i]+s*(a-n[i]));return{...t,x:e(o.x,t.x),y:e(o.y,t.y),top:o.top+s*(t.top-o.top)}}var Vs=ut({name:"\
depth",show:o=>new it(o),state:"report"});export{it as DepthView,Vs as default};
