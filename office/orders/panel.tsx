import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Form, Link, useNavigate } from "react-router";
import type { Act } from "#app/owner/orders.server.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Button } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import { Time } from "../frame/times.tsx";
import { ACT_WORDS } from "./act-words.ts";

/** Somewhere to say more beside an order: at its side in a wide window, in its place on a phone. Escape puts it away, and the focus is where it was. */
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

/** The last thing that had been done to the order when this was opened, and what others have done since; `goOn` takes note of it. */
export function useSeen(version: string, acts: (Act & { id: string })[]) {
  const [seen, setSeen] = useState(version);
  const since = acts.filter(({ id }) => BigInt(id) > BigInt(seen));
  return { seen, since, goOn: () => setSeen(version) };
}

type FormProps = {
  intent: string;
  seen: ReturnType<typeof useSeen>;
  /** What could not be done, as the server has said. */
  problem?: string;
  submit: ReactNode;
  isPending: boolean;
  isDisabled?: boolean;
  /** Other ways to go on, before the button. */
  beside?: ReactNode;
  children: ReactNode;
};

/** A panel's form. While somebody else's change has not been taken note of, it cannot be sent: what was typed stays. */
export function PanelForm({ intent, seen, problem, submit, isPending, isDisabled, beside, children }: FormProps) {
  const isStale = seen.since.length > 0;
  return (
    <Form method="post" className="grid gap-4.5" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="seen" value={seen.seen} />
      {children}
      {problem && !isStale && <Notice kind="error">{problem}</Notice>}
      {isStale && <SinceNotice {...seen} />}
      <div className="flex gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:border-t max-lg:border-hairline max-lg:bg-white max-lg:px-4 max-lg:py-2">
        {beside}
        <Button isPending={isPending} isDisabled={isDisabled || isStale} className="min-h-12 flex-auto lg:min-h-10">
          {submit}
        </Button>
      </div>
    </Form>
  );
}

/** What somebody else has done meanwhile, and what was meant here, which was not done. */
function SinceNotice({ since, goOn }: Pick<ReturnType<typeof useSeen>, "since" | "goOn">) {
  return (
    <Notice
      kind="conflict"
      actions={
        <Button type="button" look="line" onPress={goOn}>
          Go on with mine
        </Button>
      }
    >
      <SinceWords acts={since} />
      <p>What you typed is still here, and was not saved. What stands beside it is as it is now.</p>
    </Notice>
  );
}

/** Who has done what. */
export function SinceWords({ acts }: { acts: Act[] }) {
  return acts.map(({ by, action, at }) => (
    <p key={at.getTime()}>
      <strong className="font-semibold">
        {by} {ACT_WORDS[action] ?? action}
      </strong>{" "}
      (<Time at={at} />
      ).
    </p>
  ));
}
