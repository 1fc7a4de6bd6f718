import { existsSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { listOriginals, originalOf, storePicture } from "#app/catalog/pictures.server.ts";
import { backUp, type Counts, type KeptFile, restore as restoreFile } from "#app/infra/backup.server.ts";
import type { Db } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { requeueMails } from "#app/infra/mail.server.ts";
import { enqueue } from "#app/infra/queue.server.ts";
import { completing, removeUnfinished } from "#app/infra/unfinished.server.ts";
import { badInput, type Command, type Result } from "./command.ts";

export const backup: Command = {
  usage: ["backup FILE                     the whole shop at this moment, pictures included, as one new file"],
  async run(db, [file, ...more]) {
    if (!file || more.length) return badInput("Say 'backup FILE'");
    if (existsSync(file))
      return badInput(`There is a file ${file} already, and a backup overwrites nothing: name another`);
    if (!existsSync(path.dirname(path.resolve(file)))) return badInput(`There is no folder ${path.dirname(file)}`);
    const holds = await contentOf(db);
    if (holds.products + holds.customers + holds.orders === 0)
      return badInput(
        `${placeOf()}: the shop there is empty (no product, no customer, no order): there is nothing to back up`,
      );
    removeUnfinished(env.dataDir);
    if (existsSync(`${file}.part`)) return badInput(`${file}.part is there: another backup to ${file} is under way`);
    const counts = await completing(env.dataDir, `${path.resolve(file)}.part`, () => backUp(db, file, pictures()));
    return done({ file, ...totals(counts) }, `${file} holds ${inWords(counts)}.`, await picturesMissing(db));
  },
};

export const restore: Command = {
  usage: [
    "restore FILE                    a backup into a shop without customers and orders, in the place of its catalogue",
  ],
  asOwner: true,
  async run(db, [file, ...more]) {
    if (!file || more.length) return badInput("Say 'restore FILE'");
    if (!existsSync(file)) return badInput(`There is no file ${file}`);
    const { customers, orders } = await contentOf(db);
    if (customers + orders > 0)
      return badInput("This shop has customers or orders: a backup goes only into an empty one");
    const counts = await restoreFile(db, file, keepPicture, async (trx) => {
      await requeueMails(trx, "given-up");
      await enqueue(trx, "make-pictures", {});
    });
    return done({ file, ...totals(counts) }, `${inWords(counts)} are back.`, await picturesMissing(db));
  },
};

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

async function* pictures(): AsyncGenerator<KeptFile> {
  for (const hash of await listOriginals()) {
    const bytes = await originalOf(hash);
    if (bytes) yield { file: hash, bytes };
  }
}

/** The pictures that products name and that are not there, each with its product. */
async function picturesMissing(db: Db): Promise<string[]> {
  const there = new Set(await listOriginals());
  const products = await db.selectFrom("products").select(["id", "images"]).orderBy("id").execute();
  return products.flatMap(({ id, images }) =>
    images.filter(({ hash }) => !there.has(hash)).map(({ hash }) => `${hash} of ${id}`),
  );
}

async function keepPicture({ file, bytes }: KeptFile): Promise<void> {
  if (!/^[0-9a-f]{20}$/.test(file)) throw new Error(`'${file}' is no picture of a backup`);
  await storePicture(bytes, file);
}

type Content = { products: number; customers: number; orders: number };

async function contentOf(db: Db): Promise<Content> {
  const { rows } = await sql<Content>`select
    (select count(*) from products)::int as products, (select count(*) from users)::int as customers,
    (select count(*) from attempts)::int as orders`.execute(db);
  return rows[0] ?? { products: 0, customers: 0, orders: 0 };
}
