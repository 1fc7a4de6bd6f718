import { existsSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { contentHash, listOriginals, storePicture, wholeOriginalOf } from "#app/catalog/pictures/originals.server.ts";
import { isPrivatePicture, listPrivatePictures, pictureStore } from "#app/catalog/pictures/store.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import {
  backUp,
  type Counts,
  type KeptFile,
  restoreFiles,
  restore as restoreShop,
} from "#app/infra/database/backup.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { requeueMails } from "#app/infra/mail.server.ts";
import { locationText } from "#app/infra/object-store/location.ts";
import { completing, removeUnfinished } from "#app/infra/unfinished.server.ts";
import { isOnlyPast } from "#app/owner/demo-past/load.server.ts";
import { backupFile, isFolder, removeOlder } from "./backup-place.ts";
import { type Actions, action, badInput, type Result } from "./command.ts";

export const backup: Actions = {
  backup: action({
    words: ["place"],
    options: { keep: "N" },
    says: "backs up the whole shop, pictures included, to a new file, or to a folder under a name with the time; --keep: deletes all but the newest N there",
    changes: false,
    asOwner: true,
    async run({ db, by, confirm, words: { place }, options: { keep } }) {
      if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep))
        return badInput(`--keep ${keep}: give the number of backups to keep, 1 or more`);
      if (keep !== undefined && !isFolder(place))
        return badInput(`There is no folder ${place}. --keep needs a folder, where each backup gets its own name`);
      const file = backupFile(place);
      if (existsSync(file))
        return badInput(`${file} already exists, and a backup never overwrites a file. Choose another name`);
      if (!existsSync(path.dirname(path.resolve(file)))) return badInput(`There is no folder ${path.dirname(file)}`);
      const holds = await contentOf(db);
      if (holds.products + holds.customers + holds.orders === 0)
        return badInput(
          `${placeOf()}: the shop there is empty (no products, customers or orders), so there is nothing to back up`,
        );
      if (holds.pictures > 0 && (await listOriginals()).length === 0)
        await confirm(
          `PICTURES_URL: none of the shop's ${holds.pictures} pictures are in ${locationText(env.pictures)}. Are they on another machine? Back up without them?`,
        );
      const dataDir = env.usesDataDir && existsSync(env.dataDir) ? env.dataDir : undefined;
      if (dataDir) removeUnfinished(dataDir);
      if (existsSync(`${file}.part`))
        return badInput(
          `${file}.part exists: another backup to ${file} is running or was stopped. If none is running, delete it`,
        );
      const kept = new Set<string>();
      const counts = await completing(dataDir, `${path.resolve(file)}.part`, () => backUp(db, file, pictures(kept)));
      const subject = { kind: "shop", id: "all" };
      await retryingTransaction(db, (trx) =>
        recordChange(trx, { by, action: "backup", subject, after: { file, ...totals(counts) } }),
      );
      const missing = await picturesMissing(db, kept);
      // An old backup may be the last file that holds a lost picture.
      const removed = keep !== undefined && missing.length === 0 ? removeOlder(place, Number(keep)) : 0;
      const text = `${file} holds ${inWords(counts)}.${removed ? ` Older backups deleted: ${removed}.` : ""}`;
      return done({ file, removed, ...totals(counts) }, text, missing);
    },
  }),
  restore: action({
    words: ["file"],
    options: { pictures: true },
    says: "restores a backup into a shop without customers and orders, replacing its catalogue; --pictures: only the missing pictures, while the shop stays open",
    changes: true,
    asOwner: true,
    async run({ db, by, words: { file }, options }) {
      if (!existsSync(file)) return badInput(`There is no file ${file}`);
      if (options.pictures) return restorePictures(db, by, file);
      await refuseSold(db);
      const forged: string[] = [];
      const counts = await restoreShop(db, file, keepingPictures(forged), {
        async before(trx) {
          await sql`lock table users, orders`.execute(trx); // someone may have bought while the pictures were restored
          await refuseSold(trx);
        },
        async after(trx) {
          await requeueMails(trx, "given-up");
          await enqueue(trx, "make-pictures", {});
          await recordChange(trx, { by, action: "restore", subject: { kind: "shop", id: "all" }, after: { file } });
        },
      });
      return done({ file, ...totals(counts) }, `Restored: ${inWords(counts)}.`, await stillMissing(db, forged));
    },
  }),
};

