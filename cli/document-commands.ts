import type { z } from "zod";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { type Action, action, badInput } from "./command.ts";
import { readListOf } from "./read-file.ts";

type Document = { id: string; name: string };
/** Things that a JSON file holds whole, such as collections: how each is read and written, and its texts. */
type Things<Row, Doc extends Document> = {
  /** One of them, as in "There's no size guide 'x'". */
  one: string;
  rows: (db: Db) => Promise<Row[]>;
  lineOf: (row: Row) => string;
  /** All documents, or that of one id. */
  documents: (db: Db, id?: string) => Promise<Doc[]>;
  schema: z.ZodType<Doc>;
  /** A document as `show` and `set` print it. */
  printed?: (document: Doc) => object;
  set: (db: Db, by: Actor, documents: Doc[]) => Promise<unknown>;
  remove: (db: Db, by: Actor, id: string) => Promise<unknown>;
  /** What is asked before one is removed. */
  question: (document: Doc) => string;
  /** What `list`, `set` and `remove` do, for the usage. */
  says: { list: string; set: string; remove: string };
};

/** The commands `… list`, `… show`, `… set` and `… remove` of these things. */
export function documentCommands<Row, Doc extends Document>(
  name: string,
  {
    one,
    rows,
    lineOf,
    documents,
    schema,
    printed = (document) => document,
    set,
    remove,
    question,
    says,
  }: Things<Row, Doc>,
): Record<string, Action> {
  const missing = (id: string) => badInput(`There’s no ${one} '${id}'`);
  return {
    [`${name} list`]: action({
      says: says.list,
      changes: false,
      async run({ db }) {
        const data = await rows(db);
        return { code: 0, data, text: data.map(lineOf).join("\n") || `No ${one}s yet` };
      },
    }),
    [`${name} show`]: action({
      words: ["[id]"],
      says: `prints a ${one}, or all of them, as JSON for '${name} set'`,
      changes: false,
      async run({ db, words: { id } }) {
        const data = (await documents(db, id)).map(printed);
        if (id !== undefined && data.length === 0) return missing(id);
        return { code: 0, data, text: JSON.stringify(data, null, 2) };
      },
    }),
    [`${name} set`]: action({
      words: ["file"],
      says: says.set,
      changes: true,
      async run({ db, by, words: { file } }) {
        const given = await readListOf(schema, one, file);
        await set(db, by, given);
        return { code: 0, data: given.map(printed), text: `Set: ${given.map(({ id }) => id).join(", ") || "nothing"}` };
      },
    }),
    [`${name} remove`]: action({
      words: ["id"],
      says: says.remove,
      changes: true,
      async run({ db, by, confirm, words: { id } }) {
        const [document] = await documents(db, id);
        if (!document) return missing(id);
        await confirm(question(document));
        await remove(db, by, id);
        return { code: 0, data: { removed: id }, text: `Removed: ${id}` };
      },
    }),
  };
}
