import { plural } from "#app/infra/text/plural.ts";
import { kindDocument } from "#app/owner/kinds/document.server.ts";
import { kindDocuments, listKinds, removeKind, setKinds } from "#app/owner/kinds/kinds.server.ts";
import { type Actions, action, badInput } from "./command.ts";
import { readListOf } from "./read-file.ts";

export const kinds: Actions = {
  "kinds list": action({
    says: "lists the kinds of products in their order, with the number of their products",
    changes: false,
    async run({ db }) {
      const rows = await listKinds(db);
      const lines = rows.map(({ id, name, products }) => [id, name, plural(products, "product")].join("  "));
      return { code: 0, data: rows, text: lines.join("\n") || "No kinds yet" };
    },
  }),
  "kinds show": action({
    words: ["[id]"],
    says: "prints a kind of products, or all of them, as JSON for 'kinds set'",
    changes: false,
    async run({ db, words: { id } }) {
      const documents = await kindDocuments(db, id);
      if (id !== undefined && documents.length === 0) return badInput(`There is no kind '${id}'`);
      return { code: 0, data: documents, text: JSON.stringify(documents, null, 2) };
    },
  }),
  "kinds set": action({
    words: ["file"],
    says: "adds, renames or moves the kinds of products that are in a JSON file; others stay as they are",
    changes: true,
    async run({ db, by, words: { file } }) {
      const documents = await readListOf(kindDocument, "kind", file);
      await setKinds(db, by, documents);
      return { code: 0, data: documents, text: `Set: ${documents.map(({ id }) => id).join(", ") || "nothing"}` };
    },
  }),
  "kinds remove": action({
    words: ["id"],
    says: "removes a kind that no product has and nothing names",
    changes: true,
    async run({ db, by, confirm, words: { id } }) {
      const [kind] = await kindDocuments(db, id);
      if (!kind) return badInput(`There is no kind '${id}'`);
      await confirm(`Remove the kind “${kind.name}”?`);
      await removeKind(db, by, id);
      return { code: 0, data: { removed: id }, text: `Removed: ${id}` };
    },
  }),
};
