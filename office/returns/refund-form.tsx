import { useState } from "react";
import { countUnits } from "#app/cart/cart.ts";
import { dollarsOfKobo } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, koboFromNaira } from "#app/money/money.ts";
import { planRefund, type Refundable, shippingLeft } from "#app/orders/refund-plan.ts";
import { isOurMistake, type ReturnPiece } from "#app/orders/returns/return.ts";
import type { Units } from "#app/orders/units.ts";
import { lineOf } from "#app/owner/returns/standing.ts";
import type { ViewedReturn } from "#app/owner/returns/view.server.ts";
import { Field } from "../frame/field.tsx";
import { Counter } from "../orders/counter.tsx";
import { MoneyRows } from "../orders/money.tsx";
import { PanelForm } from "../orders/panel.tsx";
import { RestockTick } from "../orders/restock-tick.tsx";
import type { StepProps } from "./step.ts";

type Props = StepProps & {
  refundable: Refundable;
  /** The pieces have not come, and need not. */
  keeps: boolean;
};

/** The money of a return: what its pieces come to, worked out by what the server works it out by as well, or another sum. */
export function RefundForm({ given, form, problems, refundable, keeps, onChoose, others }: Props) {
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
      return onHand === undefined ? "" : `${size}: ${onHand}, then ${onHand + quantity}`;
    })
    .filter(Boolean);
  return (
    <PanelForm
      {...form}
      intent="refund"
      problem={form.problem ?? (plan?.ok === false ? plan.problem : undefined)}
      isDisabled={now === 0}
      submit={now > 0 ? `Give back ${formatKobo(kobo(now))}` : chosen > 0 ? "Give back" : "Choose what goes back"}
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
              {isOurMistake(reason) ? "Our mistake: give delivery back, too" : "Give delivery back, too"}
              <span className="ml-2 text-muted tabular-nums">{formatKobo(kobo(shipping))}</span>
            </span>
          </label>
        )}
      </div>
      <Field label="Another sum in naira" note="optional" problem={problems.naira}>
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
        rows={[
          row("Now", now, true),
          row("Then given back in all", back),
          row("Then kept", refundable.paidKobo - back),
        ]}
      />
      <p className="text-[0.8125rem] leading-4.5 text-muted">
        To the account that paid. The bank needs 3 to 10 business days. Asked once, however often you press.
        {keeps && " The shopper keeps the pieces."}
      </p>
      {others}
    </PanelForm>
  );
}

type Counts = Record<string, number>;
type Counters = {
  given: ViewedReturn;
  counts: Counts;
  /** The pieces have not come, and need not. */
  keeps: boolean;
  onCount(id: string, count: number): void;
};

const idOf = ({ productId, size }: ReturnPiece) => `${productId} ${size}`;

/** The pieces that the money goes back for: all of them, until fewer are chosen. */
function chosenOf({ pieces }: ViewedReturn, counts: Counts): Units[] {
  return pieces
    .map(({ newSize, ...piece }) => ({ ...piece, quantity: counts[idOf({ ...piece, newSize })] ?? piece.quantity }))
    .filter(({ quantity }) => quantity > 0);
}

/** How many of each piece came, and have their money given back. */
function PieceCounters({ given: { pieces, lines }, counts, keeps, onCount }: Counters) {
  return (
    <div>
      <p className="mb-1.5 font-semibold">{keeps ? "For which pieces" : "Which pieces came"}</p>
      <ul className="divide-y divide-hairline rounded-cut border border-field">
        {pieces.map((piece) => {
          const title = lineOf(lines, piece)?.title ?? piece.productId;
          return (
            <li key={idOf(piece)} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-3 py-2.5">
              <span className="tabular-nums">
                {title}, {piece.size} <span className="text-muted">of {piece.quantity}</span>
              </span>
              <Counter
                label={`${title}, ${piece.size}: how many go back`}
                value={counts[idOf(piece)] ?? piece.quantity}
                max={piece.quantity}
                onChange={(count) => onCount(idOf(piece), count)}
              />
            </li>
          );
        })}
      </ul>
      <p className="mt-1 text-[0.8125rem] leading-4.5 text-muted">
        The others stay bought; the shopper may ask again within the 14 days.
      </p>
    </div>
  );
}
