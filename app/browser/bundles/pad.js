var x={ArrowLeft:[-1,0],ArrowRight:[1,0],ArrowUp:[0,1],ArrowDown:[0,-1]};function A(o,e){o.calls+=1;let t=o.calls;return()=>{o.calls===t&&e()}}function y(o,e,t){let n=new WeakMap;return({data:s,
parentElement:i,setStateValue:r})=>{let c=i.querySelector(o),u=n.get(c)??{shown:t(c),calls:0};return n.set(c,u),u.shown.
load(s,C=>r(e,C)),A(u,()=>u.shown.close?.())}}function l(o,{text:e,...t}={},n=[]){let s=document.createElement(o);for(let[i,r]of Object.entries(t))typeof r=="function"?
s.addEventListener(i.slice(2),r):r!==null&&s.setAttribute(i,String(r));return e!==void 0&&(s.textContent=e),s.append(...n),
s}function w(o,e,t){return l("button",{type:"button",text:o,title:e,onclick:t})}function b(o){return o.toLocaleString("e\
n")}function k(o){return o.getContext("2d")}function R(o){let e=getComputedStyle(o),t=(i,r)=>e.getPropertyValue(i).trim()||r,n=d(t("--st-background-color","#ffffff")),
s=d(t("--st-text-color","#0b0b0e"));return{background:n,ink:s,dark:n[0]+n[1]+n[2]<s[0]+s[1]+s[2],muted:p(n,s,.72),line:p(
n,s,.2),dim:p(n,s,.3),missing:p(n,s,.5),primary:d(t("--st-primary-color","#1f6feb")),font:t("--st-font","sans-serif")}}function p(o,e,t){let n=s=>Math.round(o[s]+(e[s]-o[s])*t);return[n(0),n(1),n(2)]}function m(o,e=1){return`rgb(${o.join("\
 ")} / ${100*e}%)`}var f=null;function d(o){f??=new OffscreenCanvas(1,1).getContext("2d",{willReadFrequently:!0}),f.fillStyle=
o,f.fillRect(0,0,1,1);let[e,t,n]=f.getImageData(0,0,1,1).data;return[e,t,n]}var a=300,h=3,D=.12,I=4,S=.15,g=class{#o=0;#s=!1;#t=[];#n=null;#i=()=>{};#a=l("output");constructor(e){this.root=e,this.
canvas=l("canvas",{width:2*a,height:2*a,tabindex:0,role:"application","aria-label":"Drawing pad: drag to scatter points.\
 With keys: arrows move, Space drops points.",onpointerdown:n=>this.#h(n),onpointermove:n=>this.#c(n),onpointerup:()=>this.#r(),
onkeydown:n=>this.#p(n)});let t=w("Clear","Take all points away",()=>this.#u());e.replaceChildren(this.canvas,l("div",{class:"\
row"},[t,this.#a]))}load({most:e},t){[this.#o,this.#i]=[e,t],this.#e()}#h(e){this.canvas.setPointerCapture(e.pointerId),
this.#s=!0,this.#c(e)}#c({offsetX:e,offsetY:t}){this.#s&&this.#l([(e/a-.5)*2*h,(.5-t/a)*2*h])}#l([e,t]){for(let n=0;n<I&&
this.#t.length<this.#o;n++){let s=D*Math.sqrt(-2*Math.log(1-Math.random())),i=2*Math.PI*Math.random();this.#t.push([M(e+
s*Math.cos(i)),M(t+s*Math.sin(i))])}this.#e()}#r(){this.#s=!1,this.#i(this.#t)}#u(){this.#t=[],this.#r(),this.#e()}#p(e){
let t=x[e.key];if(!t&&e.key!==" ")return;e.preventDefault();let[n,s]=this.#n??[0,0];this.#n=t?[v(n+S*t[0]),v(s+S*t[1])]:
[n,s],t||(this.#l(this.#n),this.#r()),this.#e()}#e(){let e=R(this.root),t=k(this.canvas),n=r=>a+a*r/h;t.clearRect(0,0,2*
a,2*a),t.fillStyle=m(e.ink);for(let[r,c]of this.#t)t.fillRect(n(r)-2,n(-c)-2,4,4);if(this.#n){let[r,c]=this.#n;t.strokeStyle=
m(e.primary),t.lineWidth=3,t.strokeRect(n(r)-9,n(-c)-9,18,18)}let[s,i]=[this.#t.length,this.#o].map(b);this.#a.textContent=
`${s} of at most ${i} points`}};function M(o){return Math.round(1e3*o)/1e3}function v(o){return Math.max(-h,Math.min(h,o))}
var j=y(".pad","points",o=>new g(o));export{j as default};
