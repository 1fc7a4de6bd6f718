import { cpus } from "node:os";
import { LAGOS } from "#tests/support/http-visitor.ts";
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
export async function buy(shop: BenchShop, buyer: Shopper): Promise<void> {
  const { cookie } = buyer;
  const { headers: back } = await ask(await payAndLeave(shop, buyer), { cookie });
  const { body } = await ask(new URL(back.location ?? "", shop.url).href, { cookie });
  if (!body.includes("Thank you")) throw new Error("The order is not recorded");
}

/** Pays at the provider, but does not return to the shop. Returns the address to which the provider redirects. */
export async function payAndLeave(shop: BenchShop, buyer: Shopper): Promise<string> {
  const { headers } = await ask(await pay(shop, buyer), { form: { outcome: "success" } });
  return headers.location ?? "";
}

/** The sums that the shopper of each of these orders agrees to: one piece, to Lagos, at the demo's prices and rate. */
const AGREED = { shownCents: "4999", agreedKobo: "8558400" };

/** Starts the payment. Returns the address of the provider's page. */
export async function pay({ url }: BenchShop, { id, cookie, address }: Shopper): Promise<string> {
  // An order to an address other than the account's sends more mails.
  const form = { ...LAGOS, email: `${id}@example.com`, ...AGREED };
  const { status, headers } = await ask(`${url}/checkout`, { cookie, address, form });
  if (status !== 303 || !headers.location?.startsWith("http"))
    throw new Error(`POST /checkout: ${status} ${headers.location}`);
  return headers.location;
}
