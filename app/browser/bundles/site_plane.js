var Ot={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function u(i,{text:t,...s}={},e=[]){let o=document.createElement(i);for(let[n,r]of Object.entries(s))typeof r=="function"?
o.addEventListener(n.slice(2),r):r!==null&&o.setAttribute(n,String(r));return t!==void 0&&(o.textContent=t),o.append(...e),
o}function S(i,t,s){return u("button",{type:"button",text:i,title:t,onclick:s})}function dt(i){return i.toLocaleString("en")}function L(i){return i.getContext("2d")}var B=class{#t=0;start(t,s,e,o,n=()=>{}){this.stop();let r=matchMedia("(prefers-reduced-motion: reduce)").matches,a=performance.
now(),h=l=>{let c=Math.min(1,Math.max(0,(l-a)/e)),p=r&&e<=600?1:c,f=p===1?s:t+p*(s-t);o(r?Math.round(f):f),p<1?this.#t=requestAnimationFrame(
h):n()};this.#t=requestAnimationFrame(h)}stop(){cancelAnimationFrame(this.#t)}};var U=[[68,1,84],[71,44,122],[59,81,139],[44,113,142],[33,144,141],[39,173,129],[92,200,99],[170,220,50],[253,231,37]];function Et(i){
let t=getComputedStyle(i),s=(n,r)=>t.getPropertyValue(n).trim()||r,e=wt(s("--st-background-color","#ffffff")),o=wt(s("--\
st-text-color","#0b0b0e"));return{background:e,ink:o,dark:e[0]+e[1]+e[2]<o[0]+o[1]+o[2],muted:M(e,o,.72),line:M(e,o,.2),
dim:M(e,o,.3),missing:M(e,o,.5),primary:wt(s("--st-primary-color","#1f6feb")),font:s("--st-font","sans-serif")}}function Ft(i,t){
let e=(t?.16+.84*i:.92*i)*(U.length-1),o=Math.min(Math.floor(e),U.length-2);return M(U[o],U[o+1],e-o)}function M(i,t,s){
let e=o=>Math.round(i[o]+(t[o]-i[o])*s);return[e(0),e(1),e(2)]}function x(i,t=1){return`rgb(${i.join(" ")} / ${100*t}%)`}
var K=null;function wt(i){K??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),K.fillStyle=i,K.fillRect(
0,0,1,1);let[t,s,e]=K.getImageData(0,0,1,1).data;return[t,s,e]}function T(i){let t=i>>>0;return()=>{t=t+1831565813|0;let s=Math.imul(t^t>>>15,1|t);return s^=s+Math.imul(s^s>>>7,61|s),
((s^s>>>14)>>>0)/2**32}}function N(i){return()=>Math.sqrt(-2*Math.log(1-i()))*Math.cos(2*Math.PI*i())}function Ct(i,t){let s=Array.
from({length:i},(e,o)=>o);for(let e=i-1;e>0;e--){let o=Math.floor(t()*(e+1));[s[e],s[o]]=[s[o],s[e]]}return s}var R={moons:"two moons",spiral:"spiral",ring:"ring",blobs:"two blobs",banana:"banana",cone:"cone"},gs={moons:(i,t)=>{let s=Math.
PI*i(),e=i()<.5?1:-1,[o,n]=[e*(Math.cos(s)-.5),e*(Math.sin(s)-.25)];return[1.5*o+.12*t(),1.5*n+.12*t()]},spiral:(i,t)=>{
let s=3*Math.PI*Math.sqrt(.03+.97*i()),e=.26*s;return[e*Math.cos(s)+.08*t(),e*Math.sin(s)+.08*t()]},ring:(i,t)=>{let s=2*
Math.PI*i();return[1.8*Math.cos(s)+.15*t(),1.8*Math.sin(s)+.15*t()]},blobs:(i,t)=>{let s=i()<.5?-1:1;return[1.4*s+.4*t(),
.6*s+.4*t()]},banana:(i,t)=>{let s=t();return[s,.45*(s**2-1)+.25*t()]},cone:(i,t)=>{let s=0;for(let o=0;o<6;o++)s-=.4*Math.
log(1-i());let e=Math.PI/4+.22*t();return[s*Math.cos(e),s*Math.sin(e)]}};function _t(i,t,s){let e=T(s),o=N(e),n=new Float64Array(
2*t);for(let r=0;r<t;r++)n.set(gs[i](e,o),2*r);return n}var $="drawn",gt={depth:["Depth",1,8,1,"Steps of the flow: ActNorm, reversal, coupling"],width:["Width",4,32,4,"Hidden u\
nits of each coupling's network"],lr:["Learning rate",5e-4,.02,5e-4,"Of Adam, constant"],seed:["Seed",0,9999,1,"Of the s\
hape, the flow's start and the order of the points"]},Nt={shape:"moons",coupling:"additive",depth:4,width:16,lr:.003,seed:0};
function yt({shape:i,coupling:t,depth:s,width:e,lr:o,seed:n}){return[i,t,s,e,o,n].join("-")}function Rt(i){let[t,s,...e]=i.
split("-"),[o,n,r,a]=e.map(Number),h={depth:o,width:n,lr:r,seed:a};if(!((Object.hasOwn(R,t)||t===$)&&e.length===4)||s!==
"additive"&&s!=="affine")return null;for(let[c,[,p,f]]of Object.entries(gt)){let m=h[c];if(!(c==="lr"||Number.isInteger(
m))||!(p<=m&&m<=f))return null}return{shape:t,coupling:s,...h}}function Pt({shape:i,coupling:t,depth:s,width:e,lr:o,seed:n},r){
let a=R[i];return`${a?`${r} points, ${a}`:`${r} points drawn by hand`}, seed ${n}; ${s} steps of ActNorm, reversal and ${t}\
 coupling of width ${e}; Adam at a learning rate of ${o}, 256 points a step, trained in this browser.`}var xt={slow:["slow motion",2,2.4],normal:["normal",60,.6],fast:["fast",600,.2]},V=class{constructor(t){this.act=t,this.
train=S("Train","Train the flow in this browser, or pause",t.train),this.step=S("One step","Take a single step of the op\
timiser",t.step),this.restart=S("Start again","Begin the fit anew",t.restart),this.speed=X("Speed",Object.entries(xt).map(
bs),"normal",()=>{}),this.stepText=u("output"),this.back=S("Back","Undo one layer",()=>t.stepLayer(-1)),this.forward=S("\
Forward","Apply one more layer",()=>t.stepLayer(1)),this.play=S("Play","From data to latent space",()=>t.playTo(1/0)),this.
inverse=S("Play back","The inverse: from latent space to data",()=>t.playTo(0)),this.layer=u("input",{type:"range",min:0,
step:.05,"aria-label":"Layer"}),this.layer.addEventListener("input",()=>t.setLayer(Number(this.layer.value))),this.layerText=
u("output",{class:"below"}),this.chips=u("ol",{class:"chips","aria-label":"Layers of the flow"});let s=[["data","the dat\
a"],["draws","draws from N(0, I), taken back"]];this.source=X("Points",s,"data",f=>t.follow(f)),this.grid=u("input",{type:"\
checkbox",checked:"",onchange:t.redraw}),this.choices=xs(t);let{train:e,step:o,restart:n,stepText:r,back:a,forward:h,play:l,
inverse:c,layer:p}=this;this.element=u("div",{class:"controls"},[zt("Fit",[e,o,n,P("Speed",this.speed),r]),zt("Layers",[
a,h,l,c,p,this.layerText]),this.chips,u("div",{class:"row"},[P("Points",this.source),u("label",{},[this.grid,u("span",{text:"\
Grid of the latent space"})])]),u("details",{},[u("summary",{text:"Other points, another flow"}),...this.choices.values()])])}show({
choice:t,steps:s,bits:e,isTraining:o,isBroken:n,canFit:r,layer:a,layers:h,source:l}){this.train.textContent=o?"Pause":"T\
rain";for(let f of[this.train,this.step])f.disabled=n||!r;let c=e===void 0?"":`: ${e.toFixed(3)} bits per dimension`;this.
stepText.textContent=n?`diverged at step ${dt(s)}: lower the learning rate and start again`:`step ${dt(s)}${c}`,this.layer.
max=String(h.length),this.layer.matches(":active")||(this.layer.value=String(a)),this.layerText.textContent=r?Ms(h,a):"";
let p=[this.restart,this.back,this.forward,this.play,this.inverse,this.layer];for(let f of p)f.disabled=!r;this.source.disabled=
!r,this.#t(h,a),this.source.value=l;for(let[f,m]of this.choices){let d=m.querySelector("input, select");d.matches(":focu\
s")||(d.value=String(t[f]))}}#t(t,s){this.chips.childElementCount!==t.length&&this.chips.replaceChildren(...t.map(({name:o},n)=>{
let r=S(ys[o]??o,`Open layer ${n+1}: ${o}`,()=>this.act.open(n));return r.ariaLabel=r.title,r.className=o.endsWith("coup\
ling")?"coupling":"",u("li",{},[r])}));let e=bt(s);[...this.chips.children].forEach((o,n)=>{let r=o.firstElementChild;r.
ariaCurrent=n===e?"step":"false"})}},ys={ActNorm:"ActNorm",reversal:"⇄","additive coupling":"+ m","affine coupling":"·\
 s + t"};function bt(i){return Math.max(0,Math.ceil(i)-1)}function xs(i){let t=new Map,s=[...Object.entries(R),[$,"draw \
your own"]];t.set("shape",P("Shape",X("Shape",s,"",o=>i.choose({shape:o}))));let e=X("Coupling",["additive","affine"].map(
As),"",o=>i.choose({coupling:o==="affine"?"affine":"additive"}));t.set("coupling",P("Coupling",e));for(let[o,[n,r,a,h,l]]of Object.
entries(gt)){let c=u("input",{type:"number",min:r,max:a,step:h,title:l,"aria-label":n});c.addEventListener("change",()=>{
c.reportValidity()&&i.choose({[o]:Number(c.value)})}),t.set(o,P(n,c))}return t}function bs([i,[t]]){return[i,t]}function As(i){
return[i,i]}function X(i,t,s,e){let o=t.map(([r,a])=>u("option",{value:r,text:a})),n=u("select",{"aria-label":i},o);return n.
value=s,n.addEventListener("change",()=>e(n.value)),n}function P(i,t){return u("label",{},[u("span",{text:i}),t])}function zt(i,t){
return u("div",{class:"row"},[u("span",{class:"name",text:i}),...t])}function Ms(i,t){let s=Math.round(t);if(s===0)return"\
data space, before the first layer";let e=s===i.length?": latent space":"";return`after layer ${s} of ${i.length}, ${i[s-
1].name}${e}`}var[At,Mt,ks]=[.9,.999,1e-6],J=class{#t=0;constructor(t,s){this.parameters=t,this.lr=s,this.means=t.map(e=>new Float64Array(
e.length)),this.squares=t.map(e=>new Float64Array(e.length))}step(t){this.#t+=1;let[s,e]=[1-At**this.#t,1-Mt**this.#t];this.
parameters.forEach((o,n)=>{let[r,a]=[this.means[n],this.squares[n]];for(let h=0;h<o.length;h++){let l=t[n][h];r[h]=At*r[h]+
(1-At)*l,a[h]=Mt*a[h]+(1-Mt)*l*l,o[h]-=this.lr*r[h]/s/(Math.sqrt(a[h]/e)+ks)}})}};function Q(i,t,s){let e=i.length/t,[o,n]=[new Float64Array(t),new Float64Array(t)];for(let a=0;a<i.length;a++)o[a%t]+=i[a]/
e;for(let a=0;a<i.length;a++)n[a%t]+=(i[a]-o[a%t])**2/e;let r=s?1:Math.sqrt(Math.max(...n));return{b:o.map(a=>-a),logs:n.
map(a=>{let h=Math.sqrt(a);return h>1e-6*r?-Math.log(h)/3:0})}}function v(i){return i.map(t=>Math.exp(3*t))}var O=class{name="\
ActNorm";b=new Float64Array(2);logs=new Float64Array(2);parameters=[this.b,this.logs];constructor(t){this.isUnit=t}forward(t){
let s=v(this.logs),e=t.map((n,r)=>(n+this.b[r%2])*s[r%2]),o=3*(this.logs[0]+this.logs[1]);return{x:t,y:e,ladj:new Float64Array(
t.length/2).fill(o)}}inverse(t){let s=v(this.logs);return t.map((e,o)=>e/s[o%2]-this.b[o%2])}backward({x:t,y:s},e,o,[n,r]){
let a=v(this.logs),h=e.map((l,c)=>l*a[c%2]);for(let l=0;l<t.length;l++)n[l%2]+=h[l],r[l%2]+=3*(e[l]*s[l]+o);return h}initialize(t){
let{b:s,logs:e}=Q(t,2,this.isUnit);return this.b.set(s),this.logs.set(e),this.forward(t).y}};var vs=.05,Y=class{constructor(t,s,e){let o=y=>Float64Array.from({length:y},()=>vs*e()),n=y=>new Float64Array(y);this.width=
t,this.nOutputs=s,this.w1=o(t),this.b1=n(t),this.logs1=n(t),this.w2=o(t*t),this.b2=n(t),this.logs2=n(t),this.w3=n(s*t),this.
c=n(s),this.logs3=n(s);let{w1:r,b1:a,logs1:h,w2:l,b2:c,logs2:p,w3:f,c:m,logs3:d}=this;this.parameters=[r,l,f,m,d,a,h,c,p]}forward(t){
let{width:s,nOutputs:e,w2:o,b2:n,w3:r,c:a}=this,[h,l]=[this.logs2,this.logs3].map(v),c=this.#t(t),[p,f]=[s,e].map(m=>new Float64Array(
t.length*m));for(let m=0;m<t.length;m++){for(let d=0;d<s;d++){let y=vt(o,d*s,c,m*s,s);p[m*s+d]=Math.max(0,(y+n[d])*h[d])}
for(let d=0;d<e;d++){let y=vt(r,d*s,p,m*s,s);f[m*e+d]=(y+a[d])*l[d]}}return{x:t,h1:c,h2:p,out:f}}#t(t){let{width:s,w1:e,
b1:o}=this,n=v(this.logs1);return new Float64Array(t.length*s).map((r,a)=>{let h=a%s;return Math.max(0,(e[h]*t[(a-h)/s]+
o[h])*n[h])})}backward({x:t,h1:s,h2:e,out:o},n,[r,a,h,l,c,p,f,m,d]){let{width:y,nOutputs:q,w1:mt,w2:ps,w3:us}=this,[ms,ds,
ws]=[this.logs1,this.logs2,this.logs3].map(v),$t=new Float64Array(t.length),[G,H]=[new Float64Array(y),new Float64Array(
y)];for(let F=0;F<t.length;F++){let C=F*y;G.fill(0),H.fill(0);for(let w=0;w<q;w++){let A=F*q+w;c[w]+=3*n[A]*o[A];let k=n[A]*
ws[w];l[w]+=k;for(let _=0;_<y;_++)h[w*y+_]+=k*e[C+_],H[_]+=k*us[w*y+_]}for(let w=0;w<y;w++){if(e[C+w]===0)continue;d[w]+=
3*H[w]*e[C+w];let A=H[w]*ds[w];m[w]+=A;for(let k=0;k<y;k++)a[w*y+k]+=A*s[C+k],G[k]+=A*ps[w*y+k]}for(let w=0;w<y;w++){if(s[C+
w]===0)continue;f[w]+=3*G[w]*s[C+w];let A=G[w]*ms[w];p[w]+=A,r[w]+=A*t[F],$t[F]+=A*mt[w]}}return $t}initialize(t){let{width:s,
w1:e,w2:o}=this,n=new Float64Array(t.length*s),r=Q(n.map((l,c)=>e[c%s]*t[Math.floor(c/s)]),s,!0);this.b1.set(r.b),this.logs1.
set(r.logs);let a=this.#t(t),h=Q(n.map((l,c)=>vt(o,c%s*s,a,c-c%s,s)),s,!0);this.b2.set(h.b),this.logs2.set(h.logs)}};function vt(i,t,s,e,o){
let n=0;for(let r=0;r<o;r++)n+=i[t+r]*s[e+r];return n}var E=class{constructor(t,s,e){this.name=`${t} coupling`,this.isAffine=t==="affine",this.network=new Y(s,this.isAffine?2:
1,e),this.parameters=this.network.parameters}effect(t){let s=this.network.forward(t),{out:e}=s;if(!this.isAffine)return{
kept:s,shift:e,logScale:new Float64Array(t.length)};let o=t.map((n,r)=>-Math.log1p(Math.exp(-(e[2*r+1]+2))));return{kept:s,
shift:t.map((n,r)=>e[2*r]),logScale:o}}forward(t){let{kept:s,shift:e,logScale:o}=this.effect(St(t)),n=t.map((r,a)=>a%2?(r+
e[a>>1])*Math.exp(o[a>>1]):r);return{x:t,y:n,ladj:o,kept:s}}inverse(t){let{shift:s,logScale:e}=this.effect(St(t));return t.
map((o,n)=>n%2?o*Math.exp(-e[n>>1])-s[n>>1]:o)}backward({y:t,ladj:s,kept:e},o,n,r){let a=o.slice(),{x:h,out:l}=e,c=new Float64Array(
l.length);for(let f=0;f<h.length;f++){let[m,d]=[o[2*f+1],Math.exp(s[f])];a[2*f+1]=m*d,c[this.isAffine?2*f:f]=m*d,this.isAffine&&
(c[2*f+1]=(m*t[2*f+1]+n)*(1-d))}let p=this.network.backward(e,c,r);for(let f=0;f<h.length;f++)a[2*f]+=p[f];return a}initialize(t){
return this.network.initialize(St(t)),this.forward(t).y}};function St(i){return new Float64Array(i.length/2).map((t,s)=>i[2*
s])}var tt=class{name="reversal";parameters=[];forward(t){return{x:t,y:Z(t),ladj:new Float64Array(t.length/2)}}inverse(t){return Z(
t)}backward(t,s){return Z(s)}initialize(t){return Z(t)}};function Z(i){return i.map((t,s)=>i[s^1])}var st=class{constructor({depth:t,width:s,coupling:e,seed:o}){let n=N(T(o));this.layers=Array.from({length:t},(r,a)=>[new O(
a>0),new tt,new E(e,s,n)]).flat(),this.parameters=this.layers.flatMap(r=>r.parameters)}initialize(t){this.layers.reduce(
(s,e)=>e.initialize(s),t)}trace(t){let s=this.#t(t);return{states:[t,...s.map(({y:e})=>e)],ladj:s.map(({ladj:e})=>e)}}#t(t){
let s=t;return this.layers.map(e=>{let o=e.forward(s);return s=o.y,o})}back(t,s=this.layers.length){let e=[t];for(let o=s-
1;o>=0;o--)e.unshift(this.layers[o].inverse(e[0]));return e}logProb(t){let{states:s,ladj:e}=this.trace(t),o=s.at(-1);return new Float64Array(
t.length/2).map((n,r)=>e.reduce((a,h)=>a+h[r],et(o[2*r],o[2*r+1])))}gradients(t){let s=this.#t(t),[e,o]=[t.length/2,s.at(
-1)?.y??t],n=1/(2*Math.LN2*e),r=0;for(let c=0;c<e;c++){let p=s.reduce((f,m)=>f+m.ladj[c],0);r-=n*(et(o[2*c],o[2*c+1])+p)}
let a=this.parameters.map(c=>new Float64Array(c.length)),h=o.map(c=>c*n),l=a.length;for(let c=this.layers.length-1;c>=0;c--){
let p=this.layers[c],f=l-p.parameters.length;h=p.backward(s[c],h,-n,a.slice(f,l)),l=f}return{bits:r,gradients:a}}};function et(i,t){
return-.5*(i*i+t*t)-Math.log(2*Math.PI)}function Dt(i,t){let s=i.forward(Float64Array.from(t)),e=i.parameters.map(h=>new Float64Array(
h.length)),[o,n]=i.backward(s,Float64Array.of(1,0),0,e),[r,a]=i.backward(s,Float64Array.of(0,1),0,e);return[o,n,r,a]}var Ss=256,ot=class{#t=[];bits=[];constructor(t,s){this.points=t,this.flow=new st(s),this.flow.initialize(t),this.optimizer=
new J(this.flow.parameters,s.lr),this.uniform=T(s.seed+1)}get steps(){return this.bits.length}get isBroken(){return this.
steps>0&&!Number.isFinite(this.bits[this.steps-1])}step(){let{bits:t,gradients:s}=this.flow.gradients(this.#e());this.bits.
push(t),this.isBroken||this.optimizer.step(s)}#e(){let t=this.points.length/2,s=Math.min(Ss,t);this.#t.length<s&&(this.#t=
Ct(t,this.uniform));let e=new Float64Array(2*s);return this.#t.splice(0,s).forEach((o,n)=>{e.set(this.points.subarray(2*
o,2*o+2),2*n)}),e}};var[It,Ls]=[9,3],z=41,Wt=[0,0,3.3];function jt(i){let t=i.filter((o,n)=>n%2===0),[s,e]=[Math.min(...t),Math.max(...t)];return t.
map(o=>(o-s)/(e-s||1))}function qt([i,t],[s,e,o]){return Math.abs(i-s)<=o&&Math.abs(t-e)<=o}function Gt(i){let[t,s]=[0,1].
map(l=>i.filter((c,p)=>p%2===l)),e=[t,s].map(l=>[Math.min(...l),Math.max(...l)]),[[o,n],[r,a]]=e,h=Math.max(n-o,a-r)/2*(1+
.25);return[(o+n)/2,(r+a)/2,h]}function Ht([i,t,s],e){let o=n=>s*((2*n+1)/e-1);return new Float64Array(2*e*e).map((n,r)=>{
let a=r>>1;return r%2?t+o(Math.floor(a/e)):i+o(a%e)})}function Bt(){let i=(s,e)=>Ls*(2*s/(e-1)-1),t=[];for(let s of[!1,!0])
for(let e=0;e<It;e++)for(let o=0;o<z;o++){let[n,r]=[i(e,It),i(o,z)];t.push(...s?[r,n]:[n,r])}return Float64Array.from(t)}
function Ut(i,[t,s],e){let[o,n]=[null,e];for(let r=0;2*r<i.length;r++){let a=Math.hypot(i[2*r]-t,i[2*r+1]-s);a<=n&&([o,n]=
[r,a])}return o}function Kt(i,t){let s=i.length-1,e=n=>{if(n>=s)return 3.3;let r=i[n].reduce((a,h)=>Math.max(a,Math.abs(
h)),0);return Math.max(3.3,1.05*r)},o=Math.floor(t);return[0,0,e(o)+(t-o)*(e(o+1)-e(o))]}function it(i,t){let s=Math.floor(
t),[e,o]=[i[s],t-s];if(o===0)return e;let n=i[s+1];return e.map((r,a)=>r+o*(n[a]-r))}var Vt=600,[Ts,$s]=[8,2e3],[Os,Es]=[4,.12],Fs=[0,0,3],Cs=40,_s=Bt();function D(i){let t=null;return(s,e=1)=>((!t||s-t.version>=
e)&&(t={version:s,value:i()}),t.value)}var I=class{#t=0;#e=N(T(7));row=0;#a=[0,0];source="data";fit=null;#s=new Float64Array(
2*Vt).map(()=>this.#e());#n=D(()=>this.source==="data"?this.points:this.flow.back(this.#s)[0]);#h=D(()=>this.flow.trace(
this.followed));#i=D(()=>this.flow.trace(Float64Array.from(this.place)));#c=D(()=>this.flow.back(_s));#l=D(()=>this.flow.
logProb(Ht(this.box,Cs)).map(Math.exp));constructor(t){this.choice=t;let{shape:s,seed:e}=t;this.points=s===$?new Float64Array:
_t(s,Vt,e),this.box=s===$?Fs:Gt(this.points),this.row=s===$?null:0,this.restart()}restart(){let t=this.points.length>=2*
Ts;this.fit=t?new ot(this.points,this.choice):null,this.#t+=1}get isDrawn(){return this.choice.shape===$}get flow(){return this.
fit.flow}get nLayers(){return 3*this.choice.depth}step(){this.fit?.step(),this.#t+=1}follow(t){this.source=t,this.row=this.
isDrawn&&t==="data"?null:0,this.#t+=1}get followed(){return this.#n(this.#t)}get colouredBy(){return this.source==="data"?
this.points:this.#s}get trace(){return this.#h(this.#t)}get way(){return this.#i(this.#t)}lines(t){return this.#c(this.#t,
t)}density(t){return this.#l(this.#t,t)}get place(){return this.row===null?this.#a:[this.followed[2*this.row],this.followed[2*
this.row+1]]}pick(t,s,e){this.row=Ut(this.trace.states[s],t,e),this.moveTo(t,s)}moveTo(t,s){let[e,o]=s?this.flow.back(Float64Array.
from(t),s)[0]:t;if(this.#t+=1,this.row===null)this.#a=[e,o];else if(this.source==="data")this.points.set([e,o],2*this.row);else{
let n=this.flow.trace(Float64Array.of(e,o)).states.at(-1);this.#s.set(n,2*this.row)}}scatter([t,s]){let e=Math.min(Os,$s-
this.points.length/2),o=Array.from({length:2*e},(n,r)=>(r%2?s:t)+Es*this.#e());this.points=Float64Array.of(...this.points,
...o),this.fit&&(this.fit.points=this.points),this.#t+=1}};var Xt=161;function g(i,t=3){let s=Math.abs(i).toFixed(t);return i<0&&Number(s)!==0?`−${s}`:s}function b(i){let t=g(i);
return t.startsWith("−")?`(${t})`:t}function Jt(i,[t,s]){let[e,o]=i.forward(Float64Array.of(t,s)).y;if(i instanceof O){
let c=v(i.logs);return[`z₁ = (x₁ + b₁) · s₁ = (${b(t)} + ${b(i.b[0])}) · ${g(c[0])} ≈ ${g(e)}`,`z₂ = (x₂ + b\
₂) · s₂ = (${b(s)} + ${b(i.b[1])}) · ${g(c[1])} ≈ ${g(o)}`,"back: x = z / s − b"]}if(!(i instanceof E))return[
`z₁ = x₂ = ${g(e)}`,`z₂ = x₁ = ${g(o)}`,"back: the same again. The next coupling changes what the last one left."];
let{shift:n,logScale:r}=i.effect(Float64Array.of(t)),[a,h]=[n[0],Math.exp(r[0])],l=`z₁ = x₁ = ${g(e)}`;return i.isAffine?
[l,`z₂ = (x₂ + t(x₁)) · s(x₁) = (${b(s)} + ${b(a)}) · ${g(h)} ≈ ${g(o)}`,`back: x₂ = z₂ / s(z₁) − t(z₁) = ${b(
o)} / ${g(h)} − ${b(a)} ≈ ${g(s)}`]:[l,`z₂ = x₂ + m(x₁) = ${b(s)} + ${b(a)} ≈ ${g(o)}`,`back: x₂ = z₂ − m(z₁\
) = ${b(o)} − ${b(a)} ≈ ${g(s)}`]}function Qt(i,[t,s,e,o]){let n=t*o-s*e,r=`det = ${b(t)} · ${b(o)} − ${b(s)} · ${b(
e)}`,a=`log |det| = ${g(Math.log(Math.abs(n)))} nats`;return i instanceof O?`${r} ≈ ${g(n)}: every area by one factor;\
 ${a}`:i instanceof E?i.isAffine?`${r} ≈ ${g(n)}: by another factor at each x₁; ${a}`:`${r} = ${g(n)}, whatever m is\
: areas stay as they are; ${a}`:`${r} = ${g(n)}: areas stay as they are, mirrored; ${a}`}function Yt(i,[t,s],e){let o=i instanceof
O;if(!o&&!(i instanceof E))return null;let n=o?e:e.filter((f,m)=>m%2===0),[r,a]=[Math.min(...n,t),Math.max(...n,t)],h=new Float64Array(
Xt).map((f,m)=>r+(a-r)*m/(Xt-1)),l=(f,m,d)=>({name:f,x:h,y:m(h),mark:[d,m(Float64Array.of(d))[0]]});if(o){let f=v(i.logs),
m=y=>q=>q.map(mt=>(mt+i.b[y])*f[y]);return{curves:[l("z₁ of x₁",m(0),t),l("z₂ of x₂",m(1),s)],titles:["x","z"]}}
let c=l(i.isAffine?"t(x₁)":"m(x₁)",f=>i.effect(f).shift,t);if(!i.isAffine)return{curves:[c],titles:["x₁","m(x₁)"],
rug:n};let p=l("s(x₁)",f=>i.effect(f).logScale.map(Math.exp),t);return{curves:[c,p],titles:["x₁","t and s"],rug:n}}function nt(i,t,s){let e=devicePixelRatio||1;Object.assign(i,{width:t*e,height:s*e}),Object.assign(i.style,{width:`${t}p\
x`,height:`${s}px`}),L(i).scale(e,e)}function rt(i,{x:t,y:s,w:e,h:o},n){i.save(),i.beginPath(),i.rect(t,s,e,o),i.clip(),n(),i.restore()}function W(i,t,{colour:s,
width:e,halo:o},n){let r=[[t.background,e+o],[s,e]];for(let[a,h]of r)i.beginPath(),n(),i.lineWidth=h,i.strokeStyle=x(a),
i.stroke()}var[Zt,Ns,ts,Rs]=[46,10,20,34],es=[[0,114,178],[213,94,0]];function Lt(i,t,{curves:s,titles:e,rug:o},{width:n,height:r}){
nt(i,n,r);let a=L(i),h={x:Zt,y:ts,w:n-Zt-Ns,h:r-ts-Rs},[l,c]=ss(s.map(({x:d})=>d)),[p,f]=Ps(ss(s.map(({y:d})=>d))),m=(d,y)=>[
h.x+h.w*(d-l)/(c-l||1),h.y+h.h*(f-y)/(f-p)];a.strokeStyle=x(M(t.background,t.ink,.45)),a.lineWidth=1,a.strokeRect(h.x+.5,
h.y+.5,h.w-1,h.h-1),Is(a,t,{box:h,titles:e,ends:[l,c,p,f]}),rt(a,h,()=>{o&&zs(a,t,o,d=>m(d,p)),s.forEach((d,y)=>{Ds(a,t,
d,es[y],m)})}),Ws(a,t,s,h.x)}function ss(i){let t=i.flatMap(s=>[...s]).filter(Number.isFinite);return[Math.min(...t),Math.
max(...t)]}function Ps([i,t]){let s=Math.max(.1-(t-i)/2,.06*(t-i));return[i-s,t+s]}function zs(i,t,s,e){i.strokeStyle=x(
t.ink,.18),i.beginPath();for(let o of s){let[n,r]=e(o);i.moveTo(n,r),i.lineTo(n,r-7)}i.stroke()}function Ds(i,t,{x:s,y:e,
mark:o},n,r){if(W(i,t,{colour:n,width:2,halo:2},()=>{s.forEach((l,c)=>{i.lineTo(...r(l,e[c]))})}),!o)return;let[a,h]=r(...o);
i.setLineDash([3,3]),i.strokeStyle=x(t.muted),i.beginPath(),i.moveTo(a,r(o[0],-1e6)[1]),i.lineTo(a,h),i.stroke(),i.setLineDash(
[]),i.fillStyle=x(n),i.beginPath(),i.arc(a,h,5,0,2*Math.PI),i.fill()}function Is(i,t,{box:s,titles:e,ends:[o,n,r,a]}){i.
fillStyle=x(t.muted),i.font=`11.5px ${t.font}`;let h=(p,f,m,d)=>{i.textAlign=d,i.fillText(p,f,m)},l=p=>p>=100?0:1,c=s.y+
s.h+14;h(o.toFixed(l(n-o)),s.x,c,"left"),h(n.toFixed(l(n-o)),s.x+s.w,c,"right"),h(e[0],s.x+s.w/2,c+15,"center"),h(a.toFixed(
1),s.x-5,s.y+10,"right"),h(r.toFixed(1),s.x-5,s.y+s.h,"right"),i.save(),i.translate(12,s.y+s.h/2),i.rotate(-Math.PI/2),h(
e[1],0,0,"center"),i.restore()}function Ws(i,t,s,e){if(s.length<2)return;i.textAlign="left";let o=e;s.forEach(({name:n},r)=>{
i.fillStyle=x(es[r]),i.fillRect(o,7,16,4),i.fillStyle=x(t.ink),i.fillText(n,o+21,14),o+=36+i.measureText(n).width})}var[os,js]=[340,220],qs=600,Gs={additive:"Reversals and additive couplings preserve area. Only ActNorm changes it, by on\
e factor everywhere, so p(x) has a single peak, where z = 0: clusters stay joined by a bridge.",affine:"Affine couplings\
 stretch each point by its own factor, so p(x) can have several peaks of different heights."},at=class{title=u("h4");curve=u(
"canvas",{role:"img"});lines=u("div",{class:"formula"});matrix=u("div",{class:"matrix",role:"img"});determinant=u("p");loss=u(
"canvas",{role:"img"});terms=u("p");volume=u("p");constructor(){let t=u("div",{class:"row"},[u("span",{text:"Jacobian ∂z\
/∂x ="}),this.matrix]),s=u("div",{},[this.title,this.lines,t,this.determinant]);this.element=u("div",{class:"opened"},
[u("div",{},[this.curve]),s,u("div",{},[this.loss]),u("div",{class:"whole"},[this.terms,this.volume])])}show(t,s,e){let[
o,{states:n}]=[t.flow.layers[s],t.way],r=[n[s][0],n[s][1]],a=this.curve.parentElement?.clientWidth??os,h={width:Math.min(
os,a),height:js};this.title.textContent=`Layer ${s+1}: ${o.name}, for the marked point`,this.lines.replaceChildren(...Jt(
o,r).map(p=>u("div",{text:p})));let l=Dt(o,r);this.matrix.replaceChildren(...l.map(p=>u("span",{text:g(p)}))),this.matrix.
ariaLabel=`rows ${l.map(p=>g(p)).join(", ")}`,this.determinant.textContent=Qt(o,l);let c=Yt(o,r,t.trace.states[s]);this.
curve.hidden=!c,c&&Lt(this.curve,e,c,h),this.curve.ariaLabel=`${c?.titles[1]} against ${c?.titles[0]}`,this.#t(t,e,h),this.
terms.textContent=Hs(t),this.volume.textContent=Gs[t.choice.coupling]}#t({fit:t},s,e){let o=t?.bits??[];if(this.loss.hidden=
o.length<2,this.loss.hidden)return;let n=Math.ceil(o.length/qs),r=o.filter((h,l)=>l%n===0),a={name:"",x:Float64Array.from(
r,(h,l)=>l*n+1),y:Float64Array.from(r)};Lt(this.loss,s,{curves:[a],titles:["step","bits per dimension"]},e),this.loss.ariaLabel=
"Bits per dimension of each step of the fit"}};function Hs({place:[i,t],way:{states:s,ladj:e}}){let o=s[s.length-1],[n,r]=[
et(o[0],o[1]),e.reduce((h,[l])=>h+l,0)],a=r<0?"−":"+";return`All layers: x = (${g(i)}, ${g(t)}) goes to z = (${g(o[0])}\
, ${g(o[1])}), and log p(x) = log N(z; 0, I) + Σ log |det| = ${g(n)} ${a} ${g(Math.abs(r))} = ${g(n+r)} nats.`}var[ht,is,ns,Bs]=[34,48,22,460],Us=560;function Tt(i){let t=i>Us,s=Math.min(Bs,t?(i-ht-is)/2:i-ht-2),e={x:ht,y:0,w:s,h:s},
o=t?{...e,x:ht+s+is}:{...e,y:s+ns};return{height:(t?1:2)*(s+ns),plots:[e,o]}}var ct=1.7,[lt,rs]=[9,.45],Ks=.62,Vs=.6,as=[213,94,0],j=class{constructor(t,s,e,o,n){this.context=t,this.theme=s,this.plot=
e,this.square=o,this.letter=n}pixel(t,s){let[e,o,n]=this.square,{x:r,y:a,w:h}=this.plot;return[r+h*(t-e+n)/(2*n),a+h*(o+
n-s)/(2*n)]}place(t,s){let[e,o,n]=this.square,{x:r,y:a,w:h}=this.plot;return[e-n+2*n*(t-r)/h,o+n-2*n*(s-a)/h]}within(t){
let{context:s,theme:e,plot:o}=this;rt(s,o,t),s.strokeStyle=x(M(e.background,e.ink,.45)),s.lineWidth=1,s.strokeRect(o.x+.5,
o.y+.5,o.w-1,o.h-1),this.#t()}#t(){let{context:t,theme:s,plot:e,letter:o}=this,[n,r,a]=this.square;t.fillStyle=x(s.muted),
t.font=`11.5px ${s.font}`;let h=(c,p,f,m)=>{t.textAlign=m,t.fillText(c,p,f)},l=e.y+e.h+14;h((n-a).toFixed(1),e.x,l,"left"),
h(`${o}₁`,e.x+e.w/2,l,"center"),h((n+a).toFixed(1),e.x+e.w,l,"right"),h((r+a).toFixed(1),e.x-5,e.y+10,"right"),h(`${o}\
₂`,e.x-5,e.y+e.h/2+4,"right"),h((r-a).toFixed(1),e.x-5,e.y+e.h,"right")}density(t){let{context:s,theme:e,plot:o}=this,
n=Math.round(Math.sqrt(t.length)),r=t.reduce((l,c)=>Math.max(l,c),0)||1,a=new ImageData(n,n);t.forEach((l,c)=>{let p=4*((n-
1-Math.floor(c/n))*n+c%n);a.data.set(M(e.background,e.ink,Ks*(l/r)**Vs),p),a.data[p+3]=255});let h=u("canvas",{width:n,height:n});
L(h).putImageData(a,0,0),s.imageSmoothingQuality="high",s.drawImage(h,o.x,o.y,o.w,o.h)}lines(t,s){let{context:e,theme:o}=this;
e.strokeStyle=x(M(o.background,o.primary,.75)),e.lineWidth=1,e.beginPath();for(let n=0;2*n<t.length;n++){let[r,a]=this.pixel(
t[2*n],t[2*n+1]);n%s?e.lineTo(r,a):e.moveTo(r,a)}e.stroke()}circles(){let{context:t,theme:s,plot:e,square:o}=this,[n,r]=this.
pixel(0,0);t.strokeStyle=x(s.ink),t.lineWidth=1.25,t.setLineDash([5,4]);for(let a of[1,2,3])t.beginPath(),t.arc(n,r,a*e.
w/(2*o[2]),0,2*Math.PI),t.stroke();t.setLineDash([])}points(t,s){let{context:e}=this;s.forEach((o,n)=>{let[r,a]=this.pixel(
t[2*n],t[2*n+1]);e.fillStyle=o,e.fillRect(r-ct,a-ct,2*ct,2*ct)})}arrow(t,s){let{context:e,theme:o}=this,[[n,r],[a,h]]=[this.
pixel(...t),this.pixel(...s)],[l,c]=[Math.hypot(a-n,h-r),Math.atan2(h-r,a-n)];if(l<2*lt)return;let p=l-lt-3,[f,m]=[n+p*Math.
cos(c),r+p*Math.sin(c)];W(e,o,{colour:as,width:2,halo:3},()=>{e.moveTo(n,r),e.lineTo(f,m);for(let d of[-rs,rs])e.moveTo(
f,m),e.lineTo(f-lt*Math.cos(c+d),m-lt*Math.sin(c+d))})}mark([t,s]){let{context:e,theme:o}=this,[n,r]=this.pixel(t,s);W(e,
o,{colour:as,width:2,halo:3},()=>{e.arc(n,r,6,0,2*Math.PI),e.moveTo(n-11,r),e.lineTo(n+11,r),e.moveTo(n,r-11),e.lineTo(n,
r+11)})}};function hs(i,t,s,e,o){let[n,r]=Tt(t.clientWidth).plots,a=L(i),h=e.fit?Kt(e.trace.states,o):Wt,l=o===e.nLayers?"z":"h";return[
new j(a,s,n,e.box,"x"),new j(a,s,r,h,l)]}function cs(i,t,[s,e],o,n){let r=t.clientWidth;nt(i,r,Tt(r).height),s.within(()=>Xs(
s,o,n)),e.within(()=>{o.fit&&Js(e,o,n)})}function Xs(i,t,{age:s,hasGrid:e,colours:o}){if(!t.fit){i.points(t.points,o),i.
mark(t.place);return}i.density(t.density(s)),e&&i.lines(t.lines(s)[0],z),i.points(t.followed,o),i.mark(t.place)}function Js(i,t,{
layer:s,age:e,hasGrid:o,colours:n}){o&&i.lines(it(t.lines(e),s),z),i.points(it(t.trace.states,s),n),s===t.nLayers&&i.circles();
let r=Math.max(1,Math.ceil(s)),[a,h]=[t.way.states[r-1],t.way.states[r]];i.arrow([a[0],a[1]],[h[0],h[1]]);let[l,c]=it(t.
way.states,s);i.mark([l,c])}var ft=class{#t=0;#e=null;run(t,s,e){this.#t+=Math.min(.1,(t-(this.#e??t))/1e3)*s,this.#e=t;let o=performance.now()+10;for(;this.#t>=
1;)e(),this.#t-=1,performance.now()>=o&&(this.#t=Math.min(this.#t,1))}rest(){[this.#t,this.#e]=[0,null]}};var ls=1200,Qs=100,Ys=14,Zs=40,te=3,se="Left: the data, the flow's density p(x) in grey, and the grid of the latent spac\
e mapped back. Right: the same points and grid on their way to N(0, I), whose circles lie at 1, 2 and 3 standard deviati\
ons. Drag a point on either side: it moves through the whole map.",ee="Drag over the left square to scatter points; or m\
ove with the arrow keys and press Space.",ut=class{#t=new I(Nt);#e=new B;#a=new ft;#s=this.#t.nLayers;#n=0;#h=0;#i=!0;#c=ls;#l=!1;#r=null;#A=[];#f=null;#M=()=>{};#d=u(
"p",{role:"status"});#k=u("p",{class:"recipe"});opened=new at;constructor(t){this.root=t,this.canvas=u("canvas",{tabindex:0,
role:"application",onpointerdown:e=>this.#C(e),onpointermove:e=>this.#_(e),onpointerup:()=>this.#b(),onpointercancel:()=>this.#b(),
onkeydown:e=>this.#N(e)}),this.controls=new V({train:()=>this.#u(!this.#i),step:()=>this.#E(),restart:()=>this.#w(),stepLayer:e=>this.#m(
this.#s,Math.round(this.#s)+e),playTo:e=>this.#F(e),setLayer:e=>this.#g(e),open:e=>this.#m(e,e+1),follow:e=>this.#O(e),choose:e=>this.#$(
e),redraw:()=>this.#o()});let s=u("p",{text:se});t.replaceChildren(this.canvas,this.#d,this.controls.element,this.opened.
element,this.#k,s);for(let e of["pointerdown","keydown"])t.addEventListener(e,()=>{this.#l=!0});this.watcher=new ResizeObserver(
()=>this.#o()),this.watcher.observe(t)}load({choice:t},s){if(this.#M=s,this.#f=Et(this.root),t!==null&&t!==yt(this.#t.choice)){
let e=Rt(t);e?this.#v(e):this.#d.textContent=`plane=${t} in the address is no flow: the usual one is shown.`}this.#p(),this.#o()}#$(t){
this.#v({...this.#t.choice,...t}),this.#M(yt(this.#t.choice))}#v(t){this.#t=new I(t),this.#d.textContent=this.#t.isDrawn?
ee:"",this.#w(),this.#p()}#w(){this.#t.restart(),this.#g(this.#t.nLayers),this.#u(this.#t.fit!==null),this.#c=ls,this.#l=
!1}#O(t){this.#t.follow(t),this.#p(),this.#o()}#p(){let t=this.#f?.dark??!1,s=[...jt(this.#t.colouredBy)];this.#A=s.map(
e=>x(Ft(e,t)))}#u(t){this.#i=t,this.#c=1/0,this.#a.rest(),this.#o()}#E(){this.#u(!1),this.#t.step()}get#S(){return xt[this.
controls.speed.value]}#m(t,s,e=()=>{}){let o=Math.min(this.#t.nLayers,Math.max(0,s)),n=Math.abs(o-t)*this.#S[2]*1e3;this.#e.
start(t,o,n,this.#L,e)}#F(t){let s=Math.min(this.#t.nLayers,t);this.#m(this.#s===s?this.#t.nLayers-s:this.#s,s)}#L=t=>{this.#s=
t,this.#o()};#g(t){this.#e.stop(),this.#L(t)}#y(){let t=this.#f;return hs(this.canvas,this.root,t,this.#t,this.#s)}#C(t){
let s=this.#y(),e=s.findIndex(r=>qt(r.place(...pt(t)),r.square));if(e<0)return;t.preventDefault(),this.canvas.focus({preventScroll:!0}),
this.canvas.setPointerCapture(t.pointerId),this.#r=e===0?0:1;let o=s[e],n=Ys*2*o.square[2]/o.plot.w;this.#t.isDrawn&&e===
0?this.#x(o.place(...pt(t))):this.#t.fit&&(e===1&&this.#g(Math.round(this.#s)),this.#t.pick(o.place(...pt(t)),this.#T,n)),
this.#p(),this.#o()}#x(t){this.#t.scatter(t),this.#p()}get#T(){return this.#r===0?0:Math.round(this.#s)}#_(t){if(this.#r===
null)return;let s=this.#y()[this.#r].place(...pt(t));this.#t.isDrawn&&this.#r===0?this.#x(s):this.#t.fit&&this.#t.moveTo(
s,this.#T),this.#o()}#b(){this.#r=null,this.#t.isDrawn&&!this.#t.fit&&this.#w(),this.#t.fit&&(this.#d.textContent=""),this.#o()}#N(t){
let s=Ot[t.key],e=t.key===" "&&this.#t.isDrawn;if(!s&&!e)return;if(t.preventDefault(),!s){this.#x(this.#t.place),this.#b();
return}let[o,n]=this.#t.place,r=2*this.#t.box[2]/Zs;this.#t.moveTo([o+s[0]*r,n+s[1]*r],0),this.#o()}#o(){this.#n||(this.#n=
requestAnimationFrame(this.#R))}#R=t=>{this.#n=0,this.#i&&this.#P(t),this.#z(),this.#i&&this.#o()};#P(t){let{fit:s}=this.#t;
if(this.#a.run(t,this.#S[1],()=>this.#t.step()),!s||s.isBroken)this.#u(!1);else if(s.steps>=this.#c){this.#u(!1);let e=this.#t.
nLayers;this.#l||this.#m(e,0,()=>this.#m(0,e))}}#z(){if(!this.#f||!this.root.clientWidth)return;let t=this.#t.fit?.steps??
0,s=matchMedia("(prefers-reduced-motion: reduce)").matches,e=t>this.#h&&t<this.#h+Qs;s&&this.#i&&e||(this.#h=t,cs(this.canvas,
this.root,this.#y(),this.#t,{layer:this.#s,age:this.#i?te:1,colours:this.#A,hasGrid:this.controls.grid.checked}),this.#D(
t))}#D(t){let{choice:s,fit:e,points:o,source:n}=this.#t;this.controls.show({choice:s,steps:t,bits:e?.bits.at(-1),isTraining:this.#i,
isBroken:e?.isBroken??!1,canFit:e!==null,layer:this.#s,layers:e?.flow.layers??[],source:n}),this.opened.element.hidden=!e,
e&&this.opened.show(this.#t,bt(this.#s),this.#f),this.#k.textContent=Pt(s,o.length/2),this.canvas.ariaLabel=`Step ${t}: \
the data with the flow's density, and the points after the layers. Arrow keys move the marked point.`,this.root.dataset.
steps=String(t)}close(){this.#e.stop(),cancelAnimationFrame(this.#n),this.#n=0,this.watcher.disconnect()}};function pt({
offsetX:i,offsetY:t}){return[i,t]}function fs(i,t){let s=document.querySelector(i),e=t(s);e(),matchMedia("(prefers-color-scheme: dark)").addEventListener(
"change",e)}fs(".flow-view",i=>{let t=new ut(i);return()=>{let s=decodeURIComponent(location.hash.slice(1))||null;t.load({choice:s},
e=>location.replace(`#${e}`))}});
