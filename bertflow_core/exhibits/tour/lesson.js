"use strict";(()=>{var k=matchMedia("(prefers-color-scheme: dark)"),h=t=>getComputedStyle(document.documentElement).getPropertyValue(t).trim(),
a=(t,e)=>t.querySelector(e);function u(t,e,o=""){return Object.assign(document.createElement(t),{className:e,textContent:o})}
var c=()=>document.body.classList.contains("room");function x(t){let e=Math.round(1.3*t.layout.height),o={...t.layout,height:c()?
Math.round(.52*innerHeight):e,paper_bgcolor:"rgba(0,0,0,0)",plot_bgcolor:"rgba(0,0,0,0)",font:{...t.layout.font,color:h(
"--ink"),size:c()?20:16},legend:{...t.layout.legend,yref:"container",y:0,yanchor:"bottom"}};for(let[n,s]of Object.entries(
t.layout))if(/^[xy]axis\d*$/.test(n)){let r={gridcolor:h("--line"),zerolinecolor:h("--line")};o[n]={automargin:!0,...s,...r}}
for(let n of o.annotations??[])n.font={...n.font,size:16};return o}function m(t){let e=document.getElementById(t.dataset.
figure??""),o=JSON.parse(e?.textContent??"{}");t.querySelector(":scope > p")?.remove();let n={responsive:!0,displaylogo:!1,
toImageButtonOptions:{format:"svg"}};Plotly.react(t,o.data,x(o),n)}function g(){for(let t of document.querySelectorAll("\
.answer[open] .picture"))m(t)}var f=class{constructor(e){this.section=e,this.answer=a(e,".answer"),this.inputs=[...e.querySelectorAll(
"input")],this.right=a(e,"fieldset").dataset.right,this.rows=[...e.querySelectorAll("label")].map(o=>{let[n,s]=[u("span",
"bar"),u("span","count")],r=u("span","hands");return r.append(n,s),o.append(r),{label:o,hands:r,bar:n,count:s,n:0}}),this.
prepare(a(this.answer,"summary"))}raise(e,o){let n=this.rows[e];n&&(n.n=Math.max(0,n.n+o));let s=Math.max(1,...this.rows.
map(({n:r})=>r));for(let{bar:r,count:b,n:d}of this.rows)r.style.width=`${100*d/s}%`,b.textContent=d?String(d):""}prepare(e){
let o=()=>this.inputs.some(s=>s.checked),n=()=>o()&&e.removeAttribute("aria-disabled");e.setAttribute("aria-disabled","t\
rue");for(let s of this.inputs)s.addEventListener("change",n);n(),e.addEventListener("click",s=>{!o()&&!c()&&s.preventDefault()}),
this.answer.addEventListener("toggle",()=>this.reveal())}reveal(){let e=this.answer.open;for(let o of this.inputs)o.disabled=
e;this.rows.forEach(({label:o,hands:n},s)=>{let r=e&&String(s)===this.right;o.classList.toggle("right",r),o.querySelector(
".tick")?.remove(),r&&n.before(u("strong","tick","✓ right"))}),e&&(this.judge(),m(a(this.answer,".picture")))}judge(){
let e=this.inputs.find(s=>s.checked);if(!e)return;let o=e.value===this.right,n=a(this.section,".verdict");n.textContent=
o?"Right.":"Not here.",n.dataset.right=o?"yes":"no"}},y=[...document.querySelectorAll("section[data-step]")],l=y.map(t=>new f(
t)),E=/^(?:Digit|Numpad)([1-9])$/,i=0;function p(t){i=Math.min(Math.max(t,0),l.length-1),l.forEach(({section:e},o)=>{e.classList.
toggle("current",o===i)}),scrollTo(0,0),g()}function S(){let{answer:t}=l[i];t.open?p(i+1):t.open=!0}function w(){document.
body.classList.toggle("room"),c()?p(y.findIndex(t=>t.getBoundingClientRect().bottom>0)):(g(),l[i].section.scrollIntoView())}
document.addEventListener("keydown",t=>{if(!c()||t.ctrlKey||t.metaKey||t.altKey||t.repeat)return;let e=E.exec(t.code);if(t.
key==="PageDown")S();else if(t.key==="PageUp")p(i-1);else if(e)l[i].raise(Number(e[1])-1,t.shiftKey?-1:1);else return;t.
preventDefault()});for(let t of document.querySelectorAll("button.present"))t.addEventListener("click",w);location.hash===
"#present"&&w();k.addEventListener("change",g);})();
