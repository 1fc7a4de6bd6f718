import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { contentsOf, creditNumber, creditOf, receiptNumber, vatIn, vatText } from "./receipt.ts";

test.each([
  [2026, 1, "2026-000001", "CN-2026-000001"],
  [2026, 123456, "2026-123456", "CN-2026-123456"],
  [2027, 1234567, "2027-1234567", "CN-2027-1234567"],
])("of %i, number %i is written %s, and of a credit note %s", (year, number, receipt, credit) => {
  expect([receiptNumber(year, number), creditNumber(year, number)]).toEqual([receipt, credit]);
});

describe("the VAT in a sum", () => {
  test.each([
    [20_555_200, 75, 1_434_084], // ₦205,552.00 at 7.5%
    [1075, 75, 75],
    [100, 75, 7],
    [0, 75, 0],
    [8_558_400, 0, 0],
    [8_558_400, null, 0],
    [130, 300, 30],
    [3, 200, 1], // 0.5 of a kobo is rounded up
  ])("of %i kobo at %s tenths of a percent is %i kobo", (sum, tenths, vat) => {
    expect(vatIn(sum, tenths)).toBe(vat);
  });

  test.each([
    [75, "7.5%"],
    [0, "0%"],
    [100, "10%"],
    [7, "0.7%"],
    [300, "30%"],
  ])("%i tenths of a percent are written %s", (tenths, text) => {
    expect(vatText(tenths)).toBe(text);
  });
});

const sums = fc.integer({ min: 1, max: 1_000_000_000 });
const tenths = fc.integer({ min: 0, max: 300 });

test("all credit notes of a receipt add up to exactly its sum and VAT, whatever their number and sums", () => {
  fc.assert(
    fc.property(sums, tenths, fc.array(sums, { minLength: 1, maxLength: 20 }), (kobo, vatTenths, refunds) => {
      const receipt = { kobo, vatTenths };
      let [credited, vat] = [0, 0];
      for (const refunded of [...refunds.map((one) => 1 + (one % kobo)), kobo]) {
        const credit = creditOf(receipt, credited, refunded);
        expect(credit.kobo).toBe(Math.min(refunded, kobo - credited));
        expect(credit.vatKobo).toBeGreaterThanOrEqual(0);
        expect(credit.vatKobo).toBeLessThanOrEqual(credit.kobo);
        credited += credit.kobo;
        vat += credit.vatKobo;
      }
      expect([credited, vat]).toEqual([kobo, vatIn(kobo, vatTenths)]);
    }),
  );
});

test("the lines and the delivery of a receipt add up to its sum", () => {
  const line = fc.record({ quantity: fc.integer({ min: 1, max: 20 }), cents: fc.integer({ min: 1, max: 100_000 }) });
  const lines = fc.array(line, { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(lines, fc.nat({ max: 9999 }), fc.integer({ min: 100, max: 300_000 }), (bought, shippingCents, at) => {
      const rate = parseRate((at / 100).toFixed(2)) as Rate;
      const subtotalCents = bought.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0);
      const kobo = Number((BigInt(subtotalCents + shippingCents) * rate + 99_999_999n) / 100_000_000n) * 100;
      const named = bought.map((piece) => ({ ...piece, title: "Jersey", color: "Green", size: "M" }));
      const contents = contentsOf({ kobo, subtotalCents, shippingCents, rate, isAbroad: false }, named);
      const all = contents.lines.reduce((sum, piece) => sum + piece.kobo, contents.deliveryKobo);
      expect(all).toBe(kobo);
      expect(contents.lines.every((piece) => piece.kobo >= 0)).toBe(true);
    }),
  );
});
