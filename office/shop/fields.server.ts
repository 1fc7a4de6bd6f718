import { z } from "zod";
import { MOST_OF_A_LINE } from "#app/cart/cart.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import { readStorableJson } from "#app/infra/text/storable-text.ts";
import { isPlainLine } from "#app/infra/text/terminal-text.ts";
import { slides } from "#app/owner/shop/hero.ts";
import { NOTICE_MAX, SENDER_MAX, type ShopValues } from "#app/owner/shop/settings.ts";
import { momentOf } from "#app/owner/shop-time.server.ts";
import { plainPhone } from "#app/shipping/phone.ts";

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

const contact = {
  email: z
    .string()
    .transform(normalizeEmail)
    .refine(isEmail, "That isn’t an email address")
    .transform(nullWhere(() => usualValues().email)),
  whatsapp: phone.transform(nullWhere(() => usualValues().whatsapp)),
  instagramUrl: link(() => usualValues().instagramUrl),
  xUrl: link(() => usualValues().xUrl),
};

const moment = z.string().transform((text, context): string | null => {
  const at = momentOf(text);
  if (at || text === "") return at?.toJSON() ?? null;
  context.addIssue({ code: "custom", message: "Enter a day and a time" });
  return z.NEVER;
});
const notice = {
  notice: z
    .string()
    .trim()
    .max(NOTICE_MAX, `At most ${NOTICE_MAX} letters`)
    .refine(isPlainLine, "Only letters and numbers, in one line"),
  noticeFrom: moment,
  noticeUntil: moment,
};

const limit = {
  sizeLimit: z
    .string()
    .trim()
    .transform((text, context): number | null => {
      const number = Number(text);
      if (text === "") return null;
      if (/^\d{1,6}$/.test(text) && number >= 1 && number <= MOST_OF_A_LINE) return number;
      context.addIssue({ code: "custom", message: `A number from 1 on, like 10` });
      return z.NEVER;
    }),
};

const sender = {
  sender: z
    .string()
    .transform((text) =>
      text
        .split("\n")
        .map((line) => line.replaceAll(/\s+/g, " ").trim())
        .filter(Boolean),
    )
    .refine((lines) => lines.length <= SENDER_MAX.lines, `At most ${SENDER_MAX.lines} lines`)
    .refine(
      (lines) => lines.every((line) => line.length <= SENDER_MAX.letters),
      `At most ${SENDER_MAX.letters} letters in a line`,
    )
    .refine((lines) => lines.every(isPlainLine), "Only letters and numbers")
    .transform((lines) => lines.join("\n")),
  senderPhone: phone,
};

/** A form field with the values at the time the form was rendered, as JSON. */
const was = z.string().transform((text, context): Partial<ShopValues> => {
  const parsed = z.record(z.string(), z.union([z.string(), z.number(), z.null()])).safeParse(readStorableJson(text));
  if (parsed.success) return parsed.data as Partial<ShopValues>;
  context.addIssue({ code: "custom", message: "These values can’t be read" });
  return z.NEVER;
});

export const heroFields = z.object({
  slides: z
    .string()
    .transform((text) => readStorableJson(text))
    .pipe(slides),
  seen: z.string().max(100),
});
export const contactFields = z.object({ ...contact, was });
export const noticeFields = z
  .object({ ...notice, was })
  .refine(({ noticeFrom, noticeUntil }) => !noticeFrom || !noticeUntil || noticeFrom < noticeUntil, {
    path: ["noticeUntil"],
    message: "It ends before it starts",
  });
export const senderFields = z.object({ ...sender, was });
export const limitFields = z.object({ ...limit, was });
