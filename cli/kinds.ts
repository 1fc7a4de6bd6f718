import { plural } from "#app/infra/text/plural.ts";
import { kindDocument } from "#app/owner/kinds/document.server.ts";
import { kindDocuments, listKinds, removeKind, setKinds } from "#app/owner/kinds/kinds.server.ts";
import type { Actions } from "./command.ts";
import { documentCommands } from "./document-commands.ts";

export const kinds: Actions = documentCommands("kinds", {
  one: "kind",
  rows: listKinds,
  lineOf: ({ id, name, products }) => [id, name, plural(products, "product")].join("  "),
  documents: kindDocuments,
  schema: kindDocument,
  set: setKinds,
  remove: removeKind,
  question: ({ name }) => `Remove the kind “${name}”?`,
  says: {
    list: "lists the kinds of products in their order, with the number of their products",
    set: "adds, renames or moves the kinds of products that are in a JSON file; others stay as they are",
    remove: "removes a kind that no product has and nothing names",
  },
});
