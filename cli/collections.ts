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
import type { Actions } from "./command.ts";
import { documentCommands } from "./document-commands.ts";

export const collections: Actions = documentCommands("collections", {
  one: "collection",
  rows: listCollections,
  lineOf,
  documents: collectionDocuments,
  schema: collectionDocument,
  printed: printedCollection,
  set: setCollections,
  remove: deleteCollection,
  question: ({ name }) => `Remove “${name}” and its page? Its products stay in the shop.`,
  says: {
    list: "lists the collections in their order: whether the shop shows them, and their products",
    set: 'adds or changes the collections that are in a JSON file, each with all its products; others stay as they are. The shop shows one between "from" and "until", minutes like 2026-12-01T09:00 in its time zone, if they\'re given',
    remove: "removes a collection and its page. Its products stay in the shop",
  },
});

function lineOf({ id, name, hasRule, products, shown, ...row }: CollectionRow): string {
  const chosen = `${plural(products, "product")}${shown < products ? `, ${shown} in the shop` : ""}`;
  return [id, name, showingText(row), chosen, ...(hasRule ? ["and a rule"] : [])].join("  ");
}

function showingText({ showing, startsAt, endsAt }: Pick<CollectionRow, "showing" | "startsAt" | "endsAt">): string {
  if (showing === "planned" && startsAt) return `from ${shopTime(startsAt)}`;
  return showing === "shown" && endsAt ? `shown until ${shopTime(endsAt)}` : showing;
}
