vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { matchRoutes } from "react-router";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { blocksOf } from "#app/content/originals.server.tsx";
import { recordIssue } from "#app/orders/issues.server.ts";
import { emailNamed, previewEmail } from "#app/owner/texts/emails.server.tsx";
import { saveRole } from "#app/staff/own-roles.server.ts";
import { type BuiltInRole, builtIn, may, type Permission, ROLES } from "#app/staff/roles.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { numberAll, setReceipts } from "#tests/support/receipts.ts";
import { routesOf } from "#tests/support/router-build.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { newWorld, type World } from "./fuzz/world.ts";

const checkout = useCheckout();
const { db } = checkout;
const pageAt = useOfficePages();

type Action = { changes?: Record<string, { needs: Permission }> };
type Screen = { id: string; path: string; isPage: boolean; action?: Action };
let screens: Screen[];
let world: World;

/** Addresses with a POST outside the tables of changes, and the permissions that they need. */
const OTHER_POSTS: Record<string, Permission> = { "/products/import": "catalogue", "/sign-out": "look" };

beforeAll(async () => {
  const routes = (await routesOf("office")).filter(({ id }) => id !== "root" && id !== "routes/layout");
  screens = routes.map(({ id, path = "", module: { default: page, action } }) => ({
    id,
    path: `/${path}`,
    isPage: Boolean(page),
    action: action as Action | undefined,
  }));
  await setReceipts(db());
  world = await newWorld(checkout);
  await numberAll(db());
  await recordIssue(db(), world.names.sold, "dispute");
  await recordIssue(db(), world.names.sold, "refund-failed");
});

/** Addresses of a screen, with content of each kind. */
function addressesOf({ path }: Screen): string[] {
  const { number, soldNumber, return: returned, customer, offer, collection, product, sizeGuide } = world.names;
  const [, room = ""] = path.split("/");
  const ofRoom: Record<string, string[]> = {
    orders: [number, soldNumber],
    returns: [returned],
    customers: [customer],
    offers: [offer],
    collections: [collection],
    "size-guides": [sizeGuide],
    words: ["about"],
  };
  const names = ofRoom[room] ?? [product];
  const found = names.map((name) => path.replace("/:work?", "").replaceAll(/:(number|id)/g, name));
  return found.filter((one) => !one.includes(":") && !one.includes("*"));
}

/** The pages that a role sees, by address: each screen, and everything that links lead to. */
async function shownTo(role: BuiltInRole): Promise<Map<string, OfficePage>> {
  const begin = screens.filter(({ isPage, path }) => isPage && !/^\/(sign-in|invitation)/.test(path));
  return shownAt(begin, [world.cookies[role] ?? ""]);
}

/** The pages at these screens, and everything that links of theirs lead to; none that is closed to the member. */
async function shownAt(begin: Screen[], cookies: string[]): Promise<Map<string, OfficePage>> {
  const pages = new Map<string, OfficePage>();
  for (const address of begin.flatMap(addressesOf)) {
    const page = await pageAt(address, cookies);
    if (page.status !== 403) pages.set(address, page);
  }
  for (const address of [...pages.keys()])
    for (const link of pages.get(address)?.links ?? []) {
      const to = resolved(link, address);
      if (to && !pages.has(to)) pages.set(to, await pageAt(to, cookies));
    }
  return pages;
}

/** Undefined for links out of the office: to another site, a mail address or a phone number. */
function resolved(link: string, from: string): string | undefined {
  const { protocol, host, pathname, search } = new URL(link, `http://office${from}`);
  return protocol === "http:" && host === "office" ? pathname + search : undefined;
}

function screenAt(address: string): Screen | undefined {
  const routes = screens.map(({ id, path }) => ({ id, path }));
  const [match] = matchRoutes(routes, new URL(address, "http://office").pathname) ?? [];
  return screens.find(({ id }) => id === match?.route.id);
}

/** The permissions that a form's buttons need. */
function needsOf(address: string, intents: string[]): (Permission | undefined)[] {
  const other = OTHER_POSTS[new URL(address, "http://office").pathname];
  if (other) return [other];
  return intents.map((intent) => screenAt(address)?.action?.changes?.[intent]?.needs);
}

