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
import { consumeChallenge, newChallenge, type Purpose } from "./challenges.server.ts";
import { readPasskeyAnswer } from "./passkey-answers.ts";
import type { Resting } from "./refusals.ts";
import { actorOf, beginSession, deviceOf, type SignedIn } from "./sessions.server.ts";
import { countRequest } from "./tries.server.ts";

/** A passkey that a device has made, checked and not yet kept. */
export type NewPasskey = { id: string; publicKey: Buffer; counter: number; transports: string[] };
/** As its owner sees it. Times as ISO 8601. */
export type Passkey = { id: string; device: string; createdAt: string; usedAt: string | null };

/** What every authenticator has; asked for the newest ones, Node warns that they are experimental. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

function relyingParty(): { origin: string; id: string } {
  if (!env.officeUrl) throw new Error("The office is off");
  return { origin: env.officeUrl.origin, id: env.officeUrl.hostname };
}

/**
 * What the browser is given to make a passkey with: one that is found without an address, and used with a finger, a face or a PIN. A device that has
 * one of the `known` makes no second.
 */
export async function passkeyToMake(
  on: Db,
  { id, email, name }: { id: string; email: string; name: string },
  known: { id: string }[] = [],
) {
  return generateRegistrationOptions({
    rpName: "Irepo office",
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

/** What the browser is given to sign in with any passkey of the office's. */
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

/** Uses up the challenge that an answer names. Undefined where the answer names none that is good. */
async function challengeOf(on: Db, purpose: Purpose, clientDataJSON: string) {
  const challenge = readable(() => decodeClientDataJSON(clientDataJSON).challenge);
  if (typeof challenge !== "string") return;
  const used = await consumeChallenge(on, purpose, challenge);
  return used && { challenge, staffId: used.staffId };
}

/** Undefined for what a browser would not have sent. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The library throws at whatever is wrong with an answer; none of it touches the database. */
const verified = <T extends { verified: boolean }>(checked: Promise<T>): Promise<T | undefined> =>
  checked.then(
    (result) => (result.verified ? result : undefined),
    () => undefined,
  );

/** Checks the passkey that a browser has made for this member; undefined where it is not what was asked for. `answer` is its JSON. */
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

/** Throws where somebody has it already. */
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

/** A signed-in member adds the passkey that their browser has made. False: it is not what was asked for. */
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

/** A member's passkeys, the oldest first. */
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

/** False: it was the last way to sign in, and stays. Safe to repeat. */
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

/** Signs in with what a passkey has signed: `answer` is the browser's JSON. A challenge counts once, and a counter that goes back is refused. */
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
