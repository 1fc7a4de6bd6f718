import { expect, test } from "vitest";
import { readSaleItems } from "./sale-items.ts";

test.each<[string, string, { percent?: string; price?: string }, unknown]>([
  [
    "ids",
    "rings-tee\n\n two ",
    { percent: "20" },
    [
      { id: "rings-tee", percent: 20 },
      { id: "two", percent: 20 },
    ],
  ],
  [
    "addresses",
    "https://irepo.shop/singleProduct/rings-tee",
    { price: "41.99" },
    [{ id: "rings-tee", priceCents: 4199 }],
  ],
  [
    "prices of their own",
    "one 41.99\ntwo\t$9",
    {},
    [
      { id: "one", priceCents: 4199 },
      { id: "two", priceCents: 900 },
    ],
  ],
  [
    "prices as spreadsheets write them",
    "one 39,50\ntwo;1,250\nthree\t1 250.00",
    {},
    [
      { id: "one", priceCents: 3950 },
      { id: "two", priceCents: 125_000 },
      { id: "three", priceCents: 125_000 },
    ],
  ],
  [
    "some with a price",
    "one, 41.99\ntwo",
    { percent: "5" },
    [
      { id: "one", priceCents: 4199 },
      { id: "two", percent: 5 },
    ],
  ],
])("a list is read: %s", (_, list, { percent = "", price = "" }, items) => {
  expect(readSaleItems(list, { percent, price })).toMatchObject({ items, problems: {} });
});

test.each<[string, string, { percent?: string; price?: string }, object]>([
  ["a line has no price", "one", {}, { percent: "Say how much: a percentage or a price" }],
  ["both do", "one", { percent: "5", price: "5" }, { price: "A percentage or a price, not both" }],
  ["the percentage is invalid", "one", { percent: "100" }, { percent: "A whole number from 1 to 99" }],
  ["the price is invalid", "one", { price: "cheap" }, { price: "A price in dollars, like 41.99" }],
  ["a price may mean another", "one 1.250", { percent: "5" }, { list: expect.stringContaining("one 1.250") }],
  ["a line is no product", "one two three", { percent: "5" }, { list: expect.stringContaining("one two three") }],
])("a list is refused if %s", (_, list, { percent = "", price = "" }, problems) => {
  expect(readSaleItems(list, { percent, price }).problems).toEqual(problems);
});
