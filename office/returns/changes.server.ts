import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { LINES_FORM } from "#app/infra/http/form-reader.server.ts";
import { printable } from "#app/infra/text/terminal-text.ts";
import { koboFromNaira } from "#app/money/money.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import { readExchange } from "#app/orders/returns/exchange.ts";
import type { Done } from "#app/owner/orders/orders.server.ts";
import { parcelLabel } from "#app/owner/orders/parcels/label.ts";
import type { Deciding } from "#app/owner/returns/change.server.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn, declineReturn, receiveReturn, sendExchange } from "#app/owner/returns/returns.server.ts";
import { change, PLAIN } from "../http/changes.server.ts";
import { unitsField } from "../orders/units-field.ts";

// The changes that staff can make to a return. Each uses the same function as the command of the same name.

const ticked = z.literal("on").optional();
const message = z
  .string()
  .trim()
  .max(1000, "At most 1,000 characters")
  .transform((text) => printable(text.replaceAll("\r\n", "\n")));
const newSize = z.string().transform((text, context) => {
  const read = readExchange(text);
  if (read) return read;
  context.addIssue({ code: "custom", message: "Choose a size for each piece" });
  return z.NEVER;
});
const naira = z
  .string()
  .trim()
  .transform((text, context) => {
    if (text === "") return;
    const sum = koboFromNaira(text);
    if (sum) return sum;
    context.addIssue(sum === 0 ? "More than nothing" : "An amount in naira, like 12,500");
    return z.NEVER;
  })
  .optional();

/** A change of a return. It is refused if other members have changed the return since the act `seen`. */
function ofReturn<Fields extends z.infer<typeof PLAIN>>(
  needs: "returns" | "refunds",
  fields: z.ZodType<Fields>,
  work: (number: string, deciding: Deciding, fields: Fields) => Promise<Done>,
) {
  return change({
    needs,
    size: LINES_FORM,
    fields,
    run: async ({ by, fields, params }) => {
      const number = readReturnNumber(params.number ?? "");
      if (!number) throw new Response(null, { status: 404 });
      return work(number, { by, seen: fields.seen }, fields);
    },
  });
}

export const RETURN_CHANGES = {
  approve: ofReturn(
    "returns",
    PLAIN.extend({
      message,
      keep: ticked,
      wish: z.enum(["money", "exchange"]),
      newSizes: z.array(newSize).default([]),
    }),
    async (number, deciding, { message, keep, wish, newSizes }) => {
      const answer = { ...deciding, message, waive: !!keep };
      if (wish === "money") return approveReturn(db(), number, { ...answer, forMoney: true });
      if (newSizes.length === 0) return { ok: false, problem: "Choose a size for each piece" };
      return approveReturn(db(), number, { ...answer, newSizes });
    },
  ),
  decline: ofReturn(
    "returns",
    PLAIN.extend({ message: message.refine((text) => text !== "", "Say why. The shopper will read it") }),
    (number, deciding, { message }) => declineReturn(db(), number, { ...deciding, message }),
  ),
  receive: ofReturn("returns", PLAIN, (number, deciding) => receiveReturn(db(), number, deciding)),
  refund: ofReturn(
    "refunds",
    PLAIN.extend({
      pieces: z.array(unitsField).default([]),
      kobo: z.coerce.number().int().positive("Choose what to refund"),
      naira,
      shipping: ticked,
      restock: ticked,
      keep: ticked,
    }),
    (number, deciding, { pieces, kobo: agreedKobo, naira, shipping, restock, keep }) => {
      const wish = { pieces, kobo: naira, withShipping: !!shipping, restock: !!restock, waive: !!keep };
      return refundReturn(db(), number, { ...deciding, agreedKobo, ...wish });
    },
  ),
  exchange: ofReturn(
    "returns",
    PLAIN.extend({ carrier: parcelLabel, tracking: parcelLabel, restock: ticked, keep: ticked }),
    (number, deciding, { carrier, tracking, restock, keep }) =>
      sendExchange(db(), number, { ...deciding, carrier, tracking, restock: !!restock, waive: !!keep }),
  ),
};
