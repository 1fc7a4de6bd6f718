import { afterEach, describe, expect, test, vi } from "vitest";
import { retryingTransaction } from "#app/infra/database/db.server.ts";
import { openListener, subscribe } from "#app/infra/database/listener.server.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { usdCents } from "#app/money/money.ts";
import { useDatabase } from "#tests/support/database.ts";
import { guestPiece, makeProduct, makeShopper, setStock } from "#tests/support/shop.ts";
import {
  addToCart,
  countCart,
  getCart,
  mergeFromForm,
  mergeGuestCart,
  priceGuestCart,
  removeFromCart,
  setQuantity,
} from "./cart.server.ts";
import { afterWrite, limitText } from "./cart.ts";
import { type GuestItem, guestItem } from "./guest-item.ts";

const database = useDatabase();
const db = () => database.db();

async function shopWith(
  stock: number,
): Promise<{ id: string; user: string; item(quantity: number): GuestItem; quantity(): Promise<number | undefined> }> {
  const id = await makeProduct(db(), { M: stock });
  const { id: user } = await makeShopper(db());
  const product = { id, title: "Home Jersey", color: "Green", priceCents: usdCents(4999) };
  return {
    id,
    user,
    item: (quantity) => guestItem(product, "M", quantity, "/x.jpg", "2026-01-01T00:00:00.000Z"),
    quantity: async () => (await getCart(db(), user)).lines[0]?.quantity,
  };
}

const UNKNOWN_SIZE = "This product doesn’t come in this size. Please choose another one.";

describe("changing the cart", () => {
  test("F31: two additions at once are both there", async () => {
    const { id, user, quantity } = await shopWith(10);
    await Promise.all([1, 1, 1, 1].map((n) => addToCart(db(), user, { id, size: "M", quantity: n })));
    expect(await quantity()).toBe(4);
  });

  test("an addition is capped at the stock, and returns that", async () => {
    const { id, user, quantity } = await shopWith(3);
    const add = (units: number) => addToCart(db(), user, { id, size: "M", quantity: units });
    expect(await add(2)).toMatchObject({ ok: true, change: { isCapped: false } });
    expect(await add(2)).toMatchObject({ ok: true, change: { isCapped: true } });
    expect(await quantity()).toBe(3);
  });

  test("an addition that is repeated with its key is added once, and is not capped by itself", async () => {
    const { id, user, quantity } = await shopWith(3);
    const add = (key: string) => addToCart(db(), user, { id, size: "M", quantity: 2, key });
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const answers = [await add(first), ...(await Promise.all([add(first), add(first)]))];
    expect(answers).toMatchObject(Array(3).fill({ ok: true, change: { quantity: 2, isCapped: false } }));
    await setQuantity(db(), user, { id, size: "M", quantity: 1 });
    await add(first);
    expect(await quantity()).toBe(1);
    await add(second);
    expect(await quantity()).toBe(3);
  });

  test("a write returns the line, the version and the count after it", async () => {
    const { id, user } = await shopWith(9);
    const other = await makeProduct(db(), { S: 5 });
    await addToCart(db(), user, { id: other, size: "S", quantity: 4 });
    const { version } = await getCart(db(), user);
    const line = { id, size: "M", color: "Green", priceCents: 4999, available: 9, maxQuantity: 9 };
    expect(await addToCart(db(), user, { id, size: "M", quantity: 2 })).toEqual({
      ok: true,
      change: { ...line, isCapped: false, quantity: 2, version: version + 1, count: 6 },
    });
    expect(await setQuantity(db(), user, { id, size: "M", quantity: 7 })).toEqual({
      ok: true,
      change: { ...line, isCapped: false, quantity: 7, version: version + 2, count: 11 },
    });
    expect(await removeFromCart(db(), user, { id, size: "M" })).toEqual({
      ...line,
      color: "",
      priceCents: 0,
      available: 0,
      maxQuantity: 0,
      isCapped: false,
      quantity: 0,
      version: version + 3,
      count: 4,
    });
    expect(await countCart(db(), user)).toEqual({ version: version + 3, count: 4 });
  });

  test("many streams that are notified at once are counted with one statement, each for its own cart", async () => {
    const users = await Promise.all(Array.from({ length: 3 }, () => makeShopper(db())));
    const id = await makeProduct(db(), { M: 9 });
    for (const [at, user] of users.entries()) await addToCart(db(), user.id, { id, size: "M", quantity: at + 1 });
    let statements = 0;
    const counted = db().withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements++;
        return result;
      },
    });
    const streams = Array.from({ length: 30 }, (_, at) => at % 3);
    const told = await Promise.all(streams.map((at) => countCart(counted, users[at]?.id ?? "")));
    expect(told).toEqual(streams.map((at) => ({ version: 1, count: at + 1 })));
    expect(statements).toBe(1);
    expect(await countCart(db(), "without-a-cart")).toEqual({ version: 0, count: 0 });
  });

  test("a quantity above stock is refused and changes nothing", async () => {
    const { id, user, quantity } = await shopWith(3);
    await addToCart(db(), user, { id, size: "M", quantity: 1 });
    expect(await setQuantity(db(), user, { id, size: "M", quantity: 4 })).toEqual({
      ok: false,
      problem: "Cannot exceed available stock for this size",
    });
    expect(await quantity()).toBe(1);
  });

  test.each([
    ["a sold-out size", { size: "M" }, 0, "Cannot exceed available stock for this size", undefined],
    ["a size that the product has not", { size: "XXL" }, 5, UNKNOWN_SIZE, "size not found"],
    ["a product that is none", { id: "nothing" }, 5, "Product not found", "product not found"],
  ])("%s cannot be added", async (_, change, stock, problem, logged) => {
    const { id, user } = await shopWith(stock);
    const warn = vi.spyOn(log, "warn");
    const wanted = { id, size: "M", quantity: 1, ...change };
    expect(await addToCart(db(), user, wanted)).toEqual({ ok: false, problem });
    expect(warn.mock.calls).toEqual(logged ? [[{ product: wanted.id, size: wanted.size }, logged]] : []);
  });

  test("a line has messages about a new price and a lower stock", async () => {
    const { id, user } = await shopWith(5);
    await addToCart(db(), user, { id, size: "M", quantity: 5 });
    await db().updateTable("products").set({ priceCents: 5999 }).where("id", "=", id).execute();
    await db().updateTable("productSizes").set({ supplied: 2 }).where("productId", "=", id).execute();
    const { lines } = await getCart(db(), user);
    expect(lines).toMatchObject([
      {
        quantity: 2,
        priceCents: 5999,
        availableQuantity: 2,
        changes: ["Only 2 left."],
        newPriceCents: 5999,
      },
    ]);
  });

  test("every change increments the version", async () => {
    const { id, user } = await shopWith(5);
    const before = (await getCart(db(), user)).version;
    await addToCart(db(), user, { id, size: "M", quantity: 1 });
    await removeFromCart(db(), user, { id, size: "M" });
    expect((await getCart(db(), user)).version).toBe(before + 2);
  });
});

