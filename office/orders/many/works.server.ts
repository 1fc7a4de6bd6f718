import { DAY } from "#app/infra/durations.ts";
import { plural } from "#app/infra/text/plural.ts";
import type { StepTaken } from "#app/owner/orders/many/steps.server.ts";
import { STEPS, type Step } from "#app/owner/orders/many/steps.ts";
import type { Recent } from "../../frame/progress.tsx";
import { type LongWork, longWorks } from "../../http/long-work.server.ts";
import { STEP_WORDS } from "./words.ts";

/** The tasks in which many orders take a step, kept for a day. */
export const stepWorks = Object.fromEntries(
  Object.keys(STEPS).map((step) => [step, longWorks<StepTaken>({ for: DAY, most: 20 })]),
) as Record<Step, ReturnType<typeof longWorks<StepTaken>>>;

export type StepWork = LongWork<StepTaken> & { step: Step };

/** The member's task with this id. */
export function findStepWork(staffId: string, id: string): StepWork | undefined {
  return worksOf((step) => [stepWorks[step].find(staffId, id)])[0];
}

/** A member's tasks, with links to their pages. */
export function recentSteps(staffId: string): Recent[] {
  return worksOf((step) => stepWorks[step].of(staffId)).map(
    ({ step, id, rows, done, all, isDone, failed, endedAt }) => {
      const { as } = STEP_WORDS[step];
      const wrong = rows.filter(({ ok }) => !ok).length;
      const ended = failed ? `Ended after ${done} of ${all} orders` : `${done - wrong} marked as ${as}`;
      const says = isDone ? ended : `Marking ${all} as ${as}: ${done} done`;
      return {
        to: `/orders/steps/${id}`,
        says: wrong > 0 ? `${says}. Not marked: ${plural(wrong, "order")}` : says,
        tone: !isDone ? "going" : failed || wrong > 0 ? "person" : "done",
        endedAt,
      };
    },
  );
}

function worksOf(find: (step: Step) => (LongWork<StepTaken> | undefined)[]): StepWork[] {
  return (Object.keys(STEPS) as Step[]).flatMap((step) =>
    find(step).flatMap((work) => (work ? [{ ...work, step }] : [])),
  );
}
