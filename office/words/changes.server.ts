import { z } from "zod";
import { readNotation, readSubject, SUBJECT_MAX, TEXT_MAX } from "#app/content/notation.ts";
import { isTextPage } from "#app/content/pages.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { db } from "#app/infra/database/db.server.ts";
import { numbersNow } from "#app/infra/settings/shop-settings.server.ts";
import { momentOf, shopTime } from "#app/owner/shop-time.server.ts";
import { problemsOf, type TextProblems } from "#app/owner/texts/check.server.ts";
import { emailNamed, previewEmail } from "#app/owner/texts/emails.server.tsx";
import { previewText } from "#app/owner/texts/preview.server.ts";
import { isTextName, type TextName } from "#app/owner/texts/texts.server.ts";
import { publishText, putBackText, type TextPublished, withdrawText } from "#app/owner/texts/versions.server.ts";
import type { TextBlock } from "#db/types.ts";
import { change, type Outcome, outdated } from "../http/changes.server.ts";

/** The typed text. A browser sends each of its line breaks as two characters. */
const text = z
  .string()
  .transform((typed) => typed.replaceAll("\r\n", "\n"))
  .pipe(z.string().max(TEXT_MAX, `At most ${TEXT_MAX.toLocaleString("en")} letters`));
/** The number of the newest version that the member has seen; 0 if there was none. */
const seen = z.coerce.number().int().min(0);

export const WORDS_CHANGES = {
  /**
   * Without `press`, as when Enter is pressed in a field, nothing is saved, and the outcome contains a preview. `shop`:
   * also a link to one in the shop.
   */
  save: change({
    needs: "shop",
    fields: z.object({
      subject: z.string().max(SUBJECT_MAX, `At most ${SUBJECT_MAX} letters`).transform(readSubject).optional(),
      text,
      at: z.string().max(30).default(""),
      press: z.enum(["preview", "shop", "now", "later"]).default("preview"),
      seen,
    }),
    returnsTyped: true,
    run: async ({ by, params, fields: { text, subject, press, seen, ...typed } }) => {
      const page = pageOf(params);
      const blocks = readNotation(text);
      if (press === "preview") return previewOf(page, { subject, blocks });
      if (press === "shop") return shopPreviewOf(by, page, { subject, blocks });
      const at = press === "later" ? momentOf(typed.at) : undefined;
      if (press === "later" && !at) return { ok: false, problems: { at: "Enter a day and a time" } };
      if (at && at <= new Date()) return { ok: false, problems: { at: "That’s over. Enter a time to come" } };
      const what = at ? `Saved. ${showsIt(page)} from ${shopTime(at)}.` : `Published. ${showsIt(page)} now.`;
      return outcomeOf(await publishText(db(), by, page, { subject, blocks, at, seen }), what);
    },
  }),
  "put-back": change({
    needs: "shop",
    fields: z.object({ version: z.coerce.number().int().min(0), seen }),
    run: async ({ by, params, fields }) => {
      const page = pageOf(params);
      return outcomeOf(await putBackText(db(), by, page, fields), `Put back. ${showsIt(page)} now.`);
    },
  }),
  withdraw: change({
    needs: "shop",
    fields: z.object({}),
    run: async ({ by, params }) => {
      const page = pageOf(params);
      const isWithdrawn = await withdrawText(db(), by, page);
      const what = `Withdrawn. ${emailNamed(page) ? "The email" : "The shop"} won’t show it.`;
      return { ok: true, what: isWithdrawn ? what : "Nothing is planned." };
    },
  }),
};

type Typed = { subject?: string; blocks: TextBlock[] };

async function previewOf(page: TextName, typed: Typed): Promise<Outcome> {
  const problems = await problemsOf(db(), page, typed, await numbersNow(db()));
  if (problems) return wrong(problems);
  const { subject, blocks } = typed;
  const email = emailNamed(page);
  return {
    ok: false,
    problem: "Nothing is saved yet: this is how it will look.",
    blocks,
    ...(email && { mail: await previewEmail(db(), email, blocks, subject) }),
  };
}

/** A preview with a link to it in the shop. An email, which has no page in the shop, gets the other preview. */
async function shopPreviewOf(by: Actor, page: TextName, typed: Typed): Promise<Outcome> {
  if (!isTextPage(page)) return previewOf(page, typed);
  const { blocks } = typed;
  const made = await previewText(db(), by, page, blocks);
  if (!made.ok) return wrong(made);
  return { ok: false, problem: "Nothing is saved yet", blocks, link: made.link };
}

function outcomeOf(done: TextPublished, what: string): Outcome {
  if (done.ok) return { ok: true, what, version: String(done.version) };
  return "problems" in done ? wrong(done) : outdated("this text", done);
}

/** The most problems in one message. */
const MOST_SHOWN = 5;

function wrong({ problems, ofSubject = [] }: TextProblems): Outcome {
  const message = (sentences: string[]) => sentences.slice(0, MOST_SHOWN).join(" ");
  return {
    ok: false,
    problems: {
      ...(ofSubject.length > 0 && { subject: message(ofSubject) }),
      ...(problems.length > 0 && { text: message(problems) }),
    },
  };
}

const showsIt = (page: TextName) => (emailNamed(page) ? "The email has it" : "The shop shows it");

function pageOf({ id = "" }: { id?: string }): TextName {
  if (!isTextName(id)) throw new BadInput("There’s no such page");
  return id;
}
