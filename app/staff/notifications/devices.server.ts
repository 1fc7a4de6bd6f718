import { isIP } from "node:net";
import { sql } from "kysely";
import { z } from "zod";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { isPublicAddress } from "#app/infra/http/public-address.ts";
import { isPublicKey, type Target } from "./web-push.server.ts";

// The rows of devices. Sessions are known only by their hashes, since sessions.server.ts imports this file.

const MOST_LETTERS = 1000;

/**
 * Whether the shop may send to this address at all. Whether its name leads to a public address is seen each time that
 * the shop sends: app/infra/http/client.server.ts.
 */
function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.username || url.password || url.hash) return false;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 || isPublicAddress(host);
}

const bytes = z.base64url().transform((text) => Buffer.from(text, "base64url"));
const subscription = z.object({
  endpoint: z.string().max(MOST_LETTERS).refine(isEndpoint),
  keys: z.object({ p256dh: bytes.refine(isPublicKey), auth: bytes.refine(({ length }) => length === 16) }),
});

/** The subscription that a browser has made, from its JSON. Undefined if it is malformed, or not on https. */
export function readSubscription(text: string): Target | undefined {
  const { data } = subscription.safeParse(parsed(text));
  return data && { endpoint: data.endpoint, publicKey: data.keys.p256dh, secret: data.keys.auth };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type NewDevice = Target & { staffId: string; sessionHash: Buffer; expiresAt: Date; device: string; kinds: string[] };

/** Saves a device, in place of an earlier one with the same session or endpoint. */
export async function saveDevice(trx: Transaction, device: NewDevice): Promise<void> {
  await trx
    .deleteFrom("notificationDevices")
    .where((is) => is.or([is("sessionHash", "=", device.sessionHash), is("endpoint", "=", device.endpoint)]))
    .execute();
  await trx.insertInto("notificationDevices").values(device).execute();
}

/** How many devices of a member get notifications, besides that of this session. */
export async function countOtherDevices(trx: Transaction, staffId: string, sessionHash: Buffer): Promise<number> {
  const { others } = await trx
    .selectFrom("notificationDevices")
    .select(sql<number>`count(*)::int`.as("others"))
    .where("staffId", "=", staffId)
    .where("sessionHash", "!=", sessionHash)
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return others;
}

/** Hands a device on to the session that the same member has begun in the same browser. */
export async function carryOver(
  trx: Transaction,
  from: Buffer | undefined,
  { staffId, sessionHash, lifetime }: { staffId: string; sessionHash: Buffer; lifetime: number },
): Promise<void> {
  if (!from) return;
  await trx
    .updateTable("notificationDevices")
    .set({ sessionHash, expiresAt: sql<Date>`now() + ${millisecondsSql(lifetime)}` })
    .where("sessionHash", "=", from)
    .where("staffId", "=", staffId)
    .execute();
}

/** Deletes the device of one session, or all of a member's devices, `but` that of one session. */
export async function forgetDevices(
  on: Db | Transaction,
  which: { session: Buffer } | { staffId: string; but?: Buffer },
): Promise<void> {
  const devices = on.deleteFrom("notificationDevices");
  if ("session" in which) await devices.where("sessionHash", "=", which.session).execute();
  else
    await devices
      .where("staffId", "=", which.staffId)
      .where("sessionHash", "!=", which.but ?? Buffer.alloc(0))
      .execute();
}

export async function deleteExpiredDevices(on: Db): Promise<void> {
  await on.deleteFrom("notificationDevices").where("expiresAt", "<", sql<Date>`now()`).execute();
}
