import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { SEED } from "#tests/support/seed.ts";
import { planRefund, type Refundable, type RefundWish, replacedBy, shippingKobo, shippingLeft } from "./refund-plan.ts";
import type { Units } from "./units.ts";

type Line = Units & { priceCents: number };

function saleOf(lines: Line[], shippingCents: number, rate: Rate, fees = 0): Refundable {
  const subtotalCents = lines.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
  const kobo = chargeInKobo(usdCents(subtotalCents + shippingCents), rate);
  const nothing = { backKobo: 0, backPieces: [], isShippingBack: false };
  return { lines, subtotalCents, shippingCents, rate, kobo, paidKobo: kobo + fees, ...nothing };
}

/** The sale after a refund. Throws if the refund is not possible. */
function less(sale: Refundable, wish: RefundWish): { sale: Refundable; kobo: number } {
  const plan = planRefund(sale, wish);
  if (!plan.ok) throw new Error(plan.problem);
  const { kobo, pieces, withShipping } = plan;
  const isShippingBack = sale.isShippingBack || withShipping;
  return {
    kobo,
    sale: { ...sale, backKobo: sale.backKobo + kobo, backPieces: [...sale.backPieces, ...pieces], isShippingBack },
  };
}

const jersey: Line = { productId: "jersey", size: "M", quantity: 2, priceCents: 4999 };
const cap: Line = { productId: "cap", size: "ONE", quantity: 1, priceCents: 1501 };
const rate = 1_534_567_891n as Rate;
const sale = saleOf([jersey, cap], 350, rate);

const arbitrarySale = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 5 })), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.integer({ min: 0, max: 9_999 }),
    fc.bigInt({ min: 1_000_000n, max: 3_000_000_000n }),
    fc.constantFrom(0, 0, 10_283),
  )
  .map(([lines, shippingCents, rate, fees]) =>
    saleOf(
      lines.map(([priceCents, quantity], index) => ({ productId: `p${index}`, size: "M", quantity, priceCents })),
      shippingCents,
      rate as Rate,
      fees,
    ),
  );

describe("the parts of a sale", () => {
  test("add up to the charge for the goods, piece by piece in any order, and with the shipping to the whole charge", () => {
    fc.assert(
      fc.property(arbitrarySale, fc.infiniteStream(fc.nat()), fc.boolean(), (whole, seeds, shippingFirst) => {
        let left = whole.lines.flatMap(({ quantity, ...unit }) => Array.from({ length: quantity }, () => unit));
        let now = whole;
        const hasShipping = shippingKobo(whole) > 0;
        if (hasShipping && shippingFirst) now = less(now, { withShipping: true }).sale;
        while (left.length > 0) {
          const at = (seeds.next().value ?? 0) % left.length;
          const [unit] = left.slice(at, at + 1);
          left = left.toSpliced(at, 1);
          if (!unit) throw new Error("none left");
          const plan = planRefund(now, { pieces: [{ ...unit, quantity: 1 }] });
          // A piece that is worth less than a kobo cannot be refunded.
          if (plan.ok) now = less(now, { pieces: [{ ...unit, quantity: 1 }] }).sale;
          else now = { ...now, backPieces: [...now.backPieces, { ...unit, quantity: 1 }] };
        }
        if (hasShipping && !shippingFirst) now = less(now, { withShipping: true }).sale;
        expect(now.backKobo).toBe(whole.kobo);
      }),
      { seed: SEED },
    );
  });

  test("and sums in between never exceed the charge, and leave exactly the rest", () => {
    const wish = fc.oneof(
      fc.nat({ max: 4 }).map((index): RefundWish => ({ pieces: [{ productId: `p${index}`, size: "M", quantity: 1 }] })),
      fc.integer({ min: 1, max: 50_000_000 }).map((kobo): RefundWish => ({ kobo })),
      fc.constant<RefundWish>({ withShipping: true }),
    );
    fc.assert(
      fc.property(arbitrarySale, fc.array(wish, { maxLength: 12 }), (whole, wishes) => {
        let now = whole;
        for (const one of wishes) if (planRefund(now, one).ok) now = less(now, one).sale;
        expect(now.backKobo).toBeLessThanOrEqual(whole.paidKobo);
        if (now.backKobo < whole.paidKobo) expect(less(now, {}).sale.backKobo).toBe(whole.paidKobo);
        else expect(planRefund(now, {}).ok).toBe(false);
      }),
      { seed: SEED },
    );
  });

  test("a piece without its shipping, and with it", () => {
    const pieces = [{ productId: "jersey", size: "M", quantity: 1 }];
    const goods = sale.kobo - shippingKobo(sale);
    const one = Math.floor((goods * 4999) / sale.subtotalCents);
    expect(planRefund(sale, { pieces })).toMatchObject({ ok: true, kobo: one, withShipping: false, isWhole: false });
    expect(planRefund(sale, { pieces, withShipping: true })).toMatchObject({ kobo: one + shippingKobo(sale) });
  });

  test("by default are all that was paid, with the fees that the shopper paid", () => {
    const paid = saleOf([jersey, cap], 350, rate, 10_283);
    expect(planRefund(paid, {})).toMatchObject({
      kobo: paid.kobo + 10_283,
      pieces: [
        { productId: "jersey", size: "M", quantity: 2 },
        { productId: "cap", size: "ONE", quantity: 1 },
      ],
      withShipping: true,
      isWhole: true,
    });
  });

  test("all pieces and the shipping are the whole", () => {
    const pieces = [jersey, cap];
    expect(planRefund(sale, { pieces })).toMatchObject({ isWhole: false });
    expect(planRefund(sale, { pieces, withShipping: true })).toMatchObject({ kobo: sale.kobo, isWhole: true });
  });

  test("already refunded as a plain sum are not refunded again for pieces, and the shipping stays", () => {
    const { sale: rest } = less(sale, { kobo: sale.kobo - shippingKobo(sale) - 100 });
    expect(planRefund(rest, { pieces: [jersey] })).toMatchObject({ ok: true, kobo: 100 });
  });
});

