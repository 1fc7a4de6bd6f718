import { z } from "zod";
import type { Actor } from "#app/infra/audit.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import type { TagChange } from "#app/owner/tags/change.server.ts";
import { readTag } from "#app/owner/tags/tag.ts";
import { type Tagged, tagsInUse, tagsOn } from "#app/owner/tags/tags.server.ts";
import { type Granted, may, type Permission } from "#app/staff/roles.ts";
import { change, type Outcome } from "../http/changes.server.ts";

/** The permission to see and change the tags on each kind of thing. */
export const TAGS_NEED = { order: "service", customer: "customers" } as const satisfies Record<Tagged, Permission>;

/** The tags on an order or a customer, and those to suggest: the others in use that this role may see. */
export async function shownTags(role: Granted, kind: Tagged, id: string) {
  const kinds = (Object.keys(TAGS_NEED) as Tagged[]).filter((one) => may(role, TAGS_NEED[one]));
  const [tags, inUse] = await Promise.all([tagsOn(db(), kind, id), tagsInUse(db(), kinds)]);
  const there = new Set(tags.map(({ folded }) => folded));
  return { tags, others: inUse.filter(({ folded }) => !there.has(folded)).map(({ word }) => word) };
}

type Params = { [name: string]: string | undefined };
type Work = (by: Actor, params: Params, change: TagChange) => Promise<Done>;

/** The changes that add and remove a tag. If a tag cannot be added, the field shows the problem and the typed text. */
export function tagChanges(kind: Tagged, work: Work) {
  const needs = TAGS_NEED[kind];
  return {
    tag: change({
      needs,
      fields: z.object({ tag: z.string() }),
      returnsTyped: true,
      run: async ({ by, fields: { tag: typed }, params }): Promise<Outcome> => {
        const tag = readTag(typed);
        const done = "problem" in tag ? ({ ok: false, ...tag } as const) : await work(by, params, { add: tag });
        return done.ok ? done : { ok: false, problems: { tag: done.problem } };
      },
    }),
    untag: change({
      needs,
      fields: z.object({ tag: z.string() }),
      run: async ({ by, fields, params }) => work(by, params, { remove: fields.tag }),
    }),
  };
}
