import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { LAGOS, shownOn } from "#tests/support/http-visitor.ts";
import { ask, summary } from "./measure.ts";
import type { Shopper } from "./shop.ts";

// A separate program, so that the buyers do not delay the clocks of the other visitors. Reads a Drop as JSON, prints a
// Dropped.

/** `opens`: when the pieces come, as Date.now(). The buyers press within `seconds` after it, one after the other. */
export type Drop = { url: string; product: string; opens: number; seconds: number; first: Shopper; buyers: Shopper[] };
/** `bought`: who got a piece and read "Thank you"; `told`: who was told that none is left; times in ms. */
export type Dropped = { bought: number; told: number; unclear: number; boughtP99: number; toldP99: number };

if (import.meta.main) {
  process.stdout.write(JSON.stringify(await run((await json(process.stdin)) as Drop)));
  process.exit(0);
}

type End = "bought" | "told" | "unclear";

async function run({ url, product, opens, seconds, first, buyers }: Drop): Promise<Dropped> {
  const times: Record<End, number[]> = { bought: [], told: [], unclear: [] };
  await sleep(Math.max(0, opens - Date.now()));
  const agreed = await sumsShown(url, first);
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

function formOf({ id }: Shopper): Record<string, string> {
  return { ...LAGOS, email: `${id}@example.com` };
}

/** The sums that the checkout shows now, with the sale price. */
async function sumsShown(url: string, shopper: Shopper): Promise<Record<string, string>> {
  const { status, body } = await ask(`${url}/checkout`, { ...shopper, form: formOf(shopper) });
  if (status !== 400) throw new Error(`The checkout shows no sum: ${status}`);
  return shownOn(new Response(body));
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
  if (pay.status === 400) return "told";
  const [, payPage] = /"(http[^"]+)"/.exec(pay.body) ?? [];
  if (!payPage) throw new Error(`POST /checkout.data: ${pay.status}`);
  const paid = await ask(payPage, { form: { outcome: "success" } });
  const back = await ask(paid.headers.location ?? "", { cookie, address });
  const order = await ask(new URL(back.headers.location ?? "", url).href, { cookie, address });
  if (!order.body.includes("Thank you")) throw new Error(`The order is not recorded: ${order.status}`);
  return "bought";
}
