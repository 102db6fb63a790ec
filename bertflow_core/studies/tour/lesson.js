"use strict";(()=>{function c(n,{text:t,...e}={},o=[]){let s=document.createElement(n);for(let[r,u]of Object.entries(e))typeof u=="function"?
s.addEventListener(r.slice(2),u):u!==null&&s.setAttribute(r,String(u));return t!==void 0&&(s.textContent=t),s.append(...o),
s}var d=class{constructor(t,e){this.rows=t,this.counts=e,this.bars=t.map(o=>{let s=c("span",{class:"bar"}),r=c("span",{class:"\
count"});return o.append(c("span",{class:"hands"},[s,r])),{bar:s,count:r}}),this.draw()}add(t,e){t>=this.rows.length||(this.
counts[t]=Math.max(0,(this.counts[t]??0)+e),this.draw())}draw(){let t=Math.max(1,...this.rows.map((e,o)=>this.counts[o]??
0));this.bars.forEach(({bar:e,count:o},s)=>{let r=this.counts[s]??0;e.style.width=`${100*r/t}%`,o.textContent=r?String(r):
""})}mark(t){this.rows.forEach((e,o)=>{e.classList.toggle("right",o===t),e.querySelector(".tick")?.remove();let s=c("str\
ong",{class:"tick",text:"✓ right"});o===t&&e.querySelector(".hands")?.before(s)})}};var L=/^(?:Digit|Numpad)([1-9])$/;function b(n){let t=e=>{if(e.ctrlKey||e.metaKey||e.altKey||e.repeat)return;let o=E(e,n);
o&&(e.preventDefault(),e.stopPropagation(),o())};return document.addEventListener("keydown",t,!0),()=>document.removeEventListener(
"keydown",t,!0)}function E(n,t){if(n.key==="PageDown")return t.turn;if(n.key==="PageUp")return t.back;let e=v(n)?null:L.
exec(n.code);return e&&(()=>t.hand(Number(e[1])-1,n.shiftKey?-1:1))}function v(n){let[t]=n.composedPath();return t instanceof
HTMLElement&&t.matches("input:not([type=radio]), textarea")}var S=matchMedia("(prefers-color-scheme: dark)"),f=n=>getComputedStyle(document.documentElement).getPropertyValue(n).trim(),
a=(n,t)=>n.querySelector(t),h=()=>document.body.classList.contains("room");function A(n){let t=Math.round(1.3*n.layout.height),
e={...n.layout,height:h()?Math.round(.52*innerHeight):t,paper_bgcolor:"rgba(0,0,0,0)",plot_bgcolor:"rgba(0,0,0,0)",font:{
...n.layout.font,color:f("--ink"),size:h()?20:16},legend:{...n.layout.legend,yref:"container",y:0,yanchor:"bottom"}};for(let[
o,s]of Object.entries(n.layout))if(/^[xy]axis\d*$/.test(o)){let r={gridcolor:f("--line"),zerolinecolor:f("--line")};e[o]=
{automargin:!0,...s,...r}}for(let o of e.annotations??[])o.font={...o.font,size:16};return e}function x(n){let t=document.
getElementById(n.dataset.figure??""),e=JSON.parse(t?.textContent??"{}");n.querySelector(":scope > p")?.remove();let o={responsive:!0,
displaylogo:!1,toImageButtonOptions:{format:"svg"}};Plotly.react(n,e.data,A(e),o)}function y(){for(let n of document.querySelectorAll(
".answer[open] .picture"))x(n)}var m=class{constructor(t){this.section=t,this.fieldset=a(t,"fieldset"),this.answer=a(t,"\
.answer"),this.inputs=[...t.querySelectorAll("input")];let e=[...t.querySelectorAll("label")];this.hands=new d(e,[]),this.
prepare(a(this.answer,"summary"))}prepare(t){let e=()=>this.inputs.some(s=>s.checked),o=()=>e()&&t.removeAttribute("aria\
-disabled");t.setAttribute("aria-disabled","true");for(let s of this.inputs)s.addEventListener("change",o);o(),t.addEventListener(
"click",s=>{!e()&&!h()&&s.preventDefault()}),this.answer.addEventListener("toggle",()=>this.reveal())}reveal(){let t=this.
answer.open;for(let e of this.inputs)e.disabled=t;this.hands.mark(t?Number(this.fieldset.dataset.right):null),t&&(this.judge(),
x(a(this.answer,".picture")))}judge(){let t=this.inputs.find(s=>s.checked);if(!t)return;let e=t.value===this.fieldset.dataset.
right,o=a(this.section,".verdict");o.textContent=e?"Right.":"Not here.",o.dataset.right=e?"yes":"no"}},k=[...document.querySelectorAll(
"section[data-step]")],l=k.map(n=>new m(n)),i=0,p=()=>{};function g(n){i=Math.min(Math.max(n,0),l.length-1),l.forEach(({
section:t},e)=>{t.classList.toggle("current",e===i)}),scrollTo(0,0),y()}function M(){let{answer:n}=l[i];n.open?g(i+1):n.
open=!0}function w(){if(document.body.classList.toggle("room"),p(),p=()=>{},h()){let n=k.findIndex(t=>t.getBoundingClientRect().
bottom>0);p=b({turn:M,back:()=>g(i-1),hand:(t,e)=>l[i].hands.add(t,e)}),g(n)}else y(),l[i].section.scrollIntoView()}for(let n of document.
querySelectorAll("button.present"))n.addEventListener("click",w);location.hash==="#present"&&w();S.addEventListener("cha\
nge",y);})();
