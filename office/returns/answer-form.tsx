import { useState } from "react";
import { pieceText, sizeName, variantText } from "#app/catalog/sizes.ts";
import { dollarsOfKobo } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { businessDays } from "#app/numbers/numbers.ts";
import { planRefund, shippingLeft } from "#app/orders/refund-plan.ts";
import { newPieceText, sentText, sizesFor } from "#app/orders/returns/exchange.ts";
import { isOurMistake, type ReturnPiece } from "#app/orders/returns/return.ts";
import { lineOf } from "#app/owner/returns/standing.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";
import { Day } from "../frame/times.tsx";
import { MoneyRows } from "../orders/money.tsx";
import { emailHint, PanelForm } from "../orders/panel.tsx";
import type { StepProps } from "./step.ts";

/** The form to approve a return, for money or for another size or colour, with a message to the shopper. */
export function AnswerForm({ given, firstName, form, problems, message, onMessage, onDecline, dueIfNow }: StepProps) {
  const [wish, setWish] = useState(given.wish);
  const [keeps, setKeeps] = useState(false);
  const { pieces, reason } = given;
  return (
    <PanelForm
      {...form}
      intent="approve"
      submit={wish === "exchange" ? "Approve, and reserve the size" : "Approve"}
      asks={{
        question: `${emailHint(given.hasEmail, `${firstName || "The shopper"} will be emailed that it’s approved.`)}${wish === "exchange" ? " Nobody else can buy the size." : ""} This can’t be undone.`,
        yes: "Yes, approve it",
      }}
      beside={
        <Button type="button" look="line" onPress={onDecline} className="min-h-12 lg:min-h-10">
          Decline
        </Button>
      }
    >
      <fieldset>
        <legend className="mb-1 font-semibold">
          What <span>{firstName || "the shopper"}</span> gets
        </legend>{" "}
        {[
          { value: "money" as const, label: given.wish === "money" ? "A refund, as requested" : "A refund instead" },
          {
            value: "exchange" as const,
            label:
              given.wish === "money"
                ? "Another size instead"
                : `Another ${sentText(pieces) === "other size" ? "size" : "colour"}, as requested`,
          },
        ].map(({ value, label }) => (
          <label key={value} className="tick">
            <input type="radio" name="wish" value={value} checked={wish === value} onChange={() => setWish(value)} />
            {label}{" "}
          </label>
        ))}
      </fieldset>
      {wish === "exchange" &&
        pieces.map((piece) => <NewSize key={`${piece.productId} ${piece.size}`} piece={piece} given={given} />)}
      <Field label={`Your words to ${firstName || "the shopper"}`} note="optional" problem={problems.message}>
        <textarea
          name="message"
          rows={3}
          maxLength={1000}
          value={message}
          onChange={({ target }) => onMessage(target.value)}
          className="input"
        />
      </Field>
      <label className="tick">
        <input type="checkbox" name="keep" checked={keeps} onChange={() => setKeeps(!keeps)} />
        Nothing has to be sent back
      </label>
      {wish === "money" ? (
        <>
          <Sum given={given} />
          <Hint>
            <span>
              {keeps ? (
                <span>
                  Due by <Day on={dueIfNow} look="long" />.
                </span>
              ) : (
                `Due within ${businessDays(given.numbers.refundDays)} after the items arrive.`
              )}
            </span>{" "}
            <span>{isOurMistake(reason) && "Delivery is refunded, too: it’s our mistake. "}</span>You refund it in the
            next step.
          </Hint>
        </>
      ) : (
        <Hint>The size is reserved from your answer on, so nobody else can buy it. No money moves.</Hint>
      )}
    </PanelForm>
  );
}

/** A select box for the size or colour to send for a piece, with the stock of each. */
function NewSize({ piece, given: { lines, sizes, reason } }: { piece: ReturnPiece; given: StepProps["given"] }) {
  const { productId, size, quantity, newSize, newProductId = productId, newColor } = piece;
  const isAsked = (one: { productId: string; size: string }) => one.productId === newProductId && one.size === newSize;
  const offered = sizesFor(piece, sizes).filter((one) => one.insteadOf || one.size !== size || isOurMistake(reason));
  const isOffered = !newColor || offered.some(isAsked);
  const choiceOf = (one: { productId: string; size: string }) =>
    [productId, size, ...(one.productId === productId ? [] : [one.productId]), one.size].join(":");
  return (
    <Field label={`Instead of ${pieceText({ title: lineOf(lines, piece)?.title ?? productId, size })}`}>
      <select
        name="newSizes[]"
        required
        defaultValue={newSize ? choiceOf({ productId: newProductId, size: newSize }) : ""}
        className="input"
      >
        <option value="" disabled>
          Choose a size
        </option>
        {newSize && !isOffered && (
          <option value={choiceOf({ productId: newProductId, size: newSize })}>{newPieceText(piece)}</option>
        )}
        {offered.map((one) => (
          <option key={choiceOf(one)} value={choiceOf(one)} disabled={one.available < quantity && !isAsked(one)}>
            {`${one.color ? variantText(one) : sizeName(one.size)} (${one.available > 0 ? `${one.available} can be had` : "sold out"})`}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Sum({ given: { refundable, pieces, reason } }: { given: StepProps["given"] }) {
  if (!refundable) return null;
  const withShipping = isOurMistake(reason) && shippingLeft(refundable) > 0;
  const plan = planRefund(refundable, { pieces: pieces.map(({ newSize, ...units }) => units), withShipping });
  if (!plan.ok) return null;
  const dollars = formatUsd(dollarsOfKobo(plan.kobo, refundable.rate));
  return <MoneyRows rows={[{ label: "To refund", naira: formatKobo(plan.kobo), dollars, isStrong: true }]} />;
}
