vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { sql } from "kysely";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { makeDefault, saveAddress, savedAddresses } from "#app/shipping/address-book/book.server.ts";
import { addressOf, MOST_ADDRESSES } from "#app/shipping/address-book/book.ts";
import { PICK_UP } from "#app/shipping/shipping.ts";
import { useApps } from "#tests/fuzz/apps.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { cookieOf } from "#tests/support/session.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { shopPages } from "#tests/support/shop-pages.ts";

const { db, url } = useCheckout({ max: 30 });
const { shop } = useApps(url, { keepsPages: false });

let user: Shopper;
let cookie: string;

/** A shopper, signed in, with a jersey in the cart. */
beforeEach(async () => {
  user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 20 }), size: "M" });
  cookie = await cookieOf(user);
});

const ask = shopPages(shop, () => cookie);
const send = (path: string, form?: Record<string, string>) => ask(path, { form });

const CHECKOUT = "/checkout?another";
const SAVES = { saveAddress: "yes" };
const MARINA = { ...lagosForm, address: "5 Marina Road", landmark: "the old mosque" };
const PICKED_UP = { ...lagosForm, deliveryType: PICK_UP, pickupCenter: "Surulere" };

/** Presses Pay, and returns the form that agrees to the sums of the answer. */
async function seen(form: Record<string, string>) {
  const { text } = await send("/checkout", form);
  const sums = ["shownCents", "agreedKobo"].map((name) => [
    name,
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "",
  ]);
  return { text, agreed: { ...form, ...(Object.fromEntries(sums) as Record<string, string>) } };
}

/** Starts an order. */
async function order(form: Record<string, string>): Promise<void> {
  const { agreed } = await seen(form);
  expect((await send("/checkout", agreed)).status).toBe(303);
}

const saved = () => savedAddresses(db(), user.id);
const streets = async () => (await saved()).map(({ address }) => address.address);
const keep = (form: Record<keyof typeof lagosForm, string>, of = user) => saveAddress(db(), of.id, addressOf(form));
async function idOf(street: string): Promise<string> {
  return (await saved()).find(({ address }) => address.address === street)?.id ?? "";
}
const hasStreet = (text: string, street: string) => text.includes(`name="address" value="${street}"`);
const isTicked = (text: string) => /<input[^>]* name="saveAddress"[^>]* checked=""/.test(text);

describe("saved at the checkout", () => {
  test("once the order is started, the address is the default, and fills in the next checkout rather than the last order", async () => {
    const { text, agreed } = await seen({ ...lagosForm, ...SAVES });
    expect(isTicked(text)).toBe(true);
    expect(await saved()).toEqual([]);
    expect((await send("/checkout", agreed)).status).toBe(303);
    expect(await saved()).toEqual([{ id: expect.any(String), isDefault: true, address: addressOf(lagosForm) }]);
    await order({ ...MARINA, email: "other@example.com" });
    const next = (await send(CHECKOUT)).text;
    expect(hasStreet(next, lagosForm.address)).toBe(true);
    expect(next).toContain('value="other@example.com"');
    expect(isTicked(next)).toBe(false);
  });

  test("only if it is asked for: without, the last order fills in the next one, and there is nothing to choose", async () => {
    await order(MARINA);
    expect(await saved()).toEqual([]);
    const { text } = await send(CHECKOUT);
    expect(hasStreet(text, MARINA.address)).toBe(true);
    expect(text).toContain("Save this address");
    expect(text).not.toContain("savedAddress");
  });

  test("pressed at once, or for the same place again, it is one address", async () => {
    const { agreed } = await seen({ ...lagosForm, ...SAVES });
    const presses = await Promise.all(Array.from({ length: 5 }, () => send("/checkout", agreed)));
    expect(presses.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    await order({ ...lagosForm, phoneNumber: "+234 803 123 4567", ...SAVES });
    expect(await streets()).toEqual([lagosForm.address]);
  });

  test("a place of pick-up is none", async () => {
    await order({ ...PICKED_UP, ...SAVES });
    expect(await saved()).toEqual([]);
  });

  test("an address that cannot be saved does not stop the order", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    await sql`alter table saved_addresses add constraint refused check (false) not valid`.execute(db());
    onTestFinished(async () => {
      logged.mockRestore();
      await sql`alter table saved_addresses drop constraint refused`.execute(db());
    });
    await order({ ...lagosForm, ...SAVES });
    expect(logged).toHaveBeenCalledOnce();
  });
});

