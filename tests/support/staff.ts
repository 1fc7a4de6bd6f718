import { setTimeout as pause } from "node:timers/promises";
import { TOTP } from "otpauth";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { acceptInvitation } from "#app/staff/acceptance.server.ts";
import { findInvitation, inviteStaff } from "#app/staff/invitations.server.ts";
import { passkeyToMake } from "#app/staff/passkeys.server.ts";
import { newTotpSecret } from "#app/staff/totp.server.ts";
import { softwareAuthenticator } from "./authenticator.ts";
import { OWNER } from "./command.ts";

export const OFFICE = env.officeUrl?.origin ?? "";
export const PASSWORD = "wide open harmony";

/** A request to the office with these cookies. */
export function officeRequest(cookies: string[] = []): Request {
  const cookie = cookies.map((one) => one.split(";")[0]).join("; ");
  const headers = { cookie, "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/140" };
  return new Request(`${OFFICE}/sign-in`, { method: "POST", headers });
}

/** The current code, or the code `later` seconds from now. */
export function totpNow(secret: string, later = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + later * 1000 });
}

/**
 * The code of the previous step, which is accepted as long as the current step lasts. If the current step is about to
 * end, waits for the next one.
 */
export async function previousCode(secret: string): Promise<string> {
  const left = STEP - (Date.now() % STEP);
  if (left < 5000) await pause(left);
  return totpNow(secret, -30);
}
const STEP = 30_000; // ms

/** Invites a member. Returns the invitation with the code of its link. */
export async function invite(on: Db, role: string = "orders", email = `${crypto.randomUUID()}@example.com`) {
  const { url } = await inviteStaff(on, OWNER, { email, role });
  const code = new URL(url).searchParams.get("code") ?? "";
  const invited = await findInvitation(on, code);
  if (!invited) throw new Error("There’s no such invitation");
  return { ...invited, code };
}

/** A member who has accepted an invitation with a passkey, and is signed in. */
export async function staffWithPasskey(on: Db, role?: string, email?: string) {
  const { code, ...invited } = await invite(on, role, email);
  const authenticator = softwareAuthenticator(OFFICE);
  const passkey = authenticator.create(await passkeyToMake(on, invited));
  const accepted = await acceptInvitation(on, officeRequest(), code, { name: "Ada Obi", passkey });
  if (!accepted.ok) throw new Error(accepted.why);
  return { ...invited, ...accepted, authenticator };
}

/**
 * A member who has accepted an invitation with a password and codes. The code used was that of the previous step, so
 * that the present one is still unused.
 */
export async function staffWithPassword(on: Db, role?: string) {
  const { code, ...invited } = await invite(on, role);
  const secret = newTotpSecret();
  const given = { name: "Ada Obi", password: PASSWORD, secret, code: await previousCode(secret) };
  const accepted = await acceptInvitation(on, officeRequest(), code, given);
  if (!accepted.ok) throw new Error(accepted.why);
  return { ...invited, ...accepted, secret };
}
