vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { FEED_FILES } from "#app/catalog/feeds/formats.ts";
import { env } from "#app/infra/env.server.ts";
import { envelopeOf } from "#app/infra/mail.server.ts";
import { brandNow, followShopSettings, shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import routes from "#app/routes.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { numberAll, setReceipts } from "#tests/support/receipts.ts";
import { OFFICE as BY } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";
import { totpToShow } from "../office/http/totp.server.ts";

const { db, provider, open, url } = useCheckout();
const { shop, office } = useApps(url);
const pageAt = useOfficePages();

const OWN = { shopName: "Ada & Sons", wordmark: "ADA", tagline: "shirts from Aba", footerLine: "Ada Limited, Aba" };
const NOTHING = { shopName: null, wordmark: null, tagline: null, footerLine: null };
const FIRST = /\b(?:Irepo|IREPO)\b/;
/** What is in the catalogue and in the demo's mails, which are the owner's own. */
const UNNAMED = ["/demo/mail"];

let product: string;
let cookie: string;
let reference: string;
let members: Record<"catalogue" | "orders", string[]>;

beforeAll(async () => {
  await followShopSettings(db);
  await setReceipts(db(), { seller: "Ada Limited", showsVat: false });
  product = await makeProduct(db(), { M: 9 });
  await db().insertInto("collections").values({ id: "owambe", name: "Owambe", hidden: false, position: 1 }).execute();
  await db()
    .insertInto("collectionProducts")
    .values({ collectionId: "owambe", productId: product, position: 1 })
    .execute();
  const user = await makeShopper(db(), { productId: product, size: "M" });
  ({ reference } = await open(user));
  provider.pay(reference);
  await settlePayment(reference);
  await numberAll(db());
  cookie = await cookieOf(user);
  const [catalogue, orders] = [await staffWithPasskey(db(), "catalogue"), await staffWithPasskey(db(), "orders")];
  members = { catalogue: catalogue.cookies, orders: orders.cookies };
});
beforeAll(() => shows("Irepo"));
afterEach(async () => {
  await set(NOTHING);
  await shows("Irepo");
});

type Wish = Parameters<typeof changeShop>[2];
const set = async (wish: Wish) => changeShop(db(), OWNER, wish, await shopValues(db()), "brand set");

/** Waits until the kept home page, and so each kept page, names the shop so. */
async function shows(name: string): Promise<void> {
  const isShown = async () => (await ask("/")).text.includes(`<title>${name}: `);
  await vi.waitUntil(isShown, { timeout: 30_000, interval: 20 });
}
async function rename(): Promise<void> {
  await set(OWN);
  await shows("Ada &amp; Sons");
}

/** Asks by Node's own client: `fetch` sends no Host header but its own. */
async function ask(path: string, { app = shop, as = "" } = {}) {
  const headers = { host: new URL(app().origin).host, ...(as && { cookie: as }) };
  const sent = request({ host: "127.0.0.1", port: app().port, path, headers }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}

/** Every address of the shop, with the product, the collection and the order in the place of their parameters. */
function addresses(): string[] {
  const [layout, ...others] = routes;
  return [...(layout?.children ?? []), ...others]
    .map(({ path = "" }) => `/${path}`)
    .map((path) =>
      path.replace("collections/:id", "collections/owambe").replace("order/:reference", `order/${reference}`),
    )
    .map((path) =>
      path
        .replace(/:id$/, product)
        .replace(":part", "1.xml")
        .replace(/^\/\*$/, "/no-such-page"),
    )
    .filter((path) => !path.includes(":") && !/^\/(?:logout|auth\/)/.test(path) && !UNNAMED.includes(path))
    .concat("/singleProduct/none", "/collections/none");
}

test("a renamed shop names itself so on every page, for guests and for whoever has logged in", async () => {
  await rename();
  const asked = addresses();
  expect(asked).toEqual(
    expect.arrayContaining([
      "/",
      "/shop",
      `/singleProduct/${product}`,
      "/collections/owambe",
      `/order/${reference}/receipt`,
    ]),
  );
  for (const path of asked)
    for (const as of ["", cookie]) {
      const { status, text } = await ask(path, { as });
      expect(status, path).toBeLessThan(500);
      expect(text, path).not.toMatch(FIRST);
      if (text.includes("<title>")) expect(text, path).toMatch(/<title>[^<]*Ada &amp; Sons/);
    }
});

test("it has the owner's wordmark, tagline and footer line", async () => {
  await rename();
  const { text } = await ask("/");
  expect(text).toContain("<title>Ada &amp; Sons: shirts from Aba</title>");
  expect(text).toContain('<meta property="og:site_name" content="Ada &amp; Sons"/>');
  expect(text).toContain('aria-label="ADA, to the home page"');
  expect(text).toContain("Ada Limited, Aba");
  expect((await ask(`/singleProduct/${product}`)).text).toContain('"brand":{"@type":"Brand","name":"Ada & Sons"}');
  expect((await ask(`/order/${reference}`, { as: cookie })).text).toContain("ADA");
});

test("so do what programs read, and the copies for times without a network", async () => {
  await rename();
  await expect
    .poll(async () => (await ask("/offline.html")).text)
    .toContain("<title>You’re offline | Ada &amp; Sons</title>");
  expect(JSON.parse((await ask("/manifest.webmanifest")).text)).toMatchObject({
    name: "Ada & Sons",
    short_name: "Ada & Sons",
    description: "Shirts from Aba.",
  });
  expect((await ask("/offline.js")).text).toContain('"Your cart | Ada & Sons"');
  expect((await ask("/llms.txt")).text).toMatch(/^# Ada & Sons\n\n> Shirts from Aba, in sizes/);
  for (const file of FEED_FILES) {
    const { status, text } = await ask(`/feeds/${file}`);
    expect([status, FIRST.test(text)], file).toEqual([200, false]);
    expect(text, file).toMatch(/Ada &(?:amp;)? Sons/);
  }
});

test("in the office it stands in titles, in what authenticator apps list, and in chats with customers", async () => {
  await set(OWN);
  const { number } = await db().selectFrom("orders").select("number").executeTakeFirstOrThrow();
  for (const [path, who] of [
    ["/shop", "catalogue"],
    ["/", "orders"],
    [`/orders/${number}`, "orders"],
  ] as const) {
    const { raw } = await pageAt(path, members[who]);
    expect(raw, path).toMatch(/<title>[^<]* · Ada &amp; Sons office<\/title>/);
    expect(FIRST.test(raw), path).toBe(false);
  }
  expect((await pageAt(`/orders/${number}`, members.orders)).raw).toMatch(/this is Ada (?:&|&amp;|\\u0026) Sons/);
  expect(JSON.parse((await ask("/office.webmanifest", { app: office })).text)).toMatchObject({
    name: "Ada & Sons office",
  });
  expect((await ask("/office-worker.js", { app: office })).text).toContain('title: "Ada & Sons office"');
  const code = async () => (await totpToShow("ada@example.com", "A".repeat(32))).qr;
  const named = await code();
  await set({ shopName: "Bola & Sons" });
  expect(await code()).not.toEqual(named);
});

test("emails come from the owner's name for the shop, where the sender has none of its own", async () => {
  const letter = {
    to: "a@example.com",
    replyTo: "",
    subject: "",
    html: "",
    text: "",
    messageId: "<1@x>",
    date: new Date(),
  };
  const given = env.MAIL_FROM;
  const sendersOf = async (wish: Wish) => {
    await set({ ...NOTHING, ...wish });
    await shopSettings(db());
    return [undefined, "orders@shop.example", "Ada <orders@shop.example>"].map((sender) => {
      env.MAIL_FROM = sender;
      return envelopeOf(letter).from;
    });
  };
  try {
    const usual = [
      { name: "Irepo", address: "hello@irepo.example" },
      "orders@shop.example",
      "Ada <orders@shop.example>",
    ];
    expect(await sendersOf({})).toEqual(usual);
    expect(await sendersOf({ tagline: "shirts from Aba" })).toEqual(usual);
    expect(await sendersOf(OWN)).toEqual([
      { name: "Ada & Sons", address: "hello@irepo.example" },
      { name: "Ada & Sons", address: "orders@shop.example" },
      "Ada <orders@shop.example>",
    ]);
  } finally {
    env.MAIL_FROM = given;
  }
});

test("a name alone brings a wordmark in capitals, and a footer that names it", async () => {
  await set({ shopName: "Ada" });
  expect(await brandNow(db)).toEqual({
    ...SHIPPED_BRAND,
    name: "Ada",
    wordmark: "ADA",
    footer: "© 2026 ADA. Cards are charged in naira (NGN).",
  });
});

test("where the owner has set nothing, pages and files are what they were, to the letter", async () => {
  const before = await ask("/about");
  await set(OWN);
  await expect.poll(async () => (await ask("/about")).text).not.toBe(before.text);
  await set(NOTHING);
  await expect.poll(async () => (await ask("/about")).text).toBe(before.text);
  expect(before.text).toContain("<title>About | Irepo</title>");
  expect(before.text).toContain("© 2026 IREPO. Cards are charged in naira (NGN).");
  expect(before.text).not.toMatch(/\\?"brand\\?"/);
  for (const name of ["/manifest.webmanifest", "/offline.html", "/offline.js"])
    await expect.poll(async () => (await ask(name)).text).toBe(readFileSync(`public${name}`, "utf8"));
});

describe("in the office", () => {
  const form = { intent: "save", was: "{}", shown: "{}" };
  const asNow = async () => ({ ...form, was: JSON.stringify(await shopValues(db())) });

  test("one who may change the shop renames it, and the log says who did", async () => {
    expect((await pageAt("/shop", members.catalogue)).links).toContain("/shop/name");
    const { status, text } = await pageAt("/shop/name", members.catalogue, { ...(await asNow()), ...OWN });
    expect([status, text.includes("Saved. The shop shows it now.")]).toEqual([200, true]);
    expect(await shopValues(db())).toMatchObject(OWN);
    const [row] = await db().selectFrom("auditLog").selectAll().orderBy("id", "desc").limit(1).execute();
    expect(row).toMatchObject({ action: "brand set", door: "office", subjectKind: "shop", after: OWN });
  });

  test("one who may not is refused", async () => {
    const { status } = await pageAt("/shop/name", members.orders, { ...(await asNow()), ...OWN });
    expect([status, (await shopValues(db())).shopName]).toEqual([403, null]);
  });

  test.each([
    ["shopName", "A", "At least 2 letters"],
    ["shopName", "A".repeat(31), "At most 30 letters"],
    ["shopName", "Ada <b>", "Begin with a letter"],
    ["shopName", "-Ada", "Begin with a letter"],
    ["shopName", "Ада", "Begin with a letter"],
    ["wordmark", "A".repeat(21), "At most 20 letters"],
    ["tagline", "рубашки", "Only letters"],
    ["footerLine", "A".repeat(121), "At most 120 letters"],
  ])("a %s such as %j is refused beside its field", async (name, typed, problem) => {
    const { status, text } = await pageAt("/shop/name", members.catalogue, { ...(await asNow()), [name]: typed });
    expect([status, text]).toEqual([422, expect.stringContaining(problem)]);
    expect(await shopValues(db())).toMatchObject({ [name]: null });
  });

  test.each(["Ìrẹ́pọ̀", "Ɗan Ɓaure", "Chị’s 21 & Co."])("a shop may be called %s", async (name) => {
    await pageAt("/shop/name", members.catalogue, { ...(await asNow()), shopName: name });
    expect((await shopValues(db())).shopName).toBe(name.normalize("NFC"));
  });

  test("of two who rename it at once the second is told, and changes nothing", async () => {
    const mine = { ...(await asNow()), shopName: "Mine" };
    await changeShop(db(), BY, { shopName: "Theirs" }, await shopValues(db()), "brand set");
    const { status, text } = await pageAt("/shop/name", members.catalogue, mine);
    expect([status, text]).toEqual([422, expect.stringContaining("Somebody else has changed this meanwhile: Name")]);
    expect((await shopValues(db())).shopName).toBe("Theirs");
  });
});

describe("by command", () => {
  const say = (...line: string[]) => command(db(), line);

  test("the given ones change, the others stay, and an empty one is the first again", async () => {
    expect(await say("brand", "set", "--name", "Ada", "--tagline", "shirts from Aba")).toMatchObject({ code: 0 });
    expect(await say("brand", "set", "--tagline", "")).toMatchObject({ code: 0 });
    const { tagline } = SHIPPED_BRAND;
    expect((await say("brand", "show")).data).toMatchObject({ name: "Ada", wordmark: "ADA", tagline });
  });

  test("a bad name is refused with its option, and nothing changes", async () => {
    expect(await say("brand", "set", "--name", "A", "--wordmark", "ADA")).toMatchObject({
      code: 2,
      text: "Nothing was changed.\n--name: At least 2 letters",
    });
    for (const [option, text] of [
      ["--name", "Ada\u202eSons"],
      ["--tagline", "shirts\u2066 from Aba"],
      ["--footer", "A\u0007"],
    ])
      expect(await say("brand", "set", String(option), String(text)), option).toMatchObject({ code: 2 });
    expect(await say("brand", "set")).toMatchObject({ code: 2 });
    expect((await shopValues(db())).wordmark).toBeNull();
  });
});