describe("chosen at the checkout", () => {
  beforeEach(async () => {
    await keep(lagosForm);
    await keep(MARINA);
  });

  test("without script it fills in the form, and nothing of it is posted", async () => {
    const id = await idOf(MARINA.address);
    const { text } = await send(`${CHECKOUT}&savedAddress=${id}`);
    expect(hasStreet(text, MARINA.address)).toBe(true);
    expect(text).toMatch(new RegExp(`<option value="${id}" selected=""`));
    expect(text).toContain('<select id="savedAddress" name="savedAddress" form="saved-addresses"');
    expect(text).toMatch(/<form id="saved-addresses"[^>]*>(?:(?!<\/form>).)*name="another"/);
  });

  test("a different address empties the form but for the shopper", async () => {
    await order({ ...MARINA, email: "other@example.com" });
    const { text } = await send(`${CHECKOUT}&savedAddress=`);
    expect(hasStreet(text, "")).toBe(true);
    expect(text).toContain('name="landmark" value=""');
    expect(text).toContain('value="other@example.com"');
    expect(text).not.toContain('id="address-error"');
  });

  test("one that is no longer delivered to says so beside the country", async () => {
    await keep({ ...MARINA, country: "Atlantis", address: "1 Deep Street" });
    const { text } = await send(`${CHECKOUT}&savedAddress=${await idOf("1 Deep Street")}`);
    expect(text).toMatch(new RegExp(`id="country-error"[^>]*>${messages.form.required("country")}`));
    expect((await send("/account")).text).toContain("Atlantis");
  });

  test("what was posted stays, though another one is the default", async () => {
    const { text } = await send("/checkout", { ...MARINA, phoneNumber: "123" });
    expect(hasStreet(text, MARINA.address)).toBe(true);
  });
});

const NEW = "/account/addresses/new";
const SAVED = { status: 303, to: "/account?saved=address#settings" };

