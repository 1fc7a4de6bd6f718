import { randomUUID } from "node:crypto";
import { type Db, transact } from "#app/infra/db.server.ts";
import { enqueue, type Jobs } from "#app/infra/queue.server.ts";
import { limit } from "#app/infra/rate-limit.server.ts";
import type { Purpose } from "./link-code.server.ts";
import { sendResetLink } from "./password-reset.server.ts";
import { sendVerificationLink } from "./registration.server.ts";

const MINUTE = 60;
const AT_ONCE = 5;
/** Strangers in many networks could ask in turns: beyond `AT_ONCE` in an hour a mailbox gets one link in so many seconds. The owner's request waits for the next one, and is never refused. */
const SLOT = 5 * MINUTE;

/** Asks for a link by mail. The same is done for every address: the job finds out whether somebody has it, so no answer's time can tell. */
export async function requestLink(on: Db, purpose: Purpose, email: string): Promise<void> {
  const { ok: atOnce } = await limit(on, [`${purpose} links to ${email}`, AT_ONCE, 60 * MINUTE]);
  const slots = atOnce ? undefined : { key: `${purpose} ${email}`, seconds: SLOT };
  await transact(on, (trx) => enqueue(trx, "send-link", { id: randomUUID(), purpose, email }, slots));
}

/** Makes the link that was asked for and queues its mail, where somebody has the address; twice is the same as once. */
export async function sendLink(on: Db, { id, purpose, email }: Jobs["send-link"]): Promise<void> {
  await (purpose === "reset" ? sendResetLink : sendVerificationLink)(on, email, id);
}
