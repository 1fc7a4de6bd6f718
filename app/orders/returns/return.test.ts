import { describe, expect, test } from "vitest";
import type { OrderLine } from "#db/types.ts";
import { returnMail, returnTexts } from "./mail-data.ts";
import { isOurMistake, leftOut, type OrderReturn, RETURN_REASONS, returnWords } from "./return.ts";

test("damaged and wrong pieces are the shop's mistake, and no other reason is", () => {
  expect(RETURN_REASONS.filter(isOurMistake)).toEqual(["damaged", "wrong"]);
});

test.each([
  ["none, if there is no refund", null, []],
  [
    "all, if the refund was for other pieces",
    [{ productId: "away", size: "M", quantity: 2 }],
    [
      ["M", 2],
      ["L", 1],
    ],
  ],
  [
    "the rest of a size",
    [{ productId: "home", size: "M", quantity: 1 }],
    [
      ["M", 1],
      ["L", 1],
    ],
  ],
  ["no size that was refunded completely", [{ productId: "home", size: "M", quantity: 2 }], [["L", 1]]],
])("the pieces left out of a refund: %s", (_, refunded, left) => {
  const of = (size: string, quantity: number) => ({ productId: "home", size, quantity });
  const pieces = [
    { ...of("M", 2), newSize: null },
    { ...of("L", 1), newSize: "XL" },
  ];
  expect(leftOut(pieces, refunded)).toEqual(left.map(([size, quantity]) => of(String(size), Number(quantity))));
});

describe("the state of a return in words", () => {
  const given: OrderReturn = {
    number: "RT-7K3M-2Q",
    state: "asked",
    reason: "size",
    wish: "money",
    pieces: [],
    refunded: null,
    words: "",
    answer: "",
    sendBack: true,
    carrier: null,
    tracking: null,
    askedAt: "2026-11-01T09:00:00Z",
    decidedAt: null,
    receivedAt: null,
    endedAt: null,
    pictures: [],
  };
  const exchange: OrderReturn = { ...given, wish: "exchange" };
  const piece = { productId: "home", size: "M", quantity: 1 };
  const needNot = "You don’t need to send anything back.";
  test.each<[OrderReturn, Partial<OrderReturn>, string, string]>([
    [given, {}, "Return requested", "We’ll review it and email you."],
    [exchange, {}, "Exchange requested", "We’ll review it and email you."],
    [
      given,
      { state: "approved" },
      "Return approved",
      "Please send the pieces back: when they are here, the money follows within 7 business days.",
    ],
    [
      exchange,
      { state: "approved" },
      "Exchange approved",
      "We’re holding the other size for you. Please send the items back.",
    ],
    [
      given,
      { state: "approved", sendBack: false },
      "Return approved",
      `${needNot} The money follows within 7 business days.`,
    ],
    [exchange, { state: "approved", sendBack: false }, "Exchange approved", `${needNot} We send it to you.`],
    [given, { state: "declined", answer: "It was worn" }, "Return declined", "It was worn"],
    [exchange, { state: "declined" }, "Exchange declined", "Any questions? Email us."],
    [given, { state: "withdrawn" }, "Return withdrawn", "You may ask again while the 14 days last."],
    [given, { state: "received" }, "Back with us", "Your money follows within 7 business days."],
    [exchange, { state: "received" }, "Back with us", "The other size leaves soon."],
    [given, { state: "done" }, "Money given back", "Its sum stands among the refunds of the order."],
    [
      given,
      { state: "done", pieces: [{ ...piece, quantity: 2, newSize: null }], refunded: [piece] },
      "Money given back",
      "For 1 of 2 pieces; for the other one you may ask again while the 14 days last. Its sum stands among the refunds of the order.",
    ],
    [
      given,
      { state: "done", pieces: [{ ...piece, quantity: 3, newSize: null }], refunded: [piece] },
      "Money given back",
      "For 1 of 3 pieces; for the others you may ask again while the 14 days last. Its sum stands among the refunds of the order.",
    ],
    [exchange, { state: "done" }, "Exchanged", "On its way to you."],
    [exchange, { state: "done", carrier: "GIG" }, "Exchanged", "On its way to you, with GIG."],
    [
      exchange,
      { state: "done", carrier: "GIG", tracking: "G-1" },
      "Exchanged",
      "On its way to you, with GIG, tracking number G-1.",
    ],
  ])("%o, now %o: %s", (one, now, title, next) => {
    expect(returnWords({ ...one, ...now })).toEqual({ title, next });
  });
});

describe("a mail about a return", () => {
  const lines = [{ productId: "jersey", title: "Home Jersey", color: "Green", size: "M" }] as OrderLine[];
  const piece = (newSize: string | null) => ({ productId: "jersey", size: "M", quantity: 1, newSize });

  test("names the pieces, and money or the new size", () => {
    expect(returnTexts(lines, [piece("L"), piece(null)])).toEqual([
      "1 × Home Jersey, Green, M, for L",
      "1 × Home Jersey, Green, M",
    ]);
  });

  test.each(["money", "exchange"] as const)("for %s has both numbers, the step and a link to its page", (wish) => {
    const order = { number: "IR-7K3M-2Q", lines };
    const told = { number: "RT-7K3M-2Q", reference: "ref-1", wish, sendBack: false, pieces: [piece(null)], order };
    expect(returnMail(told, "approved", { answer: "Sorry" }, new URL("https://shop.example"))).toEqual({
      step: "approved",
      isExchange: wish === "exchange",
      number: "IR-7K3M-2Q",
      returnNumber: "RT-7K3M-2Q",
      reference: "ref-1",
      firstName: "",
      pieces: ["1 × Home Jersey, Green, M"],
      pictures: [null],
      sendBack: false,
      answer: "Sorry",
      returnUrl: "https://shop.example/order/ref-1/return",
    });
  });
});
