import { plural } from "#app/infra/text/plural.ts";
import { changeSections, resetSections, storedSections } from "#app/owner/shop/sections.server.ts";
import { sections as list } from "#app/owner/shop/sections.ts";
import { type Actions, action } from "./command.ts";
import { saveList } from "./home-list.ts";

const LIST = { list, one: "section", command: "sections", pictures: ["picture"] } as const;

export const sections: Actions = {
  "sections show": action({
    says: "prints the sections below the home page's slides as JSON, for 'sections set'",
    changes: false,
    async run({ db }) {
      const stored = await storedSections(db);
      return { code: 0, data: stored, text: JSON.stringify(stored, null, 2) };
    },
  }),
  "sections set": action({
    words: ["file"],
    says: "replaces all sections below the home page's slides from JSON; a picture is a file beside it, or an address",
    changes: true,
    async run({ db, by, words: { file } }) {
      const done = await saveList(db, file, LIST, (items) => changeSections(db, by, items));
      const count = plural(done.sections.length, "section");
      return { code: 0, data: done.sections, text: `The home page now has ${count} below its slides.` };
    },
  }),
  "sections reset": action({
    says: "puts back the sections that the home page comes with",
    changes: true,
    async run({ db, by, confirm }) {
      await confirm("Replace the home page's sections with those that the shop comes with?");
      await resetSections(db, by);
      return { code: 0, data: await storedSections(db), text: "The home page has the sections that it came with." };
    },
  }),
};
