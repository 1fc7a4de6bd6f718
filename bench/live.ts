import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask, type Figure, round } from "./measure.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper, withShop } from "./shop.ts";

const STREAMS = 2000;
const CHANGES = 300;

/** Measures many open tabs: how long a change of the cart takes to reach its tab, and the memory that the tabs cost. */
export function live(): Promise<Figure[]> {
  return withShop(async (shop) => {
    const shoppers = await addShoppers(shop, STREAMS);
    const heard = new Map<string, (at: number) => void>();
    const streams = [];
    for (let begin = 0; begin < STREAMS; begin += 50)
      streams.push(...(await Promise.all(shoppers.slice(begin, begin + 50).map((one) => listen(shop, one, heard)))));
    await fillCarts(shop, shoppers.slice(0, CHANGES), "unity-home-jersey");
    const times: number[] = [];
    for (const shopper of shoppers.slice(0, CHANGES)) {
      const begin = performance.now();
      const told = new Promise<number>((resolve) => heard.set(shopper.id, resolve));
      const form = { intent: "set", id: "unity-home-jersey", size: "M", quantity: "2" };
      const { status } = await ask(`${shop.url}/Cart`, { cookie: shopper.cookie, form });
      if (status !== 303) throw new Error(`the cart could not be changed: ${status}`);
      const late = sleep(5000).then(() => Number.POSITIVE_INFINITY);
      times.push((await Promise.race([told, late])) - begin);
    }
    for (const stream of streams) stream.destroy();
    times.sort((a, b) => a - b);
    return [
      { name: "streams open", value: streams.length, unit: "", bar: { min: STREAMS } },
      { name: "cart change to its tab: p50", value: round(times[CHANGES / 2] ?? 0), unit: "ms" },
      {
        name: "cart change to its tab: p99",
        value: round(times[Math.floor(CHANGES * 0.99)] ?? 0),
        unit: "ms",
        bar: { max: 200 },
      },
      { name: "memory of the process", value: await memory(shop), unit: "MB", bar: { max: 250 } },
    ];
  });
}

/** Opens a stream. Resolves when its first event has come. */
function listen({ url }: BenchShop, { id, cookie }: Shopper, heard: Map<string, (at: number) => void>) {
  return new Promise<http.ClientRequest>((resolve, reject) => {
    const request = http.get(`${url}/api/live`, { headers: { cookie }, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`/api/live: ${response.statusCode}`));
      response.on("data", (chunk: Buffer) => {
        if (!chunk.includes("data:")) return;
        resolve(request);
        heard.get(id)?.(performance.now());
      });
      response.on("error", () => undefined); // the benchmark has ended the stream
    });
    request.on("error", reject);
  });
}

async function memory({ metricsUrl }: BenchShop): Promise<number> {
  const { body } = await ask(metricsUrl);
  return Math.round(Number(/^process_resident_memory_bytes (\d+)/m.exec(body)?.[1]) / 1024 / 1024);
}
