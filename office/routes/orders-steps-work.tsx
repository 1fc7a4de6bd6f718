import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { STEP_WORKS } from "#app/owner/orders/many/steps.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { Result } from "../orders/many/result.tsx";
import { type Marked, takeableFor, takeBackAll } from "../orders/many/take-back.server.ts";
import { STEP_WORDS } from "../orders/many/words.ts";
import { findStepWork, type StepWork } from "../orders/many/works.server.ts";

export async function loader({ params: { work: id = "" }, context }: LoaderFunctionArgs) {
  const staff = requirePermission(context, "packing");
  const found = findStepWork(staff.id, id);
  if (!found) throw data(null, 404);
  const { step, rows, done, all, isDone, failed } = found;
  return {
    step,
    rows,
    work: { done, all, isDone, failed },
    seconds: isDone ? await takeableFor(staff, markedBy(found)) : undefined,
  };
}

function markedBy({ step, rows }: StepWork): Marked {
  const { command } = STEP_WORKS[step];
  return { ...STEP_WORDS[step], command, numbers: rows.flatMap(({ ok, number }) => (ok ? [number] : [])) };
}

export const action = changes({
  "take-back": takeBackAll((staffId, id) => {
    const found = findStepWork(staffId, id);
    return found && markedBy(found);
  }),
});
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
      withEmail={rows.filter(({ ok, hasEmail }) => ok && hasEmail).length}
      wrong={wrong.map(({ number, says }) => ({ name: number, says }))}
      again="Choose them in the list again."
      next={{ to: "/orders", title: "All orders" }}
    />
  );
}
