function e(l,t){l.calls+=1;let n=l.calls;return()=>{l.calls===n&&t()}}function r(l){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(l);if(t)return t;let n={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(l,n),n}function f({data:l}){let t=r(l.wall),n=o=>{t.lit=o,t.wall?.light(o)};return n(l.lit),e(t,()=>n([]))}export{f as default};
