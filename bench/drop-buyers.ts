import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { formOf, payAndReturn, sumsShown } from "./checkout.ts";
import { ask, summary } from "./measure.ts";
import type { Shopper } from "./shop.ts";

// A separate program, so that the buyers do not delay the clocks of the other visitors. Reads a Drop as JSON, prints a
// Dropped.

/**
 * `opens`: when the pieces come, as Date.now(). The buyers press within `seconds` after it, one after the other, at the
 * price `cents`. `first` has the product in the cart: the sums of this checkout are those that all buyers agree to.
 */
export type Drop = {
  url: string;
  product: string;
  cents: number;
  opens: number;
  seconds: number;
  first: Shopper;
  buyers: Shopper[];
};
/** `bought`: who got a piece and read "Thank you"; `told`: who was told that none is left; times in ms. */
export type Dropped = { bought: number; told: number; unclear: number; boughtP99: number; toldP99: number };

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await run((await json(process.stdin)) as Drop)));
  process.exit(0);
}

type End = "bought" | "told" | "unclear";

async function run({ url, product, cents, opens, seconds, first, buyers }: Drop): Promise<Dropped> {
  const times: Record<End, number[]> = { bought: [], told: [], unclear: [] };
  await sleep(Math.max(0, opens - Date.now()));
  const agreed = await sumsAt(cents, url, first);
  await Promise.all(
    buyers.map(async (buyer, at) => {
      await sleep(Math.max(0, opens + (at / buyers.length) * seconds * 1000 - Date.now()));
      const pressed = performance.now();
      const end = await buy(url, product, buyer, agreed).catch((error): End => {
        if (times.unclear.length === 0) process.stderr.write(`${error}\n`);
        return "unclear";
      });
      times[end].push(performance.now() - pressed);
    }),
  );
  const p99 = (all: number[]) => (all.length > 0 ? summary(all, 1).p99 : 0);
  return {
    bought: times.bought.length,
    told: times.told.length,
    unclear: times.unclear.length,
    boughtP99: p99(times.bought),
    toldP99: p99(times.told),
  };
}

/** The sums of a checkout, as soon as it has this price and not the one before the sale. */
async function sumsAt(cents: number, url: string, shopper: Shopper): Promise<Record<string, string>> {
  for (let tries = 20; tries > 0; tries--) {
    const sums = await sumsShown({ url }, shopper);
    if (sums.shownCents === String(cents)) return sums;
    await sleep(100);
  }
  throw new Error("The sale has not begun");
}

/** Adds a piece and pays for it, as the shop's script does, without a page in between. */
async function buy(url: string, product: string, buyer: Shopper, agreed: Record<string, string>): Promise<End> {
  const { cookie, address } = buyer;
  const change = JSON.stringify({ intent: "set", id: product, size: "M", quantity: 1 });
  const added = await ask(`${url}/api/cart`, { cookie, address, json: change });
  if (added.status !== 200) throw new Error(`POST /api/cart: ${added.status}`);
  if (JSON.parse(added.body).change?.quantity !== 1) return "told";
  const form = { ...formOf(buyer), ...agreed, currency: "NGN" };
  const pay = await ask(`${url}/checkout.data`, { cookie, address, form });
  if (pay.status === 400 && pay.body.includes("sold out")) return "told";
  const [, payPage] = /"(http[^"]+)"/.exec(pay.body) ?? [];
  if (!payPage) throw new Error(`POST /checkout.data: ${pay.status} ${pay.body.slice(0, 200)}`);
  await payAndReturn({ url }, buyer, payPage);
  return "bought";
}
