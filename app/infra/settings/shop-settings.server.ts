import { batched } from "../database/batch.server.ts";
import type { Db } from "../database/db.server.ts";
import { subscribe } from "../database/listener.server.ts";
import { sqlType, statement } from "../database/statement.server.ts";
import { env } from "../env.server.ts";
import { log } from "../log.server.ts";

/** What the owner says of the shop: in the office, else by a setting of the environment. `notice` is empty where none is shown now. */
export type ShopSettings = { contact: typeof env.contact; mostOfASize: number | undefined; notice: string };

/** Published when they have changed. */
export const SHOP_SETTINGS_TOPIC = "shop-settings";

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
    },
  },
  `select email, whatsapp, instagram_url, x_url, size_limit, case when notice_shown then notice else '' end as notice
   from shop_settings`,
);
type Stored = Awaited<ReturnType<typeof read>>[number];

let known: Stored | undefined;

/** As they are now. */
export const shopSettings: (on: Db) => Promise<ShopSettings> = batched(async (on) => {
  [known] = await read(on);
  return knownShopSettings();
});

/** As they were last read; where `followShopSettings` is in effect, at most a moment ago. */
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
  };
}

export const whatsappUrl = (number: string) => `https://wa.me/${number.slice(1)}`;

/** An empty text is none; where nothing is said it is the environment's. */
const chosen = (own: string | null | undefined, usual: string | undefined) => (own ?? usual) || undefined;

/** Keeps up with them in this process, from now on. */
export async function followShopSettings(on: () => Db): Promise<void> {
  subscribe(SHOP_SETTINGS_TOPIC, () => {
    shopSettings(on()).catch((error) => log.warn({ err: error }, "the shop's settings cannot be read anew"));
  });
  await shopSettings(on());
}
