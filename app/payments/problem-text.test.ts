import { expect, test } from "vitest";
import * as messages from "#app/messages.ts";
import { chargeInKobo, FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { problemText, shortText } from "./problem-text.ts";
import { unsettled } from "./unsettled.ts";

const jersey = { productId: "jersey", title: "Home Jersey", size: "M", quantity: 9, available: 0 };

test.each([
  ["sold out", [jersey], "Home Jersey in M is sold out."],
  ["one left", [{ ...jersey, available: 1 }], "Of Home Jersey in M only 1 is left."],
  ["some left", [{ ...jersey, available: 2 }], "Of Home Jersey in M only 2 are left."],
  [
    "the owner's limit",
    [{ ...jersey, available: 2, isLimit: true }],
    "Of Home Jersey in M at most 2 can be bought in one order.",
  ],
  [
    "several, one of which comes in one size",
    [jersey, { ...jersey, title: "Cap", size: "ONE", available: 3 }],
    "Home Jersey in M is sold out. Of Cap only 3 are left.",
  ],
])("shortages are named piece by piece: %s", (_, lines, text) => {
  expect(shortText(lines)).toBe(text);
});

const totalCents = usdCents(5349);
const sums = {
  subtotalCents: usdCents(4999),
  shippingCents: usdCents(350),
  totalCents,
  kobo: chargeInKobo(totalCents, FALLBACK_RATE),
};
const stale = { ok: false, problem: "stale-total", sums } as const;

test.each<[Parameters<typeof problemText>[0], string]>([
  [{ ok: false, problem: "empty-cart" }, messages.checkout.emptied],
  [{ ok: false, problem: "not-verified" }, messages.login.unverified],
  [{ ok: false, problem: "not-naira" }, messages.payment.notNaira],
  [{ ok: false, problem: "out-of-stock", lines: [jersey] }, "Home Jersey in M is sold out."],
  [{ ok: false, problem: "too-many", lines: [jersey], limit: 5 }, messages.cartOther.mostOfASize(5)],
  [stale, "The total has changed to ₦85,584. Please check it and press Pay Now again."],
  [
    { ...stale, unheld: "stock" },
    `The total has changed to ₦85,584. ${messages.order.unheld.stock} Please check it and press Pay Now again.`,
  ],
  [
    { ok: false, problem: "holds-nothing", unheld: "stockAndOffers" },
    `${messages.order.unheld.stockAndOffers} If you still want them, press Pay Now again.`,
  ],
  [
    { ok: false, problem: "holds-nothing", unheld: "stock" },
    `${messages.order.unheld.stock} If you still want them, press Pay Now again.`,
  ],
  [{ ok: false, problem: "no-delivery" }, messages.order.noDelivery],
  [{ ok: false, problem: "payment-email-refused" }, messages.form.emailRefused],
  [{ ok: false, problem: "payment-refused" }, messages.form.paymentRefused],
  [{ ok: false, problem: "earlier-payment-unseen" }, messages.order.earlierNotSeen],
  [
    { ok: false, problem: "payment-unavailable" },
    "Card payments aren’t available right now. Nothing was charged and your cart is kept. Please try again in a moment.",
  ],
])("the reason why no payment was started, as a text: $problem", (not, text) => {
  expect(problemText(not)).toBe(text);
});

test("a total that was not shown before is not called changed", () => {
  expect(problemText(stale, false)).toBe(
    "With delivery the total is ₦85,584. Please check it and press Pay Now again.",
  );
});

test.each([
  ["refunding", false, "Your money is on its way back to you.", "See why"],
  ["unpaid", true, messages.order.notSeen, "Was I charged?"],
  ["unavailable", false, messages.payment.recordingFailed, "Was I charged?"],
] as const)("of a payment that is %s (popup closed: %s) the dialog says so", (outcome, closed, text, hrefText) => {
  expect(unsettled(outcome, "r1", closed)).toEqual({ step: "stuck", text, href: "/order/r1", hrefText });
});