describe("in the account", () => {
  test("nothing is saved at first, and the page leads to a form", async () => {
    const { text } = await send("/account");
    expect(text).toContain(messages.addressBook.none);
    expect(text).toContain(`href="${NEW}"`);
    const [, form = ""] = /<main(.*)<\/main>/s.exec((await send(NEW)).text) ?? [];
    expect(form).toContain('name="phoneNumber"');
    for (const name of ["email", "deliveryType", "pickupCenter"]) expect(form).not.toContain(`name="${name}"`);
  });

  test("an address is added once by two presses, and is shown as an order shows its place", async () => {
    const presses = await Promise.all([send(NEW, MARINA), send(NEW, MARINA)]);
    expect(presses).toEqual([expect.objectContaining(SAVED), expect.objectContaining(SAVED)]);
    expect(await streets()).toEqual([MARINA.address]);
    const { text } = await send("/account?saved=address");
    for (const part of [messages.settings.saved.address, "Near the old mosque", "Default address"])
      expect(text).toContain(part);
    expect(text).not.toContain("Set as default");
  });

  test("errors stand beside their fields, and nothing that was typed is lost", async () => {
    const { status, text } = await send(NEW, { ...MARINA, phoneNumber: "123", state: "" });
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`id="phoneNumber-error"[^>]*>${messages.checkout.phone}`));
    expect(text).toMatch(new RegExp(`id="state-error"[^>]*>${messages.form.required("state")}`));
    expect(hasStreet(text, MARINA.address)).toBe(true);
    expect(await saved()).toEqual([]);
  });

  test("without script a button shows the fields of another country", async () => {
    const abroad = { ...MARINA, country: "United Kingdom", intent: "update" };
    const { status, text } = await send(NEW, abroad);
    expect(status).toBe(200);
    expect(text).toContain('name="postalCode"');
    expect(await saved()).toEqual([]);
    const typed = { city: "London", postalCode: "E1 6AN", phoneNumber: "+44 7911 123456", intent: "" };
    expect(await send(NEW, { ...abroad, ...typed })).toMatchObject(SAVED);
    expect((await saved())[0]?.address).toMatchObject({ country: "United Kingdom", postalCode: "E1 6AN", state: "" });
  });

  test("one is edited, and an order keeps the address that it was made with", async () => {
    await order({ ...lagosForm, ...SAVES });
    const path = `/account/addresses/${await idOf(lagosForm.address)}`;
    expect(hasStreet((await send(path)).text, lagosForm.address)).toBe(true);
    expect(await send(path, MARINA)).toMatchObject(SAVED);
    expect(await saved()).toMatchObject([{ isDefault: true, address: addressOf(MARINA) }]);
    const { shipping } = await db()
      .selectFrom("orders")
      .select("shipping")
      .where("userId", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(shipping.address).toBe(lagosForm.address);
  });

  test("one that is edited into another one takes its place, also as the default", async () => {
    await keep(MARINA);
    await keep(lagosForm);
    const path = `/account/addresses/${await idOf(lagosForm.address)}`;
    for (const _ of [1, 2]) expect(await send(path, MARINA)).toMatchObject(SAVED);
    expect(await saved()).toEqual([{ id: path.split("/").at(-1), isDefault: true, address: addressOf(MARINA) }]);
  });

  test("the page asks before one is deleted, also without script", async () => {
    await keep(MARINA);
    const [, asked = ""] =
      /<summary[^>]*><span>Delete<\/span>(.*?)<\/details>/s.exec((await send("/account")).text) ?? [];
    expect(asked).toMatch(/value="delete-address".*can’t undo.*Delete address/s);
  });

  test("another one becomes the default; once it is deleted, the next that is saved does", async () => {
    await keep(lagosForm);
    await keep(MARINA);
    const defaults = async () => (await saved()).filter((one) => one.isDefault).map(({ address }) => address.address);
    const id = await idOf(MARINA.address);
    const press = (setting: string) => send("/account", { setting, id });
    const done = (setting: string) => ({ status: 303, to: `/account?saved=${setting}#settings` });
    expect((await send("/account")).text).toContain("Set as default");
    expect(await press("default-address")).toMatchObject(done("default-address"));
    expect(await defaults()).toEqual([MARINA.address]);
    for (const _ of [1, 2]) expect(await press("delete-address")).toMatchObject(done("delete-address"));
    expect([await streets(), await defaults()]).toEqual([[lagosForm.address], []]);
    await keep({ ...lagosForm, address: "9 Allen Avenue" });
    expect(await defaults()).toEqual(["9 Allen Avenue"]);
  });

  test("ten are the most, also of those saved at once; the page and the form say so", async () => {
    const streetsWanted = Array.from({ length: MOST_ADDRESSES + 2 }, (_, at) => `${at + 1} Broad Street`);
    const kept = await Promise.all(streetsWanted.map((address) => keep({ ...lagosForm, address })));
    expect(kept.filter(Boolean)).toHaveLength(MOST_ADDRESSES);
    const said = messages.addressBook.full(MOST_ADDRESSES);
    for (const path of ["/account", NEW]) expect((await send(path)).text).toContain(said);
    const { status, text } = await send(NEW, MARINA);
    expect([status, text.includes(said)]).toEqual([400, true]);
    expect((await send(CHECKOUT)).text).not.toContain("Save this address");
    await order({ ...MARINA, ...SAVES });
    expect(await saved()).toHaveLength(MOST_ADDRESSES);
  });

  test("a visitor who is not signed in is asked to log in", async () => {
    cookie = "";
    expect((await send(NEW)).text).toContain(messages.account.signedOut);
    expect(await send(NEW, MARINA)).toMatchObject({ status: 303, to: "/login?next=/account" });
  });
});

test("S38 somebody else's address is as one that does not exist: it is not shown, chosen, changed, made the default or deleted", async () => {
  const other = await makeShopper(db());
  await keep(lagosForm, other);
  await keep(MARINA, other);
  const [, second] = await savedAddresses(db(), other.id);
  const before = await savedAddresses(db(), other.id);
  for (const id of [second?.id ?? "", crypto.randomUUID(), "none"]) {
    const answers = await Promise.all([
      send(`${CHECKOUT}&savedAddress=${id}`),
      send(`/account/addresses/${id}`),
      send(`/account/addresses/${id}`, { ...lagosForm, address: "1 Eve Street" }),
      send("/account", { setting: "default-address", id }),
      send("/account", { setting: "delete-address", id }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 303]); // a deletion can be repeated
    for (const { text } of answers) expect(text).not.toContain(MARINA.address);
  }
  expect(await savedAddresses(db(), other.id)).toEqual(before);
  expect(await saved()).toEqual([]);
});

test("while several become the default at once, exactly one is", async () => {
  await keep(lagosForm);
  await keep(MARINA);
  const ids = (await saved()).map(({ id }) => id);
  await Promise.all([...ids, ...ids, ...ids].map((id) => makeDefault(db(), user.id, id)));
  expect((await saved()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
});
