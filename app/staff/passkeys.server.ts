import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { COSEALG, decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import { sql } from "kysely";
import { recordChange } from "#app/infra/audit.server.ts";
import { type Db, db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { brandNow } from "#app/infra/settings/shop-settings.server.ts";
import { consumeChallenge, newChallenge, type Purpose } from "./challenges.server.ts";
import { readPasskeyAnswer } from "./passkey-answers.ts";
import type { Resting } from "./refusals.ts";
import { actorOf, beginSession, deviceOf, type SignedIn } from "./sessions.server.ts";
import { countRequest } from "./tries.server.ts";

/** A new passkey that has been verified but not saved yet. */
export type NewPasskey = { id: string; publicKey: Buffer; counter: number; transports: string[] };
/** A saved passkey, as its owner sees it. Times are in ISO 8601. */
export type Passkey = { id: string; device: string; createdAt: string; usedAt: string | null };

/** The algorithms that all authenticators support. With newer ones Node warns that they are experimental. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

function relyingParty(): { origin: string; id: string } {
  if (!env.officeUrl) throw new Error("The office is off");
  return { origin: env.officeUrl.origin, id: env.officeUrl.hostname };
}

/**
 * The options with which the browser creates a passkey. Signing in with it needs no e-mail address, but a fingerprint,
 * a face or a PIN. A device that already has one of the `known` passkeys creates no second one.
 */
export async function passkeyToMake(
  on: Db,
  { id, email, name }: { id: string; email: string; name: string },
  known: { id: string }[] = [],
) {
  return generateRegistrationOptions({
    rpName: `${(await brandNow(() => on)).name} office`,
    rpID: relyingParty().id,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name || email,
    challenge: Buffer.from(await newChallenge(on, "register", id), "base64url"),
    excludeCredentials: known,
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** The options with which the browser signs in with any passkey of the office. */
export async function passkeyToUse(request: Request) {
  const counted = await countRequest(db(), request);
  if (!counted.ok) return counted;
  const challenge = Buffer.from(await newChallenge(db(), "sign-in"), "base64url");
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge,
    userVerification: "required",
  });
  return { ok: true as const, options };
}

/** Uses up the challenge in a browser's response. Undefined if it has no valid challenge. */
async function challengeOf(on: Db, purpose: Purpose, clientDataJSON: string) {
  const challenge = readable(() => decodeClientDataJSON(clientDataJSON).challenge);
  if (typeof challenge !== "string") return;
  const used = await consumeChallenge(on, purpose, challenge);
  return used && { challenge, staffId: used.staffId };
}

/** Returns undefined if the data is malformed. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * The library throws for any invalid response, and none of its checks uses the database. So a rejection means an
 * invalid response.
 */
const verified = <T extends { verified: boolean }>(checked: Promise<T>): Promise<T | undefined> =>
  checked.then(
    (result) => (result.verified ? result : undefined),
    () => undefined,
  );

/**
 * Verifies the passkey that a browser has created for this member. `answer` is the browser's JSON. Undefined if it is
 * invalid.
 */
export async function checkNewPasskey(on: Db, staffId: string, answer: string): Promise<NewPasskey | undefined> {
  const response: RegistrationResponseJSON | undefined = readPasskeyAnswer("made", answer);
  const asked = response && (await challengeOf(on, "register", response.response.clientDataJSON));
  if (!asked || asked.staffId !== staffId) return;
  const { origin, id } = relyingParty();
  const result = await verified(
    verifyRegistrationResponse({
      response,
      expectedChallenge: asked.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!result?.registrationInfo) return;
  const { credential } = result.registrationInfo;
  if (await on.selectFrom("staffPasskeys").select("id").where("id", "=", credential.id).executeTakeFirst()) return;
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
  };
}

/** Throws if a member already has this passkey. */
export async function savePasskey(
  trx: Transaction,
  request: Request,
  staff: { id: string; email: string },
  passkey: NewPasskey,
): Promise<void> {
  const device = deviceOf(request);
  await trx
    .insertInto("staffPasskeys")
    .values({ ...passkey, staffId: staff.id, device })
    .execute();
  const subject = { kind: "staff", id: staff.email };
  await recordChange(trx, { by: actorOf(staff), action: "staff passkey add", subject, after: { device } });
}

/** Adds the passkey that a signed-in member's browser has created. Returns false if it is invalid. */
export async function addPasskey(
  on: Db,
  request: Request,
  staff: { id: string; email: string },
  answer: string,
): Promise<boolean> {
  const passkey = await checkNewPasskey(on, staff.id, answer);
  if (passkey) await retryingTransaction(on, (trx) => savePasskey(trx, request, staff, passkey));
  return passkey !== undefined;
}

/** A member's passkeys, oldest first. */
export async function listPasskeys(on: Db | Transaction, staffId: string): Promise<Passkey[]> {
  const rows = await on
    .selectFrom("staffPasskeys")
    .select(["id", "device", "createdAt", "usedAt"])
    .where("staffId", "=", staffId)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ id, device, createdAt, usedAt }) => ({
    id,
    device,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }));
}

/** Returns false, and keeps the passkey, if it is the member's last way to sign in. Safe to repeat. */
export function removePasskey(on: Db, staff: { id: string; email: string }, id: string): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const { password } = await trx
      .selectFrom("staff")
      .select("password")
      .where("id", "=", staff.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const passkeys = await listPasskeys(trx, staff.id);
    const removed = passkeys.find((passkey) => passkey.id === id);
    if (!removed) return true;
    if (!password && passkeys.length === 1) return false;
    await trx.deleteFrom("staffPasskeys").where("id", "=", id).execute();
    const subject = { kind: "staff", id: staff.email };
    const before = { device: removed.device };
    await recordChange(trx, { by: actorOf(staff), action: "staff passkey remove", subject, before });
    return true;
  });
}

