import type { Db } from "#app/infra/database/db.server.ts";
import { addressBucket, limit, takeTry } from "#app/infra/http/rate-limit.server.ts";
import { REST, type Resting, type Wrong } from "./refusals.ts";

const WRONG_TRIES = 5;
const FROM_ONE_ADDRESS = 60;

export type Try = { ok: true; wrong: Wrong; wasRight(): Promise<void> } | Resting;

/** Counts a request of somebody who is not signed in yet, whatever it asks for. */
export async function countRequest(on: Db, request: Request): Promise<{ ok: true } | Resting> {
  const counted = await limit(on, [`office sign-in from ${addressBucket(request)}`, FROM_ONE_ADDRESS, REST]);
  return counted.ok ? counted : { ...counted, why: "rest" };
}

/**
 * Counts a try as wrong before it is looked at, so that of many at once no more are than may be; `wasRight` takes it back. `whose`: what was typed or
 * whom it is about, so that an address that nobody has is answered as any other.
 */
export async function takeSignInTry(on: Db, request: Request, secret: string, whose: string): Promise<Try> {
  const counted = await countRequest(on, request);
  if (!counted.ok) return counted;
  const taken = await takeTry(on, `wrong office ${secret} for ${whose}`, WRONG_TRIES, REST);
  if (!taken.ok) return { ...taken, why: "rest" };
  return { ok: true, wrong: { ok: false, why: "wrong", left: taken.left }, wasRight: taken.giveBack };
}
