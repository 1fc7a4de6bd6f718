import { sql } from "kysely";
import { expect, test } from "vitest";
import { sendQueuedMail } from "#app/infra/mail.server.ts";
import { returnMail } from "#app/orders/returns/mail-data.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { lagosForm, makeProduct, makeShopper } from "#tests/support/shop.ts";
import { renderers } from "../emails.tsx";
import { placeMail, refundMail, sentMail } from "../mail-data.ts";
import { orderMailsOn, tellAccountToo } from "./mails.server.ts";
import { forStranger } from "./stranger.ts";

const { db, provider, open } = useCheckout();
const shop = { publicUrl: new URL("https://shop.example"), SHOP_TIMEZONE: "Africa/Lagos" };
const SHOP = { url: "https://shop.example", contact: "help@shop.example" };
const TYPED = { firstName: "Prize", lastName: "Claim now", address: "https win.example claim", city: "Freetown" };
const typed = /Prize|Claim|win\.example|Freetown/;

/** A paid order whose checkout had this e-mail address, or by default the account's. */
async function orderFor(email?: string) {
  const productId = await makeProduct(db(), { M: 1 });
  const user = await makeShopper(db(), { productId, size: "M" });
  await db().updateTable("users").set({ firstName: "Bola" }).where("id", "=", user.id).execute();
  const form = { ...lagosForm, ...TYPED, email: email ?? user.email };
  const { reference } = await open(user, { form });
  provider.pay(reference);
  await settlePayment(reference);
  return { user, reference };
}

const mailsOf = (reference: string) =>
  db()
    .selectFrom("outbox")
    .select(["id", "idempotencyKey as key", "recipient", "kind", "data"])
    .where(sql<boolean>`data ->> 'reference' = ${reference}`)
    .orderBy("createdAt")
    .execute();

/** The text of each mail by recipient, after the job has queued the copies. */
async function read(reference: string): Promise<Record<string, string>> {
  for (const { id } of await mailsOf(reference)) for (let again = 0; again < 2; again++) await tellAccountToo(db(), id);
  const mails = orderMailsOn(db);
  const read = await Promise.all(
    (await mailsOf(reference)).map(async ({ recipient, kind, data }) => {
      const mail = await mails[kind]?.(data, SHOP, recipient);
      return [recipient, `${mail?.subject}\n${mail?.html}\n${mail?.text}`];
    }),
  );
  return Object.fromEntries(read);
}

test("11 a mail to an address that is not the account's has no typed text; the account gets a full copy with its name", async () => {
  const stranger = "stranger@example.com";
  const { user, reference } = await orderFor(stranger);
  const said = await read(reference);
  expect(Object.keys(said)).toEqual([stranger, user.email]);
  expect(said[stranger]).not.toMatch(typed);
  expect(said[stranger]).not.toContain("Bola");
  for (const part of ["Home Jersey", "$49.99", "₦", "IR-", `/order/${reference}`, "Log in to see them"])
    expect(said[stranger]).toContain(part);
  expect(said[user.email]).toMatch(/Hello Bola[,<]/);
  expect(said[user.email]).toContain("win.example");
});

test("11 the account's own verified address gets one mail, with everything", async () => {
  const { user, reference } = await orderFor();
  const said = await read(reference);
  expect(Object.keys(said)).toEqual([user.email]);
  expect(said[user.email]).toContain("win.example");
});

test("11 an address that is no longer verified, or whose account was deleted, is a stranger's", async () => {
  const { user, reference } = await orderFor();
  await db().updateTable("users").set({ emailVerified: false }).where("id", "=", user.id).execute();
  expect((await read(reference))[user.email]).not.toMatch(typed);
});

test("11 the job that sends mails checks the recipient", async () => {
  const readers: string[] = [];
  const { reference } = await orderFor("asked@example.com");
  const [mail] = await mailsOf(reference);
  const render = async (_: unknown, __: typeof SHOP, recipient: string) => {
    readers.push(recipient);
    return { subject: "s", html: "h", text: "t" };
  };
  await sendQueuedMail(mail?.id ?? "", { "order-confirmation": render }, db());
  expect(readers).toEqual(["asked@example.com"]);
});

