import { randomUUID } from "node:crypto";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { verifyEmail } from "#app/account/link/verify.server.ts";
import { currentUser } from "#app/account/session/store.server.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as api from "#app/routes/api.cart.ts";
import { action as changeCart, loader as loadCart } from "#app/routes/cart.tsx";
import { loader as loadCheckout } from "#app/routes/checkout.tsx";
import { loader as loadFrame } from "#app/routes/layout.tsx";
import { action as logIn } from "#app/routes/login.tsx";
import { action as logOut } from "#app/routes/logout.ts";
import { action as register } from "#app/routes/register.tsx";
import { useDatabase } from "#tests/support/database.ts";
import { guestPiece, makeProduct, makeShopper, setStock } from "#tests/support/shop.ts";
import { getCart } from "./cart.server.ts";
import type { GuestItem } from "./guest-item.ts";
import { CartList } from "./list.tsx";
import { hasNoScriptLine, mergeGuestCarts, readNoScriptCart } from "./no-script-cart.server.ts";

const database = useDatabase();
const db = () => database.db();

const PASSWORD = "harmony";
let visitors = 0;

/** A browser without JavaScript that calls the routes' functions directly. Each has its own IP address. */
function newVisitor() {
  const address = `203.0.113.${++visitors}`;
  const cookies = new Map<string, string>();
  const requestFor = (path: string, fields?: Record<string, string>) =>
    new Request(`http://localhost:3000${path}`, {
      method: fields ? "POST" : "GET",
      headers: {
        "x-irepo-client": address,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        "sec-fetch-dest": "document",
      },
      body: fields && new URLSearchParams(fields),
    });
  const keep = (headers: Headers) => {
    for (const cookie of headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  type Action = (args: never) => Promise<unknown>;
  const post = async (action: Action, path: string, fields: Record<string, string>) => {
    const args = { request: requestFor(path, fields), params: {}, context: {} };
    const answer = await action(args as never).catch((thrown: unknown) => thrown);
    if (answer instanceof Response) {
      keep(answer.headers);
      return { status: answer.status, to: answer.headers.get("location"), problem: undefined };
    }
    const { data, init } = answer as { data: { problem?: string }; init: { status: number } };
    return { status: init.status, to: null, problem: data.problem };
  };
  const args = (path: string) => ({ request: requestFor(path), params: {}, context: {} }) as never;
  const change = (fields: Record<string, string>) => post(changeCart, "/Cart", fields);
  return {
    cookies,
    requestFor,
    post,
    change,
    add: (id: string, size: string, quantity = 1) => change({ intent: "add", id, size, quantity: String(quantity) }),
    lines: async () =>
      (await loadCart(args("/Cart"))).cart?.lines.map(({ id, size, color, quantity }) => ({
        id,
        size,
        color,
        quantity,
      })),
    newPrices: async () => (await loadCart(args("/Cart"))).cart?.lines.map(({ newPriceCents }) => newPriceCents),
    /** The text of the cart's lines, with prices in dollars, as the server sends them before any script runs. */
    words: async () => {
      const { cart, rate } = await loadCart(args("/Cart"));
      const html = cart ? renderToStaticMarkup(createElement(CartList, { cart, rate })) : "";
      return html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    },
    capped: async (path: string | null) => (await loadCart(args(path ?? ""))).capped,
    accountCount: async () => (await loadFrame(args("/checkout"))).accountCount,
    count: async () => (await loadFrame(args("/login"))).noScriptCount,
    checkout: () => loadCheckout(args("/checkout")),
  };
}

async function verified(email: string): Promise<void> {
  const mail = await db().selectFrom("outbox").select("data").where("recipient", "=", email).executeTakeFirstOrThrow();
  await verifyEmail(db(), new URL(String(mail.data.url)).searchParams.get("oobCode") ?? "", { password: PASSWORD });
}

async function newAccount(email: string, from = newVisitor(), more: Record<string, string> = {}): Promise<void> {
  const fields = { firstName: "Ada", lastName: "Obi", email, password: PASSWORD, ...more };
  expect(await from.post(register, "/register", fields)).toMatchObject({ status: 303, to: "/verifyMail" });
  await verified(email);
}

const login = (visitor: ReturnType<typeof newVisitor>, email: string, more: Record<string, string> = {}) =>
  visitor.post(logIn, "/login", { email, password: PASSWORD, ...more });

describe("a guest without script", () => {
  test("guest: add to cart; the cart opens and shows it, with its number on every page that is made for one visitor", async () => {
    const id = await makeProduct(db(), { M: 5, L: 5 });
    const guest = newVisitor();
    expect(await guest.lines()).toBeUndefined();
    for (const size of ["M", "M", "L"]) expect(await guest.add(id, size)).toEqual({ status: 303, to: "/Cart" });
    expect(await guest.lines()).toEqual([
      { id, size: "M", color: "Green", quantity: 2 },
      { id, size: "L", color: "Green", quantity: 1 },
    ]);
    expect(await guest.count()).toBe(3);
    expect(await guest.newPrices()).toEqual([undefined, undefined]);
    await db().updateTable("products").set({ priceCents: 5999 }).where("id", "=", id).execute();
    expect(await guest.newPrices()).toEqual([5999, 5999]);
    expect(await guest.words()).toMatch(
      /The price has changed to \$59\.99 ≈ ₦95,984 .*has changed to \$59\.99 ≈ ₦95,984 /,
    );
  });

  test("changes and removes lines on the cart's page", async () => {
    const id = await makeProduct(db(), { M: 5 });
    const guest = newVisitor();
    await guest.add(id, "M", 2);
    expect(await guest.change({ intent: "set", id, size: "M", quantity: "4" })).toMatchObject({ to: "/Cart" });
    expect(await guest.lines()).toMatchObject([{ quantity: 4 }]);
    expect(await guest.change({ intent: "remove", id, size: "M" })).toMatchObject({ to: "/Cart" });
    expect(await guest.lines()).toBeUndefined();
    expect(guest.cookies.size).toBe(0);
  });

  test("has no lines, and no mark of them, before anything is added", () => {
    const request = newVisitor().requestFor("/Cart");
    expect(readNoScriptCart(request)).toEqual({ mergeId: expect.any(String), mark: "", items: [] });
  });

  test("changes and removes one line of several", async () => {
    const [a, b] = [await makeProduct(db(), { M: 5, L: 5 }), await makeProduct(db(), { M: 5 })];
    const guest = newVisitor();
    await guest.add(a, "M");
    await guest.add(b, "M");
    const has = (id: string, size: string) => hasNoScriptLine(guest.requestFor("/Cart"), { id, size });
    expect([has(a, "M"), has(a, "L"), has(b, "M"), has("other", "M")]).toEqual([true, false, true, false]);
    await guest.add(a, "L");
    await guest.change({ intent: "set", id: a, size: "M", quantity: "4" });
    const lines = async () => (await guest.lines())?.map(({ id, size, quantity }) => [id, size, quantity]);
    expect(await lines()).toEqual([
      [a, "M", 4],
      [b, "M", 1],
      [a, "L", 1],
    ]);
    await guest.change({ intent: "remove", id: a, size: "M" });
    expect(await lines()).toEqual([
      [b, "M", 1],
      [a, "L", 1],
    ]);
  });

  test("adding caps merged quantity at stock; more than that is refused, and so is what is not sold", async () => {
    const id = await makeProduct(db(), { M: 3, L: 0 });
    const guest = newVisitor();
    expect(await guest.add(id, "M", 2)).toMatchObject({ to: "/Cart" });
    const { to } = await guest.add(id, "M", 2);
    expect(await guest.lines()).toMatchObject([{ quantity: 3 }]);
    expect(await guest.capped(to)).toBe("Cannot exceed available stock for this size");
    expect(await guest.capped("/Cart")).toBeUndefined();
    const aboveStock = { status: 400, problem: "Cannot exceed available stock for this size" };
    expect(await guest.change({ intent: "set", id, size: "M", quantity: "4" })).toMatchObject(aboveStock);
    expect(await guest.add(id, "L")).toMatchObject(aboveStock);
    const warn = vi.spyOn(log, "warn");
    expect(await guest.add("nothing", "M")).toMatchObject({ status: 400, problem: "Product not found" });
    const unknownSize = "This product doesn’t come in this size. Please choose another one.";
    expect(await guest.add(id, "XXL")).toMatchObject({ status: 400, problem: unknownSize });
    expect(warn.mock.calls).toEqual([
      [{ product: "nothing", size: "M" }, "product not found"],
      [{ product: id, size: "XXL" }, "size not found"],
    ]);
  });

  test("another size is the line's in one step, capped at stock, and once if it is sent again", async () => {
    const id = await makeProduct(db(), { M: 5, L: 3, XL: 0 });
    const guest = newVisitor();
    await guest.add(id, "M", 2);
    const change = (to: string) => guest.change({ intent: "size", id, size: "M", to });
    expect(await change("XL")).toMatchObject({ status: 400, problem: "Cannot exceed available stock for this size" });
    expect(await guest.lines()).toMatchObject([{ size: "M", quantity: 2 }]);
    for (let press = 0; press < 2; press++) expect(await change("L")).toMatchObject({ status: 303, to: "/Cart" });
    expect(await guest.lines()).toMatchObject([{ size: "L", quantity: 2 }]);
    await guest.add(id, "M", 2);
    const { to } = await change("L");
    expect(await guest.lines()).toMatchObject([{ size: "L", quantity: 3 }]);
    expect(await guest.capped(to)).toBe("Cannot exceed available stock for this size");
    expect(await guest.change({ intent: "size", id, size: "S", to: "XL" })).toMatchObject({ to: "/login?next=/Cart" });
  });

  test("an account's line gets another size by the same form", async () => {
    const id = await makeProduct(db(), { M: 5, L: 1, XL: 0 });
    const customer = newVisitor();
    const email = `${randomUUID()}@example.com`;
    await newAccount(email);
    await login(customer, email);
    await customer.add(id, "M", 2);
    const change = (to: string) => customer.change({ intent: "size", id, size: "M", to });
    expect(await change("XL")).toMatchObject({ status: 400, problem: "Cannot exceed available stock for this size" });
    const { to } = await change("L");
    expect(await customer.lines()).toMatchObject([{ size: "L", quantity: 1 }]);
    expect(await customer.capped(to)).toBe("Cannot exceed available stock for this size");
  });

  test("the whole stock can be added without counting as capped", async () => {
    const id = await makeProduct(db(), { M: 3 });
    const guest = newVisitor();
    expect(await guest.add(id, "M", 3)).toEqual({ status: 303, to: "/Cart" });
    expect(await guest.change({ intent: "set", id, size: "M", quantity: "3" })).toMatchObject({ status: 303 });
  });

  test("a cap at the owner's limit has the limit's message", async () => {
    const id = await makeProduct(db(), { M: 9 });
    const guest = newVisitor();
    env.MOST_OF_A_SIZE = 2;
    onTestFinished(() => {
      env.MOST_OF_A_SIZE = undefined;
    });
    const limit = "You can buy up to 2 of one size in an order.";
    const { to } = await guest.add(id, "M", 3);
    expect(await guest.capped(to)).toBe(limit);
    expect(await guest.change({ intent: "set", id, size: "M", quantity: "3" })).toMatchObject({ problem: limit });
  });

  test("signed in: what was capped is said as well, and pages for one visitor have the number of the account's cart", async () => {
    const email = "signed-in-without@example.com";
    await newAccount(email);
    const id = await makeProduct(db(), { M: 3 });
    const shopper = newVisitor();
    expect(await shopper.accountCount()).toBeUndefined();
    await login(shopper, email);
    const { to } = await shopper.add(id, "M", 5);
    expect(await shopper.capped(to)).toBe("Cannot exceed available stock for this size");
    expect(await shopper.accountCount()).toBe(3);
    await shopper.change({ intent: "set", id, size: "M", quantity: "1" });
    expect(await shopper.capped(to)).toBeUndefined();
  });

  test("signed in: an addition that is sent again before its answer has come counts once; the next one is another", async () => {
    const email = "sent-again@example.com";
    await newAccount(email);
    const id = await makeProduct(db(), { M: 30 });
    const shopper = newVisitor();
    await login(shopper, email);
    const twice = async (quantity: number) => {
      const before = [...shopper.cookies];
      await Promise.all([shopper.add(id, "M", quantity), shopper.add(id, "M", quantity)]);
      shopper.cookies.clear();
      for (const [name, value] of before) shopper.cookies.set(name, value); // as if no response had arrived
      await shopper.add(id, "M", quantity);
      return (await shopper.lines())?.[0]?.quantity;
    };
    expect([await twice(2), await twice(2), await twice(3)]).toEqual([2, 4, 7]);
    await shopper.add(id, "M", 3);
    expect(await shopper.lines()).toMatchObject([{ quantity: 10 }]);
    await shopper.post(logOut, "/logout", {});
    expect([...shopper.cookies.keys()]).toEqual(["irepo.device"]);
  });

  test("whose session has ended is asked to log in before a line of the account is changed", async () => {
    const id = await makeProduct(db(), { M: 3 });
    const guest = newVisitor();
    const login = { status: 303, to: "/login?next=/Cart" };
    expect(await guest.change({ intent: "set", id, size: "M", quantity: "2" })).toMatchObject(login);
    expect(await guest.change({ intent: "remove", id, size: "M" })).toMatchObject(login);
    expect(guest.cookies.size).toBe(0);
  });

  test("a cart that is too large for the cookie is refused with a message, and loses nothing", async () => {
    const guest = newVisitor();
    let answer = { status: 303, problem: undefined as string | undefined };
    let added = 0;
    for (; answer.status === 303 && added < 60; added++)
      answer = await guest.add(await makeProduct(db(), { M: 1 }), "M");
    expect(answer).toMatchObject({ status: 400, problem: "Your cart is full. Please log in to continue." });
    expect(await guest.lines()).toHaveLength(added - 1);
    expect(Math.max(...[...guest.cookies.values()].map(({ length }) => length))).toBeLessThan(4000);
  });

  test("a cookie without the shop's signature is ignored", async () => {
    const guest = newVisitor();
    await guest.add(await makeProduct(db(), { M: 5 }), "M");
    for (const [name, value] of guest.cookies) guest.cookies.set(name, value.replace(/.~/, "A~"));
    expect(await guest.lines()).toBeUndefined();
    guest.cookies.set("irepo.items", "a.b~c");
    expect(await guest.lines()).toBeUndefined();
  });

  test("checkout needs sign-in: it asks for the login, and after it everything is there, once", async () => {
    const email = "no-script@example.com";
    await newAccount(email);
    const id = await makeProduct(db(), { M: 5 });
    const guest = newVisitor();
    await guest.add(id, "M", 2);
    expect(await guest.checkout()).toEqual({ user: null });
    expect(await login(guest, email, { next: "/checkout" })).toMatchObject({ status: 303, to: "/checkout" });
    expect(await guest.checkout()).toMatchObject({ lines: [{ productId: id, quantity: 2 }] });
    expect(await guest.count()).toBe(0);
    expect(await guest.lines()).toMatchObject([{ quantity: 2 }]);
  });

  test("the script takes it over; it stays in its cookie until the script has put it away", async () => {
    const id = await makeProduct(db(), { M: 5 });
    const guest = newVisitor();
    await guest.add(id, "M", 2);
    const ask = async (body: object) => {
      const { url, headers } = guest.requestFor("/api/cart");
      return api.post(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
    };
    const taken = await ask({ intent: "take" });
    const mark = expect.any(String);
    expect(taken).toEqual({
      json: {
        cart: expect.objectContaining({ lines: [expect.objectContaining({ id, quantity: 2 })] }),
        mergeId: expect.any(String),
        mark,
      },
    });
    const read = taken.json as { mark: string };
    await guest.add(id, "M", 1);
    expect(await ask({ intent: "taken", mark: read.mark })).toEqual({ json: {} }); // an item was added in the meantime
    const now = (await ask({ intent: "take" })).json as { mark: string };
    expect(JSON.stringify(await ask({ intent: "taken", mark: now.mark }))).toContain("Max-Age=0");
  });
});

describe("on register the guest cart is merged into the user's cart", () => {
  test("registered on a laptop, verified and logged in on a phone: the cart is there; the laptop's counts no second time", async () => {
    const [email, id] = ["two-devices@example.com", await makeProduct(db(), { M: 9 })];
    const guestCart = (units: number) => ({ guestCart: JSON.stringify([guestPiece(id, units)]), mergeId: "laptop-1" });
    await newAccount(email, newVisitor(), guestCart(2));
    const [phone, laptop] = [newVisitor(), newVisitor()];
    expect(await login(phone, email)).toMatchObject({ status: 303 });
    expect(await phone.lines()).toMatchObject([{ id, quantity: 2 }]);
    await login(laptop, email, guestCart(3)); // one more unit was added in the meantime
    expect(await laptop.lines()).toMatchObject([{ id, quantity: 3 }]);
  });

  test("without script as well; the browser's copy stays until the login", async () => {
    const [email, id] = ["registers-without@example.com", await makeProduct(db(), { M: 9 })];
    const guest = newVisitor();
    await guest.add(id, "M", 2);
    await newAccount(email, guest);
    expect(await guest.lines()).toMatchObject([{ id, quantity: 2 }]);
    const phone = newVisitor();
    await login(phone, email);
    expect(await phone.lines()).toMatchObject([{ id, quantity: 2 }]);
    await guest.add(id, "M");
    await login(guest, email);
    expect(await guest.lines()).toMatchObject([{ id, quantity: 3 }]);
  });

  test("additions with and without script are announced together", async () => {
    const [a, b] = [await makeProduct(db(), { M: 5 }), await makeProduct(db(), { M: 5 })];
    const merge = async (withoutScript: string, inBrowser: GuestItem) => {
      const guest = newVisitor();
      await setStock(db(), withoutScript, "M", 5);
      await guest.add(withoutScript, "M", 2);
      if (withoutScript === b) await setStock(db(), b, "M", 0);
      const form = { guestCart: JSON.stringify([inBrowser]), mergeId: "laptop-3" };
      return mergeGuestCarts(db(), (await makeShopper(db())).id, guest.requestFor("/login"), form);
    };
    const line = (productId: string, quantity: number) => ({ productId, size: "M", color: "Green", quantity });
    const cookies = [expect.stringContaining("Max-Age=0")];
    expect(await merge(a, guestPiece(b, 9))).toEqual({
      merged: {
        ok: true,
        added: ["Home Jersey"],
        adjusted: true,
        skipped: [],
        capped: [line(b, 5)],
        guestLines: [line(b, 9)],
      },
      cookies,
    });
    expect(await merge(b, guestPiece("gone"))).toEqual({
      merged: { ok: true, added: [], adjusted: false, skipped: ["Home Jersey", "gone"], guestLines: [line("gone", 1)] },
      cookies,
    });
  });

  test.each([
    ["what was added without script", true, {}],
    ["what the browser keeps", false, { mergeId: "laptop-2" }],
  ])("of an account that is gone: %s stays where it is, and that is told", async (_, isAdded, form) => {
    const id = await makeProduct(db(), { M: 9 });
    const guest = newVisitor();
    if (isAdded) await guest.add(id, "M", 2);
    const guestCart = "mergeId" in form ? JSON.stringify([guestPiece(id, 1)]) : undefined;
    const answer = await mergeGuestCarts(db(), randomUUID(), guest.requestFor("/login"), { ...form, guestCart });
    expect(answer).toEqual({ merged: { ok: false }, cookies: [] });
  });

  test("an address that has an account gets nothing of a stranger's cart", async () => {
    const [email, id] = ["has-account@example.com", await makeProduct(db(), { M: 9 })];
    await newAccount(email);
    const stranger = newVisitor();
    const fields = { firstName: "Ada", lastName: "Obi", email, password: PASSWORD, mergeId: "stranger" };
    await stranger.post(register, "/register", { ...fields, guestCart: JSON.stringify([guestPiece(id)]) });
    const owner = newVisitor();
    await login(owner, email);
    const user = await currentUser(owner.requestFor("/Cart"));
    expect((await getCart(db(), user?.id ?? "")).lines).toEqual([]);
  });
});
