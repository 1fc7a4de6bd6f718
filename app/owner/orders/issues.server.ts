import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { closeIssues } from "#app/orders/issues.server.ts";
import { changeOrder } from "../change-order.server.ts";
import type { Done } from "../orders.server.ts";

/** Takes what somebody has looked into off the list, for good. `about`: the reference of a payment, also of one that is no order's. */
export async function resolveIssues(
  on: Db,
  by: Actor,
  about: string,
  seen?: string,
): Promise<Done & { resolved?: number }> {
  let resolved = 0;
  const done = await changeOrder(
    on,
    by,
    "orders resolve",
    about,
    seen,
  )(async (trx): Promise<Done> => {
    resolved = await closeIssues(trx, about);
    if (resolved > 0) return { ok: true, what: "looked into" };
    return { ok: false, problem: `Nothing waits for a person to look at '${about}'` };
  });
  return { ...done, resolved };
}
