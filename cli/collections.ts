import { exportCollections } from "./collections/export.ts";
import { importCollections } from "./collections/import.ts";
import { type Actions, action } from "./command.ts";

export const collections: Actions = {
  "collections export": action({
    words: ["dir"],
    says: "every collection as JSON documents, and the pictures",
    changes: true,
    run: ({ db, by, words: { dir } }) => exportCollections(db, by, dir),
  }),
  "collections import": action({
    words: ["dir"],
    options: { "skip-bad": true },
    says: "into this shop: all of it or nothing; what is known already stays. --skip-bad: what does not fit is left out and listed, and the rest arrives",
    changes: true,
    run: ({ words: { dir }, options, ...hand }) =>
      importCollections(hand, dir, { skipBad: options["skip-bad"] ?? false }),
  }),
};
