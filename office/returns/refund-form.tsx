import { useState } from "react";
import { dollarsOfKobo } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { planRefund, type Refundable, shippingKobo } from "#app/orders/refund-plan.ts";
import { isOurMistake } from "#app/orders/returns/return.ts";
import { Field } from "../frame/field.tsx";
import { MoneyRows } from "../orders/money.tsx";
import { PanelForm } from "../orders/panel.tsx";
import type { StepProps } from "./step.ts";

type Props = StepProps & {
  refundable: Refundable;
  /** The pieces have not come, and need not. */
  keeps: boolean;
};

/** The money of a return: what its pieces come to, worked out by what the server works it out by as well, or another sum. */
export function RefundForm({ given, form, problems, refundable, keeps, others }: Props) {
  const { pieces, reason, state, sizes } = given;
  const [typed, setTyped] = useState("");
  const [withShipping, setShipping] = useState(isOurMistake(reason));
  const [restock, setRestock] = useState(!isOurMistake(reason));
  const shipping = refundable.isShippingBack ? 0 : shippingKobo(refundable);
  const other = koboOf(typed);
  const isHere = state === "received";
  const plan = planRefund(refundable, {
    pieces: pieces.map(({ newSize, ...units }) => units),
    kobo: other,
    withShipping: other === undefined && withShipping && shipping > 0,
    restock: restock && isHere,
  });
  const now = plan.ok ? plan.kobo : 0;
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
      problem={form.problem ?? (plan.ok ? undefined : plan.problem)}
      isDisabled={now === 0}
      submit={now > 0 ? `Give back ${formatKobo(kobo(now))}` : "Give back"}
    >
      <input type="hidden" name="kobo" value={now} />
      {keeps && <input type="hidden" name="keep" value="on" />}
      <div>
        {isHere && (
          <label className="tick">
            <input type="checkbox" name="restock" checked={restock} onChange={() => setRestock(!restock)} />
            <span>Put the pieces back to stock {stock.length > 0 && `(${stock.join("; ")})`}</span>
          </label>
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

/** What was typed, in kobo; undefined where it is no sum. */
function koboOf(typed: string): number | undefined {
  const text = typed.replaceAll(/[,\s]/g, "");
  return /^\d{1,9}(\.\d{1,2})?$/.test(text) && Number(text) > 0 ? Math.round(Number(text) * 100) : undefined;
}
