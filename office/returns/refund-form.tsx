import { useState } from "react";
import { countUnits } from "#app/cart/cart.ts";
import { pieceText, sizeName } from "#app/catalog/sizes.ts";
import { dollarsOfKobo } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, koboFromNaira } from "#app/money/money.ts";
import { planRefund, type Refundable, shippingLeft } from "#app/orders/refund-plan.ts";
import { isOurMistake, type ReturnPiece } from "#app/orders/returns/return.ts";
import type { Units } from "#app/orders/units.ts";
import { lineOf } from "#app/owner/returns/standing.ts";
import type { ViewedReturn } from "#app/owner/returns/view.server.ts";
import { Field } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";
import { whereBack } from "../orders/by-hand-panels.tsx";
import { Counter } from "../orders/counter.tsx";
import { MoneyRows } from "../orders/money.tsx";
import { emailHint, PanelForm } from "../orders/panel.tsx";
import { RestockTick } from "../orders/restock-tick.tsx";
import type { StepProps } from "./step.ts";

type Props = StepProps & {
  refundable: Refundable;
  /** The shopper keeps the items. */
  keeps: boolean;
};

/**
 * The form to refund a return: the calculated sum of its pieces, with the same code as on the server, or another sum.
 */
export function RefundForm({ given, firstName, form, problems, refundable, keeps, onChoose, others }: Props) {
  const { reason, state, sizes } = given;
  const [counts, setCounts] = useState<Counts>({});
  const [typed, setTyped] = useState("");
  const [withShipping, setShipping] = useState(isOurMistake(reason));
  const [restock, setRestock] = useState(!isOurMistake(reason));
  const shipping = shippingLeft(refundable);
  const other = koboFromNaira(typed) || undefined;
  const isHere = state === "received";
  const pieces = chosenOf(given, counts);
  const chosen = countUnits(pieces);
  const wish = { pieces, kobo: other, withShipping: other === undefined && withShipping && shipping > 0 };
  const plan = chosen > 0 ? planRefund(refundable, { ...wish, restock: restock && isHere }) : undefined;
  const now = plan?.ok ? plan.kobo : 0;
  const back = refundable.backKobo + now;
  const row = (label: string, sum: number, isStrong = false) => ({
    label,
    naira: formatKobo(kobo(sum)),
    dollars: formatUsd(dollarsOfKobo(sum, refundable.rate)),
    isStrong,
  });
  const stock = pieces
    .map(({ productId, size, quantity }) => {
      const onHand = sizes.find((one) => one.productId === productId && one.size === size)?.onHand;
      return onHand === undefined ? "" : `${sizeName(size)}: ${onHand}, then ${onHand + quantity}`;
    })
    .filter(Boolean);
  return (
    <PanelForm
      {...form}
      intent="refund"
      problem={form.problem ?? (plan?.ok === false ? plan.problem : undefined)}
      isDisabled={now === 0}
      submit={now > 0 ? `Refund ${formatKobo(kobo(now))}` : chosen > 0 ? "Give back" : "Choose what to refund"}
      asks={{
        question: `${formatKobo(kobo(now))} goes back. ${emailHint(given.hasEmail, `We email ${firstName || "the shopper"}.`)} You can’t stop it afterwards.`,
        yes: "Yes, refund it",
      }}
    >
      <input type="hidden" name="kobo" value={now} />
      {keeps && <input type="hidden" name="keep" value="on" />}
      {pieces.map(({ productId, size, quantity }) => (
        <input key={`${productId} ${size}`} type="hidden" name="pieces[]" value={`${productId}:${size}:${quantity}`} />
      ))}
      {countUnits(given.pieces) > 1 && (
        <PieceCounters
          given={given}
          counts={counts}
          keeps={keeps}
          onCount={(id, count) => {
            setCounts({ ...counts, [id]: count });
            onChoose();
          }}
        />
      )}
      <div>
        {isHere && (
          <RestockTick
            checked={restock}
            pieces={chosen}
            stock={stock.join("; ")}
            onToggle={() => setRestock(!restock)}
          />
        )}
        {shipping > 0 && (
          <label className="tick">
            <input
              type="checkbox"
              name="shipping"
              checked={withShipping && other === undefined}
              disabled={other !== undefined}
              onChange={() => setShipping(!withShipping)}
            />
            <span>
              <span>{isOurMistake(reason) ? "Our mistake: refund delivery, too" : "Refund delivery, too"}</span>
              <span className="ml-2 text-muted tabular-nums">{formatKobo(kobo(shipping))}</span>
            </span>
          </label>
        )}
      </div>
      <Field label="Another amount in naira" note="optional" problem={problems.naira}>
        <input
          name="naira"
          inputMode="decimal"
          autoComplete="off"
          maxLength={14}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          className="input"
        />
      </Field>
      <MoneyRows
        rows={[row("Now", now, true), row("Refunded in total", back), row("Kept", refundable.paidKobo - back)]}
      />
      <Hint>
        {whereBack(given.provider)} It’s refunded once, however often you press.
        <span>{keeps && " The shopper keeps the items."}</span>
      </Hint>
      {others}
    </PanelForm>
  );
}

type Counts = Record<string, number>;
type Counters = {
  given: ViewedReturn;
  counts: Counts;
  /** The shopper keeps the items. */
  keeps: boolean;
  onCount(id: string, count: number): void;
};

const idOf = ({ productId, size }: ReturnPiece) => `${productId} ${size}`;

/** The pieces to refund: all of them unless the member has entered fewer. */
function chosenOf({ pieces }: ViewedReturn, counts: Counts): Units[] {
  return pieces
    .map(({ newSize, ...piece }) => ({ ...piece, quantity: counts[idOf({ ...piece, newSize })] ?? piece.quantity }))
    .filter(({ quantity }) => quantity > 0);
}

/** Counters for the number of pieces that arrived and are refunded. */
function PieceCounters({ given, counts, keeps, onCount }: Counters) {
  const { pieces, lines } = given;
  return (
    <div>
      <p className="mb-1.5 font-semibold">{keeps ? "For which items" : "Which items arrived"}</p>
      <ul className="divide-y divide-hairline rounded-cut border border-field">
        {pieces.map((piece) => {
          const name = pieceText({ title: lineOf(lines, piece)?.title ?? piece.productId, size: piece.size });
          return (
            <li key={idOf(piece)} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-3 py-2.5">
              <span className="tabular-nums">
                {name} <span className="text-muted">of {piece.quantity}</span>
              </span>
              <Counter
                label={`${name}: how many go back`}
                value={counts[idOf(piece)] ?? piece.quantity}
                max={piece.quantity}
                onChange={(count) => onCount(idOf(piece), count)}
              />
            </li>
          );
        })}
      </ul>
      <Hint className="mt-1">
        {`The others stay sold, and the shopper can ask again within the ${given.numbers.returnDays} days.`}
      </Hint>
    </div>
  );
}
