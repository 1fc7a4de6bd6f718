import { z } from "zod";
import { kindField } from "#app/catalog/kind-field.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { someOf } from "#app/infra/text/some-of.ts";
import { changePrices, type PricePlan, planPrices } from "#app/owner/prices/price-change.server.ts";
import { readProductIds } from "#app/owner/prices/product-ids.ts";
import { idsOfKind } from "#app/owner/prices/sale-plan.server.ts";
import { NAIRA_STEPS, readSumChange } from "#app/owner/prices/sum-change.ts";
import { change, type Outcome } from "../http/changes.server.ts";
import { MB } from "../http/form.server.ts";
import type { PricePreview } from "./price-preview.ts";
import { NO_CHANGE } from "./sum-change-fields.tsx";

/** The number of rows shown in the preview. */
const SHOWN = 200;
const MOST_NAMED = 5;

const typed = z.object({
  which: z.enum(["all", ""]).or(kindField).default(""),
  list: z.string().max(MB).default(""),
  by: z.string().max(30).default(""),
  step: z.coerce.number().pipe(z.literal(NAIRA_STEPS)).default(0),
});

export const PRICE_CHANGES = {
  /** Without `digest`, nothing is saved, and the outcome contains a preview. */
  save: change({
    needs: "catalogue",
    size: { bytes: 2 * MB },
    fields: typed.extend({ digest: z.string().max(100).default("") }),
    run: async ({ by, fields: { digest, ...fields } }): Promise<Outcome> => {
      const { which, list, by: text, step } = fields;
      const listed = readProductIds(list);
      const change = readSumChange(text.trim() === "" && step !== 0 ? "0%" : text); // to round naira alone
      const problems = {
        ...(listed.problem && { list: listed.problem }),
        ...((which === "") === (list.trim() === "") && { list: "Choose products above, or list them" }),
        ...(!change && { by: NO_CHANGE }),
      };
      if (!change || Object.keys(problems).length > 0) return { ok: false, problems };
      const wish = { change, step };
      const shownAgain = { ...fields, step: String(step) };
      const ids = which === "all" ? "all" : which === "" ? listed.ids : await idsOfKind(db(), which);
      if (digest === "") return shown(await planPrices(db(), { ids, ...wish }), shownAgain);
      const { ok, plan } = await changePrices(db(), by, { ids, ...wish, digest });
      if (!ok)
        return shown(plan, shownAgain, "A price or the exchange rate has changed since, so nothing is saved yet");
      return { ok: true, what: `${plural(plan.rows.length, "price")} changed. The shop shows them now.` };
    },
  }),
};

function shown(plan: PricePlan, typed: PricePreview["typed"], why = "Nothing is saved yet"): Outcome {
  const { rows, doubts, unknown, tooMuch, digest } = plan;
  if (tooMuch) return { ok: false, problems: { by: `Too much: ${tooMuch}` } };
  if (unknown.length > 0)
    return { ok: false, problems: { list: `No product is called ${someOf(unknown, { most: MOST_NAMED })}` } };
  if (rows.length === 0) return { ok: false, problems: { by: "All of these prices are so already" } };
  const prices = { typed: { ...typed, digest }, rows: rows.slice(0, SHOWN), count: rows.length, doubts };
  return { ok: false, problem: `${why}: look at what changes, then save it.`, prices };
}
