vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import nodemailer from "nodemailer";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { renderers as accountEmails } from "#app/account/emails.tsx";
import { inOwnWords, mailBlocks } from "#app/content/mails.server.tsx";
import { readNotation, writeNotation } from "#app/content/notation.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { envelopeOf } from "#app/infra/mail.server.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { renderers as orderEmails } from "#app/orders/emails.tsx";
import { orderMailsOn } from "#app/orders/reader/mails.server.ts";
import { typedMoment } from "#app/owner/shop-time.server.ts";
import { textProblems } from "#app/owner/texts/check.server.ts";
import { EMAIL_NAMES, emailNamed } from "#app/owner/texts/emails.server.tsx";
import { originalText, type TextName } from "#app/owner/texts/texts.server.ts";
import { publishText, textVersions } from "#app/owner/texts/versions.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { useOfficePages } from "#tests/support/office-pages.ts";
import { makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { staffWithPasskey } from "#tests/support/staff.ts";

const { db, open, provider } = useCheckout();
const ask = useOfficePages();
const SHOP = { url: "https://shop.example", contact: "help@shop.example" };
const NAME = "email-order-confirmation";
const OWN = "# Welcome {first name}!\n\n{arrival}. See [our shop](/shop) or write to {email}\n\n- Packed in Lagos";

let cookies: string[];
let staff: string;
let user: Shopper;
let data: Record<string, unknown>;

beforeAll(async () => {
  ({ cookies, email: staff } = await staffWithPasskey(db(), "catalogue"));
  const productId = await makeProduct(db(), { M: 1 });
  user = await makeShopper(db(), { productId, size: "M" });
  const { reference } = await open(user);
  provider.pay(reference);
  await settlePayment(reference);
  const queued = db().selectFrom("outbox").select("data").where("kind", "=", "order-confirmation");
  ({ data } = await queued.executeTakeFirstOrThrow());
});
beforeEach(async () => {
  await db().deleteFrom("pageTexts").execute();
  await setFirstName("Bola");
});

const setFirstName = (firstName: string) =>
  db().updateTable("users").set({ firstName }).where("id", "=", user.id).execute();
const save = (text: string, form: Record<string, string> = {}) =>
  ask(`/words/${NAME}`, cookies, { intent: "save", text, at: "", press: "now", seen: "0", ...form });
const publish = (
  text: string,
  { name = NAME as TextName, ...wish }: { name?: TextName; at?: Date; subject?: string } = {},
) => publishText(db(), OWNER, name, { blocks: readNotation(text), ...wish });
const versions = () => textVersions(db(), NAME);

/** The receipt as it goes out, by default to its shopper. */
async function receipt({ to = user.email, shop = SHOP, mails = inOwnWords(db, orderMailsOn(db)) } = {}) {
  const mail = await mails["order-confirmation"]?.(data, shop, to);
  if (!mail) throw new Error("There is no receipt");
  return mail;
}
const inCode = () => receipt({ mails: orderMailsOn(db) });

/** Stores a version that is in force, without a check of its subject and blocks. */
const store = (version: number, blocks: unknown, subject?: string) =>
  db()
    .insertInto("pageTexts")
    .values({
      page: NAME,
      version,
      blocks: JSON.stringify(blocks),
      subject,
      savedBy: "x",
      publishedAt: new Date(version),
    })
    .execute();

test("the next email begins with the published text, as HTML and as text; the first text, put back, gives the same bytes as before", async () => {
  const before = await receipt();
  expect(before).toEqual(await inCode());
  const done = await save(OWN);
  expect([done.status, done.text]).toEqual([200, expect.stringContaining("Published. The email has it now.")]);
  expect(done.text).toMatch(new RegExp(`Version 1 .*In the email now .*${staff}, \\d+ blocks changed.*The first text`));
  const { subject, html, text } = await receipt();
  expect(subject).toBe(before.subject);
  expect(html).toMatch(
    /<h2 [^>]*>Welcome Bola!<\/h2><p [^>]*>It reaches you [^<]+\. See <a href="https:\/\/shop\.example\/shop"/,
  );
  expect(html).toMatch(
    /<a href="mailto:help@shop\.example"[^>]*>help@shop\.example<\/a><\/p><ul [^>]*><li>Packed in Lagos/,
  );
  expect(text).toMatch(
    /\nWelcome Bola!\s+It reaches you .*See our shop https:\/\/shop\.example\/shop or write to help@shop\.example\s+\* Packed in Lagos\n/,
  );
  expect(text).not.toContain("we’ve received your payment");
  expect(text).toContain("View your order");

  const back = await ask(`/words/${NAME}`, cookies, { intent: "put-back", version: "0", seen: "1" });
  expect(back.text).toContain("Put back. The email has it now.");
  expect(await receipt()).toEqual(before);
});

test("the list has each email with its state, and names those that stay as they are", async () => {
  await publish(OWN);
  const { text, links } = await ask("/words", cookies);
  expect(text).toMatch(/Emails .*Receipt .*Published .*Sent off .*Never changed/);
  expect(text).toContain("These stay as they are: Verify the address; New password;");
  expect(links).toEqual(expect.arrayContaining(EMAIL_NAMES.map((name) => `/words/${name}`)));
});

test("a preview is the whole email with invented data, and saves nothing", async () => {
  const shown = await save(OWN, { press: "preview" });
  expect(shown.text).toContain("Nothing is saved yet: this is how it will look.");
  expect(shown.raw).toMatch(/<iframe [^>]*srcdoc="[^"]*Welcome Ada![^"]*Home Jersey[^"]*"[^>]* sandbox=""/i);
  expect(shown.text).toContain("Subject: Thank you for your order");
  expect(shown.text).toMatch(/\{arrival\} it reaches you .*\(has to stay\)/);
  expect(shown.raw).not.toContain('value="shop"'); // an email has no page in the shop
  expect(await versions()).toEqual([]);
});

test.each([
  ["", "Write something: the email would be empty."],
  [
    "Hi {firstname}: {arrival}",
    "This email has no {firstname}. It has {first name}, {amount}, {order number}, {leaves by}, {arrival}, and {email}.",
  ],
  ["{delivery prices} {arrival}", "This email has no {delivery prices}."],
  ["{constructor} {arrival}", "This email has no {constructor}."],
  ["Hi {first name}", "Put {arrival} somewhere: the email says it nowhere else."],
  ["{arrival}: [{order number}](/shop)", "A link can’t have {order number} in it."],
  ["{arrival}: [here](https://example.com/{amount})", "A link can’t have {amount} in it."],
  ["{arrival}: [here](/none)", "The shop has no page /none."],
])("%j is refused beside its field", async (text, problem) => {
  const at = typedMoment(new Date(Date.now() + 3_600_000));
  for (const press of ["now", "preview", "shop", "later"]) {
    const refused = await save(text, { press, at });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(problem)]);
  }
  expect(await versions()).toEqual([]);
});

