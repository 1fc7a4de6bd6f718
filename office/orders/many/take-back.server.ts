import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { takeableActs, takeBack } from "#app/owner/orders/take-back.server.ts";
import { actorOf, type Staff } from "#app/staff/sessions.server.ts";
import { change } from "../../http/changes.server.ts";

/**
 * Orders that a member has marked at once: `command` is the act's name in the audit log, `as` completes "marked as …",
 * and `isTold` says whether the shoppers are emailed.
 */
export type Marked = { numbers: string[]; command: string; as: string; isTold: boolean };

/** For how many seconds some of the orders can still be taken back; undefined if none can. */
export async function takeableFor(staff: Staff, { numbers, command }: Marked): Promise<number | undefined> {
  const acts = await takeableActs(db(), numbers, actorOf(staff), command);
  return acts.length > 0 ? Math.max(...acts.map(({ seconds }) => seconds)) : undefined;
}

/** Takes back the acts of a task on all of its orders. `find`: the orders of the member's task with this id. */
export function takeBackAll(find: (staffId: string, work: string) => Marked | undefined) {
  return change({
    needs: "packing",
    fields: z.object({}),
    run: async ({ by, staff, params: { work = "" } }) => {
      const { numbers, command, as, isTold } = find(staff.id, work) ?? NONE;
      let taken = 0;
      for (const act of await takeableActs(db(), numbers, by, command)) if ((await takeBack(db(), by, act)).ok) taken++;
      const late = numbers.length - taken;
      if (taken === 0)
        return { ok: false, problem: `It’s too late to take them back${isTold ? ": their shoppers are told" : ""}` };
      const those = plural(taken, "order is", "orders are");
      return { ok: true, what: `${those} no longer marked as ${as}${late > 0 ? `; for ${late} it’s too late` : ""}` };
    },
  });
}

const NONE: Marked = { numbers: [], command: "", as: "", isTold: false };
