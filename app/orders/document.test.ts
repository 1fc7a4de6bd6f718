import { expect, test } from "vitest";
import type { ProductImage, ShippingDetails } from "#db/types.ts";
import { type StoredSale, toOrderSummary, toSaleDocument } from "./document.ts";

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 9));
const shipping = { firstName: "Ada", lastName: "Obi", state: "Lagos", shippingRate: "4.00" } as ShippingDetails;
const line = { productId: "jersey", title: "Home Jersey", color: "Green", size: "M", quantity: 2, priceCents: 4999 };
const image: ProductImage = { hash: "ab".repeat(10), width: 640, height: 800, alt: "", background: "#fff" };
const sold: StoredSale = {
  provider: "paystack",
  saleId: "sale-1",
  userId: "user-1",
  reference: "ref-1",
  email: "ada@example.com",
  status: "completed",
  importedStatus: null,
  lines: [{ ...line, image: null }],
  shipping,
  subtotalCents: 9998,
  shippingCents: 350,
  totalCents: 10_348,
  kobo: 16_556_850,
  refunds: [],
  paidAt: at(2),
  soldAt: at(1),
  packedAt: null,
  fulfilledAt: null,
  readyAt: null,
  deliveredAt: null,
  returnedAt: null,
  carrier: null,
  tracking: null,
};

test("a sale that has not been sent has neither a delivery nor refunds", () => {
  expect(toSaleDocument(sold, "https://shop.example")).toEqual({
    userId: "user-1",
    customerDetails: {
      name: "Ada Obi",
      email: "ada@example.com",
      shippingAddress: { ...shipping, shippingCost: 3.5, shippingRate: 4, paymentReference: "ref-1" },
    },
    products: [
      {
        id: "jersey",
        title: "Home Jersey",
        name: "Home Jersey",
        price: 49.99,
        color: "Green",
        sizes: "M",
        selectedSize: "M",
        quantity: 2,
        images: "/placeholder.svg",
      },
    ],
    paymentDetails: {
      reference: "ref-1",
      amount: 165_568.5,
      currency: "NGN",
      status: "completed",
      paymentMethod: "Paystack",
      paymentDate: "2026-11-02T09:00:00.000Z",
    },
    shippingCost: 3.5,
    orderDate: "2026-11-01T09:00:00.000Z",
    totalAmount: 103.48,
    subtotal: 99.98,
  });
});

test("a picture is a URL of the shop, and an unreadable shipping rate is what was charged for shipping", () => {
  const order = { ...sold, lines: [{ ...line, image }], shipping: { ...shipping, shippingRate: "" } };
  const { products, customerDetails } = toSaleDocument(order, "https://shop.example");
  expect(products[0]?.images).toBe(`https://shop.example/images/${image.hash}/640.jpg`);
  expect(customerDetails.shippingAddress.shippingRate).toBe(3.5);
});

test("an imported sale keeps the status that another shop gave it", () => {
  const order = { ...sold, importedStatus: "In customs" };
  expect(toSaleDocument(order, "").paymentDetails.status).toBe("In customs");
});

test("refunds are in naira, with those that are under way beside the sum of those that are done", () => {
  const pieces = [{ productId: "jersey", size: "M", quantity: 1 }];
  const refunds = [
    { kobo: 7_998_450, isDone: true, pieces, withShipping: false, at: "2026-11-05T09:00:00+00:00" },
    { kobo: 560_000, isDone: false, pieces: [], withShipping: true, at: "2026-11-06T09:00:00+00:00" },
  ];
  expect(toSaleDocument({ ...sold, refunds }, "").paymentDetails).toMatchObject({
    refunded: 79_984.5,
    refunds: [
      {
        amount: 79_984.5,
        status: "done",
        products: [{ id: "jersey", selectedSize: "M", quantity: 1 }],
        shipping: false,
        date: "2026-11-05T09:00:00.000Z",
      },
      { amount: 5600, status: "under way", products: [], shipping: true, date: "2026-11-06T09:00:00.000Z" },
    ],
  });
});

test("a delivery has the times that are known, the carrier and the tracking number", () => {
  const parcel = { packedAt: at(2), fulfilledAt: at(3), deliveredAt: at(5), carrier: "GIG", tracking: "G-1" };
  expect(toOrderSummary({ ...sold, ...parcel }, "")).toMatchObject({
    saleId: "sale-1",
    saleDate: "2026-11-01T09:00:00.000Z",
    delivery: {
      status: "delivered",
      packedAt: "2026-11-02T09:00:00.000Z",
      sentAt: "2026-11-03T09:00:00.000Z",
      deliveredAt: "2026-11-05T09:00:00.000Z",
      carrier: "GIG",
      tracking: "G-1",
    },
  });
  const { delivery } = toSaleDocument({ ...sold, packedAt: at(2) }, "");
  expect(delivery).toEqual({ status: "packed", packedAt: "2026-11-02T09:00:00.000Z", carrier: null, tracking: null });
  const back = toSaleDocument({ ...sold, readyAt: at(4), returnedAt: at(9) }, "").delivery;
  expect(back).toMatchObject({ status: "returned", readyAt: at(4).toISOString(), returnedAt: at(9).toISOString() });
});
