import { type Actions, action } from "./command.ts";
import { exportDocuments } from "./documents/export.ts";
import { importDocuments } from "./documents/import.ts";

export const documents: Actions = {
  "documents export": action({
    words: ["dir"],
    says: "saves the whole shop as JSON documents, with the pictures",
    changes: true,
    run: ({ db, by, words: { dir } }) => exportDocuments(db, by, dir),
  }),
  "documents import": action({
    words: ["dir"],
    options: { "skip-bad": true },
    says: "imports documents into this shop, all or nothing; existing records stay as they are. --skip-bad: leaves out and lists the bad ones, and imports the rest",
    changes: true,
    run: ({ words: { dir }, options, ...hand }) =>
      importDocuments(hand, dir, { skipBad: options["skip-bad"] ?? false }),
  }),
};
