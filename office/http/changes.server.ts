import { type ActionFunctionArgs, data } from "react-router";
import type { z } from "zod";
import type { Actor } from "#app/infra/audit.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import type { SizeProblem } from "#app/owner/catalog/stock-edit.ts";
import type { Act } from "#app/owner/orders.server.ts";
import type { Permission } from "#app/staff/roles.ts";
import { actorOf, type Staff } from "#app/staff/sessions.server.ts";
import { fieldsOf, postedForm } from "./form.server.ts";
import { requirePermission } from "./staff.server.ts";

/**
 * What has become of a change. `problems` stand beside the fields that they name; `since` and `meanwhile` are what others have done, because of which it
 * was refused; `sizes` are those whose stock is not as it was seen, and `doubts` what looks like a slip and can be agreed to. `version` is what the changed
 * thing is at now, so that the next change of the same form is not taken for one that somebody else was in the way of.
 */
export type Outcome =
  | { ok: true; what: string; link?: string; recoveryCodes?: string[]; version?: string }
  | { ok: false; problem: string; since?: Act[]; sizes?: SizeProblem[]; doubts?: string[]; meanwhile?: string }
  | { ok: false; problems: Record<string, string> };

type Given<Fields> = {
  by: Actor;
  staff: Staff;
  fields: Fields;
  request: Request;
  params: ActionFunctionArgs["params"];
};

export type Change<Fields = unknown> = {
  needs: Permission;
  fields: z.ZodType<Fields>;
  /** Carries it out, and writes the audit row in the same transaction. A Response is handed on as it is. */
  run(given: Given<Fields>): Promise<Outcome | Response>;
};

/** One thing that can be done on a screen. */
export function change<Fields>(one: Change<Fields>): Change {
  return { ...one, run: (given) => one.run({ ...given, fields: one.fields.parse(given.fields) }) };
}

/**
 * A route's action: the form's `intent` names which of these is meant. Whoever may not do it gets 403, and what cannot be read 422 with what is wrong
 * beside each field; both change nothing.
 */
export function changes<Table extends Record<string, Change>>(table: Table) {
  const action = async ({ request, params, context }: ActionFunctionArgs) => {
    const form = await postedForm(request);
    const intent = String(form.get("intent"));
    const one = Object.hasOwn(table, intent) ? table[intent] : undefined;
    if (!one) throw data(null, 400);
    const staff = requirePermission(context, one.needs);
    const typed = fieldsOf(form);
    const parsed = one.fields.safeParse(typed);
    const by = actorOf(staff);
    const done = parsed.success
      ? await one.run({ by, staff, fields: typed, request, params }).catch(storeAway) // which reads them itself
      : { ok: false as const, problems: problemsOf(parsed.error) };
    if (done instanceof Response) return done;
    return data({ ...done, intent }, done.ok ? 200 : done === STORE_AWAY ? 503 : 422);
  };
  return Object.assign(action, { changes: table });
}

const STORE_AWAY: Outcome = {
  ok: false,
  problem: "The pictures’ store does not answer: nothing was saved. Try again in a moment",
};

/** A change may need what only the pictures' store has. */
function storeAway(error: unknown): Outcome {
  if (error instanceof Problem) return STORE_AWAY;
  throw error;
}

/** The first thing that is wrong with each field. */
export function problemsOf({ issues }: z.ZodError): Record<string, string> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join("."), message]));
}
