import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { STEP_WORKS } from "#app/owner/orders/many/steps.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { ButtonLink } from "../frame/button.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { Result } from "../orders/many/result.tsx";
import { type Marked, takeableFor, takeBackAll } from "../orders/many/take-back.server.ts";
import { STEP_WORDS } from "../orders/many/words.ts";
import { findStepWork } from "../orders/many/works.server.ts";

export async function loader({ params: { work: id = "" }, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "packing");
  const found = findStepWork(staff.id, id);
  const marked = markedBy(staff.id, id);
  if (!found || !marked) throw data(null, 404);
  const { step, rows, done, all, isDone, failed } = found;
  return {
    step,
    rows,
    work: { done, all, isDone, failed },
    seconds: isDone ? await takeableFor(staff, marked) : undefined,
  };
}

function markedBy(staffId: string, id: string): Marked | undefined {
  const work = findStepWork(staffId, id);
  if (!work) return;
  const { command } = STEP_WORKS[work.step];
  return { ...STEP_WORDS[work.step], command, numbers: work.rows.flatMap(({ ok, number }) => (ok ? [number] : [])) };
}

export const action = changes({ "take-back": takeBackAll(markedBy) });
export { alsoAfterRefusal as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;

export default function StepsWork() {
  const { step, rows, work, seconds } = useLoaderData<typeof loader>();
  const wrong = rows.filter(({ ok }) => !ok);
  return (
    <Result
      {...STEP_WORDS[step]}
      work={work}
      answer={useAnswer<typeof action>()}
      seconds={seconds}
      marked={rows.length - wrong.length}
      wrong={wrong.map(({ number, says }) => ({ name: number, says }))}
      again="Choose them in the list again."
    >
      <ButtonLink to="/orders?view=to-send">Orders to send</ButtonLink>
      <ButtonLink to="/orders" look="line">
        All orders
      </ButtonLink>
    </Result>
  );
}
