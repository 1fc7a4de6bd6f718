import path from "node:path";
import { z } from "zod";
import { readSource } from "#app/catalog/documents/picture-source.server.ts";
import { addPicture } from "#app/catalog/pictures/new-picture.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { retryingTransaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { isPublicAddress } from "#app/infra/http/public-address.ts";
import { changeHero, storedSlides } from "#app/owner/shop/hero.server.ts";
import { slides } from "#app/owner/shop/hero.ts";
import { type Actions, action } from "./command.ts";
import { readJson } from "./read-file.ts";

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
      const { documents, added } = await withPictures(await readJson(file), path.dirname(file));
      const read = slides.safeParse(documents);
      if (!read.success) throw wrong(read.error.issues.map(({ path, message }) => [path.join("."), message]));
      const done = await changeHero(db, by, read.data);
      if (!done.ok) throw wrong("problems" in done ? Object.entries(done.problems) : []);
      if (added > 0) await retryingTransaction(db, (trx) => enqueue(trx, "make-pictures", {}));
      const count = done.slides.length === 1 ? "1 slide" : `${done.slides.length} slides`;
      return { code: 0, data: done.slides, text: `The home page now has ${count}.` };
    },
  }),
};

const named = z.union([z.string(), z.object({ file: z.string(), focus: z.string().optional() })]);
const document = z.looseObject({ id: z.string().optional() });

/** Puts the pictures that the slides name into the store. A slide without an id gets its position, from 1, as id. */
async function withPictures(given: unknown, folder: string) {
  const list = z.array(document).safeParse(given);
  if (!list.success) throw new BadInput("This isn't a list of slides. Use the format that 'hero show' prints");
  let added = 0;
  const picture = async (one: unknown, where: string) => {
    const { data: source } = named.safeParse(one);
    if (!source) return one;
    const { file, focus } = typeof source === "string" ? { file: source } : source;
    added++;
    try {
      const { hash } = await addPicture(await readSource(file, folder, isPublicAddress));
      return { hash, focus };
    } catch (error) {
      throw wrong([[where, `${file} ${(error as Error).message}`]]);
    }
  };
  const documents = [];
  for (const [at, slide] of list.data.entries())
    documents.push({
      ...slide,
      id: slide.id ?? String(at + 1),
      desktop: await picture(slide.desktop, `${at}.desktop`),
      phone: await picture(slide.phone, `${at}.phone`),
    });
  return { documents, added };
}

/** A BadInput that names slides by position: the field `0.title` is the title of the first slide. */
function wrong(problems: [field: string, problem: string][]): BadInput {
  const lines = problems.map(([field, problem]) => {
    const [, at, name] = /^(\d+)\.?(.*)$/.exec(field) ?? [];
    return at === undefined ? problem : `slide ${Number(at) + 1}${name && `, ${name}`}: ${problem}`;
  });
  return new BadInput(["Nothing was changed.", ...lines].join("\n"));
}
