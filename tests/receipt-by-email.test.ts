import { sql } from "kysely";
import { beforeEach, expect, test, vi } from "vitest";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { closeQueue, openQueue } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { sendQueuedMail } from "#app/infra/mail.server.ts";
import { orderMailsOn, tellAccountToo } from "#app/orders/reader/mails.server.ts";
import { receiptAttachments } from "#app/owner/receipts/attachments.server.ts";
import { setVatRate } from "#app/owner/receipts/settings.server.ts";
import { shopDay } from "#app/owner/shop-time.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import { refundWished, useCheckout } from "#tests/support/checkout.ts";
import { OWNER } from "#tests/support/command.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { withinOneDay } from "#tests/support/moments.ts";
import { pdfPages } from "#tests/support/pdf.ts";
import { forgetReceipts, numberAll, setReceipts } from "#tests/support/receipts.ts";
import { arrived } from "#tests/support/returns.ts";
import { lagosForm, makeProduct, makeShopper, type Shopper } from "#tests/support/shop.ts";
import { startWorker } from "../worker.ts";

const { db, url, provider, open, catchUp } = useCheckout();

let user: Shopper;
let reference: string;
let receipt: string;

beforeEach(withinOneDay);
beforeEach(async () => {
  await forgetReceipts(db());
  await setReceipts(db());
  await setVatRate(db(), OWNER, { fromDay: "2020-01-01", tenths: 75 });
  receipt = `${shopDay().slice(0, 4)}-000001`;
});

/** A paid order, whose mails wait in the queue. Its checkout had this address, or by default the account's. */
async function buy(email?: string): Promise<void> {
  user = await makeShopper(db(), { productId: await makeProduct(db(), { M: 1 }), size: "M" });
  ({ reference } = await open(user, { form: { ...lagosForm, email: email ?? user.email } }));
  provider.pay(reference);
  await settlePayment(reference);
}

async function refund(kobo: number): Promise<void> {
  await refundWished(db(), reference, { kobo });
  await catchUp(reference);
  provider.finishRefunds("processed", reference);
  await catchUp(reference);
}

/** Sends what waits in the queue, as the worker's job does. */
async function sendAll(): Promise<void> {
  const queued = () => db().selectFrom("outbox").select("id").where("state", "=", "queued").execute();
  for (const { id } of await queued()) await tellAccountToo(db(), id);
  for (const { id } of await queued())
    for (let again = 0; again < 2; again++) await sendQueuedMail(id, orderMailsOn(db), db(), receiptAttachments);
}

const filesTo = async (address: string, subject: RegExp) => (await mailTo(env.dataDir, address, subject)).files;
const sentMails = () => db().selectFrom("outbox").select("tries").where("state", "=", "sent").execute();
const text = async (bytes: Buffer | undefined) => (bytes ? (await pdfPages(bytes)).join() : "");

test("the confirmation of a sale brings its receipt, and the mail that a refund has arrived its credit note", async () => {
  await buy();
  await sendAll();
  const [file, ...others] = await filesTo(user.email, /./);
  expect(others).toEqual([]);
  expect([file?.name, file?.type]).toEqual([`receipt-${receipt}.pdf`, "application/pdf"]);
  expect(await text(file?.bytes)).toContain(`Receipt ${receipt}`);

  await refund(100_000);
  await refund(200_000);
  const [first, second] = await db()
    .selectFrom("outbox")
    .select("id")
    .where("kind", "=", "refund-done")
    .orderBy("createdAt")
    .execute();
  const credits: string[] = [];
  for (const mail of [first, second]) {
    await sendQueuedMail(mail?.id ?? "", orderMailsOn(db), db(), receiptAttachments);
    for (const { name, bytes } of await filesTo(user.email, /money has been returned/))
      credits.push(`${name}: ${/Refunded ₦[\d,]+/.exec(await text(bytes))}`);
  }
  expect(credits).toEqual([
    `credit-note-CN-${receipt}.pdf: Refunded ₦1,000`,
    `credit-note-CN-${receipt.replace(/1$/, "2")}.pdf: Refunded ₦2,000`,
  ]);
});

test("without receipts, mails bring no file", async () => {
  await forgetReceipts(db());
  await buy();
  await sendAll();
  expect(await filesTo(user.email, /./)).toEqual([]);
});

test("an address that isn't the account's own gets no file, and the account's copy does", async () => {
  const other = `${crypto.randomUUID()}@example.com`;
  await buy(other);
  await sendAll();
  expect(await filesTo(other, /./)).toEqual([]);
  expect((await filesTo(user.email, /./)).map(({ name }) => name)).toEqual([`receipt-${receipt}.pdf`]);
});

test("an account whose own address is not verified gets its mail without a file", async () => {
  await buy();
  await db().updateTable("users").set({ emailVerified: false }).where("id", "=", user.id).execute();
  await numberAll(db());
  await sendAll();
  expect(await filesTo(user.email, /./)).toEqual([]);
});

test("an account that is deleted before its mail goes out gets none, and nobody else gets its receipt", async () => {
  await buy();
  await arrived(db(), reference);
  expect(await deleteCustomer(db(), user.id)).toEqual({ ok: true });
  const mails = () => db().selectFrom("outbox").select(["id", "recipient", "state"]).execute();
  const made: string[] = [];
  for (const { id } of await mails())
    await sendQueuedMail(id, orderMailsOn(db), db(), async (on, mail) => {
      const files = await receiptAttachments(on, mail);
      made.push(...files.map(({ filename }) => filename));
      return files;
    });
  expect(made).toEqual([]);
  expect((await mails()).filter(({ recipient }) => recipient === user.email)).toEqual([]);
});

test("a receipt that can't be made or drawn is logged, and its mail goes out once without it", async () => {
  const warn = vi.spyOn(log, "warn");
  await buy();
  await numberAll(db());
  await db().updateTable("receipts").set({ contents: "{}" }).execute();
  const before = (await sentMails()).length;
  await sendAll();
  expect(await filesTo(user.email, /./)).toEqual([]);
  expect((await sentMails()).length).toBe(before + 1);
  expect(warn.mock.calls.map(([, line]) => line)).toContain("a mail goes out without its receipt");
});

test("a sale that can't be numbered is logged once, however many mails come after it, whose receipts have theirs", async () => {
  const error = vi.spyOn(log, "error");
  const warn = vi.spyOn(log, "warn");
  await buy();
  const broken = sql<string>`jsonb_build_object('was', shipping, 'country', 5)`;
  await db().updateTable("sales").set({ shipping: broken }).where("reference", "=", reference).execute();
  await sendAll();
  expect(await filesTo(user.email, /./)).toEqual([]);
  expect(warn.mock.calls.map(([, line]) => line)).toContain("a mail goes out without its receipt");
  for (let more = 0; more < 2; more++) {
    await buy();
    await sendAll();
    expect(await filesTo(user.email, /./)).toHaveLength(1);
  }
  expect(error.mock.calls.filter(([, line]) => line === "numbering a receipt")).toHaveLength(1);
});

test("the worker's own job sends the receipt with the confirmation", async () => {
  await closeQueue();
  await openQueue(url(), { works: true, name: "test worker" });
  const stop = await startWorker();
  await buy();
  const files = await filesTo(user.email, /./);
  await stop();
  expect(files.map(({ name }) => name)).toEqual([`receipt-${receipt}.pdf`]);
});
