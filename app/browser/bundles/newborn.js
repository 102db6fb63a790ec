function st(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function G(o,t,s){let e=new WeakMap;return({data:i,
parentElement:n,setStateValue:r})=>{let h=n.querySelector(o),a=e.get(h)??{shown:s(h),calls:0};return e.set(h,a),a.shown.
load(i,c=>r(t,c)),st(a,()=>a.shown.close?.())}}function u(o,{text:t,...s}={},e=[]){let i=document.createElement(o);for(let[n,r]of Object.entries(s))typeof r=="function"?
i.addEventListener(n.slice(2),r):r!==null&&i.setAttribute(n,String(r));return t!==void 0&&(i.textContent=t),i.append(...e),
i}function b(o,t,s){return u("button",{type:"button",text:o,title:t,onclick:s})}function g(o){return o.getContext("2d")}function R(o,t,s){let e=devicePixelRatio||1;Object.assign(o,{width:t*e,height:s*e}),Object.assign(o.style,{width:`${t}px`,
height:`${s}px`}),g(o).scale(e,e)}var k=class{#e=0;start(t,s,e,i,n=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,h=performance.
now(),a=c=>{let m=Math.min(1,Math.max(0,(c-h)/e)),l=r&&e<=600?1:m,p=l===1?s:t+l*(s-t);i(r?Math.round(p):p),l<1?this.#e=requestAnimationFrame(
a):n()};this.#e=requestAnimationFrame(a)}stop(){cancelAnimationFrame(this.#e)}};var S=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function P(o){
let t=getComputedStyle(o),s=(n,r)=>t.getPropertyValue(n).trim()||r,e=E(s("--st-background-color","#ffffff")),i=E(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:i,dark:e[0]+e[1]+e[2]<i[0]+i[1]+i[2],muted:y(e,i,.72),line:y(e,i,.2),dim:y(
e,i,.3),missing:y(e,i,.5),primary:E(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function C(o,t){
let e=(t?.16+.84*o:.92*o)*(S.length-1),i=Math.min(Math.floor(e),S.length-2);return y(S[i],S[i+1],e-i)}function y(o,t,s){
let e=i=>Math.round(o[i]+(t[i]-o[i])*s);return[e(0),e(1),e(2)]}function f(o,t=1){return`rgb(${o.join(" ")} / ${100*t}%)`}
var T=null;function E(o){T??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),T.fillStyle=o,T.fillRect(
0,0,1,1);let[t,s,e]=T.getImageData(0,0,1,1).data;return[t,s,e]}var[j,et,q,it,H]=[34,8,16,20,14],A=245,B=.02,ot=380,K=[[],[7,3],[2,3],[9,3,2,3]],z=[[[0,114,178],[86,180,233]],[[176,112,
0],[230,159,0]],[[0,128,96],[0,178,135]],[[213,94,0],[240,128,48]]];function N(o){return o>ot?2:1}function V(o,t,s,e,i){
let n=N(o.clientWidth),r=(o.clientWidth-(n-1)*H)/n,h=Math.max(...s.map(({lines:a})=>a.length));s.forEach((a,c)=>{let m=n>
1?h:a.lines.length,p={x:c%n*(r+H),y:Math.floor(c/n)*A,w:r,h:A-H};nt(g(o),t,a,e,i,{box:p,names:m})})}function nt(o,t,{title:s,
lines:e},i,n,{box:r,names:h}){let a=e.flatMap(d=>d.values.filter(M=>M!==null)),c=lt(Math.min(0,...a),Math.max(...a)),m=r.
y+q*(1+h)+12,l={x:r.x+j,y:m,w:r.w-j-et,h:r.y+r.h-it-m},[p,_]=[c[0],c[c.length-1]],D=i[i.length-1]||1,$=d=>l.x+l.w*d/D,U=d=>l.
y+l.h*(_-d)/(_-p||1);w(o,t,s,r.x,r.y+12,{weight:600,colour:t.ink}),at(o,t,l,c,U,D),J(o,t.muted,[[$(n),l.y],[$(n),l.y+l.h]]),
e.forEach((d,M)=>{let Z=z[d.colour%z.length][t.dark?1:0];o.strokeStyle=f(Z),o.setLineDash(K[M%K.length]),o.lineWidth=2,ht(
o,d,i,$,U);let W=r.y+q*(1.7+M);o.beginPath(),o.moveTo(r.x,W),o.lineTo(r.x+24,W),o.stroke(),o.setLineDash([]);let tt=rt(d,
i,n);w(o,t,`${d.name}: ${tt?.toFixed(2)??"-"}`,r.x+30,W+4,{})})}function rt({values:o},t,s){return o[t.filter(e=>e<=s+1e-6).
length-1]}function ht(o,{values:t},s,e,i){o.beginPath(),t.forEach((n,r)=>{n!==null&&o.lineTo(e(s[r]),i(n))}),o.stroke()}
function at(o,t,s,e,i,n){for(let h of e){let a=i(h);J(o,t.line,[[s.x,a],[s.x+s.w,a]]),w(o,t,String(h),s.x-5,a+4,{align:"\
right"})}let r=s.y+s.h+15;w(o,t,"0",s.x,r,{align:"center"}),w(o,t,"step",s.x+s.w/2,r,{align:"center"}),w(o,t,n.toLocaleString(
"en"),s.x+s.w,r,{align:"right"})}function J(o,t,[s,e]){o.strokeStyle=f(t),o.lineWidth=1,o.beginPath(),o.moveTo(...s),o.lineTo(
...e),o.stroke()}function w(o,t,s,e,i,{weight:n=400,align:r="left",colour:h=t.muted}){o.font=`${n} 12px ${t.font}`,o.textAlign=
r,o.fillStyle=f(h),o.fillText(s,e,i)}function lt(o,t){let s=(t-o||1)/4,e=10**Math.floor(Math.log10(s)),i=e*([1,2,5].find(
h=>h*e>=s)??10),[n,r]=[Math.floor(o/i+B),Math.ceil(t/i-B)];return Array.from({length:r-n+1},(h,a)=>Number(((n+a)*i).toFixed(
6)))}var L=class{constructor(t){this.words=t.words,this.counts=t.counts,this.bins=t.bins,this.frames=t.frames,this.places=t.frames.
map(({places:s})=>Float32Array.from(s.split(" "),e=>Number(e)/1e3)),this.shares=ct(t.counts),this.reach=ft(this.places)}get last(){
return this.frames.length-1}frame(t){return this.frames[Math.min(this.last,Math.floor(t+1e-6))]}step(t){let s=Math.min(this.
last,Math.floor(t)),[e,i]=[this.frames[s],this.frames[Math.min(this.last,s+1)]];return e.step+(t-s)*(i.step-e.step)}at(t){
let s=Math.min(this.last,Math.floor(t)),e=t-s,i=this.places[s],n=this.places[Math.min(this.last,s+1)];return e>0?i.map((r,h)=>r+
e*(n[h]-r)):i}charts(){let{frames:t,bins:s}=this,e=(n,r,h)=>({name:n,colour:r,values:t.map(h)}),i=s.map((n,r)=>e(n,r,({norms:h})=>h[r]));
return t[0].unused_norm!==null&&i.push(e("never occur",3,({unused_norm:n})=>n)),[{title:"Words: cone, frequency",lines:[
e("mean cosine",0,({mean_cosine:n})=>n),e("|rho| with frequency",2,({frequency_rho:n})=>n)]},{title:"Words: mean norm",lines:i},
{title:"Sentences: cone, rho",lines:[e("mean cosine",0,({random_cosine:n})=>n),e("rho with people",3,({rho:n})=>n)]},{title:"\
Loss, nats",lines:[e("masked words",0,({loss:n})=>n)]}]}};function ct(o){let t=Math.log(Math.max(2,...o));return o.map(s=>s>
0?Math.log(s)/t:null)}function ft(o){let[t,s]=[[0,0],[0,0]];for(let e of o)e.forEach((i,n)=>{t[n%2]=Math.min(t[n%2],i),s[n%
2]=Math.max(s[n%2],i)});return{low:t,high:s}}function F(o,t,{colour:s,width:e,halo:i},n){let r=[[t.background,e+i],[s,e]];for(let[h,a]of r)o.beginPath(),n(),o.lineWidth=
a,o.strokeStyle=f(h),o.stroke()}var[O,Q,mt,dt]=[26,46,2.6,14],ut=4,X=[213,94,0],x=class{constructor(t,s,e){this.context=g(t),this.theme=s,this.reel=e,this.
width=t.clientWidth,this.height=t.clientHeight;let{low:i,high:n}=e.reach,[r,h]=[this.width-2*O,this.height-O-Q];this.scale=
Math.min(r/(n[0]-i[0]||1),h/(n[1]-i[1]||1)),this.left=this.width/2-this.scale*(i[0]+n[0])/2,this.base=O+h/2+this.scale*(i[1]+
n[1])/2}pixel(t,s){return[this.left+this.scale*t,this.base-this.scale*s]}draw(t,s){let e=this.reel.at(t);this.#e(),this.#t(
e),this.#o(e),s>=0&&this.#a(t,s,e),this.#r()}#e(){let{context:t,theme:s}=this,[e,i]=this.pixel(0,0);t.strokeStyle=f(s.line),
t.lineWidth=1,t.beginPath(),t.moveTo(e,0),t.lineTo(e,this.height-Q+18),t.moveTo(0,i),t.lineTo(this.width,i),t.stroke(),this.#s(
"↑ along the mean direction of the shown words",4,12,"left"),this.#s("origin",this.width-4,i-4,"right"),this.#s("→ whe\
re words differ most beside it",this.width-4,this.height-32,"right")}#t(t){let{context:s,theme:e}=this;this.reel.shares.
forEach((i,n)=>{let[r,h]=this.pixel(t[2*n],t[2*n+1]);s.beginPath(),i===null?(s.strokeStyle=f(X),s.lineWidth=1.4,Y(s,r,h,
3),s.stroke()):(s.fillStyle=f(C(i,e.dark)),s.arc(r,h,mt,0,2*Math.PI),s.fill())})}#o(t){let s=this.reel.counts.indexOf(0);
for(let e=0;e<ut;e++)this.#i(t,e,this.reel.words[e]);s>=0&&this.#i(t,s,"words that never occur")}#i(t,s,e){let[i,n]=this.
pixel(t[2*s],t[2*s+1]),{context:r,theme:h}=this;r.font=`12px ${h.font}`,r.textAlign="left",r.lineWidth=3,r.strokeStyle=f(
h.background),r.strokeText(e,i+6,n+4),r.fillStyle=f(h.ink),r.fillText(e,i+6,n+4)}#a(t,s,e){let{context:i,theme:n,reel:r}=this,
h=r.places.slice(0,Math.floor(t)+1),a=n.ink;F(i,n,{colour:a,width:1.5,halo:2},()=>{for(let l of[...h,e])i.lineTo(...this.
pixel(l[2*s],l[2*s+1]))});let[c,m]=this.pixel(e[2*s],e[2*s+1]);F(i,n,{colour:a,width:2,halo:2},()=>{i.arc(c,m,5,0,2*Math.
PI)}),this.#i(e,s,I(r,s))}#r(){let{context:t,theme:s,reel:e}=this,[i,n,r]=[this.height-14,O,Math.min(150,this.width/3)];
for(let h=0;h<r;h++)t.fillStyle=f(C(h/r,s.dark)),t.fillRect(n+h,i,1.5,9);this.#s("once",n,i-4,"left"),this.#s(`${Math.max(
...e.counts).toLocaleString("en")} times`,n+r,i-4,"right"),t.strokeStyle=f(X),t.lineWidth=1.4,t.beginPath(),Y(t,n+r+24,i+
4,4),t.stroke(),this.#s("never occurs",n+r+34,i+8,"left")}#s(t,s,e,i){let{context:n,theme:r}=this;n.font=`11.5px ${r.font}`,
n.fillStyle=f(r.muted),n.textAlign=i,n.fillText(t,s,e)}nearest(t,s,e){let i=this.reel.at(e),[n,r]=[dt**2,-1];for(let h=0;2*
h<i.length;h++){let[a,c]=this.pixel(i[2*h],i[2*h+1]),m=(a-t)**2+(c-s)**2;m<n&&([n,r]=[m,h])}return r}};function I({words:o,
counts:t},s){let e=t[s]===1?"once":`${t[s].toLocaleString("en")} times`;return t[s]?`${o[s]}: ${e}`:"never occurs"}function Y(o,t,s,e){
o.moveTo(t-e,s-e),o.lineTo(t+e,s+e),o.moveTo(t-e,s+e),o.lineTo(t+e,s-e)}var pt=220,gt=400,[wt,yt]=[760,560],xt=4,v=class{#e=new k;#t=0;#o=-1;#i=!1;#a="";#r=!1;#s=null;constructor(t){this.root=
t,this.words=u("canvas",{class:"words",tabindex:0,role:"img",onpointermove:e=>this.#f(e),onpointerdown:e=>this.#f(e),onpointerleave:()=>this.#m(
-1),onkeydown:e=>this.#u(e)}),this.charts=u("canvas",{class:"charts",role:"img"}),this.play=b("Play","Play the training \
from where it is",()=>this.#l()),this.back=b("Back","One frame back",()=>this.#h(Math.ceil(this.#t)-1)),this.forward=b("\
Forward","One frame on",()=>this.#h(Math.floor(this.#t+1e-6)+1)),this.slider=u("input",{type:"range",min:0,step:1,"aria-\
label":"Frame of the training",oninput:()=>this.#h(Number(this.slider.value))}),this.text=u("output");let s=[this.play,this.
back,this.forward,this.slider,this.text];t.replaceChildren(u("div",{class:"row"},s),u("div",{class:"panes"},[this.words,
this.charts])),this.watcher=new ResizeObserver(()=>this.#n()),this.watcher.observe(t)}load({run:t,is_live:s,recording:e}){
let i=t!==this.#a,n=s||this.#r;[this.#a,this.#r]=[t,s],(i||n)&&(this.#s=new L(e)),i&&([this.#t,this.#o]=[0,-1]),n?this.#c(
this.#s?.last??0,gt):i&&this.#d(),this.#n()}#d(){let{last:t}=this.#s??{last:0};matchMedia("(prefers-reduced-motion: redu\
ce)").matches?this.#t=t:this.#l()}#l(){let{last:t}=this.#s??{last:0};if(this.#i)return this.#h(this.#t);this.#t>=t&&(this.#t=
0),this.#c(t,pt*(t-this.#t)),this.#i=!0,this.#n()}#c(t,s){let e=i=>{this.#t=i,this.#n()};this.#e.start(this.#t,t,s,e,()=>{
this.#i=!1,this.#n()})}#h(t){this.#e.stop(),this.#i=!1,this.#t=Math.max(0,Math.min(this.#s?.last??0,t)),this.#n()}#u(t){
let s={ArrowLeft:-1,ArrowRight:1}[t.key];!s||t.ctrlKey||t.metaKey||t.altKey||(t.preventDefault(),this.#h(Math.round(this.#t)+
s))}#f({offsetX:t,offsetY:s}){if(!this.#s)return;let e=new x(this.words,P(this.root),this.#s);this.#m(e.nearest(t,s,this.#t))}#m(t){
t!==this.#o&&(this.#o=t,this.#n())}#n(){let t=this.#s;if(!t||!this.root.clientWidth)return;this.#p();let s=P(this.root);
new x(this.words,s,t).draw(this.#t,this.#o);let e=t.frames.map(({step:n})=>n),i=t.step(this.#t);V(this.charts,s,t.charts(),
e,i),this.#g(t,i)}#p(){let t=this.root.clientWidth,s=t>wt,e=s?Math.floor((t-24)/2):t,i=A*(xt/N(e));R(this.words,e,s?i:Math.
min(yt,1.15*t)),R(this.charts,e,i)}#g(t,s){let{mean_cosine:e,loss:i}=t.frame(this.#t),n=this.#o<0?"":`; ${I(t,this.#o)}`;
this.play.textContent=this.#i?"Pause":"Play",this.slider.max=String(t.last),this.slider.value=String(Math.round(this.#t)),
this.back.disabled=this.#t<=0,this.forward.disabled=this.#t>=t.last,this.play.disabled=this.#r||t.last<1;let r=`mean cos\
ine of two words ${e.toFixed(2)}`;this.text.textContent=`step ${Math.round(s)}: ${r}, loss ${i.toFixed(2)} nats`,this.words.
ariaLabel=`Words after ${Math.round(s)} steps of training: ${r}${n}`,this.charts.ariaLabel=`Measures up to step ${t.frames[t.
last].step}; ${r}, loss ${i.toFixed(2)} nats`,this.root.dataset.frames=String(t.frames.length),this.root.dataset.position=
String(this.#t)}close(){this.#e.stop(),this.watcher.disconnect()}};var Kt=G(".newborn","report",o=>new v(o));export{Kt as default};
