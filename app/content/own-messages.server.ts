import type { Db } from "#app/infra/database/db.server.ts";
import { subscribe } from "#app/infra/database/listener.server.ts";
import { log } from "#app/infra/log.server.ts";
import { SHOP_SETTINGS_TOPIC, type ShopSettings, shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { type OwnMessages, putMessages } from "#app/messages/own.ts";
import { OWNABLE } from "#app/messages/ownable.ts";
import { placeholdersIn } from "./notation.ts";

/**
 * The owner's sentences as pages get them. Undefined if there are none. A stored sentence is left out if its key or one
 * of its placeholders no longer exists, or if it lacks one.
 */
export function ownMessages({ messages: stored }: Pick<ShopSettings, "messages">): OwnMessages | undefined {
  if (!stored) return;
  const own = OWNABLE.flatMap(({ key, values }): [string, string][] => {
    const text = stored[key];
    if (!text) return [];
    const places = new Map(values.map(([value, name]) => [name, value]));
    const named = new Set(placeholdersIn(text));
    if (named.size !== places.size || [...named].some((name) => !places.has(name))) return [];
    return [[key, text.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `{${places.get(name)}}`)]];
  });
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}

/** Puts the owner's sentences in place in this process, and again whenever they change. */
export async function followOwnMessages(on: () => Db): Promise<void> {
  const follow = async () => putMessages(ownMessages(await shopSettings(on())));
  subscribe(SHOP_SETTINGS_TOPIC, () => {
    follow().catch((error) => log.warn({ err: error }, "the owner's sentences cannot be read anew"));
  });
  await follow();
}
