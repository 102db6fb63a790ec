function m(e,{text:t,...s}={},o=[]){let i=document.createElement(e);for(let[r,n]of Object.entries(s))typeof n=="function"?
i.addEventListener(r.slice(2),n):n!==null&&i.setAttribute(r,String(n));return t!==void 0&&(i.textContent=t),i.append(...o),
i}function P(e,t,s){return m("button",{type:"button",text:e,title:t,onclick:s})}function z(e){return e.toLocaleString("en")}function v(e){return e.getContext("2d")}function K(e,t,s){let o=devicePixelRatio||
1;Object.assign(e,{width:t*o,height:s*o}),Object.assign(e.style,{width:`${t}px`,height:`${s}px`}),v(e).scale(o,o)}function ot(e){let t=globalThis.document?.querySelector("script#payload");t&&wt(e,t.textContent??"");let s=gt(e);return o=>o?
s(o):{render:i=>bt(e,i)}}function pt(e,t){e.calls+=1;let s=e.calls;return()=>{e.calls===s&&t()}}function gt({name:e,state:t,
show:s}){let o=new WeakMap;return({data:i,parentElement:r,setStateValue:n})=>{let a=r.querySelector(`.${e}`),h=o.get(a)??
{shown:s(a),calls:0};return o.set(a,h),h.shown.load(i,l=>n(t,l)),pt(h,()=>h.shown.close?.())}}function wt({name:e,show:t,
file:s},o){if(!s)return;let i=t(document.querySelector(`.${e}`)),r=Uint8Array.from(atob(o.trim()),a=>a.charCodeAt(0)),n=()=>i.
load(s.data(r),s.told??(()=>{}));n(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",n)}function bt({
name:e,show:t,cell:s},{model:o,el:i}){if(!s)return;let[r,n]=[m("div"),m("div",{class:e})],a=m("style",{text:String(o.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,n),i.append(r);let h=t(n),l=()=>h.load(s.data(o.get(s.trait)),c=>{for(let[
u,p]of Object.entries(s.traits(c,h)))o.set(u,p);o.save_changes()});return l(),o.on(`change:${s.trait}`,l),()=>{o.off(`ch\
ange:${s.trait}`,l),h.close?.()}}var C=class{#s=0;start(t,s,o,i,r=()=>{}){this.stop();let n=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=l=>{let c=Math.min(1,Math.max(0,(l-a)/o)),u=n&&o<=600?1:c,p=u===1?s:t+u*(s-t);i(n?Math.round(p):p),u<1?this.#s=requestAnimationFrame(
h):r()};this.#s=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#s)}};var H=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function J(e){
let t=getComputedStyle(e),s=(r,n)=>t.getPropertyValue(r).trim()||n,o=$(s("--st-background-color","#ffffff")),i=$(s("--st\
-text-color","#0b0b0e"));return{background:o,ink:i,dark:o[0]+o[1]+o[2]<i[0]+i[1]+i[2],muted:S(o,i,.72),line:S(o,i,.2),dim:S(
o,i,.3),missing:S(o,i,.5),primary:$(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function V(e,t){
let o=(t?.16+.84*e:.92*e)*(H.length-1),i=Math.min(Math.floor(o),H.length-2);return S(H[i],H[i+1],o-i)}function S(e,t,s){
let o=i=>Math.round(e[i]+(t[i]-e[i])*s);return[o(0),o(1),o(2)]}function d(e,t=1){return`rgb(${e.join(" ")} / ${100*t}%)`}
var I=null;function $(e){I??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),I.fillStyle=e,I.fillRect(
0,0,1,1);let[t,s,o]=I.getImageData(0,0,1,1).data;return[t,s,o]}function it(e,{x:t,y:s,w:o,h:i},r){e.save(),e.beginPath(),e.rect(t,s,o,i),e.clip(),r(),e.restore()}function N(e,[t,s],o){
e.beginPath(),e.arc(t,s,o,0,2*Math.PI),e.fill()}function nt(e,t,[s,o],i){let[r,n]=[-1,i];for(let a=0;a<e;a++){let[h,l]=t(
a),c=Math.hypot(h-s,l-o);c<n&&([r,n]=[a,c])}return r}function E(e,t,{colour:s,width:o,halo:i},r){let n=[[t.background,o+
i],[s,o]];for(let[a,h]of n)e.beginPath(),r(),e.lineWidth=h,e.strokeStyle=d(a),e.stroke()}function D(e,t){return(s,o,i,{align:r="\
left",colour:n=t.muted,weight:a=400,halo:h=!1}={})=>{e.font=`${a} 11.5px ${t.font}`,e.textAlign=r,e.fillStyle=d(n),h&&(e.
strokeStyle=d(t.background),e.lineWidth=4,e.lineJoin="round",e.strokeText(s,o,i)),e.fillText(s,o,i)}}var[rt,Mt,at,yt]=[46,10,16,34],ht={across:40,up:28},kt=[1,2,5,10],St=12,F=[[],[7,3],[2,3],[9,3,2,3]];function ft(e,t,s,o){
let{title:i="",titles:r,lines:n,hasZero:a,at:h,rug:l=[]}=o,c=D(e,t),u=n.filter(({name:f})=>f),p=at*((o.names??u.length)+
+(i!==""))+10,[M,T]=[s.x+rt,s.y+p],[y,g]=[s.w-rt-Mt,s.h-yt-p],[G,w]=[M+y,T+g],x=ct(n.map(({x:f})=>f)),W=Tt(ct([...n.map(
({y:f})=>f),a?[0]:[]])),L=f=>M+y*(f-x[0])/(x[1]-x[0]||1),U=f=>w-g*(f-W[0])/(W[1]-W[0]);c(i,s.x,s.y+12,{weight:600,colour:t.
ink}),e.strokeStyle=d(S(t.background,t.ink,.45)),e.lineWidth=1,e.strokeRect(M+.5,T+.5,y-1,g-1);for(let{value:f,text:b}of lt(
x,y/ht.across))c(b,Math.min(L(f),G-8),w+14,{align:"center"});for(let{value:f,text:b}of lt(W,g/ht.up))c(b,M-5,U(f)+4,{align:"\
right"});c(r[0],M+y/2,w+29,{align:"center"}),e.save(),e.translate(s.x+12,T+g/2),e.rotate(-Math.PI/2),c(r[1],0,0,{align:"\
center"}),e.restore(),it(e,{x:M,y:T,w:y,h:g},()=>{for(let f of Array.from(l))X(e,d(t.ink,.18),L(f),w,-7);h!==void 0&&X(e,
d(t.muted),L(h),w,-g),n.forEach(({colour:f,mark:b,...k},A)=>{if(e.setLineDash(F[A%F.length]),E(e,t,{colour:f,width:2,halo:2},
()=>{for(let O=0;O<k.x.length;O++)Number.isFinite(k.y[O])&&e.lineTo(L(k.x[O]),U(k.y[O]))}),e.setLineDash([]),!b)return;let[
et,B]=[L(b[0]),U(b[1])];e.setLineDash([3,3]),X(e,d(t.muted),et,B,w-B),e.setLineDash([]),e.fillStyle=d(f),N(e,[et,B],5)})}),
u.forEach(({name:f,colour:b},k)=>{let A=s.y+at*(k+(i?1:0))+8;e.strokeStyle=d(b),e.lineWidth=2,e.setLineDash(F[k%F.length]),
e.beginPath(),e.moveTo(s.x,A),e.lineTo(s.x+24,A),e.stroke(),e.setLineDash([]),c(f,s.x+30,A+4,{colour:t.ink})})}function X(e,t,s,o,i){
e.strokeStyle=t,e.lineWidth=1,e.beginPath(),e.moveTo(s,o),e.lineTo(s,o+i),e.stroke()}function ct(e){let t=e.flatMap(s=>Array.
from(s)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function Tt([e,t]){let s=Math.max(.1-(t-e)/2,.06*
(t-e));return[e-s,t+s]}function lt([e,t],s){let o=(t-e)/s,i=10**Y(o),r=i*(kt.find(h=>h*i>=o)??10),[n,a]=[Math.ceil(e/r),
Math.floor(t/r)];return Array.from({length:a-n+1},(h,l)=>{let c=(n+l)*r;return{value:c,text:xt(c,r)}})}function xt(e,t){
let s=e?Y(e)-Y(t)+1:1,o=Math.min(St,Math.max(1,s));return e.toLocaleString("en",{maximumSignificantDigits:o})}function Y(e){
return Math.floor(Math.log10(Math.abs(e)))}var Z=14,_=245,Lt=380,dt=[["#0072b2","#56b4e9"],["#b07000","#e69f00"],["#008060","#00b287"],["#d55e00","#f08030"]].map(e=>e.
map($));function Q(e){return e>Lt?2:1}function At({frames:e,bins:t}){let s=(n,a,h)=>[n,a,e.map(h)],o=t.map((n,a)=>s(n,a,
({norms:h})=>h[a]));o.push(s("never occur",3,n=>n.unused_norm));let i=[s("mean cosine",0,({mean_cosine:n})=>n),s("|rho| \
with frequency",2,({frequency_rho:n})=>n)],r=[s("mean cosine",0,({random_cosine:n})=>n),s("rho with people",3,({rho:n})=>n)];
return[["Words: cone, frequency",i],["Words: mean norm",o],["Sentences: cone, rho",r],["Loss, nats",[s("masked words",0,
({loss:n})=>n)]]]}function mt(e,t,s,o){let i=Q(e.clientWidth),r=(e.clientWidth-(i-1)*Z)/i,n=s.frames.map(({step:c})=>c),
a=n.filter(c=>c<=o+1e-6).length-1,h=At(s),l=Math.max(...h.map(([,c])=>c.length));h.forEach(([c,u],p)=>{let[M,T]=[p%i*(r+
Z),Math.floor(p/i)*_],y={x:M,y:T,w:r,h:_-Z};ft(v(e),t,y,{title:c,titles:["step",""],at:o,hasZero:!0,names:i>1?l:u.length,
lines:u.map(([g,G,w])=>({name:`${g}: ${w[a]?.toFixed(2)??"-"}`,colour:dt[G%dt.length][t.dark?1:0],x:n,y:w.map(x=>x??Number.
NaN)}))})})}var j=class{constructor({words:t,counts:s,bins:o,frames:i}){this.words=t,this.counts=s,this.bins=o,this.frames=i,this.places=
i.map(({places:a})=>Float32Array.from(a.split(" "),h=>Number(h)/1e3)),this.shares=Ot(s),this.reach={low:[0,0],high:[0,0]};
let{low:r,high:n}=this.reach;for(let a of this.places)a.forEach((h,l)=>{r[l%2]=Math.min(r[l%2],h),n[l%2]=Math.max(n[l%2],
h)})}get last(){return this.frames.length-1}frame(t){return this.frames[Math.min(this.last,Math.floor(t+1e-6))]}#s(t){let s=Math.
min(this.last,Math.floor(t));return{from:s,to:Math.min(this.last,s+1),share:t-s}}step(t){let{from:s,to:o,share:i}=this.#s(
t),{step:r}=this.frames[s];return r+i*(this.frames[o].step-r)}at(t){let{from:s,to:o,share:i}=this.#s(t),r=this.places[o];
return this.places[s].map((n,a)=>n+i*(r[a]-n))}};function Ot(e){let t=Math.log(Math.max(2,...e));return e.map(s=>s>0?Math.
log(s)/t:null)}var[q,ut,vt,$t]=[26,46,2.6,14],Et=4,Rt=[213,94,0],R=class{constructor(t,s,o,i){this.context=v(t),this.theme=s,this.write=
D(this.context,s),this.reel=o,this.position=i,this.places=o.at(i),this.width=t.clientWidth,this.height=t.clientHeight;let{
low:r,high:n}=o.reach,[a,h]=[this.width-2*q,this.height-q-ut];this.scale=Math.min(a/(n[0]-r[0]||1),h/(n[1]-r[1]||1)),this.
left=this.width/2-this.scale*(r[0]+n[0])/2,this.base=q+h/2+this.scale*(r[1]+n[1])/2}pixel(t,s){return[this.left+this.scale*
t,this.base-this.scale*s]}#s(t,s=this.places){return this.pixel(s[2*t],s[2*t+1])}draw(t){this.#t(),this.reel.shares.forEach(
(s,o)=>{this.#o(s,...this.#s(o))}),this.#i(),t>=0&&this.#n(t),this.#a()}#t(){let{context:t,theme:s,width:o,height:i}=this,
[r,n]=this.pixel(0,0);t.strokeStyle=d(s.line),t.lineWidth=1,t.beginPath(),t.moveTo(r,0),t.lineTo(r,i-ut+18),t.moveTo(0,n),
t.lineTo(o,n),t.stroke(),this.write("↑ along the mean direction of the shown words",4,12),this.write("origin",o-4,n-4,
{align:"right"}),this.write("→ direction of largest variance orthogonal to it",o-4,i-32,{align:"right"})}#o(t,s,o,i=3){
let{context:r,theme:n}=this;t===null?(r.beginPath(),r.strokeStyle=d(Rt),r.lineWidth=1.4,r.moveTo(s-i,o-i),r.lineTo(s+i,o+
i),r.moveTo(s-i,o+i),r.lineTo(s+i,o-i),r.stroke()):(r.fillStyle=d(V(t,n.dark)),N(r,[s,o],vt))}#i(){let{words:t,counts:s}=this.
reel;for(let i=0;i<Et;i++)this.#e(i,t[i]);let o=s.indexOf(0);o>=0&&this.#e(o,"words that never occur")}#e(t,s){let[o,i]=this.#s(
t);this.write(s,o+6,i+4,{colour:this.theme.ink,halo:!0})}#n(t){let{context:s,theme:o,reel:i,places:r}=this,n=[...i.places.
slice(0,Math.floor(this.position)+1),r];E(s,o,{colour:o.ink,width:1.5,halo:2},()=>{for(let a of n)s.lineTo(...this.#s(t,
a))}),E(s,o,{colour:o.ink,width:2,halo:2},()=>{s.arc(...this.#s(t),5,0,2*Math.PI)}),this.#e(t,tt(i,t))}#a(){let{context:t,
theme:s,reel:o}=this,[i,r,n]=[this.height-14,q,Math.min(150,this.width/3)];for(let h=0;h<n;h++)t.fillStyle=d(V(h/n,s.dark)),
t.fillRect(r+h,i,1.5,9);let a=`${z(Math.max(...o.counts))} times`;this.write("once",r,i-4),this.write(a,r+n,i-4,{align:"\
right"}),this.#o(null,r+n+24,i+4,4),this.write("never occurs",r+n+34,i+8)}nearest(t,s){return nt(this.places.length/2,o=>this.#s(
o),[t,s],$t)}};function tt({words:e,counts:t},s){let o=t[s]===1?"once":`${z(t[s])} times`;return t[s]?`${e[s]}: ${o}`:"n\
ever occurs"}var Wt=220,[Pt,Ct]=[760,560],Ht=4,st=class{#s=new C;#t=0;#o=-1;#i=!1;#e=null;#n=m("canvas",{class:"words",tabindex:0,role:"\
img",onpointermove:t=>this.#w(t),onpointerdown:t=>this.#w(t),onpointerleave:()=>this.#b(-1),onkeydown:t=>this.#M(t)});#a=m(
"canvas",{class:"charts",role:"img"});#f=P("Play","Play the training from where it is",()=>this.#g());#d=P("Back","One f\
rame back",()=>this.#c(Math.ceil(this.#t)-1));#m=P("Forward","One frame on",()=>this.#c(Math.floor(this.#t+1e-6)+1));#l=m(
"input",{type:"range",min:0,step:1,"aria-label":"Frame of the training",oninput:()=>this.#c(Number(this.#l.value))});#u=m(
"output");#p=new ResizeObserver(()=>this.#r());constructor(t){this.root=t;let s=[this.#f,this.#d,this.#m,this.#l,this.#u];
t.replaceChildren(m("div",{class:"row"},s),m("div",{class:"panes"},[this.#n,this.#a])),this.#p.observe(t)}get#h(){return this.#e?.
last??0}load(t){this.#e||(this.#e=new j(t),matchMedia("(prefers-reduced-motion: reduce)").matches?this.#t=this.#h:this.#g(),
this.#r())}#g(){if(this.#i)return this.#c(this.#t);this.#t>=this.#h&&(this.#t=0);let t=o=>{this.#t=o,this.#r()},s=Wt*(this.#h-
this.#t);this.#s.start(this.#t,this.#h,s,t,()=>{this.#i=!1,this.#r()}),this.#i=!0,this.#r()}#c(t){this.#s.stop(),this.#i=
!1,this.#t=Math.max(0,Math.min(this.#h,t)),this.#r()}#M(t){let s={ArrowLeft:-1,ArrowRight:1}[t.key];!s||t.ctrlKey||t.metaKey||
t.altKey||(t.preventDefault(),this.#c(Math.round(this.#t)+s))}#w({offsetX:t,offsetY:s}){if(!this.#e)return;let o=new R(this.#n,
J(this.root),this.#e,this.#t);this.#b(o.nearest(t,s))}#b(t){t!==this.#o&&(this.#o=t,this.#r())}#r(){let[t,s]=[this.#e,this.
root.clientWidth];if(!t||!s)return;let o=s>Pt,i=o?Math.floor((s-24)/2):s,r=_*(Ht/Q(i));K(this.#n,i,o?r:Math.min(Ct,1.15*
s)),K(this.#a,i,r);let n=J(this.root),a=t.step(this.#t);new R(this.#n,n,t,this.#t).draw(this.#o),mt(this.#a,n,t,a),this.#y(
t,Math.round(a))}#y(t,s){let{mean_cosine:o,loss:i}=t.frame(this.#t),r=this.#o<0?"":`; ${tt(t,this.#o)}`,n=`mean cosine o\
f two words ${o.toFixed(2)}`,a=`${n}, loss ${i.toFixed(2)} nats`;this.#f.textContent=this.#i?"Pause":"Play",this.#l.max=
String(t.last),this.#l.value=String(Math.round(this.#t)),this.#d.disabled=this.#t<=0,this.#m.disabled=this.#t>=t.last,this.#f.
disabled=t.last<1,this.#u.textContent=`step ${s}: ${a}`,this.#n.ariaLabel=`Words after ${s} steps of training: ${n}${r}`,
this.#a.ariaLabel=`Measures up to step ${t.frames[t.last].step}; ${a}`,Object.assign(this.root.dataset,{frames:t.frames.
length,position:this.#t})}close(){this.#s.stop(),this.#p.disconnect()}},hs=ot({name:"newborn",show:e=>new st(e),state:"r\
eport",file:{data:e=>JSON.parse(new TextDecoder().decode(e))}});export{st as NewbornView,hs as default};
