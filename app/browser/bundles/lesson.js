"use strict";(()=>{function h(t,{text:e,...n}={},o=[]){let s=document.createElement(t);for(let[i,a]of Object.entries(n))typeof a=="function"?
s.addEventListener(i.slice(2),a):a!==null&&s.setAttribute(i,String(a));return e!==void 0&&(s.textContent=e),s.append(...o),
s}function M(t,e,n){return h("button",{type:"button",text:t,title:e,onclick:n})}var E=new URLSearchParams(globalThis.location?.search).get("only")==="figure";function k(t){let e=h("input",{readonly:"","aria-label":"HTML that embeds the figure"}),n=M("Copy","Copy the line",()=>{
e.select(),navigator.clipboard?.writeText(e.value)}),o=h("details",{class:"embed"},[h("summary",{text:"Embed this figure"}),
e,n]);return o.addEventListener("toggle",()=>{let s=new URL(`?only=figure${location.hash}`,location.href);e.value=`<ifra\
me src="${s}" title="${document.title}" width="100%" height="${t.offsetHeight}" style="border: 0" loading="lazy"></ifram\
e>`}),o}var I=matchMedia("(prefers-color-scheme: dark)"),R=matchMedia("(pointer: coarse)").matches,S=location.protocol==="about:",
g=t=>getComputedStyle(document.documentElement).getPropertyValue(t).trim(),c=(t,e)=>t.querySelector(e);function y(t,e,n=""){
return Object.assign(document.createElement(t),{className:e,textContent:n})}var d=()=>document.body.classList.contains("\
room"),m=c(document,".bar"),N=240,L=1.7,U=1.6;function W(t,e,n){let o=Math.floor(e/(.47*n));return t.replace(new RegExp(
`(.{1,${o}})(?: |$)`,"g"),"$1<br>").replace(/<br>$/,"")}function D(t,e){let n=innerWidth<640,o=d()?Math.min(innerHeight/
25.7,innerWidth/45.7):n?12:15,s={...t.layout,height:Math.round(e),paper_bgcolor:"rgba(0,0,0,0)",plot_bgcolor:"rgba(0,0,0\
,0)",font:{...t.layout.font,color:g("--ink"),size:o},legend:{...t.layout.legend,orientation:"h",yref:"container",y:0,yanchor:"\
bottom"},margin:{...t.layout.margin,t:t.layout.annotations?2.5*o:o},dragmode:R?!1:"zoom"};for(let[i,a]of Object.entries(
t.layout))if(/^[xy]axis\d*$/.test(i)){let{title:u,...p}=a,C={gridcolor:g("--line"),zerolinecolor:g("--line")},O={automargin:!0,
ticklabelstandoff:Math.round(o/2)},[H,P]=p.domain??[0,1],j=(P-H)*(i.startsWith("x")?.9*innerWidth:.6*e),q=u?.text&&W(u.text,
j,o);s[i]={...O,...p,...C,title:{...u,text:q,font:{size:o}}}}for(let i of s.annotations??[])i.font={...i.font,size:o},i.
showarrow!==!1&&(i.bgcolor=g("--paper")),n&&(i.text=i.text.replace(": ",":<br>"));return s}function B(t){for(let{line:e,
marker:n}of t)e&&(e.width=L*(e.width??2)),typeof n?.size=="number"?n.size*=L:n?.size&&(n.sizeref=1/L),typeof n?.opacity==
"number"&&(n.opacity=.9)}function _(t){if(t.style.fontSize="",!(!d()||c(t,".answer[open]"))){for(let e=U;e>1;e-=.1)if(t.
style.fontSize=`${e}em`,document.documentElement.scrollHeight<=innerHeight)return;t.style.fontSize=""}}function b(){_(l[r]);
let t=document.querySelector(".screen.current .answer[open] .picture");if(!t)return;let e=document.getElementById(t.dataset.
figure??""),n=JSON.parse(e?.textContent??"{}");t.querySelector(":scope > p")?.remove(),d()&&B(n.data);let o=t.getBoundingClientRect().
top+scrollY,s=Object.keys(n.layout).filter(p=>p.startsWith("xaxis")).length,a=n.layout.xaxis.visible===!1?innerWidth/s+80:
innerHeight,u=Math.min(a,innerHeight-m.clientHeight-o-8);Plotly.react(t,n.data,D(n,Math.max(N,u)),{responsive:!0,displaylogo:!1,
displayModeBar:d()||R?!1:"hover",toImageButtonOptions:{format:"svg"}})}var v=class{constructor(e){this.section=e,this.answer=
c(e,".answer"),this.inputs=[...e.querySelectorAll("input")],this.right=c(e,"fieldset").dataset.right,this.rows=[...e.querySelectorAll(
"label")].map(o=>{let[s,i]=[y("span","bar-of-hands"),y("span","count")],a=y("span","hands");return a.append(s,i),o.append(
a),{label:o,hands:a,bar:s,count:i,n:0}}),this.summary=c(this.answer,"summary");for(let o of this.inputs)o.addEventListener(
"change",()=>this.allow());this.summary.addEventListener("click",o=>{this.isAllowed()||o.preventDefault()}),this.answer.
addEventListener("toggle",()=>this.reveal());let n=c(e,".picture");S||n.after(k(n)),this.allow()}isAllowed(){return d()||
this.inputs.some(e=>e.checked)}allow(){this.isAllowed()?this.summary.removeAttribute("aria-disabled"):this.summary.setAttribute(
"aria-disabled","true")}raise(e,n){let o=this.rows[e];o&&(o.n=Math.max(0,o.n+n));let s=Math.max(1,...this.rows.map(({n:i})=>i));
for(let{bar:i,count:a,n:u}of this.rows)i.style.width=`${3*u/s}em`,a.textContent=u?String(u):""}reveal(){let e=this.answer.
open;for(let n of this.inputs)n.disabled=e;this.rows.forEach(({label:n,hands:o},s)=>{let i=e&&String(s)===this.right;n.classList.
toggle("right",i),n.querySelector(".tick")?.remove(),i&&o.before(y("strong","tick","✓ right"))}),this.summary.textContent=
e?"Hide the answer":"Reveal",e&&this.judge(),b()}judge(){let e=this.inputs.find(s=>s.checked);if(!e)return;let n=e.value===
this.right,o=c(this.section,".verdict");o.textContent=n?"Right.":"Not here.",o.dataset.right=n?"yes":"no"}},l=[...document.
querySelectorAll(".screen")],x=l.map(t=>c(t,"fieldset")?new v(t):null),A=l.length-2,r=0;function f(t){r=Math.min(Math.max(
t,0),l.length-1),l.forEach((o,s)=>{o.classList.toggle("current",s===r)});let e=r>0&&r<=A;c(m,".place").textContent=e?`${r}\
 of ${A}`:"";for(let o of m.querySelectorAll("[data-by]"))o.disabled=!l[r+Number(o.dataset.by)];S||history.replaceState(
null,"",`#${l[r].id}`);let n=x[r];n&&E&&(n.answer.open=!0),scrollTo(0,0),b()}function w(t){let e=l.findIndex(({id:n})=>n===
t);e>=0&&f(e)}function K(){let t=x[r]?.answer;t&&!t.open?t.open=!0:f(r+1)}function $(t){document.body.classList.toggle("\
room",t);for(let n of x)n?.allow();let e=c(m,".present");e.textContent=t?"Leave":"Present",e.blur(),t?document.documentElement.
requestFullscreen?.().catch(()=>{}):document.fullscreenElement&&document.exitFullscreen(),f(Math.max(r,1))}document.body.
classList.add("steps");document.documentElement.classList.toggle("alone",E);m.hidden=!1;m.addEventListener("click",({target:t})=>{
let e=t instanceof Element&&t.closest("button");e&&(e.dataset.by?f(r+Number(e.dataset.by)):e.dataset.to?w(e.dataset.to):
$(!d()))});for(let t of document.querySelectorAll("a[href^='#']"))t.addEventListener("click",e=>{e.preventDefault(),w(t.
getAttribute("href")?.slice(1)??"")});var Y=/^(?:Digit|Numpad)([1-9])$/;document.addEventListener("keydown",t=>{if(t.ctrlKey||
t.metaKey||t.altKey||t.repeat)return;let e=d()&&Y.exec(t.code);if(t.key==="PageDown"&&r<l.length-1)K();else if(t.key==="\
PageUp")f(r-1);else if(e)x[r]?.raise(Number(e[1])-1,t.shiftKey?-1:1);else return;t.preventDefault()});var F=60,[T,z]=[0,
0];document.addEventListener("touchstart",({changedTouches:[t]})=>{[T,z]=[t.clientX,t.clientY]});document.addEventListener(
"touchend",({changedTouches:[t]})=>{let[e,n]=[t.clientX-T,t.clientY-z];Math.abs(e)>F&&Math.abs(e)>2*Math.abs(n)&&f(r-Math.
sign(e))});document.addEventListener("fullscreenchange",()=>{d()&&!document.fullscreenElement&&$(!1)});addEventListener(
"hashchange",()=>w(location.hash.slice(1)));addEventListener("resize",b);I.addEventListener("change",b);var X=location.hash.
slice(1);f(l.findIndex(t=>t.classList.contains("current")));w(X);S&&focus();})();
