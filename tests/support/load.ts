import { ask } from "./ask-database.ts";
import { type Fleet, PRODUCT } from "./fleet.ts";
import { endPayment, LAGOS, newVisitor, shownOn, type Visitor } from "./http-visitor.ts";

export type Load = {
  /** The unexpected responses, one line each. */
  wrong: string[];
  /** References of the payments that the shop has shown as orders. */
  bought: string[];
  counts: { requests: number; streamsEnded: number };
};

export const assetsOf = async (page: Response) => [...new Set((await page.text()).match(/\/assets\/[\w.-]+/g))];

/**
 * Until `work` is done, visitors browse, older pages request their `opened` addresses, and each customer buys and has a
 * stream open.
 */
export async function underLoad(
  { balancer, databaseUrl }: Pick<Fleet<{ url: string }>, "balancer" | "databaseUrl">,
  customers: Visitor[],
  work: (load: Load) => Promise<void>,
  opened: string[] = [],
): Promise<Load> {
  const load: Load = { wrong: [], bought: [], counts: { requests: 0, streamsEnded: 0 } };
  let going = true;
  const repeat = async (visit: () => Promise<void>) => {
    while (going) await visit().catch((error: Error) => load.wrong.push(`${error.cause ?? error}`));
  };

  async function expecting(status: number, what: string, answer: Promise<Response>): Promise<Response> {
    const response = await answer;
    load.counts.requests++;
    if (response.status !== status) load.wrong.push(`${new Date().toISOString()} ${what}: ${response.status}`);
    return response;
  }
  async function look(): Promise<void> {
    const visitor = newVisitor(balancer.url);
    const get = (place: string) => expecting(200, place, visitor.get(place));
    const assets = await assetsOf(await get("/shop"));
    const places = [
      ...assets,
      ...opened,
      "/",
      "/shop.data?size=M",
      "/singleProduct/rings-tee.data",
      "/api/products",
      "/login",
    ];
    for (const place of places) await (await get(place)).arrayBuffer();
  }
  async function buy(customer: Visitor): Promise<void> {
    await ask(databaseUrl, "delete from rate_limits"); // each customer here stands for many
    await expecting(303, "POST /Cart", customer.post("/Cart", { intent: "add", ...PRODUCT, quantity: "1" }));
    await expecting(200, "/Cart", customer.get("/Cart"));
    const shown = await expecting(400, "POST /checkout, which shows the sum", customer.post("/checkout", LAGOS));
    const agreed = { ...LAGOS, ...(await shownOn(shown)) };
    const paying = await expecting(303, "POST /checkout", customer.post("/checkout", agreed));
    if (paying.status !== 303) return;
    const reference = await endPayment(paying.headers.get("location") ?? "", "success");
    await expecting(303, "/checkout/return", customer.get(`/checkout/return?reference=${reference}`));
    await expecting(200, "/order", customer.get(`/order/${reference}`));
    load.bought.push(reference);
  }
  /** Reconnects when the stream ends, as a browser does. */
  async function follow(customer: Visitor): Promise<void> {
    await (await expecting(200, "/api/live", customer.get("/api/live"))).text();
    load.counts.streamsEnded++;
  }

  const streams = customers.map((customer) => repeat(() => follow(customer)));
  const visits = [repeat(look), ...customers.map((customer) => repeat(() => buy(customer)))];
  await Promise.all([work(load).finally(() => (going = false)), ...visits]);
  for (const customer of customers) await customer.post("/logout", {}); // which ends the customer's stream
  await Promise.all(streams);
  return load;
}
