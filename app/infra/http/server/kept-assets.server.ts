import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";

/** The number of builds whose files are kept. A file of an older build is deleted, unless a newer build has it, too. */
const KEPT_BUILDS = 5;

/**
 * Stores a build's scripts and styles in the database for instances of other builds: a page may request its files from
 * any instance. Safe to repeat, and to do from several instances at once.
 */
export async function keepAssets(on: Db, clientFiles: string): Promise<void> {
  const folder = path.join(clientFiles, "assets");
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name)).sort();
  const build = createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 16);
  const savedAt = new Date();
  const rows = await Promise.all(
    names.map(async (name) => ({ name, build, savedAt, brotli: await readFile(path.join(folder, `${name}.br`)) })),
  );
  await retryingTransaction(on, async (trx) => {
    await trx
      .insertInto("assets")
      .values(rows)
      .onConflict((row) => row.column("name").doUpdateSet({ build, savedAt }))
      .execute();
    await trx
      .deleteFrom("assets")
      .where("build", "not in", (builds) =>
        builds
          .selectFrom("assets")
          .select("build")
          .groupBy("build")
          .orderBy(({ fn }) => fn.max("savedAt"), "desc")
          .limit(KEPT_BUILDS),
      )
      .execute();
  });
}

/** A script or style of one of the last builds, compressed by Brotli; undefined if none has this name. */
export async function keptAsset(on: Db, name: string): Promise<Buffer | undefined> {
  const kept = await on.selectFrom("assets").select("brotli").where("name", "=", name).executeTakeFirst();
  return kept?.brotli;
}
