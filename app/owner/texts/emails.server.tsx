import { isDeepStrictEqual } from "node:util";
import type { ReactNode } from "react";
import { INTROS as ACCOUNT_INTROS, renderers as accountEmails } from "#app/account/emails.tsx";
import { SHIPPED_BRAND } from "#app/brand/brand.ts";
import { mailBlocks, mailSubject } from "#app/content/mails.server.tsx";
import { blocksOf } from "#app/content/originals.server.tsx";
import type { Db } from "#app/infra/database/db.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { INTROS, renderers as orderEmails } from "#app/orders/emails.tsx";
import type { OrderMail, RefundMail, SentMail } from "#app/orders/mail-data.ts";
import { RETURN_INTROS } from "#app/orders/returns/emails.tsx";
import { RETURN_STEPS, type ReturnMail, type ReturnStep } from "#app/orders/returns/mail-data.ts";
import { mailName } from "#app/owner/mails/names.ts";
import type { MailFacts, MailIntro, MailShop, RenderedMail } from "#app/ui/mail.tsx";
import type { TextBlock } from "#db/types.ts";

/** An email whose subject and introduction the owner changes. */
export type Email = {
  title: string;
  /** The values of its placeholders in the preview, by name. */
  facts: MailFacts;
  /** The placeholders that every text must have. */
  needs: readonly string[];
  /** The subject in code, with placeholders for the facts. */
  subject: string;
  /** The text in code, with placeholders for the facts. */
  original: ReactNode;
  /** The whole email with invented data. */
  render(shop: MailShop): Promise<RenderedMail>;
};

const ORDER: OrderMail & SentMail & RefundMail = {
  firstName: "Ada",
  number: "IR-7K3M-2Q",
  reference: "7k3m2q5x8d4h2p9c",
  lines: [{ title: "Home Jersey", color: "Green", size: "M", quantity: 1, sum: "$49.99", naira: "₦79,984" }],
  items: [{ title: "Home Jersey", color: "Green", size: "M", quantity: 1 }],
  subtotal: "$49.99",
  shipping: "$3.50",
  total: "$53.49",
  charged: "₦85,584",
  naira: { rate: "₦1,600", subtotal: "₦79,984", shipping: "₦5,600" },
  leavesBy: "by Wednesday 2 December",
  arrives: "between Monday 7 and Friday 11 December",
  pickUpAt: "",
  deliverTo: ["Ada Obi", "1 Broad Street", "Lagos"],
  carrier: "GIG Logistics",
  tracking: "0061234567",
  sum: "₦79,984",
  reason: "It’s for your return, or as we’ve agreed with you.",
  parts: ["1 × Home Jersey, Green, M"],
  orderUrl: "",
};

const RETURN: Omit<ReturnMail, "step"> = {
  isExchange: false,
  firstName: "Ada",
  number: ORDER.number,
  returnNumber: "RT-4H2P-9C",
  reference: ORDER.reference,
  pieces: ["1 × Home Jersey, Green, M"],
  sendBack: true,
  returnUrl: "",
};

const RETURN_TITLES: Record<ReturnStep, string> = {
  asked: "Return requested",
  approved: "Return approved",
  declined: "Return declined",
  withdrawn: "Return withdrawn",
  received: "Return received",
  sent: "Exchange sent",
};

const renderers = { ...orderEmails, ...accountEmails };

/** An entry of `EMAILS`. `mail`: the invented data. Throws if the kind has no renderer. */
function row<Mail extends object, Fact extends string>(
  kind: string,
  { name, facts, subject, says, needs = [] }: MailIntro<Mail, Fact>,
  mail: Mail,
  title = mailName(kind),
): [string, Email] {
  const render = renderers[kind];
  if (!render) throw new Error(`There is no mail of the kind '${kind}'`);
  const told = facts(mail);
  const named = Object.fromEntries(Object.keys(told).map((fact) => [fact, `{${fact}}`])) as Record<Fact, string>;
  const whole = (shop: MailShop) => render({ ...mail, numbers: shop.numbers }, shop);
  return [name, { title, facts: told, needs, subject: subject(named), original: says(named), render: whole }];
}

const AT_CENTER = { ...ORDER, pickUpAt: "Yaba", deliverTo: [] };
const REGISTERED = { name: SHIPPED_BRAND.name, url: "", resetUrl: "" };

/** The emails whose subjects and introductions the owner changes, by the names under which the versions are stored. */
const EMAILS = new Map<string, Email>([
  row("order-confirmation", INTROS.confirmation, ORDER),
  row("order-sent", INTROS.sent, ORDER),
  row("order-ready", INTROS.ready, AT_CENTER),
  row("order-address", INTROS.address, ORDER),
  row("order-size", INTROS.size, ORDER),
  row("refund-started", INTROS.refundStarted, ORDER),
  row("refund-done", INTROS.refundDone, ORDER),
  ...RETURN_STEPS.map((step) =>
    row("return", RETURN_INTROS[step], { ...RETURN, step, isExchange: step === "sent" }, RETURN_TITLES[step]),
  ),
  row("password-changed", ACCOUNT_INTROS.passwordChanged, { firstName: "Ada", url: "" }),
  row("password-removed", ACCOUNT_INTROS.passwordRemoved, { url: "" }),
  row("already-registered", ACCOUNT_INTROS.alreadyRegistered, REGISTERED),
]);

/**
 * The titles of emails to shoppers whose texts are fixed: those with a link that has a code, the stock alert, and those
 * to somebody else who paid.
 */
export const LOCKED_EMAILS = [
  "verify-email",
  "reset-password",
  "sign-in",
  "stock-alert-request",
  "stock-alert",
  "payer-receipt",
  "payer-refund",
].map(mailName);

export const EMAIL_NAMES = [...EMAILS.keys()];

/** An email by its name. Undefined if the owner cannot change its text. */
export function emailNamed(name: string): Email | undefined {
  return EMAILS.get(name);
}

/** The whole email with this subject, this introduction and invented data. Its links lead nowhere. */
export async function previewEmail(
  on: Db,
  { original, subject: inCode, render }: Email,
  blocks: TextBlock[],
  subject = inCode,
): Promise<RenderedMail> {
  const { contact, brand, numbers } = await shopSettings(on);
  const shop = { url: "", contact: contact.email, brand, numbers };
  return render({
    ...shop,
    ...(subject !== inCode && { ownSubject: (_, facts) => mailSubject(subject, facts) }),
    ...(!isDeepStrictEqual(blocks, blocksOf(original)) && { ownText: (_, facts) => mailBlocks(blocks, facts, shop) }),
  });
}
