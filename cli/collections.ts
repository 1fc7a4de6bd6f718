import { exportCollections } from "./collections/export.ts";
import { importCollections } from "./collections/import.ts";
import { type Actions, action } from "./command.ts";

export const collections: Actions = {
  "collections export": action({
    words: ["dir"],
    says: "saves every collection as JSON documents, with the pictures",
    changes: true,
    run: ({ db, by, words: { dir } }) => exportCollections(db, by, dir),
  }),
  "collections import": action({
    words: ["dir"],
    options: { "skip-bad": true },
    says: "imports documents into this shop, all or nothing; existing records stay as they are. --skip-bad: leaves out and lists the bad ones, and imports the rest",
    changes: true,
    run: ({ words: { dir }, options, ...hand }) =>
      importCollections(hand, dir, { skipBad: options["skip-bad"] ?? false }),
  }),
};