describe.each(ROLES)("%s", (role) => {
  let shown: Map<string, OfficePage>;
  beforeAll(async () => {
    shown = await shownTo(role);
  });

  test("is shown no link to what the role may not open", async () => {
    expect(shown.size).toBeGreaterThan(may(builtIn(role), "details") ? 30 : 15);
    const wrong = [...shown].filter(([, { status }]) => status !== 200 && status !== 302);
    expect(wrong.map(([address, { status }]) => `${address}: ${status}`)).toEqual([]);
  });

  test("is shown no form that the role may not send", () => {
    const wrong = [...shown].flatMap(([address, { forms }]) =>
      forms.flatMap(({ method, action, intents, hasButton }) => {
        const to = method === "post" && hasButton ? resolved(action, address) : undefined;
        if (!to) return [];
        const needs = needsOf(to, intents);
        const isAllowed = needs.length > 0 && needs.every((need) => need && may(builtIn(role), need));
        return isAllowed ? [] : [`${address}: ${to} ${intents}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe("staff who see no details of orders", () => {
  const SUM = /₦[\d,.]*|\$\d[\d,.]*|\b(kobo|cents)\b|Kobo|Cents/g;
  const PHONE = "0803"; // how the phones of all orders here begin
  /** Where a price or a rate is part of the work. */
  const PRICED = /^\/(products|delivery|shop)/;
  /** Each role's permissions, and the addresses that may show prices. */
  const NARROW: [name: string, permissions: Permission[], priced: RegExp][] = [
    ["packer", [], /^$/],
    ["Photographer", ["catalogue", "shop", "newsletter"], PRICED],
    ["Everything else", ["packing", "delivery", "catalogue", "shop"], PRICED],
  ];

  /** The email with invented sums that is previewed at this address; empty for other addresses. */
  async function emailAt(address: string): Promise<string> {
    const email = emailNamed(address.replace("/words/", ""));
    return email ? JSON.stringify(await previewEmail(db(), email, blocksOf(email.original))) : "";
  }

  test.each(NARROW)("%s is shown no sum and no customer’s address, wherever they look", async (name, given, priced) => {
    if (given.length > 0) await saveRole(db(), OWNER, { name, permissions: given });
    const { cookies } = await staffWithPasskey(db(), name);
    const people = await db()
      .selectFrom("users")
      .select("email")
      .union(db().selectFrom("orders").select("email"))
      .execute();
    expect(people.length).toBeGreaterThan(3);
    const pages = await shownAt(screens, cookies);
    for (const [address, { raw }] of pages) {
      const told = people.filter(({ email }) => raw.includes(email));
      expect(told, address).toEqual([]);
      if (priced.test(address)) continue;
      const invented = await emailAt(address);
      expect(raw.match(SUM)?.filter((sum) => !invented.includes(sum)) ?? [], address).toEqual([]);
    }
    const withPhone = [...pages.keys()].filter((address) => pages.get(address)?.raw.includes(PHONE));
    expect(withPhone.filter((address) => !/^\/orders\/IR-/.test(address))).toEqual([]);
  });

  test("read a phone on the label, which the carrier needs, and not on the slip", async () => {
    const printed = async (what: string) =>
      (await pageAt(`/orders/${what}?numbers=${world.names.soldNumber}`, [world.cookies.packer ?? ""])).raw;
    expect(await printed("labels")).toContain(PHONE);
    expect(await printed("slips")).not.toContain(PHONE);
  });

  test("find orders by number and name, not by email, phone or payment", async () => {
    const found = async (words: string, role: BuiltInRole) =>
      (await pageAt(`/orders?${new URLSearchParams({ view: "all", q: words })}`, [world.cookies[role] ?? ""])).text;
    const { email, shipping } = await db()
      .selectFrom("orders")
      .select(["email", "shipping"])
      .where("number", "=", world.names.number)
      .executeTakeFirstOrThrow();
    for (const words of [world.names.number, shipping.lastName])
      expect(await found(words, "packer"), words).toContain(world.names.number);
    for (const words of [email, shipping.phoneNumber, world.names.reference]) {
      expect(await found(words, "packer"), words).not.toContain(world.names.number);
      expect(await found(words, "orders"), words).toContain(world.names.number);
    }
  });
});

test("of two members who change one offer the later one sees the other's change, and may save again", async () => {
  const { cookies } = await staffWithPasskey(db(), "owner");
  const offer = { intent: "save", gift: "percent", percent: "10", agreed: "on" };
  const location = (await pageAt("/offers/new", cookies, { ...offer, name: "Friday" })).location ?? "";
  const save = (form: Record<string, string>) => pageAt(`${location}/edit`, cookies, { ...offer, ...form });
  expect((await save({ name: "Theirs", percent: "20", version: "1" })).location).toBe(location);
  const refused = await save({ name: "Mine", version: "1" });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining("Somebody else has changed this offer."),
  ]);
  expect(refused.text).toContain("Theirs: “Theirs”, 20% off everything");
  const shown = (name: string) => refused.fields.find((field) => field.name === name)?.value ?? "";
  expect([shown("name"), shown("version")]).toEqual(["Mine", "2"]);
  expect((await save({ name: "Mine", version: shown("version") })).location).toBe(location);
});

test("a bookkeeper reads offers, what they gave away, and sale prices, but no code", async () => {
  const [owner, bookkeeper] = [world.cookies.owner ?? "", world.cookies.bookkeeper ?? ""];
  const offer = { intent: "save", name: "Market week", gift: "percent", percent: "10", agreed: "on" };
  const made = await pageAt("/offers/new", [owner], { ...offer, starts: "code", code: "MARKETDAY" });
  const location = made.location ?? "";
  const sale = { intent: "save", list: world.names.product, percent: "20", agreed: "on" };
  expect((await pageAt("/products/prices", [owner], sale)).status).toBe(200);
  const seen = async (address: string, cookie = bookkeeper) => (await pageAt(address, [cookie])).raw;
  for (const address of ["/offers", location]) {
    expect(await seen(address, owner), address).toContain("MARKETDAY");
    for (const text of ["Market week", "1 code", "Given away", "Sold with it"])
      expect(await seen(address), address).toContain(text);
  }
  for (const address of ["/offers", location, "/offers/export.csv"])
    expect(await seen(address), address).not.toContain("MARKETDAY");
  expect((await pageAt(`${location}/codes.csv`, [bookkeeper])).status).toBe(403);
  expect(await seen("/offers/export.csv")).toMatch(/Market week,.*10% off everything.*,1,0,,0,0/);
  const prices = await pageAt("/products/prices", [bookkeeper]);
  expect(prices.text).toContain("20% off");
  expect(prices.forms.flatMap(({ intents }) => intents).filter((intent) => ["save", "end"].includes(intent))).toEqual(
    [],
  );
});
