function u(i,{text:t,...s}={},e=[]){let o=document.createElement(i);for(let[n,r]of Object.entries(s))typeof r=="function"?
o.addEventListener(n.slice(2),r):r!==null&&o.setAttribute(n,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function A(i,t,s){return u("button",{type:"button",text:i,title:t,onclick:s})}function k(i){return i.getContext("2d")}function J(i){let t=globalThis.document?.querySelector("script#payload");t&&ht(i,t.textContent??"");let s=at(i);return e=>e?
s(e):{render:o=>ct(i,o)}}function rt(i,t){i.calls+=1;let s=i.calls;return()=>{i.calls===s&&t()}}function at({name:i,state:t,
show:s}){let e=new WeakMap;return({data:o,parentElement:n,setStateValue:r})=>{let a=n.querySelector(`.${i}`),h=e.get(a)??
{shown:s(a),calls:0};return e.set(a,h),h.shown.load(o,c=>r(t,c)),rt(h,()=>h.shown.close?.())}}function ht({name:i,show:t,
file:s},e){if(!s)return;let o=t(document.querySelector(`.${i}`)),n=Uint8Array.from(atob(e.trim()),a=>a.charCodeAt(0)),r=()=>o.
load(s.data(n),s.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function ct({
name:i,show:t,cell:s},{model:e,el:o}){if(!s)return;let[n,r]=[u("div"),u("div",{class:i})],a=u("style",{text:String(e.get(
"sheet"))});n.attachShadow({mode:"open"}).append(a,r),o.append(n);let h=t(r),c=()=>h.load(s.data(e.get(s.trait)),l=>{for(let[
f,w]of Object.entries(s.traits(l,h)))e.set(f,w);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),h.close?.()}}var lt=new TextDecoder;function K(i){return lt.decode(i)}function H(i,t,s){let e=devicePixelRatio||1;Object.assign(i,{width:t*e,height:s*e}),Object.assign(i.style,{width:`${t}px`,
height:`${s}px`}),k(i).scale(e,e)}var O=class{#s=0;start(t,s,e,o,n=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let l=Math.min(1,Math.max(0,(c-a)/e)),f=r&&e<=600?1:l,w=f===1?s:t+f*(s-t);o(r?Math.round(w):w),f<1?this.#s=requestAnimationFrame(
h):n()};this.#s=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#s)}};var v=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function D(i){
let t=getComputedStyle(i),s=(n,r)=>t.getPropertyValue(n).trim()||r,e=I(s("--st-background-color","#ffffff")),o=I(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:b(e,o,.72),line:b(e,o,.2),dim:b(
e,o,.3),missing:b(e,o,.5),primary:I(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function F(i,t){
let e=(t?.16+.84*i:.92*i)*(v.length-1),o=Math.min(Math.floor(e),v.length-2);return b(v[o],v[o+1],e-o)}function b(i,t,s){
let e=o=>Math.round(i[o]+(t[o]-i[o])*s);return[e(0),e(1),e(2)]}function m(i,t=1){return`rgb(${i.join(" ")} / ${100*t}%)`}
var $=null;function I(i){$??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),$.fillStyle=i,$.fillRect(
0,0,1,1);let[t,s,e]=$.getImageData(0,0,1,1).data;return[t,s,e]}function Z(i,{x:t,y:s,w:e,h:o},n){i.save(),i.beginPath(),i.rect(t,s,e,o),i.clip(),n(),i.restore()}function T(i,t,{colour:s,
width:e,halo:o},n){let r=[[t.background,e+o],[s,e]];for(let[a,h]of r)i.beginPath(),n(),i.lineWidth=h,i.strokeStyle=m(a),
i.stroke()}function S(i,t){return(s,e,o,{align:n="left",colour:r=t.muted,weight:a=400,halo:h=!1}={})=>{i.font=`${a} 11.5\
px ${t.font}`,i.textAlign=n,i.fillStyle=m(r),h&&(i.strokeStyle=m(t.background),i.lineWidth=4,i.lineJoin="round",i.strokeText(
s,e,o)),i.fillText(s,e,o)}}var ft=[1,2,5,10],dt=12;function U([i,t],s){let e=(t-i)/s,o=10**_(e),n=o*(ft.find(h=>h*o>=e)??10),[r,a]=[Math.ceil(i/n),
Math.floor(t/n)];return Array.from({length:a-r+1},(h,c)=>{let l=(r+c)*n;return{value:l,text:mt(l,n)}})}function mt(i,t){
let s=i?_(i)-_(t)+1:1,e=Math.min(dt,Math.max(1,s));return i.toLocaleString("en",{maximumSignificantDigits:e})}function _(i){
return Math.floor(Math.log10(Math.abs(i)))}var[q,ut,Q,pt]=[46,10,16,34],X={across:40,up:28},E=[[],[7,3],[2,3],[9,3,2,3]];function tt(i,t,s,e){let{title:o="",lines:n,
hasZero:r,at:a,rug:h}=e,c=n.filter(({name:d})=>d),l=(e.names??c.length)+ +(o!==""),[f,w]=[s.x+q,s.y+Q*l+10],p={x:f,y:w,w:s.
w-q-ut,h:s.y+s.h-pt-w},M=Y(n.map(d=>d.x)),g=bt(Y([...n.map(d=>d.y),r?[0]:[]])),y=(d,x)=>[p.x+p.w*(d-M[0])/(M[1]-M[0]||1),
p.y+p.h*(g[1]-x)/(g[1]-g[0])];S(i,t)(o,s.x,s.y+12,{weight:600,colour:t.ink}),wt(i,t,p,e.titles,M,g),Z(i,p,()=>{for(let d of Array.
from(h??[]))G(i,m(t.ink,.18),y(d,g[0]),-7);a!==void 0&&G(i,m(t.muted),y(a,g[0]),-p.h),n.forEach((d,x)=>{i.setLineDash(E[x%
E.length]),gt(i,t,d,y),i.setLineDash([]),d.mark&&yt(i,t,d,y,p)})}),c.forEach(({name:d,colour:x},z)=>{let C=s.y+Q*(z+(o?1:
0))+8;i.strokeStyle=m(x),i.lineWidth=2,i.setLineDash(E[z%E.length]),i.beginPath(),i.moveTo(s.x,C),i.lineTo(s.x+24,C),i.stroke(),
i.setLineDash([]),S(i,t)(d,s.x+30,C+4,{colour:t.ink})})}function wt(i,t,s,e,o,n){let r=S(i,t),[a,h]=[s.x+s.w,s.y+s.h];i.
strokeStyle=m(b(t.background,t.ink,.45)),i.lineWidth=1,i.strokeRect(s.x+.5,s.y+.5,s.w-1,s.h-1);for(let{value:c,text:l}of U(
o,s.w/X.across)){let f=s.x+s.w*(c-o[0])/(o[1]-o[0]||1);r(l,Math.min(f,a-8),h+14,{align:"center"})}for(let{value:c,text:l}of U(
n,s.h/X.up)){let f=h-s.h*(c-n[0])/(n[1]-n[0]);r(l,s.x-5,f+4,{align:"right"})}r(e[0],s.x+s.w/2,h+29,{align:"center"}),i.save(),
i.translate(s.x-q+12,s.y+s.h/2),i.rotate(-Math.PI/2),r(e[1],0,0,{align:"center"}),i.restore()}function gt(i,t,{x:s,y:e,colour:o},n){
T(i,t,{colour:o,width:2,halo:2},()=>{Array.from(s,(r,a)=>Number.isFinite(e[a])&&i.lineTo(...n(r,e[a])))})}function yt(i,t,{
mark:s,colour:e},o,n){let[r,a]=o(...s);i.setLineDash([3,3]),G(i,m(t.muted),[r,a],n.y+n.h-a),i.setLineDash([]),i.fillStyle=
m(e),i.beginPath(),i.arc(r,a,5,0,2*Math.PI),i.fill()}function G(i,t,[s,e],o){i.strokeStyle=t,i.lineWidth=1,i.beginPath(),
i.moveTo(s,e),i.lineTo(s,e+o),i.stroke()}function Y(i){let t=i.flatMap(s=>Array.from(s)).filter(Number.isFinite);return[
Math.min(...t),Math.max(...t)]}function bt([i,t]){let s=Math.max(.1-(t-i)/2,.06*(t-i));return[i-s,t+s]}var j=14,W=245,Mt=380,st=[[[0,114,178],[86,180,233]],[[176,112,0],[230,159,0]],[[0,128,96],[0,178,135]],[[213,94,0],[240,
128,48]]];function B(i){return i>Mt?2:1}function et(i,t,s,e,o){let n=B(i.clientWidth),r=(i.clientWidth-(n-1)*j)/n,a=e.filter(
c=>c<=o+1e-6).length-1,h=Math.max(...s.map(({lines:c})=>c.length));s.forEach(({title:c,lines:l},f)=>{let[w,p]=[f%n*(r+j),
Math.floor(f/n)*W];tt(k(i),t,{x:w,y:p,w:r,h:W-j},{title:c,titles:["step",""],at:o,names:n>1?h:l.length,hasZero:!0,lines:l.
map(({name:M,colour:g,values:y})=>({name:`${M}: ${y[a]?.toFixed(2)??"-"}`,colour:st[g%st.length][t.dark?1:0],x:e,y:y.map(
d=>d??Number.NaN)}))})})}var P=class{constructor(t){this.words=t.words,this.counts=t.counts,this.bins=t.bins,this.frames=t.frames,this.places=t.frames.
map(({places:s})=>Float32Array.from(s.split(" "),e=>Number(e)/1e3)),this.shares=kt(t.counts),this.reach=St(this.places)}get last(){
return this.frames.length-1}frame(t){return this.frames[Math.min(this.last,Math.floor(t+1e-6))]}step(t){let s=Math.min(this.
last,Math.floor(t)),[e,o]=[this.frames[s],this.frames[Math.min(this.last,s+1)]];return e.step+(t-s)*(o.step-e.step)}at(t){
let s=Math.min(this.last,Math.floor(t)),e=t-s,o=this.places[s],n=this.places[Math.min(this.last,s+1)];return e>0?o.map((r,a)=>r+
e*(n[a]-r)):o}charts(){let{frames:t,bins:s}=this,e=(n,r,a)=>({name:n,colour:r,values:t.map(a)}),o=s.map((n,r)=>e(n,r,({norms:a})=>a[r]));
return t[0].unused_norm!==null&&o.push(e("never occur",3,({unused_norm:n})=>n)),[{title:"Words: cone, frequency",lines:[
e("mean cosine",0,({mean_cosine:n})=>n),e("|rho| with frequency",2,({frequency_rho:n})=>n)]},{title:"Words: mean norm",lines:o},
{title:"Sentences: cone, rho",lines:[e("mean cosine",0,({random_cosine:n})=>n),e("rho with people",3,({rho:n})=>n)]},{title:"\
Loss, nats",lines:[e("masked words",0,({loss:n})=>n)]}]}};function kt(i){let t=Math.log(Math.max(2,...i));return i.map(s=>s>
0?Math.log(s)/t:null)}function St(i){let[t,s]=[[0,0],[0,0]];for(let e of i)e.forEach((o,n)=>{t[n%2]=Math.min(t[n%2],o),s[n%
2]=Math.max(s[n%2],o)});return{low:t,high:s}}var[R,it,xt,Tt]=[26,46,2.6,14],Lt=4,ot=[213,94,0],L=class{constructor(t,s,e){this.context=k(t),this.theme=s,this.write=S(
this.context,s),this.reel=e,this.width=t.clientWidth,this.height=t.clientHeight;let{low:o,high:n}=e.reach,[r,a]=[this.width-
2*R,this.height-R-it];this.scale=Math.min(r/(n[0]-o[0]||1),a/(n[1]-o[1]||1)),this.left=this.width/2-this.scale*(o[0]+n[0])/
2,this.base=R+a/2+this.scale*(o[1]+n[1])/2}pixel(t,s){return[this.left+this.scale*t,this.base-this.scale*s]}draw(t,s){let e=this.
reel.at(t);this.#s(),this.#t(e),this.#i(e),s>=0&&this.#h(t,s,e),this.#r()}#s(){let{context:t,theme:s}=this,[e,o]=this.pixel(
0,0);t.strokeStyle=m(s.line),t.lineWidth=1,t.beginPath(),t.moveTo(e,0),t.lineTo(e,this.height-it+18),t.moveTo(0,o),t.lineTo(
this.width,o),t.stroke(),this.write("↑ along the mean direction of the shown words",4,12),this.write("origin",this.width-
4,o-4,{align:"right"}),this.write("→ where words differ most beside it",this.width-4,this.height-32,{align:"right"})}#t(t){
let{context:s,theme:e}=this;this.reel.shares.forEach((o,n)=>{let[r,a]=this.pixel(t[2*n],t[2*n+1]);s.beginPath(),o===null?
(s.strokeStyle=m(ot),s.lineWidth=1.4,nt(s,r,a,3),s.stroke()):(s.fillStyle=m(F(o,e.dark)),s.arc(r,a,xt,0,2*Math.PI),s.fill())})}#i(t){
let s=this.reel.counts.indexOf(0);for(let e=0;e<Lt;e++)this.#e(t,e,this.reel.words[e]);s>=0&&this.#e(t,s,"words that nev\
er occur")}#e(t,s,e){let[o,n]=this.pixel(t[2*s],t[2*s+1]);this.write(e,o+6,n+4,{colour:this.theme.ink,halo:!0})}#h(t,s,e){
let{context:o,theme:n,reel:r}=this,a=r.places.slice(0,Math.floor(t)+1),h=n.ink;T(o,n,{colour:h,width:1.5,halo:2},()=>{for(let f of[
...a,e])o.lineTo(...this.pixel(f[2*s],f[2*s+1]))});let[c,l]=this.pixel(e[2*s],e[2*s+1]);T(o,n,{colour:h,width:2,halo:2},
()=>{o.arc(c,l,5,0,2*Math.PI)}),this.#e(e,s,V(r,s))}#r(){let{context:t,theme:s,reel:e}=this,[o,n,r]=[this.height-14,R,Math.
min(150,this.width/3)];for(let a=0;a<r;a++)t.fillStyle=m(F(a/r,s.dark)),t.fillRect(n+a,o,1.5,9);this.write("once",n,o-4),
this.write(`${Math.max(...e.counts).toLocaleString("en")} times`,n+r,o-4,{align:"right"}),t.strokeStyle=m(ot),t.lineWidth=
1.4,t.beginPath(),nt(t,n+r+24,o+4,4),t.stroke(),this.write("never occurs",n+r+34,o+8)}nearest(t,s,e){let o=this.reel.at(
e),[n,r]=[Tt**2,-1];for(let a=0;2*a<o.length;a++){let[h,c]=this.pixel(o[2*a],o[2*a+1]),l=(h-t)**2+(c-s)**2;l<n&&([n,r]=[
l,a])}return r}};function V({words:i,counts:t},s){let e=t[s]===1?"once":`${t[s].toLocaleString("en")} times`;return t[s]?
`${i[s]}: ${e}`:"never occurs"}function nt(i,t,s,e){i.moveTo(t-e,s-e),i.lineTo(t+e,s+e),i.moveTo(t-e,s+e),i.lineTo(t+e,s-
e)}var At=220,Ot=400,[vt,$t]=[760,560],Et=4,N=class{#s=new O;#t=0;#i=-1;#e=!1;#h="";#r=!1;#o=null;constructor(t){this.root=
t,this.words=u("canvas",{class:"words",tabindex:0,role:"img",onpointermove:e=>this.#f(e),onpointerdown:e=>this.#f(e),onpointerleave:()=>this.#d(
-1),onkeydown:e=>this.#u(e)}),this.charts=u("canvas",{class:"charts",role:"img"}),this.play=A("Play","Play the training \
from where it is",()=>this.#c()),this.back=A("Back","One frame back",()=>this.#a(Math.ceil(this.#t)-1)),this.forward=A("\
Forward","One frame on",()=>this.#a(Math.floor(this.#t+1e-6)+1)),this.slider=u("input",{type:"range",min:0,step:1,"aria-\
label":"Frame of the training",oninput:()=>this.#a(Number(this.slider.value))}),this.text=u("output");let s=[this.play,this.
back,this.forward,this.slider,this.text];t.replaceChildren(u("div",{class:"row"},s),u("div",{class:"panes"},[this.words,
this.charts])),this.watcher=new ResizeObserver(()=>this.#n()),this.watcher.observe(t)}load({run:t,is_live:s,recording:e}){
let o=t!==this.#h,n=s||this.#r;[this.#h,this.#r]=[t,s],(o||n)&&(this.#o=new P(e)),o&&([this.#t,this.#i]=[0,-1]),n?this.#l(
this.#o?.last??0,Ot):o&&this.#m(),this.#n()}#m(){let{last:t}=this.#o??{last:0};matchMedia("(prefers-reduced-motion: redu\
ce)").matches?this.#t=t:this.#c()}#c(){let{last:t}=this.#o??{last:0};if(this.#e)return this.#a(this.#t);this.#t>=t&&(this.#t=
0),this.#l(t,At*(t-this.#t)),this.#e=!0,this.#n()}#l(t,s){let e=o=>{this.#t=o,this.#n()};this.#s.start(this.#t,t,s,e,()=>{
this.#e=!1,this.#n()})}#a(t){this.#s.stop(),this.#e=!1,this.#t=Math.max(0,Math.min(this.#o?.last??0,t)),this.#n()}#u(t){
let s={ArrowLeft:-1,ArrowRight:1}[t.key];!s||t.ctrlKey||t.metaKey||t.altKey||(t.preventDefault(),this.#a(Math.round(this.#t)+
s))}#f({offsetX:t,offsetY:s}){if(!this.#o)return;let e=new L(this.words,D(this.root),this.#o);this.#d(e.nearest(t,s,this.#t))}#d(t){
t!==this.#i&&(this.#i=t,this.#n())}#n(){let t=this.#o;if(!t||!this.root.clientWidth)return;this.#p();let s=D(this.root);
new L(this.words,s,t).draw(this.#t,this.#i);let e=t.frames.map(({step:n})=>n),o=t.step(this.#t);et(this.charts,s,t.charts(),
e,o),this.#w(t,o)}#p(){let t=this.root.clientWidth,s=t>vt,e=s?Math.floor((t-24)/2):t,o=W*(Et/B(e));H(this.words,e,s?o:Math.
min($t,1.15*t)),H(this.charts,e,o)}#w(t,s){let{mean_cosine:e,loss:o}=t.frame(this.#t),n=this.#i<0?"":`; ${V(t,this.#i)}`;
this.play.textContent=this.#e?"Pause":"Play",this.slider.max=String(t.last),this.slider.value=String(Math.round(this.#t)),
this.back.disabled=this.#t<=0,this.forward.disabled=this.#t>=t.last,this.play.disabled=this.#r||t.last<1;let r=`mean cos\
ine of two words ${e.toFixed(2)}`;this.text.textContent=`step ${Math.round(s)}: ${r}, loss ${o.toFixed(2)} nats`,this.words.
ariaLabel=`Words after ${Math.round(s)} steps of training: ${r}${n}`,this.charts.ariaLabel=`Measures up to step ${t.frames[t.
last].step}; ${r}, loss ${o.toFixed(2)} nats`,this.root.dataset.frames=String(t.frames.length),this.root.dataset.position=
String(this.#t)}close(){this.#s.stop(),this.watcher.disconnect()}};var fs=J({name:"newborn",show:i=>new N(i),state:"report",file:{data:i=>({run:"stored",is_live:!1,recording:JSON.parse(K(
i))})}});export{fs as default};
