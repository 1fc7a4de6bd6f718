import { collectionNames } from "#app/catalog/collections/collections.server.ts";
import { linesOf, shownBlocks, shownSubject, storedBlocks, storedSubject } from "#app/content/blocks.ts";
import { SHOP_EMAIL, unknownInSubject, unknownPlaceholders } from "#app/content/mails.server.tsx";
import { isLinkTarget, linksIn, placeholdersIn, plainOf, SUBJECT_MAX, targetsIn } from "#app/content/notation.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { OwnableMessage } from "#app/messages/ownable.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import { canonicalPath } from "#app/ui/frame/paths.ts";
import type { TextBlock } from "#db/types.ts";
import { type Email, emailNamed } from "./emails.server.tsx";
import { messageNamed } from "./messages.ts";
import { describeText, originalText, type TextName } from "./texts.server.ts";

/** The most letters in a row without a space or hyphen: more do not fit on a phone. */
const WORD_MAX = 39;
const LONG_WORD = new RegExp(`[^\\s-]{${WORD_MAX + 1},}`, "g");

/** Why a text can't be published, as sentences. `ofSubject`: those of an email's subject. */
export type TextProblems = { problems: string[]; ofSubject?: string[] };

/** Problems of a text, and of its subject if one is given. Undefined if they can be published. */
export async function problemsOf(
  on: Db,
  name: TextName,
  { blocks, subject }: { blocks: TextBlock[]; subject?: string },
  numbers: Numbers | undefined,
): Promise<TextProblems | undefined> {
  const email = emailNamed(name);
  const problems = await textProblems(on, name, blocks, numbers);
  const ofSubject = email && subject !== undefined ? subjectProblems(email, subject, numbers) : [];
  if (ofSubject.length > 0) return { problems, ofSubject };
  return problems.length > 0 ? { problems } : undefined;
}

/** Why a text can't be published while the owner's `numbers` are in force, as sentences; none if it can. */
export async function textProblems(
  on: Db,
  name: TextName,
  blocks: TextBlock[],
  numbers: Numbers | undefined,
): Promise<string[]> {
  const message = messageNamed(name);
  if (message) return messageProblems(message, blocks);
  const email = emailNamed(name);
  if (blocks.length === 0) return [`Write something: the ${email ? "email" : "page"} would be empty.`];
  const lines = blocks.flatMap(linesOf);
  const targets = [...new Set(lines.flatMap(targetsIn))];
  return [
    ...wideWords(lines.map(plainOf)),
    ...(await linkProblems(on, targets)).values(),
    ...(email ? placeholderProblems(email, blocks, lines) : []),
    ...(email
      ? shiftedTimes(lines, shownBlocks(name, storedBlocks(name, blocks, numbers), numbers).flatMap(linesOf))
      : []),
    ...(describeText(name).isPolicy ? otherTimes(lines, originalText(name, numbers).flatMap(linesOf)) : []),
  ];
}

/** Why a subject can't be published while the owner's `numbers` are in force, as sentences; none if it can. */
function subjectProblems({ facts }: Email, subject: string, numbers: Numbers | undefined): string[] {
  if (subject === "") return ["Write a subject."];
  const known = inBraces(Object.keys(facts));
  return [
    ...(subject.length > SUBJECT_MAX ? [`At most ${SUBJECT_MAX} letters.`] : []),
    ...wideWords([subject]),
    ...unknownInSubject(subject, facts).map(
      (one) => `This subject can’t have {${one.slice(0, 30)}}.${known && ` It can have ${known}.`}`,
    ),
    ...(targetsIn(subject).length > 0 ? ["A subject can’t have a link."] : []),
    ...shiftedTimes([subject], [shownSubject(storedSubject(subject, numbers), numbers)]),
  ];
}

/** The most letters of a message: more would cover a phone's screen. */
export const MESSAGE_MAX = 300;

function messageProblems({ values }: OwnableMessage, blocks: TextBlock[]): string[] {
  const [only, ...others] = blocks;
  if (!only) return ["Write something: the message would be empty."];
  if (only.kind !== "paragraph" || others.length > 0) return ["Write one paragraph, without headings and lists."];
  const { text } = only;
  const names = values.map(([, name]) => name);
  const named = placeholdersIn(text);
  const has = names.length > 0 ? `It has ${inBraces(names)}.` : "It has none.";
  return [
    ...(text.length > MESSAGE_MAX ? [`At most ${MESSAGE_MAX} letters.`] : []),
    ...wideWords([text]),
    ...(targetsIn(text).length > 0 ? ["A message can’t have a link."] : []),
    ...named
      .filter((one) => !names.includes(one))
      .map((one) => `This message can’t fill in {${one.slice(0, 30)}}. ${has}`),
    ...names.filter((one) => !named.includes(one)).map((one) => `Put {${one}} somewhere: it’s said nowhere else.`),
  ];
}