test("a role without the permission sees no email's text and publishes none", async () => {
  const { cookies: others } = await staffWithPasskey(db(), "orders");
  expect((await ask(`/words/${NAME}`, others)).status).toBe(403);
  const form = { intent: "save", text: OWN, at: "", press: "now", seen: "0" };
  expect((await ask(`/words/${NAME}`, others, form)).status).toBe(403);
  expect(await versions()).toEqual([]);
});

describe("the values in a text", () => {
  test("S49 are text, whatever a name looks like", async () => {
    const name = '<b>B</b> [here](https://evil.example) {amount} "';
    await publish("Hello {first name}: {arrival}");
    await setFirstName(name);
    const { html, text } = await receipt();
    expect(html).toContain("Hello &lt;b&gt;B&lt;/b&gt; [here](https://evil.example) {amount} &quot;: it reaches you");
    expect(html).not.toMatch(/<b>|href="https:\/\/evil/);
    expect(text).toContain(`Hello ${name}: it reaches you`);
  });

  test("leave no gap where an email must not have one", async () => {
    await publish("{first name}, welcome {first name}! {arrival}");
    const { text } = await receipt({ to: "stranger@example.com" });
    expect(text).toMatch(/\nWelcome! It arrives /);
    expect(text).not.toContain("Bola");
  });

  test.each(EMAIL_NAMES)("make the text of %s in code, published by the owner, the same email", async (name) => {
    const email = emailNamed(name);
    const blocks = originalText(name as TextName);
    const own = await email?.render({ ...SHOP, ownText: (_, facts) => mailBlocks(blocks, facts, SHOP) });
    expect(own?.text).toBe((await email?.render(SHOP))?.text);
    expect(Object.values(email?.facts ?? {})).not.toContain("");
  });
});

test("a text that is published at a time is in the emails that are sent from then on", async () => {
  await publish("Soon: {arrival}", { at: new Date(Date.now() + 60_000) });
  expect(await receipt()).toEqual(await inCode());
  await db().updateTable("pageTexts").set({ publishedAt: sql<Date>`now()` }).execute();
  expect((await receipt()).text).toContain("Soon: it reaches you");
});

test("a text has the owner's current days, or those of its email's order", async () => {
  await publish("Return it within 14 days. {arrival}");
  await publish("{amount} within 7 business days. {reason}", { name: "email-refund-started" });
  const shop = { ...SHOP, numbers: { ...SHIPPED_NUMBERS, returnDays: 30, refundDays: 10 } };
  expect((await receipt({ shop })).text).toContain("Return it within 30 days.");
  const mails = inOwnWords(db, orderEmails);
  const refund = { ...data, sum: "₦5", reason: "It was late." };
  const textOf = async (more: object) => (await mails["refund-started"]?.({ ...refund, ...more }, shop, ""))?.text;
  expect(await textOf({})).toContain("₦5 within 7 business days. It was late.");
  expect(await textOf({ numbers: { refundDays: 12 } })).toContain("₦5 within 12 business days. It was late.");
});

test("a text that would be sent with another number of days than was typed is refused", async () => {
  const numbers = { ...SHIPPED_NUMBERS, returnDays: 30 };
  const problems = (text: string) => textProblems(db(), NAME, readNotation(`{arrival}. ${text}`), numbers);
  expect(await problems("Send it back within 30 days, and ask within 20 days.")).toEqual([]);
  expect(await problems("Ask within 14 days.")).toEqual([
    "“14 days” would become a number of the shop’s own. Write it in words.",
  ]);
});

test("the email in a preview has the owner's days", async () => {
  const shop = { ...SHOP, numbers: { ...SHIPPED_NUMBERS, refundDays: 10 } };
  expect((await emailNamed("email-refund-started")?.render(shop))?.text).toContain("within 10 business days");
});

test.each([
  ["is damaged", 1, [{ kind: "html", text: "<b>bold</b>" }]],
  ["has a placeholder that its email no longer has", 2, [{ kind: "paragraph", text: "{arrival} {shoe size}" }]],
])(
  "a version that %s is not used: the text in code goes out, and one line is in the log",
  async (_, version, blocks) => {
    const warned = vi.spyOn(log, "warn");
    await store(version, blocks);
    for (const __ of [1, 2]) expect(await receipt()).toEqual(await inCode());
    const lines = warned.mock.calls.filter(([details]) => Object(details).page === NAME);
    expect(lines).toEqual([[{ page: NAME, version }, expect.stringContaining("cannot be read")]]);
  },
);

test("an email whose text can't be read from the database goes out with the text in code", async () => {
  const warned = vi.spyOn(log, "warn");
  const away = { executeQuery: () => Promise.reject(new Error("away")) } as unknown as Db;
  const mail = { firstName: "Ada", url: "https://shop.example/x" };
  const sent = await inOwnWords(() => away, accountEmails)["password-changed"]?.(mail, SHOP, "ada@example.com");
  expect(sent).toEqual(await accountEmails["password-changed"]?.(mail, SHOP));
  expect(warned).toHaveBeenCalledTimes(1);
});

test("emails that are sent together read the owner's texts with one statement", async () => {
  let statements = 0;
  const counted = db().withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements++;
      return result;
    },
  });
  await publish("Hi {first name}.", { name: "email-password-changed" });
  const mails = inOwnWords(() => counted, accountEmails);
  const mail = { firstName: "Ada", url: "https://shop.example/x" };
  const sent = await Promise.all(["a", "b"].map((to) => mails["password-changed"]?.(mail, SHOP, to)));
  for (const one of sent) expect(one?.text).toContain("Hi Ada.");
  expect(statements).toBe(1);
});

