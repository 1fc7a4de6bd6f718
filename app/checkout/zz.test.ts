import { test } from "vitest";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { settlePayment } from "./settle.server.ts";
import { dbPool } from "#app/infra/db.server.ts";
import { startPayment } from "./start-payment.server.ts";
import { lagosForm, toLagos } from "#tests/support/shop.ts";
const { db, provider, pay } = useCheckout();
test("count", async () => {
  const productId = await makeProduct(db(), { M: 5000 });
  const u = await makeShopper(db(), { productId, size: "M" });
  const pool = dbPool(); const c0 = pool.connect.bind(pool) as any; const log: any[] = [];
  pool.connect = (async () => { const c = await c0(); if (!c.w) { c.w = 1; const q = c.query.bind(c); c.query = (...a: any[]) => { const t = performance.now(); const r = q(...a); Promise.resolve(r).then(() => log.push([(performance.now() - t).toFixed(2), (typeof a[0] === "string" ? a[0] : a[0].text).slice(0, 110)])); return r; }; } return c; }) as any;
  for (let i = 0; i < 2; i++) {
  log.length = 0; const s = performance.now();
  const r: any = await startPayment(db(), { user: u, form: { ...lagosForm, address: "x" + i }, destination: toLagos, currency: "NGN" });
  const d = performance.now() - s; if (i) console.log(d, log.length, log); else continue;
  provider.pay(r.reference); log.length = 0; const s2 = performance.now();
  await settlePayment(r.reference); console.log(performance.now() - s2, log.length, log);
  }
});
test("bench", { timeout: 100000 }, async () => {
  const productId = await makeProduct(db(), { M: 5000 });
  const users: any[] = [];
  for (let i = 0; i < 600; i++) users.push(await makeShopper(db(), { productId, size: "M" }));
  const todo = [...users]; const times: number[] = []; const refs: string[] = [];
  let t = performance.now(); let c = process.cpuUsage();
  await Promise.all(Array.from({ length: 18 }, async () => { for (let u = todo.pop(); u; u = todo.pop()) { const s = performance.now(); const r = await pay(u); if (!r.ok) throw r; refs.push(r.reference); times.push(performance.now() - s); } }));
  let d = (performance.now() - t) / 1000; times.sort((a, b) => a - b);
  console.log("start/s", 600 / d, "p99", times[590], process.cpuUsage(c).user / 1000 / 600);
  for (const r of refs) provider.pay(r);
  const left = [...refs]; t = performance.now(); c = process.cpuUsage();
  await Promise.all(Array.from({ length: 18 }, async () => { for (let u = left.pop(); u; u = left.pop()) await settlePayment(u); }));
  d = (performance.now() - t) / 1000; console.log("settle/s", 600 / d, process.cpuUsage(c).user / 1000 / 600);
});
