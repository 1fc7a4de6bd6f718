import { plural } from "#app/infra/text/plural.ts";
import { ButtonLink } from "../../frame/button.tsx";
import { Notice } from "../../frame/notice.tsx";
import { Page } from "../../frame/page.tsx";
import { Progress } from "../../frame/progress.tsx";
import { State } from "../../frame/state.tsx";
import type { Outcome } from "../../http/changes.server.ts";
import { emailHint } from "../panel.tsx";
import { TakeBack } from "../take-back.tsx";

type Props = {
  /** Completes "marked as …". */
  as: string;
  work: { done: number; all: number; isDone: boolean; failed: boolean };
  answer: Outcome | undefined;
  /** The number of seconds in which the orders can still be taken back. Undefined if that is no longer possible. */
  seconds?: number;
  /** The number of marked orders. */
  marked: number;
  /** Whether their shoppers are emailed, and how many of these have an address. */
  isTold: boolean;
  withEmail: number;
  /** The orders that were not marked, each with its reason. */
  wrong: { name: string; says: string }[];
  /** What to do if the task was cut off. */
  again: string;
  /** The screen where the next orders are marked. */
  next: { to: string; title: string };
};

/** The result of a step for many orders, with a button that takes all of them back. */
export function Result({ as, work, answer, seconds, marked, isTold, withEmail, wrong, again, next }: Props) {
  const { isDone, failed } = work;
  return (
    <Page title={`Mark as ${as}`} back={{ to: "/orders", title: "Orders" }}>
      {!isDone && <Progress done={work.done} all={work.all} />}
      {isDone && failed && (
        <Notice kind="error">
          <strong className="font-semibold">It stopped before all of them were done.</strong> {again} Orders that are
          already marked stay as they are.
        </Notice>
      )}
      {answer?.ok && <Notice kind="done">{answer.what}.</Notice>}
      {answer && "problem" in answer && <Notice kind="error">{answer.problem}.</Notice>}
      {isDone && !failed && !answer?.ok && (
        <Notice kind="done" actions={seconds !== undefined && <TakeBack seconds={seconds} />}>
          <strong className="font-semibold">
            <span>{marked === 1 ? "1 order is" : `${marked} orders are`}</span> marked as {as}.
          </strong>{" "}
          <span>{isTold && emailText(seconds, marked, withEmail)}</span>
        </Notice>
      )}
      {wrong.length > 0 && (
        <>
          <h2 className="mt-6">Not marked</h2>
          <ul className="mt-2">
            {wrong.map(({ name, says }) => (
              <li key={name} className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-b border-hairline py-2.5">
                <span className="tabular-nums">{name}</span>
                <State tone="person">{says}</State>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-6 flex flex-wrap gap-2">
        <ButtonLink to="/orders?view=to-send">Orders to send</ButtonLink>
        <ButtonLink to={next.to} look="line">
          {next.title}
        </ButtonLink>
      </p>
    </Page>
  );
}

/** The mails are sent when the orders can no longer be taken back. */
function emailText(seconds: number | undefined, marked: number, withEmail: number): string {
  if (marked === 0) return "";
  if (withEmail === 0) return emailHint(false);
  const says = seconds === undefined ? "We’ve emailed the shoppers." : "We’ll email the shoppers in a moment.";
  if (withEmail === marked) return says;
  return `${says} For ${plural(marked - withEmail, "order")} there’s no email address, so tell them yourself.`;
}
