import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { sql } from "kysely";
import { type Currency, isCurrency } from "#app/catalog/currency/country.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { DAY, HOUR, SECOND } from "#app/infra/durations.ts";
import { pictureStore } from "../pictures/store.server.ts";
import { type FeedFile, isFeedFile } from "./formats.ts";
import { feedText } from "./text.server.ts";

/** A feed that has been written, in parts that follow each other. */
export type WrittenFeed = { etag: string; writtenAt: Date; parts: string[] };

/** The time after the last request for a feed, in ms, until it is no longer written. */
const ASKED_FOR = 14 * DAY;

const partName = (file: string, currency: string, generation: number, part: number) =>
  `feeds/${file}/${currency}/${generation}/${part}.gz`;

/**
 * Records a request for the feed, at most once an hour, and returns the feed as last written. Undefined if the feed has
 * not been written yet, or is no longer written because nobody has requested it for long.
 */
export async function askForFeed(on: Db, file: FeedFile, currency: Currency): Promise<WrittenFeed | undefined> {
  const { rows } = await sql<Row>`select * from feeds where (name, currency) = (${file}, ${currency})`.execute(on);
  const [row] = rows;
  if (!row || row.askedAt.getTime() < Date.now() - HOUR)
    await sql`insert into feeds (name, currency) values (${file}, ${currency})
      on conflict (name, currency) do update set asked_at = now()`.execute(on);
  if (!row?.etag || !row.writtenAt || row.parts === null) return;
  if (row.askedAt.getTime() < Date.now() - ASKED_FOR) return;
  const parts = Array.from({ length: row.parts }, (_, part) => partName(file, currency, row.generation, part));
  return { etag: row.etag, writtenAt: row.writtenAt, parts };
}

/** The bytes of the feed, as gzip: the parts are its members. */
export async function* partsOf({ parts }: WrittenFeed): AsyncGenerator<Buffer> {
  for (const name of parts) {
    const bytes = await pictureStore().read(name);
    if (!bytes) throw new Error(`${name} is not in the picture store`);
    yield bytes;
  }
}

type Row = {
  name: string;
  currency: string;
  askedAt: Date;
  generation: number;
  parts: number | null;
  etag: string | null;
  writtenAt: Date | null;
};

/**
 * Writes the feeds that were requested in the last two weeks and are older than the catalogue, each at most every ten
 * minutes. Safe to repeat. Must run every minute, since changes are kept for only five minutes.
 */
export async function writeFeeds(on: Db, stopping?: AbortSignal): Promise<void> {
  await noteChanges(on);
  const { rows } = await sql<Row>`
    select * from feeds where is_old and asked_at > now() - ${ASKED_FOR / SECOND} * interval '1 second'
      and (written_at is null or written_at < now() - interval '10 minutes') order by name, currency`.execute(on);
  for (const { name, currency, generation } of rows) {
    if (stopping?.aborted) return;
    if (isFeedFile(name) && isCurrency(currency)) await writeFeed(on, name, currency, 1 - generation);
  }
}

/**
 * Marks the feeds as old if the catalogue may have changed since the last check. Each check also counts changes from
 * the minute before the last check, so that none is lost whose transaction took long. A feed may therefore be written
 * once too often.
 */
async function noteChanges(on: Db): Promise<void> {
  await sql`
    update feeds set checked_at = now(), is_old = is_old
      or checked_at is null or checked_at < now() - interval '4 minutes'
      or exists (select from catalog_changes where recorded_at > checked_at - interval '1 minute' and stock_of is null)
      or exists (select from sale_prices where due_at <= now() and due_at > checked_at - interval '1 minute')
      or exists (select from sale_prices where ends_at <= now() and ends_at > checked_at - interval '1 minute')`.execute(
    on,
  );
}

async function writeFeed(on: Db, file: FeedFile, currency: Currency, generation: number): Promise<void> {
  const key = sql`(name, currency) = (${file}, ${currency})`;
  await sql`update feeds set is_old = false where ${key}`.execute(on);
  try {
    const hash = createHash("sha256");
    let parts = 0;
    let text = "";
    const write = async () => {
      await pictureStore().write(partName(file, currency, generation, parts++), await compressed(text));
      text = "";
    };
    for await (const piece of feedText(on, file, currency)) {
      hash.update(piece);
      text += piece;
      if (text.length > PART) await write();
    }
    if (text) await write();
    await sql`update feeds set generation = ${generation}, parts = ${parts}, written_at = now(),
      etag = ${`"${hash.digest("base64url").slice(0, 27)}"`} where ${key}`.execute(on);
  } catch (error) {
    await sql`update feeds set is_old = true where ${key}`.execute(on);
    throw error;
  }
}

/**
 * The size of a part in characters. It is compressed within some milliseconds, so that the server can respond to
 * shoppers meanwhile.
 */
const PART = 1_000_000;
const compressed = promisify(gzip);
