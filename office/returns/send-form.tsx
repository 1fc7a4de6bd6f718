import { countUnits } from "#app/cart/cart.ts";
import { pieceText } from "#app/catalog/sizes.ts";
import { newPieceText, sentText } from "#app/orders/returns/exchange.ts";
import { isOurMistake } from "#app/orders/returns/return.ts";
import { lineOf } from "#app/owner/returns/standing.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";
import { emailHint, PanelForm } from "../orders/panel.tsx";
import type { StepProps } from "./step.ts";

/** The form to mark a replacement as sent, with carrier and tracking number. */
export function SendForm({ given, firstName, form, problems, keeps, others }: StepProps & { keeps: boolean }) {
  const { pieces, lines, state, reason, orderNumber, hasEmail } = given;
  return (
    <PanelForm
      {...form}
      intent="exchange"
      submit="Mark as sent"
      asks={{
        question: `${emailHint(hasEmail, `${firstName || "The shopper"} will be emailed that the ${sentText(pieces)} is on its way.`)} This can’t be undone.`,
        yes: "Yes, it’s sent",
      }}
    >
      {keeps && <input type="hidden" name="keep" value="on" />}
      <ul className="font-medium">
        {pieces.map((piece) => (
          <li key={`${piece.productId} ${piece.size}`} className="tabular-nums">
            {piece.quantity} ×{" "}
            {pieceText({
              title: lineOf(lines, piece)?.title ?? piece.productId,
              color: piece.newColor,
              size: piece.newSize ?? undefined,
            })}{" "}
            <span className="font-normal text-muted">
              held, in place of{" "}
              {newPieceText({ newSize: piece.size, newColor: piece.newColor && lineOf(lines, piece)?.color })}
            </span>
          </li>
        ))}
      </ul>
      <Field label="Carrier" note="optional" problem={problems.carrier}>
        <input name="carrier" maxLength={100} autoComplete="off" className="input" />
      </Field>
      <Field label="Tracking number" note="optional" problem={problems.tracking}>
        <input name="tracking" maxLength={100} autoComplete="off" className="input" />
      </Field>
      {state === "received" && (
        <label className="tick">
          <input type="checkbox" name="restock" defaultChecked={!isOurMistake(reason)} />
          Put returned items back in stock
        </label>
      )}
      <Hint>
        <span>{emailHint(hasEmail, "We email both to the shopper.")}</span>{" "}
        <span>
          {countUnits(pieces) > 1 && "All of it is sent. If fewer items arrived, refund the missing ones instead. "}
        </span>
        <span>{keeps && "The shopper keeps the items they bought."}</span>
      </Hint>
      <ButtonLink look="line" to={`/orders/labels?numbers=${orderNumber}`}>
        Address label
      </ButtonLink>
      {others}
    </PanelForm>
  );
}
