vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { api } from "#app/api.ts";
import { NO_SCRIPT_CART_COOKIE } from "#app/cart/no-script-cart.server.ts";
import { deleteOldMissed, MOST_MISSED, writeMissed } from "#app/content/old-addresses/missed.server.ts";
import { followOldAddresses, newAddressOf } from "#app/content/old-addresses/redirect.server.ts";
import { allOldAddresses, removeOldAddress, setOldAddress } from "#app/owner/shop/old-addresses.server.ts";
import routes from "#app/routes.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { makeProduct } from "#tests/support/shop.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);

let product: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await followOldAddresses(db);
  product = await makeProduct(db(), { M: 3 });
});
afterAll(() => stop());
afterEach(async () => {
  for (const { path } of await db().selectFrom("oldAddresses").select("path").execute())
    await removeOldAddress(db(), OWNER, path);
});

async function ask(path: string, { method = "GET", cookie = "" } = {}) {
  const headers = { host: "localhost", ...(cookie && { cookie }) };
  const place = `http://127.0.0.1:${shop().port}${path}`;
  const answer = await fetch(place, { method, headers, redirect: "manual" });
  await answer.text();
  return { status: answer.status, to: answer.headers.get("location"), headers: answer.headers };
}

/** Adds an old address, and waits until the shop redirects it. */
async function moved(from: string, to: string): Promise<void> {
  expect(await setOldAddress(db(), OWNER, { from, to })).toMatchObject({ ok: true });
  await vi.waitUntil(async () => (await ask(from)).status === 301, { timeout: 10_000, interval: 20 });
}

test("an old address leads to its page, for good, however it is spelled and whatever its query", async () => {
  await moved("/Pages/Café", `/singleProduct/${product}?size=M#reviews`);
  for (const path of ["/pages/caf%C3%A9", "/pages/CAF%c3%89/", "/pages/cafe%CC%81?variant=3"])
    expect(await ask(path)).toMatchObject({ status: 301, to: `/singleProduct/${product}?size=M#reviews` });
  await moved("/pages/about-us", "/ABOUT");
  const { headers, to } = await ask("/pages/about-us/?utm_source=x", { method: "HEAD" });
  expect(to).toBe("/about");
  expect(headers.get("cache-control")).toBe("public, max-age=0, s-maxage=1");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const cookie = `${NO_SCRIPT_CART_COOKIE}=x`;
  expect(await ask("/pages/about-us", { cookie })).toMatchObject({ status: 301 });
  expect((await ask("/pages/about-us", { method: "POST" })).status).not.toBe(301);
  expect((await ask("/pages/about-us.data")).status).toBe(404);
});

test.each(["/pages/J%CC%8C", "/pages/%C4%B0", "/pages/old%20/", "/collections/%C3%A9t%C3%A9 2024"])(
  "%s is removed in the spelling in which it's listed",
  async (from) => {
    expect(await setOldAddress(db(), OWNER, { from, to: "/about" })).toMatchObject({ ok: true });
    const [listed] = await allOldAddresses(db());
    expect(await removeOldAddress(db(), OWNER, listed?.from ?? "")).toBe(true);
  },
);

test("neither an old address nor a missing page asks the database for old addresses", async () => {
  await moved("/pages/about-us", "/about");
  const sent = vi.spyOn(pg.Client.prototype, "query");
  for (const path of ["/pages/about-us", "/pages/nothing", "/nothing.pdf", "/collections/none"]) await ask(path);
  const texts = sent.mock.calls.map(([query]) => JSON.stringify(query));
  sent.mockRestore();
  expect(texts).not.toEqual([]); // a missing collection is looked for
  expect(texts.filter((text) => /old_addresses|missed_addresses/.test(text))).toEqual([]);
});

test("a file's address is redirected, too", async () => {
  await moved("/files/size-chart.pdf", "/shop");
  expect(await ask("/files/size-chart.pdf")).toMatchObject({ status: 301, to: "/shop" });
});

test("a page that comes later at an old address is shown, and a page is never redirected", async () => {
  await moved("/collections/owambe", "/shop");
  await moved("/singleProduct/agbada", "/shop?q=agbada");
  await db().insertInto("collections").values({ id: "owambe", name: "Owambe", hidden: false, position: 1 }).execute();
  await vi.waitUntil(async () => (await ask("/collections/owambe")).status === 200, { timeout: 10_000, interval: 20 });
  await db().deleteFrom("collections").execute();
  await vi.waitUntil(async () => (await ask("/collections/owambe")).status === 301, { timeout: 10_000, interval: 20 });
});

