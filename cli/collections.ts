import { plural } from "#app/infra/text/plural.ts";
import {
  type CollectionRow,
  collectionDocuments,
  deleteCollection,
  listCollections,
  setCollections,
} from "#app/owner/collections/collections.server.ts";
import { collectionDocument, printedCollection } from "#app/owner/collections/document.server.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput } from "./command.ts";
import { readListOf } from "./read-file.ts";

export const collections: Actions = {
  "collections list": action({
    says: "lists the collections in their order: whether the shop shows them, and their products",
    changes: false,
    async run({ db }) {
      const rows = await listCollections(db);
      return { code: 0, data: rows, text: rows.map(lineOf).join("\n") || "No collections yet" };
    },
  }),
  "collections show": action({
    words: ["[id]"],
    says: "prints a collection, or all of them, as JSON for 'collections set'",
    changes: false,
    async run({ db, words: { id } }) {
      const documents = (await collectionDocuments(db, id)).map(printedCollection);
      if (id !== undefined && documents.length === 0) return badInput(`There’s no collection '${id}'`);
      return { code: 0, data: documents, text: JSON.stringify(documents, null, 2) };
    },
  }),
  "collections set": action({
    words: ["file"],
    says: 'adds or changes the collections that are in a JSON file, each with all its products; others stay as they are. The shop shows one between "from" and "until", minutes like 2026-12-01T09:00 in its time zone, if they\'re given',
    changes: true,
    async run({ db, by, words: { file } }) {
      const documents = await readListOf(collectionDocument, "collection", file);
      await setCollections(db, by, documents);
      return {
        code: 0,
        data: documents.map(printedCollection),
        text: `Set: ${documents.map(({ id }) => id).join(", ") || "nothing"}`,
      };
    },
  }),
  "collections remove": action({
    words: ["id"],
    says: "removes a collection and its page. Its products stay in the shop",
    changes: true,
    async run({ db, by, confirm, words: { id } }) {
      const [collection] = await collectionDocuments(db, id);
      if (!collection) return badInput(`There’s no collection '${id}'`);
      await confirm(`Remove “${collection.name}” and its page? Its products stay in the shop.`);
      await deleteCollection(db, by, id);
      return { code: 0, data: { removed: id }, text: `Removed: ${id}` };
    },
  }),
};

function lineOf({ id, name, hasRule, products, shown, ...row }: CollectionRow): string {
  const chosen = `${plural(products, "product")}${shown < products ? `, ${shown} in the shop` : ""}`;
  return [id, name, showingText(row), chosen, ...(hasRule ? ["and a rule"] : [])].join("  ");
}

function showingText({ showing, startsAt, endsAt }: Pick<CollectionRow, "showing" | "startsAt" | "endsAt">): string {
  if (showing === "planned" && startsAt) return `from ${shopTime(startsAt)}`;
  return showing === "shown" && endsAt ? `shown until ${shopTime(endsAt)}` : showing;
}
