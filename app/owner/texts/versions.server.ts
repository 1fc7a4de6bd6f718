import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { readBlocks, shownBlocks, shownSubject, storedBlocks, storedSubject } from "#app/content/blocks.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { numbersNow, SHOP_SETTINGS_TOPIC } from "#app/infra/settings/shop-settings.server.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import type { TextBlock } from "#db/types.ts";
import { type Stale, stale } from "../stale.ts";
import { problemsOf, type TextProblems } from "./check.server.ts";
import { messageNamed } from "./messages.ts";
import { describeText, originalSubject, originalText, TEXT_NAMES, type TextName } from "./texts.server.ts";

/**
 * shown: in the shop, or in emails, now. past: was shown before. planned: will be shown. withdrawn: was planned, and
 * never shown.
 */
export type TextState = "shown" | "past" | "planned" | "withdrawn";

/**
 * A version of a text. `subject`: of an email. `blocks`: undefined if they are damaged. `publishedAt`: from when it is
 * shown.
 */
export type TextVersion = {
  version: number;
  subject?: string;
  blocks: TextBlock[] | undefined;
  savedBy: string;
  savedAt: Date;
  publishedAt: Date | null;
  state: TextState;
};

/** The version that stands for the text in code. */
export const ORIGINAL = 0;

/**
 * All versions of a text, the newest first; none if the owner has never changed it. Their states are those by
 * `clock_timestamp()`, since `now()` would be older after a wait for a lock. All show the owner's current numbers.
 */
export async function textVersions(on: Db | Transaction, page: TextName): Promise<TextVersion[]> {
  const [versions = []] = await versionsOf(on, [page]);
  return versions;
}

/** The versions of each of these texts, in their order. */
async function versionsOf(on: Db | Transaction, pages: TextName[]): Promise<TextVersion[][]> {
  const numbers = await numbersNow(on);
  const all = await on
    .selectFrom("pageTexts")
    .select(["page", "version", "blocks", "subject", "savedBy", "savedAt", "publishedAt"])
    .select(sql<boolean>`coalesce(published_at <= clock_timestamp(), false)`.as("isOut"))
    .where("page", "in", pages)
    .orderBy("version", "desc")
    .execute();
  return pages.map((name) => {
    const rows = all.filter(({ page }) => page === name);
    const [shown] = rows.filter(({ isOut }) => isOut).sort((a, b) => Number(b.publishedAt) - Number(a.publishedAt));
    const shownText = (stored: TextBlock[] | undefined) => stored && shownBlocks(name, stored, numbers);
    return rows.map(({ page, isOut, blocks, subject, ...row }) => ({
      ...row,
      subject: subject === null ? originalSubject(name) : shownSubject(subject, numbers),
      blocks: blocks === null ? originalText(name, numbers) : shownText(readBlocks(blocks)),
      state: row.version === shown?.version ? "shown" : isOut ? "past" : row.publishedAt ? "planned" : "withdrawn",
    }));
  });
}

/**
 * A text in the owner's list: its newest version, the one that is shown, and the one that is planned. `path`: the
 * page's; undefined for an email or a message.
 */
export type TextRow = {
  page: TextName;
  title: string;
  path?: string;
  last?: TextVersion;
  shown?: TextVersion;
  planned?: TextVersion;
};

/** All texts that the owner can change: of pages, then of emails, then messages. */
export async function listTexts(on: Db): Promise<TextRow[]> {
  const all = await versionsOf(on, TEXT_NAMES);
  return TEXT_NAMES.map((page, at) => {
    const versions = all[at] ?? [];
    const inState = (wanted: TextState) => versions.find(({ state }) => state === wanted);
    const { title, path } = describeText(page);
    return { page, title, path, last: versions[0], shown: inState("shown"), planned: inState("planned") };
  });
}

/** `version`: the newest one. `problems`: why the text can't be published. Nothing is saved then. */
export type TextPublished =
  | { ok: true; isNew: boolean; version: number }
  | Stale<{ version: number }>
  | ({ ok: false } & TextProblems);

type Wish = {
  blocks: TextBlock[];
  /** An email's subject. Without it, the shown one stays. */
  subject?: string;
  /** From when it is shown; at once if undefined. It takes the place of what was planned before. */
  at?: Date;
  /** The newest version that the caller has seen. Without it, any version is replaced. */
  seen?: number;
  /** The older version whose text this is. */
  asVersion?: number;
  /** The name of the change in the audit log. */
  action?: string;
};

