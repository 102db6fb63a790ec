function m(s,{text:t,...e}={},i=[]){let o=document.createElement(s);for(let[r,n]of Object.entries(e))typeof n=="function"?
o.addEventListener(r.slice(2),n):n!==null&&o.setAttribute(r,String(n));return t!==void 0&&(o.textContent=t),o.append(...i),
o}function A(s,t,e){return m("button",{type:"button",text:s,title:t,onclick:e})}function rt(s,t){let e=URL.createObjectURL(s);m("a",{href:e,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(e),1e4)}
function V(s){return s.toLocaleString("en")}function k(s){return s.getContext("2d")}var J=1;function Y(){return Math.max(
J,devicePixelRatio||1)}function at(s,t){try{return J=2,s(),t()}finally{J=1,s()}}function Z(s,t,e){let i=Y();Object.assign(
s,{width:t*i,height:e*i}),Object.assign(s.style,{width:`${t}px`,height:`${e}px`}),k(s).scale(i,i)}function ht(s){let t=atob(s),e=new Uint8Array(t.length);for(let i=0;i<t.length;i++)e[i]=t.charCodeAt(i);return e}var I=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function $(s){
let t=getComputedStyle(s),e=(r,n)=>t.getPropertyValue(r).trim()||n,i=E(e("--st-background-color","#ffffff")),o=E(e("--st\
-text-color","#0b0b0e"));return{background:i,ink:o,dark:i[0]+i[1]+i[2]<o[0]+o[1]+o[2],muted:T(i,o,.72),line:T(i,o,.2),dim:T(
i,o,.3),missing:T(i,o,.5),primary:E(e("--st-primary-color","#1f6feb")),font:e("--st-font","sans-serif")}}function W(s,t){
let i=(t?.16+.84*s:.92*s)*(I.length-1),o=Math.min(Math.floor(i),I.length-2);return T(I[o],I[o+1],i-o)}function T(s,t,e){
let i=o=>Math.round(s[o]+(t[o]-s[o])*e);return[i(0),i(1),i(2)]}function d(s,t=1){return`rgb(${s.join(" ")} / ${100*t}%)`}
var H=null;function E(s){H??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),H.fillStyle=s,H.fillRect(
0,0,1,1);let[t,e,i]=H.getImageData(0,0,1,1).data;return[t,e,i]}var D=100;function ct(s,t){at(()=>s.draw(),()=>kt(s.parts)).toBlob(i=>i&&rt(i,`${t}.png`))}function kt(s){let t=s.map(l=>l.
getBoundingClientRect()),e=Y(),i=e*Math.max(...t.map(l=>l.width)),o=e*t.reduce((l,c)=>l+c.height,0),r=m("canvas",{width:Math.
ceil(i),height:Math.ceil(o)}),[n,a]=[k(r),$(s[0])];n.fillStyle=d(a.background),n.fillRect(0,0,i,o),n.scale(e,e);let h=0;
return s.forEach((l,c)=>{n.save(),n.translate(-t[c].left,h-t[c].top);for(let u of[l,...l.querySelectorAll("canvas, .swat\
ch, .bar")])Tt(n,a,u);vt(n,l),n.restore(),h+=t[c].height}),r}function Tt(s,t,e){let{left:i,top:o,width:r,height:n}=e.getBoundingClientRect();
if(!(!r||!n)){if(e instanceof HTMLCanvasElement)s.drawImage(e,i,o,r,n);else if(e.matches(".swatch"))s.fillStyle=getComputedStyle(
e).backgroundColor,s.fillRect(i,o,r,n);else if(e.matches(".scale .bar"))for(let a=0;a<D;a++)s.fillStyle=d(W(a/(D-1),t.dark)),
s.fillRect(i+a*r/D,o,r/D+.5,n)}}function vt(s,t){let[e,i]=[document.createTreeWalker(t,NodeFilter.SHOW_TEXT),document.createRange()];
for(s.textAlign="center",s.textBaseline="middle";e.nextNode();){let o=e.currentNode,r=getComputedStyle(o.parentElement);
s.font=`${r.fontWeight} ${r.fontSize} ${r.fontFamily}`,s.fillStyle=r.color;for(let{0:n,index:a}of o.data.matchAll(/\S+/g)){
i.setStart(o,a),i.setEnd(o,a+n.length);let{left:h,top:l,width:c,height:u}=i.getBoundingClientRect();!c||!u||(s.save(),s.
translate(h+c/2,l+u/2),r.writingMode.startsWith("vertical")&&s.rotate(-Math.PI/2),s.fillText(n,0,0),s.restore())}}}function lt({show:s,...t}){let i={...t,show:n=>{let a=s(n);return xt(a)&&n.append(A("Save PNG","Save the picture",()=>ct(
a,t.name))),a}},o=globalThis.document?.querySelector("script#payload");o&&Ot(i,o.textContent??"");let r=Lt(i);return n=>n?
r(n):{render:a=>Rt(i,a)}}function xt(s){return"draw"in s&&"parts"in s}function At(s,t){s.calls+=1;let e=s.calls;return()=>{
s.calls===e&&t()}}function Lt({name:s,state:t,show:e}){let i=new WeakMap;return({data:o,parentElement:r,setStateValue:n})=>{
let a=r.querySelector(`.${s}`),h=i.get(a)??{shown:e(a),calls:0};return i.set(a,h),h.shown.load(o,l=>n(t,l)),At(h,()=>h.shown.
close?.())}}function Ot({name:s,show:t,file:e},i){if(!e)return;let o=t(document.querySelector(`.${s}`)),r=()=>o.load(e.data(
ht(i.trim())),e.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function Rt({
name:s,show:t,cell:e},{model:i,el:o}){if(!e)return;let[r,n]=[m("div"),m("div",{class:s})],a=m("style",{text:String(i.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,n),o.append(r);let h=t(n),l=()=>h.load(e.data(i.get(e.trait)),c=>{for(let[
u,p]of Object.entries(e.traits(c,h)))i.set(u,p);i.save_changes()});return l(),i.on(`change:${e.trait}`,l),()=>{i.off(`ch\
ange:${e.trait}`,l),h.close?.()}}var F=class{#e=0;start(t,e,i,o,r=()=>{}){this.stop();let n=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=l=>{let c=Math.min(1,Math.max(0,(l-a)/i)),u=n&&i<=600?1:c,p=u===1?e:t+u*(e-t);o(n?Math.round(p):p),u<1?this.#e=requestAnimationFrame(
h):r()};this.#e=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#e)}};function ft(s,{x:t,y:e,w:i,h:o},r){s.save(),s.beginPath(),s.rect(t,e,i,o),s.clip(),r(),s.restore()}function _(s,[t,e],i){
s.beginPath(),s.arc(t,e,i,0,2*Math.PI),s.fill()}function dt(s,t,[e,i],o){let[r,n]=[-1,o];for(let a=0;a<s;a++){let[h,l]=t(
a),c=Math.hypot(h-e,l-i);c<n&&([r,n]=[a,c])}return r}function C(s,t,{colour:e,width:i,halo:o},r){let n=[[t.background,i+
o],[e,i]];for(let[a,h]of n)s.beginPath(),r(),s.lineWidth=h,s.strokeStyle=d(a),s.stroke()}function B(s,t){return(e,i,o,{align:r="\
left",colour:n=t.muted,weight:a=400,halo:h=!1}={})=>{s.font=`${a} 11.5px ${t.font}`,s.textAlign=r,s.fillStyle=d(n),h&&(s.
strokeStyle=d(t.background),s.lineWidth=4,s.lineJoin="round",s.strokeText(e,i,o)),s.fillText(e,i,o)}}var[ut,Et,mt,$t]=[46,10,16,34],pt={across:40,up:28},Wt=[1,2,5,10],Ct=12,q=[[],[7,3],[2,3],[9,3,2,3]];function yt(s,t,e,i){
let{title:o="",titles:r,lines:n,hasZero:a,at:h,rug:l=[]}=i,c=B(s,t),u=n.filter(({name:f})=>f),p=mt*((i.names??u.length)+
+(o!==""))+10,[b,v]=[e.x+ut,e.y+p],[M,g]=[e.w-ut-Et,e.h-$t-p],[z,w]=[b+M,v+g],x=gt(n.map(({x:f})=>f)),N=Pt(gt([...n.map(
({y:f})=>f),a?[0]:[]])),L=f=>b+M*(f-x[0])/(x[1]-x[0]||1),K=f=>w-g*(f-N[0])/(N[1]-N[0]);c(o,e.x,e.y+12,{weight:600,colour:t.
ink}),s.strokeStyle=d(T(t.background,t.ink,.45)),s.lineWidth=1,s.strokeRect(b+.5,v+.5,M-1,g-1);for(let{value:f,text:y}of wt(
x,M/pt.across))c(y,Math.min(L(f),z-8),w+14,{align:"center"});for(let{value:f,text:y}of wt(N,g/pt.up))c(y,b-5,K(f)+4,{align:"\
right"});c(r[0],b+M/2,w+29,{align:"center"}),s.save(),s.translate(e.x+12,v+g/2),s.rotate(-Math.PI/2),c(r[1],0,0,{align:"\
center"}),s.restore(),ft(s,{x:b,y:v,w:M,h:g},()=>{for(let f of Array.from(l))Q(s,d(t.ink,.18),L(f),w,-7);h!==void 0&&Q(s,
d(t.muted),L(h),w,-g),n.forEach(({colour:f,mark:y,...S},O)=>{if(s.setLineDash(q[O%q.length]),C(s,t,{colour:f,width:2,halo:2},
()=>{for(let R=0;R<S.x.length;R++)Number.isFinite(S.y[R])&&s.lineTo(L(S.x[R]),K(S.y[R]))}),s.setLineDash([]),!y)return;let[
nt,X]=[L(y[0]),K(y[1])];s.setLineDash([3,3]),Q(s,d(t.muted),nt,X,w-X),s.setLineDash([]),s.fillStyle=d(f),_(s,[nt,X],5)})}),
u.forEach(({name:f,colour:y},S)=>{let O=e.y+mt*(S+(o?1:0))+8;s.strokeStyle=d(y),s.lineWidth=2,s.setLineDash(q[S%q.length]),
s.beginPath(),s.moveTo(e.x,O),s.lineTo(e.x+24,O),s.stroke(),s.setLineDash([]),c(f,e.x+30,O+4,{colour:t.ink})})}function Q(s,t,e,i,o){
s.strokeStyle=t,s.lineWidth=1,s.beginPath(),s.moveTo(e,i),s.lineTo(e,i+o),s.stroke()}function gt(s){let t=s.flatMap(e=>Array.
from(e)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function Pt([s,t]){let e=Math.max(.1-(t-s)/2,.06*
(t-s));return[s-e,t+e]}function wt([s,t],e){let i=(t-s)/e,o=10**tt(i),r=o*(Wt.find(h=>h*o>=i)??10),[n,a]=[Math.ceil(s/r),
Math.floor(t/r)];return Array.from({length:a-n+1},(h,l)=>{let c=(n+l)*r;return{value:c,text:Nt(c,r)}})}function Nt(s,t){
let e=s?tt(s)-tt(t)+1:1,i=Math.min(Ct,Math.max(1,e));return s.toLocaleString("en",{maximumSignificantDigits:i})}function tt(s){
return Math.floor(Math.log10(Math.abs(s)))}var et=14,G=245,It=380,bt=[["#0072b2","#56b4e9"],["#b07000","#e69f00"],["#008060","#00b287"],["#d55e00","#f08030"]].map(
s=>s.map(E));function st(s){return s>It?2:1}function Ht({frames:s,bins:t}){let e=(n,a,h)=>[n,a,s.map(h)],i=t.map((n,a)=>e(
n,a,({norms:h})=>h[a]));i.push(e("never occur",3,n=>n.unused_norm));let o=[e("mean cosine",0,({mean_cosine:n})=>n),e("|r\
ho| with frequency",2,({frequency_rho:n})=>n)],r=[e("mean cosine",0,({random_cosine:n})=>n),e("rho with people",3,({rho:n})=>n)];
return[["Words: cone, frequency",o],["Words: mean norm",i],["Sentences: cone, rho",r],["Loss, nats",[e("masked words",0,
({loss:n})=>n)]]]}function Mt(s,t,e,i){let o=st(s.clientWidth),r=(s.clientWidth-(o-1)*et)/o,n=e.frames.map(({step:c})=>c),
a=n.filter(c=>c<=i+1e-6).length-1,h=Ht(e),l=Math.max(...h.map(([,c])=>c.length));h.forEach(([c,u],p)=>{let[b,v]=[p%o*(r+
et),Math.floor(p/o)*G],M={x:b,y:v,w:r,h:G-et};yt(k(s),t,M,{title:c,titles:["step",""],at:i,hasZero:!0,names:o>1?l:u.length,
lines:u.map(([g,z,w])=>({name:`${g}: ${w[a]?.toFixed(2)??"-"}`,colour:bt[z%bt.length][t.dark?1:0],x:n,y:w.map(x=>x??Number.
NaN)}))})})}var j=class{constructor({words:t,counts:e,bins:i,frames:o}){this.words=t,this.counts=e,this.bins=i,this.frames=o,this.places=
o.map(({places:a})=>Float32Array.from(a.split(" "),h=>Number(h)/1e3)),this.shares=Dt(e),this.reach={low:[0,0],high:[0,0]};
let{low:r,high:n}=this.reach;for(let a of this.places)a.forEach((h,l)=>{r[l%2]=Math.min(r[l%2],h),n[l%2]=Math.max(n[l%2],
h)})}get last(){return this.frames.length-1}frame(t){return this.frames[Math.min(this.last,Math.floor(t+1e-6))]}#e(t){let e=Math.
min(this.last,Math.floor(t));return{from:e,to:Math.min(this.last,e+1),share:t-e}}step(t){let{from:e,to:i,share:o}=this.#e(
t),{step:r}=this.frames[e];return r+o*(this.frames[i].step-r)}at(t){let{from:e,to:i,share:o}=this.#e(t),r=this.places[i];
return this.places[e].map((n,a)=>n+o*(r[a]-n))}};function Dt(s){let t=Math.log(Math.max(2,...s));return s.map(e=>e>0?Math.
log(e)/t:null)}var[U,St,Ft,_t]=[26,46,2.6,14],Bt=4,qt=[213,94,0],P=class{constructor(t,e,i,o){this.context=k(t),this.theme=e,this.write=
B(this.context,e),this.reel=i,this.position=o,this.places=i.at(o),this.width=t.clientWidth,this.height=t.clientHeight;let{
low:r,high:n}=i.reach,[a,h]=[this.width-2*U,this.height-U-St];this.scale=Math.min(a/(n[0]-r[0]||1),h/(n[1]-r[1]||1)),this.
left=this.width/2-this.scale*(r[0]+n[0])/2,this.base=U+h/2+this.scale*(r[1]+n[1])/2}pixel(t,e){return[this.left+this.scale*
t,this.base-this.scale*e]}#e(t,e=this.places){return this.pixel(e[2*t],e[2*t+1])}draw(t){this.#t(),this.reel.shares.forEach(
(e,i)=>{this.#i(e,...this.#e(i))}),this.#o(),t>=0&&this.#n(t),this.#r()}#t(){let{context:t,theme:e,width:i,height:o}=this,
[r,n]=this.pixel(0,0);t.strokeStyle=d(e.line),t.lineWidth=1,t.beginPath(),t.moveTo(r,0),t.lineTo(r,o-St+18),t.moveTo(0,n),
t.lineTo(i,n),t.stroke(),this.write("↑ along the mean direction of the shown words",4,12),this.write("origin",i-4,n-4,
{align:"right"}),this.write("→ direction of largest variance orthogonal to it",i-4,o-32,{align:"right"})}#i(t,e,i,o=3){
let{context:r,theme:n}=this;t===null?(r.beginPath(),r.strokeStyle=d(qt),r.lineWidth=1.4,r.moveTo(e-o,i-o),r.lineTo(e+o,i+
o),r.moveTo(e-o,i+o),r.lineTo(e+o,i-o),r.stroke()):(r.fillStyle=d(W(t,n.dark)),_(r,[e,i],Ft))}#o(){let{words:t,counts:e}=this.
reel;for(let o=0;o<Bt;o++)this.#s(o,t[o]);let i=e.indexOf(0);i>=0&&this.#s(i,"words that never occur")}#s(t,e){let[i,o]=this.#e(
t);this.write(e,i+6,o+4,{colour:this.theme.ink,halo:!0})}#n(t){let{context:e,theme:i,reel:o,places:r}=this,n=[...o.places.
slice(0,Math.floor(this.position)+1),r];C(e,i,{colour:i.ink,width:1.5,halo:2},()=>{for(let a of n)e.lineTo(...this.#e(t,
a))}),C(e,i,{colour:i.ink,width:2,halo:2},()=>{e.arc(...this.#e(t),5,0,2*Math.PI)}),this.#s(t,it(o,t))}#r(){let{context:t,
theme:e,reel:i}=this,[o,r,n]=[this.height-14,U,Math.min(150,this.width/3)];for(let h=0;h<n;h++)t.fillStyle=d(W(h/n,e.dark)),
t.fillRect(r+h,o,1.5,9);let a=`${V(Math.max(...i.counts))} times`;this.write("once",r,o-4),this.write(a,r+n,o-4,{align:"\
right"}),this.#i(null,r+n+24,o+4,4),this.write("never occurs",r+n+34,o+8)}nearest(t,e){return dt(this.places.length/2,i=>this.#e(
i),[t,e],_t)}};function it({words:s,counts:t},e){let i=t[e]===1?"once":`${V(t[e])} times`;return t[e]?`${s[e]}: ${i}`:"n\
ever occurs"}var Gt=220,[jt,Ut]=[760,560],zt=4,ot=class{#e=new F;#t=0;#i=-1;#o=!1;#s=null;#n=m("canvas",{class:"words",tabindex:0,role:"\
img",onpointermove:t=>this.#w(t),onpointerdown:t=>this.#w(t),onpointerleave:()=>this.#y(-1),onkeydown:t=>this.#b(t)});#r=m(
"canvas",{class:"charts",role:"img"});#f=m("div",{class:"panes"},[this.#n,this.#r]);#l=A("Play","Play the training from \
where it is",()=>this.#g());#d=A("Back","One frame back",()=>this.#h(Math.ceil(this.#t)-1));#u=A("Forward","One frame on",
()=>this.#h(Math.floor(this.#t+1e-6)+1));#c=m("input",{type:"range",min:0,step:1,"aria-label":"Frame of the training",oninput:()=>this.#h(
Number(this.#c.value))});#m=m("output");#p=new ResizeObserver(()=>this.draw());constructor(t){this.root=t;let e=[this.#l,
this.#d,this.#u,this.#c,this.#m];t.replaceChildren(m("div",{class:"row"},e),this.#f),this.#p.observe(t)}get#a(){return this.#s?.
last??0}load(t){this.#s||(this.#s=new j(t),matchMedia("(prefers-reduced-motion: reduce)").matches?this.#t=this.#a:this.#g(),
this.draw())}#g(){if(this.#o)return this.#h(this.#t);this.#t>=this.#a&&(this.#t=0);let t=i=>{this.#t=i,this.draw()},e=Gt*
(this.#a-this.#t);this.#e.start(this.#t,this.#a,e,t,()=>{this.#o=!1,this.draw()}),this.#o=!0,this.draw()}#h(t){this.#e.stop(),
this.#o=!1,this.#t=Math.max(0,Math.min(this.#a,t)),this.draw()}#b(t){let e={ArrowLeft:-1,ArrowRight:1}[t.key];!e||t.ctrlKey||
t.metaKey||t.altKey||(t.preventDefault(),this.#h(Math.round(this.#t)+e))}#w({offsetX:t,offsetY:e}){if(!this.#s)return;let i=new P(
this.#n,$(this.root),this.#s,this.#t);this.#y(i.nearest(t,e))}#y(t){t!==this.#i&&(this.#i=t,this.draw())}get parts(){return[
this.#f]}draw(){let[t,e]=[this.#s,this.root.clientWidth];if(!t||!e)return;let i=e>jt,o=i?Math.floor((e-24)/2):e,r=G*(zt/
st(o));Z(this.#n,o,i?r:Math.min(Ut,1.15*e)),Z(this.#r,o,r);let n=$(this.root),a=t.step(this.#t);new P(this.#n,n,t,this.#t).
draw(this.#i),Mt(this.#r,n,t,a),this.#M(t,Math.round(a))}#M(t,e){let{mean_cosine:i,loss:o}=t.frame(this.#t),r=this.#i<0?
"":`; ${it(t,this.#i)}`,n=`mean cosine of two words ${i.toFixed(2)}`,a=`${n}, loss ${o.toFixed(2)} nats`;this.#l.textContent=
this.#o?"Pause":"Play",this.#c.max=String(t.last),this.#c.value=String(Math.round(this.#t)),this.#d.disabled=this.#t<=0,
this.#u.disabled=this.#t>=t.last,this.#l.disabled=t.last<1,this.#m.textContent=`step ${e}: ${a}`,this.#n.ariaLabel=`Word\
s after ${e} steps of training: ${n}${r}`,this.#r.ariaLabel=`Measures up to step ${t.frames[t.last].step}; ${a}`,Object.
assign(this.root.dataset,{frames:t.frames.length,position:this.#t})}close(){this.#e.stop(),this.#p.disconnect()}},xe=lt(
{name:"newborn",show:s=>new ot(s),state:"report",file:{data:s=>JSON.parse(new TextDecoder().decode(s))}});export{ot as NewbornView,xe as default};
