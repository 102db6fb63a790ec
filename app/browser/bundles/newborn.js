function d(e,{text:t,...s}={},o=[]){let i=document.createElement(e);for(let[r,n]of Object.entries(s))typeof n=="function"?
i.addEventListener(r.slice(2),n):n!==null&&i.setAttribute(r,String(n));return t!==void 0&&(i.textContent=t),i.append(...o),
i}function S(e,t,s){return d("button",{type:"button",text:e,title:t,onclick:s})}function at(e,t){let s=URL.createObjectURL(e);d("a",{href:s,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(s),1e4)}
function Y(e){return e.toLocaleString("en")}function T(e){return e.getContext("2d")}var V=1;function Z(){return Math.max(
V,devicePixelRatio||1)}function ht(e,t){try{return V=2,e(),t()}finally{V=1,e()}}function Q(e,t,s){let o=Z();Object.assign(
e,{width:t*o,height:s*o}),Object.assign(e.style,{width:`${t}px`,height:`${s}px`}),T(e).scale(o,o)}function ct(e){let t=atob(e),s=new Uint8Array(t.length);for(let o=0;o<t.length;o++)s[o]=t.charCodeAt(o);return s}var H=class{#e;#t=0;constructor(t){this.#e=t}call(t){this.stop(),this.#t=setTimeout(t,this.#e)}stop(){clearTimeout(this.#t)}};var xt=300,Lt=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function lt(e,t){let s=new H(xt),o=()=>{
location.hash&&(t.place=Number.parseInt(location.hash.slice(1),10)||0)};o(),addEventListener("hashchange",o);let i=()=>history.
replaceState(null,"",`#${t.place}`);new MutationObserver(()=>s.call(i)).observe(e,{attributes:!0})}function ft(e){document.
documentElement.classList.toggle("alone",Lt),e.append(At(e))}function At(e){let t=d("input",{readonly:"","aria-label":"H\
TML that embeds the figure"}),s=S("Copy","Copy the line",()=>{t.select(),navigator.clipboard?.writeText(t.value)}),o=d("\
details",{class:"embed"},[d("summary",{text:"Embed this figure"}),t,s]);return o.addEventListener("toggle",()=>{let i=new URL(
`?only=figure${location.hash}`,location.href);t.value=`<iframe src="${i}" title="${document.title}" width="100%" height=\
"${e.offsetHeight}" style="border: 0" loading="lazy"></iframe>`}),o}var I=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function O(e){
let t=getComputedStyle(e),s=(r,n)=>t.getPropertyValue(r).trim()||n,o=$(s("--st-background-color","#ffffff")),i=$(s("--st\
-text-color","#0b0b0e"));return{background:o,ink:i,dark:o[0]+o[1]+o[2]<i[0]+i[1]+i[2],muted:v(o,i,.72),line:v(o,i,.2),dim:v(
o,i,.3),missing:v(o,i,.5),primary:$(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function P(e,t){
let o=(t?.16+.84*e:.92*e)*(I.length-1),i=Math.min(Math.floor(o),I.length-2);return v(I[i],I[i+1],o-i)}function v(e,t,s){
let o=i=>Math.round(e[i]+(t[i]-e[i])*s);return[o(0),o(1),o(2)]}function u(e,t=1){return`rgb(${e.join(" ")} / ${100*t}%)`}
var D=null;function $(e){D??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),D.fillStyle=e,D.fillRect(
0,0,1,1);let[t,s,o]=D.getImageData(0,0,1,1).data;return[t,s,o]}var F=100;function dt(e,t){ht(()=>e.draw(),()=>Et(e.parts)).toBlob(o=>o&&at(o,`${t}.png`))}function Et(e){let t=e.map(l=>l.
getBoundingClientRect()),s=Z(),o=s*Math.max(...t.map(l=>l.width)),i=s*t.reduce((l,c)=>l+c.height,0),r=d("canvas",{width:Math.
ceil(o),height:Math.ceil(i)}),[n,a]=[T(r),O(e[0])];n.fillStyle=u(a.background),n.fillRect(0,0,o,i),n.scale(s,s);let h=0;
return e.forEach((l,c)=>{n.save(),n.translate(-t[c].left,h-t[c].top);for(let m of[l,...l.querySelectorAll("canvas, .swat\
ch, .bar")])Rt(n,a,m);$t(n,l),n.restore(),h+=t[c].height}),r}function Rt(e,t,s){let{left:o,top:i,width:r,height:n}=s.getBoundingClientRect();
if(!(!r||!n)){if(s instanceof HTMLCanvasElement)e.drawImage(s,o,i,r,n);else if(s.matches(".swatch"))e.fillStyle=getComputedStyle(
s).backgroundColor,e.fillRect(o,i,r,n);else if(s.matches(".scale .bar"))for(let a=0;a<F;a++)e.fillStyle=u(P(a/(F-1),t.dark)),
e.fillRect(o+a*r/F,i,r/F+.5,n)}}function $t(e,t){let[s,o]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(e.textAlign="center",e.textBaseline="middle";s.nextNode();){let i=s.currentNode,r=getComputedStyle(i.parentElement);
e.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,e.fillStyle=r.color;for(let{0:n,index:a}of i.data.matchAll(/\S+/g)){
o.setStart(i,a),o.setEnd(i,a+n.length);let{left:h,top:l,width:c,height:m}=o.getBoundingClientRect();!c||!m||(e.save(),e.
translate(h+c/2,l+m/2),r.writingMode.startsWith("vertical")&&e.rotate(-Math.PI/2),e.fillText(n,0,0),e.restore())}}}function ut({show:e,...t}){let o={...t,show:n=>{let a=e(n);return Ot(a)&&n.append(S("Save PNG","Save the picture",()=>dt(
a,t.name))),a}},i=globalThis.document?.querySelector("script#payload");i&&Ht(o,i.textContent??"");let r=Nt(o);return n=>n?
r(n):{render:a=>It(o,a)}}function Ot(e){return"draw"in e&&"parts"in e}function Pt(e){return"place"in e}function Ct(e){return JSON.
parse(new TextDecoder().decode(e))}function Wt(e,t){e.calls+=1;let s=e.calls;return()=>{e.calls===s&&t()}}function Nt({name:e,
state:t,show:s}){let o=new WeakMap;return({data:i,parentElement:r,setStateValue:n})=>{let a=r.querySelector(`.${e}`),h=o.
get(a)??{shown:s(a),calls:0};return o.set(a,h),h.shown.load(i,l=>n(t,l)),Wt(h,()=>h.shown.close?.())}}function Ht({name:e,
show:t,file:s},o){let i=document.querySelector(`.${e}`),r=t(i),n=ct(o.trim()),a=()=>r.load(s?.data(n)??Ct(n),s?.told??(()=>{}));
a(),Pt(r)&&lt(i,r),ft(i),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",a)}function It({name:e,show:t,
cell:s},{model:o,el:i}){if(!s)return;let[r,n]=[d("div"),d("div",{class:e})],a=d("style",{text:String(o.get("sheet"))});r.
attachShadow({mode:"open"}).append(a,n),i.append(r);let h=t(n),l=()=>h.load(s.data(o.get(s.trait)),c=>{for(let[m,p]of Object.
entries(s.traits(c,h)))o.set(m,p);o.save_changes()});return l(),o.on(`change:${s.trait}`,l),()=>{o.off(`change:${s.trait}`,
l),h.close?.()}}var _=class{#e=0;start(t,s,o,i,r=()=>{}){this.stop();let n=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=l=>{let c=Math.min(1,Math.max(0,(l-a)/o)),m=n&&o<=600?1:c,p=m===1?s:t+m*(s-t);i(n?Math.round(p):p),m<1?this.#e=requestAnimationFrame(
h):r()};this.#e=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#e)}};function mt(e,{x:t,y:s,w:o,h:i},r){e.save(),e.beginPath(),e.rect(t,s,o,i),e.clip(),r(),e.restore()}function B(e,[t,s],o){
e.beginPath(),e.arc(t,s,o,0,2*Math.PI),e.fill()}function pt(e,t,[s,o],i){let[r,n]=[-1,i];for(let a=0;a<e;a++){let[h,l]=t(
a),c=Math.hypot(h-s,l-o);c<n&&([r,n]=[a,c])}return r}function C(e,t,{colour:s,width:o,halo:i},r){let n=[[t.background,o+
i],[s,o]];for(let[a,h]of n)e.beginPath(),r(),e.lineWidth=h,e.strokeStyle=u(a),e.stroke()}function U(e,t){return(s,o,i,{align:r="\
left",colour:n=t.muted,weight:a=400,halo:h=!1}={})=>{e.font=`${a} 11.5px ${t.font}`,e.textAlign=r,e.fillStyle=u(n),h&&(e.
strokeStyle=u(t.background),e.lineWidth=4,e.lineJoin="round",e.strokeText(s,o,i)),e.fillText(s,o,i)}}var[gt,Dt,wt,Ft]=[46,10,16,34],bt={across:40,up:28},_t=[1,2,5,10],Bt=12,q=[[],[7,3],[2,3],[9,3,2,3]];function St(e,t,s,o){
let{title:i="",titles:r,lines:n,hasZero:a,at:h,rug:l=[]}=o,c=U(e,t),m=n.filter(({name:f})=>f),p=wt*((o.names??m.length)+
+(i!==""))+10,[y,x]=[s.x+gt,s.y+p],[M,g]=[s.w-gt-Dt,s.h-Ft-p],[K,w]=[y+M,x+g],L=yt(n.map(({x:f})=>f)),N=Ut(yt([...n.map(
({y:f})=>f),a?[0]:[]])),A=f=>y+M*(f-L[0])/(L[1]-L[0]||1),X=f=>w-g*(f-N[0])/(N[1]-N[0]);c(i,s.x,s.y+12,{weight:600,colour:t.
ink}),e.strokeStyle=u(v(t.background,t.ink,.45)),e.lineWidth=1,e.strokeRect(y+.5,x+.5,M-1,g-1);for(let{value:f,text:b}of Mt(
L,M/bt.across))c(b,Math.min(A(f),K-8),w+14,{align:"center"});for(let{value:f,text:b}of Mt(N,g/bt.up))c(b,y-5,X(f)+4,{align:"\
right"});c(r[0],y+M/2,w+29,{align:"center"}),e.save(),e.translate(s.x+12,x+g/2),e.rotate(-Math.PI/2),c(r[1],0,0,{align:"\
center"}),e.restore(),mt(e,{x:y,y:x,w:M,h:g},()=>{for(let f of Array.from(l))tt(e,u(t.ink,.18),A(f),w,-7);h!==void 0&&tt(
e,u(t.muted),A(h),w,-g),n.forEach(({colour:f,mark:b,...k},E)=>{if(e.setLineDash(q[E%q.length]),C(e,t,{colour:f,width:2,halo:2},
()=>{for(let R=0;R<k.x.length;R++)Number.isFinite(k.y[R])&&e.lineTo(A(k.x[R]),X(k.y[R]))}),e.setLineDash([]),!b)return;let[
rt,J]=[A(b[0]),X(b[1])];e.setLineDash([3,3]),tt(e,u(t.muted),rt,J,w-J),e.setLineDash([]),e.fillStyle=u(f),B(e,[rt,J],5)})}),
m.forEach(({name:f,colour:b},k)=>{let E=s.y+wt*(k+(i?1:0))+8;e.strokeStyle=u(b),e.lineWidth=2,e.setLineDash(q[k%q.length]),
e.beginPath(),e.moveTo(s.x,E),e.lineTo(s.x+24,E),e.stroke(),e.setLineDash([]),c(f,s.x+30,E+4,{colour:t.ink})})}function tt(e,t,s,o,i){
e.strokeStyle=t,e.lineWidth=1,e.beginPath(),e.moveTo(s,o),e.lineTo(s,o+i),e.stroke()}function yt(e){let t=e.flatMap(s=>Array.
from(s)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function Ut([e,t]){let s=Math.max(.1-(t-e)/2,.06*
(t-e));return[e-s,t+s]}function Mt([e,t],s){let o=(t-e)/s,i=10**et(o),r=i*(_t.find(h=>h*i>=o)??10),[n,a]=[Math.ceil(e/r),
Math.floor(t/r)];return Array.from({length:a-n+1},(h,l)=>{let c=(n+l)*r;return{value:c,text:qt(c,r)}})}function qt(e,t){
let s=e?et(e)-et(t)+1:1,o=Math.min(Bt,Math.max(1,s));return e.toLocaleString("en",{maximumSignificantDigits:o})}function et(e){
return Math.floor(Math.log10(Math.abs(e)))}var st=14,G=245,Gt=380,kt=[["#0072b2","#56b4e9"],["#b07000","#e69f00"],["#008060","#00b287"],["#d55e00","#f08030"]].map(
e=>e.map($));function ot(e){return e>Gt?2:1}function jt({frames:e,bins:t}){let s=(n,a,h)=>[n,a,e.map(h)],o=t.map((n,a)=>s(
n,a,({norms:h})=>h[a]));o.push(s("never occur",3,n=>n.unused_norm));let i=[s("mean cosine",0,({mean_cosine:n})=>n),s("|r\
ho| with frequency",2,({frequency_rho:n})=>n)],r=[s("mean cosine",0,({random_cosine:n})=>n),s("rho with people",3,({rho:n})=>n)];
return[["Words: cone, frequency",i],["Words: mean norm",o],["Sentences: cone, rho",r],["Loss, nats",[s("masked words",0,
({loss:n})=>n)]]]}function Tt(e,t,s,o){let i=ot(e.clientWidth),r=(e.clientWidth-(i-1)*st)/i,n=s.frames.map(({step:c})=>c),
a=n.filter(c=>c<=o+1e-6).length-1,h=jt(s),l=Math.max(...h.map(([,c])=>c.length));h.forEach(([c,m],p)=>{let[y,x]=[p%i*(r+
st),Math.floor(p/i)*G],M={x:y,y:x,w:r,h:G-st};St(T(e),t,M,{title:c,titles:["step",""],at:o,hasZero:!0,names:i>1?l:m.length,
lines:m.map(([g,K,w])=>({name:`${g}: ${w[a]?.toFixed(2)??"-"}`,colour:kt[K%kt.length][t.dark?1:0],x:n,y:w.map(L=>L??Number.
NaN)}))})})}var j=class{constructor({words:t,counts:s,bins:o,frames:i}){this.words=t,this.counts=s,this.bins=o,this.frames=i,this.places=
i.map(({places:a})=>Float32Array.from(a.split(" "),h=>Number(h)/1e3)),this.shares=zt(s),this.reach={low:[0,0],high:[0,0]};
let{low:r,high:n}=this.reach;for(let a of this.places)a.forEach((h,l)=>{r[l%2]=Math.min(r[l%2],h),n[l%2]=Math.max(n[l%2],
h)})}get last(){return this.frames.length-1}frame(t){return this.frames[Math.min(this.last,Math.floor(t+1e-6))]}#e(t){let s=Math.
min(this.last,Math.floor(t));return{from:s,to:Math.min(this.last,s+1),share:t-s}}step(t){let{from:s,to:o,share:i}=this.#e(
t),{step:r}=this.frames[s];return r+i*(this.frames[o].step-r)}at(t){let{from:s,to:o,share:i}=this.#e(t),r=this.places[o];
return this.places[s].map((n,a)=>n+i*(r[a]-n))}};function zt(e){let t=Math.log(Math.max(2,...e));return e.map(s=>s>0?Math.
log(s)/t:null)}var[z,vt,Kt,Xt]=[26,46,2.6,14],Jt=4,Vt=[213,94,0],W=class{constructor(t,s,o,i){this.context=T(t),this.theme=s,this.write=
U(this.context,s),this.reel=o,this.position=i,this.places=o.at(i),this.width=t.clientWidth,this.height=t.clientHeight;let{
low:r,high:n}=o.reach,[a,h]=[this.width-2*z,this.height-z-vt];this.scale=Math.min(a/(n[0]-r[0]||1),h/(n[1]-r[1]||1)),this.
left=this.width/2-this.scale*(r[0]+n[0])/2,this.base=z+h/2+this.scale*(r[1]+n[1])/2}pixel(t,s){return[this.left+this.scale*
t,this.base-this.scale*s]}#e(t,s=this.places){return this.pixel(s[2*t],s[2*t+1])}draw(t){this.#t(),this.reel.shares.forEach(
(s,o)=>{this.#o(s,...this.#e(o))}),this.#i(),t>=0&&this.#n(t),this.#r()}#t(){let{context:t,theme:s,width:o,height:i}=this,
[r,n]=this.pixel(0,0);t.strokeStyle=u(s.line),t.lineWidth=1,t.beginPath(),t.moveTo(r,0),t.lineTo(r,i-vt+18),t.moveTo(0,n),
t.lineTo(o,n),t.stroke(),this.write("↑ along the mean direction of the shown words",4,12),this.write("origin",o-4,n-4,
{align:"right"}),this.write("→ direction of largest variance orthogonal to it",o-4,i-32,{align:"right"})}#o(t,s,o,i=3){
let{context:r,theme:n}=this;t===null?(r.beginPath(),r.strokeStyle=u(Vt),r.lineWidth=1.4,r.moveTo(s-i,o-i),r.lineTo(s+i,o+
i),r.moveTo(s-i,o+i),r.lineTo(s+i,o-i),r.stroke()):(r.fillStyle=u(P(t,n.dark)),B(r,[s,o],Kt))}#i(){let{words:t,counts:s}=this.
reel;for(let i=0;i<Jt;i++)this.#s(i,t[i]);let o=s.indexOf(0);o>=0&&this.#s(o,"words that never occur")}#s(t,s){let[o,i]=this.#e(
t);this.write(s,o+6,i+4,{colour:this.theme.ink,halo:!0})}#n(t){let{context:s,theme:o,reel:i,places:r}=this,n=[...i.places.
slice(0,Math.floor(this.position)+1),r];C(s,o,{colour:o.ink,width:1.5,halo:2},()=>{for(let a of n)s.lineTo(...this.#e(t,
a))}),C(s,o,{colour:o.ink,width:2,halo:2},()=>{s.arc(...this.#e(t),5,0,2*Math.PI)}),this.#s(t,it(i,t))}#r(){let{context:t,
theme:s,reel:o}=this,[i,r,n]=[this.height-14,z,Math.min(150,this.width/3)];for(let h=0;h<n;h++)t.fillStyle=u(P(h/n,s.dark)),
t.fillRect(r+h,i,1.5,9);let a=`${Y(Math.max(...o.counts))} times`;this.write("once",r,i-4),this.write(a,r+n,i-4,{align:"\
right"}),this.#o(null,r+n+24,i+4,4),this.write("never occurs",r+n+34,i+8)}nearest(t,s){return pt(this.places.length/2,o=>this.#e(
o),[t,s],Xt)}};function it({words:e,counts:t},s){let o=t[s]===1?"once":`${Y(t[s])} times`;return t[s]?`${e[s]}: ${o}`:"n\
ever occurs"}var Yt=220,[Zt,Qt]=[760,560],te=4,nt=class{#e=new _;#t=0;#o=-1;#i=!1;#s=null;#n=d("canvas",{class:"words",tabindex:0,role:"\
img",onpointermove:t=>this.#w(t),onpointerdown:t=>this.#w(t),onpointerleave:()=>this.#b(-1),onkeydown:t=>this.#y(t)});#r=d(
"canvas",{class:"charts",role:"img"});#f=d("div",{class:"panes"},[this.#n,this.#r]);#l=S("Play","Play the training from \
where it is",()=>this.#g());#d=S("Back","One frame back",()=>this.#a(Math.ceil(this.#t)-1));#u=S("Forward","One frame on",
()=>this.#a(Math.floor(this.#t+1e-6)+1));#c=d("input",{type:"range",min:0,step:1,"aria-label":"Frame of the training",oninput:()=>this.#a(
Number(this.#c.value))});#m=d("output");#p=new ResizeObserver(()=>this.draw());constructor(t){this.root=t;let s=[this.#l,
this.#d,this.#u,this.#c,this.#m];t.replaceChildren(d("div",{class:"row"},s),this.#f),this.#p.observe(t)}get#h(){return this.#s?.
last??0}load(t){this.#s||(this.#s=new j(t),matchMedia("(prefers-reduced-motion: reduce)").matches?this.#t=this.#h:this.#g(),
this.draw())}#g(){if(this.#i)return this.#a(this.#t);this.#t>=this.#h&&(this.#t=0);let t=o=>{this.#t=o,this.draw()},s=Yt*
(this.#h-this.#t);this.#e.start(this.#t,this.#h,s,t,()=>{this.#i=!1,this.draw()}),this.#i=!0,this.draw()}#a(t){this.#e.stop(),
this.#i=!1,this.#t=Math.max(0,Math.min(this.#h,t)),this.draw()}#y(t){let s={ArrowLeft:-1,ArrowRight:1}[t.key];!s||t.ctrlKey||
t.metaKey||t.altKey||(t.preventDefault(),this.#a(Math.round(this.#t)+s))}#w({offsetX:t,offsetY:s}){if(!this.#s)return;let o=new W(
this.#n,O(this.root),this.#s,this.#t);this.#b(o.nearest(t,s))}#b(t){t!==this.#o&&(this.#o=t,this.draw())}get place(){return Math.
round(this.#t)}set place(t){this.#a(t)}get parts(){return[this.#f]}draw(){let[t,s]=[this.#s,this.root.clientWidth];if(!t||
!s)return;let o=s>Zt,i=o?Math.floor((s-24)/2):s,r=G*(te/ot(i));Q(this.#n,i,o?r:Math.min(Qt,1.15*s)),Q(this.#r,i,r);let n=O(
this.root),a=t.step(this.#t);new W(this.#n,n,t,this.#t).draw(this.#o),Tt(this.#r,n,t,a),this.#M(t,Math.round(a))}#M(t,s){
let{mean_cosine:o,loss:i}=t.frame(this.#t),r=this.#o<0?"":`; ${it(t,this.#o)}`,n=`mean cosine of two words ${o.toFixed(2)}`,
a=`${n}, loss ${i.toFixed(2)} nats`;this.#l.textContent=this.#i?"Pause":"Play",this.#c.max=String(t.last),this.#c.value=
String(Math.round(this.#t)),this.#d.disabled=this.#t<=0,this.#u.disabled=this.#t>=t.last,this.#l.disabled=t.last<1,this.#m.
textContent=`step ${s}: ${a}`,this.#n.ariaLabel=`Words after ${s} steps of training: ${n}${r}`,this.#r.ariaLabel=`Measur\
es up to step ${t.frames[t.last].step}; ${a}`,Object.assign(this.root.dataset,{frames:t.frames.length,position:this.#t})}close(){
this.#e.stop(),this.#p.disconnect()}},Fe=ut({name:"newborn",show:e=>new nt(e),state:"report"});export{nt as NewbornView,Fe as default};
