import { describe, expect, test } from "vitest";
import { wayText } from "#app/shipping/ways/text.ts";
import { type PastSale, readSaleDocument } from "./sale.ts";

const whole = {
  id: "sale-1",
  saleId: "other",
  userId: "user-1",
  status: "completed",
  customerDetails: {
    name: "Ada Ngozi Obi",
    email: "ada@example.com",
    shippingAddress: { country: "Nigeria", state: "Lagos", address: "1 Broad Street", postalCode: 100_001 },
  },
  products: [
    { id: "jersey", title: "Home Jersey", name: "Shirt", color: "Green", selectedSize: "M", price: 49.99, quantity: 2 },
  ],
  paymentDetails: {
    reference: "reference-of-16-letters",
    amount: 165_568,
    paymentDate: "2025-11-02T09:00:00Z",
    status: "",
  },
  orderDate: "2025-11-01T09:00:00Z",
  totalAmount: 103.48,
};
type Given = Record<string, unknown>;
const read = (change: Given = {}) => readSaleDocument({ ...whole, ...change });
const paid = (change: Given) => read({ paymentDetails: { ...whole.paymentDetails, ...change } });
const bought = (change: Given, more: Given = {}) =>
  read({ products: [{ ...whole.products[0], ...change }], ...more }).lines[0];
const sentTo = (name: string, shippingAddress?: Given) =>
  read({ customerDetails: { name, email: "ada@example.com", shippingAddress } }).shipping;

test("a whole document is read into this shop's units", () => {
  expect(read()).toEqual({
    id: "sale-1",
    userId: "user-1",
    reference: "reference-of-16-letters",
    provider: "paystack",
    email: "ada@example.com",
    shipping: {
      country: "Nigeria",
      firstName: "Ada",
      lastName: "Ngozi Obi",
      email: "ada@example.com",
      phoneNumber: "",
      deliveryType: "",
      address: "1 Broad Street",
      apartment: "",
      city: "",
      state: "Lagos",
      localGovernment: "",
      landmark: "",
      postalCode: "100001",
      pickupCenter: "",
      location: "",
      shippingCost: "3.50",
      shippingRate: "3.50",
    },
    lines: [
      {
        productId: "jersey",
        title: "Home Jersey",
        color: "Green",
        size: "M",
        quantity: 2,
        priceCents: 4999,
        picture: undefined,
      },
    ],
    sums: { subtotalCents: 9998, shippingCents: 350, totalCents: 10_348, rate: "1600", kobo: 16_556_800 },
    status: "completed",
    importedStatus: null,
    orderedAt: new Date("2025-11-01T09:00:00Z"),
    paidAt: new Date("2025-11-02T09:00:00Z"),
    delivery: {
      packedAt: null,
      fulfilledAt: null,
      readyAt: null,
      deliveredAt: null,
      returnedAt: null,
      carrier: null,
      tracking: null,
    },
    refunds: [],
    refundingKobo: 0,
  });
});

