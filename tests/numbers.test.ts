vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readNotation } from "#app/content/notation.ts";
import { followShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { NUMBER_NAMES, type Numbers, SHIPPED_NUMBERS, type StoredNumbers } from "#app/numbers/numbers.ts";
import { renderers } from "#app/orders/emails.tsx";
import { askReturn, readReturnOffer } from "#app/orders/returns/ask.server.ts";
import { showReturn } from "#app/owner/returns/list.server.ts";
import { approveReturn, receiveReturn } from "#app/owner/returns/returns.server.ts";
import { searchReturns } from "#app/owner/returns/search.server.ts";
import { viewReturn } from "#app/owner/returns/view.server.ts";
import { changeShop, shopValues } from "#app/owner/shop/settings.server.ts";
import { ORIGINAL, publishText, putBackText } from "#app/owner/texts/versions.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { command, OWNER } from "#tests/support/command.ts";
import { asked, OFFICE as by, type Delivered, delivered } from "#tests/support/returns.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";

const checkout = useCheckout();
const { db, url } = checkout;
const { shop } = useApps(url);

const NONE = Object.fromEntries(NUMBER_NAMES.map((name) => [name, null])) as StoredNumbers;
let product: string;

const set = async (numbers: Partial<StoredNumbers>) =>
  changeShop(db(), OWNER, { ...NONE, ...numbers }, await shopValues(db()), "numbers set");

async function page(path: string, as = ""): Promise<string> {
  const headers = { host: "localhost", ...(as && { cookie: as }) };
  const answer = await fetch(`http://127.0.0.1:${shop().port}${path}`, { headers });
  expect(answer.status, path).toBe(200);
  return (await answer.text()).replaceAll("<!-- -->", "");
}
const productPage = () => page(`/singleProduct/${product}`);
const orderPage = async ({ user, reference }: Delivered) => page(`/order/${reference}`, await cookieOf(user));

beforeAll(async () => {
  await followShopSettings(db);
  product = await makeProduct(db(), { M: 20 });
});
beforeEach(async () => {
  await set({});
  await db().deleteFrom("pageTexts").execute();
  await expect.poll(() => page("/returnpolicy")).toContain("within 14 days of delivery");
});

test("numbers that are put back leave every page as it was, to the byte", async () => {
  const paths = ["/returnpolicy", "/shipping-policy", `/singleProduct/${product}`, "/llms.txt"];
  const before = await Promise.all(paths.map((path) => page(path)));
  await set({ returnDays: 30, damageHours: 72, refundDays: 10, packFrom: 4, packTo: 6, nigeriaTo: 9, abroadTo: 21 });
  await expect.poll(productPage).toContain("within 30 days");
  await set({});
  for (const [at, path] of paths.entries()) await expect.poll(() => page(path)).toBe(before[at]);
});

describe("the days for a return", () => {
  test("are those of the policy, the product, its structured data, the page for assistants and the order", async () => {
    const order = await delivered(checkout);
    await set({ returnDays: 30 });
    await expect.poll(() => page("/returnpolicy")).toContain("You can return items within 30 days of delivery.");
    expect(await page("/returnpolicy")).not.toContain("14 days");
    expect(await page("/returnpolicy")).toMatch(/<meta name="description" content="Return or exchange within 30 days/);
    await expect.poll(productPage).toContain("Return or exchange within 30 days of delivery.");
    expect(await productPage()).toContain('"merchantReturnDays":30');
    await expect.poll(() => page("/llms.txt")).toContain("returned within 30 days");
    expect(await orderPage(order)).toContain("Return or exchange within 30 days of delivery.");
  });

  test("hold for older orders where they are longer", async () => {
    const order = await delivered(checkout, { ago: "20 days" });
    const offer = () => readReturnOffer(db(), order.user.id, order.reference);
    expect(await offer()).toEqual({ ok: false, why: "too-late" });
    const form = async () => page(`/order/${order.reference}/return`, await cookieOf(order.user));
    expect(await form()).toContain("The 14 days for returns have passed.");
    await set({ returnDays: 19 });
    expect(await form()).toContain("The 19 days for returns have passed.");
    await set({ returnDays: 30 });
    expect(await offer()).toMatchObject({ ok: true });
  });

  test("stay those of the order's day where they are shorter now", async () => {
    await set({ returnDays: 30 });
    const order = await delivered(checkout, { ago: "20 days" });
    await set({ returnDays: 7 });
    expect(await readReturnOffer(db(), order.user.id, order.reference)).toMatchObject({ ok: true });
    expect(await orderPage(order)).toContain("within 30 days of delivery");
    const view = await viewReturn(db(), await asked(db(), order));
    expect(view?.policy).toMatchObject({ daysAllowed: 30, isInTime: true });
  });
});

describe("the hours to report damage", () => {
  const report = ({ productId, user, reference }: Delivered) => {
    const pieces = [{ productId, size: "M", quantity: 1, newSize: null }];
    return askReturn(db(), user.id, reference, { pieces, reason: "damaged", words: "Torn" });
  };

  test("are those of both policies, the product and the order, and not the carrier's", async () => {
    const order = await delivered(checkout);
    await set({ damageHours: 72 });
    await expect.poll(() => page("/shipping-policy")).toContain("Please tell us within 72 hours of delivery");
    expect(await page("/shipping-policy")).toContain("tracking may take up to 48 hours to update");
    await expect.poll(() => page("/returnpolicy")).toContain("incorrect items within 72 hours of delivery");
    expect(await page("/returnpolicy")).not.toContain("48 hours");
    await expect.poll(productPage).toContain("Tell us about damage within 72 hours.");
    expect(await orderPage(order)).toContain("Tell us within 72 hours.");
  });

  test("hold for older orders where they are longer, and stay the order's where they are shorter", async () => {
    const older = await delivered(checkout, { ago: "60 hours" });
    expect(await report(older)).toMatchObject({ ok: false, fault: "too-late-for-damage" });
    await set({ damageHours: 72 });
    const newer = await delivered(checkout, { ago: "60 hours" });
    expect(await report(older)).toMatchObject({ ok: true });
    await set({ damageHours: 24 });
    expect(await report(newer)).toMatchObject({ ok: true });
    const today = await delivered(checkout, { ago: "30 hours" });
    expect(await report(today)).toMatchObject({ ok: false, fault: "too-late-for-damage" });
    const form = await page(`/order/${today.reference}/return`, await cookieOf(today.user));
    expect(form).toContain("Damage must be reported within 24 hours of delivery");
  });
});

describe("the business days of a refund", () => {
  /** The number of a return of the order, whose pieces have just come. */
  async function received(order: Delivered): Promise<string> {
    const number = await asked(db(), order);
    await approveReturn(db(), number, { by });
    await receiveReturn(db(), number, { by });
    return number;
  }
  const overdue = async () => {
    const { rows } = await searchReturns(db(), { view: "overdue" });
    return rows.map(({ number }) => number);
  };
  const mailOf = async (number: string) => {
    const mails = await db().selectFrom("outbox").select("data").where("kind", "=", "return").execute();
    const mail = mails.find(({ data }) => data.returnNumber === number && data.step === "received");
    return (await renderers.return?.(mail?.data))?.text.replaceAll(/\s+/g, " ");
  };

  test("are those of the policy, of the order's pages and of its emails", async () => {
    await set({ refundDays: 10 });
    const user = await makeShopper(db(), { productId: product, size: "M" });
    const { reference } = await checkout.open(user);
    checkout.provider.pay(reference);
    await settlePayment(reference);
    expect(await page(`/order/${reference}/cancel`, await cookieOf(user))).toContain("within 10 business days");
    const order = await delivered(checkout);
    await expect.poll(() => page("/returnpolicy")).toContain("made within 10 business days after approval");
    const number = await received(order);
    expect(await orderPage(order)).toContain("Your money follows within 10 business days.");
    expect(await mailOf(number)).toContain("within 10 business days");
  });

  test("stand in an email that was queued before there were others, too", async () => {
    const number = await received(await delivered(checkout));
    const mails = await db().selectFrom("outbox").select("data").where("kind", "=", "return").execute();
    const mail = mails.find(({ data }) => data.returnNumber === number && data.step === "received");
    const rendered = await renderers.return?.({ ...mail?.data, numbers: { refundDays: 5 } });
    expect(rendered?.text.replaceAll(/\s+/g, " ")).toContain("within 5 business days");
  });

  test("stay those of the order's day, so that a promised refund never comes later", async () => {
    const order = await delivered(checkout);
    await set({ refundDays: 20 });
    const [older, newer] = [await received(order), await received(await delivered(checkout))];
    await set({ refundDays: 1 });
    expect(await mailOf(older)).toContain("within 7 business days");
    const [one, other] = await Promise.all([showReturn(db(), older), showReturn(db(), newer)]);
    expect(String(other?.dueBy) > String(one?.dueBy)).toBe(true);
    await db()
      .updateTable("returns")
      .set({ receivedAt: new Date(Date.now() - 20 * 86_400_000) })
      .where("number", "in", [older, newer])
      .execute();
    expect(await overdue()).toContain(older);
    expect(await overdue()).not.toContain(newer);
  });
});

describe("the business days to pack and to deliver", () => {
  /** The steps of an order's page, with the days by which they were promised. */
  const days = async (user: Shopper, reference: string) => {
    const html = await page(`/order/${reference}`, await cookieOf(user));
    return /We pack it[\s\S]*?Delivered[\s\S]*?<\/li>/.exec(html)?.[0];
  };
  async function bought() {
    const user = await makeShopper(db(), { productId: product, size: "M" });
    const { reference } = await checkout.open(user);
    checkout.provider.pay(reference);
    await settlePayment(reference);
    return { user, reference };
  }
  const leavesOf = async (reference: string) => {
    const mails = await db().selectFrom("outbox").select("data").where("kind", "=", "order-confirmation").execute();
    return mails.find(({ data }) => data.reference === reference)?.data.leavesBy;
  };

  test("are those of the policy, the product and its structured data", async () => {
    await set({ packFrom: 4, packTo: 6, nigeriaTo: 9, abroadFrom: 8, abroadTo: 21 });
    const shipping = () => page("/shipping-policy");
    await expect.poll(shipping).toContain("Orders are processed in 4-6 business days.");
    for (const part of [
      "after 4-6 business days of processing",
      "Within Nigeria: 3-9 business days",
      "International: 8-21",
    ])
      expect(await shipping()).toContain(part);
    await expect.poll(productPage).toMatch(/Packed in <span[^>]*>4-6<\/span>/);
    const inNaira = await page(`/singleProduct/${product}?currency=NGN`);
    expect(inNaira).toContain('"handlingTime":{"@type":"QuantitativeValue","minValue":4,"maxValue":6');
    expect(inNaira).toContain('"transitTime":{"@type":"QuantitativeValue","minValue":3,"maxValue":9');
    await expect.poll(() => page("/llms.txt")).toContain("leave the shop within 4 to 6 business days");
    expect(await page("/llms.txt")).toContain("3 to 9 business days in Nigeria and 8 to 21 business days abroad");
  });

  test("stay those of the order's day, on its page and in its email", async () => {
    const older = await bought();
    const promised = await days(older.user, older.reference);
    await set({ packFrom: 10, packTo: 20, nigeriaFrom: 1, nigeriaTo: 30 });
    const newer = await bought();
    expect(await days(older.user, older.reference)).toBe(promised);
    expect(await days(newer.user, newer.reference)).not.toBe(promised);
    expect(await leavesOf(newer.reference)).not.toBe(await leavesOf(older.reference));
    await set({});
    expect(await days(newer.user, newer.reference)).not.toBe(promised);
  });

  test("at least are less than those at most", async () => {
    const problems = { packTo: "More than 5, the days at least", nigeriaTo: "More than 7, the days at least" };
    expect(await set({ packFrom: 5, nigeriaFrom: 7 })).toEqual({ ok: false, problems });
    expect(await shopValues(db())).toMatchObject(NONE);
  });
});

test("a policy of the owner's own words follows, and can name no other numbers", async () => {
  const publish = (text: string) => publishText(db(), OWNER, "returns", { blocks: readNotation(text) });
  await publish("Back within 14 days, money within 7 business days.");
  await set({ returnDays: 30, refundDays: 5 });
  const shown = () => page("/returnpolicy");
  await expect.poll(shown).toContain("Back within 30 days, money within 5 business days.");
  expect(await publish("Back within 14 days.")).toMatchObject({
    ok: false,
    problems: [expect.stringContaining("30 days")],
  });
  expect(await publish("Send it back within 30 days.")).toMatchObject({ ok: true });
  await expect.poll(shown).toContain("Send it back within 30 days.");
  await set({});
  await expect.poll(shown).toContain("Send it back within 14 days.");
});

test("the shop's own text, put back under the owner's numbers, is the shop's again and follows", async () => {
  const shown = () => page("/returnpolicy");
  await set({ returnDays: 30, refundDays: 1 });
  await publishText(db(), OWNER, "returns", { blocks: readNotation("Back within 30 days.") });
  await putBackText(db(), OWNER, "returns", { version: ORIGINAL, seen: 1 });
  await expect.poll(shown).toContain("The refund is made within 1 business day after approval, to the account");
  const kept = db().selectFrom("pageTexts").select("blocks").orderBy("version", "desc");
  expect(await kept.executeTakeFirst()).toEqual({ blocks: null });
  await set({});
  await expect.poll(shown).toContain("The refund is made within 7 business days after approval, to the account");
});

describe("the command", () => {
  const say = (...line: string[]) => command(db(), ["numbers", ...line]);

  test("sets the given numbers alone, and an empty text brings one back", async () => {
    expect((await say("show")).data).toEqual(SHIPPED_NUMBERS);
    const own: Numbers = { ...SHIPPED_NUMBERS, returnDays: 30, refundDays: 5 };
    expect(await say("set", "--return-days", "30", "--refund-days", "5")).toMatchObject({ code: 0, data: own });
    expect((await say("show")).text).toBe(
      "return: 30 days after delivery\ndamage: 48 hours after delivery\nrefund: 5 business days\npacking: 2-3 business days\nwithin Nigeria: 3-7 business days\nabroad: 7-14 business days",
    );
    expect((await say("set", "--refund-days", "")).data).toEqual({ ...own, refundDays: 7 });
    await say("set", "--return-days", "14");
    expect(await shopValues(db())).toMatchObject(NONE); // what the shop comes with is nothing of the owner's
  });

  test.each([
    ["--return-days", "6", "from 7 to 365"],
    ["--return-days", "30.5", "from 7 to 365"],
    ["--damage-hours", "721", "from 24 to 720"],
    ["--refund-days", "0", "from 1 to 30"],
    ["--pack-to", "two", "from 1 to 30"],
  ])("refuses %s %s", async (option, value, rule) => {
    const done = await say("set", option, value);
    expect([done.code, done.text]).toEqual([2, expect.stringContaining(`${option}: A whole number ${rule}`)]);
    expect(await shopValues(db())).toMatchObject(NONE);
  });
});
