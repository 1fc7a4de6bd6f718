import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { IS_UNDELIVERED, requeueMails } from "#app/infra/mail.server.ts";
import { type Keyset, pageOf } from "../keyset.server.ts";
import type { Done } from "../orders/orders.server.ts";

/**
 * A mail that was not delivered. `isRefused`: the mail server does not know the mailbox. Otherwise two days of tries
 * have failed.
 */
export type UndeliveredMail = {
  id: string;
  kind: string;
  recipient: string;
  writtenAt: Date;
  tries: number;
  error: string | null;
  isRefused: boolean;
};

const BY_TIME = { "outbox.created_at": "time", "outbox.id": "uuid" } as const;

/** A page of undelivered mails that can be retried, newest first: given up, or refused within the last 7 days. */
export async function listUndelivered(on: Db, keyset: Keyset = {}) {
  const found = on
    .selectFrom("outbox")
    .select(["outbox.id", "kind", "recipient", "outbox.createdAt as writtenAt", "tries", "lastError as error"])
    .select(sql<boolean>`outbox.state = 'failed'`.as("isRefused"))
    .where(IS_UNDELIVERED);
  const { rows, ...ends } = await pageOf(found, BY_TIME, keyset);
  return { rows: rows.map(({ place, ...mail }): UndeliveredMail => mail), ...ends };
}

/**
 * Retries undelivered mails: those given up after two days, those refused within the last 7 days, all to one address,
 * or one mail. Returns how many.
 */
export function retryMails(
  on: Db,
  by: Actor,
  which: "given-up" | "refused" | { to: string } | { id: string },
): Promise<{ resent: number }> {
  return retryingTransaction(on, async (trx) => {
    const resent = await requeueMails(trx, which);
    const selection = typeof which === "string" ? which : "to" in which ? "to one address" : `mail ${which.id}`;
    const subject = { kind: "mails", id: "outbox" };
    await recordChange(trx, { by, action: "mails resend", subject, after: { which: selection, resent } });
    return { resent };
  });
}

/** Retries one mail. */
export async function retryMail(on: Db, by: Actor, id: string): Promise<Done> {
  const { resent } = await retryMails(on, by, { id });
  return resent > 0
    ? { ok: true, what: "the email is being sent again" }
    : { ok: false, problem: "That mail no longer waits for anybody" };
}
