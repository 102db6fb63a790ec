function u(i,{text:t,...s}={},e=[]){let o=document.createElement(i);for(let[n,r]of Object.entries(s))typeof r=="function"?
o.addEventListener(n.slice(2),r):r!==null&&o.setAttribute(n,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function M(i,t,s){return u("button",{type:"button",text:i,title:t,onclick:s})}function g(i){return i.getContext("2d")}function q(i){let t=globalThis.document?.querySelector("script#payload");t&&ot(i,t.textContent??"");let s=it(i);return e=>e?
s(e):{render:o=>nt(i,o)}}function et(i,t){i.calls+=1;let s=i.calls;return()=>{i.calls===s&&t()}}function it({name:i,state:t,
show:s}){let e=new WeakMap;return({data:o,parentElement:n,setStateValue:r})=>{let h=n.querySelector(`.${i}`),a=e.get(h)??
{shown:s(h),calls:0};return e.set(h,a),a.shown.load(o,c=>r(t,c)),et(a,()=>a.shown.close?.())}}function ot({name:i,show:t,
file:s},e){if(!s)return;let o=t(document.querySelector(`.${i}`)),n=Uint8Array.from(atob(e.trim()),h=>h.charCodeAt(0)),r=()=>o.
load(s.data(n),s.told??(()=>{}));r(),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",r)}function nt({
name:i,show:t,cell:s},{model:e,el:o}){if(!s)return;let[n,r]=[u("div"),u("div",{class:i})],h=u("style",{text:String(e.get(
"sheet"))});n.attachShadow({mode:"open"}).append(h,r),o.append(n);let a=t(r),c=()=>a.load(s.data(e.get(s.trait)),d=>{for(let[
l,p]of Object.entries(s.traits(d,a)))e.set(l,p);e.save_changes()});return c(),e.on(`change:${s.trait}`,c),()=>{e.off(`ch\
ange:${s.trait}`,c),a.close?.()}}var rt=new TextDecoder;function j(i){return rt.decode(i)}function W(i,t,s){let e=devicePixelRatio||1;Object.assign(i,{width:t*e,height:s*e}),Object.assign(i.style,{width:`${t}px`,
height:`${s}px`}),g(i).scale(e,e)}var k=class{#e=0;start(t,s,e,o,n=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,h=performance.
now(),a=c=>{let d=Math.min(1,Math.max(0,(c-h)/e)),l=r&&e<=600?1:d,p=l===1?s:t+l*(s-t);o(r?Math.round(p):p),l<1?this.#e=requestAnimationFrame(
a):n()};this.#e=requestAnimationFrame(a)}stop(){cancelAnimationFrame(this.#e)}};var S=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function C(i){
let t=getComputedStyle(i),s=(n,r)=>t.getPropertyValue(n).trim()||r,e=R(s("--st-background-color","#ffffff")),o=R(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:y(e,o,.72),line:y(e,o,.2),dim:y(
e,o,.3),missing:y(e,o,.5),primary:R(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function P(i,t){
let e=(t?.16+.84*i:.92*i)*(S.length-1),o=Math.min(Math.floor(e),S.length-2);return y(S[o],S[o+1],e-o)}function y(i,t,s){
let e=o=>Math.round(i[o]+(t[o]-i[o])*s);return[e(0),e(1),e(2)]}function f(i,t=1){return`rgb(${i.join(" ")} / ${100*t}%)`}
var T=null;function R(i){T??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),T.fillStyle=i,T.fillRect(
0,0,1,1);let[t,s,e]=T.getImageData(0,0,1,1).data;return[t,s,e]}var[G,ht,B,at,H]=[34,8,16,20,14],A=245,K=.02,ct=380,V=[[],[7,3],[2,3],[9,3,2,3]],z=[[[0,114,178],[86,180,233]],[[176,112,
0],[230,159,0]],[[0,128,96],[0,178,135]],[[213,94,0],[240,128,48]]];function N(i){return i>ct?2:1}function J(i,t,s,e,o){
let n=N(i.clientWidth),r=(i.clientWidth-(n-1)*H)/n,h=Math.max(...s.map(({lines:a})=>a.length));s.forEach((a,c)=>{let d=n>
1?h:a.lines.length,p={x:c%n*(r+H),y:Math.floor(c/n)*A,w:r,h:A-H};lt(g(i),t,a,e,o,{box:p,names:d})})}function lt(i,t,{title:s,
lines:e},o,n,{box:r,names:h}){let a=e.flatMap(m=>m.values.filter(b=>b!==null)),c=mt(Math.min(0,...a),Math.max(...a)),d=r.
y+B*(1+h)+12,l={x:r.x+G,y:d,w:r.w-G-ht,h:r.y+r.h-at-d},[p,_]=[c[0],c[c.length-1]],D=o[o.length-1]||1,$=m=>l.x+l.w*m/D,U=m=>l.
y+l.h*(_-m)/(_-p||1);w(i,t,s,r.x,r.y+12,{weight:600,colour:t.ink}),ut(i,t,l,c,U,D),Q(i,t.muted,[[$(n),l.y],[$(n),l.y+l.h]]),
e.forEach((m,b)=>{let tt=z[m.colour%z.length][t.dark?1:0];i.strokeStyle=f(tt),i.setLineDash(V[b%V.length]),i.lineWidth=2,
dt(i,m,o,$,U);let E=r.y+B*(1.7+b);i.beginPath(),i.moveTo(r.x,E),i.lineTo(r.x+24,E),i.stroke(),i.setLineDash([]);let st=ft(
m,o,n);w(i,t,`${m.name}: ${st?.toFixed(2)??"-"}`,r.x+30,E+4,{})})}function ft({values:i},t,s){return i[t.filter(e=>e<=s+
1e-6).length-1]}function dt(i,{values:t},s,e,o){i.beginPath(),t.forEach((n,r)=>{n!==null&&i.lineTo(e(s[r]),o(n))}),i.stroke()}
function ut(i,t,s,e,o,n){for(let h of e){let a=o(h);Q(i,t.line,[[s.x,a],[s.x+s.w,a]]),w(i,t,String(h),s.x-5,a+4,{align:"\
right"})}let r=s.y+s.h+15;w(i,t,"0",s.x,r,{align:"center"}),w(i,t,"step",s.x+s.w/2,r,{align:"center"}),w(i,t,n.toLocaleString(
"en"),s.x+s.w,r,{align:"right"})}function Q(i,t,[s,e]){i.strokeStyle=f(t),i.lineWidth=1,i.beginPath(),i.moveTo(...s),i.lineTo(
...e),i.stroke()}function w(i,t,s,e,o,{weight:n=400,align:r="left",colour:h=t.muted}){i.font=`${n} 12px ${t.font}`,i.textAlign=
r,i.fillStyle=f(h),i.fillText(s,e,o)}function mt(i,t){let s=(t-i||1)/4,e=10**Math.floor(Math.log10(s)),o=e*([1,2,5].find(
h=>h*e>=s)??10),[n,r]=[Math.floor(i/o+K),Math.ceil(t/o-K)];return Array.from({length:r-n+1},(h,a)=>Number(((n+a)*o).toFixed(
6)))}var v=class{constructor(t){this.words=t.words,this.counts=t.counts,this.bins=t.bins,this.frames=t.frames,this.places=t.frames.
map(({places:s})=>Float32Array.from(s.split(" "),e=>Number(e)/1e3)),this.shares=pt(t.counts),this.reach=gt(this.places)}get last(){
return this.frames.length-1}frame(t){return this.frames[Math.min(this.last,Math.floor(t+1e-6))]}step(t){let s=Math.min(this.
last,Math.floor(t)),[e,o]=[this.frames[s],this.frames[Math.min(this.last,s+1)]];return e.step+(t-s)*(o.step-e.step)}at(t){
let s=Math.min(this.last,Math.floor(t)),e=t-s,o=this.places[s],n=this.places[Math.min(this.last,s+1)];return e>0?o.map((r,h)=>r+
e*(n[h]-r)):o}charts(){let{frames:t,bins:s}=this,e=(n,r,h)=>({name:n,colour:r,values:t.map(h)}),o=s.map((n,r)=>e(n,r,({norms:h})=>h[r]));
return t[0].unused_norm!==null&&o.push(e("never occur",3,({unused_norm:n})=>n)),[{title:"Words: cone, frequency",lines:[
e("mean cosine",0,({mean_cosine:n})=>n),e("|rho| with frequency",2,({frequency_rho:n})=>n)]},{title:"Words: mean norm",lines:o},
{title:"Sentences: cone, rho",lines:[e("mean cosine",0,({random_cosine:n})=>n),e("rho with people",3,({rho:n})=>n)]},{title:"\
Loss, nats",lines:[e("masked words",0,({loss:n})=>n)]}]}};function pt(i){let t=Math.log(Math.max(2,...i));return i.map(s=>s>
0?Math.log(s)/t:null)}function gt(i){let[t,s]=[[0,0],[0,0]];for(let e of i)e.forEach((o,n)=>{t[n%2]=Math.min(t[n%2],o),s[n%
2]=Math.max(s[n%2],o)});return{low:t,high:s}}function I(i,t,{colour:s,width:e,halo:o},n){let r=[[t.background,e+o],[s,e]];for(let[h,a]of r)i.beginPath(),n(),i.lineWidth=
a,i.strokeStyle=f(h),i.stroke()}var[L,X,wt,yt]=[26,46,2.6,14],xt=4,Y=[213,94,0],x=class{constructor(t,s,e){this.context=g(t),this.theme=s,this.reel=e,this.
width=t.clientWidth,this.height=t.clientHeight;let{low:o,high:n}=e.reach,[r,h]=[this.width-2*L,this.height-L-X];this.scale=
Math.min(r/(n[0]-o[0]||1),h/(n[1]-o[1]||1)),this.left=this.width/2-this.scale*(o[0]+n[0])/2,this.base=L+h/2+this.scale*(o[1]+
n[1])/2}pixel(t,s){return[this.left+this.scale*t,this.base-this.scale*s]}draw(t,s){let e=this.reel.at(t);this.#e(),this.#t(
e),this.#o(e),s>=0&&this.#a(t,s,e),this.#r()}#e(){let{context:t,theme:s}=this,[e,o]=this.pixel(0,0);t.strokeStyle=f(s.line),
t.lineWidth=1,t.beginPath(),t.moveTo(e,0),t.lineTo(e,this.height-X+18),t.moveTo(0,o),t.lineTo(this.width,o),t.stroke(),this.#s(
"↑ along the mean direction of the shown words",4,12,"left"),this.#s("origin",this.width-4,o-4,"right"),this.#s("→ whe\
re words differ most beside it",this.width-4,this.height-32,"right")}#t(t){let{context:s,theme:e}=this;this.reel.shares.
forEach((o,n)=>{let[r,h]=this.pixel(t[2*n],t[2*n+1]);s.beginPath(),o===null?(s.strokeStyle=f(Y),s.lineWidth=1.4,Z(s,r,h,
3),s.stroke()):(s.fillStyle=f(P(o,e.dark)),s.arc(r,h,wt,0,2*Math.PI),s.fill())})}#o(t){let s=this.reel.counts.indexOf(0);
for(let e=0;e<xt;e++)this.#i(t,e,this.reel.words[e]);s>=0&&this.#i(t,s,"words that never occur")}#i(t,s,e){let[o,n]=this.
pixel(t[2*s],t[2*s+1]),{context:r,theme:h}=this;r.font=`12px ${h.font}`,r.textAlign="left",r.lineWidth=3,r.strokeStyle=f(
h.background),r.strokeText(e,o+6,n+4),r.fillStyle=f(h.ink),r.fillText(e,o+6,n+4)}#a(t,s,e){let{context:o,theme:n,reel:r}=this,
h=r.places.slice(0,Math.floor(t)+1),a=n.ink;I(o,n,{colour:a,width:1.5,halo:2},()=>{for(let l of[...h,e])o.lineTo(...this.
pixel(l[2*s],l[2*s+1]))});let[c,d]=this.pixel(e[2*s],e[2*s+1]);I(o,n,{colour:a,width:2,halo:2},()=>{o.arc(c,d,5,0,2*Math.
PI)}),this.#i(e,s,F(r,s))}#r(){let{context:t,theme:s,reel:e}=this,[o,n,r]=[this.height-14,L,Math.min(150,this.width/3)];
for(let h=0;h<r;h++)t.fillStyle=f(P(h/r,s.dark)),t.fillRect(n+h,o,1.5,9);this.#s("once",n,o-4,"left"),this.#s(`${Math.max(
...e.counts).toLocaleString("en")} times`,n+r,o-4,"right"),t.strokeStyle=f(Y),t.lineWidth=1.4,t.beginPath(),Z(t,n+r+24,o+
4,4),t.stroke(),this.#s("never occurs",n+r+34,o+8,"left")}#s(t,s,e,o){let{context:n,theme:r}=this;n.font=`11.5px ${r.font}`,
n.fillStyle=f(r.muted),n.textAlign=o,n.fillText(t,s,e)}nearest(t,s,e){let o=this.reel.at(e),[n,r]=[yt**2,-1];for(let h=0;2*
h<o.length;h++){let[a,c]=this.pixel(o[2*h],o[2*h+1]),d=(a-t)**2+(c-s)**2;d<n&&([n,r]=[d,h])}return r}};function F({words:i,
counts:t},s){let e=t[s]===1?"once":`${t[s].toLocaleString("en")} times`;return t[s]?`${i[s]}: ${e}`:"never occurs"}function Z(i,t,s,e){
i.moveTo(t-e,s-e),i.lineTo(t+e,s+e),i.moveTo(t-e,s+e),i.lineTo(t+e,s-e)}var bt=220,Mt=400,[kt,St]=[760,560],Tt=4,O=class{#e=new k;#t=0;#o=-1;#i=!1;#a="";#r=!1;#s=null;constructor(t){this.root=
t,this.words=u("canvas",{class:"words",tabindex:0,role:"img",onpointermove:e=>this.#f(e),onpointerdown:e=>this.#f(e),onpointerleave:()=>this.#d(
-1),onkeydown:e=>this.#m(e)}),this.charts=u("canvas",{class:"charts",role:"img"}),this.play=M("Play","Play the training \
from where it is",()=>this.#c()),this.back=M("Back","One frame back",()=>this.#h(Math.ceil(this.#t)-1)),this.forward=M("\
Forward","One frame on",()=>this.#h(Math.floor(this.#t+1e-6)+1)),this.slider=u("input",{type:"range",min:0,step:1,"aria-\
label":"Frame of the training",oninput:()=>this.#h(Number(this.slider.value))}),this.text=u("output");let s=[this.play,this.
back,this.forward,this.slider,this.text];t.replaceChildren(u("div",{class:"row"},s),u("div",{class:"panes"},[this.words,
this.charts])),this.watcher=new ResizeObserver(()=>this.#n()),this.watcher.observe(t)}load({run:t,is_live:s,recording:e}){
let o=t!==this.#a,n=s||this.#r;[this.#a,this.#r]=[t,s],(o||n)&&(this.#s=new v(e)),o&&([this.#t,this.#o]=[0,-1]),n?this.#l(
this.#s?.last??0,Mt):o&&this.#u(),this.#n()}#u(){let{last:t}=this.#s??{last:0};matchMedia("(prefers-reduced-motion: redu\
ce)").matches?this.#t=t:this.#c()}#c(){let{last:t}=this.#s??{last:0};if(this.#i)return this.#h(this.#t);this.#t>=t&&(this.#t=
0),this.#l(t,bt*(t-this.#t)),this.#i=!0,this.#n()}#l(t,s){let e=o=>{this.#t=o,this.#n()};this.#e.start(this.#t,t,s,e,()=>{
this.#i=!1,this.#n()})}#h(t){this.#e.stop(),this.#i=!1,this.#t=Math.max(0,Math.min(this.#s?.last??0,t)),this.#n()}#m(t){
let s={ArrowLeft:-1,ArrowRight:1}[t.key];!s||t.ctrlKey||t.metaKey||t.altKey||(t.preventDefault(),this.#h(Math.round(this.#t)+
s))}#f({offsetX:t,offsetY:s}){if(!this.#s)return;let e=new x(this.words,C(this.root),this.#s);this.#d(e.nearest(t,s,this.#t))}#d(t){
t!==this.#o&&(this.#o=t,this.#n())}#n(){let t=this.#s;if(!t||!this.root.clientWidth)return;this.#p();let s=C(this.root);
new x(this.words,s,t).draw(this.#t,this.#o);let e=t.frames.map(({step:n})=>n),o=t.step(this.#t);J(this.charts,s,t.charts(),
e,o),this.#g(t,o)}#p(){let t=this.root.clientWidth,s=t>kt,e=s?Math.floor((t-24)/2):t,o=A*(Tt/N(e));W(this.words,e,s?o:Math.
min(St,1.15*t)),W(this.charts,e,o)}#g(t,s){let{mean_cosine:e,loss:o}=t.frame(this.#t),n=this.#o<0?"":`; ${F(t,this.#o)}`;
this.play.textContent=this.#i?"Pause":"Play",this.slider.max=String(t.last),this.slider.value=String(Math.round(this.#t)),
this.back.disabled=this.#t<=0,this.forward.disabled=this.#t>=t.last,this.play.disabled=this.#r||t.last<1;let r=`mean cos\
ine of two words ${e.toFixed(2)}`;this.text.textContent=`step ${Math.round(s)}: ${r}, loss ${o.toFixed(2)} nats`,this.words.
ariaLabel=`Words after ${Math.round(s)} steps of training: ${r}${n}`,this.charts.ariaLabel=`Measures up to step ${t.frames[t.
last].step}; ${r}, loss ${o.toFixed(2)} nats`,this.root.dataset.frames=String(t.frames.length),this.root.dataset.position=
String(this.#t)}close(){this.#e.stop(),this.watcher.disconnect()}};var ts=q({name:"newborn",show:i=>new O(i),state:"report",file:{data:i=>({run:"stored",is_live:!1,recording:JSON.parse(j(
i))})}});export{ts as default};
