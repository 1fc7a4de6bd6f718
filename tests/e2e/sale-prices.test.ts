import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { type Fleet, PRODUCT, startFleet } from "#tests/support/fleet.ts";
import { LAGOS, newCustomer, newVisitor, shownOn } from "#tests/support/http-visitor.ts";

// Two processes on one database. No job runs that writes prices to products, as if every worker were dead.

type Nothing = { url: string; close(): Promise<void> };
const WITHIN = 120_000;
const SALE = 1234;
let fleet: Fleet<Nothing>;
let normal: number;
const sql = (text: string) => ask(fleet.databaseUrl, text);

beforeAll(async () => {
  const direct = async ([first]: string[]): Promise<Nothing> => ({ url: `http://${first}`, close: async () => {} });
  fleet = await startFleet(inject("postgresUrl"), 2, direct);
  await sql("delete from jobs.schedule where name = 'apply-prices'");
  const [row] = await sql(`select price_cents from products where id = '${PRODUCT.id}'`);
  normal = Number(row?.price_cents);
}, WITHIN);
afterAll(() => fleet?.stop());

type Reader = { name: string; cached: boolean; read(): Promise<number | undefined> };
type Seen = { name: string; cached: boolean; before: number; after: number; cents: number | undefined };

const centsIn = (text: string, pattern: RegExp) => {
  const [, dollars] = pattern.exec(text) ?? [];
  return dollars === undefined ? undefined : Math.round(Number(dollars) * 100);
};

/** Each way to read the price, from each process. */
async function readers(): Promise<Reader[]> {
  const customer = await newCustomer(fleet.shop, "ada@example.com");
  await customer.post("/Cart", { intent: "add", id: PRODUCT.id, size: PRODUCT.size, quantity: "1" });
  return fleet.instances.flatMap(({ shop: { url } }, at): Reader[] => {
    const visitor = newVisitor(url);
    for (const [name, value] of customer.cookies) visitor.cookies.set(name, value);
    const text = async (path: string) => (await visitor.get(path)).text();
    return [
      ["page", true, async () => centsIn(await text(`/singleProduct/${PRODUCT.id}`), /"price":"([\d.]+)"/)],
      ["card", true, async () => centsIn(await text("/shop?q=rings"), /Linked Rings Tee[^$]*\$([\d.]+)/i)],
      ["data", true, async () => centsIn(await text(`/api/products/${PRODUCT.id}`), /"price":([\d.]+)/)],
      ["cart", false, async () => centsIn(await text("/Cart"), /class="price">\$([\d.]+)/)],
      ["checkout", false, async () => Number((await shownOn(await visitor.post("/checkout", LAGOS))).shownCents)],
    ].map(([name, cached, read]) => ({ name: `${name} of process ${at}`, cached, read }) as Reader);
  });
}

const now = async () => Number((await sql("select extract(epoch from clock_timestamp()) * 1000 as ms"))[0]?.ms);

test(
  "a sale price begins and ends by the database's clock in every process, within a second on kept pages",
  async () => {
    const all = await readers();
    for (const { name, read } of all) expect([name, await read()]).toEqual([name, normal]);
    const [planned] = await sql(
      `insert into sale_prices (plan_id, product_id, price_cents, starts_at, ends_at)
       values (gen_random_uuid(), '${PRODUCT.id}', ${SALE}, now() + interval '4 s', now() + interval '9 s')
       returning extract(epoch from starts_at) * 1000 as start, extract(epoch from ends_at) * 1000 as over`,
    );
    const [start, over] = [Number(planned?.start), Number(planned?.over)];
    const seen: Seen[] = [];
    while ((seen.at(-1)?.before ?? 0) < over + 2000)
      for (const { name, cached, read } of all) {
        const before = await now();
        seen.push({ name, cached, before, cents: await read(), after: await now() });
      }
    const allowed = ({ cached, before, after }: Seen) => {
      const late = cached ? 1000 : 0;
      const cents = new Set<number>();
      if (before < start + late || after >= over) cents.add(normal);
      if (after >= start && before < over + late) cents.add(SALE);
      return [...cents];
    };
    const wrong = seen.filter((one) => !allowed(one).includes(one.cents ?? 0));
    expect(wrong).toEqual([]);
    for (const { name } of all)
      expect([name, new Set(seen.filter((one) => one.name === name).map(({ cents }) => cents))]).toEqual([
        name,
        new Set([normal, SALE]),
      ]);
    const [{ price_cents: column } = {}] = await sql(`select price_cents from products where id = '${PRODUCT.id}'`);
    expect(column).toBe(normal); // nothing has written it: all of them have read the plan
  },
  WITHIN,
);
