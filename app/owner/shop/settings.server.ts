import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { SHOP_SETTINGS_TOPIC } from "#app/infra/settings/shop-settings.server.ts";
import { ownNumbers, RANGES, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { type Stale, stale } from "../stale.ts";
import type { ShopValueName, ShopValues } from "./settings.ts";

const NONE: ShopValues = {
  email: null,
  whatsapp: null,
  instagramUrl: null,
  xUrl: null,
  sizeLimit: null,
  staffShare: null,
  notice: "",
  noticeFrom: null,
  noticeUntil: null,
  sender: "",
  senderPhone: "",
  carriers: "",
  shopName: null,
  wordmark: null,
  tagline: null,
  footerLine: null,
  returnDays: null,
  damageHours: null,
  refundDays: null,
  packFrom: null,
  packTo: null,
  nigeriaFrom: null,
  nigeriaTo: null,
  abroadFrom: null,
  abroadTo: null,
  cardFor: "color",
  cashRounding: "down",
  othersPay: "no",
};
const IS_ITS_TIME = sql<boolean>`(notice <> '' and coalesce(notice_from <= now(), true) and coalesce(notice_until > now(), true))`;

/** The values that the owner has set. */
export async function shopValues(on: Db | Transaction): Promise<ShopValues> {
  const row = await on.selectFrom("shopSettings").selectAll().executeTakeFirst();
  if (!row) return NONE;
  const { isOnly: _, noticeShown: __, hero: ___, homeSections: ____, courierColumns: _____, ...values } = row;
  const { noticeFrom, noticeUntil } = values;
  const times = { noticeFrom: noticeFrom?.toJSON() ?? null, noticeUntil: noticeUntil?.toJSON() ?? null };
  return { ...NONE, ...values, ...times }; // in one order, since their JSON is the form's version
}

/** Locks the row of the owner's settings, and adds it first where there is none. */
export async function lockShopSettings(trx: Transaction): Promise<void> {
  await sql`insert into shop_settings default values on conflict do nothing`.execute(trx);
  await sql`select from shop_settings for update`.execute(trx);
}

/**
 * `theirs`: the values that somebody else has changed since `was`; `problems`: error messages by value, of values that
 * do not fit the others. Nothing is changed then.
 */
export type ShopChanged =
  | { ok: true; isNew: boolean }
  | Stale<{ theirs: ShopValueName[] }>
  | { ok: false; problems: Record<string, string> };

/**
 * Changes the wanted values that differ from `was`. Every process of the shop shows them on every page at its next
 * request. `action` names the change in the audit log. Safe to repeat.
 */
export async function changeShop(
  on: Db,
  by: Actor,
  wanted: Partial<ShopValues>,
  was: Partial<ShopValues>,
  action: `${string} set` = "shop set",
): Promise<ShopChanged> {
  const names = (Object.keys(wanted) as ShopValueName[]).filter((name) => wanted[name] !== was[name]);
  const done = await retryingTransaction(on, async (trx): Promise<ShopChanged> => {
    await lockShopSettings(trx);
    const now = await shopValues(trx);
    const theirs = names.filter((name) => now[name] !== was[name] && now[name] !== wanted[name]);
    if (theirs.length > 0) return stale({ theirs });
    const changed = names.filter((name) => now[name] !== wanted[name]);
    if (changed.length === 0) return { ok: true, isNew: false };
    const of = (values: Partial<ShopValues>): Partial<ShopValues> =>
      Object.fromEntries(changed.map((name) => [name, values[name]]));
    const { noticeFrom, noticeUntil } = { ...now, ...of(wanted) };
    if (noticeFrom && noticeUntil && noticeFrom >= noticeUntil)
      return { ok: false, problems: { noticeUntil: "It ends before it starts" } };
    const numbers = ownNumbers({ ...now, ...of(wanted) }) ?? SHIPPED_NUMBERS;
    const reversed = RANGES.filter(({ from, to }) => numbers[from] >= numbers[to]);
    const problems = reversed.map(({ from, to }) => [to, `More than ${numbers[from]}, the days at least`]);
    if (reversed.length > 0) return { ok: false, problems: Object.fromEntries(problems) };
    await trx.updateTable("shopSettings").set(of(wanted)).execute();
    await trx.updateTable("shopSettings").set({ noticeShown: IS_ITS_TIME }).execute();
    for (const name of ["noticeFrom", "noticeUntil"] as const) {
      const moment = changed.includes(name) && wanted[name];
      if (moment) await enqueue(trx, "show-notice", {}, { startAfter: new Date(moment) });
    }
    if (changed.includes("cardFor") && wanted.cardFor === "model") await enqueue(trx, "name-models", {});
    const subject = { kind: "shop", id: "settings" };
    await recordChange(trx, { by, action, subject, before: of(now), after: of(wanted) });
    return { ok: true, isNew: true };
  });
  if (done.ok && done.isNew) await publish(on, SHOP_SETTINGS_TOPIC);
  return done;
}

/** Shows or hides the notice if it is time to. Safe to repeat: a job runs it at both times, and every minute. */
export async function showNoticeInTime(on: Db): Promise<void> {
  const due = await on
    .selectFrom("shopSettings")
    .select("isOnly")
    .where(sql<boolean>`notice_shown <> ${IS_ITS_TIME}`)
    .executeTakeFirst();
  if (!due) return; // even an update without effect would invalidate all cached pages
  await on.updateTable("shopSettings").set({ noticeShown: IS_ITS_TIME }).execute();
  await publish(on, SHOP_SETTINGS_TOPIC);
}
