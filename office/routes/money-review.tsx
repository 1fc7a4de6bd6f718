import { data, Form, type LoaderFunctionArgs, redirect, useLoaderData, useNavigation } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { companyNames } from "#app/providers/descriptions.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Fresh, keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { change, changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { beginReview, findReview } from "../money/review.server.ts";

export function loader({ params, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "money");
  if (params.work === undefined) return { work: undefined };
  const work = findReview(staff.id, params.work);
  if (!work) throw data(null, 404);
  const { rows: findings, done: looked, all, isDone, failed } = work;
  return { work: { findings, looked, all, isDone, failed } };
}

export const action = changes({
  review: change({
    needs: "money",
    fields: z.object({
      days: z.coerce.number("A number of days, like 7").int().min(1, "1 at least").max(365, "365 at most"),
    }),
    run: async ({ by, staff, fields: { days } }) =>
      redirect(`/money/review/${await beginReview(db(), by, staff.id, days)}`),
  }),
});
export const clientAction = keepWhatIsTyped;
export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";

export default function Review() {
  const { work } = useLoaderData<typeof loader>();
  return (
    <Page
      title={`Compare with ${companyNames()}`}
      back={{ to: "/money/payments", title: "Payments" }}
      about={`Each charge and refund that ${companyNames()} has, beside the shop’s. What the shop had missed is recorded.`}
    >
      {work ? <Progress {...work} /> : <Ask />}
    </Page>
  );
}

function Ask() {
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const problem = done && !done.ok && "problems" in done ? done.problems.days : undefined;
  return (
    <Form method="post" className="mt-5 grid max-w-80 gap-4.5">
      <input type="hidden" name="intent" value="review" />
      <Field label="Days back" note="as after a restored backup: more" problem={problem}>
        <input name="days" type="number" min={1} max={365} defaultValue={7} className="input" />
      </Field>
      {done && !done.ok && "problem" in done && <Notice kind="error">{done.problem}</Notice>}
      <Button isPending={isPending} className="min-h-12 lg:min-h-10 lg:justify-self-start">
        {isPending ? `Asking ${companyNames()}…` : "Compare"}
      </Button>
    </Form>
  );
}

const LOOK_EVERY = 500; // ms

type Work = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["work"]>;

function Progress({ looked, all, isDone, failed, findings }: Work) {
  const charges = plural(looked, "charge");
  return (
    <>
      {!isDone && <Fresh every={LOOK_EVERY} />}
      {!isDone && (
        <Notice kind="info">
          <strong className="font-semibold">{charges} looked at.</strong> You can leave this page. It keeps running.
          <progress value={looked} max={Math.max(1, all)} className="mt-2 block h-1 w-full accent-palm" />
        </Notice>
      )}
      {isDone && failed && (
        <Notice kind="error">
          <strong className="font-semibold">It stopped before all were checked.</strong> Compare again. What was
          recorded stays, and is never recorded twice.
        </Notice>
      )}
      {isDone && !failed && findings.length === 0 && (
        <Notice kind="done">
          <strong className="font-semibold">Everything agrees.</strong> {charges} of {companyNames()} stand here as they
          do there.
        </Notice>
      )}
      {isDone && !failed && findings.length > 0 && (
        <Notice kind="info">
          <strong className="font-semibold">{charges} looked at.</strong> The shop had missed, or does not know, what
          stands below.
        </Notice>
      )}
      {findings.length > 0 && (
        <ul className="mt-4 border-t border-hairline">
          {findings.map(({ reference, says, isFault }) => (
            <li key={`${reference} ${says}`} className="grid gap-1 border-b border-hairline py-2.5">
              {reference && <span className="font-mono text-xs text-muted wrap-anywhere">{reference}</span>}
              <span>
                <State tone={isFault ? "person" : "waiting"}>
                  <span className="whitespace-normal">{says}</span>
                </State>
              </span>
            </li>
          ))}
        </ul>
      )}
      {isDone && (
        <p className="mt-6 flex flex-wrap gap-2">
          <ButtonLink to="/money/issues">To check</ButtonLink>
          <ButtonLink to="/money/review" look="line">
            Compare again
          </ButtonLink>
        </p>
      )}
    </>
  );
}
