vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import { seedDemo } from "#app/catalog/demo.server.ts";
import { env } from "#app/infra/env.server.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";

const { db, url } = useCheckout();
const { shop } = useApps(url);
const SITE = env.publicUrl.origin;
const PRODUCT = "/singleProduct/unity-home-jersey";

type Node = Record<string, unknown>;
type Region = { addressCountry: string };
type Delivery = { "@id": string; shippingRate: Node; shippingDestination: Region[]; deliveryTime: Node };
type Offer = { priceCurrency: string; shippingDetails: Delivery[]; hasMerchantReturnPolicy: Node };
type Group = Node & { hasVariant: { offers: Offer }[] };

/** The structured data of a page by its type. */
async function dataOf(path: string): Promise<Record<string, Node>> {
  const answer = await fetch(`http://127.0.0.1:${shop().port}${path}`, { headers: { host: "localhost" } });
  const found = [...(await answer.text()).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  const nodes = found.map(([, json = ""]) => JSON.parse(json) as Node);
  return Object.fromEntries(nodes.map((node) => [String(node["@type"]), node]));
}

async function offersOf(currency: string): Promise<Offer[]> {
  const { ProductGroup } = await dataOf(`${PRODUCT}?currency=${currency}`);
  return (ProductGroup as Group).hasVariant.map(({ offers }) => offers);
}

beforeAll(async () => {
  await seedDemo(db());
  await db().insertInto("collections").values({ id: "owambe", name: "Owambe", hidden: false, position: 1 }).execute();
});

test("in naira an offer is for Nigeria: the dearest state at the rate in force, and the days of delivery", async () => {
  const [first, ...others] = await offersOf("NGN");
  expect(first).toMatchObject({
    priceCurrency: "NGN",
    shippingDetails: [
      {
        // Borno's $12 at the rate that counts without any other: 1600.
        shippingRate: { maxValue: "19200.00", currency: "NGN" },
        shippingDestination: [{ addressCountry: "NG" }],
        deliveryTime: { handlingTime: { minValue: 2, maxValue: 3 }, transitTime: { minValue: 3, maxValue: 7 } },
      },
    ],
    hasMerchantReturnPolicy: { applicableCountry: ["NG"], merchantReturnDays: SHIPPED_NUMBERS.returnDays },
  });
  const ids = { shippingDetails: [{ "@id": first?.shippingDetails[0]?.["@id"] }] };
  expect(others.map(({ shippingDetails }) => ({ shippingDetails }))).toEqual(others.map(() => ids));
});

test("in dollars it is for each other country, at that country's price, and a new price is on the page at once", async () => {
  const priceTo = async (country: string) => {
    const [{ shippingDetails = [] } = {}] = await offersOf("USD");
    const all = shippingDetails.filter((one) => one.shippingDestination.some((to) => to.addressCountry === country));
    return all.map(({ shippingRate: { value, currency } }) => ({ value, currency }));
  };
  expect(await priceTo("GH")).toEqual([{ value: "14.00", currency: "USD" }]);
  expect(await priceTo("NG")).toEqual([]);
  await sql`update shipping_rates set rate_cents = 1750 where kind = 'country' and name = 'GH'`.execute(db());
  await vi.waitFor(async () => expect(await priceTo("GH")).toEqual([{ value: "17.50", currency: "USD" }]));
});

test("what is on final sale can't be returned, and says so to search engines", async () => {
  await sql`update products set final_sale = true where id = 'rings-tee'`.execute(db());
  const { ProductGroup } = await dataOf("/singleProduct/rings-tee");
  const [first] = (ProductGroup as Group).hasVariant;
  expect(first?.offers.hasMerchantReturnPolicy).toMatchObject({
    returnPolicyCategory: "https://schema.org/MerchantReturnNotPermitted",
  });
});

test.each([
  [PRODUCT, "Unity Home Jersey"],
  ["/collections/owambe", "Owambe"],
])("%s says that it is below the list of all products", async (path, name) => {
  const { BreadcrumbList } = await dataOf(path);
  expect(BreadcrumbList).toMatchObject({
    itemListElement: [
      { position: 1, name: "Shop", item: `${SITE}/shop` },
      { position: 2, name, item: SITE + path },
    ],
  });
});

test("the home page says who sells here, and how to reach them", async () => {
  const { Organization } = await dataOf("/");
  expect(Organization).toMatchObject({
    url: `${SITE}/`,
    logo: `${SITE}/icon-512.png`,
    contactPoint: { email: env.contact.email },
  });
});
