import { z } from "zod";
import { MOST_OF_A_LINE } from "#app/cart/cart.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import { readStorableJson } from "#app/infra/text/storable-text.ts";
import { isPlainLine } from "#app/infra/text/terminal-text.ts";
import { brandValues } from "#app/owner/shop/brand.ts";
import { slides } from "#app/owner/shop/hero.ts";
import { numberValues } from "#app/owner/shop/numbers.ts";
import { sections } from "#app/owner/shop/sections.ts";
import type { ShopChanged } from "#app/owner/shop/settings.server.ts";
import { NOTICE_MAX, SENDER_MAX, type ShopValueName, type ShopValues } from "#app/owner/shop/settings.ts";
import { momentOf, typedMoment } from "#app/owner/shop-time.server.ts";
import { stale } from "#app/owner/stale.ts";
import { CARRIER_EXAMPLE, carrierIn, MOST_CARRIERS } from "#app/shipping/carriers/carrier.ts";
import { plainPhone } from "#app/shipping/phone.ts";
import type { Outcome } from "../http/changes.server.ts";

/** The default values, which apply if the owner has set nothing. */
export function usualValues() {
  const { contact, WHATSAPP, MOST_OF_A_SIZE } = env;
  return {
    email: contact.email,
    whatsapp: WHATSAPP ?? "",
    instagramUrl: contact.instagramUrl ?? "",
    xUrl: contact.xUrl ?? "",
    sizeLimit: MOST_OF_A_SIZE ?? null,
  };
}

/** The values as the form shows them. */
export function shownTexts(values: ShopValues): Record<ShopValueName, string> {
  const usual = usualValues();
  const typed = (moment: string | null) => (moment ? typedMoment(new Date(moment)) : "");
  return {
    ...values,
    email: values.email ?? usual.email,
    whatsapp: values.whatsapp ?? usual.whatsapp,
    instagramUrl: values.instagramUrl ?? usual.instagramUrl,
    xUrl: values.xUrl ?? usual.xUrl,
    sizeLimit: String(values.sizeLimit ?? ""),
    staffShare: String(values.staffShare ?? ""),
    noticeFrom: typed(values.noticeFrom),
    noticeUntil: typed(values.noticeUntil),
    shopName: values.shopName ?? "",
    wordmark: values.wordmark ?? "",
    tagline: values.tagline ?? "",
    footerLine: values.footerLine ?? "",
    returnDays: String(values.returnDays ?? ""),
    damageHours: String(values.damageHours ?? ""),
    refundDays: String(values.refundDays ?? ""),
    packFrom: String(values.packFrom ?? ""),
    packTo: String(values.packTo ?? ""),
    nigeriaFrom: String(values.nigeriaFrom ?? ""),
    nigeriaTo: String(values.nigeriaTo ?? ""),
    abroadFrom: String(values.abroadFrom ?? ""),
    abroadTo: String(values.abroadTo ?? ""),
  };
}

const nullWhere = (usual: () => string) => (text: string) => (text === usual() ? null : text);
const orEmpty = (one: z.ZodType<string, string>) =>
  z
    .string()
    .trim()
    .pipe(z.union([z.literal(""), one]));
const phone = z
  .string()
  .transform((given) => plainPhone(given).replace(/^00/, "+"))
  .pipe(orEmpty(z.e164("A number with + and its country’s code, like +2348031234567")));
const link = (usual: () => string) =>
  orEmpty(z.url({ protocol: /^https$/, error: "An address that begins with https://" })).transform(nullWhere(usual));

/** The lines of a text without empty ones. */
const lines = z.string().transform((text) =>
  text
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean),
);

const moment = z.string().transform((text, context): string | null => {
  const at = momentOf(text);
  if (at || text === "") return at?.toJSON() ?? null;
  context.addIssue({ code: "custom", message: "Enter a day and a time" });
  return z.NEVER;
});

/** A number from 1 to `most`, or nothing. */
const upTo = (most: number, message: string) =>
  z
    .string()
    .trim()
    .transform((text, context): number | null => {
      const number = Number(text);
      if (text === "") return null;
      if (/^\d{1,6}$/.test(text) && number >= 1 && number <= most) return number;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    });