function wideWords(lines: string[]): string[] {
  const words = lines.flatMap((line) => line.match(LONG_WORD) ?? []);
  return words.map((word) => `“${word.slice(0, 20)}…” is too wide for a phone: at most ${WORD_MAX} letters in a row.`);
}

const inBraces = (names: string[]) => new Intl.ListFormat("en").format(names.map((one) => `{${one}}`));

function placeholderProblems({ facts, needs }: Email, blocks: TextBlock[], lines: string[]): string[] {
  const known = inBraces([...Object.keys(facts), SHOP_EMAIL]);
  const named = lines.flatMap(placeholdersIn);
  const inLinks = lines.flatMap(linksIn).flatMap(placeholdersIn);
  return [
    ...unknownPlaceholders(blocks, facts).map((one) => `This email has no {${one.slice(0, 30)}}. It has ${known}.`),
    ...needs
      .filter((one) => !named.includes(one))
      .map((one) => `Put {${one}} somewhere: the email says it nowhere else.`),
    ...(inLinks.length > 0 ? [`A link can’t have ${inBraces(inLinks)} in it.`] : []),
  ];
}

/** Error messages by target, for those of these targets that a link must not have. */
export async function linkProblems(on: Db, targets: string[]): Promise<Map<string, string>> {
  const paths = targets.flatMap((to) => pathOf(to) ?? []);
  const missing = new Set(await missingAmong(on, paths));
  return new Map(
    targets.flatMap((to): [string, string][] => {
      const named = to.slice(0, 100);
      if (!isTarget(to))
        return [[to, `A link leads to a page of the shop, like /shop, or begins with https://: not “${named}”.`]];
      return missing.has(pathOf(to) ?? "") ? [[to, `The shop has no page ${named}.`]] : [];
    }),
  );
}

/** A number of days or hours: "14 days", "2-3 business days", "a 48-hour limit". */
const TIME =
  /(?<!\d)(\d{1,4}(?:(?: ?[-–] ?| to )\d{1,4})?)[ -](business |working )?(minute|hour|day|week|month|year)s?\b/gi;

/** Problems of a policy's days and hours that the text in code does not have: the shop acts by the latter. */
function otherTimes(lines: string[], original: string[]): string[] {
  const known = timesIn(original);
  const others = [...timesIn(lines)].filter(([time]) => !known.has(time));
  const list = new Intl.ListFormat("en").format(known.values());
  return others.map(([, typed]) => `“${typed}” isn’t what the shop goes by: ${list}.`);
}

/**
 * Problems of typed days and hours that would be shown as others: a text is stored with the default numbers, so a typed
 * default becomes the owner's number. `shown`: the typed lines once they are stored and shown.
 */
function shiftedTimes(lines: string[], shown: string[]): string[] {
  const kept = timesIn(shown);
  const shifted = [...timesIn(lines)].filter(([time]) => !kept.has(time));
  return shifted.map(([, typed]) => `“${typed}” would become a number of the shop’s own. Write it in words.`);
}

/** The days and hours in these lines as typed, by their normalized form. */
function timesIn(lines: string[]): Map<string, string> {
  const found = lines.flatMap((line) => [...line.matchAll(TIME)]);
  return new Map(
    found.map(([typed, count = "", business = "", unit = ""]): [string, string] => {
      const plain = [count.replace(/ ?[-–] ?| to /, "-"), business && "business", unit.toLowerCase()];
      return [plain.join(" "), typed];
    }),
  );
}

const isTarget = (to: string) => isLinkTarget(to) && URL.canParse(to, env.publicUrl);

/** The path of a link into the shop, also if it is written with the shop's address. Undefined for links elsewhere. */
function pathOf(to: string): string | undefined {
  if (!isTarget(to)) return;
  const { origin, pathname } = new URL(to, env.publicUrl);
  return origin === env.publicUrl.origin ? pathname : undefined;
}

const PRODUCT = /^\/singleProduct\/(.+)$/;
const COLLECTION = /^\/collections\/(.+)$/;

/** Those of these paths that lead to no page of the shop. */
async function missingAmong(on: Db, paths: string[]): Promise<string[]> {
  const known = paths.map((path) => ({ path, place: canonicalPath(path) ?? "" }));
  const idsAt = (pattern: RegExp) => known.flatMap(({ place }) => pattern.exec(place)?.[1] ?? []);
  const [products, collections] = await Promise.all([
    shownProducts(on, idsAt(PRODUCT)),
    collectionNames(on, idsAt(COLLECTION)),
  ]);
  const isThere = (place: string) => {
    const [product, collection] = [PRODUCT.exec(place)?.[1], COLLECTION.exec(place)?.[1]];
    if (product) return products.includes(product);
    return collection ? collections.has(collection) : place !== "";
  };
  return known.flatMap(({ path, place }) => (isThere(place) ? [] : [path]));
}

/** Those of these products that the shop shows. */
async function shownProducts(on: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const shown = on.selectFrom("products").select("id").where("id", "in", ids).where("hidden", "=", false);
  return (await shown.execute()).map(({ id }) => id);
}
