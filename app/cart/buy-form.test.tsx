import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
import { describe, expect, test } from "vitest";
import { Details, Returns } from "#app/catalog/details.tsx";
import { Gallery } from "#app/catalog/gallery/gallery.tsx";
import type { Product, ProductCard } from "#app/catalog/product.ts";
import { ProductGrid } from "#app/catalog/product-card.tsx";
import { eachFlag } from "#app/catalog/product-fields.ts";
import { StockAlertForm } from "#app/catalog/stock-alerts/form.tsx";
import { FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { BottomNavigation } from "#app/ui/frame/bottom-navigation.tsx";
import { BuyForm } from "./buy-form.tsx";
import { CartLink } from "./link.tsx";

async function html(element: ReactElement): Promise<string> {
  const handler = createStaticHandler([{ path: "/", element }]);
  const context = await handler.query(new Request("http://localhost/"));
  if (context instanceof Response) throw new Error("A page was expected");
  const router = createStaticRouter(handler.dataRoutes, context);
  return renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />);
}

const product = (sizes: Product["sizes"]): Product => ({
  id: "eko-tee",
  title: "Eko Tee",
  color: "Green",
  description: "",
  priceCents: usdCents(4999),
  kinds: ["tees"],
  ...eachFlag(() => false),
  details: {},
  images: [],
  sizes,
});
const form = (sizes: Product["sizes"], mostOfASize = 999) =>
  html(<BuyForm product={product(sizes)} rate={FALLBACK_RATE} mostOfASize={mostOfASize} alertId="alert" />);
const tags = (page: string, name: string) => page.match(new RegExp(`<${name}\\b[^>]*>`, "g")) ?? [];

describe("a product that is sold out", () => {
  const sizes = ["S", "M"].map((size) => ({ size, available: 0 }));

  test("shows its sizes struck through, stepper and button disabled", async () => {
    const page = await form(sizes);
    const radios = tags(page, "input").filter((tag) => tag.includes('type="radio"'));
    expect(radios.map((tag) => tag.includes("disabled"))).toEqual([true, true]);
    for (const label of tags(page, "label")) expect(label).toContain("has-disabled:line-through");
    const stops = tags(page, "button").filter((tag) => /One (less|more)|type="submit"/.test(tag));
    expect(stops.map((tag) => tag.includes('disabled=""'))).toEqual([true, true, true]);
    expect(page).toContain("Sold out");
    expect(page).not.toContain("Add to Cart");
  });

  test("links from the foot of a phone's page to the form for a back-in-stock alert", async () => {
    expect(await form(sizes)).toMatch(/<a [^>]*href="#alert"[^>]*>Tell me when it’s back/);
  });

  test("has a form for an alert about each size, which works without script", async () => {
    const page = await html(<StockAlertForm productId="eko-tee" sizes={sizes} />);
    expect(tags(page, "form")).toMatchObject([expect.stringMatching(/action="\/backInStock" method="post"/)]);
    expect(page.match(/<option[^>]*>(\w+)/g)?.map((option) => option.replace(/.*>/, ""))).toEqual(["S", "M"]);
    expect(page).toContain('name="email"');
  });
});

test("a product without pictures shows the placeholder, and no number of pictures; one with a single picture no number either", async () => {
  const placeholder = '<img src="/placeholder.svg"';
  const gallery = await html(<Gallery images={[]} />);
  expect(gallery).toContain(placeholder);
  expect(gallery).not.toContain("<ul");
  const image = { hash: "0123456789abcdef0123", width: 800, height: 1000, alt: "Front", background: "#fff" };
  expect(await html(<Gallery images={[image]} />)).not.toContain("aria-live");
  expect(await html(<Gallery images={[image, { ...image, hash: "1123456789abcdef0123" }]} />)).toContain("aria-live");
  expect(await html(<ProductGrid products={[card("eko-tee")]} rate={FALLBACK_RATE} />)).toContain(placeholder);
});

