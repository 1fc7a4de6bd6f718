import { approximateNaira, type Rate } from "#app/money/exchange-rate.ts";
import { formatNaira, formatUsd } from "#app/money/format.ts";
import { timesCents, usdCents } from "#app/money/money.ts";
import { quantityOf } from "#app/orders/units.ts";
import type { OrderLine, RefundedPiece } from "#db/types.ts";

/** A piece as small as in a list. */
export function PieceImage({ line: { image }, width }: { line: OrderLine; width: number }) {
  const box = { width, height: (width * 5) / 4 };
  return image ? (
    <img src={`/images/${image.hash}/160.webp`} alt="" {...box} style={box} className="bg-linen object-cover" />
  ) : (
    <span style={box} className="block bg-linen" />
  );
}

/** What was bought, each with its sum at the order's rate. */
export function Pieces({ lines, rate, back }: { lines: OrderLine[]; rate: Rate; back: readonly RefundedPiece[] }) {
  return (
    <ul>
      {lines.map((line) => {
        const cents = timesCents(usdCents(line.priceCents), line.quantity);
        const gone = quantityOf(line, back);
        return (
          <li
            key={`${line.productId} ${line.size} ${line.priceCents} ${line.color}`}
            className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-3 border-b border-hairline py-2.5"
          >
            <PieceImage line={line} width={48} />
            <span>
              <strong className="font-semibold">{line.title}</strong>
              <span className="block text-muted tabular-nums">
                {[line.color, line.size].filter(Boolean).join(", ")} × {line.quantity}
              </span>
              {gone > 0 && <span className="block text-[0.8125rem] font-medium text-waiting">{gone} given back</span>}
            </span>
            <span className="text-right tabular-nums">
              {formatNaira(approximateNaira(cents, rate))}
              <small className="block text-[0.8125rem] text-muted">{formatUsd(cents)}</small>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
