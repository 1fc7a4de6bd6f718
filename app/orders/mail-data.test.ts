import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { PickupCenter } from "#app/shipping/shipping.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import type { RefundReason } from "./issue-kind.ts";
import { orderMail, placeMail, refundMail, sentMail } from "./mail-data.ts";
import { returnMail } from "./returns/mail-data.ts";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-02T23:30:00Z") }); // in Lagos, Tuesday the 3rd
});
afterAll(() => {
  vi.useRealTimers();
});

const shop = { publicUrl: new URL("https://shop.example"), SHOP_TIMEZONE: "Africa/Lagos" };
const line: OrderLine = {
  productId: "jersey",
  title: "Home Jersey",
  color: "Green",
  size: "M",
  quantity: 2,
  priceCents: 4999,
  image: { hash: "0123456789abcdef0123", width: 1200, height: 1500, alt: "Front", background: "#efe8dc" },
};
const item = {
  title: "Home Jersey",
  color: "Green",
  size: "M",
  quantity: 2,
  picture: "https://shop.example/images/0123456789abcdef0123/160.jpg",
};
const order = {
  number: "IR-7K3M-2Q",
  shipping: {
    firstName: "Ada",
    lastName: "Obi",
    address: "1 Broad Street",
    state: "Lagos",
    country: "Nigeria",
    pickupCenter: "",
  } as ShippingDetails,
  lines: [line],
  subtotalCents: 9998,
  shippingCents: 350,
  totalCents: 10_348,
  rate: "1600.000000",
  kobo: "16556800",
  numbers: null,
};
const center = {
  name: "Yaba",
  address: "11 Way",
  state: "Lagos",
  landmark: "",
  hours: "9-18",
  bring: "",
} as PickupCenter;
const pickedUp = { ...order, shipping: { ...order.shipping, pickupCenter: "Yaba" } };
const orderUrl = "https://shop.example/order/ref-1";

describe("the confirmation", () => {
  const mailed = {
    number: "IR-7K3M-2Q",
    reference: "ref-1",
    firstName: "",
    lines: [{ ...item, sum: "$99.98", naira: "₦159,968" }],
    subtotal: "$99.98",
    shipping: "$3.50",
    total: "$103.48",
    charged: "₦165,568",
    naira: { rate: "₦1,600", subtotal: "₦159,968", shipping: "₦5,600" },
    orderUrl,
  };

  test("has the pieces, the sums, the address and the days, counted from now in the shop's time zone", () => {
    expect(orderMail(order, "ref-1", shop)).toEqual({
      ...mailed,
      leavesBy: "by Friday 6 November",
      arrives: "between 10 November and 17 November",
      pickUpAt: "",
      deliverTo: ["Ada Obi", "1 Broad Street", "Lagos", "Nigeria"],
      pickup: undefined,
    });
  });

  test("of a pick-up order has the center with its details, and the days counted from the order", () => {
    expect(orderMail(pickedUp, "ref-1", shop, center, new Date("2026-10-28T09:00:00Z"))).toMatchObject({
      ...mailed,
      leavesBy: "by Monday 2 November",
      pickUpAt: "Yaba",
      deliverTo: ["Ada Obi", "Pick-up: Yaba", "Nigeria"],
      pickup: [
        { title: "Place", text: "Yaba. 11 Way" },
        { title: "Open", text: "9-18" },
      ],
    });
  });
});

test("no mail's data has the order's receiver, who need not be the buyer; the reader's name is added later", () => {
  const days = { orderedAt: new Date(), sentAt: new Date(), tracking: null };
  const sum = { amount: 100, currency: "NGN" };
  const told = { number: "RT-1", reference: "ref-1", wish: "money" as const, sendBack: true, pieces: [], order };
  for (const { firstName } of [
    orderMail(order, "ref-1", shop),
    sentMail(order, "ref-1", days, shop),
    placeMail(order, "ref-1", shop),
    refundMail(order, "ref-1", sum, undefined, shop.publicUrl),
    returnMail(told, "asked", {}, shop.publicUrl),
  ])
    expect(firstName).toBe("");
});

test("the mail about sending has the days counted from then, and the parcel, but no sums", () => {
  const parcel = { carrier: "GIG", tracking: "G-1", isCorrection: true };
  const times = { orderedAt: new Date("2026-10-26T09:00:00Z"), sentAt: new Date("2026-11-02T09:00:00Z") };
  expect(sentMail(order, "ref-1", { ...times, ...parcel }, shop)).toEqual({
    number: "IR-7K3M-2Q",
    reference: "ref-1",
    firstName: "",
    items: [item],
    deliverTo: ["Ada Obi", "1 Broad Street", "Lagos", "Nigeria"],
    pickUpAt: "",
    pickup: undefined,
    orderUrl,
    arrives: "between 5 November and 11 November",
    ...parcel,
  });
});

test("the mail about a pick-up has the center", () => {
  expect(placeMail(pickedUp, "ref-1", shop, center)).toMatchObject({ pickUpAt: "Yaba", pickup: [{}, {}], orderUrl });
});

describe("the mail about a refund", () => {
  const mail = (currency: string, reason?: RefundReason, part?: Parameters<typeof refundMail>[5], words?: string) =>
    refundMail(order, "ref-1", { amount: 8_558_450, currency }, reason, shop.publicUrl, part, words);

  test("of everything has the sum in naira, and nothing else if the reason is unknown", () => {
    expect(mail("NGN")).toEqual({
      number: "IR-7K3M-2Q",
      reference: "ref-1",
      firstName: "",
      sum: "₦85,584.50",
      reason: "",
      words: undefined,
      parts: undefined,
      pictures: undefined,
      orderUrl,
      cartUrl: undefined,
    });
  });

  test("in another currency has its code", () => {
    expect(mail("USD", "wrong-currency")).toMatchObject({
      sum: "USD 85584.50",
      reason: "The payment wasn’t made in naira.",
      cartUrl: undefined,
    });
  });

  test("of a part has its pieces and the words of staff", () => {
    const part = { pieces: [{ productId: "jersey", size: "M", quantity: 1 }], withShipping: true };
    expect(mail("NGN", "returned", part, "Thank you.")).toMatchObject({
      parts: ["1 × Home Jersey, Green, M", "Delivery"],
      pictures: [item.picture],
      words: "Thank you.",
      reason: "It’s for your return, or as we’ve agreed with you.",
    });
  });

  test.each<[RefundReason, boolean]>([
    ["out-of-stock", true],
    ["price-risen", true],
    ["too-late", true],
    ["second-charge", false],
    ["wrong-amount", false],
    ["cancelled", false],
    ["reversed", false],
    ["provider", false],
  ])("for '%s' links to the cart: %s", (reason, leads) => {
    expect(mail("NGN", reason).cartUrl).toBe(leads ? "https://shop.example/Cart" : undefined);
  });
});
