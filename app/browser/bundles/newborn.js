function m(e,{text:t,...s}={},i=[]){let o=document.createElement(e);for(let[r,n]of Object.entries(s))typeof n=="function"?
o.addEventListener(r.slice(2),n):n!==null&&o.setAttribute(r,String(n));return t!==void 0&&(o.textContent=t),o.append(...i),
o}function P(e,t,s){return m("button",{type:"button",text:e,title:t,onclick:s})}function z(e){return e.toLocaleString("en")}function O(e){return e.getContext("2d")}function K(e,t,s){let i=devicePixelRatio||
1;Object.assign(e,{width:t*i,height:s*i}),Object.assign(e.style,{width:`${t}px`,height:`${s}px`}),O(e).scale(i,i)}function it(e){let t=globalThis.document?.querySelector("script#payload");t&&wt(e,t.textContent??"");let s=gt(e);return i=>i?
s(i):{render:o=>bt(e,o)}}function pt(e,t){e.calls+=1;let s=e.calls;return()=>{e.calls===s&&t()}}function gt({name:e,state:t,
show:s}){let i=new WeakMap;return({data:o,parentElement:r,setStateValue:n})=>{let a=r.querySelector(`.${e}`),h=i.get(a)??
{shown:s(a),calls:0};return i.set(a,h),h.shown.load(o,l=>n(t,l)),pt(h,()=>h.shown.close?.())}}function wt({name:e,show:t,
file:s},i){if(!s)return;let o=t(document.querySelector(`.${e}`)),r=Uint8Array.from(atob(i.trim()),a=>a.charCodeAt(0)),n=()=>o.
load(s.data(r),s.told??(()=>{}));n(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",n)}function bt({
name:e,show:t,cell:s},{model:i,el:o}){if(!s)return;let[r,n]=[m("div"),m("div",{class:e})],a=m("style",{text:String(i.get(
"sheet"))});r.attachShadow({mode:"open"}).append(a,n),o.append(r);let h=t(n),l=()=>h.load(s.data(i.get(s.trait)),c=>{for(let[
u,p]of Object.entries(s.traits(c,h)))i.set(u,p);i.save_changes()});return l(),i.on(`change:${s.trait}`,l),()=>{i.off(`ch\
ange:${s.trait}`,l),h.close?.()}}var C=class{#s=0;start(t,s,i,o,r=()=>{}){this.stop();let n=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=l=>{let c=Math.min(1,Math.max(0,(l-a)/i)),u=n&&i<=600?1:c,p=u===1?s:t+u*(s-t);o(n?Math.round(p):p),u<1?this.#s=requestAnimationFrame(
h):r()};this.#s=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#s)}};var H=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function J(e){
let t=getComputedStyle(e),s=(r,n)=>t.getPropertyValue(r).trim()||n,i=$(s("--st-background-color","#ffffff")),o=$(s("--st\
-text-color","#0b0b0e"));return{background:i,ink:o,dark:i[0]+i[1]+i[2]<o[0]+o[1]+o[2],muted:S(i,o,.72),line:S(i,o,.2),dim:S(
i,o,.3),missing:S(i,o,.5),primary:$(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function V(e,t){
let i=(t?.16+.84*e:.92*e)*(H.length-1),o=Math.min(Math.floor(i),H.length-2);return S(H[o],H[o+1],i-o)}function S(e,t,s){
let i=o=>Math.round(e[o]+(t[o]-e[o])*s);return[i(0),i(1),i(2)]}function d(e,t=1){return`rgb(${e.join(" ")} / ${100*t}%)`}
var N=null;function $(e){N??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),N.fillStyle=e,N.fillRect(
0,0,1,1);let[t,s,i]=N.getImageData(0,0,1,1).data;return[t,s,i]}function ot(e,{x:t,y:s,w:i,h:o},r){e.save(),e.beginPath(),e.rect(t,s,i,o),e.clip(),r(),e.restore()}function I(e,[t,s],i){
e.beginPath(),e.arc(t,s,i,0,2*Math.PI),e.fill()}function nt(e,t,[s,i],o){let[r,n]=[-1,o];for(let a=0;a<e;a++){let[h,l]=t(
a),c=Math.hypot(h-s,l-i);c<n&&([r,n]=[a,c])}return r}function E(e,t,{colour:s,width:i,halo:o},r){let n=[[t.background,i+
o],[s,i]];for(let[a,h]of n)e.beginPath(),r(),e.lineWidth=h,e.strokeStyle=d(a),e.stroke()}function D(e,t){return(s,i,o,{align:r="\
left",colour:n=t.muted,weight:a=400,halo:h=!1}={})=>{e.font=`${a} 11.5px ${t.font}`,e.textAlign=r,e.fillStyle=d(n),h&&(e.
strokeStyle=d(t.background),e.lineWidth=4,e.lineJoin="round",e.strokeText(s,i,o)),e.fillText(s,i,o)}}var[rt,Mt,at,yt]=[46,10,16,34],ht={across:40,up:28},kt=[1,2,5,10],St=12,_=[[],[7,3],[2,3],[9,3,2,3]];function ft(e,t,s,i){
let{title:o="",titles:r,lines:n,hasZero:a,at:h,rug:l=[]}=i,c=D(e,t),u=n.filter(({name:f})=>f),p=at*((i.names??u.length)+
+(o!==""))+10,[M,T]=[s.x+rt,s.y+p],[y,g]=[s.w-rt-Mt,s.h-yt-p],[q,w]=[M+y,T+g],x=ct(n.map(({x:f})=>f)),W=Tt(ct([...n.map(
({y:f})=>f),a?[0]:[]])),L=f=>M+y*(f-x[0])/(x[1]-x[0]||1),G=f=>w-g*(f-W[0])/(W[1]-W[0]);c(o,s.x,s.y+12,{weight:600,colour:t.
ink}),e.strokeStyle=d(S(t.background,t.ink,.45)),e.lineWidth=1,e.strokeRect(M+.5,T+.5,y-1,g-1);for(let{value:f,text:b}of lt(
x,y/ht.across))c(b,Math.min(L(f),q-8),w+14,{align:"center"});for(let{value:f,text:b}of lt(W,g/ht.up))c(b,M-5,G(f)+4,{align:"\
right"});c(r[0],M+y/2,w+29,{align:"center"}),e.save(),e.translate(s.x+12,T+g/2),e.rotate(-Math.PI/2),c(r[1],0,0,{align:"\
center"}),e.restore(),ot(e,{x:M,y:T,w:y,h:g},()=>{for(let f of Array.from(l))X(e,d(t.ink,.18),L(f),w,-7);h!==void 0&&X(e,
d(t.muted),L(h),w,-g),n.forEach(({colour:f,mark:b,...k},A)=>{if(e.setLineDash(_[A%_.length]),E(e,t,{colour:f,width:2,halo:2},
()=>{for(let v=0;v<k.x.length;v++)Number.isFinite(k.y[v])&&e.lineTo(L(k.x[v]),G(k.y[v]))}),e.setLineDash([]),!b)return;let[
et,B]=[L(b[0]),G(b[1])];e.setLineDash([3,3]),X(e,d(t.muted),et,B,w-B),e.setLineDash([]),e.fillStyle=d(f),I(e,[et,B],5)})}),
u.forEach(({name:f,colour:b},k)=>{let A=s.y+at*(k+(o?1:0))+8;e.strokeStyle=d(b),e.lineWidth=2,e.setLineDash(_[k%_.length]),
e.beginPath(),e.moveTo(s.x,A),e.lineTo(s.x+24,A),e.stroke(),e.setLineDash([]),c(f,s.x+30,A+4,{colour:t.ink})})}function X(e,t,s,i,o){
e.strokeStyle=t,e.lineWidth=1,e.beginPath(),e.moveTo(s,i),e.lineTo(s,i+o),e.stroke()}function ct(e){let t=e.flatMap(s=>Array.
from(s)).filter(Number.isFinite);return[Math.min(...t),Math.max(...t)]}function Tt([e,t]){let s=Math.max(.1-(t-e)/2,.06*
(t-e));return[e-s,t+s]}function lt([e,t],s){let i=(t-e)/s,o=10**Y(i),r=o*(kt.find(h=>h*o>=i)??10),[n,a]=[Math.ceil(e/r),
Math.floor(t/r)];return Array.from({length:a-n+1},(h,l)=>{let c=(n+l)*r;return{value:c,text:xt(c,r)}})}function xt(e,t){
let s=e?Y(e)-Y(t)+1:1,i=Math.min(St,Math.max(1,s));return e.toLocaleString("en",{maximumSignificantDigits:i})}function Y(e){
return Math.floor(Math.log10(Math.abs(e)))}var Z=14,F=245,Lt=380,dt=[["#0072b2","#56b4e9"],["#b07000","#e69f00"],["#008060","#00b287"],["#d55e00","#f08030"]].map(e=>e.
map($));function Q(e){return e>Lt?2:1}function At({frames:e,bins:t}){let s=(n,a,h)=>[n,a,e.map(h)],i=t.map((n,a)=>s(n,a,
({norms:h})=>h[a]));e[0].unused_norm!==null&&i.push(s("never occur",3,n=>n.unused_norm));let o=[s("mean cosine",0,({mean_cosine:n})=>n),
s("|rho| with frequency",2,({frequency_rho:n})=>n)],r=[s("mean cosine",0,({random_cosine:n})=>n),s("rho with people",3,({
rho:n})=>n)];return[["Words: cone, frequency",o],["Words: mean norm",i],["Sentences: cone, rho",r],["Loss, nats",[s("mas\
ked words",0,({loss:n})=>n)]]]}function mt(e,t,s,i){let o=Q(e.clientWidth),r=(e.clientWidth-(o-1)*Z)/o,n=s.frames.map(({
step:c})=>c),a=n.filter(c=>c<=i+1e-6).length-1,h=At(s),l=Math.max(...h.map(([,c])=>c.length));h.forEach(([c,u],p)=>{let[
M,T]=[p%o*(r+Z),Math.floor(p/o)*F],y={x:M,y:T,w:r,h:F-Z};ft(O(e),t,y,{title:c,titles:["step",""],at:i,hasZero:!0,names:o>
1?l:u.length,lines:u.map(([g,q,w])=>({name:`${g}: ${w[a]?.toFixed(2)??"-"}`,colour:dt[q%dt.length][t.dark?1:0],x:n,y:w.map(
x=>x??Number.NaN)}))})})}var U=class{constructor({words:t,counts:s,bins:i,frames:o}){this.words=t,this.counts=s,this.bins=i,this.frames=o,this.places=
o.map(({places:a})=>Float32Array.from(a.split(" "),h=>Number(h)/1e3)),this.shares=vt(s),this.reach={low:[0,0],high:[0,0]};
let{low:r,high:n}=this.reach;for(let a of this.places)a.forEach((h,l)=>{r[l%2]=Math.min(r[l%2],h),n[l%2]=Math.max(n[l%2],
h)})}get last(){return this.frames.length-1}frame(t){return this.frames[Math.min(this.last,Math.floor(t+1e-6))]}#s(t){let s=Math.
min(this.last,Math.floor(t));return{from:s,to:Math.min(this.last,s+1),share:t-s}}step(t){let{from:s,to:i,share:o}=this.#s(
t),{step:r}=this.frames[s];return r+o*(this.frames[i].step-r)}at(t){let{from:s,to:i,share:o}=this.#s(t),r=this.places[i];
return this.places[s].map((n,a)=>n+o*(r[a]-n))}};function vt(e){let t=Math.log(Math.max(2,...e));return e.map(s=>s>0?Math.
log(s)/t:null)}var[j,ut,Ot,$t]=[26,46,2.6,14],Et=4,Rt=[213,94,0],R=class{constructor(t,s,i,o){this.context=O(t),this.theme=s,this.write=
D(this.context,s),this.reel=i,this.position=o,this.places=i.at(o),this.width=t.clientWidth,this.height=t.clientHeight;let{
low:r,high:n}=i.reach,[a,h]=[this.width-2*j,this.height-j-ut];this.scale=Math.min(a/(n[0]-r[0]||1),h/(n[1]-r[1]||1)),this.
left=this.width/2-this.scale*(r[0]+n[0])/2,this.base=j+h/2+this.scale*(r[1]+n[1])/2}pixel(t,s){return[this.left+this.scale*
t,this.base-this.scale*s]}#s(t,s=this.places){return this.pixel(s[2*t],s[2*t+1])}draw(t){this.#t(),this.reel.shares.forEach(
(s,i)=>{this.#e(s,...this.#s(i))}),this.#i(),t>=0&&this.#h(t),this.#o()}#t(){let{context:t,theme:s,width:i,height:o}=this,
[r,n]=this.pixel(0,0);t.strokeStyle=d(s.line),t.lineWidth=1,t.beginPath(),t.moveTo(r,0),t.lineTo(r,o-ut+18),t.moveTo(0,n),
t.lineTo(i,n),t.stroke(),this.write("↑ along the mean direction of the shown words",4,12),this.write("origin",i-4,n-4,
{align:"right"}),this.write("→ direction of largest variance orthogonal to it",i-4,o-32,{align:"right"})}#e(t,s,i,o=3){
let{context:r,theme:n}=this;t===null?(r.beginPath(),r.strokeStyle=d(Rt),r.lineWidth=1.4,r.moveTo(s-o,i-o),r.lineTo(s+o,i+
o),r.moveTo(s-o,i+o),r.lineTo(s+o,i-o),r.stroke()):(r.fillStyle=d(V(t,n.dark)),I(r,[s,i],Ot))}#i(){let{words:t,counts:s}=this.
reel;for(let o=0;o<Et;o++)this.#r(o,t[o]);let i=s.indexOf(0);i>=0&&this.#r(i,"words that never occur")}#r(t,s){let[i,o]=this.#s(
t);this.write(s,i+6,o+4,{colour:this.theme.ink,halo:!0})}#h(t){let{context:s,theme:i,reel:o,places:r}=this,n=[...o.places.
slice(0,Math.floor(this.position)+1),r];E(s,i,{colour:i.ink,width:1.5,halo:2},()=>{for(let a of n)s.lineTo(...this.#s(t,
a))}),E(s,i,{colour:i.ink,width:2,halo:2},()=>{s.arc(...this.#s(t),5,0,2*Math.PI)}),this.#r(t,tt(o,t))}#o(){let{context:t,
theme:s,reel:i}=this,[o,r,n]=[this.height-14,j,Math.min(150,this.width/3)];for(let h=0;h<n;h++)t.fillStyle=d(V(h/n,s.dark)),
t.fillRect(r+h,o,1.5,9);let a=`${z(Math.max(...i.counts))} times`;this.write("once",r,o-4),this.write(a,r+n,o-4,{align:"\
right"}),this.#e(null,r+n+24,o+4,4),this.write("never occurs",r+n+34,o+8)}nearest(t,s){return nt(this.places.length/2,i=>this.#s(
i),[t,s],$t)}};function tt({words:e,counts:t},s){let i=t[s]===1?"once":`${z(t[s])} times`;return t[s]?`${e[s]}: ${i}`:"n\
ever occurs"}var Wt=220,Pt=400,[Ct,Ht]=[760,560],Nt=4,st=class{#s=new C;#t=0;#e=-1;#i=!1;#r="";#h=!1;#o=null;#c=m("canvas",{class:"wo\
rds",tabindex:0,role:"img",onpointermove:t=>this.#y(t),onpointerdown:t=>this.#y(t),onpointerleave:()=>this.#k(-1),onkeydown:t=>this.#S(
t)});#f=m("canvas",{class:"charts",role:"img"});#m=P("Play","Play the training from where it is",()=>this.#b());#u=P("Ba\
ck","One frame back",()=>this.#l(Math.ceil(this.#t)-1));#p=P("Forward","One frame on",()=>this.#l(Math.floor(this.#t+1e-6)+
1));#d=m("input",{type:"range",min:0,step:1,"aria-label":"Frame of the training",oninput:()=>this.#l(Number(this.#d.value))});#g=m(
"output");#w=new ResizeObserver(()=>this.#n());constructor(t){this.root=t;let s=[this.#m,this.#u,this.#p,this.#d,this.#g];
t.replaceChildren(m("div",{class:"row"},s),m("div",{class:"panes"},[this.#c,this.#f])),this.#w.observe(t)}get#a(){return this.#o?.
last??0}load({run:t,is_live:s,recording:i}){let o=t!==this.#r,r=s||this.#h;[this.#r,this.#h]=[t,s],(o||r)&&(this.#o=new U(
i)),o&&([this.#t,this.#e]=[0,-1]);let n=matchMedia("(prefers-reduced-motion: reduce)").matches;r?this.#M(this.#a,Pt):o&&
n?this.#t=this.#a:o&&this.#b(),this.#n()}#b(){if(this.#i)return this.#l(this.#t);this.#t>=this.#a&&(this.#t=0),this.#M(this.#a,
Wt*(this.#a-this.#t)),this.#i=!0,this.#n()}#M(t,s){let i=o=>{this.#t=o,this.#n()};this.#s.start(this.#t,t,s,i,()=>{this.#i=
!1,this.#n()})}#l(t){this.#s.stop(),this.#i=!1,this.#t=Math.max(0,Math.min(this.#a,t)),this.#n()}#S(t){let s={ArrowLeft:-1,
ArrowRight:1}[t.key];!s||t.ctrlKey||t.metaKey||t.altKey||(t.preventDefault(),this.#l(Math.round(this.#t)+s))}#y({offsetX:t,
offsetY:s}){if(!this.#o)return;let i=new R(this.#c,J(this.root),this.#o,this.#t);this.#k(i.nearest(t,s))}#k(t){t!==this.#e&&
(this.#e=t,this.#n())}#n(){let[t,s]=[this.#o,this.root.clientWidth];if(!t||!s)return;let i=s>Ct,o=i?Math.floor((s-24)/2):
s,r=F*(Nt/Q(o));K(this.#c,o,i?r:Math.min(Ht,1.15*s)),K(this.#f,o,r);let n=J(this.root),a=t.step(this.#t);new R(this.#c,n,
t,this.#t).draw(this.#e),mt(this.#f,n,t,a),this.#T(t,Math.round(a))}#T(t,s){let{mean_cosine:i,loss:o}=t.frame(this.#t),r=this.#e<
0?"":`; ${tt(t,this.#e)}`,n=`mean cosine of two words ${i.toFixed(2)}`,a=`${n}, loss ${o.toFixed(2)} nats`;this.#m.textContent=
this.#i?"Pause":"Play",this.#d.max=String(t.last),this.#d.value=String(Math.round(this.#t)),this.#u.disabled=this.#t<=0,
this.#p.disabled=this.#t>=t.last,this.#m.disabled=this.#h||t.last<1,this.#g.textContent=`step ${s}: ${a}`,this.#c.ariaLabel=
`Words after ${s} steps of training: ${n}${r}`,this.#f.ariaLabel=`Measures up to step ${t.frames[t.last].step}; ${a}`,Object.
assign(this.root.dataset,{frames:t.frames.length,position:this.#t})}close(){this.#s.stop(),this.#w.disconnect()}},cs=it(
{name:"newborn",show:e=>new st(e),state:"report",file:{data:e=>({run:"stored",is_live:!1,recording:JSON.parse(new TextDecoder().
decode(e))})}});export{st as NewbornView,cs as default};
