import { sql } from "kysely";
import { type Brand, ownBrand, SHIPPED_BRAND } from "#app/brand/brand.ts";
import { type Numbers, ownNumbers } from "#app/numbers/numbers.ts";
import type { CardFor, Kind } from "#db/types.ts";
import { batched } from "../database/batch.server.ts";
import type { Db, Transaction } from "../database/db.server.ts";
import { subscribe } from "../database/listener.server.ts";
import { sqlType, statement } from "../database/statement.server.ts";
import { env } from "../env.server.ts";
import { log } from "../log.server.ts";

/**
 * The owner's settings: the values saved in the office, else the environment's. `notice` is empty if none is shown now.
 * `brand` is undefined if the owner has set none of its words, and `numbers` if they are the ones that the shop comes
 * with. `cardFor` is the owner's choice once the lists can follow it: models, once all products have theirs.
 * `othersPay`: whether shoppers can make links by which somebody else pays. `kinds` are in display order. `messages`:
 * the owner's sentences as stored, by key; undefined if there are none.
 */
export type ShopSettings = {
  contact: typeof env.contact;
  mostOfASize: number | undefined;
  notice: string;
  brand: Brand | undefined;
  numbers: Numbers | undefined;
  cardFor: CardFor;
  othersPay: boolean;
  kinds: Kind[];
  messages: Record<string, string> | undefined;
};

/** The topic that is published when the settings have changed. */
export const SHOP_SETTINGS_TOPIC = "shop-settings";

/** SQL for the newest exchange rate that is in force, for use in other statements: one row or none. */
export const NEWEST_RATE = "select rate, fetched_at from exchange_rates where in_force order by id desc limit 1";

const read = statement(
  {
    takes: {},
    gives: {
      email: sqlType.orNull(sqlType.text),
      whatsapp: sqlType.orNull(sqlType.text),
      instagramUrl: sqlType.orNull(sqlType.text),
      xUrl: sqlType.orNull(sqlType.text),
      sizeLimit: sqlType.orNull(sqlType.int),
      notice: sqlType.text,
      shopName: sqlType.orNull(sqlType.text),
      wordmark: sqlType.orNull(sqlType.text),
      tagline: sqlType.orNull(sqlType.text),
      footerLine: sqlType.orNull(sqlType.text),
      returnDays: sqlType.orNull(sqlType.int),
      damageHours: sqlType.orNull(sqlType.int),
      refundDays: sqlType.orNull(sqlType.int),
      packFrom: sqlType.orNull(sqlType.int),
      packTo: sqlType.orNull(sqlType.int),
      nigeriaFrom: sqlType.orNull(sqlType.int),
      nigeriaTo: sqlType.orNull(sqlType.int),
      abroadFrom: sqlType.orNull(sqlType.int),
      abroadTo: sqlType.orNull(sqlType.int),
      cardFor: sqlType.textOf<CardFor>(),
      othersPay: sqlType.bool,
      kinds: sqlType.json<Kind[]>(),
      messages: sqlType.orNull(sqlType.json<Record<string, string>>()),
      rate: sqlType.orNull(sqlType.numeric),
      fetchedAt: sqlType.orNull(sqlType.time),
    },
  },
  `select email, whatsapp, instagram_url, x_url, size_limit, case when notice_shown then notice else '' end as notice,
     shop_name, wordmark, tagline, footer_line, return_days, damage_hours, refund_days,
     pack_from, pack_to, nigeria_from, nigeria_to, abroad_from, abroad_to, rate, fetched_at,
     case when card_for = 'model' and all_have_models() then 'model' else 'color' end as card_for,
     coalesce(others_pay = 'yes', false) as others_pay,
     (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) order by position, id), '[]') from product_kinds) as kinds,
     (
       select jsonb_object_agg(substr(page, 9), blocks #>> '{0,text}') from (
         select distinct on (page) page, blocks from page_texts where starts_with(page, 'message-') and published_at <= now()
         order by page, published_at desc, version desc
       ) as newest_texts where blocks #>> '{0,text}' is not null
     ) as messages
   from (values (1)) as one left join shop_settings on true
     left join lateral (${NEWEST_RATE}) as newest on true`,
);
type Stored = Awaited<ReturnType<typeof read>>[number];

let known: Stored | undefined;

/** The settings and the newest exchange rate, which every page shows, as they are now. One statement reads both. */
export const shopNow: (on: Db) => Promise<{ settings: ShopSettings; newest: Pick<Stored, "rate" | "fetchedAt"> }> =
  batched(async (on) => {
    const [row] = await read(on);
    if (!row) throw new Error("There is a row without any settings, too");
    known = row;
    return { settings: knownShopSettings(), newest: row };
  });

/** The settings as they are now. */
export async function shopSettings(on: Db): Promise<ShopSettings> {
  return (await shopNow(on)).settings;
}

/** The settings as they were last read; after `followShopSettings` they are at most a moment old. */
export function knownShopSettings(): ShopSettings {
  const { contact } = env;
  return {
    contact: {
      email: known?.email ?? contact.email,
      whatsappUrl: known?.whatsapp ? whatsappUrl(known.whatsapp) : chosen(known?.whatsapp, contact.whatsappUrl),
      instagramUrl: chosen(known?.instagramUrl, contact.instagramUrl),
      xUrl: chosen(known?.xUrl, contact.xUrl),
    },
    mostOfASize: known?.sizeLimit ?? env.MOST_OF_A_SIZE,
    notice: known?.notice ?? "",
    brand: known && ownBrand(known),
    numbers: known && ownNumbers(known),
    cardFor: known?.cardFor ?? "color",
    othersPay: known?.othersPay ?? false,
    kinds: knownKinds(),
    messages: known?.messages ?? undefined,
  };
}

/** The owner's numbers as they are now, in a transaction too. Undefined if they are those that the shop comes with. */
export async function numbersNow(on: Db | Transaction): Promise<Numbers | undefined> {
  const { rows } = await sql<{ numbers: Partial<Numbers> | null }>`select shop_numbers() as numbers`.execute(on);
  return ownNumbers(rows[0]?.numbers ?? {});
}

/** The kinds of products, in display order, as they were last read. */
export function knownKinds(): Kind[] {
  return known?.kinds ?? [];
}

/** The shop's name and the words about it, as they were last read. */
export function knownBrand(): Brand {
  return knownShopSettings().brand ?? SHIPPED_BRAND;
}

/** The shop's name and the words about it, as they are now; without the database, as they were last read. */
export async function brandNow(on: () => Db): Promise<Brand> {
  try {
    await shopSettings(on());
  } catch (error) {
    log.debug({ err: error }, "the shop's name cannot be read");
  }
  return knownBrand();
}

export const whatsappUrl = (number: string) => `https://wa.me/${number.slice(1)}`;

/** An empty text stands for no value; null and undefined for the environment's. */
const chosen = (own: string | null | undefined, usual: string | undefined) => (own ?? usual) || undefined;

/** Reads the settings, and again whenever they change, so that `knownShopSettings` is up to date in this process. */
export async function followShopSettings(on: () => Db): Promise<void> {
  subscribe(SHOP_SETTINGS_TOPIC, () => {
    shopSettings(on()).catch((error) => log.warn({ err: error }, "the shop's settings cannot be read anew"));
  });
  await shopSettings(on());
}
