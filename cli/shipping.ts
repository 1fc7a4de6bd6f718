import { z } from "zod";
import { readShippingDocument, shippingDocument, writeShippingRates } from "#app/checkout/shipping-document.server.ts";
import { badInput, type Command } from "./command.ts";
import { readJson } from "./read-file.ts";

export const shipping: Command = {
  usage: [
    "shipping import FILE.json       all delivery rates anew, as the document Shopping/Shipping",
    "shipping export                 all delivery rates",
  ],
  async run(db, [action, file]) {
    if (action === "import" && file) {
      const given = await readJson(file);
      try {
        const rates = readShippingDocument(given);
        await db.transaction().execute((trx) => writeShippingRates(trx, rates));
        return { code: 0, data: { rates: rates.length }, text: `${rates.length} delivery rates are in force.` };
      } catch (error) {
        if (!(error instanceof z.ZodError)) throw error;
        return badInput(
          `Nothing was imported.\n${error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n")}`,
        );
      }
    }
    if (action !== "export") return badInput("Say 'shipping import FILE.json' or 'shipping export'");
    const document = await shippingDocument(db);
    return { code: 0, data: document, text: JSON.stringify(document, null, 2) };
  },
};
