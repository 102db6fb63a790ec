function r(t,e){t.calls+=1;let n=t.calls;return()=>{t.calls===n&&e()}}function a(t){globalThis.bertflowWalls??=new Map;let e=globalThis.bertflowWalls.get(t);if(e)return e;let n={wall:null,lit:[],
view:null,calls:0};return globalThis.bertflowWalls.set(t,n),n}function E({data:t}){let e=a(t.wall),n=o=>{e.lit=o,e.wall?.light(o)};return n(t.lit),r(e,()=>n([]))}export{E as default};
