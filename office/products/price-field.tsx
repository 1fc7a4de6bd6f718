import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatRate } from "#app/money/format.ts";
import { centsFromDollars, type UsdCents } from "#app/money/money.ts";
import { doubtOfTypedPrice } from "#app/owner/doubts.ts";
import { Field } from "../frame/field.tsx";

type Props = {
  price: string;
  /** The current price in the shop. */
  last?: UsdCents;
  rate: Rate;
  agreed: string;
  problem?: string;
  onChange(price: string): void;
  onAgree(price: string): void;
};

/**
 * An input for a price in dollars, with the amount in naira beside it. A price that looks like a typing error has to be
 * confirmed.
 */
export function PriceField({ price, last, rate, agreed, problem, onChange, onAgree }: Props) {
  const cents = centsFromDollars(price);
  const doubt = cents ? doubtOfTypedPrice(last, cents) : undefined;
  const naira = (amount: UsdCents) => formatKobo(chargeInKobo(amount, rate));
  return (
    <div>
      <Field label="Price in dollars" problem={problem && problem !== doubt ? problem : undefined}>
        <input
          name="price"
          value={price}
          onChange={({ target }) => onChange(target.value)}
          inputMode="decimal"
          autoComplete="off"
          placeholder="49.99"
          maxLength={20}
          className="input tabular-nums"
        />
      </Field>
      <p role="status" className="mt-1.5 text-[0.8125rem] leading-4.5 text-muted tabular-nums">
        {cents ? (
          <span>
            Shoppers in Nigeria pay <strong className="font-semibold text-ink">{naira(cents)}</strong> at $1 ={" "}
            {formatRate(rate)}.<span>{last !== undefined && last !== cents && ` Was ${naira(last)}.`}</span>
          </span>
        ) : (
          `At $1 = ${formatRate(rate)}.`
        )}
      </p>
      {doubt && (
        <div role="alert" className="mt-2 rounded-cut bg-waiting-ground p-2.5">
          {doubt} Is that right?
          <label className="tick font-semibold">
            <input
              type="checkbox"
              name="agreed"
              value={price}
              checked={agreed === price}
              onChange={({ target }) => onAgree(target.checked ? price : "")}
            />
            Yes, {price} dollars
          </label>
          {problem === doubt && <p className="font-medium text-error">Nothing was saved. Please answer this first.</p>}
        </div>
      )}
    </div>
  );
}
