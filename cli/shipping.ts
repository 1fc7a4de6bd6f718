import { z } from "zod";
import { BadInput } from "#app/infra/bad-input.ts";
import { reviewShippingNames, shippingNameLines } from "#app/owner/shipping-names.ts";
import { importShipping, isDoubtful, planShipping, type ShippingPlan } from "#app/owner/shipping-plan.server.ts";
import { readShippingDocument, shippingDocument } from "#app/shipping/document.server.ts";
import { type Actions, action } from "./command.ts";
import { readJson } from "./read-file.ts";

export const shipping: Actions = {
  "shipping import": action({
    words: ["file"],
    says: "replaces all delivery rates from JSON, in the format of the document Shopping/Shipping",
    changes: true,
    async run({ db, by, confirm, words: { file } }) {
      const rates = read(await readJson(file));
      const plan = await planShipping(db, rates);
      const names = reviewShippingNames(rates);
      const difference = [describe(plan), ...shippingNameLines(names)].join("\n");
      if (isDoubtful(plan)) await confirm(`${difference}\nIs that right?`);
      await importShipping(db, by, rates, plan);
      return {
        code: 0,
        data: { rates: rates.length, ...plan, ...names },
        text: `${difference}\n${rates.length} delivery rates apply now.`,
      };
    },
  }),
  "shipping export": action({
    says: "exports all delivery rates",
    changes: false,
    async run({ db }) {
      const document = await shippingDocument(db);
      return { code: 0, data: document, text: JSON.stringify(document, null, 2) };
    },
  }),
};

function read(given: unknown) {
  try {
    return readShippingDocument(given);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const problems = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new BadInput(["Nothing was imported.", ...problems].join("\n"));
  }
}

function describe({ added, changed, dropped, unchanged }: ShippingPlan): string {
  return [
    ...added.map(({ name, after }) => `new      ${name}: ${after}`),
    ...changed.map(({ name, before, after }) => `changed  ${name}: ${before} -> ${after}`),
    ...dropped.map(({ name, before }) => `removed  ${name}: ${before}`),
    `${added.length} new, ${changed.length} changed, ${dropped.length} removed, ${unchanged} unchanged.`,
  ].join("\n");
}