/**
 * Restores the pictures that the store lacks or has damaged, from a backup of any version. Safe to repeat, and while
 * the shop sells.
 */
async function restorePictures(db: Db, by: Actor, file: string): Promise<Result> {
  const forged: string[] = [];
  const keep = keepingPictures(forged);
  let there = 0;
  const { files } = await restoreFiles(file, async (kept) => {
    const found = await (isPrivatePicture(kept.file) ? pictureStore().read(kept.file) : wholeOriginalOf(kept.file));
    if (found) there++;
    else await keep(kept);
  });
  const restored = files - there - forged.length;
  const subject = { kind: "shop", id: "pictures" };
  await retryingTransaction(db, async (trx) => {
    await enqueue(trx, "make-pictures", {});
    await recordChange(trx, { by, action: "restore pictures", subject, after: { file, restored } });
  });
  const text = `${restored} pictures restored, ${there} were already there.`;
  return done({ file, restored, there }, text, await stillMissing(db, forged));
}

/**
 * Returns a function that stores a picture of a backup. If its content does not match its name, a hash, the name is
 * added to `forged` instead.
 */
function keepingPictures(forged: string[]) {
  return async ({ file, bytes }: KeptFile): Promise<void> => {
    if (isPrivatePicture(file)) await pictureStore().write(file, bytes);
    else if (file === contentHash(bytes)) await storePicture(bytes);
    else forged.push(file);
  };
}

async function stillMissing(db: Db, forged: string[]): Promise<string[]> {
  const lost = await picturesMissing(db, new Set(await listOriginals()));
  return [...forged.map((hash) => `${hash}: is not what its name says`), ...lost];
}

function done(data: object, text: string, missing: string[]): Result {
  if (missing.length === 0) return { code: 0, data, text };
  const lines = missing.map((one) => `  ${one}`).join("\n");
  return { code: 1, data: { ...data, missing }, text: `${text}\nBut these pictures are missing:\n${lines}` };
}

function placeOf(): string {
  return env.DATABASE_URL ? "DATABASE_URL" : `DATA_DIR (${env.dataDir})`;
}

function totals({ tables, files }: Counts) {
  return { rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0), pictures: files, tables };
}

function inWords(counts: Counts): string {
  const { rows, pictures } = totals(counts);
  return `${rows} rows and ${pictures} pictures`;
}

/**
 * The pictures of the shop: the catalogue's originals by hash, each hash added to `kept`, then the photographs of
 * returns and parcels by their whole name.
 */
async function* pictures(kept: Set<string>): AsyncGenerator<KeptFile> {
  for (const hash of await listOriginals()) {
    const bytes = await wholeOriginalOf(hash);
    if (!bytes) continue;
    kept.add(hash);
    yield { file: hash, bytes };
  }
  for (const file of await listPrivatePictures()) {
    const bytes = await pictureStore().read(file);
    if (bytes) yield { file, bytes };
  }
}

/** The products' pictures that are not in `there`, each with its product's id. */
async function picturesMissing(db: Db, there: Set<string>): Promise<string[]> {
  const products = await db.selectFrom("products").select(["id", "images"]).orderBy("id").execute();
  return products.flatMap(({ id, images }) =>
    images.filter(({ hash }) => !there.has(hash)).map(({ hash }) => `${hash} of ${id}`),
  );
}

type Content = { products: number; customers: number; orders: number; pictures: number };

/** Throws if there are customers or orders, besides those with which a demo begins. */
async function refuseSold(on: Db | Transaction): Promise<void> {
  const { customers, orders } = await contentOf(on);
  if (customers + orders > 0 && !(env.hasDemoPast && (await isOnlyPast(on))))
    throw new BadInput("This shop has customers or orders. A backup can only be restored into an empty shop");
}

async function contentOf(db: Db | Transaction): Promise<Content> {
  const { rows } = await sql<Content>`select
    (select count(*) from products)::int as products, (select count(*) from users)::int as customers,
    (select count(*) from orders)::int as orders,
    (select coalesce(sum(jsonb_array_length(images)), 0) from products)::int as pictures`.execute(db);
  return rows[0] ?? { products: 0, customers: 0, orders: 0, pictures: 0 };
}