const ONE_JERSEY = [{ productId: "jersey", size: "M", quantity: 1 }];

describe("pieces", () => {
  const worth = (of: Refundable, cents: number) =>
    Math.floor(((of.kobo - shippingKobo(of)) * cents) / of.subtotalCents);

  test("of one kind have the same value each, except for rounding", () => {
    const first = less(sale, { pieces: ONE_JERSEY });
    const second = less(first.sale, { pieces: ONE_JERSEY });
    expect(first.kobo).toBe(worth(sale, 4999));
    expect(second.kobo).toBe(worth(sale, 2 * 4999) - first.kobo);
  });

  test("of one size at two prices: those of the first line are refunded first", () => {
    const line = { ...jersey, quantity: 1 };
    const two = saleOf([line, { ...line, priceCents: 2999 }], 0, rate);
    const first = less(two, { pieces: ONE_JERSEY });
    expect(first.kobo).toBe(worth(two, 4999));
    expect(less(first.sale, { pieces: ONE_JERSEY }).kobo).toBe(two.kobo - first.kobo);
    expect(planRefund(two, {})).toMatchObject({ pieces: [{ productId: "jersey", size: "M", quantity: 2 }] });
  });

  test.each<[string, Refundable, RefundWish, boolean]>([
    ["some, and on the shelf", sale, { pieces: ONE_JERSEY, restock: true }, true],
    ["some with a sum of their own, and on the shelf", sale, { pieces: ONE_JERSEY, kobo: 100, restock: true }, true],
    ["some", sale, { pieces: ONE_JERSEY }, false],
    ["all, and on the shelf", sale, { restock: true }, true],
    ["all", sale, {}, false],
    [
      "some that lie on the shelf already",
      { ...sale, restockedPieces: ONE_JERSEY, exchangedPieces: ONE_JERSEY },
      { pieces: ONE_JERSEY },
      false,
    ],
  ])("%s: are restocked as requested", (_, of, wish, restock) => {
    expect(planRefund(of, wish)).toMatchObject({ ok: true, restock });
  });

  test("that were all refunded leave the rest of the money, and nothing to restock", () => {
    const { sale: rest } = less(sale, { pieces: [jersey, cap] });
    expect(planRefund(rest, { restock: true })).toEqual({
      ok: true,
      kobo: shippingKobo(sale),
      pieces: [],
      withShipping: true,
      restock: false,
      isWhole: true,
    });
  });

  test("can be left out of a refund of all that is left, as a plain sum", () => {
    expect(planRefund(sale, { kobo: sale.kobo })).toMatchObject({
      ok: true,
      kobo: sale.kobo,
      pieces: [],
      isWhole: true,
    });
  });
});

