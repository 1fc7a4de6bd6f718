import { type AriaAttributes, type ReactNode, useId } from "react";
import { PricePair } from "#app/catalog/currency/price-pair.tsx";
import { SIZE_BOX } from "#app/catalog/size-picker.tsx";
import { ONE_SIZE, pieceText, sizeName, variantText } from "#app/catalog/sizes.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { FieldError } from "#app/ui/field.tsx";
import { MinusIcon, PlusIcon } from "#app/ui/icons.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import type { OrderLine } from "#db/types.ts";
import type { ExchangeSize } from "./exchange.ts";
import { MONEY, pieceKey, type Texts } from "./fields.ts";

type Props = {
  line: OrderLine;
  /** The sizes that can be sent for it. */
  sizes: ExchangeSize[];
  rate: Rate;
  /** Whether damage can still be reported: only then can the same size be sent again. */
  forDamage: boolean;
  kept: Texts;
  errors: Texts;
  /** How many are chosen now. */
  count: number;
  setCount(name: string, count: number): void;
};

/**
 * An ordered line with a checkbox and, once that is checked, the choice between a refund and an exchange. For a line of
 * several pieces, the form's field is the number to return. The checkbox then appears only with JavaScript, which keeps
 * both in step.
 */
export function Piece({ line, sizes, rate, forDamage, kept, errors, count, setCount }: Props) {
  const key = pieceKey(line);
  const name = `quantity:${key}`;
  const id = useId();
  const hydrated = useHydrated();
  const isOne = line.quantity === 1;
  const described = errors[name] ? { "aria-invalid": true, "aria-describedby": `${id}-error` } : {};
  const tick = {
    id: `${id}-tick`,
    type: "checkbox",
    "data-tick": "",
    className: "relative z-10 mt-0.5 size-5 accent-ink",
  };
  return (
    <section aria-label={pieceText(line)} className="has-[[data-tick]:checked]:bg-linen">
      <div className="relative grid grid-cols-[1.25rem_3.5rem_minmax(0,1fr)_auto] gap-x-3 p-3 sm:p-4">
        {isOne ? (
          <input {...tick} {...described} name={name} value="1" defaultChecked={kept[name] === "1"} />
        ) : (
          <span>
            {hydrated && (
              <input {...tick} checked={count > 0} onChange={({ target }) => setCount(name, target.checked ? 1 : 0)} />
            )}
          </span>
        )}
        {line.image ? (
          <Picture image={line.image} sizes="56px" upTo={320} />
        ) : (
          <img src="/placeholder.svg" alt="" width={56} height={70} />
        )}
        <label
          htmlFor={isOne || hydrated ? tick.id : `${id}-count`}
          className="min-w-0 cursor-pointer text-sm text-muted after:absolute after:inset-0"
        >
          <span className="block text-base font-semibold leading-tight text-ink uppercase">{line.title}</span>{" "}
          <span className="block">{`${variantText(line, " / ")} × ${line.quantity}`}</span>{" "}
          {line.finalSale && (
            <span className="mt-1 block font-medium text-ink">
              Final sale: only if it came damaged or isn’t what you ordered.
            </span>
          )}
        </label>{" "}
        <span className="text-right">
          <PricePair cents={usdCents(line.priceCents)} rate={rate} className="flex-col items-end" />{" "}
          {!isOne && <span className="block text-sm text-muted">each</span>}
        </span>
      </div>
      <div className="px-3 sm:pr-4 sm:pl-12">
        {!isOne && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pb-4">
            <label htmlFor={`${id}-count`} className="text-sm font-semibold">
              How many are you returning?
            </label>{" "}
            <Counter
              {...{ name, count, setCount, ...described }}
              id={`${id}-count`}
              kept={kept[name]}
              most={line.quantity}
            />
          </div>
        )}
        <FieldError id={`${id}-error`}>{errors[name]}</FieldError>
        <Wish line={line} sizes={sizes} forDamage={forDamage} kept={kept} error={errors[`instead:${key}`]} />
      </div>
    </section>
  );
}