/** A form field with the values from which the form was edited, as JSON. */
const was = z.string().transform((text, context): Partial<ShopValues> => {
  const parsed = z.record(z.string(), z.union([z.string(), z.number(), z.null()])).safeParse(readStorableJson(text));
  if (parsed.success) return parsed.data as Partial<ShopValues>;
  context.addIssue({ code: "custom", message: "These values can’t be read" });
  return z.NEVER;
});

const listed = <Item>(list: z.ZodType<Item>) =>
  z
    .string()
    .transform((text) => readStorableJson(text))
    .pipe(list);
const pressed = { seen: z.string().max(100), press: z.enum(["save", "preview"]).default("save") };
export const heroFields = z.object({ slides: listed(slides), ...pressed });
export const sectionFields = z.object({ sections: listed(sections), ...pressed });

const values = numberValues.extend({
  notice: z
    .string()
    .trim()
    .max(NOTICE_MAX, `At most ${NOTICE_MAX} letters`)
    .refine(isPlainLine, "Only letters and numbers, in one line"),
  noticeFrom: moment,
  noticeUntil: moment,
  sizeLimit: upTo(MOST_OF_A_LINE, "A number from 1 on, like 10"),
  staffShare: upTo(100, "A whole number from 1 to 100"),
  email: z
    .string()
    .transform(normalizeEmail)
    .refine(isEmail, "That isn’t an email address")
    .transform(nullWhere(() => usualValues().email)),
  whatsapp: phone.transform(nullWhere(() => usualValues().whatsapp)),
  instagramUrl: link(() => usualValues().instagramUrl),
  xUrl: link(() => usualValues().xUrl),
  sender: lines
    .refine((lines) => lines.length <= SENDER_MAX.lines, `At most ${SENDER_MAX.lines} lines`)
    .refine(
      (lines) => lines.every((line) => line.length <= SENDER_MAX.letters),
      `At most ${SENDER_MAX.letters} letters in a line`,
    )
    .refine((lines) => lines.every(isPlainLine), "Only letters and numbers")
    .transform((lines) => lines.join("\n")),
  senderPhone: phone,
  carriers: lines
    .refine((lines) => lines.length <= MOST_CARRIERS, `At most ${MOST_CARRIERS} carriers`)
    .refine((lines) => lines.every((line) => line.length <= 190 && isPlainLine(line)), "A line is too long")
    .superRefine((lines, context) => {
      const wrong = lines.find((line) => !carrierIn(line));
      if (wrong !== undefined) context.addIssue(`“${wrong}”: a name, and an address like ${CARRIER_EXAMPLE}`);
    })
    .transform((lines) => lines.join("\n")),
  cardFor: z.enum(["color", "model"], "Choose one of the two"),
  cashRounding: z.enum(["down", "none"], "Choose one of the two"),
  othersPay: z.enum(["no", "yes"], "Choose one of the two"),
});

/** Leaves out the fields that come back as they were `shown`: nobody typed into them, so they are not checked. */
function onlyTyped(posted: unknown): object {
  const { shown, ...fields } = posted as Record<string, unknown>;
  const texts = Object(readStorableJson(String(shown)));
  return Object.fromEntries(Object.entries(fields).filter(([name, text]) => text !== texts[name]));
}
export const shopFields = z.preprocess(onlyTyped, values.partial().extend({ was }));
export const brandFields = z.preprocess(onlyTyped, brandValues.partial().extend({ was }));

/**
 * The outcome of a form of the shop's values. `known`: the values from which it was edited, with the typed ones in
 * their place. They become the form's version, without what others have changed since. `labels`: those of its fields.
 */
export function savedOutcome(done: ShopChanged, known: object, labels: Record<string, string>): Outcome {
  if (done.ok) {
    const what = done.isNew ? "Saved. The shop shows it now." : "Nothing to change.";
    return { ok: true, what, version: JSON.stringify(known) };
  }
  if ("problems" in done) return done;
  const names = done.theirs.map((name) => labels[name]).join(", ");
  return stale({ problem: `Somebody else has changed this meanwhile: ${names}` });
}
