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
import type { Actions } from "./command.ts";
import { documentCommands } from "./document-commands.ts";

export const sizeGuides: Actions = documentCommands("size-guides", {
  one: "size guide",
  rows: listSizeGuides,
  lineOf,
  documents: sizeGuideDocuments,
  schema: sizeGuideDocument,
  set: setSizeGuides,
  remove: deleteSizeGuide,
  question: ({ name }) => `Remove the size guide “${name}”?`,
  says: {
    list: "lists the size guides by name: their measures, and what they are for",
    set: "adds or changes the size guides that are in a JSON file, each with its whole table; others stay as they are",
    remove: "removes a size guide. Its products then have that of their collection or kind, or the shop's own sizes",
  },
});

function lineOf({ id, name, kinds, measures, collections, products }: SizeGuideRow): string {
  const places = [
    ...namesOfKinds(knownKinds(), kinds),
    collections > 0 && plural(collections, "collection"),
    products > 0 && plural(products, "product"),
  ].filter(Boolean);
  const of = measures.map((one) => one.name).join(", ");
  return [id, name, of, `for ${places.join(", ") || "nothing yet"}`].join("  ");
}
