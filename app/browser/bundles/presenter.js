function g(n,t){n.calls+=1;let e=n.calls;return()=>{n.calls===e&&t()}}function p(n,t,e){let s=new WeakMap;return({data:o,
parentElement:r,setStateValue:a})=>{let c=r.querySelector(n),u=s.get(c)??{shown:e(c),calls:0};return s.set(c,u),u.shown.
load(o,m=>a(t,m)),g(u,()=>u.shown.close?.())}}function i(n,{text:t,...e}={},s=[]){let o=document.createElement(n);for(let[r,a]of Object.entries(e))typeof a=="function"?
o.addEventListener(r.slice(2),a):a!==null&&o.setAttribute(r,String(a));return t!==void 0&&(o.textContent=t),o.append(...s),
o}var h=class{constructor(t,e){this.rows=t,this.counts=e,this.bars=t.map(s=>{let o=i("span",{class:"bar"}),r=i("span",{class:"\
count"});return s.append(i("span",{class:"hands"},[o,r])),{bar:o,count:r}}),this.draw()}add(t,e){t>=this.rows.length||(this.
counts[t]=Math.max(0,(this.counts[t]??0)+e),this.draw())}draw(){let t=Math.max(1,...this.rows.map((e,s)=>this.counts[s]??
0));this.bars.forEach(({bar:e,count:s},o)=>{let r=this.counts[o]??0;e.style.width=`${100*r/t}%`,s.textContent=r?String(r):
""})}mark(t){this.rows.forEach((e,s)=>{e.classList.toggle("right",s===t),e.querySelector(".tick")?.remove();let o=i("str\
ong",{class:"tick",text:"✓ right"});s===t&&e.querySelector(".hands")?.before(o)})}};var w=/^(?:Digit|Numpad)([1-9])$/;function d(n){let t=e=>{if(e.ctrlKey||e.metaKey||e.altKey||e.repeat)return;let s=k(e,n);
s&&(e.preventDefault(),e.stopPropagation(),s())};return document.addEventListener("keydown",t,!0),()=>document.removeEventListener(
"keydown",t,!0)}function k(n,t){if(n.key==="PageDown")return t.turn;if(n.key==="PageUp")return t.back;let e=x(n)?null:w.
exec(n.code);return e&&(()=>t.hand(Number(e[1])-1,n.shiftKey?-1:1))}function x(n){let[t]=n.composedPath();return t instanceof
HTMLElement&&t.matches("input:not([type=radio]), textarea")}var f=new Map,l=class{constructor(t){this.root=t,this.step="",this.turns=0,this.send=()=>{},this.hands=new h([],[]),this.
stop=this.listen()}listen(){return d({turn:()=>this.report("turn"),back:()=>this.report("back"),hand:(t,e)=>this.hands.add(
t,e)})}load(t,e){this.send=e,this.stop(),this.stop=this.listen(),t.step!==this.step&&this.show(t),this.hands.mark(t.right)}show({
step:t,choices:e}){this.step=t;let s=f.get(t)??e.map(()=>0);f.set(t,s);let o=e.map((a,c)=>i("li",{onclick:()=>this.hands.
add(c,1)},[i("span",{text:a})]));this.hands=new h(o,s),this.root.replaceChildren(i("ol",{},o),i("p",{class:"help",text:"\
Hands: keys 1 to 9, with Shift to take one away. PageDown reveals, then turns."}))}report(t){this.turns+=1,this.send({step:this.
step,to:t,turn:`${Date.now()}-${this.turns}`})}close(){this.stop()}},U=p(".room","turn",n=>new l(n));export{U as default};
