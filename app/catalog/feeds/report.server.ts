import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { brandNow, knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { FALLBACK_RATE } from "#app/money/exchange-rate.ts";
import { productPages } from "../product-pages.server.ts";
import { FEED_FILES, type FeedFile, formatOf, refusals } from "./formats.ts";
import { feedItems } from "./items.ts";

export type Refused = { id: string; title: string; reasons: string[] };
export type FeedReport = {
  file: FeedFile;
  title: string;
  /** The feed's address; prices are in naira. */
  url: string;
  /** The time at which the file was last written. Undefined if nobody has requested the feed in the last two weeks. */
  writtenAt?: Date;
  /** The products that its reader would refuse, at most `MOST_REFUSED`. */
  refused: Refused[];
};

/** The most products that a report examines, and the most refused products that it names for each feed. */
const MOST_LOOKED = 5000;
const MOST_REFUSED = 50;

/** The products that each feed's reader would refuse, with the reasons. `all`: whether every product was examined. */
export async function reportFeeds(on: Db): Promise<{ feeds: FeedReport[]; looked: number; all: boolean }> {
  const refused = new Map<FeedFile, Refused[]>(FEED_FILES.map((file) => [file, []]));
  const site = env.publicUrl.origin;
  const shop = { site, name: (await brandNow(() => on)).name, kinds: knownKinds() };
  let looked = 0;
  let all = true;
  for await (const products of productPages(on)) {
    all = looked < MOST_LOOKED;
    if (!all) break;
    for (const product of products) {
      // Refusals do not depend on the price.
      const items = feedItems(product, { currency: "USD", rate: FALLBACK_RATE }, shop, new Date());
      for (const [file, found] of refused) {
        const reasons = [...new Set(items.flatMap((item) => refusals(file, item)))];
        if (reasons.length > 0 && found.length < MOST_REFUSED)
          found.push({ id: product.id, title: product.title, reasons });
      }
    }
    looked += products.length;
  }
  const written = await writtenTimes(on);
  const feeds = FEED_FILES.map((file) => ({
    file,
    title: formatOf(file).title,
    url: `${site}/feeds/${file}`,
    writtenAt: written.get(file),
    refused: refused.get(file) ?? [],
  }));
  return { feeds, looked, all };
}

async function writtenTimes(on: Db): Promise<Map<string, Date>> {
  const { rows } = await sql<{ name: string; at: Date }>`
    select name, max(written_at) as at from feeds
    where written_at is not null and asked_at > now() - interval '14 days' group by name`.execute(on);
  return new Map(rows.map(({ name, at }) => [name, at]));
}
