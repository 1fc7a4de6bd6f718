import { replaceHash } from "#app/account/password/store.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { hashPassword, isOutdated, NO_PASSWORD, verifyPassword } from "#app/infra/secrets/password-hash.server.ts";
import { beginSession, type NewSession } from "./store.server.ts";

/** `gone`: the password was right, but the account was deleted during the sign-in. */
export type SignInResult = ({ ok: true } & NewSession) | { ok: false; why: "invalid" | "unverified" | "gone" };

/**
 * The number of attempts, since the hash may be replaced during the check: by a new password, or by the same password
 * hashed with new parameters.
 */
const TRIES = 3;

/**
 * Checks the password and begins a session. An unknown address and a wrong password take the same time. `email` is
 * normalized.
 */
export async function signIn(request: Request, email: string, password: string): Promise<SignInResult> {
  for (let tries = 0; tries < TRIES; tries++) {
    const signed = await tryToSignIn(request, email, password);
    if (signed === "no-record") return { ok: false, why: tries === 0 ? "invalid" : "gone" };
    if (signed !== "hash-changed") return signed;
  }
  return { ok: false, why: "invalid" };
}

async function tryToSignIn(
  request: Request,
  email: string,
  password: string,
): Promise<SignInResult | "hash-changed" | "no-record"> {
  const { row, hash, isRight } = await check(email, password);
  if (!row) return "no-record";
  if (!isRight) return { ok: false, why: "invalid" };
  if (!row.emailVerified) return { ok: false, why: "unverified" };
  const session = await beginSession(request, row, hash);
  if (!session) return "hash-changed";
  if (isOutdated(hash)) await replaceHash(db(), row.id, hash, await hashPassword(password));
  return { ok: true, ...session };
}

/**
 * The user with this address and their hash, if the password is right. A wrong password and an unknown address return
 * undefined, and take the same time.
 */
export async function ownerOfPassword(
  email: string,
  password: string,
): Promise<{ userId: string; checked: string } | undefined> {
  const { row, hash, isRight } = await check(email, password);
  return row && isRight ? { userId: row.id, checked: hash } : undefined;
}

async function check(email: string, password: string) {
  const row = await db()
    .selectFrom("users")
    .leftJoin("accounts", (join) => join.onRef("userId", "=", "users.id").on("providerId", "=", "credential"))
    .where("email", "=", email)
    .select(["users.id", "email", "firstName", "lastName", "emailVerified", "password as hash"])
    .executeTakeFirst();
  const hash = row?.hash ?? NO_PASSWORD;
  return { row, hash, isRight: await verifyPassword(hash, password) };
}
