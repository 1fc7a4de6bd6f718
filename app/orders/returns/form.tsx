import { ONE_SIZE } from "#app/catalog/sizes.ts";
import { Button } from "#app/ui/button.tsx";
import { FormError, SelectField } from "#app/ui/field.tsx";
import { Picture } from "#app/ui/picture.tsx";
import type { OrderLine } from "#db/types.ts";
import { MONEY, MOST_WORDS, pieceKey, type ReturnAnswer } from "./fields.ts";
import { REASON_TEXTS, RETURN_REASONS } from "./return.ts";
import type { SizeOnSale } from "./rules.ts";

type Props = {
  lines: OrderLine[];
  sizes: readonly SizeOnSale[];
  /** The last day, in words. */
  until: string;
  /** Whether damage may still be told. */
  forDamage: boolean;
  /** How many returns of the order there are. */
  after: number;
  answer?: ReturnAnswer;
  busy: boolean;
};

/** What comes back, what is wanted for it, and why; the fields of one form. */
export function ReturnFields({ lines, sizes, until, forDamage, after, answer, busy }: Props) {
  const { errors = {}, kept = {} } = answer ?? {};
  return (
    <>
      <input type="hidden" name="after" value={after} />
      <FormError>{errors.form}</FormError>
      <fieldset
        aria-invalid={errors.pieces ? true : undefined}
        aria-describedby={errors.pieces ? "pieces-error" : undefined}
        className="grid gap-4"
      >
        <legend className="headline mb-3 text-lg">{after > 0 ? "Something else?" : "Which pieces?"}</legend>
        <Problem id="pieces-error">{errors.pieces}</Problem>
        {lines.map((line) => (
          <Piece
            key={pieceKey(line)}
            line={line}
            isOnly={lines.length === 1}
            sizes={sizes.filter(({ productId }) => productId === line.productId)}
            kept={kept}
            errors={errors}
          />
        ))}
      </fieldset>
      <Reasons chosen={kept.reason} error={errors.reason} forDamage={forDamage} />
      <Words typed={kept.words} error={errors.words} />
      <p className="text-sm text-muted">
        Unworn, unwashed and with its tags, until {until}. Original shipping is given back where the mistake was ours.
      </p>
      <Button busy={busy} className="justify-self-start max-sm:w-full">
        Send the request
      </Button>
    </>
  );
}

type PieceProps = {
  line: OrderLine;
  isOnly: boolean;
  sizes: SizeOnSale[];
  kept: Record<string, string>;
  errors: Record<string, string>;
};

function Piece({ line, isOnly, sizes, kept, errors }: PieceProps) {
  const key = pieceKey(line);
  const counts = Array.from({ length: line.quantity + 1 }, (_, count) => count);
  return (
    <section
      aria-label={`${line.title}, ${line.color}, ${line.size}`}
      className="grid grid-cols-[4rem_1fr] gap-3 bg-linen p-4"
    >
      {line.image ? (
        <Picture image={line.image} sizes="64px" upTo={320} />
      ) : (
        <img src="/placeholder.svg" alt="" width={64} height={80} />
      )}
      <div className="min-w-0">
        <p className="font-semibold uppercase leading-tight">{line.title}</p>
        <p className="text-sm text-muted">
          {line.color}
          {line.size !== ONE_SIZE && ` / ${line.size}`} × {line.quantity}
        </p>
        {line.finalSale && (
          <p className="mt-1 text-sm font-medium">Final sale: only if it came damaged or is not what you ordered.</p>
        )}
      </div>
      <div className="col-span-2 grid gap-3 sm:grid-cols-2">
        <SelectField
          label="How many come back"
          name={`quantity:${key}`}
          defaultValue={kept[`quantity:${key}`] ?? (isOnly && line.quantity === 1 ? "1" : "0")}
          error={errors[`quantity:${key}`]}
        >
          {counts.map((count) => (
            <option key={count} value={count}>
              {count === 0 ? "None" : count}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="What you want for it"
          name={`instead:${key}`}
          defaultValue={kept[`instead:${key}`] ?? MONEY}
          error={errors[`instead:${key}`]}
        >
          <option value={MONEY}>My money back</option>
          {sizes.map(({ size, available }) => (
            <option key={size} value={size} disabled={available < 1}>
              {exchangeText(line.size, size)}
              {available < 1 && ", sold out"}
            </option>
          ))}
        </SelectField>
      </div>
    </section>
  );
}

function exchangeText(size: string, other: string): string {
  if (other !== size) return `Size ${other} instead`;
  return size === ONE_SIZE ? "The same again" : `The same again, in ${size}`;
}

function Reasons({ chosen, error, forDamage }: { chosen?: string; error?: string; forDamage: boolean }) {
  return (
    <fieldset aria-invalid={error ? true : undefined} aria-describedby={error ? "reason-error" : undefined}>
      <legend className="headline mb-3 text-lg">Why?</legend>
      <div
        className={`divide-y rounded-cut border bg-white ${error ? "divide-error/40 border-error" : "divide-ink/25 border-ink/50"}`}
      >
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
            {REASON_TEXTS[reason]}
          </label>
        ))}
      </div>
      <Problem id="reason-error">{error}</Problem>
      <p className="mt-1 text-sm text-muted">
        {forDamage
          ? "Damaged or wrong? You can add up to four photographs in the next step."
          : "Damaged or wrong pieces are told within 48 hours of delivery: please write to us."}
      </p>
    </fieldset>
  );
}

function Words({ typed, error }: { typed?: string; error?: string }) {
  return (
    <div>
      <label htmlFor="words" className="mb-1 block text-sm font-semibold">
        What should we know? <span className="font-normal text-muted">(needed if it is damaged or wrong)</span>
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
      <Problem id="words-error">{error}</Problem>
    </div>
  );
}

function Problem({ id, children }: { id: string; children?: string }) {
  return children ? (
    <p id={id} className="mt-1 text-sm font-medium text-error">
      {children}
    </p>
  ) : null;
}
