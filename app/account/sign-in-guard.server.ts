import type { Db } from "#app/infra/db.server.ts";
import { addressBucket, type Limited, limit } from "#app/infra/rate-limit.server.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How often each account form may be sent: by account (whoever asks) and by address (for whatever account). */
const LIMITS = {
  login: { account: [20, 15 * MINUTE], address: [60, 15 * MINUTE] },
  register: { account: [5, HOUR], address: [30, HOUR] },
  forgot: { account: [5, HOUR], address: [30, HOUR] },
  resend: { account: [5, HOUR], address: [30, HOUR] },
  code: { account: [30, HOUR], address: [60, HOUR] },
} as const satisfies Record<string, { account: readonly [number, number]; address: readonly [number, number] }>;

/** Counts this try; refused when the account or the address has had too many. */
export async function guard(on: Db, request: Request, form: keyof typeof LIMITS, account: string): Promise<Limited> {
  const { account: perAccount, address: perAddress } = LIMITS[form];
  const byAddress = await limit(on, `${form} from ${addressBucket(request)}`, perAddress[0], perAddress[1]);
  if (!byAddress.ok) return byAddress;
  return limit(on, `${form} for ${account}`, perAccount[0], perAccount[1]);
}
