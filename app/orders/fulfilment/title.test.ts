import { describe, expect, test } from "vitest";
import type { OrderLine } from "#db/types.ts";
import type { OrderReturn } from "../returns/return.ts";
import type { OrderRefund, OrderView } from "../view.ts";
import { type FulfilmentTimes, progressOf } from "./progress.ts";
import { soldTitle } from "./title.ts";

const at = (time: string) => new Date(`2026-11-${time}+01:00`);
const [packedAt, fulfilledAt, readyAt] = [at("24T11:20"), at("25T09:05"), at("26T16:40")];
const nothing = { packedAt: null, fulfilledAt: null, readyAt: null, deliveredAt: null, returnedAt: null };
const sent = { packedAt, fulfilledAt };
const delivered = { ...sent, deliveredAt: at("27T10:00") };

const piece = { productId: "home", size: "M", quantity: 1 };
const refund = (isDone: boolean, quantity = 1): OrderRefund => ({
  kobo: 100,
  isDone,
  pieces: quantity > 0 ? [{ ...piece, quantity }] : [],
  withShipping: false,
  at: "",
});
const given: OrderReturn = {
  number: "RT-7K3M-2Q",
  state: "asked",
  reason: "size",
  wish: "money",
  pieces: [{ ...piece, newSize: null }],
  refunded: null,
  words: "",
  answer: "",
  sendBack: true,
  carrier: null,
  tracking: null,
  askedAt: "2026-11-28T09:00:00Z",
  decidedAt: null,
  receivedAt: null,
  endedAt: null,
  pictures: [],
};
const exchange: OrderReturn = { ...given, wish: "exchange" };
const exchanged: OrderReturn = { ...exchange, state: "done", endedAt: "2026-11-30T09:00:00Z", carrier: "GIG" };

type Case = { times?: Partial<FulfilmentTimes>; center?: string } & Partial<OrderView>;

/** The title and the text of a sold order of two pieces. */
function words({ times, center = "", ...order }: Case): [title: string, text: string] {
  const tracked = { ...nothing, ...times, orderedAt: at("22T14:36"), carrier: null };
  const shipping = { country: "Nigeria", pickupCenter: center };
  const view = {
    lines: [{ ...piece, quantity: 2 } as OrderLine],
    kobo: 8_558_400,
    status: "completed",
    progress: progressOf({ ...tracked, shipping }, at("23T18:00"), "Africa/Lagos"),
    refunds: [],
    returns: [],
    staysHere: false,
    isNew: true,
    ...order,
  } as unknown as OrderView;
  const { title, text } = soldTitle(view, "Bola");
  return [title, text];
}

const THANKS = "Thank you, Bola. Your order is in.";

describe("the title of an order's page says what has happened last", () => {
  test.each<[string, Case, string, string | RegExp]>([
    ["paid", {}, THANKS, "Payment successful! Order has been recorded. Your payment of ₦85,584 has arrived."],
    ["paid, and its thanks dismissed", { isNew: false }, "Paid. We’re packing it.", /^It leaves us by Wednesday/],
    ["paid, a part refunded", { refunds: [refund(true)] }, "Paid. We’re packing it.", /^It leaves us by Wednesday/],
    ["paid, a sum on its way back", { refunds: [refund(false, 0)] }, "Paid. We’re packing it.", /^It leaves us by/],
    ["packed", { times: { packedAt } }, "Packed. Waiting for the carrier.", /^It leaves us by Wednesday/],
    ["packed for a pick-up", { times: { packedAt }, center: "Yaba" }, "Packed. Next it goes to Yaba.", /^It leaves/],
    ["sent", { times: sent }, "On its way to you.", /^Between 27 November and/],
    ["ready for pick-up", { times: { readyAt }, center: "Yaba" }, "Ready for you at Yaba.", /^Since Thursday 26/],
    ["delivered", { times: delivered }, "Delivered.", "On Friday 27 November"],
    [
      "delivered, a part refunded",
      { times: delivered, refunds: [refund(true)] },
      "Delivered.",
      "On Friday 27 November",
    ],
    ["picked up", { times: { ...delivered, readyAt }, center: "Yaba" }, "Picked up.", "On Friday 27 November"],
    ["a return asked", { times: delivered, returns: [given] }, "Return requested.", "We’ll review it and email you."],
    [
      "an exchange asked",
      { times: delivered, returns: [exchange] },
      "Exchange requested.",
      "We’ll review it and email you.",
    ],
    [
      "a return approved",
      { times: delivered, returns: [{ ...given, state: "approved" }] },
      "Return approved.",
      /^Please send the pieces back/,
    ],
    [
      "a return that is back",
      { times: delivered, returns: [{ ...given, state: "received" }] },
      "What you sent back has arrived.",
      "Your money follows within 7 business days.",
    ],
    [
      "an exchange sent",
      { times: delivered, returns: [exchanged] },
      "Exchange sent.",
      "It left us on 30 November 2026, with GIG",
    ],
    [
      "a return after an exchange",
      { times: delivered, returns: [given, exchanged] },
      "Return requested.",
      "We’ll review it and email you.",
    ],
    ...(["done", "declined", "withdrawn"] as const).map((state): [string, Case, string, string] => [
      `a return for money that is ${state}`,
      { times: delivered, returns: [{ ...given, state }], refunds: [refund(true)] },
      "Delivered.",
      "On Friday 27 November",
    ]),
    [
      "all of it returned, as the owner reported",
      { times: { ...delivered, returnedAt: at("30T10:00") }, returns: [exchanged] },
      "Back with us.",
      "It came back on Monday 30 November",
    ],
    [
      "everything is being refunded before it leaves",
      { staysHere: true, progress: null, refunds: [refund(true), refund(false)] },
      "Nothing will be sent.",
      "We’re refunding everything in this order.",
    ],
    [
      "everything has been refunded before it left",
      { staysHere: true, progress: null, refunds: [refund(true), refund(true)] },
      "Nothing will be sent.",
      "We refunded everything in this order before it was sent.",
    ],
    [
      "everything was refunded before it left, and a refund has failed",
      { staysHere: true, progress: null, refunds: [] },
      "Nothing will be sent.",
      "We’re refunding everything in this order.",
    ],
    ["imported, with unknown delivery", { progress: null }, "Payment completed", ""],
    ["imported with a status of its own", { progress: null, status: "In customs" }, "In customs", ""],
  ])("%s", (_, order, title, text) => {
    expect(words(order)).toEqual([title, typeof text === "string" ? text : expect.stringMatching(text)]);
  });
});
