import type { RefObject } from "react";
import { Form } from "react-router";
import type { Numbers } from "#app/numbers/numbers.ts";
import { Button } from "#app/ui/button.tsx";
import type { OrderLine } from "#db/types.ts";
import { Steps } from "../fulfilment/steps.tsx";
import { quantityOf } from "../units.ts";
import { partTexts } from "../view.ts";
import { newPieceText } from "./exchange.ts";
import { PictureForm } from "./picture-form.tsx";
import { isOurMistake, leftOut, MOST_PICTURES, type OrderReturn, REASON_TEXTS, returnWords } from "./return.ts";
import { acceptsReturnEvent } from "./state.ts";
import { returnSteps } from "./steps.ts";

type Props = {
  given: OrderReturn;
  numbers?: Numbers;
  reference: string;
  lines: OrderLine[];
  problem?: string;
  /** Pictures that were chosen with the request for this return. */
  waiting?: RefObject<File[]>;
};

/** One return or exchange: its state, its pieces, and what the shopper can do. */
export function ReturnCard({ given, numbers, reference, lines, problem, waiting }: Props) {
  const { number, state, pieces, words, answer, reason, pictures, refunded } = given;
  const { title, next } = returnWords(given, numbers);
  const isInPart = leftOut(pieces, refunded).length > 0;
  return (
    <section
      id={number}
      tabIndex={-1}
      aria-labelledby={`${number}-title`}
      className="grid max-w-[46rem] outline-none scroll-mt-24 gap-4 bg-linen p-4 sm:p-7"
    >
      <div>
        <p className="price text-muted">{number}</p>
        <h2 id={`${number}-title`} className="headline text-xl">
          {title}
        </h2>
        <p className="mt-1">{next}</p>
      </div>
      {answer && state !== "declined" && (
        <blockquote className="whitespace-pre-line border-l-4 border-palm pl-4">{answer}</blockquote>
      )}
      <Steps steps={returnSteps(given)} label={`Steps of ${number}`} />
      <div className="text-sm">
        <ul>
          {pieces.map((piece) => (
            <li key={`${piece.productId} ${piece.size}`}>
              <span>{partTexts(lines, { pieces: [piece], withShipping: false }).join("")}</span>
              <span>{piece.newSize && `, for ${newPieceText(piece)}`}</span>
              <span>{refunded && isInPart && `: ${quantityOf(piece, refunded)} given back`}</span>
            </li>
          ))}
        </ul>
        <p className="text-muted">{REASON_TEXTS[reason]}</p>
        {words && <p className="whitespace-pre-line text-muted wrap-anywhere">{words}</p>}
      </div>
      {pictures.length > 0 && (
        <ul className="flex flex-wrap gap-3">
          {pictures.map((id, at) => (
            <li key={id}>
              <a href={`/order/${reference}/pictures/${id}`} className="block">
                <img
                  src={`/order/${reference}/pictures/${id}`}
                  alt={`What you have sent, ${at + 1} of ${pictures.length}`}
                  width={96}
                  height={96}
                  className="size-24 rounded-cut object-cover"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
      {state === "asked" && isOurMistake(reason) && pictures.length < MOST_PICTURES && (
        <PictureForm left={MOST_PICTURES - pictures.length} {...{ number, reference, problem, waiting }} />
      )}
      {acceptsReturnEvent(state, "withdraw") && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="withdraw" value={number} />
          <Button look="quiet">Withdraw it</Button>
        </Form>
      )}
    </section>
  );
}