describe("refused", () => {
  const refusal = async (from: string, to = "/about") => {
    const done = await setOldAddress(db(), OWNER, { from, to });
    return done.ok ? {} : done.problems;
  };

  test("an address that the shop answers itself", async () => {
    const [layout, ...others] = routes;
    const pages = [...(layout?.children ?? []), ...others].map(({ path = "" }) => `/${path}`);
    const places = [...pages, ...api.map(({ path }) => path), "/assets/x.js", "/images/x", "/webhooks/paystack"]
      .filter((path) => path !== "/*" && path !== "/collections/:id")
      .map((path) => path.replace("/:id?", "").replace("singleProduct/:id", `singleProduct/${product}`));
    expect(places.length).toBeGreaterThan(40);
    for (const path of places) expect(await refusal(path), path).toHaveProperty("from");
    expect(await refusal(`/singleproduct/${product.toUpperCase()}/`)).toHaveProperty("from");
    const escaped = `%${product.charCodeAt(0).toString(16)}${product.slice(1)}`;
    expect(await refusal(`/singleProduct/${escaped}`)).toHaveProperty("from");
  });

  test.each([
    "about-us",
    "https://old.example/pages/x",
    "//old.example",
    "/x?y=1",
    "/x#y",
    "/%zz",
    "/100%25",
    `/${"x".repeat(300)}`,
  ])("%s, which is no path", async (from) => expect(await refusal(from)).toHaveProperty("from"));

  test.each([
    "/nothing",
    "https://other.example/about",
    "//other.example",
    "/\\other.example",
    "/order/IR-1",
    "/singleProduct/none",
    "/singleProduct/no%20product",
    `/collections/${"x".repeat(101)}`,
    "",
  ])("the new address '%s', where no page is", async (to) =>
    expect(await refusal("/pages/x", to)).toHaveProperty("to"),
  );

  test("a chain and a loop, also where the page between has gone", async () => {
    await db().insertInto("collections").values({ id: "gone", name: "Gone", hidden: false, position: 2 }).execute();
    const at = "/collections/gone";
    await moved("/pages/a", at);
    expect(await refusal("/pages/b", "/pages/a")).toHaveProperty("to");
    await db().deleteFrom("collections").where("id", "=", "gone").execute();
    expect(await refusal(at, "/about")).toEqual({ from: "Other old addresses lead here: change those first" });
    expect(await refusal(at, "/pages/a")).toHaveProperty("to");
  });
});

describe("what is asked for and not found", () => {
  const counted = async () => {
    await writeMissed(db());
    const rows = await db().selectFrom("missedAddresses").select(["path", "times"]).orderBy("path").execute();
    return Object.fromEntries(rows.map(({ path, times }) => [path, times]));
  };
  beforeEach(async () => {
    await counted();
    await db().deleteFrom("missedAddresses").execute();
  });

  test("is counted once a request, without query, and never where an address may name a person or an order", async () => {
    await ask("/products/palm-jersey?token=secret");
    await ask("/Products/Palm-Jersey/");
    await ask("/products/palm-jersey", { cookie: `${NO_SCRIPT_CART_COOKIE}=x` });
    for (const path of ["/collections/none", "/size-chart.pdf", "/caf%C3%A9", "/wp-login.php.data"]) await ask(path);
    for (const path of [
      "/order/IR-0000-00",
      "/pay/nothing",
      "/handover/nothing",
      "/preview/nothing",
      "/handover/nothing/more",
      "/api/nothing",
      "/leave/ada@example.com",
      "/leave/ada%2540example.com",
      "/12345/orders/0a1b2c",
      "/my-account/view-order/12",
      "/a%3Fb=c",
      "/about",
    ])
      await ask(path);
    expect(await counted()).toEqual({
      "/café": 1,
      "/collections/none": 1,
      "/products/palm-jersey": 3,
      "/size-chart.pdf": 1,
    });
    await ask("/products/palm-jersey");
    expect(await counted()).toMatchObject({ "/products/palm-jersey": 4 });
  });

  test("an address that is redirected is no longer counted or listed", async () => {
    await ask("/products/palm-jersey");
    expect(Object.keys(await counted())).toEqual(["/products/palm-jersey"]);
    await moved("/products/palm-jersey", "/shop");
    await ask("/products/palm-jersey");
    await counted();
    await db().deleteFrom("missedAddresses").execute(); // those that were asked for until the shop had read the list
    await ask("/products/palm-jersey");
    expect(await counted()).toEqual({});
  });

  test("is bounded: the addresses asked for least go first", async () => {
    const scan = (of: string, count: number) => {
      for (let at = 0; at < count; at++) newAddressOf(`/${of}/${at}`);
    };
    newAddressOf("/products/palm-jersey");
    newAddressOf("/products/palm-jersey");
    scan("first", MOST_MISSED + 100);
    expect(Object.keys(await counted())).toHaveLength(MOST_MISSED);
    scan("second", MOST_MISSED + 100);
    const all = await counted();
    expect(Object.keys(all)).toHaveLength(MOST_MISSED);
    expect(all["/products/palm-jersey"]).toBe(2);
  });

  test("is forgotten after 90 days, also what is still asked for", async () => {
    const ago = (days: number) => sql<Date>`now() - ${days} * interval '1 day'`;
    await db()
      .insertInto("missedAddresses")
      .values([
        { path: "/long", times: 9, firstAt: ago(90), lastAt: ago(0) },
        { path: "/lately", times: 1, firstAt: ago(80), lastAt: ago(80) },
      ])
      .execute();
    await deleteOldMissed(db());
    expect(Object.keys(await counted())).toEqual(["/lately"]);
  });
});
