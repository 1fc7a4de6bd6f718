vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import pg from "pg";
import { beforeEach, expect, test, vi } from "vitest";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { makeProduct } from "#tests/support/shop.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url, { keepsPages: false });

beforeEach(async () => {
  await db().deleteFrom("collections").execute();
  await db().updateTable("products").set({ hidden: true, kinds: [] }).execute(); // those of other tests
  for (const kind of ["jerseys", "tees", "prints"]) {
    const id = await makeProduct(db(), { M: 1 });
    await db()
      .updateTable("products")
      .set({ kinds: [kind] })
      .where("id", "=", id)
      .execute();
  }
});

async function page(path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${shop().port}${path}`, {
    headers: { host: "localhost" },
    redirect: "manual",
  });
  return answer.text();
}
/** The ids of the kinds and collections to which a page links, in their order. */
const linkedOn = async (path: string) => [
  ...new Set([...(await page(path)).matchAll(/\/collections\/([\w-]+)[")]/g)].map(([, id]) => id)),
];
const hide = (hidden: boolean) => db().updateTable("collections").set({ hidden }).execute();

test.each(["/shop", "/llms.txt"])("%s links to no kind without products", async (path) => {
  expect(await linkedOn(path)).toEqual(["jerseys", "tees", "prints"]);
});

test.each(["/shop", "/llms.txt"])("%s links to no kind at whose address a collection is shown", async (path) => {
  // Without products, the collection itself isn't linked.
  await db().insertInto("collections").values({ id: "tees", name: "Favourites", hidden: false, position: 1 }).execute();
  expect(await linkedOn(path)).toEqual(["jerseys", "prints"]);
  await hide(true);
  expect(await linkedOn(path)).toEqual(["jerseys", "tees", "prints"]);
});

/** The statements that make a page, on any connection. */
async function statementsOf(path: string): Promise<string[]> {
  await page(path); // what is read once by a process is read now
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await page(path);
  const texts = sent.mock.calls.map(([query]) =>
    typeof query === "string" ? query : (query as { text: string }).text,
  );
  sent.mockRestore();
  return texts.filter((text) => /^\s*(select|with)\b/i.test(text));
}
const OF_SETTINGS = /left join shop_settings on true/;

test.each([
  ["/shop", { all: 6, settings: 1 }],
  ["/shop?size=M&sort=price-up", { all: 6, settings: 1 }],
  ["/collections/owambe", { all: 8, settings: 2 }],
  ["/collections/tees", { all: 8, settings: 2 }],
])("%s takes no more statements than %j, with the settings read at once for all of its parts", async (path, most) => {
  const owambe = { id: "owambe", name: "Owambe", hidden: false, position: 1, rule: JSON.stringify({ kind: "tees" }) };
  await db().insertInto("collections").values(owambe).execute();
  const sent = await statementsOf(path);
  expect({ all: sent.length, settings: sent.filter((text) => OF_SETTINGS.test(text)).length }, sent.join("\n")).toEqual(
    most,
  );
});
