import { readNotation, readSubject, TEXT_MAX, writeNotation } from "#app/content/notation.ts";
import { TEXT_PAGE_NAMES } from "#app/content/pages.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { numbersNow } from "#app/infra/settings/shop-settings.server.ts";
import { typedText } from "#app/infra/text/typed-text.ts";
import { momentOf, shopTime } from "#app/owner/shop-time.server.ts";
import { EMAIL_NAMES } from "#app/owner/texts/emails.server.tsx";
import {
  describeText,
  isTextName,
  originalSubject,
  originalText,
  type TextName,
} from "#app/owner/texts/texts.server.ts";
import {
  listTexts,
  ORIGINAL,
  publishPlannedText,
  publishText,
  putBackText,
  type TextPublished,
  type TextVersion,
  textVersions,
} from "#app/owner/texts/versions.server.ts";
import { type Actions, action, type Result } from "./command.ts";
import { readText } from "./read-file.ts";

export const words: Actions = {
  "words list": action({
    says: "the pages, emails and messages whose text is yours to write: the version that is shown, and what is planned",
    changes: false,
    async run({ db }) {
      const rows = (await listTexts(db)).map(({ page, title, shown, planned }) => ({
        page,
        title,
        version: shown?.version ?? ORIGINAL,
        ...(shown && { savedBy: shown.savedBy, savedAt: shown.savedAt }),
        ...(planned && { planned: planned.version, plannedAt: planned.publishedAt }),
      }));
      const lines = rows.map(({ page, title, version, savedBy, savedAt, planned, plannedAt }) =>
        [
          page,
          page.startsWith("message-") && title, // its key doesn't say what it is about
          version === ORIGINAL ? "the shop’s own text" : `version ${version}`,
          savedAt && `${shopTime(savedAt)} by ${savedBy}`,
          plannedAt && `version ${planned} from ${shopTime(plannedAt)} on`,
        ]
          .filter(Boolean)
          .join("  "),
      );
      return { code: 0, data: rows, text: lines.join("\n") };
    },
  }),
  "words show": action({
    words: ["page"],
    options: { subject: true },
    says: `prints the text that the shop shows on a page (${TEXT_PAGE_NAMES.join(", ")}), with which an email begins, or of a message ('words list' names them), for 'words set'. --subject prints an email's subject instead`,
    changes: false,
    async run({ db, words: { page }, options }) {
      const name = pageNamed(page);
      const shown = (await textVersions(db, name)).find(({ state }) => state === "shown");
      const text = writeNotation(shown?.blocks ?? originalText(name, await numbersNow(db)));
      const subject = shown?.subject ?? originalSubject(name);
      if (options.subject && subject === undefined) throw new BadInput(`${titleOf(name)} is no email`);
      const version = shown?.version ?? ORIGINAL;
      const data = { page: name, version, ...(subject !== undefined && { subject }), text };
      return { code: 0, data, text: options.subject ? String(subject) : text };
    },
  }),
  "words set": action({
    words: ["page", "file"],
    options: { at: "TIME", subject: "SUBJECT" },
    says: "publishes the text of a page, email or message from a file: paragraphs with blank lines between, '# ' headings, '- ' lists. --at a minute like 2026-12-01T09:00, in the shop's time zone, plans it. --subject is an email's subject, which stays as it is without it",
    changes: true,
    async run({ db, by, words: { page, file }, options }) {
      const name = pageNamed(page);
      const at = options.at === undefined ? undefined : momentOf(options.at);
      if (options.at !== undefined && !at) throw wrong([`'${options.at}' is no time like 2026-12-01T09:00`]);
      if (at && at <= new Date()) throw wrong([`${shopTime(at)} has passed`]);
      const text = typedText(await readText(file));
      if (text.length > TEXT_MAX) throw wrong([`At most ${TEXT_MAX.toLocaleString("en")} letters.`]);
      if (options.subject !== undefined && originalSubject(name) === undefined)
        throw wrong([`${titleOf(name)} is no email.`]);
      const subject = options.subject === undefined ? undefined : readSubject(options.subject);
      const done = await publishText(db, by, name, { blocks: readNotation(text), subject, at });
      return published(name, done, at && `will have version ${newest(done)} from ${shopTime(at)} on`);
    },
  }),
  "words publish": action({
    words: ["page"],
    says: "shows the text of a page, email or message that is planned for later now",
    changes: true,
    async run({ db, by, words: { page } }) {
      const name = pageNamed(page);
      const version = await publishPlannedText(db, by, name);
      if (version === undefined) throw wrong([`No text of ${titleOf(name)} is planned.`]);
      return published(name, { ok: true, isNew: false, version });
    },
  }),
  "words undo": action({
    words: ["page"],
    says: "shows the text again that a page, email or message had before the one that it shows",
    changes: true,
    async run({ db, by, words: { page } }) {
      const name = pageNamed(page);
      const versions = await textVersions(db, name);
      const shown = versions.find(({ state }) => state === "shown");
      if (!shown) throw wrong([`${titleOf(name)} has the shop’s own text.`]);
      const [before] = versions
        .filter(({ state }) => state === "past")
        .sort((one, other) => Number(other.publishedAt) - Number(one.publishedAt));
      const wish = { version: before?.version ?? ORIGINAL, seen: seenIn(versions), action: "words undo" };
      return published(name, await putBackText(db, by, name, wish));
    },
  }),
};

const titleOf = (name: TextName) => describeText(name).title;
const seenIn = ([newest]: TextVersion[]) => newest?.version ?? ORIGINAL;
const newest = (done: TextPublished) => ("version" in done ? done.version : ORIGINAL);

/** The result of publishing a text. Throws if it was not published. */
function published(page: TextName, done: TextPublished, what = `has version ${newest(done)} now`): Result {
  if (!done.ok)
    throw wrong(
      "problems" in done ? [...(done.ofSubject ?? []), ...done.problems] : ["Somebody else has changed it meanwhile."],
    );
  return { code: 0, data: { page, version: done.version }, text: `${titleOf(page)} ${what}.` };
}

function pageNamed(name: string): TextName {
  if (isTextName(name)) return name;
  throw new BadInput(
    `There’s no text '${name}'. Choose one of ${[...TEXT_PAGE_NAMES, ...EMAIL_NAMES].join(", ")}, or a message of 'words list'`,
  );
}

function wrong(problems: string[]): BadInput {
  return new BadInput(["Nothing was changed.", ...problems].join("\n"));
}
