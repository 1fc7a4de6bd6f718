import { variantText } from "#app/catalog/sizes.ts";
import { approximateNaira, type Rate } from "#app/money/exchange-rate.ts";
import { formatNaira, formatUsd } from "#app/money/format.ts";
import { timesCents, type UsdCents, usdCents } from "#app/money/money.ts";
import { priceNote } from "#app/offers/price-note.ts";
import { quantityOf } from "#app/orders/units.ts";
import type { OrderLine, RefundedPiece } from "#db/types.ts";

/** A small picture of an order line. */
export function PieceImage({ line: { image }, width }: { line: Pick<OrderLine, "image">; width: number }) {
  const box = { width, height: (width * 5) / 4 };
  return image ? (
    <img src={`/images/${image.hash}/160.webp`} alt="" {...box} style={box} className="bg-linen object-cover" />
  ) : (
    <span style={box} className="block bg-linen" />
  );
}

type Line = Omit<OrderLine, "priceCents"> & Partial<Pick<OrderLine, "priceCents">>;
type Props = { lines: Line[]; rate?: Rate; back: readonly RefundedPiece[] };

/** The lines of an order. If the member may see sums, each line has its sum at the order's rate. */
export function Pieces({ lines, rate, back }: Props) {
  return (
    <ul>
      {lines.map((line, at) => {
        const gone = quantityOf(line, back);
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same
            key={at}
            className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-3 border-b border-hairline py-2.5"
          >
            <PieceImage line={line} width={48} />
            <span>
              <strong className="font-semibold">{line.title}</strong>{" "}
              <span className="block text-muted tabular-nums">
                {variantText(line)} × {line.quantity}
              </span>{" "}
              {rate && priceNote(line) && <span className="block text-[0.8125rem] text-palm">{priceNote(line)}</span>}{" "}
              {gone > 0 && <span className="block text-[0.8125rem] font-medium text-waiting">{gone} refunded</span>}
            </span>{" "}
            {rate && line.priceCents !== undefined && (
              <LineSum cents={timesCents(usdCents(line.priceCents), line.quantity)} rate={rate} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function LineSum({ cents, rate }: { cents: UsdCents; rate: Rate }) {
  return (
    <span className="text-right tabular-nums">
      {formatNaira(approximateNaira(cents, rate))}{" "}
      <small className="block text-[0.8125rem] text-muted">{formatUsd(cents)}</small>
    </span>
  );
}
