import { plural } from "#app/infra/text/plural.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { dollars, kobo, usdCents } from "#app/money/money.ts";
import {
  type MeansTakings,
  type SalesDay,
  salesReport,
  takingsByMeans,
  totalOf,
} from "#app/owner/sales-report.server.ts";
import { SHOP_ZONE, shopDay } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput } from "./command.ts";
import { dayFrom, dayUntil } from "./paging.ts";

const USUAL_DAYS = 30;

export const sales: Actions = {
  "sales report": action({
    options: { from: "DAY", to: "DAY" },
    says: `shows orders, pieces, naira, dollars and refunds by day; without --from, the last ${USUAL_DAYS} days`,
    changes: false,
    async run({ db, options: { from = shopDay(USUAL_DAYS - 1), to = shopDay() } }) {
      const [start, end] = [dayFrom(from), dayUntil(to)];
      if (start >= end) return badInput(`${from} is after ${to}`);
      const days = await salesReport(db, start, end);
      const all = totalOf(days);
      const byMeans = await takingsByMeans(db, start, end);
      return {
        code: 0,
        data: {
          ...{ from, to, timeZone: SHOP_ZONE, days: days.map(inMoney), total: inMoney(all) },
          byMeans: byMeans.map(meansInMoney),
        },
        text: [
          table([...days, all]),
          ...byMeans.map(meansLine),
          ...roundedLine(all),
          `Days of ${SHOP_ZONE}, from ${from} to ${to}.`,
        ].join("\n"),
      };
    },
  }),
};

function inMoney({ day, orders, pieces, kobo, cents, shippingKobo, feesKobo, refundedKobo, roundedKobo }: SalesDay) {
  const shipping = { shippingNaira: shippingKobo / 100, feesNaira: feesKobo / 100, refundedNaira: refundedKobo / 100 };
  return {
    day,
    orders,
    pieces,
    naira: kobo / 100,
    dollars: dollars(usdCents(cents)),
    ...shipping,
    cashRoundedNaira: roundedKobo / 100,
  };
}

function meansInMoney({ means, orders, kobo, refundedKobo }: MeansTakings) {
  return { means, orders, naira: kobo / 100, refundedNaira: refundedKobo / 100 };
}

function meansLine({ means, orders, kobo: sum, refundedKobo }: MeansTakings): string {
  return `${means}: ${plural(orders, "order")}, ${formatKobo(kobo(sum))}, refunded ${formatKobo(kobo(refundedKobo))}`;
}

function roundedLine({ roundedKobo }: SalesDay): string[] {
  return roundedKobo > 0 ? [`Cash rounded down: ${formatKobo(kobo(roundedKobo))}, beside what was sold`] : [];
}

function table(days: SalesDay[]): string {
  const rows = days.map((one) => [
    one.day,
    `${one.orders}`,
    `${one.pieces}`,
    formatKobo(kobo(one.kobo)),
    formatUsd(usdCents(one.cents)),
    formatKobo(kobo(one.refundedKobo)),
    formatKobo(kobo(one.feesKobo)),
  ]);
  const all = [["day", "orders", "pieces", "naira", "dollars", "refunded", "fees"], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) =>
    row.map((cell, at) => (at ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[0] ?? 0)));
  return all.map((row) => line(row).join("  ")).join("\n");
}
