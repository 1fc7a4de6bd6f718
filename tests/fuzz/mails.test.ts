import nodemailer from "nodemailer";
import PostalMime, { type Email } from "postal-mime";
import { expect, test } from "vitest";
import { renderers as accountMails } from "#app/account/emails.tsx";
import { renderers as catalogMails } from "#app/catalog/stock-alerts/emails.tsx";
import { mailBlocks } from "#app/content/mails.server.tsx";
import { readNotation } from "#app/content/notation.ts";
import { envelopeOf } from "#app/infra/mail.server.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { renderers as orderMails } from "#app/orders/emails.tsx";
import { renderers as payerMails } from "#app/orders/payer/emails.tsx";
import { RETURN_STEPS } from "#app/orders/returns/mail-data.ts";
import { renderers as staffMails } from "#app/staff/emails.tsx";
import type { MailShop, RenderedMail } from "#app/ui/mail.tsx";
import { parsePage } from "./html.ts";
import { PAYLOADS } from "./payloads.ts";
import { expectText, plain } from "./shown.ts";

const renderers = { ...accountMails, ...catalogMails, ...orderMails, ...payerMails, ...staffMails };
const URL = "https://shop.example/order/x";
const SHOP = { url: "https://shop.example", contact: "help@shop.example" };
/** The shop with own texts that use every placeholder of their email. */
const OWN: MailShop = {
  ...SHOP,
  ownText: (_, facts) => {
    const all = Object.keys(facts).map((name) => `{${name}}`);
    return mailBlocks(readNotation(["# Hello", `See [us](/shop): ${all.join(" ")}`, ...all].join("\n\n")), facts, SHOP);
  },
};
const HARMLESS = "Harmless";

/** The data for any kind of mail: each uses the part that it knows. */
function told(text: string, step: string) {
  const line = { title: text, color: text, size: text, quantity: 1, sum: text, naira: text, picture: URL };
  const order = { number: text, reference: text, firstName: text, lines: [line], subtotal: text, shipping: text };
  const naira = { rate: text, subtotal: text, shipping: text };
  const delivery = {
    leavesBy: text,
    arrives: text,
    pickUpAt: text,
    deliverTo: [text],
    pickup: [{ title: text, text }],
  };
  const parcel = { carrier: text, tracking: text, isCorrection: false };
  const refund = {
    sum: text,
    reason: text,
    words: text,
    parts: [text],
    pictures: [URL],
    total: text,
    charged: text,
    cartUrl: URL,
    isDone: false,
  };
  const request = {
    step,
    isExchange: true,
    returnNumber: text,
    pieces: [text],
    sendBack: true,
    answer: `A line\n${text}`,
  };
  const urls = { orderUrl: URL, returnUrl: URL, url: URL, disownUrl: URL, resetUrl: URL };
  return {
    ...order,
    naira,
    items: [line],
    ...delivery,
    ...parcel,
    ...refund,
    ...request,
    ...urls,
    title: text,
    size: text,
    name: text,
    role: "owner",
  };
}

const kinds = Object.keys(renderers).flatMap((kind): [string, string][] =>
  kind === "return" ? RETURN_STEPS.map((step) => [kind, step]) : [[kind, ""]],
);
const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });

async function rendered(kind: string, step: string, text: string, shop: MailShop = SHOP) {
  const mail = await renderers[kind]?.(told(text, step), shop);
  if (!mail) throw new Error(`There is no mail of the kind ${kind}`);
  return mail;
}

/** A mail as the recipient's mail program parses it. */
async function received(mail: RenderedMail, to = "ada@example.com") {
  const envelope = envelopeOf({
    ...mail,
    to,
    replyTo: "help@shop.example",
    messageId: "<1@shop.example>",
    date: new Date(),
  });
  const { message } = await transport.sendMail(envelope);
  return PostalMime.parse(message as Buffer);
}

/** The shorter payloads, as the database returns them. */
const SHORT = PAYLOADS.filter(({ length }) => length < 5000).map(storableText);
/** Several payloads in one text. */
const GROUPS = Array.from({ length: Math.ceil(SHORT.length / 12) }, (_, at) =>
  SHORT.slice(at * 12, at * 12 + 12).join(" "),
);

test.each(kinds)("a mail '%s' %s has what was typed as text, in its HTML and in its plain text", async (kind, step) => {
  const usual = await rendered(kind, step, HARMLESS);
  const page = parsePage(usual.html);
  for (const typed of GROUPS) {
    const { html, text } = await rendered(kind, step, typed);
    expectText(parsePage(html), page, `${kind}: ${typed}`);
    if (usual.text.includes(HARMLESS)) expect(plain(text), kind).toContain(plain(typed));
  }
});

test.each(["order-confirmation", "order-sent", "order-ready", "refund-started"])(
  "a mail '%s' with the owner's text has what was typed as text, too",
  async (kind) => {
    const page = parsePage((await rendered(kind, "", HARMLESS, OWN)).html);
    for (const typed of GROUPS) {
      const { html, text } = await rendered(kind, "", typed, OWN);
      expectText(parsePage(html), page, `${kind}: ${typed}`);
      expect(plain(text), kind).toContain(plain(typed));
    }
  },
);

test("in a mail's headers what was typed is text, and adds none", async () => {
  const namesOf = ({ headers }: Email) => headers.map(({ key }) => key).sort();
  const usual = namesOf(await received(await rendered("stock-alert", "", HARMLESS)));
  for (const typed of SHORT) {
    const mail = await rendered("stock-alert", "", typed);
    const { subject = "", to, attachments, ...more } = await received(mail);
    expect(namesOf(more as Email), typed).toEqual(usual);
    expect(to, typed).toEqual([{ name: "", address: "ada@example.com" }]);
    expect(attachments, typed).toEqual([]);
    expect(plain(subject.replaceAll("\u2060", "")), typed).toBe(plain(mail.subject.replaceAll("\u2060", "")));
  }
});

test("whatever is given as an address, a mail has one recipient at most", async () => {
  const mail = await rendered("reset-password", "", HARMLESS);
  for (const typed of SHORT) {
    const { to = [], cc = [], bcc = [], headers } = await received(mail, typed);
    expect([...to, ...cc, ...bcc].length, typed).toBeLessThanOrEqual(1);
    expect(
      headers.filter(({ key }) => /^(bcc|cc|x-)/.test(key)),
      typed,
    ).toEqual([]);
  }
});
