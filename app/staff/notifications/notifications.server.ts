import { sql } from "kysely";
import { recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { actorOf, deviceOf, lockedSession, type Staff, tokenHashOf } from "../sessions.server.ts";
import { countOtherDevices, saveDevice } from "./devices.server.ts";
import { KINDS, type Kind, kindsFor } from "./kinds.ts";
import type { Target } from "./web-push.server.ts";

// What members of staff do with their own notifications.

const MOST_DEVICES = 10;

type Member = Pick<Staff, "id" | "email" | "role">;

/**
 * A device as its member sees it. `since` is in ISO 8601. `isThis` marks the browser of the request. `problem`: why the
 * last notification has not arrived; null if it has.
 */
export type Device = {
  id: string;
  device: string;
  kinds: Kind[];
  since: string;
  isThis: boolean;
  problem: string | null;
};

/** A member's devices that get notifications, the newest first. */
export async function listDevices(on: Db, request: Request, staffId: string): Promise<Device[]> {
  const own = tokenHashOf(request);
  const rows = await on
    .selectFrom("notificationDevices")
    .select(["id", "device", "kinds", "createdAt", "sessionHash"])
    .select(
      sql<string | null>`(select answer from notifications
        where device_id = notification_devices.id and tries > 0 order by happened_at desc limit 1)`.as("problem"),
    )
    .where("staffId", "=", staffId)
    .where("expiresAt", ">", sql<Date>`now()`)
    .orderBy("createdAt", "desc")
    .execute();
  return rows.map(({ id, device, kinds, createdAt, sessionHash, problem }) => ({
    id,
    device,
    kinds: KINDS.filter((kind) => kinds.includes(kind)),
    since: createdAt.toISOString(),
    isThis: own !== undefined && sessionHash.equals(own),
    problem,
  }));
}

const NONE_CHOSEN = "Tick at least one kind, or switch notifications off";

/** The chosen kinds that the member's role may see. Throws a BadInput if there are none. */
function allowed({ role }: Member, kinds: readonly Kind[]): Kind[] {
  const open = kindsFor(role).filter((kind) => kinds.includes(kind));
  if (open.length === 0) throw new BadInput(NONE_CHOSEN);
  return open;
}

/**
 * Switches notifications of these kinds on in the request's browser, until its session ends. Throws a BadInput if that
 * is not possible. Safe to repeat.
 */
export function switchOn(
  on: Db,
  request: Request,
  staff: Member,
  { target, kinds: chosen }: { target: Target; kinds: readonly Kind[] },
): Promise<void> {
  const kinds = allowed(staff, chosen);
  return retryingTransaction(on, async (trx) => {
    await trx.selectFrom("staff").select("id").where("id", "=", staff.id).forUpdate().execute(); // counts one by one
    const session = await lockedSession(trx, request);
    if (!session) throw new BadInput("You’re signed out here: sign in again first");
    const { tokenHash: sessionHash, endsAt: expiresAt } = session;
    if ((await countOtherDevices(trx, staff.id, sessionHash)) >= MOST_DEVICES)
      throw new BadInput(`${MOST_DEVICES} devices get your notifications already: switch one of them off first`);
    const device = deviceOf(request);
    await saveDevice(trx, { ...target, staffId: staff.id, sessionHash, expiresAt, device, kinds });
    await recordDevice(trx, staff, "staff notifications on", { after: { device, kinds } });
  });
}

/** Changes what one of the member's devices is told of. Throws a BadInput if that is not possible. Safe to repeat. */
export function chooseKinds(on: Db, staff: Member, id: string, chosen: readonly Kind[]): Promise<void> {
  const kinds = allowed(staff, chosen);
  return retryingTransaction(on, async (trx) => {
    const known = await trx
      .selectFrom("notificationDevices")
      .select(["device", "kinds"])
      .where("id", "=", id)
      .where("staffId", "=", staff.id)
      .forUpdate()
      .executeTakeFirst();
    if (!known) throw new BadInput("That device no longer gets notifications: switch them on there again");
    const { device, kinds: before } = known;
    if (String(before) === String(kinds)) return;
    await trx.updateTable("notificationDevices").set({ kinds }).where("id", "=", id).execute();
    const sides = { before: { device, kinds: before }, after: { device, kinds } };
    await recordDevice(trx, staff, "staff notifications change", sides);
  });
}

/** Switches notifications off on one of the member's devices. Safe to repeat. */
export function switchOff(on: Db, staff: Member, id: string): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    const gone = await trx
      .deleteFrom("notificationDevices")
      .where("id", "=", id)
      .where("staffId", "=", staff.id)
      .returning("device")
      .executeTakeFirst();
    if (gone) await recordDevice(trx, staff, "staff notifications off", { before: gone });
  });
}

function recordDevice(trx: Transaction, staff: Member, action: string, sides: { before?: object; after?: object }) {
  return recordChange(trx, { by: actorOf(staff), action, subject: { kind: "staff", id: staff.email }, ...sides });
}
