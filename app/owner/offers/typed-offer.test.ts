import { expect, test } from "vitest";
import { readOffer, type TypedOffer, typedOf } from "./typed-offer.server.ts";

const EMPTY: TypedOffer = {
  name: "Two tees",
  starts: "itself",
  code: "",
  gift: "percent",
  percent: "10",
  off: "",
  buy: "",
  get: "",
  less: "",
  kinds: [],
  products: "",
  collections: [],
  fromPieces: "",
  fromSum: "",
  from: "",
  until: "",
  mostUses: "",
  customers: "",
  countries: "",
  endedText: "",
};

test.each<[string, Partial<TypedOffer>, object]>([
  ["a percentage", {}, { terms: { gift: { kind: "percent", percent: 10 }, onSaleToo: false }, byCode: false }],
  ["naira off", { gift: "sum", off: "₦5,000" }, { terms: { gift: { kind: "sum", off: { kobo: 500_000 } } } }],
  ["dollars off", { gift: "sum", off: "$10" }, { terms: { gift: { kind: "sum", off: { cents: 1000 } } } }],
  [
    "a set, free without a percentage",
    { gift: "set", buy: "2", get: "1" },
    { terms: { gift: { kind: "set", buy: 2, get: 1, percent: 100 } } },
  ],
  ["free delivery", { gift: "delivery", percent: "" }, { terms: { gift: { kind: "delivery" } } }],
  ["a code for everybody", { starts: "code", code: " ONE MIND " }, { byCode: true, code: "ONE MIND" }],
  ["codes for one use", { starts: "single", code: "left over" }, { byCode: true, code: undefined }],
  [
    "products by id and by address",
    { products: "rings-tee\nhttps://shop.example/singleProduct/unity-home-jersey?currency=NGN" },
    { terms: { products: ["rings-tee", "unity-home-jersey"] } },
  ],
  [
    "named customers and countries",
    { customers: "Ada@Example.com, b@example.com", countries: "Ghana, United Kingdom" },
    { terms: { customers: ["ada@example.com", "b@example.com"], countries: ["Ghana", "United Kingdom"] } },
  ],
  [
    "conditions",
    { fromPieces: "2", fromSum: "$75", mostUses: "100", firstOrderOnly: "on", oncePerShopper: "on", onSaleToo: "on" },
    {
      mostUses: 100,
      terms: { fromPieces: 2, from: { cents: 7500 }, firstOrderOnly: true, oncePerShopper: true, onSaleToo: true },
    },
  ],
])("reads %s", (_, typed, offer) => {
  expect(readOffer({ ...EMPTY, ...typed })).toMatchObject({ offer });
});

test.each<[string, Partial<TypedOffer>, string[]]>([
  ["no name", { name: " " }, ["name"]],
  ["no percentage", { percent: "" }, ["percent"]],
  ["91 percent", { percent: "91" }, ["percent"]],
  ["no sum", { gift: "sum" }, ["off"]],
  ["a sum in euros", { gift: "sum", off: "€10" }, ["off"]],
  ["less than a naira", { gift: "sum", off: "₦0.50" }, ["off"]],
  ["more than any cart", { gift: "sum", off: "$30,000,000" }, ["off"]],
  ["a sum that no cart reaches", { fromSum: "$30,000,000" }, ["fromSum"]],
  ["a set without numbers", { gift: "set" }, ["buy", "get"]],
  ["more given than bought", { gift: "set", buy: "1", get: "2" }, ["get"]],
  ["no code", { starts: "code" }, ["code"]],
  ["no moment", { from: "tomorrow" }, ["from"]],
  ["an end before the start", { from: "2026-12-02T09:00", until: "2026-12-01T09:00" }, ["until"]],
  [
    "several",
    { name: "", fromPieces: "two", fromSum: "much", mostUses: "0" },
    ["fromPieces", "fromSum", "mostUses", "name"],
  ],
])("names the fields of %s", (_, typed, fields) => {
  const read = readOffer({ ...EMPTY, ...typed });
  expect(Object.keys("problems" in read ? read.problems : {}).toSorted()).toEqual(fields);
});

test.each<[string, Partial<TypedOffer>]>([
  ["a percentage", { onSaleToo: "on", kinds: ["tees"], collections: ["owambe", "new-yam"] }],
  ["naira off", { gift: "sum", percent: "", off: "₦5,000", fromSum: "₦120,000", from: "2030-01-01T09:00" }],
  ["dollars off", { gift: "sum", percent: "", off: "$12.50", fromSum: "$75", mostUses: "100", oncePerShopper: "on" }],
  ["a set", { gift: "set", percent: "", buy: "3", get: "2", less: "50", fromPieces: "5", firstOrderOnly: "on" }],
  [
    "free delivery",
    {
      ...{
        gift: "delivery",
        percent: "",
        starts: "single",
        until: "2030-01-31T23:59",
        products: "rings-tee\nunity-tee",
      },
      ...{ customers: "ada@example.com\nb@example.com", countries: "Ghana, Nigeria", endedText: "See you next Friday" },
    },
  ],
])("%s, once stored, is shown as it was typed, and read as the same", (_, some) => {
  const typed = { ...EMPTY, ...some };
  const read = readOffer(typed);
  if (!("offer" in read)) throw new Error(JSON.stringify(read.problems));
  const { name, terms, byCode, startsAt = new Date(), endsAt = null, mostUses = null } = read.offer;
  const again = readOffer(typedOf({ name, terms, byCode, startsAt, endsAt, mostUses, version: 1, hasBegun: false }));
  expect(again).toEqual({ offer: { ...read.offer, startsAt: expect.any(Date) } });
});
