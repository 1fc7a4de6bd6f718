import { z } from "zod";
import { readShippingDocument, shippingDocument, writeShippingRates } from "#app/checkout/shipping-document.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { recordChange } from "#app/owner/audit.server.ts";
import { type Actions, action } from "./command.ts";
import { readJson } from "./read-file.ts";

export const shipping: Actions = {
  "shipping import": action({
    words: ["file"],
    says: "all delivery rates anew, from JSON as the document Shopping/Shipping",
    changes: true,
    async run({ db, by, words: { file } }) {
      const rates = read(await readJson(file));
      await db.transaction().execute(async (trx) => {
        await writeShippingRates(trx, rates);
        const subject = { kind: "shipping", id: "rates" };
        await recordChange(trx, { by, action: "shipping import", subject, after: { rates: rates.length } });
      });
      return { code: 0, data: { rates: rates.length }, text: `${rates.length} delivery rates are in force.` };
    },
  }),
  "shipping export": action({
    says: "all delivery rates",
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
