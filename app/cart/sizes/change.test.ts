import { expect, onTestFinished, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { usdCents } from "#app/money/money.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeProduct, makeShopper, setStock } from "#tests/support/shop.ts";
import { addToCart, changeSize, getCart, priceGuestCart, removeFromCart, setQuantity } from "../cart.server.ts";
import { guestItem } from "../guest-item.ts";
import { type Change, project, repeatable } from "../projection.ts";
import { moveToSize } from "./move.ts";

const database = useDatabase();
const db = () => database.db();

async function shopperWith(stock: Record<string, number>, cart: Record<string, number>) {
  const id = await makeProduct(db(), stock);
  const { id: user } = await makeShopper(db());
  for (const [size, quantity] of Object.entries(cart)) await addToCart(db(), user, { id, size, quantity });
  return {
    ...{ id, user },
    change: (size: string, to: string) => changeSize(db(), user, { id, size, to }),
    lines: async () => (await getCart(db(), user)).lines.map(({ size, quantity }) => `${size}${quantity}`),
    sizes: async () => (await getCart(db(), user)).lines.map(({ sizes }) => sizes?.map(({ size }) => size)),
  };
}

const ABOVE_STOCK = "Cannot exceed available stock for this size";

test("a line of another size has all units, its price, and the place of the old one", async () => {
  const { user, change, lines } = await shopperWith({ S: 5, M: 5, L: 5 }, { M: 2, S: 1 });
  const [old] = (await getCart(db(), user)).lines;
  expect(await change("M", "L")).toEqual({ ok: true, isCapped: false });
  expect(await lines()).toEqual(["L2", "S1"]);
  const [moved] = (await getCart(db(), user)).lines;
  expect([moved?.addedAt, moved?.priceCents]).toEqual([old?.addedAt, old?.priceCents]);
});

test("the units join a line of the other size, up to the stock", async () => {
  const { change, lines } = await shopperWith({ S: 5, M: 5 }, { M: 2, S: 1 });
  expect(await change("M", "S")).toEqual({ ok: true, isCapped: false });
  expect(await lines()).toEqual(["S3"]);
  const other = await shopperWith({ S: 3, M: 5 }, { M: 3, S: 2 });
  expect(await other.change("M", "S")).toEqual({ ok: true, isCapped: true });
  expect(await other.lines()).toEqual(["S3"]);
});

test("the owner's limit for a size caps the units, too", async () => {
  const { change, lines } = await shopperWith({ S: 9, M: 9 }, { M: 3, S: 2 });
  env.MOST_OF_A_SIZE = 4;
  onTestFinished(() => {
    env.MOST_OF_A_SIZE = undefined;
  });
  expect(await change("M", "S")).toEqual({ ok: true, isCapped: true });
  expect(await lines()).toEqual(["S4"]);
});

test("a size that is gone, or that the product does not have, leaves the line as it is", async () => {
  const { id, change, lines } = await shopperWith({ S: 1, M: 5 }, { M: 2 });
  await setStock(db(), id, "S", 0);
  expect(await change("M", "S")).toEqual({ ok: false, problem: ABOVE_STOCK });
  expect(await change("M", "XXL")).toMatchObject({ ok: false, problem: expect.stringContaining("in this size") });
  await db().updateTable("products").set({ hidden: true }).where("id", "=", id).execute();
  expect(await change("M", "S")).toEqual({ ok: false, problem: "Product not found" });
  expect(await lines()).toEqual(["M2"]);
});

test("a change that is sent twice, also at once, moves the units once", async () => {
  const { change, lines } = await shopperWith({ S: 9, M: 9 }, { M: 2 });
  const done = await Promise.all([change("M", "S"), change("M", "S")]);
  expect([...done, await change("M", "S")]).toEqual(Array(3).fill({ ok: true, isCapped: false }));
  expect(await lines()).toEqual(["S2"]);
  expect(await change("S", "S")).toEqual({ ok: true, isCapped: false });
  expect(await lines()).toEqual(["S2"]);
});

/** All selections of these in their order: each request of a page that is left may be lost. */
const arrivals = <T>(all: T[]): T[][] =>
  all.reduce<T[][]>((some, one) => some.flatMap((before) => [before, [...before, one]]), [[]]);

test.each<[string, Record<string, number>, Omit<Change, "id" | "color">[], string[]]>([
  [
    "an undone removal",
    { M: 2 },
    [
      { intent: "remove", size: "M", quantity: 0 },
      { intent: "add", size: "M", quantity: 2, key: crypto.randomUUID() },
      { intent: "size", size: "M", quantity: 2, to: "L" },
    ],
    ["L2"],
  ],
  [
    "a quantity",
    { M: 2, L: 1 },
    [
      { intent: "set", size: "M", quantity: 3 },
      { intent: "size", size: "M", quantity: 3, to: "L" },
    ],
    ["L4"],
  ],
  [
    "another move",
    { M: 2, S: 1 },
    [
      { intent: "size", size: "M", quantity: 2, to: "L" },
      { intent: "size", size: "S", quantity: 1, to: "M" },
    ],
    ["L2", "M1"],
  ],
])("changes around %s are made once, whichever of them have arrived before they are repeated", async (_, ...one) => {
  const [held, wanted, after] = one;
  for (const arrived of arrivals([...wanted.keys()])) {
    const { id, user, lines } = await shopperWith({ S: 9, M: 9, L: 9 }, held);
    const before = await getCart(db(), user);
    const [line] = before.lines;
    const changes = wanted.map((change): Change => ({ ...change, id, color: line?.color ?? "", line }));
    const send = async ({ intent, size, quantity, key, to = "" }: Change) => {
      if (intent === "add") await addToCart(db(), user, { id, size, quantity, key });
      else if (intent === "set") await setQuantity(db(), user, { id, size, quantity });
      else if (intent === "remove") await removeFromCart(db(), user, { id, size });
      else await changeSize(db(), user, { id, size, to });
    };
    for (const [at, change] of changes.entries()) if (arrived.includes(at)) await send(change);
    for (const change of repeatable(changes, project(before, changes).lines)) await send(change);
    expect((await lines()).toSorted(), `after ${arrived}`).toEqual(after);
  }
});

test("a sold-out line can change to a size that is there", async () => {
  const { id, change, lines, sizes } = await shopperWith({ S: 3, M: 5 }, { M: 2 });
  await setStock(db(), id, "M", 0);
  expect(await sizes()).toEqual([["S", "M"]]);
  expect(await change("M", "S")).toEqual({ ok: true, isCapped: false });
  expect(await lines()).toEqual(["S2"]);
});

test("a line offers the sizes that are there; none if there is no other", async () => {
  const offered = await shopperWith({ S: 3, M: 5, L: 0, XL: 1 }, { M: 2 });
  expect(await offered.sizes()).toEqual([["S", "M", "XL"]]);
  expect(await (await shopperWith({ M: 5, L: 0 }, { M: 2 })).sizes()).toEqual([undefined]);
  expect(await (await shopperWith({ ONE: 5 }, { ONE: 1 })).sizes()).toEqual([undefined]);
});

const product = { id: "a", title: "Home Jersey", color: "Green", priceCents: usdCents(4999) };
const item = (size: string, quantity: number) =>
  guestItem(product, size, quantity, "/x.jpg", "2026-01-01T00:00:00.000Z");

test("a guest's line offers the same sizes", async () => {
  const id = await makeProduct(db(), { S: 3, M: 5, L: 0 });
  const { lines } = await priceGuestCart(db(), [{ ...item("M", 1), id }]);
  expect(lines[0]?.sizes).toEqual([
    { size: "S", availableQuantity: 3, maxQuantity: 3 },
    { size: "M", availableQuantity: 5, maxQuantity: 5 },
  ]);
});

test.each([
  ["at its place", ["M2", "L1"], "S", 9, ["S2", "L1"], false],
  ["to the line of the other size", ["M2", "L1"], "L", 9, ["L3"], false],
  ["up to what is there", ["M2", "L1"], "L", 2, ["L2"], true],
  ["not where it is already", ["M2", "L1"], "M", 9, ["M2", "L1"], false],
  ["not if it is not there", ["L1"], "S", 9, ["L1"], false],
])("a guest's units move %s", (_, before, to, most, after, isCapped) => {
  const items = before.map((one) => item(one.slice(0, -1), Number(one.slice(-1))));
  const moved = moveToSize(items, { id: "a", size: "M", to }, most);
  expect(moved.items.map(({ selectedSize, sizes, quantity }) => [selectedSize, sizes, quantity])).toEqual(
    after.map((one) => [one.slice(0, -1), one.slice(0, -1), Number(one.slice(-1))]),
  );
  expect(moved.isCapped).toBe(isCapped);
});
