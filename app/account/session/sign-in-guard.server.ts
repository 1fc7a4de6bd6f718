import type { Db } from "#app/infra/database/db.server.ts";
import { HOUR, MINUTE } from "#app/infra/durations.ts";
import { addressBucket, type Limited, limit, takeTry } from "#app/infra/http/rate-limit.server.ts";
import { isKnownDevice } from "./cookies.server.ts";

type Limit = readonly [max: number, within: number];
type Limits = { address: Limit; account?: Limit; accountByAddress?: Limit };

/**
 * How often each form may be sent: by address (for any account), by account or mail address (from anywhere), and for an account from one address,
 * so that strangers do not use up the owner's limit.
 */
const LIMITS = {
  login: { address: [60, 15 * MINUTE], account: [30, 15 * MINUTE] },
  google: { address: [60, 15 * MINUTE] },
  register: { address: [30, HOUR], account: [5, HOUR] },
  forgot: { address: [30, HOUR], accountByAddress: [5, HOUR] },
  resend: { address: [30, HOUR], accountByAddress: [5, HOUR] },
  settings: { address: [60, 15 * MINUTE], account: [20, 15 * MINUTE] },
  code: { address: [60, HOUR], account: [30, HOUR] },
  subscribe: { address: [30, HOUR], account: [5, HOUR] },
} as const satisfies Record<string, Limits>;

/** Counts this try; refused when the address or the account has had too many. */
export async function guard(on: Db, request: Request, form: keyof typeof LIMITS, account = ""): Promise<Limited> {
  const limits: Limits = LIMITS[form];
  const from = `from ${addressBucket(request)}`;
  const byAddress = await limit(on, [`${form} ${from}`, ...limits.address]);
  if (!byAddress.ok) return byAddress;
  if (limits.accountByAddress) return limit(on, [`${form} for ${account} ${from}`, ...limits.accountByAddress]);
  return limits.account ? limit(on, [`${form} for ${account}`, ...limits.account]) : byAddress;
}

const WRONG_PASSWORDS: Limit = [10, 15 * MINUTE];

type LoginGuard = { ok: true; passwordWasRight(): Promise<void> } | Extract<Limited, { ok: false }>;

/**
 * As `guard`, with few wrong passwords. Each counts as wrong before it is checked, so that many at once cannot exceed the limit; the caller reports
 * a right one. A device on which the account has signed in before is counted separately and without its address: no stranger, nor neighbour behind
 * the same address, can lock the owner out.
 */
export async function guardLogin(on: Db, request: Request, email: string): Promise<LoginGuard> {
  const isKnown = isKnownDevice(request, email);
  const onDevice = isKnown ? " on a known device" : ""; // before what was typed, which may end in anything
  const tries = isKnown
    ? await limit(on, [`login${onDevice} for ${email}`, ...LIMITS.login.account])
    : await guard(on, request, "login", email);
  if (!tries.ok) return tries;
  const taken = await takeTry(on, `wrong password${onDevice} for ${email}`, ...WRONG_PASSWORDS);
  return taken.ok ? { ok: true, passwordWasRight: taken.giveBack } : taken;
}
