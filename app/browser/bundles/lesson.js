"use strict";(()=>{var C=matchMedia("(prefers-color-scheme: dark)"),E=matchMedia("(pointer: coarse)").matches,x=location.protocol==="about:",
y=t=>getComputedStyle(document.documentElement).getPropertyValue(t).trim(),i=(t,e)=>t.querySelector(e);function f(t,e,n=""){
return Object.assign(document.createElement(t),{className:e,textContent:n})}var u=()=>document.body.classList.contains("\
room"),d=i(document,".bar"),A=240;function N(t,e){let n=innerWidth<640,o=u()?Math.min(innerHeight/32,innerWidth/56):n?12:
15,s={...t.layout,height:Math.round(e),paper_bgcolor:"rgba(0,0,0,0)",plot_bgcolor:"rgba(0,0,0,0)",font:{...t.layout.font,
color:y("--ink"),size:o},legend:{...t.layout.legend,orientation:"h",yref:"container",y:0,yanchor:"bottom"},margin:{...t.
layout.margin,t:t.layout.annotations?2.5*o:o},dragmode:E?!1:"zoom"};for(let[r,g]of Object.entries(t.layout))if(/^[xy]axis\d*$/.
test(r)){let{title:h,...k}=g,q={gridcolor:y("--line"),zerolinecolor:y("--line")};s[r]={automargin:!0,...k,...q,title:{...h,
font:{size:o}}}}for(let r of s.annotations??[])r.font={...r.font,size:o},n&&(r.text=r.text.replace(": ",":<br>"));return s}
function m(){let t=document.querySelector(".screen.current .answer[open] .picture");if(!t)return;let e=document.getElementById(
t.dataset.figure??""),n=JSON.parse(e?.textContent??"{}");t.querySelector(":scope > p")?.remove();let o=t.getBoundingClientRect().
top+scrollY,s=innerHeight-d.clientHeight-o-8;Plotly.react(t,n.data,N(n,Math.max(A,s)),{responsive:!0,displaylogo:!1,displayModeBar:u()||
E?!1:"hover",toImageButtonOptions:{format:"svg"}})}var b=class{constructor(e){this.section=e,this.answer=i(e,".answer"),
this.inputs=[...e.querySelectorAll("input")],this.right=i(e,"fieldset").dataset.right,this.rows=[...e.querySelectorAll("\
label")].map(n=>{let[o,s]=[f("span","bar-of-hands"),f("span","count")],r=f("span","hands");return r.append(o,s),n.append(
r),{label:n,hands:r,bar:o,count:s,n:0}}),this.prepare(i(this.answer,"summary"))}raise(e,n){let o=this.rows[e];o&&(o.n=Math.
max(0,o.n+n));let s=Math.max(1,...this.rows.map(({n:r})=>r));for(let{bar:r,count:g,n:h}of this.rows)r.style.width=`${3*h/
s}em`,g.textContent=h?String(h):""}prepare(e){let n=()=>this.inputs.some(s=>s.checked),o=()=>n()&&e.removeAttribute("ari\
a-disabled");e.setAttribute("aria-disabled","true");for(let s of this.inputs)s.addEventListener("change",o);o(),e.addEventListener(
"click",s=>{!n()&&!u()&&s.preventDefault()}),this.answer.addEventListener("toggle",()=>this.reveal())}reveal(){let e=this.
answer.open;for(let n of this.inputs)n.disabled=e;this.rows.forEach(({label:n,hands:o},s)=>{let r=e&&String(s)===this.right;
n.classList.toggle("right",r),n.querySelector(".tick")?.remove(),r&&o.before(f("strong","tick","✓ right"))}),i(this.answer,
"summary").textContent=e?"Hide the answer":"Reveal",e&&(this.judge(),m())}judge(){let e=this.inputs.find(s=>s.checked);if(!e)
return;let n=e.value===this.right,o=i(this.section,".verdict");o.textContent=n?"Right.":"Not here.",o.dataset.right=n?"y\
es":"no"}},c=[...document.querySelectorAll(".screen")],v=c.map(t=>i(t,"fieldset")?new b(t):null),w=c.length-2,a=0;function l(t){
a=Math.min(Math.max(t,0),c.length-1),c.forEach((n,o)=>{n.classList.toggle("current",o===a)});let e=a>0&&a<=w;i(d,".place").
textContent=e?`${a} of ${w}`:"";for(let n of d.querySelectorAll("[data-by]"))n.disabled=!c[a+Number(n.dataset.by)];x||history.
replaceState(null,"",`#${c[a].id}`),scrollTo(0,0),m()}function p(t){let e=c.findIndex(({id:n})=>n===t);e>=0&&l(e)}function I(){
let t=v[a]?.answer;t&&!t.open?t.open=!0:l(a+1)}function L(t){document.body.classList.toggle("room",t);let e=i(d,".presen\
t");e.textContent=t?"Leave":"Present",e.blur(),t?document.documentElement.requestFullscreen?.().catch(()=>{}):document.fullscreenElement&&
document.exitFullscreen(),l(Math.max(a,1))}document.body.classList.add("steps");d.hidden=!1;d.addEventListener("click",({
target:t})=>{let e=t instanceof Element&&t.closest("button");e&&(e.dataset.by?l(a+Number(e.dataset.by)):e.dataset.to?p(e.
dataset.to):L(!u()))});for(let t of document.querySelectorAll("a[href^='#']"))t.addEventListener("click",e=>{e.preventDefault(),
p(t.getAttribute("href")?.slice(1)??"")});var D=/^(?:Digit|Numpad)([1-9])$/;document.addEventListener("keydown",t=>{if(t.
ctrlKey||t.metaKey||t.altKey||t.repeat)return;let e=u()&&D.exec(t.code);if(t.key==="PageDown"&&a<c.length-1)I();else if(t.
key==="PageUp")l(a-1);else if(e)v[a]?.raise(Number(e[1])-1,t.shiftKey?-1:1);else return;t.preventDefault()});var P=60,[S,
M]=[0,0];document.addEventListener("touchstart",({changedTouches:[t]})=>{[S,M]=[t.clientX,t.clientY]});document.addEventListener(
"touchend",({changedTouches:[t]})=>{let[e,n]=[t.clientX-S,t.clientY-M];Math.abs(e)>P&&Math.abs(e)>2*Math.abs(n)&&l(a-Math.
sign(e))});document.addEventListener("fullscreenchange",()=>{u()&&!document.fullscreenElement&&L(!1)});addEventListener(
"hashchange",()=>p(location.hash.slice(1)));addEventListener("resize",m);C.addEventListener("change",m);var R=location.hash.
slice(1);l(c.findIndex(t=>t.classList.contains("current")));p(R);x&&focus();})();
