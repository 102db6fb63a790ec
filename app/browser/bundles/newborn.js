function u(e,{text:t,...s}={},i=[]){let o=document.createElement(e);for(let[n,r]of Object.entries(s))typeof r=="function"?
o.addEventListener(n.slice(2),r):r!==null&&o.setAttribute(n,String(r));return t!==void 0&&(o.textContent=t),o.append(...i),
o}function v(e,t,s){return u("button",{type:"button",text:e,title:t,onclick:s})}function D(e){return e.toLocaleString("en")}function S(e){return e.getContext("2d")}function K(e){let t=globalThis.document?.querySelector("script#payload");t&&at(e,t.textContent??"");let s=rt(e);return i=>i?
s(i):{render:o=>ht(e,o)}}function nt(e,t){e.calls+=1;let s=e.calls;return()=>{e.calls===s&&t()}}function rt({name:e,state:t,
show:s}){let i=new WeakMap;return({data:o,parentElement:n,setStateValue:r})=>{let a=n.querySelector(`.${e}`),h=i.get(a)??
{shown:s(a),calls:0};return i.set(a,h),h.shown.load(o,c=>r(t,c)),nt(h,()=>h.shown.close?.())}}function at({name:e,show:t,
file:s},i){if(!s)return;let o=t(document.querySelector(`.${e}`)),n=Uint8Array.from(atob(i.trim()),a=>a.charCodeAt(0)),r=()=>o.
load(s.data(n),s.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function ht({
name:e,show:t,cell:s},{model:i,el:o}){if(!s)return;let[n,r]=[u("div"),u("div",{class:e})],a=u("style",{text:String(i.get(
"sheet"))});n.attachShadow({mode:"open"}).append(a,r),o.append(n);let h=t(r),c=()=>h.load(s.data(i.get(s.trait)),l=>{for(let[
m,p]of Object.entries(s.traits(l,h)))i.set(m,p);i.save_changes()});return c(),i.on(`change:${s.trait}`,c),()=>{i.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var ct=new TextDecoder;function Z(e){return ct.decode(e)}function _(e,t,s){let i=devicePixelRatio||1;Object.assign(e,{width:t*i,height:s*i}),Object.assign(e.style,{width:`${t}px`,
height:`${s}px`}),S(e).scale(i,i)}var $=class{#s=0;start(t,s,i,o,n=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/i)),m=r&&i<=600?1:l,p=m===1?s:t+m*(s-t);o(r?Math.round(p):p),m<1?this.#s=requestAnimationFrame(
h):n()};this.#s=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#s)}};var E=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function F(e){
let t=getComputedStyle(e),s=(n,r)=>t.getPropertyValue(n).trim()||r,i=T(s("--st-background-color","#ffffff")),o=T(s("--st\
-text-color","#0b0b0e"));return{background:i,ink:o,dark:i[0]+i[1]+i[2]<o[0]+o[1]+o[2],muted:y(i,o,.72),line:y(i,o,.2),dim:y(
i,o,.3),missing:y(i,o,.5),primary:T(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function U(e,t){
let i=(t?.16+.84*e:.92*e)*(E.length-1),o=Math.min(Math.floor(i),E.length-2);return y(E[o],E[o+1],i-o)}function y(e,t,s){
let i=o=>Math.round(e[o]+(t[o]-e[o])*s);return[i(0),i(1),i(2)]}function d(e,t=1){return`rgb(${e.join(" ")} / ${100*t}%)`}
var R=null;function T(e){R??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),R.fillStyle=e,R.fillRect(
0,0,1,1);let[t,s,i]=R.getImageData(0,0,1,1).data;return[t,s,i]}function Q(e,{x:t,y:s,w:i,h:o},n){e.save(),e.beginPath(),e.rect(t,s,i,o),e.clip(),n(),e.restore()}function A(e,t,{colour:s,
width:i,halo:o},n){let r=[[t.background,i+o],[s,i]];for(let[a,h]of r)e.beginPath(),n(),e.lineWidth=h,e.strokeStyle=d(a),
e.stroke()}function x(e,t){return(s,i,o,{align:n="left",colour:r=t.muted,weight:a=400,halo:h=!1}={})=>{e.font=`${a} 11.5\
px ${t.font}`,e.textAlign=n,e.fillStyle=d(r),h&&(e.strokeStyle=d(t.background),e.lineWidth=4,e.lineJoin="round",e.strokeText(
s,i,o)),e.fillText(s,i,o)}}var lt=[1,2,5,10],ft=12;function q([e,t],s){let i=(t-e)/s,o=10**j(i),n=o*(lt.find(h=>h*o>=i)??10),[r,a]=[Math.ceil(e/n),
Math.floor(t/n)];return Array.from({length:a-r+1},(h,c)=>{let l=(r+c)*n;return{value:l,text:dt(l,n)}})}function dt(e,t){
let s=e?j(e)-j(t)+1:1,i=Math.min(ft,Math.max(1,s));return e.toLocaleString("en",{maximumSignificantDigits:i})}function j(e){
return Math.floor(Math.log10(Math.abs(e)))}var[G,mt,X,ut]=[46,10,16,34],Y={across:40,up:28},P=[[],[7,3],[2,3],[9,3,2,3]];function st(e,t,s,i){let{title:o="",lines:n,
hasZero:r,at:a,rug:h}=i,c=n.filter(({name:f})=>f),l=(i.names??c.length)+ +(o!==""),[m,p]=[s.x+G,s.y+X*l+10],g={x:m,y:p,w:s.
w-G-mt,h:s.y+s.h-ut-p},M=tt(n.map(f=>f.x)),w=bt(tt([...n.map(f=>f.y),r?[0]:[]])),k=(f,b)=>[g.x+g.w*(f-M[0])/(M[1]-M[0]||
1),g.y+g.h*(w[1]-b)/(w[1]-w[0])];x(e,t)(o,s.x,s.y+12,{weight:600,colour:t.ink}),pt(e,t,g,i.titles,M,w),Q(e,g,()=>{for(let f of Array.
from(h??[]))B(e,d(t.ink,.18),k(f,w[0]),-7);a!==void 0&&B(e,d(t.muted),k(a,w[0]),-g.h),n.forEach((f,b)=>{e.setLineDash(P[b%
P.length]),gt(e,t,f,k),e.setLineDash([]),f.mark&&wt(e,t,f,k,g)})}),c.forEach(({name:f,colour:b},O)=>{let I=s.y+X*(O+(o?1:
0))+8;e.strokeStyle=d(b),e.lineWidth=2,e.setLineDash(P[O%P.length]),e.beginPath(),e.moveTo(s.x,I),e.lineTo(s.x+24,I),e.stroke(),
e.setLineDash([]),x(e,t)(f,s.x+30,I+4,{colour:t.ink})})}function pt(e,t,s,i,o,n){let r=x(e,t),[a,h]=[s.x+s.w,s.y+s.h];e.
strokeStyle=d(y(t.background,t.ink,.45)),e.lineWidth=1,e.strokeRect(s.x+.5,s.y+.5,s.w-1,s.h-1);for(let{value:c,text:l}of q(
o,s.w/Y.across)){let m=s.x+s.w*(c-o[0])/(o[1]-o[0]||1);r(l,Math.min(m,a-8),h+14,{align:"center"})}for(let{value:c,text:l}of q(
n,s.h/Y.up)){let m=h-s.h*(c-n[0])/(n[1]-n[0]);r(l,s.x-5,m+4,{align:"right"})}r(i[0],s.x+s.w/2,h+29,{align:"center"}),e.save(),
e.translate(s.x-G+12,s.y+s.h/2),e.rotate(-Math.PI/2),r(i[1],0,0,{align:"center"}),e.restore()}function gt(e,t,{x:s,y:i,colour:o},n){
A(e,t,{colour:o,width:2,halo:2},()=>{Array.from(s,(r,a)=>Number.isFinite(i[a])&&e.lineTo(...n(r,i[a])))})}function wt(e,t,{
mark:s,colour:i},o,n){let[r,a]=o(...s);e.setLineDash([3,3]),B(e,d(t.muted),[r,a],n.y+n.h-a),e.setLineDash([]),e.fillStyle=
d(i),e.beginPath(),e.arc(r,a,5,0,2*Math.PI),e.fill()}function B(e,t,[s,i],o){e.strokeStyle=t,e.lineWidth=1,e.beginPath(),
e.moveTo(s,i),e.lineTo(s,i+o),e.stroke()}function tt(e){let t=e.flatMap(s=>Array.from(s)).filter(Number.isFinite);return[
Math.min(...t),Math.max(...t)]}function bt([e,t]){let s=Math.max(.1-(t-e)/2,.06*(t-e));return[e-s,t+s]}var V=14,W=245,yt=380,et=[["#0072b2","#56b4e9"],["#b07000","#e69f00"],["#008060","#00b287"],["#d55e00","#f08030"]].map(e=>e.
map(T));function z(e){return e>yt?2:1}function Mt({frames:e,bins:t}){let s=(r,a,h)=>[r,a,e.map(h)],i=t.map((r,a)=>s(r,a,
({norms:h})=>h[a]));e[0].unused_norm!==null&&i.push(s("never occur",3,r=>r.unused_norm));let o=[s("mean cosine",0,({mean_cosine:r})=>r),
s("|rho| with frequency",2,({frequency_rho:r})=>r)],n=[s("mean cosine",0,({random_cosine:r})=>r),s("rho with people",3,({
rho:r})=>r)];return[["Words: cone, frequency",o],["Words: mean norm",i],["Sentences: cone, rho",n],["Loss, nats",[s("mas\
ked words",0,({loss:r})=>r)]]]}function it(e,t,s,i){let o=z(e.clientWidth),n=(e.clientWidth-(o-1)*V)/o,r=s.frames.map(({
step:l})=>l),a=r.filter(l=>l<=i+1e-6).length-1,h=Mt(s),c=Math.max(...h.map(([,l])=>l.length));h.forEach(([l,m],p)=>{let[
g,M]=[p%o*(n+V),Math.floor(p/o)*W],w={x:g,y:M,w:n,h:W-V};st(S(e),t,w,{title:l,titles:["step",""],at:i,hasZero:!0,names:o>
1?c:m.length,lines:m.map(([k,f,b])=>({name:`${k}: ${b[a]?.toFixed(2)??"-"}`,colour:et[f%et.length][t.dark?1:0],x:r,y:b.map(
O=>O??Number.NaN)}))})})}var N=class{constructor({words:t,counts:s,bins:i,frames:o}){this.words=t,this.counts=s,this.bins=i,this.frames=o,this.places=
o.map(({places:a})=>Float32Array.from(a.split(" "),h=>Number(h)/1e3)),this.shares=kt(s),this.reach={low:[0,0],high:[0,0]};
let{low:n,high:r}=this.reach;for(let a of this.places)a.forEach((h,c)=>{n[c%2]=Math.min(n[c%2],h),r[c%2]=Math.max(r[c%2],
h)})}get last(){return this.frames.length-1}frame(t){return this.frames[Math.min(this.last,Math.floor(t+1e-6))]}#s(t){let s=Math.
min(this.last,Math.floor(t));return{from:s,to:Math.min(this.last,s+1),share:t-s}}step(t){let{from:s,to:i,share:o}=this.#s(
t),{step:n}=this.frames[s];return n+o*(this.frames[i].step-n)}at(t){let{from:s,to:i,share:o}=this.#s(t),n=this.places[i];
return this.places[s].map((r,a)=>r+o*(n[a]-r))}};function kt(e){let t=Math.log(Math.max(2,...e));return e.map(s=>s>0?Math.
log(s)/t:null)}var[C,ot,St,xt]=[26,46,2.6,14],Tt=4,At=[213,94,0],L=class{constructor(t,s,i,o){this.context=S(t),this.theme=s,this.write=
x(this.context,s),this.reel=i,this.position=o,this.places=i.at(o),this.width=t.clientWidth,this.height=t.clientHeight;let{
low:n,high:r}=i.reach,[a,h]=[this.width-2*C,this.height-C-ot];this.scale=Math.min(a/(r[0]-n[0]||1),h/(r[1]-n[1]||1)),this.
left=this.width/2-this.scale*(n[0]+r[0])/2,this.base=C+h/2+this.scale*(n[1]+r[1])/2}pixel(t,s){return[this.left+this.scale*
t,this.base-this.scale*s]}#s(t,s=this.places){return this.pixel(s[2*t],s[2*t+1])}draw(t){this.#t(),this.reel.shares.forEach(
(s,i)=>{this.#e(s,...this.#s(i))}),this.#i(),t>=0&&this.#h(t),this.#o()}#t(){let{context:t,theme:s,width:i,height:o}=this,
[n,r]=this.pixel(0,0);t.strokeStyle=d(s.line),t.lineWidth=1,t.beginPath(),t.moveTo(n,0),t.lineTo(n,o-ot+18),t.moveTo(0,r),
t.lineTo(i,r),t.stroke(),this.write("↑ along the mean direction of the shown words",4,12),this.write("origin",i-4,r-4,
{align:"right"}),this.write("→ where words differ most beside it",i-4,o-32,{align:"right"})}#e(t,s,i,o=3){let{context:n,
theme:r}=this;n.beginPath(),t===null?(n.strokeStyle=d(At),n.lineWidth=1.4,n.moveTo(s-o,i-o),n.lineTo(s+o,i+o),n.moveTo(s-
o,i+o),n.lineTo(s+o,i-o),n.stroke()):(n.fillStyle=d(U(t,r.dark)),n.arc(s,i,St,0,2*Math.PI),n.fill())}#i(){let{words:t,counts:s}=this.
reel;for(let o=0;o<Tt;o++)this.#r(o,t[o]);let i=s.indexOf(0);i>=0&&this.#r(i,"words that never occur")}#r(t,s){let[i,o]=this.#s(
t);this.write(s,i+6,o+4,{colour:this.theme.ink,halo:!0})}#h(t){let{context:s,theme:i,reel:o,places:n}=this,r=[...o.places.
slice(0,Math.floor(this.position)+1),n];A(s,i,{colour:i.ink,width:1.5,halo:2},()=>{for(let a of r)s.lineTo(...this.#s(t,
a))}),A(s,i,{colour:i.ink,width:2,halo:2},()=>{s.arc(...this.#s(t),5,0,2*Math.PI)}),this.#r(t,J(o,t))}#o(){let{context:t,
theme:s,reel:i}=this,[o,n,r]=[this.height-14,C,Math.min(150,this.width/3)];for(let h=0;h<r;h++)t.fillStyle=d(U(h/r,s.dark)),
t.fillRect(n+h,o,1.5,9);let a=`${D(Math.max(...i.counts))} times`;this.write("once",n,o-4),this.write(a,n+r,o-4,{align:"\
right"}),this.#e(null,n+r+24,o+4,4),this.write("never occurs",n+r+34,o+8)}nearest(t,s){let[i,o]=[xt**2,-1];for(let n=0;2*
n<this.places.length;n++){let[r,a]=this.#s(n),h=(r-t)**2+(a-s)**2;h<i&&([i,o]=[h,n])}return o}};function J({words:e,counts:t},s){
let i=t[s]===1?"once":`${D(t[s])} times`;return t[s]?`${e[s]}: ${i}`:"never occurs"}var Lt=220,Ot=400,[vt,$t]=[760,560],Et=4,H=class{#s=new $;#t=0;#e=-1;#i=!1;#r="";#h=!1;#o=null;#c=u("canvas",{class:"wor\
ds",tabindex:0,role:"img",onpointermove:t=>this.#M(t),onpointerdown:t=>this.#M(t),onpointerleave:()=>this.#k(-1),onkeydown:t=>this.#S(
t)});#f=u("canvas",{class:"charts",role:"img"});#m=v("Play","Play the training from where it is",()=>this.#b());#u=v("Ba\
ck","One frame back",()=>this.#l(Math.ceil(this.#t)-1));#p=v("Forward","One frame on",()=>this.#l(Math.floor(this.#t+1e-6)+
1));#d=u("input",{type:"range",min:0,step:1,"aria-label":"Frame of the training",oninput:()=>this.#l(Number(this.#d.value))});#g=u(
"output");#w=new ResizeObserver(()=>this.#n());constructor(t){this.root=t;let s=[this.#m,this.#u,this.#p,this.#d,this.#g];
t.replaceChildren(u("div",{class:"row"},s),u("div",{class:"panes"},[this.#c,this.#f])),this.#w.observe(t)}get#a(){return this.#o?.
last??0}load({run:t,is_live:s,recording:i}){let o=t!==this.#r,n=s||this.#h;[this.#r,this.#h]=[t,s],(o||n)&&(this.#o=new N(
i)),o&&([this.#t,this.#e]=[0,-1]);let r=matchMedia("(prefers-reduced-motion: reduce)").matches;n?this.#y(this.#a,Ot):o&&
r?this.#t=this.#a:o&&this.#b(),this.#n()}#b(){if(this.#i)return this.#l(this.#t);this.#t>=this.#a&&(this.#t=0),this.#y(this.#a,
Lt*(this.#a-this.#t)),this.#i=!0,this.#n()}#y(t,s){let i=o=>{this.#t=o,this.#n()};this.#s.start(this.#t,t,s,i,()=>{this.#i=
!1,this.#n()})}#l(t){this.#s.stop(),this.#i=!1,this.#t=Math.max(0,Math.min(this.#a,t)),this.#n()}#S(t){let s={ArrowLeft:-1,
ArrowRight:1}[t.key];!s||t.ctrlKey||t.metaKey||t.altKey||(t.preventDefault(),this.#l(Math.round(this.#t)+s))}#M({offsetX:t,
offsetY:s}){if(!this.#o)return;let i=new L(this.#c,F(this.root),this.#o,this.#t);this.#k(i.nearest(t,s))}#k(t){t!==this.#e&&
(this.#e=t,this.#n())}#n(){let[t,s]=[this.#o,this.root.clientWidth];if(!t||!s)return;let i=s>vt,o=i?Math.floor((s-24)/2):
s,n=W*(Et/z(o));_(this.#c,o,i?n:Math.min($t,1.15*s)),_(this.#f,o,n);let r=F(this.root),a=t.step(this.#t);new L(this.#c,r,
t,this.#t).draw(this.#e),it(this.#f,r,t,a),this.#x(t,Math.round(a))}#x(t,s){let{mean_cosine:i,loss:o}=t.frame(this.#t),n=this.#e<
0?"":`; ${J(t,this.#e)}`,r=`mean cosine of two words ${i.toFixed(2)}`,a=`${r}, loss ${o.toFixed(2)} nats`;this.#m.textContent=
this.#i?"Pause":"Play",this.#d.max=String(t.last),this.#d.value=String(Math.round(this.#t)),this.#u.disabled=this.#t<=0,
this.#p.disabled=this.#t>=t.last,this.#m.disabled=this.#h||t.last<1,this.#g.textContent=`step ${s}: ${a}`,this.#c.ariaLabel=
`Words after ${s} steps of training: ${r}${n}`,this.#f.ariaLabel=`Measures up to step ${t.frames[t.last].step}; ${a}`,Object.
assign(this.root.dataset,{frames:t.frames.length,position:this.#t})}close(){this.#s.stop(),this.#w.disconnect()}};var ds=K({name:"newborn",show:e=>new H(e),state:"report",file:{data:e=>({run:"stored",is_live:!1,recording:JSON.parse(Z(
e))})}});export{ds as default};