describe("what an export may lack", () => {
  test.each<[string, Given, Partial<PastSale>]>([
    ["its id, which stands elsewhere", { id: undefined }, { id: "other" }],
    ["any id", { id: "", saleId: "" }, { id: undefined }],
    ["its customer", { userId: null }, { userId: undefined }],
    ["its day", { orderDate: undefined }, { orderedAt: new Date("2025-11-02T09:00:00Z") }],
  ])("%s", (_, change, is) => {
    expect(read(change)).toMatchObject(is);
  });

  test("the day of its payment, or any", () => {
    expect(paid({ paymentDate: undefined }).paidAt).toEqual(new Date("2025-11-01T09:00:00Z"));
    const { paymentDate: _, ...payment } = whole.paymentDetails;
    const before = Date.now();
    const { paidAt, orderedAt } = read({ paymentDetails: payment, orderDate: undefined });
    expect(paidAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(orderedAt).toEqual(paidAt);
  });

  test("a price above the total: then its way cost nothing", () => {
    const { sums, shipping } = read({ totalAmount: 90 });
    expect(sums).toMatchObject({ subtotalCents: 9998, shippingCents: 0, totalCents: 9998 });
    expect(shipping).toMatchObject({ shippingCost: "0.00", shippingRate: "0.00" });
  });
});

describe("a status", () => {
  test.each([
    ["Completed", "completed", null],
    [" completed ", "completed", null],
    ["Refunded", "refunded", null],
    ["reversed", "refunded", null],
    ["REFUNDING", "refunding", null],
    ["not completed", "completed", "not completed"],
    ["completed later", "completed", "completed later"],
    ["partly refunded", "completed", "partly refunded"],
    ["refunded in part", "completed", "refunded in part"],
    ["still refunding", "completed", "still refunding"],
    ["refunding soon", "completed", "refunding soon"],
    ["x".repeat(61), "completed", "x".repeat(60)],
  ])("'%s' is %s, and shown as %s", (given, status, importedStatus) => {
    expect(paid({ status: given })).toMatchObject({ status, importedStatus });
  });

  test("of the payment goes before that of the sale, which counts where the payment has none", () => {
    expect(read({ status: "In customs" })).toMatchObject({ importedStatus: "In customs" });
    expect(paid({ status: "refunded" })).toMatchObject({ status: "refunded" });
  });

  test.each([undefined, "", " ", null])("38 that is %j is shown as the specified default", (status) => {
    expect(read({ status })).toMatchObject({ status: "completed", importedStatus: "Processing" });
  });
});

describe("what had gone back", () => {
  test("is a refund where it was done, and a sum where it was under way", () => {
    const refunds = [
      {
        amount: 100.5,
        status: "done",
        products: [{ id: "jersey", quantity: 1, selectedSize: "M" }],
        date: "2025-12-01",
      },
      { amount: 50, status: "done", products: [{ id: "cap", quantity: 1 }], shipping: true },
      { amount: 20.25, status: "under way" },
      { amount: 3 },
    ];
    expect(paid({ refunds })).toMatchObject({
      status: "completed",
      refunds: [
        {
          kobo: 10_050,
          pieces: [{ productId: "jersey", size: "M", quantity: 1 }],
          withShipping: false,
          at: new Date("2025-12-01"),
        },
        {
          kobo: 5000,
          pieces: [{ productId: "cap", size: "ONE", quantity: 1 }],
          withShipping: true,
          at: new Date("2025-11-02T09:00:00Z"),
        },
      ],
      refundingKobo: 2325,
    });
  });

  test("is all of a refunded sale, whatever it lists", () => {
    const all = { kobo: 16_556_800, pieces: [], withShipping: false, at: new Date("2025-11-02T09:00:00Z") };
    const underWay = [{ amount: 100, status: "under way" }];
    for (const refunds of [undefined, underWay])
      expect(paid({ status: "refunded", refunds })).toMatchObject({ refunds: [all], refundingKobo: 0 });
    const done = [{ amount: 100, status: "done" }];
    expect(paid({ status: "refunded", refunds: done })).toMatchObject({
      refunds: [{ kobo: 10_000 }, { ...all, kobo: 16_546_800 }],
    });
    const whole = [{ ...done[0], amount: 165_568 }];
    expect(paid({ status: "refunded", refunds: whole }).refunds.map(({ kobo }) => kobo)).toEqual([16_556_800]);
    expect(paid({ status: "refunding" })).toMatchObject({ refunds: [], refundingKobo: 0 });
  });

  test("may come to all that was paid, rounded up to a naira, and to no more", () => {
    const twice = (amount: number) => [amount, 50].map((one) => ({ amount: one, status: "done" }));
    expect(paid({ amount: 99.5, refunds: twice(50) }).refunds).toHaveLength(2);
    expect(() => paid({ amount: 99.5, refunds: twice(51) })).toThrow("more has gone back than was paid");
  });
});

test("22 sums and numbers are read as people write them, and what is none of them is refused", () => {
  expect(paid({ amount: "₦165,568" }).sums.kobo).toBe(16_556_800);
  expect(bought({ price: "$49,99", quantity: "2" })).toMatchObject({ priceCents: 4999, quantity: 2 });
  expect(() => paid({ amount: "0x10" })).toThrow("'0x10' isn’t an amount in naira");
  expect(() => bought({ quantity: "0x10" })).toThrow("isn’t a whole number");
});

describe("a piece", () => {
  test.each([
    ["by its title", {}, { title: "Home Jersey", size: "M" }],
    ["by its name, without a title", { title: undefined }, { title: "Shirt" }],
    ["by its id, without either", { title: undefined, name: undefined }, { title: "jersey" }],
    ["of the size under its other name", { selectedSize: undefined, sizes: "L" }, { size: "L" }],
    ["of the one size", { selectedSize: undefined }, { size: "ONE" }],
    ["of a colour that is a number", { color: 7 }, { color: "7" }],
    ["of no colour", { color: undefined }, { color: "" }],
    ["with a picture", { images: "a.jpg" }, { picture: "a.jpg" }],
    ["with several, of which the first is shown", { images: ["a.jpg", "b.jpg"] }, { picture: "a.jpg" }],
    ["with the picture that stands for none", { images: "/placeholder.svg" }, { picture: undefined }],
    ["with an empty picture", { images: "" }, { picture: undefined }],
  ])("%s", (_, change, is) => {
    expect(bought(change)).toMatchObject(is);
  });
});

describe("an address", () => {
  test.each([
    ["has its own names", sentTo("Ada Obi", { firstName: "Bisi", lastName: "Ade" }), "Bisi", "Ade"],
    ["has the customer's without them", sentTo("Ada Ngozi Obi", { firstName: "" }), "Ada", "Ngozi Obi"],
    ["has one of each", sentTo("Ada Obi", { lastName: "Ade" }), "Ada", "Ade"],
    ["has no last name of one word", sentTo("Ada"), "Ada", ""],
    ["has no name of nobody", sentTo(""), "", ""],
  ])("%s", (_, { firstName, lastName }, first, last) => {
    expect([firstName, lastName]).toEqual([first, last]);
  });

  test.each([
    ["4.25", "4.25"],
    [4, "4.00"],
    ["free", "3.50"],
    [undefined, "3.50"],
  ])("with the rate %s says %s", (shippingRate, is) => {
    expect(sentTo("Ada", { shippingRate, city: null })).toMatchObject({
      shippingRate: is,
      shippingCost: "3.50",
      city: "",
    });
  });
});

test.each([
  ["Nigeria", "+234 803-123 4567", "08031234567"],
  ["NG", "803 123 4567", "08031234567"],
  [undefined, "0803 123 4567", "08031234567"],
  [undefined, "+234 803 123 4567", "08031234567"],
  [undefined, "(917) 555-1234", "(917) 555-1234"],
  [undefined, "1 917 555 1234", "1 917 555 1234"],
  ["Nigeria", "ask at the gate", "ask at the gate"],
  ["Ghana", "+233 24 123 4567", "+233 24 123 4567"],
])("in %s the phone number '%s' is kept as '%s'", (country, phoneNumber, is) => {
  expect(sentTo("Ada", { country, phoneNumber }).phoneNumber).toBe(is);
});

test.each([
  ["Express, 1 to 2 business days", { name: "Express", fromDays: 1, toDays: 2 }],
  ["Van, by noon, same day", { name: "Van, by noon", fromDays: 0, toDays: 0 }],
  ["Night, 1 business day", { name: "Night", fromDays: 1, toDays: 1 }],
  ["Slow, 12 business days", { name: "Slow", fromDays: 12, toDays: 12 }],
])("the way of delivery '%s' is read as the shop writes it", (deliveryWay, is) => {
  const way = sentTo("Ada", { deliveryWay }).deliveryWay;
  expect(way).toEqual({ id: "", orderBy: "", ...is });
  expect(way && wayText(way)).toBe(deliveryWay);
});

test.each([
  "Express",
  "",
  undefined,
  7,
  "Express, 2 to 1 business days",
  "Express, 1 business days",
  "Express, 0 business days",
  "\u001b[2JExpress, same day",
  `${"x".repeat(41)}, same day`,
])("the way of delivery %j of another shop is left out", (deliveryWay) => {
  expect(sentTo("Ada", { deliveryWay })).not.toHaveProperty("deliveryWay");
});

test.each([
  ["a".repeat(16), "a".repeat(16)],
  ["a".repeat(60), "a".repeat(60)],
  ["a".repeat(15), `moved-in-${"a".repeat(15)}`],
  ["abc", "moved-in-abc...."],
  ["a reference/with (letters)", "moved-in-a.reference.with..letters."],
  [`${"a".repeat(16)}!`, `moved-in-${"a".repeat(16)}.`],
  [`!${"a".repeat(16)}`, `moved-in-.${"a".repeat(16)}`],
  ["#".repeat(60), `moved-in-${".".repeat(50)}`],
])("the reference %s is %s", (reference, ours) => {
  expect(paid({ reference }).reference).toBe(ours);
});

test.each([
  [165_568, "1600", 16_556_800],
  [165_568.2, "1600.009663", 16_556_900],
])("what was paid, %d naira, is rounded up, and the rate leads to no more than it: %s", (amount, rate, kobo) => {
  expect(paid({ amount }).sums).toMatchObject({ rate, kobo });
});

test("the delivery has its times, and the day on which it was sent under this shop's name", () => {
  const at = "2025-11-03T09:00:00Z";
  const { delivery } = read({ delivery: { sentAt: at, carrier: "GIG", tracking: "G-1", deliveredAt: null } });
  expect(delivery).toMatchObject({ fulfilledAt: new Date(at), carrier: "GIG", tracking: "G-1", deliveredAt: null });
  expect(delivery).not.toHaveProperty("sentAt");
});

test.each<[string, Given]>([
  ["without pieces", { products: [] }],
  ["without a total", { totalAmount: 0 }],
  ["without a payment", { paymentDetails: undefined }],
])("a document %s is no sale", (_, change) => {
  expect(() => read(change)).toThrow();
});

test.each(["orderDate", "paymentDate"])("a sale of which the %s lies in the future is none", (name) => {
  const at = (time: number) =>
    name === "orderDate" ? read({ orderDate: new Date(time).toISOString() }) : paid({ paymentDate: time });
  expect(() => at(Date.now() - 1000)).not.toThrow();
  expect(() => at(Date.now() + 60_000)).toThrow("lies in the future");
});