/**
 * Signs in with a passkey. `answer` is the browser's JSON. A challenge is valid once. A signature counter that has not
 * increased is refused, as the passkey may be a copy.
 */
export async function signInWithPasskey(
  request: Request,
  answer: string,
): Promise<SignedIn | { ok: false; why: "unknown" } | Resting> {
  const counted = await countRequest(db(), request);
  if (!counted.ok) return counted;
  const unknown = { ok: false, why: "unknown" } as const;
  const response: AuthenticationResponseJSON | undefined = readPasskeyAnswer("used", answer);
  const asked = response && (await challengeOf(db(), "sign-in", response.response.clientDataJSON));
  if (!asked) return unknown;
  const known = await db()
    .selectFrom("staffPasskeys")
    .innerJoin("staff", "staff.id", "staffId")
    .selectAll("staffPasskeys")
    .select("email")
    .where("staffPasskeys.id", "=", response.id)
    .executeTakeFirst();
  if (!known || response.response.userHandle !== Buffer.from(known.staffId).toString("base64url")) return unknown;
  const { origin, id } = relyingParty();
  const publicKey = Uint8Array.from(known.publicKey);
  const result = await verified(
    verifyAuthenticationResponse({
      response,
      expectedChallenge: asked.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { id: known.id, publicKey, counter: Number(known.counter), transports: known.transports },
    }),
  );
  if (!result) return unknown;
  const { newCounter } = result.authenticationInfo;
  const cookies = await retryingTransaction(db(), async (trx) => {
    const used = await trx
      .updateTable("staffPasskeys")
      .set({ counter: newCounter, usedAt: sql`now()` })
      .where("id", "=", known.id)
      .where("counter", "=", known.counter)
      .returning("staffId")
      .executeTakeFirst();
    return used && beginSession(trx, request, used.staffId);
  });
  return cookies ? { ok: true, cookies, email: known.email } : unknown;
}
