import { existsSync } from "node:fs";
import { contentHash, listOriginals, originalOf, storePicture } from "#app/catalog/pictures.server.ts";
import { backUp, type KeptFile, restore as restoreFile } from "#app/infra/backup.server.ts";
import { type Db, transact } from "#app/infra/db.server.ts";
import { requeueMails } from "#app/infra/mail.server.ts";
import { enqueue } from "#app/infra/queue.server.ts";
import { recordChange } from "#app/owner/audit.server.ts";
import { type Actions, action, badInput } from "./command.ts";

export const backup: Actions = {
  backup: action({
    words: ["file"],
    says: "the whole shop at this moment, pictures included, as one file",
    changes: false,
    async run({ db, by, words: { file } }) {
      const rows = await backUp(db, file, pictures());
      const subject = { kind: "shop", id: "all" };
      await transact(db, (trx) => recordChange(trx, { by, action: "backup", subject, after: { file, rows } }));
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
      const forged: string[] = [];
      const keep = async ({ file: hash, bytes }: KeptFile) => {
        if (hash === contentHash(bytes)) await storePicture(bytes);
        else forged.push(hash);
      };
      const rows = await restoreFile(db, file, keep, async (trx) => {
        await requeueMails(trx, "given-up");
        await enqueue(trx, "make-pictures", {});
        await recordChange(trx, { by, action: "restore", subject: { kind: "shop", id: "all" }, after: { file } });
      });
      if (forged.length === 0)
        return { code: 0, data: { file, rows }, text: `${rows} rows and all pictures are back.` };
      const text = `${rows} rows are back, and all pictures but those that are not what their names say: ${forged.join(", ")}`;
      return { code: 1, data: { file, rows, leftOut: forged }, text };
    },
  }),
};

async function* pictures(): AsyncGenerator<KeptFile> {
  for (const hash of await listOriginals()) {
    const bytes = await originalOf(hash);
    if (bytes) yield { file: hash, bytes };
  }
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
