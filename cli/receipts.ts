import { pieceText } from "#app/catalog/sizes.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { type Receipt, vatText } from "#app/orders/receipts/receipt.ts";
import { listReceipts, type ReceiptRow } from "#app/owner/receipts/list.server.ts";
import { SHOP_ZONE, shopDayOf } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput } from "./command.ts";
import { orderReference } from "./orders/words.ts";
import { dayFrom, pageLine, partOf, refuseBeyond } from "./paging.ts";

export const receipts: Actions = {
  "receipts list": action({
    options: { since: "DAY", page: "N" },
    says: "lists receipts and then credit notes by their numbers, with sum and VAT; --since: of sales and refunds from that day on",
    changes: false,
    async run({ db, json, options: { since, page } }) {
      const part = partOf(page, json);
      const from = since === undefined ? undefined : dayFrom(since);
      const { rows, total } = await listReceipts(db, { from, ...part });
      refuseBeyond("receipts and credit notes", total, part);
      return {
        code: 0,
        data: { total, page: part.page, timeZone: SHOP_ZONE, receipts: rows.map(documentOf) },
        text: [...rows.map(lineOf), pageLine("receipts and credit notes", total, part)].join("\n"),
      };
    },
  }),
  "receipts show": action({
    words: ["order"],
    says: "shows an order's receipt with its credit notes, by the order's number or its payment's reference",
    changes: false,
    async run({ db, words: { order } }) {
      const receipt = await readReceipt(db, await orderReference(db, order));
      if (!receipt) return badInput(`The order ${order} has no receipt`);
      return { code: 0, data: { receipt }, text: textOf(receipt) };
    },
  }),
};

/** A row for a program: sums in naira, the rate in percent. */
function documentOf({ at, kobo: sum, vatKobo, vatTenths, ...row }: ReceiptRow) {
  const vatPercent = vatTenths === null ? null : vatTenths / 10;
  return { ...row, day: shopDayOf(at), naira: sum / 100, vatPercent, vatNaira: vatKobo / 100 };
}

const naira = (sum: number) => formatKobo(kobo(sum));
const vatOf = (vatTenths: number | null, vatKobo: number) =>
  vatTenths === null ? [] : [`VAT ${vatText(vatTenths)} ${naira(vatKobo)}`];

function lineOf({ number, receipt, order, at, kobo: sum, vatTenths, vatKobo }: ReceiptRow): string {
  const about = receipt === null ? [] : [`to ${receipt}`];
  return [number, ...about, order, shopDayOf(at), naira(sum), ...vatOf(vatTenths, vatKobo)].join("  ");
}

function textOf(receipt: Receipt): string {
  const { seller, buyer, contents, vatTenths, credits } = receipt;
  const sold = contents.lines.map((line) => `${line.quantity} × ${pieceText(line)}: ${naira(line.kobo)}`);
  const dollars = formatUsd(usdCents(receipt.totalCents));
  const from = [seller.name, ...seller.address.split("\n"), seller.tin && `TIN ${seller.tin}`].filter(Boolean);
  return [
    `Receipt ${receipt.number}, ${receipt.day}, ${receipt.time}`,
    `order ${receipt.order}, payment ${receipt.reference}, ${receipt.paidBy}`,
    `seller: ${from.join(", ")}`,
    ...(buyer ? [`buyer: ${buyer.join(", ")}`] : []),
    ...sold,
    `Delivery: ${naira(contents.deliveryKobo)}`,
    ...(contents.roundedKobo ? [`Cash rounded down: −${naira(contents.roundedKobo)}`] : []),
    [`Paid ${naira(receipt.kobo)}`, ...vatOf(vatTenths, receipt.vatKobo), dollars].join("  "),
    ...credits.map((one) => [one.number, one.day, naira(one.kobo), ...vatOf(vatTenths, one.vatKobo)].join("  ")),
  ].join("\n");
}
