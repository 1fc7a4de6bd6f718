import pg from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { addSizeGuide } from "#app/owner/size-guides/size-guides.server.ts";
import { publicPage } from "#app/public-pages.ts";
import routes from "#app/routes.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { ask } from "#tests/support/ask-database.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { makeProduct } from "#tests/support/shop.ts";
import { sizeGuide } from "#tests/support/size-guides.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);

/** Tables that are read for a page, but not shown on it, and why. */
const NOT_SHOWN: Record<string, string> = {
  catalog_changes: "tells whether kept pages are old",
  catalog_era: "tells whether kept pages are old",
  sale_prices: "is planned ahead; a moment of it that falls due makes pages anew (app/catalog/changes.server.ts)",
  rate_limits: "counts searches",
  search_words: "is written with the products, whose change is recorded",
};

/** The tables that were read for each page, by its address. */
const readBy = new Map<string, Set<string>>();

/** The select statements that `work` sends, on any connection. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const texts = sent.mock.calls.map(([query]) =>
    typeof query === "string" ? query : (query as { text?: string }).text,
  );
  sent.mockRestore();
  return [...new Set(texts)].filter((text) => text !== undefined && /^\s*(select|with)\b/i.test(text)) as string[];
}

/** The tables of a statement, from the database's plan. */
async function tablesOf(statement: string): Promise<string[]> {
  const [row] = await ask(url(), `explain (generic_plan, verbose, format json) ${statement}`);
  const plan = JSON.stringify(row);
  return [...plan.matchAll(/"Relation Name": ?"(\w+)", ?"Schema": ?"public"/g)].map(([, name = ""]) => name);
}

let recorded: string[];

beforeAll(async () => {
  const id = await makeProduct(db(), { M: 3 });
  await db().insertInto("collections").values({ id, name: "Owambe", hidden: false, position: 1 }).execute();
  await db().insertInto("collectionProducts").values({ collectionId: id, productId: id, position: 1 }).execute();
  const added = await addSizeGuide(db(), OWNER, sizeGuide({ products: [id] }));
  expect(added.ok).toBe(true);
  const [layout, ...others] = routes;
  const places = [...(layout?.children ?? []), ...others].map(({ path = "" }) => `/${path.replace(":id", id)}`);
  const kept = places.filter((path) => publicPage(path));
  expect(kept).toEqual(
    expect.arrayContaining(["/", "/shop", `/singleProduct/${id}`, `/collections/${id}`, "/sitemap.xml"]),
  );
  for (const path of [...kept, "/shop?q=tee", "/shop?q=teee&sort=price", "/shop?page=2", "/api/products?after=0.a"]) {
    const texts = await statementsOf(async () => {
      const { status } = await fetch(`http://127.0.0.1:${shop().port}${path}`, { headers: { host: "localhost" } });
      expect(status, path).toBe(200);
    });
    readBy.set(path, new Set((await Promise.all(texts.map(tablesOf))).flat()));
  }
  // Every page shows the settings. A process reads them once and is notified when they change.
  const texts = await statementsOf(() => shopSettings(db()));
  readBy.set("what each page shows of the shop", new Set((await Promise.all(texts.map(tablesOf))).flat()));
  const rows = await ask(
    url(),
    "select tgrelid::regclass::text as name from pg_trigger where tgfoid = 'record_catalog_change'::regproc order by 1",
  );
  recorded = rows.map(({ name }) => String(name));
});

test("51 what a kept page reads is a table whose changes make it anew, and no other table does", () => {
  const read = new Set([...readBy.values()].flatMap((tables) => [...tables]));
  const shown = [...read].filter((name) => !(name in NOT_SHOWN)).sort();
  expect(shown, `by page: ${[...readBy].map(([path, tables]) => `${path}: ${[...tables]}`).join("; ")}`).toEqual(
    recorded,
  );
});

test("51 each kept page that shows products, rates or delivery was seen to read them", () => {
  expect(readBy.get("/shop")).toContain("products");
  expect(readBy.get("/shipping-policy")).toContain("shipping_rates");
  expect([...readBy.values()].some((tables) => tables.has("exchange_rates"))).toBe(true);
});
