import { Form, type LoaderFunctionArgs, redirect, useLoaderData, useNavigation } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { type PlannedStep, planSteps } from "#app/owner/orders/many/steps.server.ts";
import { isStep, MOST_STEPS } from "#app/owner/orders/many/steps.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { keepWhatIsTyped, unlessOffline, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { State, type Tone } from "../frame/state.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { numbersOf } from "../orders/list/filters.server.ts";
import { STEP_CHANGES } from "../orders/many/changes.server.ts";
import { STEP_WORDS } from "../orders/many/words.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "packing");
  const params = new URL(request.url).searchParams;
  const step = params.get("do") ?? "";
  const numbers = numbersOf(params);
  if (!isStep(step) || numbers.length === 0) throw redirect("/orders");
  const planned = await planSteps(db(), step, numbers.slice(0, MOST_STEPS));
  return {
    step,
    planned: planned.map(({ reference, ...plan }) => plan),
    leftOut: Math.max(0, numbers.length - MOST_STEPS),
    today: shopDay(),
  };
}

export const action = changes(STEP_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

export default function Steps() {
  useFresh();
  const { step, planned, leftOut, today } = useLoaderData<typeof loader>();
  const { as, about } = STEP_WORDS[step];
  const done = useAnswer<typeof action>();
  const isPending = useNavigation().formData !== undefined;
  const problems = done && !done.ok && "problems" in done ? done.problems : {};
  const problem = done && !done.ok && "problem" in done ? done.problem : problems.numbers;
  const count = (kind: PlannedStep["will"]) => planned.filter(({ will }) => will === kind).length;
  return (
    <Page title={`Mark as ${as}`} back={{ to: "/orders", title: "Orders" }}>
      {leftOut > 0 && <Notice kind="error">{leftOut} orders are left out: mark them after these.</Notice>}
      {problem && <Notice kind="error">{problem}.</Notice>}
      <Form method="post" className="mt-5 grid gap-4.5 lg:max-w-240">
        <input type="hidden" name="numbers" value={planned.map(({ number }) => number).join(",")} />
        {step === "deliver" && (
          <Field label="On" problem={problems.day}>
            <input type="date" name="day" defaultValue={today} max={today} required className="input max-w-60" />
          </Field>
        )}
        <p className="text-[0.8125rem] leading-4.5 text-muted">{about}</p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            name="intent"
            value={step}
            isPending={isPending}
            isDisabled={count("do") === 0}
            className="min-h-12 max-lg:w-full lg:min-h-10"
          >
            {isPending ? "Working…" : `Mark ${count("do")} as ${as}`}
          </Button>
          <p role="status" className="text-muted tabular-nums">
            {summary(count("nothing"), count("fail"), as)}
          </p>
        </div>
      </Form>
      <Plan planned={planned} />
    </Page>
  );
}

function summary(nothing: number, wrong: number, as: string): string {
  return [nothing > 0 && `${nothing} already ${as}`, wrong > 0 && `${wrong} can’t be marked`]
    .filter(Boolean)
    .join(", ");
}

const TONES: Record<PlannedStep["will"], Tone> = { do: "done", nothing: "rest", fail: "person" };

/** What the step does to each order, those that cannot take it first. */
function Plan({ planned }: { planned: Omit<PlannedStep, "reference">[] }) {
  const rank = ({ will }: { will: PlannedStep["will"] }) => (will === "fail" ? 0 : 1);
  return (
    <table aria-label="What would be done" className="rows mt-5">
      <thead>
        <tr>
          {["Order", "Customer", "To", "What happens"].map((head) => (
            <th scope="col" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {planned
          .toSorted((a, b) => rank(a) - rank(b))
          .map(({ number, customer, to, will, says }) => (
            <tr key={number}>
              <td data-slot="lead" className="tabular-nums">
                {number}
              </td>
              <td data-slot="">{customer}</td>
              <td data-slot="">{to}</td>
              <td data-slot="about" data-wrap="">
                <State tone={TONES[will]}>{says}</State>
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
