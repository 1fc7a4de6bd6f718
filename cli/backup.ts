import { existsSync } from "node:fs";
import { listOriginals, originalOf, storePicture } from "#app/catalog/pictures.server.ts";
import { backUp, type KeptFile, restore as restoreFile } from "#app/infra/backup.server.ts";
import type { Db } from "#app/infra/db.server.ts";
import { requeueMails } from "#app/infra/mail.server.ts";
import { enqueue } from "#app/infra/queue.server.ts";
import { recordChange } from "#app/owner/audit.server.ts";
import { type Actions, action, badInput } from "./command.ts";

export const backup: Actions = {
  backup: action({
    words: ["file"],
    says: "the whole shop at this moment, pictures included, as one file",
    changes: false,
    async run({ db, words: { file } }) {
      const rows = await backUp(db, file, pictures());
      return { code: 0, data: { file, rows }, text: `${file} holds ${rows} rows and all pictures.` };
    },
  }),
  restore: action({
    words: ["file"],
    says: "a backup into a shop without customers and orders, in the place of its catalogue",
    changes: true,
    async run({ db, by, words: { file } }) {
      if (!existsSync(file)) return badInput(`There is no file ${file}`);
      if (await isInUse(db)) return badInput("This shop has customers or orders: a backup goes only into an empty one");
      const rows = await restoreFile(db, file, keepPicture, async (trx) => {
        await requeueMails(trx, "given-up");
        await enqueue(trx, "make-pictures", {});
        await recordChange(trx, { by, action: "restore", subject: { kind: "shop", id: "all" }, after: { file } });
      });
      return { code: 0, data: { file, rows }, text: `${rows} rows and all pictures are back.` };
    },
  }),
};

async function* pictures(): AsyncGenerator<KeptFile> {
  for (const hash of await listOriginals()) {
    const bytes = await originalOf(hash);
    if (bytes) yield { file: hash, bytes };
  }
}

async function keepPicture({ file, bytes }: KeptFile): Promise<void> {
  if (!/^[0-9a-f]{20}$/.test(file)) throw new Error(`'${file}' is no picture of a backup`);
  await storePicture(bytes, file);
}

async function isInUse(db: Db): Promise<boolean> {
  const { users, attempts } = await db
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom("users").select("id")).as("users"),
      exists(selectFrom("attempts").select("id")).as("attempts"),
    ])
    .executeTakeFirstOrThrow();
  return Boolean(users || attempts);
}
