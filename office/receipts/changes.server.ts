import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { readDecimal } from "#app/money/typed-number.ts";
import { vatText } from "#app/orders/receipts/receipt.ts";
import { changeReceipts, removeVatRate, setVatRate } from "#app/owner/receipts/settings.server.ts";
import { ADDRESS_MAX, SELLER_MAX, TIN_MAX, VAT_MAX } from "#app/owner/receipts/settings.ts";
import { startOfDay } from "#app/owner/shop-time.server.ts";
import { change, outdated } from "../http/changes.server.ts";

const line = (most: number) =>
  z
    .string()
    .transform((text) => text.replaceAll(/\s+/g, " ").trim())
    .refine((text) => text.length <= most, `At most ${most} letters`);
const tick = z.literal("on").optional();

/** The lines of a text without empty ones. */
const address = z
  .string()
  .transform((text) =>
    text
      .split("\n")
      .map((one) => one.replaceAll(/\s+/g, " ").trim())
      .filter(Boolean),
  )
  .refine((lines) => lines.length <= ADDRESS_MAX.lines, `At most ${ADDRESS_MAX.lines} lines`)
  .refine(
    (lines) => lines.every((one) => one.length <= ADDRESS_MAX.letters),
    `At most ${ADDRESS_MAX.letters} letters in a line`,
  )
  .transform((lines) => lines.join("\n"));

/** A rate in tenths of a percent. */
const percent = z.string().transform((text, context) => {
  const tenths = Number(readDecimal(text.replace(/%\s*$/, "").replace(",", "."), 1) ?? Number.NaN) * 10;
  if (tenths <= VAT_MAX) return Math.round(tenths);
  context.addIssue({ code: "custom", message: "Percent from 0 to 30, like 7.5" });
  return z.NEVER;
});
const isDay = (text: string) => startOfDay(text) !== undefined && text >= "2000-01-01" && text < "2100-01-01";
const day = z.string().refine(isDay, "Enter a day");

/** The messages for fields that a receipt requires. */
const NEEDED = { seller: "Receipts need the seller’s name", address: "Receipts need the seller’s address" };

function missing(typed: Record<keyof typeof NEEDED, string>): Record<string, string> {
  const fields = Object.entries(NEEDED).filter(([field]) => typed[field as keyof typeof NEEDED] === "");
  return Object.fromEntries(fields);
}

export const RECEIPT_CHANGES = {
  save: change({
    needs: "money",
    fields: z.object({
      seller: line(SELLER_MAX),
      address,
      tin: line(TIN_MAX),
      showsVat: tick,
      isOn: tick,
      version: z.coerce.number().int().min(0),
    }),
    returnsTyped: true,
    run: async ({ by, fields: { version: seen, isOn, showsVat, ...values } }) => {
      const wish = { ...values, isOn: isOn === "on", showsVat: showsVat === "on" };
      const problems: Record<string, string> = wish.isOn ? missing(wish) : {};
      if (Object.keys(problems).length > 0) return { ok: false, problems };
      const done = await changeReceipts(db(), by, wish, seen);
      if (!done.ok) return outdated("the receipts", done);
      return { ok: true, what: "Saved. The next receipt shows it.", version: String(done.version) };
    },
  }),
  rate: change({
    needs: "money",
    fields: z.object({ percent, fromDay: day }),
    returnsTyped: true,
    run: async ({ by, fields: { percent: tenths, fromDay } }) => {
      await setVatRate(db(), by, { fromDay, tenths });
      return { ok: true, what: `${vatText(tenths)} from ${fromDay} on. Receipts that have a number keep theirs.` };
    },
  }),
  remove: change({
    needs: "money",
    fields: z.object({ fromDay: day }),
    run: async ({ by, fields: { fromDay } }) => {
      const isRemoved = await removeVatRate(db(), by, fromDay);
      return isRemoved
        ? { ok: true, what: "Removed." }
        : { ok: false, problem: "That rate counts already, or is gone: set another one from the same day" };
    },
  }),
};
