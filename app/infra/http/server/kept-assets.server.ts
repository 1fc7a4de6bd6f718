import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";

/** Older ones are forgotten, but for the files that a newer one has too. */
const KEPT_BUILDS = 5;

/**
 * Keeps a build's scripts and styles in the database, where instances of other builds find them: a page may ask any instance for its files. Safe to
 * repeat, and to do from several instances at once.
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

/** A script or style of one of the last builds, compressed by Brotli; undefined where none is known by this name. */
export async function keptAsset(on: Db, name: string): Promise<Buffer | undefined> {
  const kept = await on.selectFrom("assets").select("brotli").where("name", "=", name).executeTakeFirst();
  return kept?.brotli;
}
