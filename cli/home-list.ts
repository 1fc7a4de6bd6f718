import path from "node:path";
import { z } from "zod";
import { readSource } from "#app/catalog/documents/picture-source.server.ts";
import { addPicture } from "#app/catalog/pictures/new-picture.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { isPublicAddress } from "#app/infra/http/public-address.ts";
import type { Stale } from "#app/owner/stale.ts";
import { readJson } from "./read-file.ts";

/** `one`: the noun for an item of the list. `pictures`: an item's fields with a picture. */
type Listed<Item> = { list: z.ZodType<Item[]>; one: "slide" | "section"; command: string; pictures: readonly string[] };
type Changed = { ok: true } | Stale | { ok: false; problems: Record<string, string> };

/**
 * Reads a list of the home page from a JSON file, puts the pictures that it names into the store, and saves the list by
 * `change`. Throws a BadInput with a line for each problem.
 */
export async function saveList<Item, Done extends Changed>(
  db: Db,
  file: string,
  { list, one, command, pictures }: Listed<Item>,
  change: (items: Item[]) => Promise<Done>,
): Promise<Extract<Done, { ok: true }>> {
  const given = z.array(document).safeParse(await readJson(file));
  if (!given.success) throw new BadInput(`This isn't a list of ${one}s. Use the format that '${command} show' prints`);
  let added = 0;
  const picture = async (value: unknown, where: string) => {
    const { data: source } = named.safeParse(value);
    if (!source) return value;
    const { file: name, focus } = typeof source === "string" ? { file: source } : source;
    added++;
    try {
      const { hash } = await addPicture(await readSource(name, path.dirname(file), isPublicAddress));
      return { hash, focus };
    } catch (error) {
      throw wrong(one, [[where, `${name} ${(error as Error).message}`]]);
    }
  };
  const documents = [];
  for (const [at, item] of given.data.entries()) {
    const own: Record<string, unknown> = { ...item, id: item.id ?? String(at + 1) };
    for (const name of pictures) own[name] = await picture(item[name], `${at}.${name}`);
    documents.push(own);
  }
  const read = list.safeParse(documents);
  if (!read.success)
    throw wrong(
      one,
      read.error.issues.map(({ path, message }) => [path.join("."), message]),
    );
  const done = await change(read.data);
  const outcome: Changed = done;
  if (!outcome.ok) throw wrong(one, "problems" in outcome ? Object.entries(outcome.problems) : []);
  if (added > 0) await retryingTransaction(db, (trx) => enqueue(trx, "make-pictures", {}));
  return done as Extract<Done, { ok: true }>;
}

const named = z.union([z.string(), z.object({ file: z.string(), focus: z.string().optional() })]);
/** An item without an id gets its position, from 1, as id. */
const document = z.looseObject({ id: z.string().optional() });

/** A BadInput that names items by position: the field `0.title` is the title of the first one. */
function wrong(one: string, problems: [field: string, problem: string][]): BadInput {
  const lines = problems.map(([field, problem]) => {
    const [, at, name] = /^(\d+)\.?(.*)$/.exec(field) ?? [];
    return at === undefined ? problem : `${one} ${Number(at) + 1}${name && `, ${name}`}: ${problem}`;
  });
  return new BadInput(["Nothing was changed.", ...lines].join("\n"));
}
