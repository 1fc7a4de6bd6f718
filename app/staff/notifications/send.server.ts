import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { HOUR, MINUTE } from "#app/infra/durations.ts";
import type { HttpReply, MayReach } from "#app/infra/http/client.server.ts";
import { isPublicAddress } from "#app/infra/http/public-address.ts";
import { log } from "#app/infra/log.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { findMember } from "../members.server.ts";
import { type Role, roleOf } from "../own-roles.server.ts";
import { storedKeys } from "./keys.server.ts";
import { type About, type Kind, kindsFor, type Message, messageOf } from "./kinds.ts";
import { push, type Sender, type Target } from "./web-push.server.ts";

/** An event that devices get a notification about. `subject` is unique within the kind. */
export type Happening = { kind: Kind; subject: string; at: Date; about: About };

type Receiver = Target & { id: string; device: string; kinds: string[]; createdAt: Date; role: Role };
type Due = { deviceId: string; kind: Kind; subject: string; about: About };
/** `mayReach`: the addresses of push services to which the shop may connect; without it, public ones. */
type Options = { stopping?: AbortSignal; mayReach?: MayReach };

const AT_ONCE = 1000;
/** Six tries, after 1, 2, 4, 8 and 16 further minutes: a message is given up after half an hour. */
const MOST_TRIES = 6;
/** Longer than `recentHappenings` looks back, so that no device gets the same notification twice. */
const REMEMBERED_FOR = 3 * HOUR;

/**
 * Sends notifications to the devices of staff: stores a row for each device and event, and sends the due rows.
 * `read` returns what happened lately, the same again each time. Several processes may run this at once: each row is
 * sent by one of them. After a crash between sending and writing it down, it is sent once more, and replaces the first.
 */
export async function sendNotifications(
  on: Db,
  read: () => Promise<Happening[]>,
  { stopping, mayReach }: Options = {},
): Promise<void> {
  const everybody = await receivers(on);
  const sender = everybody.length > 0 ? await senderOf(on, mayReach) : undefined;
  if (!sender) return;
  await storeNew(on, await read(), everybody);
  await on
    .deleteFrom("notifications")
    .where("happenedAt", "<", sql<Date>`now() - ${millisecondsSql(REMEMBERED_FOR)}`)
    .execute();
  while (!stopping?.aborted) {
    const due = Map.groupBy(await takeDue(on), ({ deviceId }) => deviceId);
    if (due.size === 0) return;
    const dueReceivers = await receivers(on, { ids: [...due.keys()] });
    await Promise.all(dueReceivers.map((receiver) => sendTo(on, receiver, due.get(receiver.id) ?? [], sender)));
  }
}

/** The devices that get notifications, each with the present role of its member: all, or some of them. */
async function receivers(on: Db, only: { ids?: string[]; staffId?: string } = {}): Promise<Receiver[]> {
  const { ids, staffId } = only;
  const rows = await on
    .selectFrom("notificationDevices")
    .innerJoin("staff", "staff.id", "notificationDevices.staffId")
    .leftJoin("staffRoles", "staffRoles.name", "staff.ownRole")
    .select(["notificationDevices.id", "endpoint", "publicKey", "secret", "device", "kinds"])
    .select(["notificationDevices.createdAt", "staff.role", "staff.ownRole", "permissions"])
    .where("expiresAt", ">", sql<Date>`now()`)
    .$if(ids !== undefined, (query) => query.where("notificationDevices.id", "in", ids ?? []))
    .$if(staffId !== undefined, (query) => query.where("notificationDevices.staffId", "=", String(staffId)))
    .execute();
  return rows.map(({ role, ownRole, permissions, ...device }) => ({
    ...device,
    role: roleOf({ role, ownRole, permissions }),
  }));
}

/** Whether a device gets this kind: its member has switched it on, and the member's role may see it. */
const wants = ({ kinds, role }: Receiver, kind: Kind) => kinds.includes(kind) && kindsFor(role).includes(kind);

/** Undefined if there are no keys, and so no device that could have been bound to them. */
async function senderOf(on: Db, mayReach: MayReach = isPublicAddress): Promise<Sender | undefined> {
  const [keys, { contact }] = [await storedKeys(on), await shopSettings(on)];
  return keys && { keys, contact: contact.email, mayReach };
}

