import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { capital } from "#app/infra/text/capital.ts";
import { formatKobo, formatPaid } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { countIssues, type OpenIssue, openIssuesPage } from "#app/owner/money/issues.server.ts";
import { changeOrder } from "#app/owner/orders/change.server.ts";
import { ISSUE_ADVICE } from "#app/owner/orders/issue-advice.ts";
import { resolveIssues } from "#app/owner/orders/issues.server.ts";
import { retryFailed } from "#app/owner/orders/refunds/refunds.server.ts";
import { giveBackUnknownCharge } from "#app/owner/orders/refunds/unknown-charge.server.ts";
import { companyNames, descriptionOf } from "#app/providers/descriptions.ts";
import { useAnswer } from "../connection/answer.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, notDoneText, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { Time } from "../frame/times.tsx";
import { change, changes } from "../http/changes.server.ts";
import { keysetOf } from "../http/list-params.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { AnswerBy } from "../money/answer-by.tsx";
import { LookedInto } from "../money/looked-into.tsx";
import { RetryRefund } from "../money/retry-refund.tsx";
import { MoneyTabs } from "../money/tabs.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "money");
  const keyset = keysetOf(new URL(request.url).searchParams);
  return { ...(await openIssuesPage(db(), keyset)), isFirst: !keyset.before, count: await countIssues(db()) };
}

const about = z.object({ about: z.string().max(100) });

export const action = changes({
  resolve: change({
    needs: "money",
    fields: about,
    run: ({ by, fields }) => resolveIssues(db(), by, fields.about),
  }),
  retry: change({
    needs: "money",
    fields: about,
    run: ({ by, fields }) =>
      changeOrder(db(), by, "orders refund", fields.about)((trx) => retryFailed(trx, fields.about)),
  }),
  "give-back": change({
    needs: "money",
    fields: about,
    run: ({ by, fields }) => giveBackUnknownCharge(db(), by, fields.about),
  }),
});
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

export default function Issues() {
  useFresh();
  const { rows: issues, older, isFirst, count } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  return (
    <Page title="Money" about="Payments that match no order, or don’t move as they should. Oldest first.">
      <MoneyTabs current="/money/issues" issues={count} />
      {done?.ok && <Notice kind="done">{capital(done.what)}.</Notice>}
      {done && !done.ok && "problem" in done && <Notice kind="error">{notDoneText(done)}</Notice>}
      {issues.length === 0 ? (
        <div className="grid justify-items-start gap-3 py-6">
          <p>
            <State tone="done">Nothing needs your attention.</State>
          </p>
          <ButtonLink to="/money/review" look="line">
            {`Compare with ${companyNames()}`}
          </ButtonLink>
        </div>
      ) : (
        <ul>
          {issues.map((issue) => (
            <Issue key={issue.id} issue={issue} />
          ))}
        </ul>
      )}
      <div className="flex justify-end gap-5 pt-3">
        {!isFirst && (
          <Link to="?" className="inline-flex min-h-11 items-center hover:underline">
            To the oldest
          </Link>
        )}
        {older && (
          <Link to={`?before=${older}`} className="inline-flex min-h-11 items-center hover:underline">
            Newer
          </Link>
        )}
      </div>
    </Page>
  );
}

function Issue({ issue }: { issue: OpenIssue }) {
  const { reference, kind, provider, at, number, customer, dueAt } = issue;
  const { what, advice } = ISSUE_ADVICE[kind];
  const name = number ?? reference;
  return (
    <li className="grid gap-x-10 gap-y-3 border-b border-hairline py-4 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid max-w-160 gap-1">
        <h2 className="text-[0.9375rem]">{what}</h2>
        <p className="text-muted tabular-nums">
          <span>
            {number ? (
              <Link to={`/orders/${number}`} className="font-semibold text-ink underline underline-offset-3">
                {number}
              </Link>
            ) : (
              <span className="font-mono text-xs wrap-anywhere">{reference}</span>
            )}
          </span>{" "}
          {[customer, sumOf(issue)].filter(Boolean).join(" · ")} · <Time at={at} />
        </p>
        <p>
          <AnswerBy dueAt={dueAt} /> {advice(descriptionOf(provider))}
        </p>
      </div>
      <div className="flex flex-wrap content-start gap-2">
        {kind === "refund-failed" && <RetryRefund name={name} fields={{ about: reference }} />}
        {kind === "unknown-reference" && (
          <Confirm
            title="Refund it"
            label={`Refund it: ${name}`}
            question={`All of this charge, ${sumOf(issue) || "whatever was paid"}, is refunded to the payer. You can’t stop it afterwards.`}
            submit="Refund all of it"
            intent="give-back"
            fields={{ about: reference }}
          />
        )}
        <LookedInto kind={kind} provider={provider} about={reference} name={name} />
      </div>
    </li>
  );
}

function sumOf({ sum, kobo: asked }: OpenIssue): string {
  if (!sum) return asked === null ? "" : formatKobo(kobo(asked));
  const charged = formatPaid(sum.amount, sum.currency);
  return asked === null || asked === sum.amount ? charged : `${charged} of ${formatKobo(kobo(asked))}`;
}
