import { randomUUID } from "node:crypto";
import { sendResetLink } from "#app/account/password/reset.server.ts";
import { sendVerificationLink } from "#app/account/registration.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { enqueue, type Jobs } from "#app/infra/database/queue.server.ts";
import { HOUR, MINUTE } from "#app/infra/durations.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import type { Purpose } from "./code.server.ts";

const LINKS_AN_HOUR = 5;
/** Strangers in many networks could ask in turns: beyond `LINKS_AN_HOUR` a mailbox gets one link in this time. The owner's request waits for the next one, and is never refused. */
const SLOT = 5 * MINUTE;

/** Asks for a link by mail. The same is done for every address: the job finds out whether somebody has it, so no answer's time can tell. */
export async function requestLink(on: Db, purpose: Purpose, email: string): Promise<void> {
  const { ok: few } = await limit(on, [`${purpose} links to ${email}`, LINKS_AN_HOUR, HOUR]);
  const slots = few ? undefined : { key: `${purpose} ${email}`, every: SLOT };
  await retryingTransaction(on, (trx) => enqueue(trx, "send-link", { id: randomUUID(), purpose, email }, { slots }));
}

/** Makes the link that was asked for and queues its mail, where somebody has the address; twice is the same as once. */
export async function sendLink(on: Db, { id, purpose, email }: Jobs["send-link"]): Promise<void> {
  await (purpose === "reset" ? sendResetLink : sendVerificationLink)(on, email, id);
}