test("a change notifies the shopper's other tabs, and nobody else", async () => {
  const [{ id, user }, other] = [await shopWith(5), await shopWith(5)];
  const close = await openListener(database.url());
  const [told, others] = [vi.fn(), vi.fn()];
  const unsubscribe = [subscribe(`cart:${user}`, told), subscribe(`cart:${other.user}`, others)];
  await addToCart(db(), user, { id, size: "M", quantity: 1 });
  await expect.poll(() => told.mock.calls.length).toBe(1);
  await removeFromCart(db(), user, { id, size: "M" });
  await expect.poll(() => told.mock.calls.length).toBe(2);
  expect(others).not.toHaveBeenCalled();
  for (const end of unsubscribe) end();
  await close();
});

describe("shoppers at the same time", () => {
  test("each gets their own line", async () => {
    const shops = await Promise.all([3, 5, 8, 0].map(shopWith));
    const asked = shops.map(({ id, user }) => addToCart(db(), user, { id, size: "M", quantity: 4 }));
    expect(await Promise.all(asked)).toMatchObject([
      { ok: true, change: { quantity: 3 } },
      { ok: true, change: { quantity: 4 } },
      { ok: true, change: { quantity: 4 } },
      { ok: false },
    ]);
    expect(await Promise.all(shops.map(({ quantity }) => quantity()))).toEqual([3, 4, 4, undefined]);
  });

  test("one statement writes all of them", async () => {
    const shops = await Promise.all([5, 5, 5].map(shopWith));
    let statements = 0;
    const counted = db().withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => "isBusy" in row || "is_busy" in row)) statements++;
        return result;
      },
    });
    await Promise.all(shops.map(({ id, user }) => addToCart(counted, user, { id, size: "M", quantity: 1 })));
    expect(await Promise.all(shops.map(({ quantity }) => quantity()))).toEqual([1, 1, 1]);
    expect(statements).toBe(1);
  });

  test("nobody waits for a cart that somebody else is changing", async () => {
    const [held, other, third] = [await shopWith(5), await shopWith(5), await shopWith(5)];
    const add = ({ id, user }: typeof held) => addToCart(db(), user, { id, size: "M", quantity: 1 });
    await add(held);
    const written: unknown[] = [];
    const waiting = await retryingTransaction(db(), async (trx) => {
      await trx.selectFrom("carts").select("version").where("userId", "=", held.user).forUpdate().execute();
      const waiting = [other, held, third].map(add);
      written.push(await waiting[0], await waiting[2]);
      return waiting;
    });
    expect(written).toMatchObject([{ ok: true }, { ok: true }]);
    await Promise.all(waiting);
    expect(await held.quantity()).toBe(2);
  });

  test("one whose account was deleted fails alone", async () => {
    const [gone, ...others] = [await shopWith(5), await shopWith(5), await shopWith(5)];
    await db().deleteFrom("users").where("id", "=", gone.user).execute();
    const asked = [others[0], gone, others[1]].map((shop = gone) =>
      addToCart(db(), shop.user, { id: shop.id, size: "M", quantity: 1 }),
    );
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await Promise.all(others.map(({ quantity }) => quantity()))).toEqual([1, 1]);
  });
});