describe("the subject", () => {
  const SUBJECT = "{first name}, thanks! Your order {order number}";
  const publishSubject = (subject: string, form: Record<string, string> = {}) => save(TEXT(), { subject, ...form });
  const TEXT = () => writeNotation(originalText(NAME));

  test("that is published is that of the next email, sent by SMTP, whose text stays the one in code; put back, it gives the same bytes as before", async () => {
    const before = await receipt();
    const done = await publishSubject(`  ${SUBJECT}\t`);
    expect(done.text).toContain("Published. The email has it now.");
    expect(done.text).toMatch(new RegExp(`Version 1 .*In the email now .*${staff}, subject changed`));
    const stored = db().selectFrom("pageTexts").select(["blocks", "subject"]);
    expect(await stored.execute()).toEqual([{ blocks: null, subject: SUBJECT }]);

    const mail = await receipt();
    const subject = `Bola, thanks! Your order ${data.number}`;
    expect(mail).toEqual({
      subject,
      html: before.html.replaceAll(before.subject, subject),
      text: before.text.replace(before.subject.toUpperCase(), subject.toUpperCase()),
    });
    const folder = mkdtempSync(path.join(tmpdir(), "irepo-subject-"));
    const server = await startMailServer(folder);
    await nodemailer
      .createTransport(server.url)
      .sendMail(envelopeOf({ ...mail, to: user.email, replyTo: "", messageId: "<1@shop.example>", date: new Date() }));
    expect(await mailTo(folder, user.email, /thanks/)).toMatchObject({ subject });
    await server.stop();
    rmSync(folder, { recursive: true });

    const back = await ask(`/words/${NAME}`, cookies, { intent: "put-back", version: "0", seen: "1" });
    expect(back.fields.find(({ name }) => name === "subject")?.value).toBe("Thank you for your order");
    expect(await receipt()).toEqual(before);
    await ask(`/words/${NAME}`, cookies, { intent: "put-back", version: "1", seen: "2" });
    expect(await receipt()).toEqual(mail);
  });

  test("of each email in code has its placeholders, and is the newest version's where a form has none", async () => {
    expect((await ask("/words/email-return-approved", cookies)).fields).toContainEqual(
      expect.objectContaining({ name: "subject", value: "Your {return} is approved" }),
    );
    await publishSubject(SUBJECT);
    await save(OWN, { seen: "1" });
    expect(await versions()).toMatchObject([{ version: 2, subject: SUBJECT, blocks: readNotation(OWN) }, {}]);
  });

  test("is the shown one's where a form has none, and not that of a version that is planned", async () => {
    await publishSubject(SUBJECT);
    await publishSubject("Merry Christmas", {
      seen: "1",
      press: "later",
      at: typedMoment(new Date(Date.now() + 3_600_000)),
    });
    await publish(OWN);
    expect(await versions()).toMatchObject([{ version: 3, subject: SUBJECT }, { subject: "Merry Christmas" }, {}]);
  });

  test("is in the preview, and nothing is saved", async () => {
    const shown = await publishSubject(SUBJECT, { press: "preview" });
    expect(shown.text).toContain(`Subject: Ada, thanks! Your order IR-7K3M-2Q`);
    expect(await versions()).toEqual([]);
  });

  test("of the later of two members stays typed, beside the other's", async () => {
    await publish(OWN, { subject: "Theirs" });
    const refused = await publishSubject("Mine");
    expect(refused.text).toContain("Somebody else has changed this text.");
    expect(refused.text).toContain("Subject: Theirs");
    expect(refused.fields.find(({ name }) => name === "subject")?.value).toBe("Mine");
  });

  test.each([
    ["", "Write a subject."],
    ["x ".repeat(61), "At most 120 letters"],
    [`See ${"a".repeat(40)}`, "“aaaaaaaaaaaaaaaaaaaa…” is too wide for a phone: at most 39 letters in a row."],
    [
      "Hi {firstname}",
      "This subject can’t have {firstname}. It can have {first name}, {amount}, {order number}, {leaves by}, and {arrival}.",
    ],
    ["Write to {email}", "This subject can’t have {email}."],
    ["See [our shop](/shop)", "A subject can’t have a link."],
  ])("%j is refused beside its field", async (subject, problem) => {
    for (const press of ["now", "preview", "shop"]) {
      const refused = await publishSubject(subject, { press });
      expect(refused.status).toBe(422);
      const [, described = ""] =
        /name="subject"[^>]*aria-describedby="([^"]+)"|aria-describedby="([^"]+)"[^>]*name="subject"/
          .exec(refused.raw)
          ?.filter(Boolean) ?? [];
      expect(refused.raw.split(`id="${described}"`)[1]?.replaceAll("&#x27;", "'")).toContain(problem);
    }
    expect(await versions()).toEqual([]);
  });

  test("stays one line, and is the one in code if nothing is left of it", async () => {
    await setFirstName("Bola\r\nBcc: x@evil.example");
    await publish(OWN, { subject: "{first name}" });
    expect((await receipt()).subject).toBe("Bola Bcc: x@evil.example");
    expect((await receipt({ to: "stranger@example.com" })).subject).toBe("Thank you for your order");
  });

  test("has the owner's current days", async () => {
    await publish(OWN, { subject: "Yours to try for 14 days" });
    const shop = { ...SHOP, numbers: { ...SHIPPED_NUMBERS, returnDays: 30 } };
    expect((await receipt({ shop })).subject).toBe("Yours to try for 30 days");
  });

  test("of an email that doesn't begin with the owner's text is the one in code", async () => {
    await publish("{amount}", { name: "email-refund-done", subject: "Done" });
    const mails = inOwnWords(db, orderEmails);
    const refund = { ...data, sum: "₦5", reason: "It was late." };
    const subjectFor = async (more: object) =>
      (await mails["refund-done"]?.({ ...refund, ...more }, SHOP, ""))?.subject;
    expect(await subjectFor({})).toBe("Done");
    expect(await subjectFor({ isByHand: true })).toBe("Your money has been returned");
    expect(await subjectFor({ toPayer: true })).toBe("Money for your order has been returned");
  });

  test("with a placeholder that its email no longer has is not used", async () => {
    await store(3, readNotation(OWN), "{shoe size}");
    expect(await receipt()).toEqual(await inCode());
  });
});
