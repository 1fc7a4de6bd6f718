import { storableText } from "#app/infra/text/storable-text.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import {
  ADDRESS_COLUMNS,
  allOldAddresses,
  importOldAddresses,
  importText,
  oldAddress,
  removeOldAddress,
  setOldAddress,
} from "#app/owner/shop/old-addresses.server.ts";
import { type Actions, action, badInput, csvOf } from "./command.ts";
import { readText } from "./read-file.ts";

export const redirects: Actions = {
  "redirects list": action({
    says: "lists the old addresses and the pages to which they lead",
    changes: false,
    async run({ db }) {
      const all = await allOldAddresses(db);
      return {
        code: 0,
        data: all,
        text: all.map(({ from, to }) => `${from}  ${to}`).join("\n") || "No old addresses yet",
      };
    },
  }),
  "redirects set": action({
    words: ["old", "new"],
    says: "redirects an old address, such as /pages/about-us, to a page of this shop, such as /about",
    changes: true,
    async run({ db, by, words: { old, new: to } }) {
      const given = { from: storableText(old), to: storableText(to) };
      const done = await setOldAddress(db, by, given, await oldAddress(db, given.from.trim()));
      if (!done.ok) return badInput(Object.values(done.problems).join(". "));
      return { code: 0, data: done.address, text: `${done.address.from} leads to ${done.address.to}` };
    },
  }),
  "redirects remove": action({
    words: ["old"],
    says: "removes an old address",
    changes: true,
    async run({ db, by, words: { old } }) {
      if (!(await removeOldAddress(db, by, old))) return badInput(`'${old}' isn't in the list`);
      return { code: 0, data: { removed: old }, text: `${old} is removed` };
    },
  }),
  "redirects import": action({
    words: ["file"],
    options: { "skip-bad": true },
    says: "adds or changes the old addresses in a CSV file: 'old,new', or Shopify's export. --skip-bad leaves out rows with mistakes",
    changes: true,
    async run({ db, by, words: { file }, options: { "skip-bad": skipsBad = false } }) {
      const done = await importOldAddresses(db, by, await readText(file), skipsBad);
      const text = [importText(done), ...done.refused].join("\n");
      if (!done.ok) return badInput(`Nothing was imported.\n${text}`);
      return { code: done.refused.length > 0 ? 1 : 0, data: done, text };
    },
  }),
  "redirects export": action({
    says: "exports the old addresses: CSV, or JSON with --json",
    changes: true,
    async run({ db, by }) {
      const all = (await allOldAddresses(db)).map(({ from, to }) => ({ old: from, new: to }));
      await recordExport(db, by, { what: "redirects", rows: all.length });
      return { code: 0, data: all, text: csvOf(all, [...ADDRESS_COLUMNS]) };
    },
  }),
};
