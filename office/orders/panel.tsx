import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Dialog, Popover } from "react-aria-components";
import { Form, Link, useNavigate } from "react-router";
import type { Act } from "#app/owner/orders/orders.server.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { Choice } from "../conflict/notice.tsx";
import { Button, ButtonSummary } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import { Time } from "../frame/times.tsx";
import { ACT_WORDS } from "./act-words.ts";

/**
 * A panel of an order: beside it in wide windows, in its place on phones. Escape closes the panel, and the focus
 * returns to where it was.
 */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === "Escape") void navigate("?", { preventScrollReset: true });
      }}
      className="-mx-4 grid content-start gap-4.5 bg-white px-4 pb-24 max-lg:min-h-screen lg:mx-0 lg:mt-5 lg:border lg:border-hairline lg:px-5 lg:pb-5"
    >
      <div className="-mx-4 flex min-h-14 items-center border-b border-hairline pr-1.5 pl-4 lg:-mx-5 lg:pl-5">
        <h2 ref={heading} id={id} tabIndex={-1} className="mr-auto text-lg outline-none">
          {title}
        </h2>
        <Link to="?" preventScrollReset aria-label="Close" className="grid size-11 place-items-center">
          <CloseIcon className="size-5" />
        </Link>
      </div>
      {children}
    </section>
  );
}

/** Says whether the shopper is emailed, for the form that does it. `hasEmail`: whether the order has an address. */
export function emailHint(hasEmail: boolean, says = "We email the shopper."): string {
  return hasEmail ? says : "There’s no email address, so tell them yourself.";
}

/**
 * The order's version when the screen was opened, and the changes by other members since then. `goOn` accepts these
 * changes.
 */
export function useSeen(version: string, acts: (Act & { id: string })[]) {
  const [seen, setSeen] = useState(version);
  const since = acts.filter(({ id }) => BigInt(id) > BigInt(seen));
  return { seen, since, goOn: () => setSeen(version) };
}

/**
 * A question that confirms a submit, for a form that is always visible. In other forms, the press that opened the panel
 * has already confirmed the intent.
 */
type Question = { question: string; yes: string };

type FormProps = {
  intent: string;
  seen: ReturnType<typeof useSeen>;
  /** The server's error message. */
  problem?: string;
  submit: ReactNode;
  isPending: boolean;
  isDisabled?: boolean;
  /** Other actions, shown before the submit button. */
  beside?: ReactNode;
  asks?: Question;
  children: ReactNode;
};

/** A panel's form. It cannot be sent until changes by other members are accepted; the input stays. */
export function PanelForm({ intent, seen, problem, submit, isPending, isDisabled, beside, asks, children }: FormProps) {
  const id = useId();
  const isStale = seen.since.length > 0;
  const question = useQuestion(asks);
  const button = { isPending, isDisabled: isDisabled || isStale, className: "min-h-12 flex-auto lg:min-h-10" };
  return (
    <Form id={id} method="post" className="grid gap-4.5" preventScrollReset onSubmit={question.onSubmit}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="seen" value={seen.seen} />
      {children}
      {problem && !isStale && <Notice kind="error">{problem}</Notice>}
      {isStale && (
        <SinceNotice acts={seen.since} choice={<Choice onMine={seen.goOn} />}>
          What you typed is still here, and hasn’t been saved. Beside it is the order as it is now.
        </SinceNotice>
      )}
      <div className="flex gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:border-t max-lg:border-hairline max-lg:bg-white max-lg:px-4 max-lg:py-2">
        {beside}
        {asks && !question.isReady ? (
          <details className="flex-auto">
            <ButtonSummary className={`${button.className} max-lg:w-full`}>{submit}</ButtonSummary>
            <p className="my-3 max-w-80">{asks.question}</p>
            <Button {...button}>{asks.yes}</Button>
          </details>
        ) : (
          <Button ref={question.trigger} {...button}>
            {submit}
          </Button>
        )}
      </div>
      {asks && <AskedFirst {...asks} form={id} {...question} />}
    </Form>
  );
}

/**
 * The first press opens a question in a popover; the answer sends the form. Before hydration a `<details>` asks
 * instead.
 */
function useQuestion(asks: Question | undefined) {
  const isReady = useHydrated();
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const onSubmit = (event: FormEvent) => {
    if (!asks || !isReady) return;
    if (!isOpen) event.preventDefault();
    setOpen(!isOpen);
  };
  return { isReady, trigger, isOpen, setOpen, onSubmit };
}

function AskedFirst({
  question,
  yes,
  form,
  trigger,
  isOpen,
  setOpen,
}: Question & { form: string } & Omit<ReturnType<typeof useQuestion>, "onSubmit" | "isReady">) {
  return (
    <Popover
      triggerRef={trigger}
      isOpen={isOpen}
      onOpenChange={setOpen}
      shouldCloseOnInteractOutside={() => false} // the second click of a double click must not close the question
      placement="top end"
      className="max-w-80 rounded-cut border border-hairline bg-white p-4 shadow-lg"
    >
      <Dialog className="outline-none" aria-label={yes}>
        <div className="grid justify-items-start gap-3">
          <p>{question}</p>
          <div className="flex gap-2">
            <Button form={form}>{yes}</Button>
            <Button type="button" look="line" onPress={() => setOpen(false)}>
              Not yet
            </Button>
          </div>
        </div>
      </Dialog>
    </Popover>
  );
}

type SinceProps = { acts: Act[]; choice?: ReactNode; children: ReactNode };

/** The notice that nothing was saved, with what others have done meanwhile and, as its children, what to do next. */
export function SinceNotice({ acts, choice, children }: SinceProps) {
  return (
    <Notice kind="conflict" actions={choice}>
      {acts.map(({ by, action, at }) => (
        <p key={at.getTime()}>
          <strong className="font-semibold">
            {by} {ACT_WORDS[action] ?? action}
          </strong>{" "}
          (<Time at={at} />
          ).
        </p>
      ))}
      <p>{children}</p>
    </Notice>
  );
}
