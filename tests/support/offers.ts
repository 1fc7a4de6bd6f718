import { sql } from "kysely";
import type { z } from "zod";
import type { Db } from "#app/infra/database/db.server.ts";
import { offerTerms, type Terms } from "#app/offers/terms.ts";

type Made = { name?: string; mostUses?: number; code?: string; codeUses?: number };

/** Makes an offer that runs; with a code, only the code starts it. Returns its id. */
export async function makeOffer(
  on: Db,
  terms: z.input<typeof offerTerms>,
  { name = "10% off", mostUses, code, codeUses }: Made = {},
): Promise<number> {
  const kept: Terms = offerTerms.parse(terms);
  const { rows } = await sql<{ id: number }>`
    insert into offers (name, terms, by_code, most_uses)
    values (${name}, ${JSON.stringify(kept)}::jsonb, ${code !== undefined}, ${mostUses ?? null}) returning id`.execute(
    on,
  );
  const id = rows[0]?.id ?? 0;
  if (code)
    await sql`insert into offer_codes (code, offer_id, written, most_uses)
      values (fold_code(${code}), ${id}, ${code}, ${codeUses ?? null})`.execute(on);
  return id;
}

/** Pauses all offers, so that a test's offers do not apply to the next test's carts. */
export async function endOffers(on: Db): Promise<void> {
  await sql`update offers set paused = true`.execute(on);
}