test.each<[string, Refundable, RefundWish, RegExp]>([
  ["pieces that were not bought", sale, { pieces: [{ ...cap, size: "M" }] }, /'cap' in M isn’t in this order/],
  ["more pieces than were bought", sale, { pieces: [{ ...jersey, quantity: 3 }] }, /only 2 of 2/],
  ["the same pieces named twice", sale, { pieces: [jersey, ...ONE_JERSEY] }, /only 2 of 2/],
  ["pieces that were refunded", less(sale, { pieces: [jersey] }).sale, { pieces: ONE_JERSEY }, /only 0 of 2/],
  ["more than is left", sale, { kobo: sale.kobo + 1 }, /Only ₦/],
  ["a sum of nothing", sale, { kobo: 0 }, /Nothing is left/],
  [
    "shipping that was refunded",
    less(sale, { withShipping: true }).sale,
    { withShipping: true },
    /shipping has gone back/,
  ],
  ["shipping that cost nothing", saleOf([jersey], 0, rate), { withShipping: true }, /Nothing was paid/],
  ["a sum and the shipping", sale, { kobo: 100, withShipping: true }, /leave the shipping out/],
  ["a sum of no pieces back on the shelf", sale, { kobo: 100, restock: true }, /which pieces/],
  ["pieces that are in a return", { ...sale, returningPieces: [jersey] }, { pieces: ONE_JERSEY }, /only 0 of 2/],
  ["all that is left, while a return is open", { ...sale, returningPieces: ONE_JERSEY }, {}, /A return of it is open/],
  [
    "pieces on the shelf that were exchanged",
    { ...sale, exchangedPieces: ONE_JERSEY },
    { pieces: ONE_JERSEY, restock: true },
    /exchanged for another size/,
  ],
  [
    "pieces on the shelf that lie there since a refund that failed",
    { ...sale, restockedPieces: ONE_JERSEY },
    { pieces: ONE_JERSEY, restock: true },
    /in stock again since a refund/,
  ],
  ["shipping back on the shelf", sale, { withShipping: true, restock: true }, /which pieces/],
  [
    "pieces that cost nothing",
    saleOf([{ ...jersey, priceCents: 0 }], 350, rate),
    { pieces: ONE_JERSEY },
    /Nothing is left/,
  ],
  ["anything, if everything was refunded", less(sale, {}).sale, { pieces: ONE_JERSEY }, /has gone back/],
])("refuses %s", (_, of, wish, why) => {
  expect(planRefund(of, wish)).toEqual({ ok: false, problem: expect.stringMatching(why) });
});

describe("with failed refunds", () => {
  const of = (jerseys: number, caps = 0, withShipping = false) => ({
    pieces: [
      { ...jersey, quantity: jerseys },
      { ...cap, quantity: caps },
    ].filter(({ quantity }) => quantity > 0),
    withShipping,
  });
  test.each([
    ["the same", of(1), [of(1)], [true]],
    ["more than that", of(2, 1), [of(1)], [true]],
    ["a part of its pieces", of(1), [of(2)], undefined],
    ["one of its pieces", of(1), [of(1, 1)], undefined],
    ["its pieces without its shipping", of(1), [of(1, 0, true)], undefined],
    ["its shipping without its pieces", of(0, 1, true), [of(1, 0, true)], undefined],
    ["both", of(1, 1, true), [of(1, 0, true)], [true]],
    ["the shipping alone", of(0, 1, true), [of(0, 0, true)], [true]],
    ["another piece", of(0, 1), [of(1, 0, true)], [false]],
    ["one of two that have failed", of(1), [of(1), of(1)], [true, false]],
    ["the whole of one, and a part of another", of(1), [of(2), of(1)], [false, true]],
    ["both of two", of(2), [of(1), of(1)], [true, true]],
    ["the shipping, of two that had it", of(0, 0, true), [of(0, 0, true), of(0, 0, true)], [true, false]],
    ["a piece and the shipping, each of one", of(1, 0, true), [of(1), of(0, 0, true)], [true, true]],
    ["a sum", of(0), [of(1, 0, true), of(0)], [false, false]],
  ])("a new refund of %s replaces these: %s", (_, plan, failed, replaced) => {
    const found = replacedBy({ ...plan, isWhole: false }, failed);
    expect(found && failed.map((one) => found.includes(one))).toEqual(replaced);
    expect(replacedBy({ ...plan, isWhole: true }, failed)).toEqual(failed);
    const planned = planRefund({ ...sale, failed }, plan.pieces.length || plan.withShipping ? plan : { kobo: 100 });
    expect(planned).toMatchObject(
      replaced ? { ok: true } : { ok: false, problem: expect.stringMatching(/has failed/) },
    );
  });

  test.each([
    [undefined, false, shippingKobo(sale)],
    [[], false, shippingKobo(sale)],
    [[of(1)], false, shippingKobo(sale)],
    [[of(1, 0, true)], false, 0],
    [[], true, 0],
  ])(
    "the shipping that a return can refund, with failed %j and refunded: %s, is %i",
    (failed, isShippingBack, left) => {
      expect(shippingLeft({ ...sale, failed, isShippingBack })).toBe(left);
    },
  );
});
