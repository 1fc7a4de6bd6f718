import { expect, test } from "vitest";
import { fits, readGuestCart, readGuestCartFields, readGuestItems, withoutLines } from "./guest-item.ts";

const whole = {
  id: "unity-home-jersey",
  title: "Unity Home Jersey",
  price: 49.99,
  color: "Palm Green",
  sizes: "M",
  selectedSize: "M",
  quantity: 2,
  images: "/images/x/320.jpg",
  name: "Unity Home Jersey",
  addedAt: "2026-01-02T03:04:05.000Z",
};

test("what the shop wrote is read back unchanged", () => {
  expect(readGuestCart(JSON.stringify([whole]))).toEqual([whole]);
});

test.each<[string, string | null]>([
  ["nothing", null],
  ["an empty text", ""],
  ["no JSON", "{oops"],
  ["null", "null"],
  ["an object", '{"items":[]}'],
  ["a number", "7"],
  ["lines that are no lines", '[1,null,"x",[]]'],
  ["a line without a product", JSON.stringify([{ ...whole, id: "" }])],
  ["a line without a size", JSON.stringify([{ ...whole, sizes: undefined, selectedSize: undefined }])],
  ["a quantity that is none", JSON.stringify([{ ...whole, quantity: "many" }])],
  ["a quantity of 0", JSON.stringify([{ ...whole, quantity: 0 }])],
  ["a negative quantity", JSON.stringify([{ ...whole, quantity: -3 }])],
])("%s gives an empty cart and no error", (_, text) => {
  expect(readGuestCart(text)).toEqual([]);
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["a missing picture becomes the placeholder", { images: undefined }, { images: "/placeholder.svg" }],
  ["a price that is none becomes 0", { price: "free" }, { price: 0 }],
  ["an older line knows its size only as `sizes`", { selectedSize: undefined }, { selectedSize: "M" }],
  ["a price as text is read", { price: "49.99" }, { price: 49.99 }],
  ["a price in a list is none", { price: [49.99] }, { price: 0 }],
  ["a title that is too long is cut", { title: "x".repeat(300) }, { title: "x".repeat(200) }],
  ["title and name may differ", { title: "Home" }, { title: "Home" }],
  ["a line without a title has its name", { title: undefined }, {}],
  ["a line without a name has its title", { title: "Home", name: undefined }, { title: "Home", name: "Home" }],
  ["text that is none becomes nothing", { color: 7 }, { color: "" }],
  ["a quantity as text is read", { quantity: "3" }, { quantity: 3 }],
  ["a fraction of a piece is cut off", { quantity: 1.9 }, { quantity: 1 }],
  ["a huge quantity is cut", { quantity: 1e9 }, { quantity: 999_999 }],
  ["an unreadable time becomes the oldest", { addedAt: "yesterday" }, { addedAt: "1970-01-01T00:00:00.000Z" }],
  ["fields of others are dropped", { __proto__: { x: 1 }, isAdmin: true }, {}],
])("%s", (_, damage, mended) => {
  expect(readGuestCart(JSON.stringify([{ ...whole, ...damage }]))).toEqual([{ ...whole, ...mended }]);
});

test("a value that is no list has no lines", () => {
  expect([{ items: [whole] }, "lines", null].map(readGuestItems)).toEqual([[], [], []]);
});

test("a sign-in without a cart has an empty one", () => {
  expect(readGuestCartFields({})).toEqual({ guestCart: "", mergeId: "" });
});

test("a cart takes as many lines as can be read back, and no more", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => ({ ...whole, id: `jersey-${at}` }));
  expect([fits(lines(200)), readGuestCart(JSON.stringify(lines(200))).length]).toEqual([true, 200]);
  expect(fits(lines(201))).toBe(false);
});

test("good lines survive beside damaged ones", () => {
  expect(readGuestCart(JSON.stringify([{ id: 1 }, whole, null]))).toEqual([whole]);
});

test("the cart of a sign-in is cut to the lines and fields that are read", () => {
  const lines = Array(300).fill({ ...whole, junk: "j".repeat(200) });
  const mergeId = crypto.randomUUID();
  expect(readGuestCartFields({ guestCart: JSON.stringify(lines), mergeId })).toEqual({
    guestCart: JSON.stringify(Array(200).fill(whole)),
    mergeId,
  });
  expect(readGuestCartFields({ guestCart: "j".repeat(60_000), mergeId: "m".repeat(60_000) })).toEqual({
    guestCart: "",
    mergeId: "m".repeat(36),
  });
});

const line = { productId: whole.id, size: "M", color: "Palm Green" };

test.each<[string, { quantity: number; size?: string }[], number[]]>([
  ["nothing leaves all", [], [2]],
  ["all of it leaves nothing", [{ quantity: 2 }], []],
  ["more than there is leaves nothing", [{ quantity: 5 }], []],
  ["one of two leaves one", [{ quantity: 1 }], [1]],
  ["two lines of it count together", [{ quantity: 1 }, { quantity: 1 }], []],
  ["another size leaves all", [{ quantity: 2, size: "L" }], [2]],
])("taking out %s", (_, lines, left) => {
  const rest = withoutLines(
    [whole],
    lines.map((one) => ({ ...line, ...one })),
  );
  expect(rest.map(({ quantity }) => quantity)).toEqual(left);
});
