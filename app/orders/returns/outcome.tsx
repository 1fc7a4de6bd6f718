import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import { pieceText } from "#app/catalog/sizes.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { businessDays, type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import type { OrderLine } from "#db/types.ts";
import { type ExchangeSize, wantedSize } from "./exchange.ts";
import { pieceKey } from "./fields.ts";
import type { WantedPiece } from "./rules.ts";

type Props = {
  lines: OrderLine[];
  sizes: readonly ExchangeSize[];
  rate: Rate;
  numbers?: Numbers;
  pieces: WantedPiece[];
};

/**
 * The summary of a request: what the shopper sends back, what the shopper gets, and the next steps. Without JavaScript
 * it has only the steps.
 */
export function Outcome({ lines, sizes, rate, numbers = SHIPPED_NUMBERS, pieces: wanted }: Props) {
  const pieces = wanted.flatMap((piece) => {
    const line = lines.find((one) => pieceKey(one) === pieceKey(piece));
    return line ? [{ ...piece, line, quantity: Math.min(piece.quantity, line.quantity) }] : [];
  });
  const exchanged = pieces.filter(({ newSize }) => newSize !== null);
  const refunded = pieces.filter(({ newSize }) => newSize === null);
  const cents = refunded.reduce((sum, { quantity, line }) => sum + quantity * line.priceCents, 0);
  return (
    <aside
      aria-label="In short"
      className="grid content-start gap-4 rounded-cut bg-linen p-4 sm:p-7 lg:sticky lg:top-24 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start"
    >
      <div className="[@media(scripting:none)]:hidden">
        <h2 className="headline mb-3 text-lg">In short</h2>
        {pieces.length === 0 ? (
          <p className="text-muted">Choose what you’re returning.</p>
        ) : (
          <dl className="grid gap-3">
            <Items
              name="You send back"
              texts={pieces.map(({ quantity, line }) => `${quantity} × ${pieceText(line)}`)}
            />
            {exchanged.length > 0 && (
              <Items
                name="We send you"
                texts={exchanged.map(({ line, ...piece }) => {
                  const { color = line.color } = wantedSize(piece, sizes) ?? {};
                  const sent = { title: line.title, color, size: piece.newSize ?? line.size };
                  return `${piece.quantity} × ${pieceText(sent)}`;
                })}
              />
            )}
            <div className="flex items-baseline justify-between gap-4 border-t border-hairline pt-3 text-lg font-bold">
              <dt>{refunded.length > 0 ? "Refund" : "To pay"}</dt>
              <dd>
                <PricePair cents={usdCents(cents)} rate={rate} className="justify-end" />
              </dd>
            </div>
          </dl>
        )}
      </div>
      <div>
        <h2 className="mb-2 font-semibold">What happens next</h2>
        <ol className="grid list-decimal gap-1 pl-5 text-sm">
          <li>We review your request and email you.</li>
          <li>Once we’ve approved it, we hold the new one for you, and you send the items back.</li>
          <li>{`When they’re here, we send the new one, or refund you within ${businessDays(numbers.refundDays)}.`}</li>
        </ol>
      </div>
    </aside>
  );
}

function Items({ name, texts }: { name: string; texts: string[] }) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-4">
      <dt>{name}</dt>
      <dd className="text-right">
        {texts.map((text) => (
          <span key={text} className="block">
            {text}{" "}
          </span>
        ))}
      </dd>
    </div>
  );
}
