import { readNotation, TEXT_MAX, writeNotation } from "#app/content/notation.ts";
import { originalBlocks } from "#app/content/originals.server.tsx";
import { isTextPage, TEXT_PAGE_NAMES, TEXT_PAGES, type TextPage } from "#app/content/pages.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { typedText } from "#app/infra/text/typed-text.ts";
import { publishText, textVersions } from "#app/owner/texts/versions.server.ts";
import { type Actions, action } from "./command.ts";
import { readText } from "./read-file.ts";

export const words: Actions = {
  "words show": action({
    words: ["page"],
    says: `prints the text that the shop shows on a page (${TEXT_PAGE_NAMES.join(", ")}), for 'words set'`,
    changes: false,
    async run({ db, words: { page } }) {
      const name = pageNamed(page);
      const shown = (await textVersions(db, name)).find(({ state }) => state === "shown");
      const text = writeNotation(shown?.blocks ?? originalBlocks(name));
      return { code: 0, data: { page: name, version: shown?.version ?? 0, text }, text };
    },
  }),
  "words set": action({
    words: ["page", "file"],
    says: "publishes the text of a page from a file: paragraphs with blank lines between, '# ' headings, '- ' lists",
    changes: true,
    async run({ db, by, words: { page, file } }) {
      const name = pageNamed(page);
      const text = typedText(await readText(file));
      if (text.length > TEXT_MAX) throw wrong([`At most ${TEXT_MAX.toLocaleString("en")} letters.`]);
      const done = await publishText(db, by, name, { blocks: readNotation(text) });
      if (!done.ok) throw wrong(done.isStale ? [] : done.problems);
      const { title } = TEXT_PAGES[name];
      return {
        code: 0,
        data: { page: name, version: done.version },
        text: `${title} has version ${done.version} now.`,
      };
    },
  }),
};

function pageNamed(name: string): TextPage {
  if (isTextPage(name)) return name;
  throw new BadInput(`There is no page '${name}'. Choose one of ${TEXT_PAGE_NAMES.join(", ")}`);
}

function wrong(problems: string[]): BadInput {
  return new BadInput(["Nothing was changed.", ...problems].join("\n"));
}
