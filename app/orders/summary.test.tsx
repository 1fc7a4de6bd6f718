import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { lagosForm } from "#tests/support/shop.ts";
import { OrderHistory } from "./history.tsx";
import { OrderSummary } from "./summary.tsx";
import { orderSums } from "./sums.ts";
import type { OrderView } from "./view.ts";

const lines = [
  { productId: "tee", title: "Tee", color: "Green", size: "M", quantity: 2, priceCents: 2001, image: null },
  { productId: "cap", title: "Cap", color: "Green", size: "ONE", quantity: 1, priceCents: 999, image: null },
];
const sums = orderSums(lines, usdCents(350), FALLBACK_RATE);

function textOf(page: React.ReactNode): string {
  return renderToStaticMarkup(page)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

/** Dollar prices that no naira price follows. The exchange rate ("$1 = ₦1,600") does not count as one of them. */
const alone = (text: string) => [...text.matchAll(/\$[\d,.]+(?![\d,.])(?! ?(?:≈ )?₦| =)/g)].map(([price]) => price);

describe("a naira price is beside every dollar price", () => {
  test("of summary, subtotal and shipping", () => {
    const delivery = { name: "Delivery to Lagos", dates: "27 November to 4 December" };
    const text = textOf(<OrderSummary lines={lines} sums={sums} rate={FALLBACK_RATE} delivery={delivery} />);
    expect(text).toContain("Your order, 3 pieces");
    expect(text).toContain("$40.02 ≈ ₦64,032");
    expect(text).toContain("Subtotal $50.01 ≈ ₦80,016");
    expect(text).toContain("Delivery to Lagos 27 November to 4 December $3.50 ≈ ₦5,600");
    expect(text).toContain("Total $53.51 ₦85,616");
    expect(alone(text)).toEqual([]);
  });

  test("of a total that still lacks the delivery", () => {
    const text = textOf(<OrderSummary lines={lines} sums={sums} rate={FALLBACK_RATE} shippingKnown={false} />);
    expect(text).toContain("So far $53.51 ≈ ₦85,616");
    expect(text).not.toContain("Total");
    expect(alone(text)).toEqual([]);
  });

  test("of the order history, at the order's own rate", () => {
    const order: OrderView = {
      number: "IR-7K3M-2Q",
      reference: "r",
      saleId: "s",
      state: "sold",
      status: "completed",
      lines,
      shipping: { ...lagosForm, location: "", shippingCost: "3.5", shippingRate: "3.5" },
      email: lagosForm.email,
      ...sums,
      kobo: kobo(5351 * 2000),
      rate: "2000",
      rateAt: new Date(),
      refunds: [],
      returns: [],
      orderedAt: new Date(),
      packedAt: null,
      fulfilledAt: null,
      readyAt: null,
      deliveredAt: null,
      returnedAt: null,
      progress: null,
      staysHere: false,
      isNew: false,
      carrier: null,
      tracking: null,
    };
    const text = textOf(<OrderHistory orders={[order]} page={1} hasOlder={false} />);
    expect(text).toContain("$53.51 ₦107,020");
    expect(text).toContain("Delivery to Lagos $3.50 ≈ ₦7,000");
    expect(alone(text)).toEqual([]);
  });
});
