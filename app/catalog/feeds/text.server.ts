import type { Currency } from "#app/catalog/currency/country.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { brandNow, knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { productPages } from "../product-pages.server.ts";
import { rateInForce } from "../rates.server.ts";
import { type FeedFile, formatOf } from "./formats.ts";
import { feedItems } from "./items.ts";

/** The text of a feed in pieces, of up to 200 products each: never the whole shop in memory. */
export async function* feedText(on: Db, file: FeedFile, currency: Currency): AsyncGenerator<string> {
  const { begin, write, end, columns } = formatOf(file);
  const [{ rate }, { name }] = await Promise.all([rateInForce(on), brandNow(() => on)]);
  const shop = { site: env.publicUrl.origin, name, kinds: knownKinds() };
  yield begin(shop.site, name);
  for await (const products of productPages(on)) {
    const now = new Date();
    const items = products.flatMap((product) => feedItems(product, { currency, rate }, shop, now));
    if (items.length > 0) yield write(items, columns);
  }
  yield end;
}
