import type { Db } from "#app/infra/db.server.ts";
import { addressBucket, type Limited, limit, mayTry } from "#app/infra/rate-limit.server.ts";
import { isKnownDevice } from "./session.server.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

type Limit = readonly [max: number, seconds: number];

/** How often each form may be sent: by address (for whatever account) and by account or mail address (whoever asks). */
const LIMITS = {
  login: { address: [60, 15 * MINUTE], account: [30, 15 * MINUTE] },
  google: { address: [60, 15 * MINUTE] },
  register: { address: [30, HOUR], account: [5, HOUR] },
  forgot: { address: [30, HOUR], account: [5, HOUR] },
  resend: { address: [30, HOUR], account: [5, HOUR] },
  settings: { address: [60, 15 * MINUTE], account: [20, 15 * MINUTE] },
  code: { address: [60, HOUR], account: [30, HOUR] },
  subscribe: { address: [30, HOUR], account: [5, HOUR] },
} as const satisfies Record<string, { address: Limit; account?: Limit }>;

/** Counts this try; refused when the address or the account has had too many. */
export async function guard(on: Db, request: Request, form: keyof typeof LIMITS, account = ""): Promise<Limited> {
  const limits: { address: Limit; account?: Limit } = LIMITS[form];
  const byAddress = await limit(on, [`${form} from ${addressBucket(request)}`, ...limits.address]);
  if (!byAddress.ok || !limits.account) return byAddress;
  return limit(on, [`${form} for ${account}`, ...limits.account]);
}

const WRONG_PASSWORDS: Limit = [10, 15 * MINUTE];

type LoginGuard = { ok: true; wrongPassword(): Promise<void> } | Extract<Limited, { ok: false }>;

/**
 * As `guard`, and few wrong passwords; the caller says when one was wrong. A device where the account has signed in before is counted apart and
 * without its address: no stranger, and no neighbour behind the same address, can lock the owner out.
 */
export async function guardLogin(on: Db, request: Request, email: string): Promise<LoginGuard> {
  const known = isKnownDevice(request, email);
  const [max, seconds] = WRONG_PASSWORDS;
  const key = `wrong password for ${email}${known ? " on a known device" : ""}`;
  const wrong = await mayTry(on, key, max);
  if (!wrong.ok) return wrong;
  const tries = known
    ? await limit(on, [`login for ${email} on a known device`, ...LIMITS.login.account])
    : await guard(on, request, "login", email);
  if (!tries.ok) return tries;
  return { ok: true, wrongPassword: async () => void (await limit(on, [key, max, seconds])) };
}
