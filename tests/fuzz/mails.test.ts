import nodemailer from "nodemailer";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { renderers as accountMails } from "#app/account/emails.tsx";
import { renderers as catalogMails } from "#app/catalog/stock-alerts/emails.tsx";
import { renderers as orderMails } from "#app/orders/emails.tsx";
import { RETURN_STEPS } from "#app/orders/returns/mail-data.ts";
import { renderers as staffMails } from "#app/staff/emails.tsx";
import { parsePage } from "./html.ts";
import { PAYLOADS } from "./payloads.ts";
import { expectText, plain } from "./shown.ts";

const renderers = { ...accountMails, ...catalogMails, ...orderMails, ...staffMails };
const URL = "https://shop.example/order/x";

/** What any mail may be told: each takes what it knows of it. */
function told(text: string, step: string) {
  const line = { title: text, color: text, size: text, quantity: 1, sum: text };
  const order = { number: text, reference: text, firstName: text, lines: [line], subtotal: text, shipping: text };
  const delivery = { leavesBy: text, arrives: text, pickUpAt: text, deliverTo: [text], pickup: [{ title: text, text }] };
  const parcel = { carrier: text, tracking: text, isCorrection: false };
  const refund = { sum: text, reason: text, words: text, parts: [text], total: text, charged: text, cartUrl: URL };
  const request = { step, isExchange: true, returnNumber: text, pieces: [text], sendBack: true, answer: text };
  const urls = { orderUrl: URL, returnUrl: URL, url: URL, disownUrl: URL };
  return { ...order, ...delivery, ...parcel, ...refund, ...request, ...urls, title: text, size: text, name: text, role: "owner" };
}

const kinds = Object.keys(renderers).flatMap((kind): [string, string][] =>
  kind === "return" ? RETURN_STEPS.map((step) => [kind, step]) : [[kind, ""]],
);
const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });

async function mailOf(kind: string, step: string, text: string, address = "ada@example.com") {
  const rendered = await renderers[kind]?.(told(text, step), "help@shop.example");
  if (!rendered) throw new Error(`There is no mail of the kind ${kind}`);
  const { message } = await transport.sendMail({
    from: "Irepo <hello@irepo.example>",
    replyTo: "help@shop.example",
    to: { name: "", address },
    ...rendered,
  });
  return { rendered, mail: await PostalMime.parse(message as Buffer) };
}

const headersOf = ({ headers }: { headers: { key: string }[] }) => headers.map(({ key }) => key).sort();

test.each(kinds)("a mail '%s' %s says what was typed as text: in its page, its plain twin and its headers", async (kind, step) => {
  const usual = await mailOf(kind, step, "Harmless");
  const page = parsePage(usual.rendered.html);
  const isShown = usual.rendered.text.includes("Harmless");
  for (const typed of PAYLOADS.filter(({ length }) => length < 5000)) {
    const { rendered, mail } = await mailOf(kind, step, typed);
    expectText(parsePage(rendered.html), page, `${kind}: ${typed}`);
    expect(headersOf(mail), `${kind}: ${typed}`).toEqual(headersOf(usual.mail));
    expect(mail.to, `${kind}: ${typed}`).toEqual([{ name: "", address: "ada@example.com" }]);
    expect(mail.attachments, `${kind}: ${typed}`).toEqual([]);
    expect(plain(mail.subject ?? ""), `${kind}: ${typed}`).toBe(plain(rendered.subject));
    if (isShown) expect(plain(rendered.text), `${kind}: ${typed}`).toContain(plain(typed));
  }
});

test("whatever stands for an address, a mail has one reader at most", async () => {
  for (const typed of PAYLOADS.filter(({ length }) => length < 300)) {
    const { mail } = await mailOf("reset-password", "", "Ada", typed);
    expect([...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])].length, typed).toBeLessThanOrEqual(1);
    expect(mail.headers.filter(({ key }) => /^(bcc|cc|x-)/.test(key)), typed).toEqual([]);
  }
});
