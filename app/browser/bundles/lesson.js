"use strict";(()=>{var H=matchMedia("(prefers-color-scheme: dark)"),L=matchMedia("(pointer: coarse)").matches,S=location.protocol==="about:",
p=t=>getComputedStyle(document.documentElement).getPropertyValue(t).trim(),l=(t,e)=>t.querySelector(e);function g(t,e,n=""){
return Object.assign(document.createElement(t),{className:e,textContent:n})}var d=()=>document.body.classList.contains("\
room"),h=l(document,".bar"),I=240,w=1.7,T=1.6;function W(t,e,n){let o=Math.floor(e/(.47*n));return t.replace(new RegExp(
`(.{1,${o}})(?: |$)`,"g"),"$1<br>").replace(/<br>$/,"")}function D(t,e){let n=innerWidth<640,o=d()?Math.min(innerHeight/
25.7,innerWidth/45.7):n?12:15,r={...t.layout,height:Math.round(e),paper_bgcolor:"rgba(0,0,0,0)",plot_bgcolor:"rgba(0,0,0\
,0)",font:{...t.layout.font,color:p("--ink"),size:o},legend:{...t.layout.legend,orientation:"h",yref:"container",y:0,yanchor:"\
bottom"},margin:{...t.layout.margin,t:t.layout.annotations?2.5*o:o},dragmode:L?!1:"zoom"};for(let[s,f]of Object.entries(
t.layout))if(/^[xy]axis\d*$/.test(s)){let{title:c,...m}=f,z={gridcolor:p("--line"),zerolinecolor:p("--line")},R={automargin:!0,
ticklabelstandoff:Math.round(o/2)},[$,q]=m.domain??[0,1],C=(q-$)*(s.startsWith("x")?.9*innerWidth:.6*e),N=c?.text&&W(c.text,
C,o);r[s]={...R,...m,...z,title:{...c,text:N,font:{size:o}}}}for(let s of r.annotations??[])s.font={...s.font,size:o},s.
showarrow!==!1&&(s.bgcolor=p("--paper")),n&&(s.text=s.text.replace(": ",":<br>"));return r}function O(t){for(let{line:e,
marker:n}of t)e&&(e.width=w*(e.width??2)),typeof n?.size=="number"?n.size*=w:n?.size&&(n.sizeref=1/w),typeof n?.opacity==
"number"&&(n.opacity=.9)}function P(t){if(t.style.fontSize="",!(!d()||l(t,".answer[open]"))){for(let e=T;e>1;e-=.1)if(t.
style.fontSize=`${e}em`,document.documentElement.scrollHeight<=innerHeight)return;t.style.fontSize=""}}function y(){P(a[i]);
let t=document.querySelector(".screen.current .answer[open] .picture");if(!t)return;let e=document.getElementById(t.dataset.
figure??""),n=JSON.parse(e?.textContent??"{}");t.querySelector(":scope > p")?.remove(),d()&&O(n.data);let o=t.getBoundingClientRect().
top+scrollY,r=Object.keys(n.layout).filter(m=>m.startsWith("xaxis")).length,f=n.layout.xaxis.visible===!1?innerWidth/r+80:
innerHeight,c=Math.min(f,innerHeight-h.clientHeight-o-8);Plotly.react(t,n.data,D(n,Math.max(I,c)),{responsive:!0,displaylogo:!1,
displayModeBar:d()||L?!1:"hover",toImageButtonOptions:{format:"svg"}})}var x=class{constructor(e){this.section=e,this.answer=
l(e,".answer"),this.inputs=[...e.querySelectorAll("input")],this.right=l(e,"fieldset").dataset.right,this.rows=[...e.querySelectorAll(
"label")].map(n=>{let[o,r]=[g("span","bar-of-hands"),g("span","count")],s=g("span","hands");return s.append(o,r),n.append(
s),{label:n,hands:s,bar:o,count:r,n:0}}),this.summary=l(this.answer,"summary");for(let n of this.inputs)n.addEventListener(
"change",()=>this.allow());this.summary.addEventListener("click",n=>{this.isAllowed()||n.preventDefault()}),this.answer.
addEventListener("toggle",()=>this.reveal()),this.allow()}isAllowed(){return d()||this.inputs.some(e=>e.checked)}allow(){
this.isAllowed()?this.summary.removeAttribute("aria-disabled"):this.summary.setAttribute("aria-disabled","true")}raise(e,n){
let o=this.rows[e];o&&(o.n=Math.max(0,o.n+n));let r=Math.max(1,...this.rows.map(({n:s})=>s));for(let{bar:s,count:f,n:c}of this.
rows)s.style.width=`${3*c/r}em`,f.textContent=c?String(c):""}reveal(){let e=this.answer.open;for(let n of this.inputs)n.
disabled=e;this.rows.forEach(({label:n,hands:o},r)=>{let s=e&&String(r)===this.right;n.classList.toggle("right",s),n.querySelector(
".tick")?.remove(),s&&o.before(g("strong","tick","✓ right"))}),this.summary.textContent=e?"Hide the answer":"Reveal",e&&
this.judge(),y()}judge(){let e=this.inputs.find(r=>r.checked);if(!e)return;let n=e.value===this.right,o=l(this.section,"\
.verdict");o.textContent=n?"Right.":"Not here.",o.dataset.right=n?"yes":"no"}},a=[...document.querySelectorAll(".screen")],
E=a.map(t=>l(t,"fieldset")?new x(t):null),v=a.length-2,i=0;function u(t){i=Math.min(Math.max(t,0),a.length-1),a.forEach(
(n,o)=>{n.classList.toggle("current",o===i)});let e=i>0&&i<=v;l(h,".place").textContent=e?`${i} of ${v}`:"";for(let n of h.
querySelectorAll("[data-by]"))n.disabled=!a[i+Number(n.dataset.by)];S||history.replaceState(null,"",`#${a[i].id}`),scrollTo(
0,0),y()}function b(t){let e=a.findIndex(({id:n})=>n===t);e>=0&&u(e)}function j(){let t=E[i]?.answer;t&&!t.open?t.open=!0:
u(i+1)}function M(t){document.body.classList.toggle("room",t);for(let n of E)n?.allow();let e=l(h,".present");e.textContent=
t?"Leave":"Present",e.blur(),t?document.documentElement.requestFullscreen?.().catch(()=>{}):document.fullscreenElement&&
document.exitFullscreen(),u(Math.max(i,1))}document.body.classList.add("steps");h.hidden=!1;h.addEventListener("click",({
target:t})=>{let e=t instanceof Element&&t.closest("button");e&&(e.dataset.by?u(i+Number(e.dataset.by)):e.dataset.to?b(e.
dataset.to):M(!d()))});for(let t of document.querySelectorAll("a[href^='#']"))t.addEventListener("click",e=>{e.preventDefault(),
b(t.getAttribute("href")?.slice(1)??"")});var B=/^(?:Digit|Numpad)([1-9])$/;document.addEventListener("keydown",t=>{if(t.
ctrlKey||t.metaKey||t.altKey||t.repeat)return;let e=d()&&B.exec(t.code);if(t.key==="PageDown"&&i<a.length-1)j();else if(t.
key==="PageUp")u(i-1);else if(e)E[i]?.raise(Number(e[1])-1,t.shiftKey?-1:1);else return;t.preventDefault()});var K=60,[k,
A]=[0,0];document.addEventListener("touchstart",({changedTouches:[t]})=>{[k,A]=[t.clientX,t.clientY]});document.addEventListener(
"touchend",({changedTouches:[t]})=>{let[e,n]=[t.clientX-k,t.clientY-A];Math.abs(e)>K&&Math.abs(e)>2*Math.abs(n)&&u(i-Math.
sign(e))});document.addEventListener("fullscreenchange",()=>{d()&&!document.fullscreenElement&&M(!1)});addEventListener(
"hashchange",()=>b(location.hash.slice(1)));addEventListener("resize",y);H.addEventListener("change",y);var Y=location.hash.
slice(1);u(a.findIndex(t=>t.classList.contains("current")));b(Y);S&&focus();})();
