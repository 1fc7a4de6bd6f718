import { plural } from "#app/infra/text/plural.ts";
import { changeHero, storedSlides } from "#app/owner/shop/hero.server.ts";
import { slides } from "#app/owner/shop/hero.ts";
import { type Actions, action } from "./command.ts";
import { saveList } from "./home-list.ts";

const LIST = { list: slides, one: "slide", command: "hero", pictures: ["desktop", "phone"] } as const;

export const hero: Actions = {
  "hero show": action({
    says: "prints the home page's slides as JSON, for 'hero set'",
    changes: false,
    async run({ db }) {
      const stored = await storedSlides(db);
      return { code: 0, data: stored, text: JSON.stringify(stored, null, 2) };
    },
  }),
  "hero set": action({
    words: ["file"],
    says: "replaces all slides of the home page from JSON; a picture is a file beside it, or an address",
    changes: true,
    async run({ db, by, words: { file } }) {
      const done = await saveList(db, file, LIST, (items) => changeHero(db, by, items));
      return { code: 0, data: done.slides, text: `The home page now has ${plural(done.slides.length, "slide")}.` };
    },
  }),
};