describe("maximum the stock of the size; where the owner has set less, that", () => {
  afterEach(() => {
    env.MOST_OF_A_SIZE = undefined;
  });

  test("without a limit of the owner's a line holds the largest stock there can be", async () => {
    const { id, user, item, quantity } = await shopWith(999_999);
    expect(await addToCart(db(), user, { id, size: "M", quantity: 999_998 })).toMatchObject({ ok: true });
    expect(await addToCart(db(), user, { id, size: "M", quantity: 2 })).toMatchObject({
      change: { quantity: 999_999, isCapped: true, maxQuantity: 999_999 },
    });
    expect(await quantity()).toBe(999_999);
    expect((await priceGuestCart(db(), [item(5000)])).lines).toMatchObject([{ quantity: 5000, changes: [] }]);
  });

  test("additions are capped at the limit, more is refused with its message, and a line has that, too", async () => {
    const { id, user, quantity } = await shopWith(20);
    expect(await setQuantity(db(), user, { id, size: "M", quantity: 20 })).toMatchObject({ ok: true });
    env.MOST_OF_A_SIZE = 10;
    const limit = "You can buy up to 10 of one size in an order.";
    expect(await quantity()).toBe(10);
    expect((await getCart(db(), user)).lines).toMatchObject([
      { availableQuantity: 20, maxQuantity: 10, changes: [limit] },
    ]);
    expect(await setQuantity(db(), user, { id, size: "M", quantity: 11 })).toEqual({ ok: false, problem: limit });
    expect(await setQuantity(db(), user, { id, size: "M", quantity: 9 })).toMatchObject({ ok: true });
    expect(await addToCart(db(), user, { id, size: "M", quantity: 5 })).toMatchObject({
      change: { quantity: 10, isCapped: true, available: 20, maxQuantity: 10 },
    });
    expect(limitText({ availableQuantity: 20, maxQuantity: 10 })).toBe(limit);
    expect(limitText({ availableQuantity: 3, maxQuantity: 3 })).toBe("Cannot exceed available stock for this size");
  });

  test("a guest's cart and a merged cart are capped at the limit, too", async () => {
    const { user, item, quantity } = await shopWith(20);
    env.MOST_OF_A_SIZE = 10;
    expect((await priceGuestCart(db(), [item(12)])).lines).toMatchObject([{ quantity: 10, maxQuantity: 10 }]);
    expect(await mergeGuestCart(db(), user, "guest-1", [item(12)])).toMatchObject({ adjusted: true });
    expect(await quantity()).toBe(10);
  });
});

