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
import { Hint, Page } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { numbersOf } from "../orders/list/filters.server.ts";
import { STEP_CHANGES } from "../orders/many/changes.server.ts";
import { PlanTable } from "../orders/many/plan-table.tsx";
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
        <Hint>{about}</Hint>
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
      <PlanTable planned={[...planned.filter(isWrong), ...planned.filter((one) => !isWrong(one))]} />
    </Page>
  );
}

const isWrong = ({ will }: Pick<PlannedStep, "will">) => will === "fail";

function summary(nothing: number, wrong: number, as: string): string {
  return [nothing > 0 && `${nothing} already ${as}`, wrong > 0 && `${wrong} can’t be marked`]
    .filter(Boolean)
    .join(", ");
}