const keyOf = ({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`;

/** Stores a row for each device of each new event, all devices of an event together. */
function storeNew(on: Db, happenings: readonly Happening[], to: readonly Receiver[]): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    const written = await trx.selectFrom("notifications").select(["kind", "subject"]).distinct().execute();
    const known = new Set(written.map(keyOf));
    const rows = happenings
      .filter((happening) => !known.has(keyOf(happening)))
      .flatMap(({ kind, subject, at, about }) =>
        to
          .filter((receiver) => wants(receiver, kind) && receiver.createdAt <= at)
          .map(({ id: deviceId }) => ({ deviceId, kind, subject, happenedAt: at, about: JSON.stringify(about) })),
      );
    for (let at = 0; at < rows.length; at += AT_ONCE)
      await trx
        .insertInto("notifications")
        .values(rows.slice(at, at + AT_ONCE))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  });
}

/** Claims the due rows: their next try is set before they are sent, so that no other process sends them. */
async function takeDue(on: Db): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update notifications set tries = tries + 1, next_try_at =
      case when tries + 1 < ${MOST_TRIES}::int then now() + ${millisecondsSql(MINUTE)} * power(2, tries) end
    where (device_id, kind, subject) in (
      select device_id, kind, subject from notifications where next_try_at <= now()
      order by device_id, kind, happened_at limit ${AT_ONCE}::int for update skip locked)
    returning device_id, kind, subject, about`.execute(on);
  return rows;
}

/** Sends a device one message for each kind. */
async function sendTo(on: Db, receiver: Receiver, due: readonly Due[], sender: Sender): Promise<void> {
  for (const [kind, some] of Map.groupBy(due, ({ kind }) => kind)) {
    const rows = { receiver, kind, subjects: some.map(({ subject }) => subject) };
    if (!wants(receiver, kind)) {
      await end(on, rows);
      continue;
    }
    const about = some.map(({ about }) => about);
    const reply = await pushTo(receiver, messageOf(kind, about, receiver.role), topicOf(rows), sender);
    const outcome = outcomeOf(reply);
    if (outcome === "gone") return forget(on, receiver);
    if (outcome === "later") await note(on, rows, answerText(reply));
    else await end(on, rows, outcome === "taken" ? null : answerText(reply));
    if (outcome === "refused") log.warn({ answer: answerText(reply) }, "a push service refused a notification");
  }
}

/**
 * The same for the same happenings, so that a message that is sent again replaces the first one, at the push service
 * and on the screen.
 */
function topicOf({ kind, subjects }: { kind: Kind; subjects: string[] }): string {
  const text = [kind, ...subjects.toSorted()].join(" ");
  return createHash("sha256").update(text).digest("base64url").slice(0, 32);
}

function pushTo(to: Target, message: Message, topic: string, sender: Sender): Promise<HttpReply> {
  return push(to, { text: JSON.stringify({ ...message, tag: topic }), topic }, sender);
}

/** `gone`: the browser no longer has the subscription. `later`: the same message may be taken later. */
function outcomeOf(reply: HttpReply): "taken" | "gone" | "later" | "refused" {
  if (!reply.reached) return "later";
  const { status } = reply;
  if (status >= 200 && status < 300) return "taken";
  if (status === 404 || status === 410) return "gone";
  return status === 408 || status === 429 || status >= 500 ? "later" : "refused";
}

const MOST_TOLD = 200;

function answerText(reply: HttpReply): string {
  if (reply.reached) return `the push service answered ${reply.status}`;
  return `the push service wasn’t reached: ${reply.reason}`.slice(0, MOST_TOLD);
}

type Rows = { receiver: Receiver; kind: Kind; subjects: string[] };

function update(on: Db, { receiver, kind, subjects }: Rows) {
  return on
    .updateTable("notifications")
    .where("deviceId", "=", receiver.id)
    .where("kind", "=", kind)
    .where("subject", "in", subjects);
}

async function note(on: Db, rows: Rows, answer: string): Promise<void> {
  await update(on, rows).set({ answer }).execute();
}

async function end(on: Db, rows: Rows, answer: string | null = null): Promise<void> {
  await update(on, rows).set({ answer, nextTryAt: null }).execute();
}

async function forget(on: Db, { id }: Receiver): Promise<void> {
  await on.deleteFrom("notificationDevices").where("id", "=", id).execute();
}

/** What the push service of a device has answered. `isGone`: the device gets notifications no longer. */
export type Tried = { device: string; ok: boolean; answer: string; isGone: boolean };

const TEST: Message = { title: "Notifications work", body: "This is a test. There’s nothing to do.", path: "/me" };

/** Sends a test to each device of a member at once. Throws a BadInput if there is no such member. */
export async function tryNotification(on: Db, by: Actor, email: string, mayReach?: MayReach): Promise<Tried[]> {
  const member = await findMember(on, email);
  const [devices, sender] = [await receivers(on, { staffId: member.id }), await senderOf(on, mayReach)];
  const tried = sender ? await Promise.all(devices.map((one) => tryAt(on, one, sender))) : [];
  await retryingTransaction(on, (trx) =>
    recordChange(trx, {
      by,
      action: "push try",
      subject: { kind: "staff", id: member.email },
      after: { devices: tried.map(({ device, answer }) => ({ device, answer })) },
    }),
  );
  return tried;
}

async function tryAt(on: Db, receiver: Receiver, sender: Sender): Promise<Tried> {
  const topic = topicOf({ kind: "order", subjects: [randomUUID()] });
  const reply = await pushTo(receiver, TEST, topic, sender);
  const outcome = outcomeOf(reply);
  if (outcome === "gone") await forget(on, receiver);
  return { device: receiver.device, ok: outcome === "taken", answer: answerText(reply), isGone: outcome === "gone" };
}
