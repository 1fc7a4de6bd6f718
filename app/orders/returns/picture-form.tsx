import { type FormEvent, type RefObject, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import * as messages from "#app/messages.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { useIsHere } from "#app/ui/frame/with-page.browser.ts";
import { PictureField, useChosenFiles } from "./picture-field.tsx";
import { sendPictures } from "./send-pictures.browser.ts";

type Props = {
  number: string;
  reference: string;
  left: number;
  problem?: string;
  /** Pictures that were chosen with the request for this return. They are sent at once. */
  waiting?: RefObject<File[]>;
};

/**
 * A plain form, so that it works without JavaScript. With JavaScript, the pictures are scaled down first, their upload
 * shows its progress, and other unsent input on the page is kept.
 */
export function PictureForm({ number, reference, left, problem: answered, waiting }: Props) {
  const [sent, setSent] = useState<number>(); // the sent part of an upload, between 0 and 1
  const [isLost, setLost] = useState(false);
  const chosen = useChosenFiles(left);
  const navigate = useNavigate();
  const isHere = useIsHere();
  const busy = sent !== undefined;
  const problem = isLost ? messages.form.unavailable : answered;
  const form = useFocusAnswer(!busy && problem);
  async function send(form: HTMLFormElement) {
    setSent(0);
    const page = await sendPictures(form, setSent);
    setLost(!page);
    if (page && !page.search) chosen.choose([]);
    if (page && isHere.current)
      await navigate(page.pathname + page.search, { replace: true, preventScrollReset: true });
    setSent(undefined);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the return has been requested
  useEffect(() => {
    if (!waiting?.current.length || !form.current) return;
    chosen.choose(waiting.current);
    waiting.current = [];
    void send(form.current);
  }, []);
  return (
    <form
      ref={form}
      method="post"
      action={`/order/${reference}/pictures`}
      encType="multipart/form-data"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
      className="grid gap-3 border-t border-hairline pt-4"
    >
      <input type="hidden" name="number" value={number} />
      <PictureField
        id={`${number}-pictures`}
        name="picture"
        required
        label="Photographs of it"
        {...{ chosen, left, problem, busy }}
      />
      {busy && (
        <progress
          aria-label="Sending your photographs"
          value={sent}
          className="block h-2 w-full max-w-md appearance-none border border-ink/50 bg-white [&::-moz-progress-bar]:bg-palm [&::-webkit-progress-bar]:bg-white [&::-webkit-progress-value]:bg-palm"
        />
      )}
      <Button look="outline" busy={busy} className="justify-self-start">
        Send the pictures
      </Button>
    </form>
  );
}
