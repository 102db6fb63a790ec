function X(o,t){o.calls+=1;let s=o.calls;return()=>{o.calls===s&&t()}}function E(o,t,s){let e=new WeakMap;return({data:n,
parentElement:i,setStateValue:r})=>{let a=i.querySelector(o),h=e.get(a)??{shown:s(a),calls:0};return e.set(a,h),h.shown.
load(n,c=>r(t,c)),X(h,()=>h.shown.close?.())}}var F={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function l(o,{text:t,...s}={},e=[]){let n=document.createElement(o);for(let[i,r]of Object.entries(s))typeof r=="function"?
n.addEventListener(i.slice(2),r):r!==null&&n.setAttribute(i,String(r));return t!==void 0&&(n.textContent=t),n.append(...e),
n}function y(o,t,s){return l("button",{type:"button",text:o,title:t,onclick:s})}function _(o){return o.toLocaleString("e\
n")}function x(o){return o.getContext("2d")}var Y="latent space; the layers follow when the fit rests",w=class{constructor(t){this.play=y("Play the fit","Show the f\
it again from its start",t.playFit),this.state=W("State of the fit",t.scrub),this.state.addEventListener("change",t.rest),
this.stateText=l("output"),this.back=y("Back","Undo one layer",()=>t.stepLayer(-1)),this.forward=y("Forward","Apply one \
more layer",()=>t.stepLayer(1));let s="Move the points from data to latent space";this.playLayers=y("Play the layers",s,
t.playLayers),this.layer=W("Layer",t.setLayer),this.layerText=l("output",{class:"below"}),this.grid=l("input",{type:"che\
ckbox",checked:"",onchange:t.redraw});let{play:e,state:n,stateText:i,back:r,forward:a,playLayers:h,layer:c,layerText:p}=this;
this.element=l("div",{class:"controls"},[R("Fit",[e,n,i]),R("Layers",[r,a,h,c,p]),l("label",{},[this.grid,l("span",{text:"\
Grid of the latent space"})])])}show({state:t,position:s,last:e,layer:n,layers:i,isLive:r}){this.state.max=String(e),(r||
!this.state.matches(":focus"))&&(this.state.value=String(Math.round(s))),this.state.disabled=this.play.disabled=r||e<1,this.
stateText.textContent=`step ${_(t.step)}, ${t.bits.toFixed(3)} bits per dimension`;for(let a of[this.back,this.forward,this.
playLayers,this.layer])a.disabled=!i;this.layer.max=String(i?i.names.length:1),this.layer.value=String(i?Math.round(n):1),
this.layerText.textContent=i?Z(i,n):Y}};function W(o,t){let s=l("input",{type:"range",min:0,step:1,"aria-label":o});return s.
addEventListener("input",()=>t(Number(s.value))),s}function R(o,t){return l("div",{class:"row"},[l("span",{class:"name",
text:o}),...t])}function Z({names:o},t){let s=Math.round(t);if(s===0)return"data space, before the first layer";let e=s===
o.length?": latent space":"";return`after layer ${s} of ${o.length}, ${o[s-1]}${e}`}var k=class{run=null;states=[];add({run:t,first:s,states:e}){return t!==this.run&&([this.run,this.states]=[t,[]]),s>this.
states.length?!0:(e.forEach((n,i)=>{this.states[s+i]=n}),!1)}get last(){return this.states.length-1}at(t){let s=Math.min(
this.last,Math.floor(t)),e=t-s,[n,i]=[this.states[s],this.states[Math.min(this.last,s+1)]];return e<=0||n===i?n:{step:Math.
round(n.step+e*(i.step-n.step)),bits:n.bits+e*(i.bits-n.bits),density:b(n.density,i.density,e),latent:b(n.latent,i.latent,
e),lines:b(n.lines,i.lines,e)}}};function L(o,t,s){let e=Math.floor(s),n=i=>o.subarray(i*t,(i+1)*t);return s===e?n(e):b(
n(e),n(e+1),s-e)}function b(o,t,s){return o.map((e,n)=>e+s*(t[n]-e))}var M=class{#t=0;start(t,s,e,n,i=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=c=>{let p=Math.min(1,Math.max(0,(c-a)/e)),f=r&&e<=600?1:p,d=f===1?s:t+f*(s-t);n(r?Math.round(d):d),f<1?this.#t=requestAnimationFrame(
h):i()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};function I(o){let t=o.slice(),s=4+new DataView(t.buffer).getUint32(0,!0);return{header:JSON.parse(tt(t.subarray(4,s))),body:s,
bytes:t}}function tt(o){return new TextDecoder().decode(o)}function N(o){let{header:t,body:s,bytes:e}=I(o),n=(a,h)=>{let c=h.map(p=>{let[f,d]=a[p];return[p,new Float32Array(e.buffer,
s+f,d)]});return{...a,...Object.fromEntries(c)}},i=a=>n(a,["density","latent","lines"]),r=n(t,["points","latent_lines"]);
return r.states=t.states.map(i),r.layers=t.layers&&n(t.layers,["points","lines","way"]),r}var S=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function $(o){
let t=getComputedStyle(o),s=(i,r)=>t.getPropertyValue(i).trim()||r,e=O(s("--st-background-color","#ffffff")),n=O(s("--st\
-text-color","#0b0b0e"));return{background:e,ink:n,dark:e[0]+e[1]+e[2]<n[0]+n[1]+n[2],muted:u(e,n,.72),line:u(e,n,.2),dim:u(
e,n,.3),missing:u(e,n,.5),primary:O(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function q(o,t){
let e=(t?.16+.84*o:.92*o)*(S.length-1),n=Math.min(Math.floor(e),S.length-2);return u(S[n],S[n+1],e-n)}function u(o,t,s){
let e=n=>Math.round(o[n]+(t[n]-o[n])*s);return[e(0),e(1),e(2)]}function m(o,t=1){return`rgb(${o.join(" ")} / ${100*t}%)`}
var A=null;function O(o){A??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),A.fillStyle=o,A.fillRect(
0,0,1,1);let[t,s,e]=A.getImageData(0,0,1,1).data;return[t,s,e]}var[T,C,D,et]=[34,48,22,460],st=560;function P(o){let t=o>st,s=Math.min(et,t?(o-T-C)/2:o-T-2),e={x:T,y:0,w:s,h:s},n=t?{...e,
x:T+s+C}:{...e,y:s+D};return{height:(t?1:2)*(s+D),plots:[e,n]}}function H(o,{x:t,y:s,w:e,h:n},i){o.save(),o.beginPath(),o.rect(t,s,e,n),o.clip(),i(),o.restore()}function G(o,t,{colour:s,
width:e,halo:n},i){let r=[[t.background,e+n],[s,e]];for(let[a,h]of r)o.beginPath(),i(),o.lineWidth=h,o.strokeStyle=m(a),
o.stroke()}var nt=1.9,it=.62,ot=.6,rt=[213,94,0],g=class{constructor(t,s,e,n,i){this.context=t,this.theme=s,this.plot=e,this.square=
n,this.letter=i}pixel(t,s){let[e,n,i]=this.square,{x:r,y:a,w:h}=this.plot;return[r+h*(t-e+i)/(2*i),a+h*(n+i-s)/(2*i)]}place(t,s){
let[e,n,i]=this.square,{x:r,y:a,w:h}=this.plot;return[e-i+2*i*(t-r)/h,n+i-2*i*(s-a)/h]}within(t){let{context:s,theme:e,plot:n}=this;
H(s,n,t),s.strokeStyle=m(u(e.background,e.ink,.45)),s.lineWidth=1,s.strokeRect(n.x+.5,n.y+.5,n.w-1,n.h-1),this.#t()}#t(){
let{context:t,theme:s,plot:e,letter:n}=this,[i,r,a]=this.square;t.fillStyle=m(s.muted),t.font=`11.5px ${s.font}`;let h=(p,f,d,Q)=>{
t.textAlign=Q,t.fillText(p,f,d)},c=e.y+e.h+14;h((i-a).toFixed(1),e.x,c,"left"),h(`${n}₁`,e.x+e.w/2,c,"center"),h((i+a).
toFixed(1),e.x+e.w,c,"right"),h((r+a).toFixed(1),e.x-5,e.y+10,"right"),h(`${n}₂`,e.x-5,e.y+e.h/2+4,"right"),h((r-a).toFixed(
1),e.x-5,e.y+e.h,"right")}density(t){let{context:s,theme:e,plot:n}=this,i=Math.round(Math.sqrt(t.length)),r=t.reduce((c,p)=>Math.
max(c,p),0)||1,a=new ImageData(i,i);t.forEach((c,p)=>{let f=u(e.background,e.ink,it*(c/r)**ot),d=4*((i-1-Math.floor(p/i))*
i+p%i);a.data.set([...f,255],d)});let h=l("canvas",{width:i,height:i});x(h).putImageData(a,0,0),s.imageSmoothingQuality=
"high",s.drawImage(h,n.x,n.y,n.w,n.h)}lines(t,s){let{context:e,theme:n}=this;e.strokeStyle=m(u(n.background,n.primary,.75)),
e.lineWidth=1,e.beginPath();for(let i=0;2*i<t.length;i++){let[r,a]=this.pixel(t[2*i],t[2*i+1]);i%s?e.lineTo(r,a):e.moveTo(
r,a)}e.stroke()}circles(){let{context:t,theme:s,plot:e,square:n}=this,[i,r]=this.pixel(0,0);t.strokeStyle=m(s.ink),t.lineWidth=
1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(i,r,a*e.w/(2*n[2]),0,2*Math.PI),t.stroke();t.setLineDash(
[])}points(t,s){let{context:e,theme:n}=this;s.forEach((i,r)=>{let[a,h]=this.pixel(t[2*r],t[2*r+1]);e.fillStyle=m(q(i,n.dark)),
e.beginPath(),e.arc(a,h,nt,0,2*Math.PI),e.fill()})}mark([t,s]){let{context:e,theme:n}=this,[i,r]=this.pixel(t,s);G(e,n,{
colour:rt,width:2,halo:3},()=>{e.arc(i,r,6,0,2*Math.PI),e.moveTo(i-11,r),e.lineTo(i+11,r),e.moveTo(i,r-11),e.lineTo(i,r+
11)})}};var U=[0,0,3.3];function j(o){let t=o.filter((n,i)=>i%2===0),[s,e]=[Math.min(...t),Math.max(...t)];return t.map(n=>(n-s)/
(e-s||1))}function K([o,t],[s,e,n]){return Math.abs(o-s)<=n&&Math.abs(t-e)<=n}function V({points:o,names:t},s,e){let n=r=>{
if(r>=t.length)return 3.3;let a=o.subarray(r*s,(r+1)*s).reduce((h,c)=>Math.max(h,Math.abs(c)),0);return Math.max(3.3,1.05*
a)},i=Math.floor(e);return[0,0,n(i)+(e-i)*(n(i+1)-n(i))]}function B(o,t,s){let[e,n]=P(t.clientWidth).plots,[i,r]=[x(o),$(t)];return[new g(i,r,e,s,"x"),new g(i,r,n,U,"z")]}function z(o,[
t,s],e){at(o),t.within(()=>ht(t,e));let{layers:n,layer:i,payload:r}=e;n&&(s.square=V(n,r.points.length,i)),s.within(()=>ct(
s,e))}function at(o){let t=o.parentElement?.clientWidth??0,{height:s}=P(t),e=devicePixelRatio||1;Object.assign(o,{width:t*
e,height:s*e}),Object.assign(o.style,{width:`${t}px`,height:`${s}px`}),x(o).scale(e,e)}function ht(o,{payload:t,state:s,
shares:e,at:n,hasGrid:i}){o.density(s.density),i&&o.lines(s.lines,t.line_length),o.points(t.points,e),n&&o.mark(n)}function ct(o,{
payload:t,state:s,layers:e,layer:n,shares:i,hasGrid:r}){let{points:a,latent_lines:h,line_length:c}=t;if(r){let p=e?L(e.lines,
h.length,n):h;o.lines(p,c)}o.points(e?L(e.points,a.length,n):s.latent,i),(!e||n===e.names.length)&&o.circles(),e?.way.length&&
o.mark(L(e.way,2,n))}var lt=400,pt=6e3,J=600,ft=40,ut="Left: the data, the flow's density p(x) in grey, and the grid of the latent space mapp\
ed back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard deviations. C\
lick a place on the left to see its terms.",v=class{#t=new k;#n=new M;#s=0;#r=0;#p=0;#f=new Float32Array;#e=null;#i=null;#a=null;#u=()=>{};constructor(t){
this.root=t,this.canvas=l("canvas",{tabindex:0,role:"img",onclick:s=>this.#A(s),onkeydown:s=>this.#T(s)}),this.controls=
new w({playFit:()=>this.#b(),scrub:s=>this.#k(s),rest:()=>this.#h(),stepLayer:s=>this.#L(s),playLayers:()=>this.#M(),setLayer:s=>this.#S(
s),redraw:()=>this.#o()}),t.replaceChildren(l("p",{text:ut}),this.canvas,this.controls.element),this.watcher=new ResizeObserver(
()=>this.#o()),this.watcher.observe(t)}load(t,s){let e=N(t),n=e.run!==this.#t.run||this.#t.last<0,i=this.#e?.is_live;if([
this.#e,this.#u]=[e,s],n&&([this.#s,this.#a,this.#i]=[0,e.at,null]),this.#f=j(e.points),this.#t.add(e)){this.#p+=1,this.#h();
return}e.layers&&this.#x(e.layers),n&&e.layers?this.#s=e.layers.state:(n||e.is_live||i)&&this.#w(),this.#o()}#x(t){this.#i||
(this.#r=t.names.length),this.#i=t}get#g(){return this.#i?.state===this.#s?this.#i:null}#c=t=>{this.#s=t,this.#o()};#l=t=>{
this.#r=t,this.#o()};#w(){let{last:t}=this.#t;this.#s!==t&&this.#n.start(this.#s,t,lt,this.#c)}#b(){this.#s=0,this.#n.start(
0,this.#t.last,pt,this.#c,()=>this.#h())}#k(t){this.#n.stop(),this.#c(t)}#h(){this.#u({run:this.#t.run,state:this.#e?.is_live?
null:Math.round(this.#s),at:this.#a,asked:this.#p,from:this.#t.states.length})}get#d(){return this.#i?.names.length??0}#L(t){
let s=Math.min(this.#d,Math.max(0,Math.round(this.#r)+t));this.#n.start(this.#r,s,J,this.#l)}#M(){let t=this.#d;this.#n.
start(0,t,t*J,this.#l)}#S(t){this.#n.stop(),this.#l(t)}#A({offsetX:t,offsetY:s}){this.#e&&this.#m(this.#y(this.#e)[0].place(
t,s))}#T(t){let s=F[t.key];if(!s||!this.#e)return;t.preventDefault();let[e,n,i]=this.#e.box,[r,a]=this.#a??[e,n],h=2*i/ft;
this.#m([r+s[0]*h,a+s[1]*h])}#m(t){!this.#e||!K(t,this.#e.box)||(this.#a=t,this.#o(),this.#h())}#o(){if(!this.#e||!this.#t.
states.length||!this.root.clientWidth)return;let t=this.#t.at(this.#s),s=this.#g,e={state:t,layers:s,layer:this.#r};z(this.
canvas,this.#y(this.#e),{...e,payload:this.#e,shares:this.#f,at:this.#a,hasGrid:this.controls.grid.checked}),this.controls.
show({...e,position:this.#s,last:this.#t.last,isLive:this.#e.is_live}),this.canvas.ariaLabel=`Step ${t.step}: the data w\
ith the flow's density, and the points in the latent space`,this.root.dataset.states=String(this.#t.states.length)}#y({box:t}){
return B(this.canvas,this.root,t)}close(){this.#n.stop(),this.watcher.disconnect()}};var Xt=E(".flow-view","report",o=>new v(o));export{Xt as default};
