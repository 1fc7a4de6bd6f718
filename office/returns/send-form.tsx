import { countUnits } from "#app/cart/cart.ts";
import { isOurMistake } from "#app/orders/returns/return.ts";
import { lineOf } from "#app/owner/returns/standing.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { PanelForm } from "../orders/panel.tsx";
import type { StepProps } from "./step.ts";

/** The other size leaves: with whom, and under which number. */
export function SendForm({ given, form, problems, keeps, others }: StepProps & { keeps: boolean }) {
  const { pieces, lines, state, reason, orderNumber } = given;
  return (
    <PanelForm {...form} intent="exchange" submit="It has been sent">
      {keeps && <input type="hidden" name="keep" value="on" />}
      <ul className="font-medium">
        {pieces.map((piece) => (
          <li key={`${piece.productId} ${piece.size}`} className="tabular-nums">
            {piece.quantity} × {lineOf(lines, piece)?.title ?? piece.productId}, {piece.newSize}{" "}
            <span className="font-normal text-muted">held, in place of {piece.size}</span>
          </li>
        ))}
      </ul>
      <Field label="Carrier" note="optional" problem={problems.carrier}>
        <input name="carrier" maxLength={100} autoComplete="off" className="input" />
      </Field>
      <Field label="Its number" note="optional" problem={problems.tracking}>
        <input name="tracking" maxLength={100} autoComplete="off" className="input" />
      </Field>
      {state === "received" && (
        <label className="tick">
          <input type="checkbox" name="restock" defaultChecked={!isOurMistake(reason)} />
          Put what came back to stock
        </label>
      )}
      <p className="text-[0.8125rem] leading-4.5 text-muted">
        The shopper is mailed both.{" "}
        {countUnits(pieces) > 1 && "All of it leaves: where fewer came, give the money for these instead. "}
        {keeps && "The pieces that were bought stay with the shopper."}
      </p>
      <ButtonLink look="line" to={`/orders/labels?numbers=${orderNumber}`}>
        Address label
      </ButtonLink>
      {others}
    </PanelForm>
  );
}
