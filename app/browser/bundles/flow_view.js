function J(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function P(o,t,s){let e=new WeakMap;return({data:i,
parentElement:n,setStateValue:r})=>{let a=n.querySelector(o),h=e.get(a)??{shown:s(a),calls:0};return e.set(a,h),h.shown.
load(i,c=>r(t,c)),J(h,()=>h.shown.close?.())}}var W={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function l(o,{text:t,...s}={},e=[]){let i=document.createElement(o);for(let[n,r]of Object.entries(s))typeof r=="function"?
i.addEventListener(n.slice(2),r):r!==null&&i.setAttribute(n,String(r));return t!==void 0&&(i.textContent=t),i.append(...e),
i}function y(o,t,s){return l("button",{type:"button",text:o,title:t,onclick:s})}function _(o){return o.toLocaleString("e\
n")}function x(o){return o.getContext("2d")}var w=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function R(o){
let t=getComputedStyle(o),s=(n,r)=>t.getPropertyValue(n).trim()||r,e=F(s("--st-background-color","#ffffff")),i=F(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:i,dark:e[0]+e[1]+e[2]<i[0]+i[1]+i[2],muted:u(e,i,.72),line:u(e,i,.2),dim:u(
e,i,.3),missing:u(e,i,.5),primary:F(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function I(o,t){
let e=(t?.16+.84*o:.92*o)*(w.length-1),i=Math.min(Math.floor(e),w.length-2);return u(w[i],w[i+1],e-i)}function u(o,t,s){
let e=i=>Math.round(o[i]+(t[i]-o[i])*s);return[e(0),e(1),e(2)]}function m(o,t=1){return`rgb(${o.join(" ")} / ${100*t}%)`}
var b=null;function F(o){b??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),b.fillStyle=o,b.fillRect(
0,0,1,1);let[t,s,e]=b.getImageData(0,0,1,1).data;return[t,s,e]}var Q="latent space; the layers follow when the fit rests",k=class{constructor(t){this.play=y("Play the fit","Show the f\
it again from its start",t.playFit),this.state=N("State of the fit",t.scrub),this.state.addEventListener("change",t.rest),
this.stateText=l("output"),this.back=y("Back","Undo one layer",()=>t.stepLayer(-1)),this.forward=y("Forward","Apply one \
more layer",()=>t.stepLayer(1));let s="Move the points from data to latent space";this.playLayers=y("Play the layers",s,
t.playLayers),this.layer=N("Layer",t.setLayer),this.layerText=l("output",{class:"below"}),this.grid=l("input",{type:"che\
ckbox",checked:"",onchange:t.redraw});let{play:e,state:i,stateText:n,back:r,forward:a,playLayers:h,layer:c,layerText:p}=this;
this.element=l("div",{class:"controls"},[$("Fit",[e,i,n]),$("Layers",[r,a,h,c,p]),l("label",{},[this.grid,l("span",{text:"\
Grid of the latent space"})])])}show({state:t,position:s,last:e,layer:i,layers:n,isLive:r}){this.state.max=String(e),(r||
!this.state.matches(":focus"))&&(this.state.value=String(Math.round(s))),this.state.disabled=this.play.disabled=r||e<1,this.
stateText.textContent=`step ${_(t.step)}, ${t.bits.toFixed(3)} bits per dimension`;for(let a of[this.back,this.forward,this.
playLayers,this.layer])a.disabled=!n;this.layer.max=String(n?n.names.length:1),this.layer.value=String(n?Math.round(i):1),
this.layerText.textContent=n?X(n,i):Q}};function N(o,t){let s=l("input",{type:"range",min:0,step:1,"aria-label":o});return s.
addEventListener("input",()=>t(Number(s.value))),s}function $(o,t){return l("div",{class:"row"},[l("span",{class:"name",
text:o}),...t])}function X({names:o},t){let s=Math.round(t);if(s===0)return"data space, before the first layer";let e=s===
o.length?": latent space":"";return`after layer ${s} of ${o.length}, ${o[s-1]}${e}`}var M=class{run=null;states=[];add({run:t,first:s,states:e}){return t!==this.run&&([this.run,this.states]=[t,[]]),s>this.
states.length?!0:(e.forEach((i,n)=>{this.states[s+n]=i}),!1)}get last(){return this.states.length-1}at(t){let s=Math.min(
this.last,Math.floor(t)),e=t-s,[i,n]=[this.states[s],this.states[Math.min(this.last,s+1)]];return e<=0||i===n?i:{step:Math.
round(i.step+e*(n.step-i.step)),bits:i.bits+e*(n.bits-i.bits),density:L(i.density,n.density,e),latent:L(i.latent,n.latent,
e),lines:L(i.lines,n.lines,e)}}};function S(o,t,s){let e=Math.floor(s),i=n=>o.subarray(n*t,(n+1)*t);return s===e?i(e):L(
i(e),i(e+1),s-e)}function L(o,t,s){return o.map((e,i)=>e+s*(t[i]-e))}var[A,q,C,Y]=[34,48,22,460],Z=560;function E(o){let t=o>Z,s=Math.min(Y,t?(o-A-q)/2:o-A-2),e={x:A,y:0,w:s,h:s},i=t?{...e,
x:A+s+q}:{...e,y:s+C};return{height:(t?1:2)*(s+C),plots:[e,i]}}var T=class{#t=0;start(t,s,e,i,n=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let p=Math.min(1,Math.max(0,(c-a)/e)),f=r&&e<=600?1:p,d=f===1?s:t+f*(s-t);i(r?Math.round(d):d),f<1?this.#t=requestAnimationFrame(
h):n()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};function D(o,{x:t,y:s,w:e,h:i},n){o.save(),o.beginPath(),o.rect(t,s,e,i),o.clip(),n(),o.restore()}function H(o,t,{colour:s,
width:e,halo:i},n){let r=[[t.background,e+i],[s,e]];for(let[a,h]of r)o.beginPath(),n(),o.lineWidth=h,o.strokeStyle=m(a),
o.stroke()}var tt=1.9,et=.62,st=.6,it=[213,94,0],g=class{constructor(t,s,e,i,n){this.context=t,this.theme=s,this.plot=e,this.square=
i,this.letter=n}pixel(t,s){let[e,i,n]=this.square,{x:r,y:a,w:h}=this.plot;return[r+h*(t-e+n)/(2*n),a+h*(i+n-s)/(2*n)]}place(t,s){
let[e,i,n]=this.square,{x:r,y:a,w:h}=this.plot;return[e-n+2*n*(t-r)/h,i+n-2*n*(s-a)/h]}within(t){let{context:s,theme:e,plot:i}=this;
D(s,i,t),s.strokeStyle=m(u(e.background,e.ink,.45)),s.lineWidth=1,s.strokeRect(i.x+.5,i.y+.5,i.w-1,i.h-1),this.#t()}#t(){
let{context:t,theme:s,plot:e,letter:i}=this,[n,r,a]=this.square;t.fillStyle=m(s.muted),t.font=`11.5px ${s.font}`;let h=(p,f,d,B)=>{
t.textAlign=B,t.fillText(p,f,d)},c=e.y+e.h+14;h((n-a).toFixed(1),e.x,c,"left"),h(`${i}₁`,e.x+e.w/2,c,"center"),h((n+a).
toFixed(1),e.x+e.w,c,"right"),h((r+a).toFixed(1),e.x-5,e.y+10,"right"),h(`${i}₂`,e.x-5,e.y+e.h/2+4,"right"),h((r-a).toFixed(
1),e.x-5,e.y+e.h,"right")}density(t){let{context:s,theme:e,plot:i}=this,n=Math.round(Math.sqrt(t.length)),r=t.reduce((c,p)=>Math.
max(c,p),0)||1,a=new ImageData(n,n);t.forEach((c,p)=>{let f=u(e.background,e.ink,et*(c/r)**st),d=4*((n-1-Math.floor(p/n))*
n+p%n);a.data.set([...f,255],d)});let h=l("canvas",{width:n,height:n});x(h).putImageData(a,0,0),s.imageSmoothingQuality=
"high",s.drawImage(h,i.x,i.y,i.w,i.h)}lines(t,s){let{context:e,theme:i}=this;e.strokeStyle=m(u(i.background,i.primary,.75)),
e.lineWidth=1,e.beginPath();for(let n=0;2*n<t.length;n++){let[r,a]=this.pixel(t[2*n],t[2*n+1]);n%s?e.lineTo(r,a):e.moveTo(
r,a)}e.stroke()}circles(){let{context:t,theme:s,plot:e,square:i}=this,[n,r]=this.pixel(0,0);t.strokeStyle=m(s.ink),t.lineWidth=
1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(n,r,a*e.w/(2*i[2]),0,2*Math.PI),t.stroke();t.setLineDash(
[])}points(t,s){let{context:e,theme:i}=this;s.forEach((n,r)=>{let[a,h]=this.pixel(t[2*r],t[2*r+1]);e.fillStyle=m(I(n,i.dark)),
e.beginPath(),e.arc(a,h,tt,0,2*Math.PI),e.fill()})}mark([t,s]){let{context:e,theme:i}=this,[n,r]=this.pixel(t,s);H(e,i,{
colour:it,width:2,halo:3},()=>{e.arc(n,r,6,0,2*Math.PI),e.moveTo(n-11,r),e.lineTo(n+11,r),e.moveTo(n,r-11),e.lineTo(n,r+
11)})}};function U(o){let t=o.slice(),s=4+new DataView(t.buffer).getUint32(0,!0);return{header:JSON.parse(nt(t.subarray(4,s))),body:s,
bytes:t}}function nt(o){return new TextDecoder().decode(o)}function j(o){let{header:t,body:s,bytes:e}=U(o),i=(a,h)=>{let c=h.map(p=>{let[f,d]=a[p];return[p,new Float32Array(e.buffer,
s+f,d)]});return{...a,...Object.fromEntries(c)}},n=a=>i(a,["density","latent","lines"]),r=i(t,["points","latent_lines"]);
return r.states=t.states.map(n),r.layers=t.layers&&i(t.layers,["points","lines","way"]),r}var O=[0,0,3.3];function G(o){let t=o.filter((i,n)=>n%2===0),[s,e]=[Math.min(...t),Math.max(...t)];return t.map(i=>(i-s)/
(e-s||1))}function K([o,t],[s,e,i]){return Math.abs(o-s)<=i&&Math.abs(t-e)<=i}function V({points:o,names:t},s,e){let i=r=>{
if(r>=t.length)return 3.3;let a=o.subarray(r*s,(r+1)*s).reduce((h,c)=>Math.max(h,Math.abs(c)),0);return Math.max(3.3,1.05*
a)},n=Math.floor(e);return[0,0,i(n)+(e-n)*(i(n+1)-i(n))]}var ot=400,rt=6e3,z=600,at=40,ht="Left: the data, the flow's density p(x) in grey, and the grid of the latent space mapp\
ed back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard deviations. C\
lick a place on the left to see its terms.",v=class{#t=new M;#i=new T;#s=0;#n=0;#f=0;#c=new Float32Array;#e=null;#o=null;#r=null;#u=()=>{};constructor(t){
this.root=t,this.canvas=l("canvas",{tabindex:0,role:"img",onclick:s=>this.#A(s),onkeydown:s=>this.#T(s)}),this.controls=
new k({playFit:()=>this.#b(),scrub:s=>this.#k(s),rest:()=>this.#h(),stepLayer:s=>this.#L(s),playLayers:()=>this.#M(),setLayer:s=>this.#S(
s),redraw:()=>this.#a()}),t.replaceChildren(l("p",{text:ht}),this.canvas,this.controls.element),this.watcher=new ResizeObserver(
()=>this.#a()),this.watcher.observe(t)}load(t,s){let e=j(t),i=e.run!==this.#t.run||this.#t.last<0,n=this.#e?.is_live;if([
this.#e,this.#u]=[e,s],i&&([this.#s,this.#r,this.#o]=[0,e.at,null]),this.#c=G(e.points),this.#t.add(e)){this.#f+=1,this.#h();
return}e.layers&&this.#g(e.layers),i&&e.layers?this.#s=e.layers.state:(i||e.is_live||n)&&this.#w(),this.#a()}#g(t){this.#o||
(this.#n=t.names.length),this.#o=t}get#d(){return this.#o?.state===this.#s?this.#o:null}#l=t=>{this.#s=t,this.#a()};#p=t=>{
this.#n=t,this.#a()};#w(){let{last:t}=this.#t;this.#s!==t&&this.#i.start(this.#s,t,ot,this.#l)}#b(){this.#s=0,this.#i.start(
0,this.#t.last,rt,this.#l,()=>this.#h())}#k(t){this.#i.stop(),this.#l(t)}#h(){this.#u({run:this.#t.run,state:this.#e?.is_live?
null:Math.round(this.#s),at:this.#r,asked:this.#f,from:this.#t.states.length})}get#m(){return this.#o?.names.length??0}#L(t){
let s=Math.min(this.#m,Math.max(0,Math.round(this.#n)+t));this.#i.start(this.#n,s,z,this.#p)}#M(){let t=this.#m;this.#i.
start(0,t,t*z,this.#p)}#S(t){this.#i.stop(),this.#p(t)}#A({offsetX:t,offsetY:s}){this.#y(this.#x()[0].place(t,s))}#T(t){
let s=W[t.key];if(!s||!this.#e)return;t.preventDefault();let[e,i,n]=this.#e.box,[r,a]=this.#r??[e,i],h=2*n/at;this.#y([r+
s[0]*h,a+s[1]*h])}#y(t){!this.#e||!K(t,this.#e.box)||(this.#r=t,this.#a(),this.#h())}#a(){if(!this.#e||!this.#t.states.length||
!this.root.clientWidth)return;let t=this.#t.at(this.#s);this.#v();let[s,e]=this.#x();this.#F(s,t,this.#e),this.#E(e,t,this.#e),
this.controls.show({state:t,position:this.#s,last:this.#t.last,layer:this.#n,layers:this.#d,isLive:this.#e.is_live}),this.
canvas.ariaLabel=`Step ${t.step}: the data with the flow's density, and the points in the latent space`,this.root.dataset.
states=String(this.#t.states.length)}#v(){let t=this.root.clientWidth,{height:s}=E(t),e=devicePixelRatio||1;Object.assign(
this.canvas,{width:t*e,height:s*e}),Object.assign(this.canvas.style,{width:`${t}px`,height:`${s}px`}),x(this.canvas).scale(
e,e)}#x(){let[t,s]=E(this.root.clientWidth).plots,[e,i]=[x(this.canvas),R(this.root)];return[new g(e,i,t,this.#e?.box??O,
"x"),new g(e,i,s,O,"z")]}#F(t,s,e){t.within(()=>{t.density(s.density),this.controls.grid.checked&&t.lines(s.lines,e.line_length),
t.points(e.points,this.#c),this.#r&&t.mark(this.#r)})}#E(t,s,{points:e,latent_lines:i,line_length:n}){let r=this.#d,a=this.#n;
r&&(t.square=V(r,e.length,a)),t.within(()=>{if(this.controls.grid.checked){let c=r?S(r.lines,i.length,a):i;t.lines(c,n)}
let h=r?S(r.points,e.length,a):s.latent;t.points(h,this.#c),(!r||a===r.names.length)&&t.circles(),r?.way.length&&t.mark(
S(r.way,2,a))})}close(){this.#i.stop(),this.watcher.disconnect()}};var Ht=P(".flow-view","report",o=>new v(o));export{Ht as default};