type CounterProps = Pick<Props, "count" | "setCount"> &
  AriaAttributes & { name: string; id: string; kept?: string; most: number };

/** A field for a number from 0 to `most`, with buttons that appear with JavaScript. */
function Counter({ count, setCount, kept, most, ...field }: CounterProps) {
  const step = "grid w-11 place-items-center aria-disabled:text-unready [@media(scripting:none)]:hidden";
  const change = (by: number) => setCount(field.name, Math.max(0, Math.min(most, count + by)));
  return (
    <span className="inline-flex h-12 items-stretch rounded-cut border border-ink/50 bg-white">
      <button type="button" className={step} aria-disabled={count <= 0} onClick={() => change(-1)}>
        <MinusIcon className="size-4" />
        <span className="sr-only">One less</span>
      </button>{" "}
      <input
        {...field}
        type="number"
        inputMode="numeric"
        min={0}
        max={most}
        defaultValue={kept ?? "0"}
        className="price w-12 bg-transparent text-center text-base [@media(scripting:enabled)]:[appearance:textfield] [@media(scripting:enabled)]:[&::-webkit-inner-spin-button]:appearance-none"
      />{" "}
      <button type="button" className={step} aria-disabled={count >= most} onClick={() => change(1)}>
        <PlusIcon className="size-4" />
        <span className="sr-only">One more</span>
      </button>
    </span>
  );
}

type WishProps = Pick<Props, "line" | "sizes" | "forDamage" | "kept"> & { error?: string };

/** The choice between a refund and another size or colour. With JavaScript it is shown once the line is checked. */
function Wish({ line, sizes, forDamage, kept, error }: WishProps) {
  const name = `instead:${pieceKey(line)}`;
  const id = useId();
  const choice = { name, chosen: kept[name] || MONEY };
  const others = sizes.filter(({ size, insteadOf }) => !insteadOf && (forDamage || size !== line.size));
  const colors = Map.groupBy(
    sizes.filter(({ insteadOf }) => insteadOf),
    ({ productId }) => productId,
  );
  return (
    <fieldset
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? id : undefined}
      className="min-w-0 pb-4 [@media(scripting:enabled)]:[section:not(:has([data-tick]:checked))_&]:hidden"
    >
      <legend className="mb-1 text-sm font-semibold">Refund or exchange?</legend>
      <div className="flex flex-wrap items-center gap-2">
        <Choice {...choice} value={MONEY}>
          Refund
        </Choice>
        {others.length > 0 && <span className="text-sm">or exchange for</span>}{" "}
        {others.map(({ size, available }) => (
          <Choice key={size} {...choice} value={size} isSoldOut={available < 1}>
            {exchangeText(line.size, size)}
          </Choice>
        ))}
      </div>
      {[...colors].map(
        ([id, ofColor]) =>
          ofColor.some(({ available }) => available > 0) && (
            <div key={id} className="mt-3 flex flex-wrap items-center gap-2">
              <span className="text-sm">
                or for <strong className="font-semibold">{ofColor[0]?.color}</strong>
              </span>{" "}
              {ofColor.map(({ color, size, available }) => (
                <Choice key={size} {...choice} value={`${id}:${size}`} isSoldOut={available < 1}>
                  <span className="sr-only">{`${color}, `}</span>
                  {sizeName(size)}
                </Choice>
              ))}
            </div>
          ),
      )}
      <FieldError id={id}>{error}</FieldError>
    </fieldset>
  );
}

type ChoiceProps = { name: string; chosen: string; value: string; isSoldOut?: boolean; children: ReactNode };

function Choice({ name, chosen, value, isSoldOut = false, children }: ChoiceProps) {
  return (
    <label className={`${SIZE_BOX} bg-white`}>
      <input
        type="radio"
        name={name}
        value={value}
        defaultChecked={chosen === value}
        disabled={isSoldOut}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
      {children}
      {isSoldOut && <span className="sr-only"> sold out</span>}{" "}
    </label>
  );
}

function exchangeText(size: string, other: string): string {
  if (other !== size) return other;
  return size === ONE_SIZE ? "The same again" : `${size} again`;
}
