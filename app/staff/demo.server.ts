import { recordChange } from "#app/infra/audit.server.ts";
import { db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { actorOf, beginSession, type SignedIn } from "./sessions.server.ts";

const EMAIL = "owner@irepo.example";

/** Whether everybody may sign in as the demo's owner: no real money, and not on the internet. */
export function isOfficeOpenToAll(): boolean {
  return env.demoPayments && env.publicUrl.protocol !== "https:" && env.officeUrl?.protocol !== "https:";
}

/** Signs in as the demo's owner, who is made when first asked for. Throws outside the demo. */
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
