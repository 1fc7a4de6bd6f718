vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, describe, expect, test, vi } from "vitest";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { arrived } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";

const { db, provider, open, url } = useCheckout();
const { shop } = useApps(url, { keepsPages: false });

/** The product of these pages has no colour and comes in one size. */
let productId: string;
let reference: string;
let cookie: string;

beforeAll(async () => {
  productId = await makeProduct(db(), { ONE: 5 });
  await db().updateTable("products").set({ title: "Scarf", color: "" }).where("id", "=", productId).execute();
  const shopper = await makeShopper(
    db(),
    { productId, size: "ONE" },
    { productId: await makeProduct(db(), { M: 1 }), size: "M" },
  );
  await db().updateTable("cartLines").set({ color: "" }).where("productId", "=", productId).execute();
  ({ reference } = await open(shopper));
  cookie = await cookieOf(shopper);
});

async function pageOf(path: string): Promise<string> {
  const { port, origin } = shop();
  const headers = { cookie, host: new URL(origin).host };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: "manual" });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
}

/** The texts of a page, with its title and the names that only screen readers read. */
function readOf(html: string): string[] {
  const shown = html.replace(/<(script|style|template)\b.*?<\/\1>|<!--.*?-->/gs, "");
  const spoken = [...shown.matchAll(/ (?:aria-label|title|alt|content)="([^"]*)"/g)].map(([, text = ""]) => text);
  return [...spoken, ...shown.split(/<\/?(?:p|li|td|th|h\d|title|option|button|label|div|section)\b[^>]*>/)].map(
    (text) =>
      text
        .replace(/<[^>]*>/g, "")
        .replace(/\s+/g, " ")
        .trim(),
  );
}

/** The name ONE of the only size, and punctuation around missing text. */
const FAULT = /\bONE\b|, ,|,$|^[,/]|\/ ×|\(\)|\(,|, \)| in {2}|\bin \|/;

function expectPlain(html: string): void {
  const read = readOf(html);
  expect(read.join(" ")).toMatch(/Scarf/i);
  expect(read.filter((text) => FAULT.test(text))).toEqual([]);
}

describe("24 a product without colour, in one size, is called by its title alone", () => {
  test.each(["/singleProduct/ID", "/shop", "/Cart", "/checkout"])("%s", async (path) => {
    expectPlain(await pageOf(path.replace("ID", productId)));
  });

  test("its page's title and data have nothing that is empty", async () => {
    const html = await pageOf(`/singleProduct/${productId}`);
    expect(html).toContain("<title>Scarf | Irepo</title>");
    const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
    expect(json).not.toMatch(/:""|ONE/);
    expect(JSON.parse(json)).toMatchObject({ name: "Scarf", hasVariant: [{ name: "Scarf", sku: productId }] });
  });

  test("what the provider is told of an order", () => {
    const told = JSON.stringify(provider.bodies);
    expect(told).toContain("1 x Scarf; 1 x Home Jersey (Green, M)");
    expect(told).not.toMatch(/\bONE\b|\(,/);
  });

  test("its order, and what may be sent back of it", async () => {
    provider.pay(reference);
    await settlePayment(reference);
    await arrived(db(), reference);
    for (const path of [`/order/${reference}`, `/order/${reference}/return`, "/account"])
      expectPlain(await pageOf(path));
  });
});
