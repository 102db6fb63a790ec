function o(l,t){l.calls+=1;let n=l.calls;return()=>{l.calls===n&&t()}}function s(l){globalThis.bertflowWalls??=new Map;let t=globalThis.bertflowWalls.get(l);if(t)return t;let n={wall:null,lit:[],
asked:null,view:null,calls:0};return globalThis.bertflowWalls.set(l,n),n}function u({data:l}){let t=s(l.wall),n=e=>{t.lit=e,t.wall?.light(e)};return n(l.lit),t.asked=l.asked,t.wall?.takeAsked(),
o(t,()=>n([]))}export{u as default};
