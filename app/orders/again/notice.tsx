import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { FormNotice } from "#app/ui/field.tsx";
import type { Difference } from "./changes.ts";

type Props = {
  number: string;
  /** What was put in, if it is not the whole order. */
  piece?: string;
  differences: readonly Difference[];
  /** The rate of today, and that of the order. */
  rate: Rate;
  rateThen: Rate;
};

/** The notice after an order was put into the cart again: that all of it is there, or each difference. */
export function AgainNotice({ number, piece: only, differences, rate, rateThen }: Props) {
  if (differences.length === 0)
    return <FormNotice>{only ? messages.again.inSize(only) : messages.again.all(number)}</FormNotice>;
  return (
    <FormNotice>
      <p>{messages.again.differs(number)}</p>
      <ul className="mt-1 list-disc pl-5 font-normal">
        {differences.map(({ place, piece, text, dearer }) => (
          <li key={`${place} ${text}`}>
            <span>{`${piece}: `}</span>
            {text && <span>{text}</span>}
            {dearer && (
              <span>
                <span>{messages.again.dearer}</span> <PricePair cents={usdCents(dearer.now)} rate={rate} />
                <span>{messages.again.paid}</span> <PricePair cents={usdCents(dearer.paid)} rate={rateThen} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </FormNotice>
  );
}
