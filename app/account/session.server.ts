import { db } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { announce } from "#app/infra/live.server.ts";
import { auth } from "./auth.server.ts";
import { SIGNED_IN_COOKIE, type UserSummary } from "./session-summary.ts";

export type SignedIn = { id: string; email: string; firstName: string; lastName: string; emailVerified: boolean };

/** Who sent this request, by the session cookie; null for a guest. The session is looked up each time: ending it ends it at once. */
export async function currentUser(request: Request): Promise<SignedIn | null> {
  if (!request.headers.get("cookie")?.includes("irepo.session_token")) return null;
  const session = await auth().api.getSession({ headers: request.headers, query: { disableRefresh: true } });
  if (!session) return null;
  const { id, email, emailVerified, firstName, lastName } = session.user;
  return { id, email, emailVerified, firstName: firstName ?? "", lastName: lastName ?? "" };
}

export function summaryOf(user: SignedIn): UserSummary {
  return {
    uid: user.id,
    email: user.email,
    emailVerified: user.emailVerified,
    firstName: user.firstName,
    lastName: user.lastName,
  };
}

export type SignInResult =
  | { ok: true; user: SignedIn; cookies: string[] }
  | { ok: false; why: "invalid" | "unverified" };

/** Checks the password and begins a session; the cookies are for the answer. Unknown address and wrong password take the same time. */
export async function signIn(request: Request, email: string, password: string): Promise<SignInResult> {
  const response = await auth().api.signInEmail({
    body: { email, password },
    headers: request.headers,
    asResponse: true,
  });
  if (response.status === 403) return { ok: false, why: "unverified" };
  if (response.status >= 500) throw new Error(`sign-in failed: ${await response.text()}`);
  if (!response.ok) return { ok: false, why: "invalid" };
  const { user } = (await response.json()) as { user: SignedIn };
  const { id, email: address, emailVerified, firstName, lastName } = user;
  return {
    ok: true,
    user: { id, email: address, emailVerified, firstName: firstName ?? "", lastName: lastName ?? "" },
    cookies: [...response.headers.getSetCookie(), marker(true)],
  };
}

/** Ends this session; the cookies are for the answer. */
export async function signOut(request: Request): Promise<string[]> {
  const user = await currentUser(request);
  const response = await auth().api.signOut({ headers: request.headers, asResponse: true });
  if (user) await announce(db(), `cart:${user.id}`); // its live streams look again, and end
  return [...response.headers.getSetCookie(), marker(false)];
}

/** Says to the browser's script, without any secret, that somebody signed in here. */
function marker(signedIn: boolean): string {
  const secure = env.publicUrl.protocol === "https:" ? "; Secure" : "";
  return `${SIGNED_IN_COOKIE}=1; Path=/; SameSite=Lax; Max-Age=${signedIn ? 30 * 24 * 60 * 60 : 0}${secure}`;
}
