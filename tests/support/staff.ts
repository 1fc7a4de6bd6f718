import { TOTP } from "otpauth";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { acceptInvitation } from "#app/staff/acceptance.server.ts";
import { findInvitation, inviteStaff } from "#app/staff/invitations.server.ts";
import { passkeyToMake } from "#app/staff/passkeys.server.ts";
import type { Role } from "#app/staff/roles.ts";
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

/** The code of this moment, or of so many seconds later. */
export function totpNow(secret: string, later = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + later * 1000 });
}

/** Invites somebody; the answer is the code of the link. */
export async function invite(on: Db, role: Role = "orders", email = `${crypto.randomUUID()}@example.com`) {
  const { url } = await inviteStaff(on, OWNER, { email, role });
  const code = new URL(url).searchParams.get("code") ?? "";
  const invited = await findInvitation(on, code);
  if (!invited) throw new Error("There is no such invitation");
  return { ...invited, code };
}

/** Somebody who has accepted with a passkey, and is signed in. */
export async function staffWithPasskey(on: Db, role?: Role, email?: string) {
  const { code, ...invited } = await invite(on, role, email);
  const authenticator = softwareAuthenticator(OFFICE);
  const passkey = authenticator.create(await passkeyToMake(on, invited));
  const accepted = await acceptInvitation(on, officeRequest(), code, { name: "Ada Obi", passkey });
  if (!accepted.ok) throw new Error(accepted.why);
  return { ...invited, ...accepted, authenticator };
}

/** Somebody who has accepted with a password and codes; the code that was used is one of the step before. */
export async function staffWithPassword(on: Db, role?: Role) {
  const { code, ...invited } = await invite(on, role);
  const secret = newTotpSecret();
  const given = { name: "Ada Obi", password: PASSWORD, secret, code: totpNow(secret, -30) };
  const accepted = await acceptInvitation(on, officeRequest(), code, given);
  if (!accepted.ok) throw new Error(accepted.why);
  return { ...invited, ...accepted, secret };
}
