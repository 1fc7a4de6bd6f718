import { expect, test } from "vitest";
import { renderers as accountMails } from "#app/account/emails.tsx";
import { renderers as catalogMails } from "#app/catalog/stock-alerts/emails.tsx";
import { envelopeOf } from "#app/infra/mail.server.ts";
import { renderers as orderMails } from "#app/orders/emails.tsx";
import { RETURN_STEPS } from "#app/orders/returns/mail-data.ts";
import { renderers as staffMails } from "#app/staff/emails.tsx";
import { readPage } from "./reader.ts";

const renderers = { ...accountMails, ...catalogMails, ...orderMails, ...staffMails };
const kinds = Object.keys(renderers).flatMap((kind): [string, string][] =>
  kind === "return" ? RETURN_STEPS.map((step) => [kind, step]) : [[kind, ""]],
);

const SHOP = { url: "https://shop.example", contact: "help@shop.example" };
const PICTURE = "https://shop.example/images/0123456789abcdef0123/160.jpg";

/** The data for any kind of mail: each uses the part that it knows. */
function told(step: string) {
  const line = {
    title: "Rings Tee",
    color: "Green",
    size: "M",
    quantity: 1,
    sum: "$49.99",
    naira: "₦79,984",
    picture: PICTURE,
  };
  const [reference, firstName] = ["a-reference", "Ada"];
  const order = {
    number: "IR-7K3M-2Q",
    reference,
    firstName,
    lines: [line, line],
    items: [line],
    subtotal: "$99.98",
    shipping: "$3.50",
    naira: { rate: "₦1,600", subtotal: "₦159,968", shipping: "₦5,600" },
  };
  const delivery = {
    leavesBy: "1 May",
    arrives: "4 May",
    pickUpAt: "",
    deliverTo: ["1 Broad Street", "Lagos"],
    pickup: [],
  };
  const parcel = { carrier: "GIG", tracking: "0061", isCorrection: false };
  const refund = {
    sum: "₦79,984",
    reason: "return",
    words: "Gone",
    parts: ["Tee"],
    total: "$103.48",
    charged: "₦165,568",
  };
  const request = {
    step,
    isExchange: true,
    returnNumber: "RT-7K3M-2Q",
    pieces: ["Tee", "Cap"],
    pictures: [PICTURE, null],
    sendBack: true,
    answer: "",
  };
  const url = "https://shop.example/x";
  const urls = { orderUrl: url, returnUrl: url, url, disownUrl: url, resetUrl: url, cartUrl: url };
  return {
    ...order,
    ...delivery,
    ...parcel,
    ...refund,
    ...request,
    ...urls,
    title: "Tee",
    size: "M",
    name: "Ada",
    role: "owner",
  };
}

/** Several invisible characters in a row. */
const UNSEEN = /(?:\u00a0|\u00ad|\u034f|[\u200b-\u200f]|\u2060|\ufeff|&(?:nbsp|zwnj|shy);){2,}/;

test.each(kinds)(
  "57 a mail '%s' %s is a whole page, without unseen characters, and reads well as text",
  async (kind, step) => {
    const mail = await renderers[kind]?.(told(step), SHOP);
    if (!mail) throw new Error(`There is no mail of the kind ${kind}`);
    const { subject, html, text } = mail;
    expect(html).toContain(`<title>${subject}</title>`);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).not.toMatch(UNSEEN);
    expect(text).not.toMatch(/\b(?:button|press|click)\b/i); // a text mail has no buttons
    expect(readPage(html).joined).toEqual([]);
  },
);

test.each(kinds)("a mail '%s' %s of a renamed shop has its name alone", async (kind, step) => {
  const brand = { name: "Ada & Sons", wordmark: "ADA", tagline: "shirts", footer: "Ada" };
  const mail = await renderers[kind]?.(told(step), { ...SHOP, brand });
  for (const part of [mail?.subject, mail?.html, mail?.text]) expect(part).not.toMatch(/\bIrepo\b|IREPO/);
  expect(mail?.html).toContain(">ADA</a>");
});

test("57 a mail says that nobody has written it, so that no program answers it", () => {
  const letter = {
    to: "ada@example.com",
    replyTo: "",
    subject: "Hello",
    html: "",
    text: "",
    messageId: "<1@x>",
    date: new Date(),
  };
  expect(envelopeOf(letter).headers).toEqual({ "Auto-Submitted": "auto-generated" });
});
