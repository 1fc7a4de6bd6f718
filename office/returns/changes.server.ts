import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { printable } from "#app/infra/terminal-text.ts";
import { koboFromNaira } from "#app/money/money.ts";
import { readReturnNumber } from "#app/orders/number.ts";
import type { Done } from "#app/owner/orders.server.ts";
import type { Deciding } from "#app/owner/returns/change.server.ts";
import { refundReturn } from "#app/owner/returns/refund.server.ts";
import { approveReturn, declineReturn, receiveReturn, sendExchange } from "#app/owner/returns/returns.server.ts";
import { change } from "../http/changes.server.ts";
import { unitsField } from "../orders/units-field.ts";

// What can be done with one return, each by the function that the command of the same name calls.

const seen = z
  .string()
  .regex(/^\d{1,18}$/)
  .optional();
const ticked = z.literal("on").optional();
const message = z
  .string()
  .trim()
  .max(1000, "At most 1,000 letters")
  .transform((text) => printable(text.replaceAll("\r\n", "\n")));
const label = z
  .string()
  .trim()
  .max(100, "At most 100 letters")
  .refine((text) => printable(text) === text && !text.includes("\n"), "Letters and numbers alone")
  .transform((text) => text || undefined)
  .optional();
/** productId:size:newSize */
const newSize = z.string().transform((text, context) => {
  const [, productId, size, newSize] = /^([^:]+):([^:]+):([^:]+)$/.exec(text) ?? [];
  if (productId && size && newSize) return { productId, size, newSize };
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
    context.addIssue(sum === 0 ? "More than nothing" : "A sum in naira, such as 12,500");
    return z.NEVER;
  })
  .optional();

function ofReturn<Shape extends z.ZodRawShape>(
  needs: "returns" | "refunds",
  shape: Shape,
  work: (number: string, deciding: Deciding, fields: z.infer<z.ZodObject<Shape>>) => Promise<Done>,
) {
  const schema = z.object({ ...shape, seen });
  return change({
    needs,
    fields: schema,
    run: async ({ by, fields, params }) => {
      const number = readReturnNumber(params.number ?? "");
      if (!number) throw new Response(null, { status: 404 });
      const given = fields as z.infer<z.ZodObject<Shape>> & { seen?: string };
      return work(number, { by, seen: given.seen }, given);
    },
  });
}

export const RETURN_CHANGES = {
  approve: ofReturn(
    "returns",
    { message, keep: ticked, wish: z.enum(["money", "exchange"]), newSizes: z.array(newSize).default([]) },
    async (number, deciding, { message, keep, wish, newSizes }) => {
      const said = { ...deciding, message, waive: !!keep };
      if (wish === "money") return approveReturn(db(), number, { ...said, forMoney: true });
      if (newSizes.length === 0) return { ok: false, problem: "Choose a size for each piece" };
      return approveReturn(db(), number, { ...said, newSizes });
    },
  ),
  decline: ofReturn(
    "returns",
    { message: message.refine((text) => text !== "", "Say why: the shopper reads it") },
    (number, deciding, { message }) => declineReturn(db(), number, { ...deciding, message }),
  ),
  receive: ofReturn("returns", {}, (number, deciding) => receiveReturn(db(), number, deciding)),
  refund: ofReturn(
    "refunds",
    {
      pieces: z.array(unitsField).default([]),
      kobo: z.coerce.number().int().positive("Choose what goes back"),
      naira,
      shipping: ticked,
      restock: ticked,
      keep: ticked,
    },
    (number, deciding, { pieces, kobo: agreedKobo, naira, shipping, restock, keep }) => {
      const wish = { pieces, kobo: naira, withShipping: !!shipping, restock: !!restock, waive: !!keep };
      return refundReturn(db(), number, { ...deciding, agreedKobo, ...wish });
    },
  ),
  exchange: ofReturn(
    "returns",
    { carrier: label, tracking: label, restock: ticked, keep: ticked },
    (number, deciding, { carrier, tracking, restock, keep }) =>
      sendExchange(db(), number, { ...deciding, carrier, tracking, restock: !!restock, waive: !!keep }),
  ),
};