describe("a guest cart that is merged", () => {
  test("adds what was added to it since an earlier merge, and nothing twice", async () => {
    const { user, item, quantity } = await shopWith(50);
    const merge = (units: number) => mergeGuestCart(db(), user, "guest-1", [item(units)]);
    await merge(2);
    expect(await merge(5)).toMatchObject({ ok: true, added: ["Home Jersey"] });
    expect(await quantity()).toBe(5);
    expect(await merge(5)).toEqual({ ok: true, added: [], adjusted: false, skipped: [] });
    expect(await merge(1)).toMatchObject({ added: [] });
    expect(await quantity()).toBe(5);
  });

  test("may lack the colour, and counts once all the same", async () => {
    const { user, item, quantity } = await shopWith(50);
    for (let i = 0; i < 2; i++) await mergeGuestCart(db(), user, "guest-1", [{ ...item(2), color: "" }]);
    expect(await quantity()).toBe(2);
  });

  test("F32: the same one ten times at once is added once", async () => {
    const { user, item, quantity } = await shopWith(50);
    const merges = await Promise.all(
      Array.from({ length: 10 }, () => mergeGuestCart(db(), user, "guest-1", [item(2)])),
    );
    expect(merges.every(({ ok }) => ok)).toBe(true);
    expect(await quantity()).toBe(2);
  });

  test("adds up with another one, capped at stock, and the result names each added product once", async () => {
    const { id, user, item, quantity } = await shopWith(5);
    const bring = (mergeId: string, ...units: number[]) => mergeGuestCart(db(), user, mergeId, units.map(item));
    expect(await bring("guest-1", 1, 1)).toEqual({ ok: true, added: ["Home Jersey"], adjusted: false, skipped: [] });
    const capped = [{ productId: id, size: "M", color: "Green", quantity: 5 }];
    expect(await bring("guest-2", 7)).toEqual({
      ok: true,
      added: ["Home Jersey"],
      adjusted: true,
      skipped: [],
      capped,
    });
    expect(await quantity()).toBe(5);
    expect(await bring("guest-3", 1)).toEqual({ ok: true, added: [], adjusted: false, skipped: [], capped });
  });

  test("is remembered for the last 20 merge ids of an account, with one row per id and line", async () => {
    const { user, item, quantity } = await shopWith(500);
    for (let units = 1; units <= 30; units++) await mergeGuestCart(db(), user, "guest-1", [item(units)]);
    expect(await quantity()).toBe(30);
    for (let others = 2; others <= 30; others++) await mergeGuestCart(db(), user, `guest-${others}`, [item(1)]);
    await mergeGuestCart(db(), user, "guest-30", [item(2)]);
    expect(await quantity()).toBe(60);
    const merges = await db().selectFrom("cartMerges").select("lines").where("userId", "=", user).execute();
    expect(merges).toHaveLength(20);
    expect(merges.every(({ lines }) => lines.length === 1)).toBe(true);
  });

  test("what is sold out is skipped by name", async () => {
    const { user, item } = await shopWith(0);
    expect(await mergeGuestCart(db(), user, "guest-1", [item(1)])).toEqual({
      ok: true,
      added: [],
      adjusted: false,
      skipped: ["Home Jersey"],
    });
  });

  test("F33: a merge that fails half-way leaves the cart as it was, and can be done again", async () => {
    const { user, item, quantity } = await shopWith(5);
    const broken = { ...item(1), quantity: Number.NaN };
    const error = vi.spyOn(log, "error");
    expect(await mergeGuestCart(db(), user, "guest-1", [item(1), broken])).toEqual({ ok: false });
    expect(error).toHaveBeenCalledOnce();
    expect(await quantity()).toBeUndefined();
    expect(await mergeGuestCart(db(), user, "guest-1", [item(1)])).toMatchObject({ ok: true });
    expect(await quantity()).toBe(1);
  });

  test("is skipped if the product is unknown", async () => {
    const { user, item } = await shopWith(5);
    const gone = { ...guestPiece("gone"), color: "" };
    expect(await mergeGuestCart(db(), user, "guest-1", [gone, item(1)])).toEqual({
      ok: true,
      added: ["Home Jersey"],
      adjusted: false,
      skipped: ["gone"],
    });
    expect((await getCart(db(), user)).lines).toMatchObject([{ quantity: 1, color: "Green", changes: [] }]);
  });

  test("28 has the product's colour, however it was spelled when it was added, and counts once", async () => {
    const { user, item } = await shopWith(9);
    const guest = [{ ...item(1), color: "green" }, { ...item(2), color: "Palm" }, item(1)];
    for (let i = 0; i < 2; i++) await mergeGuestCart(db(), user, "guest-1", guest);
    expect((await getCart(db(), user)).lines).toMatchObject([{ quantity: 4, color: "Green" }]);
  });

  test("28 adds up with the account's line, and that can be changed, though the product's colour is written otherwise since", async () => {
    const { id, user, item } = await shopWith(9);
    await addToCart(db(), user, { id, size: "M", quantity: 1 });
    await db().updateTable("products").set({ color: "Palm Green" }).where("id", "=", id).execute();
    await mergeGuestCart(db(), user, "guest-1", [{ ...item(2), color: "Palm Green" }]);
    const quantities = async () => (await getCart(db(), user)).lines.map(({ quantity }) => quantity);
    expect(await quantities()).toEqual([3]);
    expect(await addToCart(db(), user, { id, size: "M", quantity: 2 })).toMatchObject({ change: { count: 5 } });
    expect(await quantities()).toEqual([5]);
    expect(await setQuantity(db(), user, { id, size: "M", quantity: 4 })).toMatchObject({ change: { count: 4 } });
    expect(await quantities()).toEqual([4]);
  });

  test("27 R61 that was capped says so at each later merge of the same cart, too, while the stock is too low", async () => {
    const { id, user, item } = await shopWith(5);
    const merge = () => mergeGuestCart(db(), user, "guest-1", [item(9)]);
    expect(await merge()).toMatchObject({ adjusted: true });
    expect(await merge()).toEqual({ ok: true, added: [], adjusted: true, skipped: [] });
    await setStock(db(), id, "M", 20);
    await setQuantity(db(), user, { id, size: "M", quantity: 2 });
    expect(await merge()).toMatchObject({ adjusted: false });
  });

  test("adds skipped lines once they are in stock, and the rest no second time", async () => {
    const [one, other] = [await shopWith(5), await shopWith(0)];
    const merge = () => mergeGuestCart(db(), one.user, "guest-1", [one.item(2), other.item(1)]);
    const cart = async () => (await getCart(db(), one.user)).lines.map(({ id, quantity }) => [id, quantity]);
    await merge();
    expect(await cart()).toEqual([[one.id, 2]]);
    await setStock(db(), other.id, "M", 3);
    await merge();
    expect(await cart()).toEqual([
      [one.id, 2],
      [other.id, 1],
    ]);
  });

  test("from a form is recognized by its merge id; without one, each merge is a new one", async () => {
    const { user, item, quantity } = await shopWith(50);
    for (const mergeId of ["form-1", "form-1", "form-2", undefined, ""])
      await mergeFromForm(db(), user, { guestCart: JSON.stringify([item(1)]), mergeId });
    expect(await quantity()).toBe(4);
  });

  test("S42 is priced and capped by the server, whatever its own prices are", async () => {
    const { item } = await shopWith(3);
    const { lines } = await priceGuestCart(db(), [{ ...item(9), price: 0.01, title: "Free" }]);
    expect(lines).toMatchObject([{ quantity: 3, priceCents: 4999, title: "Home Jersey" }]);
  });
});

describe("the shown cart follows a write", () => {
  const line = {
    id: "a",
    size: "M",
    color: "Green",
    quantity: 1,
    priceCents: usdCents(100),
    availableQuantity: 3,
    maxQuantity: 3,
  };
  const shown = { title: "A", image: null, addedAt: "", changes: ["Only 3 left."] };
  const cart = { version: 4, lines: [{ ...line, ...shown }] };
  const change = { ...line, version: 5, count: 2, quantity: 2, available: 3, isCapped: false };
  test.each([
    ["a new quantity", change, { version: 5, lines: [{ id: "a", quantity: 2, changes: [] }] }],
    ["a removal", { ...change, quantity: 0 }, { version: 5, lines: [] }],
  ])("%s", (_, one, expected) => expect(afterWrite(cart, one)).toMatchObject(expected));
  test.each([
    ["a line that is not shown", { ...change, size: "S" }],
    ["a change after one that was not seen", { ...change, version: 6 }],
    ["a change that is known already", { ...change, version: 4 }],
  ])("%s: the cart is loaded again", (_, one) => expect(afterWrite(cart, one)).toBeUndefined());
});