/** Saves a new version of a text, to be shown at once or from `at` on. Safe to repeat. */
export async function publishText(on: Db, by: Actor, page: TextName, wish: Wish): Promise<TextPublished> {
  const { blocks, at, seen, asVersion, action = "words set" } = wish;
  const numbers = await numbersNow(on);
  const problems = await problemsOf(on, page, wish, numbers);
  if (problems) return { ok: false, ...problems };
  const done = await retryingTransaction(on, async (trx): Promise<TextPublished> => {
    await lockTexts(trx);
    const versions = await textVersions(trx, page);
    const original = originalVersion(page, numbers);
    const [last = original] = versions;
    const { version } = last;
    const shown = versions.find(({ state }) => state === "shown") ?? original;
    const subject = original.subject && (wish.subject ?? shown.subject);
    if (isSame(last, { subject, blocks }, at)) return { ok: true, isNew: false, version };
    if (seen !== undefined && version !== seen) return stale({ version });
    const added = version + 1;
    const [replaced] = at ? await withdrawPlanned(trx, page) : [];
    await trx
      .insertInto("pageTexts")
      .values({
        page,
        version: added,
        blocks: textAsStored(page, blocks, numbers),
        subject: subjectAsStored(page, subject, numbers),
        savedBy: by.name,
        publishedAt: at ?? sql<Date>`clock_timestamp()`,
      })
      .execute();
    const after = {
      version: added,
      ...(at && { from: at }),
      ...(replaced && { insteadOf: replaced.version }),
      ...(asVersion !== undefined && { asVersion }),
    };
    await recordChange(trx, { by, action, subject: { kind: "page", id: page }, before: { version }, after });
    return { ok: true, isNew: true, version: added };
  });
  if (done.ok && done.isNew) await tellProcesses(on, page);
  return done;
}

/** Makes all processes read the owner's messages anew, which they keep. They keep no other texts. */
async function tellProcesses(on: Db, page: TextName): Promise<void> {
  if (messageNamed(page)) await publish(on, SHOP_SETTINGS_TOPIC);
}

/** The stored form of a text that was typed with the owner's `numbers`: JSON, or null for the text in code. */
export function textAsStored(page: TextName, blocks: TextBlock[], numbers: Numbers | undefined): string | null {
  const isOriginal = isDeepStrictEqual(blocks, originalText(page, numbers));
  return isOriginal ? null : JSON.stringify(storedBlocks(page, blocks, numbers));
}

/** The stored form of a subject that was typed with the owner's `numbers`: null for the one in code. */
function subjectAsStored(page: TextName, subject: string | undefined, numbers: Numbers | undefined): string | null {
  return subject === undefined || subject === originalSubject(page) ? null : storedSubject(subject, numbers);
}

const originalVersion = (page: TextName, numbers: Numbers | undefined) =>
  ({
    version: ORIGINAL,
    subject: originalSubject(page),
    blocks: originalText(page, numbers),
    publishedAt: null,
    state: "shown",
  }) as const;

type Written = Pick<TextVersion, "subject" | "blocks">;

/** Whether the newest version has this text, and is shown now or, if `at` is given, will be shown from then on. */
function isSame(
  { subject, blocks, ...last }: Written & Pick<TextVersion, "publishedAt" | "state">,
  written: Written,
  at?: Date,
): boolean {
  if (!isDeepStrictEqual({ subject, blocks }, written)) return false;
  return at ? last.publishedAt?.getTime() === at.getTime() : last.state === "shown";
}

/** Publishes the text of an older version again, as a new version. `ORIGINAL` is the text in code. */
export async function putBackText(
  on: Db,
  by: Actor,
  page: TextName,
  { version, ...wish }: { version: number; seen: number; action?: string },
): Promise<TextPublished> {
  const all = [...(await textVersions(on, page)), originalVersion(page, await numbersNow(on))];
  const found = all.find((one) => one.version === version);
  if (!found) throw new BadInput(`There’s no version ${version}`);
  const { subject, blocks } = found;
  if (!blocks) throw new BadInput(`Version ${version} is damaged and can’t be read`);
  return publishText(on, by, page, { ...wish, subject, blocks, asVersion: version });
}

/** Withdraws the version that is planned. It stays in the history. Returns whether there was one. */
export function withdrawText(on: Db, by: Actor, page: TextName): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    await lockTexts(trx);
    const [withdrawn] = await withdrawPlanned(trx, page);
    if (!withdrawn) return false;
    const subject = { kind: "page", id: page };
    await recordChange(trx, { by, action: "words withdraw", subject, before: withdrawn });
    return true;
  });
}

/** Shows the planned version from now on. Returns its number; undefined if none is planned. */
export async function publishPlannedText(on: Db, by: Actor, page: TextName): Promise<number | undefined> {
  const done = await retryingTransaction(on, async (trx) => {
    await lockTexts(trx);
    const planned = (await textVersions(trx, page)).find(({ state }) => state === "planned");
    if (!planned) return undefined;
    const { version, publishedAt } = planned;
    await trx
      .updateTable("pageTexts")
      .set({ publishedAt: sql<Date>`clock_timestamp()` })
      .where("page", "=", page)
      .where("version", "=", version)
      .execute();
    const subject = { kind: "page", id: page };
    await recordChange(trx, {
      by,
      action: "words publish",
      subject,
      before: { from: publishedAt },
      after: { version },
    });
    return version;
  });
  if (done !== undefined) await tellProcesses(on, page);
  return done;
}

async function withdrawPlanned(trx: Transaction, page: TextName): Promise<{ version: number }[]> {
  return await trx
    .updateTable("pageTexts")
    .set({ publishedAt: null })
    .where("page", "=", page)
    .where(sql<boolean>`published_at > clock_timestamp()`)
    .returning("version")
    .execute();
}

/** Locks the table, so that nobody else saves or withdraws a version before the transaction ends. */
async function lockTexts(trx: Transaction): Promise<void> {
  await sql`lock table page_texts in share row exclusive mode`.execute(trx);
}
