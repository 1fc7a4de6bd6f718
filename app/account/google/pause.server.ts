import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "#app/infra/database/db.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { carried, STATE_LIFETIME } from "./open-id.server.ts";

const identity = z.object({ subject: z.string(), email: z.string(), name: z.string() });
const paused = z.object({ identity, carried });
/** A sign-in that Google has confirmed and that waits for the account's password. */
export type Paused = z.infer<typeof paused>;

/** Stores the sign-in. Returns the state that the browser must bring back. */
export async function pause(on: Db, waiting: Paused): Promise<string> {
  const state = randomBytes(32).toString("base64url");
  const expiresAt = sql<Date>`now() + ${STATE_LIFETIME}::interval`;
  await on
    .insertInto("openIdStates")
    .values({ stateHash: secretHash(state), kept: JSON.stringify(waiting), expiresAt })
    .execute();
  return state;
}

/** The sign-in with this state. Undefined if there is none or it has expired. */
export async function pausedOf(on: Db, state: string | undefined): Promise<Paused | undefined> {
  const row = await on
    .selectFrom("openIdStates")
    .select("kept")
    .where("stateHash", "=", secretHash(state ?? ""))
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return paused.safeParse(row?.kept).data;
}

/** Ends the wait. Returns false if another request has ended it already. */
export async function endPause(on: Db, state: string): Promise<boolean> {
  const ended = on.deleteFrom("openIdStates").where("stateHash", "=", secretHash(state)).returning("stateHash");
  return (await ended.executeTakeFirst()) !== undefined;
}