test("11 the mails of a batch are read with one query, and each has only what its recipient may read", async () => {
  const [proved, unproved] = [await orderFor(), await orderFor()];
  await db().updateTable("users").set({ emailVerified: false }).where("id", "=", unproved.user.id).execute();
  const mails = (await Promise.all([proved, unproved].map(({ reference }) => mailsOf(reference)))).flat();
  let statements = 0;
  const counted = db().withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements++;
      return result;
    },
  });
  const said = new Map<string, string>();
  const kept = Object.entries(orderMailsOn(() => counted)).map(([kind, render]): [string, typeof render] => [
    kind,
    async (data, contact, recipient) => {
      const mail = await render(data, contact, recipient);
      said.set(recipient, mail.text);
      return mail;
    },
  ]);
  await Promise.all(
    mails.map(async ({ id }) => {
      await tellAccountToo(counted, id);
      await sendQueuedMail(id, Object.fromEntries(kept), counted);
    }),
  );
  expect(statements).toBe(4 + mails.length); // copies, mails, settings and accounts, and one to record each mail
  expect(said.get(proved.user.email)).toMatch(typed);
  expect(said.get(unproved.user.email)).not.toMatch(typed);
  const states = db()
    .selectFrom("outbox")
    .select("state")
    .where(
      "id",
      "in",
      mails.map(({ id }) => id),
    );
  expect(await states.execute()).toEqual([{ state: "sent" }, { state: "sent" }]);
});

test("11 no mail about an order, a refund or a return has typed or written text for a stranger", async () => {
  const { reference } = await orderFor("all@example.com");
  const order = await db()
    .selectFrom("orders")
    .innerJoin("payments", "orderId", "orders.id")
    .selectAll("orders")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const center = { name: "Yaba", address: "Claim Way", landmark: "", hours: "", bring: "", state: "Lagos" };
  const days = { orderedAt: new Date(), sentAt: new Date(), carrier: "Claim Ltd", tracking: "Prize-1" };
  const told = { number: "RT-1", reference, wish: "money" as const, sendBack: true, pieces: [], order };
  const said = { answer: "Claim, said staff" };
  const sum = { amount: 100, currency: "NGN" };
  const [confirmation] = await mailsOf(reference);
  const mails: [string, Record<string, unknown>][] = [
    ["order-confirmation", confirmation?.data ?? {}],
    ["order-sent", sentMail(order, reference, days, shop, center as never)],
    ["order-ready", placeMail(order, reference, shop, center as never)],
    ["order-address", placeMail(order, reference, shop, center as never)],
    ["order-size", placeMail(order, reference, shop, center as never)],
    ["refund-started", refundMail(order, reference, sum, "returned", shop.publicUrl, undefined, "Claim")],
    ["refund-done", refundMail(order, reference, sum, undefined, shop.publicUrl)],
    ["return", returnMail(told, "declined", said, shop.publicUrl)],
    ["return", returnMail(told, "sent", { carrier: "Claim Ltd", tracking: "Prize-1" }, shop.publicUrl)],
  ];
  expect(new Set(mails.map(([kind]) => kind))).toEqual(new Set(Object.keys(renderers)));
  for (const [kind, stored] of mails) {
    const data = { ...stored, firstName: TYPED.firstName }; // as older versions have stored it
    const mail = await renderers[kind]?.(forStranger(data));
    expect(`${mail?.subject} ${mail?.html} ${mail?.text}`, kind).not.toMatch(typed);
    expect(mail?.text, kind).not.toMatch(/undefined|It goes to\s+\n|Hello ,/);
    expect(mail?.text, kind).toContain("Log in to see them");
    expect((await renderers[kind]?.(data))?.text, kind).toMatch(typed);
  }
});
