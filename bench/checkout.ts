import { cpus } from "node:os";
import { LAGOS, shownOn } from "#tests/support/http-visitor.ts";
import { ask, eachOnce, type Figure } from "./measure.ts";
import { each, processorTime } from "./processor.ts";
import { addShoppers, type BenchShop, fillCarts, type Shopper, withShop } from "./shop.ts";

const PRODUCT = "unity-home-jersey";

/** Measures the start of payments for one size in high demand: lock, reservation and the call to the provider. */
export function reservations(): Promise<Figure[]> {
  return withBuyers(async (shop, buyers) => {
    const { result: starts, time } = await processorTime(shop, () =>
      eachOnce(buyers, 20, async (buyer) => {
        await pay(shop, buyer);
      }),
    );
    return [
      { name: "reservations on one size", value: starts.perSecond, unit: "/s", bar: { min: 300 } },
      { name: "reservations: p50", value: starts.p50, unit: "ms" },
      { name: "reservations: p99", value: starts.p99, unit: "ms", bar: { max: 250 } },
      { name: "reservations: failed", value: starts.failed, unit: "", bar: { max: 0 } },
      ...each("a reservation", time, buyers.length),
    ];
  });
}

/** Measures whole orders by plain HTTP: checkout, the provider's page, back to the order. */
export function checkout(): Promise<Figure[]> {
  return withBuyers(async (shop, buyers) => {
    const { result: orders, time } = await processorTime(shop, () => eachOnce(buyers, 10, (buyer) => buy(shop, buyer)));
    return [
      { name: "whole orders", value: orders.perSecond, unit: "/s", bar: { min: 100 } },
      { name: "whole orders: p50", value: orders.p50, unit: "ms" },
      { name: "whole orders: p99", value: orders.p99, unit: "ms" },
      { name: "whole orders: failed", value: orders.failed, unit: "", bar: { max: 0 } },
      ...each("an order", time, buyers.length),
    ];
  });
}

const BUYERS = 600;
/**
 * Orders made before measuring. An order in a shop that has just started takes twice the processor time of one after a
 * thousand orders, when V8 has compiled the code.
 */
const TO_WARM_UP = 1500;

function withBuyers(measure: (shop: BenchShop, buyers: Shopper[]) => Promise<Figure[]>): Promise<Figure[]> {
  return withShop(
    async (shop) => {
      await shop.sql("update product_sizes set supplied = 1000000");
      const shoppers = await addShoppers(shop, BUYERS + TO_WARM_UP);
      await fillCarts(shop, shoppers, PRODUCT);
      await measure(shop, shoppers.splice(0, TO_WARM_UP));
      return measure(shop, shoppers);
    },
    { TRUSTED_PROXIES: "127.0.0.1", WEB_CONCURRENCY: String(cpus().length) },
  );
}

/** Buys what is in the cart, from the press on Pay to the page that says thank you. */
export async function buy(shop: Pick<BenchShop, "url">, buyer: Shopper, agreed = AGREED): Promise<void> {
  await payAndReturn(shop, buyer, await pay(shop, buyer, agreed));
}

/** From the provider's page to the shop's page that says thank you. */
export async function payAndReturn({ url }: Pick<BenchShop, "url">, buyer: Shopper, payPage: string): Promise<void> {
  const { cookie, address } = buyer;
  const { headers: back } = await ask(await payAt(payPage), { cookie, address });
  const page = new URL(back.location ?? "", url).href;
  const { status, body } = await ask(page, { cookie, address });
  const [, title] = /<title>([^<]*)/.exec(body) ?? [];
  if (!body.includes("Thank you")) throw new Error(`The order is not recorded. ${page}: ${status} ${title}`);
}

/** Pays, but does not return to the shop. */
export async function payAndLeave(shop: BenchShop, buyer: Shopper): Promise<void> {
  await payAt(await pay(shop, buyer));
}

/** Pays on the provider's page. Returns the address to which it redirects. */
async function payAt(payPage: string): Promise<string> {
  const { headers } = await ask(payPage, { form: { outcome: "success" } });
  return headers.location ?? "";
}

/** The checkout's form with the account's own address: an order to another address sends one more mail. */
export const formOf = ({ id }: Shopper): Record<string, string> => ({ ...LAGOS, email: `${id}@example.com` });

/** The sums that the shopper of each of these orders agrees to: one piece, to Lagos, at the demo's prices and rate. */
const AGREED: Record<string, string> = { shownCents: "4999", agreedKobo: "8558400" };

/** The form's fields after the sum was shown, or none for a version that accepts the first submission. */
export async function sumsShown({ url }: Pick<BenchShop, "url">, buyer: Shopper): Promise<Record<string, string>> {
  const { cookie, address } = buyer;
  const { status, body } = await ask(`${url}/checkout`, { cookie, address, form: formOf(buyer) });
  return status === 400 ? shownOn(new Response(body)) : {};
}

/** Starts the payment. Returns the address of the provider's page. */
export async function pay({ url }: Pick<BenchShop, "url">, buyer: Shopper, agreed = AGREED): Promise<string> {
  const { cookie, address } = buyer;
  const form = { ...formOf(buyer), ...agreed };
  const { status, headers } = await ask(`${url}/checkout`, { cookie, address, form });
  if (status !== 303 || !headers.location?.startsWith("http"))
    throw new Error(`POST /checkout: ${status} ${headers.location}`);
  return headers.location;
}
