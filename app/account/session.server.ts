import { createHmac, timingSafeEqual } from "node:crypto";
import { readCookie, serverCookie } from "#app/infra/cookie.server.ts";
import { db, prepared } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { announce } from "#app/infra/live.server.ts";
import { auth, SESSION_COOKIE } from "./auth.server.ts";
import { SIGNED_IN_COOKIE, type UserSummary } from "./session-summary.ts";

export type SignedIn = { id: string; email: string; firstName: string; lastName: string; emailVerified: boolean };

type UserRow = {
  id: string;
  email: string;
  emailVerified: boolean;
  firstName?: string | null;
  lastName?: string | null;
};

function signedIn({ id, email, emailVerified, firstName, lastName }: UserRow): SignedIn {
  return { id, email, emailVerified, firstName: firstName ?? "", lastName: lastName ?? "" };
}

const userOfSession = prepared<UserRow, [token: string]>(
  "user of a session",
  `select u.id, u.email, u.email_verified as "emailVerified", u.first_name as "firstName", u.last_name as "lastName"
   from sessions s join users u on u.id = s.user_id where s.token = $1 and s.expires_at > now()`,
);

/** Who sent this request, by the session cookie; null for a guest. The session is looked up each time: ending it ends it at once. */
export async function currentUser(request: Request): Promise<SignedIn | null> {
  const token = sessionToken(request);
  const [user] = token ? await userOfSession(db(), token) : [];
  return user ? signedIn(user) : null;
}

/** The cookie as better-auth signs it (`TOKEN.HMAC`, percent-encoded); undefined when there is none or it is not ours. */
function sessionToken(request: Request): string | undefined {
  const [, token = "", signature = ""] = /^([^.]+)\.(.+)$/.exec(decoded(readCookie(request, SESSION_COOKIE))) ?? [];
  const ours = createHmac("sha256", env.sessionSecret).update(token).digest();
  const given = Buffer.from(signature, "base64");
  return token && given.length === ours.length && timingSafeEqual(given, ours) ? token : undefined;
}

function decoded(value = ""): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return ""; // a damaged cookie is no cookie
  }
}

export function summaryOf({ id, email, emailVerified, firstName, lastName }: SignedIn): UserSummary {
  return { uid: id, email, emailVerified, firstName, lastName };
}

/** A session that has begun: whose it is, and the cookies for the answer. */
export type Begun = { user: SignedIn; cookies: string[] };
export type SignInResult = ({ ok: true } & Begun) | { ok: false; why: "invalid" | "unverified" };

/** Checks the password and begins a session. Unknown address and wrong password take the same time. */
export async function signIn(request: Request, email: string, password: string): Promise<SignInResult> {
  const response = await auth().api.signInEmail({
    body: { email, password },
    headers: request.headers,
    asResponse: true,
  });
  if (response.status === 403) return { ok: false, why: "unverified" };
  if (response.status >= 500) throw new Error(`sign-in failed: ${await response.text()}`);
  if (!response.ok) return { ok: false, why: "invalid" };
  return { ok: true, ...(await begun(response)) };
}

/** Begins a session for a user whom Google has proved. */
export async function beginSession(request: Request, userId: string): Promise<Begun> {
  const response = await auth().api.beginSession({ body: { userId }, headers: request.headers, asResponse: true });
  if (!response.ok) throw new Error(`a session could not begin: ${await response.text()}`);
  return begun(response);
}

async function begun(response: Response): Promise<Begun> {
  const user = signedIn(((await response.json()) as { user: UserRow }).user);
  const device = serverCookie(DEVICE_COOKIE, deviceMark(user.email), YEAR);
  return { user, cookies: [...response.headers.getSetCookie(), device, marker(true)] };
}

/** Ends this session; the cookies are for the answer. */
export async function signOut(request: Request): Promise<string[]> {
  const user = await currentUser(request);
  const response = await auth().api.signOut({ headers: request.headers, asResponse: true });
  if (user) await announce(db(), `cart:${user.id}`); // its live streams look again, and end
  return [...response.headers.getSetCookie(), marker(false)];
}

const DAY = 24 * 60 * 60;
const YEAR = 365 * DAY;
const DEVICE_COOKIE = "irepo.device";

/** Says that this account has signed in on this device before: see sign-in-guard.server.ts. It lets nobody in. */
function deviceMark(email: string): string {
  return createHmac("sha256", env.sessionSecret).update(`device of ${email}`).digest("base64url");
}

export function isKnownDevice(request: Request, email: string): boolean {
  return readCookie(request, DEVICE_COOKIE) === deviceMark(email);
}

/** Says to the browser's script, without any secret, that somebody signed in here. */
function marker(isSignedIn: boolean): string {
  const secure = env.publicUrl.protocol === "https:" ? "; Secure" : "";
  return `${SIGNED_IN_COOKIE}=1; Path=/; SameSite=Lax; Max-Age=${isSignedIn ? 30 * DAY : 0}${secure}`;
}
