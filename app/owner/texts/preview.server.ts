import type { TextPage } from "#app/content/pages.ts";
import { makePreview } from "#app/content/preview/preview.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { numbersNow } from "#app/infra/settings/shop-settings.server.ts";
import type { TextBlock } from "#db/types.ts";
import { textProblems } from "./check.server.ts";
import { textAsStored } from "./versions.server.ts";

/** `problems`: why the text couldn't be published. */
export type TextPreview = { ok: true; link: string } | { ok: false; problems: string[] };

/** Makes a link under which the shop shows this text as the page's, to one browser. Nothing is published. */
export async function previewText(on: Db, by: Actor, page: TextPage, blocks: TextBlock[]): Promise<TextPreview> {
  const numbers = await numbersNow(on);
  const problems = await textProblems(on, page, blocks, numbers);
  if (problems.length > 0) return { ok: false, problems };
  const draft = textAsStored(page, blocks, numbers);
  return { ok: true, link: await makePreview(on, { page, draft, madeBy: by.name }) };
}