const card = (id: string, sizesInStock = ["S", "L"]): ProductCard => {
  const { title, color, priceCents } = product([]);
  return { id, title, color, priceCents, sizesInStock, soldOut: sizesInStock.length === 0 };
};

test("a card has title, colour and price in this order, the sizes for the eye alone, and says what is sold out", async () => {
  const page = await html(
    <ProductGrid products={[card("a"), card("b", []), card("c", ["ONE"])]} rate={FALLBACK_RATE} />,
  );
  const [some = "", none = "", one = ""] = page.split(/<li\b/).slice(1);
  expect(some).toMatch(/Eko Tee.*Green.*\$49\.99/s);
  expect(some).toMatch(/aria-hidden="true"[^>]*>S +L</);
  expect(some).not.toContain("Sold out");
  expect(none).toContain("Sold out");
  expect(none).not.toContain("aria-hidden");
  expect(one).toContain("One size");
});

test("cards that fill no row by themselves are wide or large; four are one row", async () => {
  const grid = async (count: number) => {
    const cards = Array.from({ length: count }, (_, index) => card(`card-${index}`));
    return tags(await html(<ProductGrid products={cards} rate={FALLBACK_RATE} />), "li");
  };
  expect((await grid(5)).map((tag) => [/data-wide="([^"]*)"/.exec(tag)?.[1], tag.includes("data-large")])).toEqual([
    ["2 3", true],
    ...Array.from({ length: 4 }, () => [undefined, false]),
  ]);
  expect((await grid(4)).some((tag) => tag.includes("data-"))).toBe(false);
});

test("a product shows its known details in their order, without those for customs", async () => {
  const page = await html(
    <Details details={{ origin: "Aba", fabric: "Cotton", fit: "", weightGrams: 230, hsCode: "610910" }} />,
  );
  expect(page.match(/<d[td][^>]*>[^<]*/g)?.map((part) => part.replace(/.*>/, ""))).toEqual([
    "Fabric",
    "Cotton",
    "Origin",
    "Aba",
  ]);
  expect(await html(<Details details={{}} />)).toBe("");
});

test("a final sale says that it cannot be returned", async () => {
  expect(await html(<Returns finalSale={true} />)).toContain("Final sale: no returns.");
  expect(await html(<Returns finalSale={false} />)).toContain("within 14 days of delivery");
});

test("quantity: maximum the stock of the selected size, or the owner's limit", async () => {
  const page = await form([{ size: "ONE", available: 5 }], 1);
  expect(page).toContain("You can buy up to 1 of one size in an order.");
  expect(page).toMatch(/aria-disabled="true"[^>]*aria-label="One more"/);
  const free = await form([{ size: "ONE", available: 5 }]);
  expect(free).toContain("Only 5 left");
  expect(free).toMatch(/aria-disabled="false"[^>]*aria-label="One more"/);
});

test("54 the page frame shows the cart's count if it is known, and no number otherwise", async () => {
  expect(await html(<CartLink count={3} />)).toContain(">CART (3)<");
  expect(await html(<CartLink count={0} />)).toContain(">CART (0)<");
  expect(await html(<CartLink count={undefined} />)).toContain(">CART<");
  expect(await html(<BottomNavigation count={3} signedIn={false} />)).toContain(">3</span>");
  for (const count of [0, undefined])
    expect(await html(<BottomNavigation count={count} signedIn={false} />)).not.toMatch(/>\d/);
});

test("without script the page frame links to the account", async () => {
  const navigation = await html(<BottomNavigation count={0} signedIn={false} />);
  const links = navigation.match(/<a [^>]*>/g)?.filter((link) => !link.includes("[@media(scripting:none)]:hidden"));
  expect(links?.map((link) => /href="([^"]*)"/.exec(link)?.[1])).toEqual(["/", "/shop", "/Cart", "/account"]);
});
