import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { isUndelivered, requeueMails } from "#app/infra/mail.server.ts";
import { type Keyset, newestFirst } from "../keyset.server.ts";
import type { Done } from "../orders.server.ts";

/** A mail that did not arrive. `isRefused`: its server knows no such mailbox; else it was tried for two days. */
export type UndeliveredMail = {
  id: string;
  kind: string;
  recipient: string;
  writtenAt: Date;
  tries: number;
  error: string | null;
  isRefused: boolean;
};

const PAGE = 50;

/** A page of the newest mails that did not arrive and may be tried again: given up, or refused in the last 7 days. */
export async function listUndelivered(on: Db, keyset: Keyset = {}, size = PAGE) {
  const { place, where, direction, pageOf } = newestFirst("outbox.createdAt", "outbox.id", "uuid", keyset);
  const rows = await on
    .selectFrom("outbox")
    .select(["outbox.id", "kind", "recipient", "outbox.createdAt as writtenAt", "tries", "lastError as error"])
    .select([sql<boolean>`outbox.state = 'failed'`.as("isRefused"), place.as("place")])
    .where(isUndelivered)
    .where(where)
    .orderBy("outbox.createdAt", direction)
    .orderBy("outbox.id", direction)
    .limit(size + 1)
    .execute();
  const { page, newer, older } = pageOf(rows, size);
  return { mails: page.map(({ place, ...mail }): UndeliveredMail => mail), newer, older };
}

/** Tries again what did not arrive: given up after two days, also refused in the last 7, all to one address, or one mail. Answers how many. */
export function resendMails(
  on: Db,
  by: Actor,
  which: "given-up" | "refused" | { to: string } | { id: string },
): Promise<{ resent: number }> {
  return retryingTransaction(on, async (trx) => {
    const resent = await requeueMails(trx, which);
    const said = typeof which === "string" ? which : "to" in which ? "to one address" : `mail ${which.id}`;
    const subject = { kind: "mails", id: "outbox" };
    await recordChange(trx, { by, action: "mails resend", subject, after: { which: said, resent } });
    return { resent };
  });
}

/** The same of one mail, as an answer to whoever asked. */
export async function resendMail(on: Db, by: Actor, id: string): Promise<Done> {
  const { resent } = await resendMails(on, by, { id });
  return resent > 0
    ? { ok: true, what: "the mail is on its way again" }
    : { ok: false, problem: "That mail waits for nobody any more" };
}
