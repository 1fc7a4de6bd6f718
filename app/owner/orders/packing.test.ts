import { expect, test } from "vitest";
import type { OrderLine } from "#db/types.ts";
import { lineToPack } from "./packing.server.ts";

test("staff who pack see a piece without any sum, also if an offer or a sale made its price", () => {
  const piece = { productId: "jersey", title: "Jersey", color: "Ink", size: "M", quantity: 1, image: null };
  const prices = { priceCents: 4000, fullCents: 5000, offerNames: ["Radio week"], isOnSale: true, oldPriceCents: 6000 };
  const line: OrderLine = { ...piece, ...prices, finalSale: true };
  expect(lineToPack(line)).toEqual({ ...piece, finalSale: true });
});
