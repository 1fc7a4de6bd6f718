import { recordChange } from "#app/infra/audit.server.ts";
import { db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { isFromThisMachine } from "#app/infra/http/this-machine.ts";
import { actorOf, beginSession, type SignedIn } from "./sessions.server.ts";

const EMAIL = "owner@irepo.example";

/** Whether the demo's owner may sign in without a password: only without real money, and not over https. */
export function isOfficeOpenToAll(): boolean {
  return env.demoPayments && env.publicUrl.protocol !== "https:" && env.officeUrl?.protocol !== "https:";
}

/**
 * Whether this request may sign in as the demo's owner. It must come from this machine, even if the whole network can
 * open the demo.
 */
export function mayEnterDemo(request: Request): boolean {
  return isOfficeOpenToAll() && isFromThisMachine(request);
}

/** Signs in as the demo's owner. The first call creates the owner. Throws outside the demo. */
export function signInToDemo(request: Request): Promise<SignedIn> {
  if (!isOfficeOpenToAll()) throw new Error("Nobody signs in without a proof but in the demo");
  return retryingTransaction(db(), async (trx): Promise<SignedIn> => {
    const made = await trx
      .insertInto("staff")
      .values({ email: EMAIL, name: "Bisi Adeyemi", role: "owner", joinedAt: new Date() })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .returning("id")
      .executeTakeFirst();
    const subject = { kind: "staff", id: EMAIL };
    const after = { role: "owner" };
    if (made) await recordChange(trx, { by: actorOf({ email: EMAIL }), action: "staff demo", subject, after });
    const { id } = await trx.selectFrom("staff").select("id").where("email", "=", EMAIL).executeTakeFirstOrThrow();
    return { ok: true, cookies: await beginSession(trx, request, id), email: EMAIL };
  });
}
