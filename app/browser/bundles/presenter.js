function g(s,t){s.calls+=1;let n=s.calls;return()=>{s.calls===n&&t()}}function p(s,t,n){let e=new WeakMap;return({data:o,
parentElement:r,setStateValue:a})=>{let c=r.querySelector(s),u=e.get(c)??{shown:n(c),calls:0};return e.set(c,u),u.shown.
load(o,m=>a(t,m)),g(u,()=>u.shown.close?.())}}function i(s,{text:t,...n}={},e=[]){let o=document.createElement(s);for(let[r,a]of Object.entries(n))typeof a=="function"?
o.addEventListener(r.slice(2),a):a!==null&&o.setAttribute(r,String(a));return t!==void 0&&(o.textContent=t),o.append(...e),
o}var h=class{constructor(t,n){this.rows=t,this.counts=n,this.bars=t.map(e=>{let o=i("span",{class:"bar"}),r=i("span",{class:"\
count"});return e.append(i("span",{class:"hands"},[o,r])),{bar:o,count:r}}),this.draw()}add(t,n){t>=this.rows.length||(this.
counts[t]=Math.max(0,(this.counts[t]??0)+n),this.draw())}draw(){let t=Math.max(1,...this.rows.map((n,e)=>this.counts[e]??
0));this.bars.forEach(({bar:n,count:e},o)=>{let r=this.counts[o]??0;n.style.width=`${100*r/t}%`,e.textContent=r?String(r):
""})}mark(t){this.rows.forEach((n,e)=>{n.classList.toggle("right",e===t),n.querySelector(".tick")?.remove();let o=i("str\
ong",{class:"tick",text:"✓ right"});e===t&&n.querySelector(".hands")?.before(o)})}};var w=/^(?:Digit|Numpad)([1-9])$/;function d(s){let t=n=>{if(n.ctrlKey||n.metaKey||n.altKey||n.repeat)return;let e=x(n,s);
e&&(n.preventDefault(),n.stopPropagation(),e())};return document.addEventListener("keydown",t,!0),()=>document.removeEventListener(
"keydown",t,!0)}function x(s,t){if(s.key==="PageDown")return t.turn;if(s.key==="PageUp")return t.back;let n=y(s)?null:w.
exec(s.code);return n&&(()=>t.hand(Number(n[1])-1,s.shiftKey?-1:1))}function y(s){let[t]=s.composedPath();return t instanceof
HTMLElement&&t.matches("input:not([type=radio]), textarea")}var f=new Map,l=class{constructor(t){this.root=t,this.step="",this.turns=0,this.send=()=>{},this.hands=new h([],[]),this.
stop=this.listen()}listen(){return d({turn:()=>this.report("turn"),back:()=>this.report("back"),hand:(t,n)=>this.hands.add(
t,n)})}load(t,n){this.send=n,this.stop(),this.stop=this.listen(),t.step!==this.step&&this.show(t),this.hands.mark(t.right)}show({
step:t,choices:n}){this.step=t;let e=f.get(t)??n.map(()=>0);f.set(t,e);let o=n.map((a,c)=>i("li",{onclick:()=>this.hands.
add(c,1)},[i("span",{text:a})]));this.hands=new h(o,e),this.root.replaceChildren(i("ol",{},o),i("p",{class:"help",text:"\
Hands: keys 1 to 9, with Shift to take one away. PageDown reveals, then turns."}))}report(t){this.turns+=1,this.send({step:this.
step,to:t,turn:`${Date.now()}-${this.turns}`})}close(){this.stop()}},K=p(".room","turn",s=>new l(s));export{K as default};
