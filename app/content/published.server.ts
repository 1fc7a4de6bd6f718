import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { log } from "#app/infra/log.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import type { TextBlock } from "#db/types.ts";
import { readBlocks, shownBlocks } from "./blocks.ts";
import type { TextPage } from "./pages.ts";
import { findPreview } from "./preview/preview.server.ts";

const newest = statement(
  {
    takes: { page: sqlType.text },
    gives: { version: sqlType.int, blocks: sqlType.orNull(sqlType.json<unknown>()), publishedAt: sqlType.time },
  },
  `select version, blocks, coalesce(published_at, now()) as published_at
   from page_texts where page = :page and published_at <= now()
   order by page_texts.published_at desc, version desc limit 1`,
);

/** The owner's text of a page. Undefined if the text in code is shown, since the owner has none or it is damaged. */
export async function publishedText(
  on: Db,
  page: TextPage,
): Promise<{ blocks: TextBlock[]; publishedAt: Date } | undefined> {
  const [row] = await newest(on, { page });
  if (!row || row.blocks === null) return;
  const blocks = readBlocks(row.blocks);
  if (!blocks) noteDamaged(page, row.version);
  return blocks && { blocks, publishedAt: row.publishedAt };
}

/** The owner's text of a page for this request: the draft in a preview of this page, else the published text. */
export async function textFor(
  on: Db,
  page: TextPage,
  { headers }: Request,
): Promise<{ blocks: TextBlock[]; publishedAt: Date } | undefined> {
  const preview = await findPreview(on, headers.get("cookie") ?? "");
  if (preview?.page !== page) return publishedText(on, page);
  const blocks = readBlocks(preview.draft);
  return blocks && { blocks, publishedAt: new Date() };
}

/**
 * The owner's text of a page for this request, if there is one, and the owner's numbers, if any are set. The text has
 * these numbers.
 */
export async function numberedText(
  on: Db,
  page: "returns" | "shipping",
  request: Request,
): Promise<{ text?: TextBlock[]; numbers?: Numbers }> {
  const [own, { numbers }] = await Promise.all([textFor(on, page, request), shopSettings(on)]);
  return { text: own && shownBlocks(page, own.blocks, numbers), ...(numbers && { numbers }) };
}

const newestOfEmails = statement(
  {
    takes: {},
    gives: {
      name: sqlType.text,
      version: sqlType.int,
      blocks: sqlType.orNull(sqlType.json<unknown>()),
      subject: sqlType.orNull(sqlType.text),
    },
  },
  `select distinct on (page) page as name, version, blocks, subject
   from page_texts where starts_with(page, 'email-') and published_at <= now()
   order by page, published_at desc, version desc`,
);

/**
 * The owner's subject and introduction of an email in their stored form, with the default numbers. Null: the one in
 * code.
 */
export type EmailText = { version: number; subject: string | null; blocks: TextBlock[] | null };

/** The owner's texts of emails that are in force, by name. Simultaneous calls share one query. */
export const publishedEmails: (on: Db) => Promise<Map<string, EmailText>> = batched(async (on) => {
  const rows = await newestOfEmails(on);
  return new Map(
    rows.flatMap(({ name, version, blocks: stored, subject }): [string, EmailText][] => {
      const blocks = stored === null ? null : readBlocks(stored);
      if (blocks === undefined) noteDamaged(name, version);
      return blocks === undefined ? [] : [[name, { version, subject, blocks }]];
    }),
  );
});

/** The damaged versions that were logged already, because pages are rendered too often for a line each time. */
const noted = new Set<string>();

/** Logs, once in each process, that a version is damaged. `page`: the name of the page or email. */
export function noteDamaged(page: string, version: number): void {
  const key = `${page} ${version}`;
  if (noted.has(key)) return;
  noted.add(key);
  log.warn({ page, version }, "a stored text cannot be read: the text in code stands in its place");
}
