import type { Db } from "#app/infra/database/db.server.ts";
import { newKeys, type PushKeys } from "./web-push.server.ts";

/** The shop's keys for push services. Undefined until the first device asks for them. */
export function storedKeys(on: Db): Promise<PushKeys | undefined> {
  return on.selectFrom("notificationKeys").select(["publicKey", "privateKey"]).executeTakeFirst();
}

/** The shop's public key for push services. The first call makes the keys; of several at once, one pair is kept. */
export async function publicKey(on: Db): Promise<Buffer> {
  const stored = await storedKeys(on);
  if (stored) return stored.publicKey;
  await on
    .insertInto("notificationKeys")
    .values(newKeys())
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await storedKeys(on);
  if (!kept) throw new Error("The keys for push services were not kept");
  return kept.publicKey;
}
