import { type FormEvent, useState } from "react";
import { Form, useNavigate } from "react-router";
import * as messages from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { useIsHere } from "#app/ui/frame/with-page.browser.ts";
import type { OrderLine } from "#db/types.ts";
import { Steps } from "../fulfilment/steps.tsx";
import { quantityOf } from "../units.ts";
import { partTexts } from "../view.ts";
import { isOurMistake, leftOut, MOST_PICTURES, type OrderReturn, REASON_TEXTS, returnWords } from "./return.ts";
import { sendPictures } from "./send-pictures.browser.ts";
import { acceptsReturnEvent } from "./state.ts";
import { returnSteps } from "./steps.ts";

type Props = { given: OrderReturn; reference: string; lines: OrderLine[]; problem?: string };

/** One return or exchange: where it is, what it is of, and what its shopper can do about it. */
export function ReturnCard({ given, reference, lines, problem }: Props) {
  const { number, state, pieces, words, answer, reason, pictures, refunded } = given;
  const { title, next } = returnWords(given);
  const isInPart = leftOut(pieces, refunded).length > 0;
  return (
    <section id={number} aria-labelledby={`${number}-title`} className="grid scroll-mt-24 gap-4 bg-linen p-4 sm:p-7">
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
              {partTexts(lines, { pieces: [piece], withShipping: false }).join("")}
              {piece.newSize && `, for ${piece.newSize}`}
              {refunded && isInPart && `: ${quantityOf(piece, refunded)} given back`}
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
        <PictureForm number={number} reference={reference} left={MOST_PICTURES - pictures.length} problem={problem} />
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

type PictureProps = { number: string; reference: string; left: number; problem?: string };

/** A plain form: a browser without script sends it as well. With script the pictures are made smaller first, and what else is typed on the page stays. */
function PictureForm({ number, reference, left, problem: answered }: PictureProps) {
  const [busy, setBusy] = useState(false);
  const [isLost, setLost] = useState(false);
  const navigate = useNavigate();
  const isHere = useIsHere();
  const problem = isLost ? messages.form.unavailable : answered;
  const id = `${number}-pictures`;
  async function send(event: FormEvent<HTMLFormElement>) {
    const form = event.currentTarget;
    event.preventDefault();
    setBusy(true);
    const page = await sendPictures(form);
    setLost(!page);
    if (page && !page.search) form.reset();
    if (page && isHere.current)
      await navigate(page.pathname + page.search, { replace: true, preventScrollReset: true });
    setBusy(false);
  }
  return (
    <form
      method="post"
      action={`/order/${reference}/pictures`}
      encType="multipart/form-data"
      onSubmit={send}
      className="grid gap-3 border-t border-hairline pt-4"
    >
      <input type="hidden" name="number" value={number} />
      <div>
        <label htmlFor={id} className="mb-1 block text-sm font-semibold">
          Photographs of it
        </label>
        <input
          id={id}
          type="file"
          name="picture"
          // A phone that keeps its pictures as HEIC hands out JPEG then.
          accept="image/jpeg,image/png,image/webp"
          multiple
          required
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-hint${problem ? ` ${id}-error` : ""}`}
          className={`w-full rounded-cut border bg-white p-3 text-base ${problem ? "border-error" : "border-ink/50"}`}
        />
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {left === 1 ? "One more" : `Up to ${left}`}, at most 8 MB each. Only you and our staff see them.
        </p>
        {problem && (
          <p id={`${id}-error`} className="mt-1 text-sm font-medium text-error">
            {problem}
          </p>
        )}
      </div>
      <Button look="outline" busy={busy} className="justify-self-start">
        Send the pictures
      </Button>
    </form>
  );
}
