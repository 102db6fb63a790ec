"use strict";(()=>{var x=matchMedia("(prefers-color-scheme: dark)"),d=t=>getComputedStyle(document.documentElement).getPropertyValue(t).trim(),
c=(t,e)=>t.querySelector(e);function u(t,e,o=""){return Object.assign(document.createElement(t),{className:e,textContent:o})}
var l=()=>document.body.classList.contains("room");function k(t,e){let o={...t.layout,height:Math.round(e),paper_bgcolor:"\
rgba(0,0,0,0)",plot_bgcolor:"rgba(0,0,0,0)",font:{...t.layout.font,color:d("--ink"),size:l()?innerHeight/48:16},legend:{
...t.layout.legend,yref:"container",y:0,yanchor:"bottom"}};for(let[n,s]of Object.entries(t.layout))if(/^[xy]axis\d*$/.test(
n)){let r={gridcolor:d("--line"),zerolinecolor:d("--line")};o[n]={automargin:!0,...s,...r}}for(let n of o.annotations??[])
n.font={...n.font,size:16};return o}function m(t){let e=document.getElementById(t.dataset.figure??""),o=JSON.parse(e?.textContent??
"{}");t.querySelector(":scope > p")?.remove();let n=(t.closest("section")?.clientHeight??0)-t.clientHeight,s=l()?Math.max(
200,innerHeight-n-40):1.3*o.layout.height,r={responsive:!0,displaylogo:!1,toImageButtonOptions:{format:"svg"}};Plotly.react(
t,o.data,k(o,s),r)}function f(){for(let t of document.querySelectorAll(".answer[open] .picture"))m(t)}var g=class{constructor(e){
this.section=e,this.answer=c(e,".answer"),this.inputs=[...e.querySelectorAll("input")],this.right=c(e,"fieldset").dataset.
right,this.rows=[...e.querySelectorAll("label")].map(o=>{let[n,s]=[u("span","bar"),u("span","count")],r=u("span","hands");
return r.append(n,s),o.append(r),{label:o,hands:r,bar:n,count:s,n:0}}),this.prepare(c(this.answer,"summary"))}raise(e,o){
let n=this.rows[e];n&&(n.n=Math.max(0,n.n+o));let s=Math.max(1,...this.rows.map(({n:r})=>r));for(let{bar:r,count:b,n:h}of this.
rows)r.style.width=`${100*h/s}%`,b.textContent=h?String(h):""}prepare(e){let o=()=>this.inputs.some(s=>s.checked),n=()=>o()&&
e.removeAttribute("aria-disabled");e.setAttribute("aria-disabled","true");for(let s of this.inputs)s.addEventListener("c\
hange",n);n(),e.addEventListener("click",s=>{!o()&&!l()&&s.preventDefault()}),this.answer.addEventListener("toggle",()=>this.
reveal())}reveal(){let e=this.answer.open;for(let o of this.inputs)o.disabled=e;this.rows.forEach(({label:o,hands:n},s)=>{
let r=e&&String(s)===this.right;o.classList.toggle("right",r),o.querySelector(".tick")?.remove(),r&&n.before(u("strong",
"tick","✓ right"))}),e&&(this.judge(),m(c(this.answer,".picture")))}judge(){let e=this.inputs.find(s=>s.checked);if(!e)
return;let o=e.value===this.right,n=c(this.section,".verdict");n.textContent=o?"Right.":"Not here.",n.dataset.right=o?"y\
es":"no"}},y=[...document.querySelectorAll("section[data-step]")],a=y.map(t=>new g(t)),E=/^(?:Digit|Numpad)([1-9])$/,i=0;
function p(t){i=Math.min(Math.max(t,0),a.length-1),a.forEach(({section:e},o)=>{e.classList.toggle("current",o===i)}),scrollTo(
0,0),f()}function S(){let{answer:t}=a[i];t.open?p(i+1):t.open=!0}function w(){document.body.classList.toggle("room"),l()?
p(y.findIndex(t=>t.getBoundingClientRect().bottom>0)):(f(),a[i].section.scrollIntoView())}document.addEventListener("key\
down",t=>{if(!l()||t.ctrlKey||t.metaKey||t.altKey||t.repeat)return;let e=E.exec(t.code);if(t.key==="PageDown")S();else if(t.
key==="PageUp")p(i-1);else if(e)a[i].raise(Number(e[1])-1,t.shiftKey?-1:1);else return;t.preventDefault()});for(let t of document.
querySelectorAll("button.present"))t.addEventListener("click",w);location.hash==="#present"&&w();x.addEventListener("cha\
nge",f);})();
