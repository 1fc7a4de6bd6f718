import type { HomeContents } from "#app/catalog/home/hero.server.ts";
import { HOME, makePreview } from "#app/content/preview/preview.server.ts";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { wholeSlides } from "./hero.server.ts";
import type { SlideWish } from "./hero.ts";
import { ownSections, wholeSections } from "./sections.server.ts";
import type { SectionWish } from "./sections.ts";

/** The keys of `problems` include the index in the list: `0.title`. */
export type HomePreview = { ok: true; link: string } | { ok: false; problems: Record<string, string> };

/** Makes a link under which the shop shows the home page with these slides, to one browser. Nothing is saved. */
export async function previewHero(on: Db, by: Actor, wishes: SlideWish[]): Promise<HomePreview> {
  const { slides, problems } = await wholeSlides(on, wishes);
  return previewHome(on, by, problems, { slides });
}

/** Like `previewHero`, for the sections below the slides. */
export async function previewSections(on: Db, by: Actor, wishes: SectionWish[]): Promise<HomePreview> {
  const { sections, problems } = await wholeSections(on, wishes);
  return previewHome(on, by, problems, { sections: ownSections(sections) });
}

async function previewHome(
  on: Db,
  by: Actor,
  problems: Record<string, string>,
  draft: Partial<HomeContents>,
): Promise<HomePreview> {
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, link: await makePreview(on, { page: HOME, draft: JSON.stringify(draft), madeBy: by.name }) };
}
