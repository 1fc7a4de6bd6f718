import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Form } from "react-router";
import type { Rate } from "#app/money/exchange-rate.ts";
import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { Button } from "#app/ui/button.tsx";
import { FieldError, FormError } from "#app/ui/field.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import type { OrderLine } from "#db/types.ts";
import { type ExchangeSize, sizesFor } from "./exchange.ts";
import { MOST_WORDS, pieceKey, piecesIn, type ReturnAnswer, type Texts } from "./fields.ts";
import { Outcome } from "./outcome.tsx";
import { PictureField, useChosenFiles } from "./picture-field.tsx";
import { Piece } from "./piece.tsx";
import { isOurMistake, MOST_PICTURES, REASON_TEXTS, RETURN_REASONS } from "./return.ts";

type Props = {
  lines: OrderLine[];
  sizes: readonly ExchangeSize[];
  rate: Rate;
  /** Those of the order, if they are not the usual ones. */
  numbers?: Numbers;
  /** Whether damage can still be reported. */
  forDamage: boolean;
  /** How many returns the order has. */
  after: number;
  /** Takes the chosen photographs, which are sent once the return is requested. */
  pictures: RefObject<File[]>;
  answer?: ReturnAnswer;
  busy: boolean;
};

const PICTURES = "pictures";

/**
 * A return's form: the pieces, with a refund or an exchange for each, and the reason. A summary beside it shows what
 * will happen. React does not control the fields, so that nothing chosen before hydration is lost.
 */
export function ReturnForm({ lines, sizes, rate, numbers, forDamage, after, pictures, answer, busy }: Props) {
  const { errors = {}, kept = firstFields(lines) } = answer ?? {};
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState(kept);
  const pieces = piecesIn(fields);
  const read = () => form.current && setFields(textsIn(form.current));
  const hydrated = useHydrated();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was chosen before hydration
  useLayoutEffect(() => void read(), []);
  const setCount = (name: string, count: number) => {
    const field = form.current?.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = String(count);
    read();
  };
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      preventScrollReset
      onChange={read}
      onSubmit={() => {
        const field = form.current?.elements.namedItem(PICTURES);
        pictures.current = field instanceof HTMLInputElement ? [...(field.files ?? [])] : [];
      }}
      className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-[auto_1fr] lg:gap-x-20"
    >
      <div className="grid min-w-0 gap-8">
        <input type="hidden" name="after" value={after} />
        <FormError>{errors.form}</FormError>
        <fieldset
          aria-invalid={errors.pieces ? true : undefined}
          aria-describedby={errors.pieces ? "pieces-error" : undefined}
          className="min-w-0"
        >
          <legend className="headline mb-3 text-xl">
            {after > 0 ? "1. What else are you returning?" : "1. What are you returning?"}
          </legend>
          <div className={choices(errors.pieces)}>
            {lines.map((line) => (
              <Piece
                key={pieceKey(line)}
                line={line}
                sizes={sizesFor(line, sizes)}
                rate={rate}
                forDamage={forDamage}
                kept={kept}
                errors={errors}
                count={pieces.find((one) => pieceKey(one) === pieceKey(line))?.quantity ?? 0}
                setCount={setCount}
              />
            ))}
          </div>
          <FieldError id="pieces-error">{errors.pieces}</FieldError>
        </fieldset>
        <Reasons chosen={kept.reason} error={errors.reason} numbers={numbers} forDamage={forDamage} />
        <Words typed={kept.words} error={errors.words} />
        {hydrated && forDamage && RETURN_REASONS.some((one) => one === fields.reason && isOurMistake(one)) && (
          <Pictures id={PICTURES} />
        )}
      </div>
      <Outcome lines={lines} sizes={sizes} rate={rate} numbers={numbers} pieces={pieces} />
      <div className="grid content-start gap-3 lg:col-start-1">
        <div data-foot-bar="" className="bottom-0 max-lg:pb-[calc(0.625rem+env(safe-area-inset-bottom))]">
          <Button busy={busy} className="w-full">
            Send request
          </Button>
        </div>
        <p className="text-sm text-muted">
          Items must be unworn, unwashed and with their tags. We refund delivery, too, if the mistake was ours.
        </p>
      </div>
    </Form>
  );
}

/** The box around several choices. */
function choices(error?: string): string {
  return `divide-y rounded-cut border bg-white ${error ? "divide-error/40 border-error" : "divide-ink/25 border-ink/50"}`;
}

/** The only piece of an order is ticked from the start. */
function firstFields([line, ...others]: OrderLine[]): Texts {
  return line?.quantity === 1 && others.length === 0 ? { [`quantity:${pieceKey(line)}`]: "1" } : {};
}

function textsIn(form: HTMLFormElement): Texts {
  return Object.fromEntries([...new FormData(form)].map(([name, text]) => [name, String(text)]));
}

type ReasonsProps = { chosen?: string; error?: string; numbers?: Numbers; forDamage: boolean };

function Reasons({ chosen, error, numbers = SHIPPED_NUMBERS, forDamage }: ReasonsProps) {
  return (
    <fieldset aria-invalid={error ? true : undefined} aria-describedby={error ? "reason-error" : undefined}>
      <legend className="headline mb-3 text-xl">2. Why?</legend>
      <div className={choices(error)}>
        {RETURN_REASONS.map((reason) => (
          <label
            key={reason}
            className="grid min-h-14 cursor-pointer grid-cols-[auto_1fr] items-center gap-3 p-3 has-checked:bg-linen has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name="reason"
              value={reason}
              defaultChecked={chosen === reason}
              className="size-5 accent-ink"
            />
            {REASON_TEXTS[reason]}{" "}
          </label>
        ))}
      </div>
      <FieldError id="reason-error">{error}</FieldError>
      {forDamage ? (
        <p className="mt-1 text-sm text-muted [@media(scripting:enabled)]:hidden">
          Damaged or wrong? A photo helps: you can add up to four in the next step.
        </p>
      ) : (
        <p className="mt-1 text-sm text-muted">
          {`Damage must be reported within ${numbers.damageHours} hours of delivery: please email us.`}
        </p>
      )}
    </fieldset>
  );
}

function Words({ typed, error }: { typed?: string; error?: string }) {
  return (
    <div>
      <label htmlFor="words" className="mb-1 block text-sm font-semibold">
        What should we know? <span className="font-normal text-muted">(needed if it’s damaged or wrong)</span>
      </label>
      <textarea
        id="words"
        name="words"
        rows={4}
        maxLength={MOST_WORDS}
        defaultValue={typed}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "words-error" : undefined}
        className={`w-full rounded-cut border bg-white px-3 py-2 text-base ${error ? "border-error" : "border-ink/50 hover:border-ink"}`}
      />
      <FieldError id="words-error">{error}</FieldError>
    </div>
  );
}

/** Photographs for the request. The field has no name, so that they are not part of the form. */
function Pictures({ id }: { id: string }) {
  return (
    <PictureField
      id={id}
      label="Photographs, if you have some"
      chosen={useChosenFiles(MOST_PICTURES)}
      left={MOST_PICTURES}
    />
  );
}
