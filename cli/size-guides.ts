import { namesOfKinds } from "#app/catalog/product.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { sizeGuideDocument } from "#app/owner/size-guides/document.server.ts";
import {
  deleteSizeGuide,
  listSizeGuides,
  type SizeGuideRow,
  setSizeGuides,
  sizeGuideDocuments,
} from "#app/owner/size-guides/size-guides.server.ts";
import { type Actions, action, badInput } from "./command.ts";
import { readListOf } from "./read-file.ts";

export const sizeGuides: Actions = {
  "size-guides list": action({
    says: "lists the size guides by name: their measures, and what they are for",
    changes: false,
    async run({ db }) {
      const rows = await listSizeGuides(db);
      return { code: 0, data: rows, text: rows.map(lineOf).join("\n") || "No size guides yet" };
    },
  }),
  "size-guides show": action({
    words: ["[id]"],
    says: "prints a size guide, or all of them, as JSON for 'size-guides set'",
    changes: false,
    async run({ db, words: { id } }) {
      const documents = await sizeGuideDocuments(db, id);
      if (id !== undefined && documents.length === 0) return badInput(`There is no size guide '${id}'`);
      return { code: 0, data: documents, text: JSON.stringify(documents, null, 2) };
    },
  }),
  "size-guides set": action({
    words: ["file"],
    says: "adds or changes the size guides that are in a JSON file, each with its whole table; others stay as they are",
    changes: true,
    async run({ db, by, words: { file } }) {
      const documents = await readListOf(sizeGuideDocument, "size guide", file);
      await setSizeGuides(db, by, documents);
      return { code: 0, data: documents, text: `Set: ${documents.map(({ id }) => id).join(", ") || "nothing"}` };
    },
  }),
  "size-guides remove": action({
    words: ["id"],
    says: "removes a size guide. Its products then have that of their collection or kind, or the shop's own sizes",
    changes: true,
    async run({ db, by, confirm, words: { id } }) {
      const [guide] = await sizeGuideDocuments(db, id);
      if (!guide) return badInput(`There is no size guide '${id}'`);
      await confirm(`Remove the size guide “${guide.name}”?`);
      await deleteSizeGuide(db, by, id);
      return { code: 0, data: { removed: id }, text: `Removed: ${id}` };
    },
  }),
};

function lineOf({ id, name, kinds, measures, collections, products }: SizeGuideRow): string {
  const places = [
    ...namesOfKinds(knownKinds(), kinds),
    collections > 0 && plural(collections, "collection"),
    products > 0 && plural(products, "product"),
  ].filter(Boolean);
  const of = measures.map((one) => one.name).join(", ");
  return [id, name, of, `for ${places.join(", ") || "nothing yet"}`].join("  ");
}
