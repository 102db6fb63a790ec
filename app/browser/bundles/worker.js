var n=globalThis,{files:d,pages:r,networks:l}=n.site,i=t=>`${n.registration.scope} ${t}`;async function o(t,e,a){let c=await caches.
open(i(t)),h=await Promise.all(e.map(s=>c.match(s))),w=e.filter((s,m)=>!h[m]);await c.addAll(w.map(s=>new Request(s,{cache:a})))}
async function f(){let t=[i(r),i(l)],e=(await caches.keys()).filter(a=>a.startsWith(i("")));await Promise.all(e.map(a=>t.
includes(a)||caches.delete(a))),await n.clients.claim()}async function p(t){let e=new URL(t.url);e.pathname.endsWith("/")&&
(e.pathname+="index.html");let a=await caches.match(e,{ignoreSearch:!0});return a&&!a.redirected?a:fetch(t)}var u={install:t=>t.
waitUntil(o(r,d,"no-cache").then(()=>n.skipWaiting())),activate:t=>t.waitUntil(f()),message:t=>t.waitUntil(o(l,t.data,"f\
orce-cache")),fetch:t=>{t.request.method==="GET"&&t.respondWith(p(t.request))}};for(let[t,e]of Object.entries(u))n.addEventListener(
t,e);
