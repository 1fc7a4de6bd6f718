import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { log } from "#app/infra/log.server.ts";
import type { Attachment, QueuedMail } from "#app/infra/mail.server.ts";
import { aboutOrder, provedAccountOf } from "#app/orders/reader/mails.server.ts";
import { fileName } from "#app/orders/receipts/files.server.ts";
import { drawReceipt } from "#app/orders/receipts/pdf/draw.server.ts";
import { readReceipt } from "#app/orders/receipts/receipt.server.ts";
import { creditNumber } from "#app/orders/receipts/receipt.ts";
import { AT_ONCE, failedLately, numberReceipts } from "./number.server.ts";

/**
 * The PDFs that a mail about an order brings: the receipt with the confirmation, the credit note with the mail that a
 * refund has arrived. Only the verified address of the account that ordered gets them, since they have its name and
 * address. What cannot be made is logged and left out, and its mail goes out without it.
 */
export async function receiptAttachments(on: Db, mail: QueuedMail): Promise<Attachment[]> {
  if (mail.kind !== "order-confirmation" && mail.kind !== "refund-done") return [];
  try {
    return await attachmentsOf(on, mail, aboutOrder.parse(mail.data).reference);
  } catch (error) {
    log.warn({ err: error, id: mail.id, kind: mail.kind }, "a mail goes out without its receipt");
    return [];
  }
}

const numbersOf = statement(
  {
    takes: { reference: sqlType.text, refundId: sqlType.text },
    gives: { isDue: sqlType.bool, hasReceipt: sqlType.bool, credits: sqlType.json<[year: number, number: number][]>() },
  },
  `with refund as (
     select id from refunds where reference = :reference and state = 'done'
     order by id::text = :refundId desc, created_at desc limit 1
   )
   select exists (select from receipts where sale_id = sales.id) as has_receipt,
     exists (select from receipt_settings where since is not null) and exists (
       select from receipts_due where sale_id = sales.id or refund_id = (select id from refund)) as is_due,
     coalesce((select jsonb_agg(jsonb_build_array(year, number) order by year, number)
       from credit_notes where refund_id = (select id from refund)), '[]') as credits
   from sales where reference = :reference`,
);

/** Calls that come while numbers are drawn wait for one further round together. */
const drawNow = batched(async (on) => {
  while ((await numberReceipts(on, failedLately())) >= AT_ONCE);
});

async function attachmentsOf(on: Db, { kind, key, recipient }: QueuedMail, reference: string): Promise<Attachment[]> {
  const [, refundId = ""] = key.split(":");
  const ask = async () => (await numbersOf(on, { reference, refundId }))[0];
  let found = await ask();
  if (!found?.hasReceipt && !found?.isDue) return [];
  if ((await provedAccountOf(on, reference))?.email !== recipient) return [];
  if (found.isDue) {
    await drawNow(on);
    found = await ask();
  }
  const receipt = found?.hasReceipt ? await readReceipt(on, reference) : undefined;
  if (!receipt && found?.isDue) throw new Error("its receipt has no number yet");
  if (!receipt) return [];
  if (kind === "order-confirmation") return [pdf(receipt.number, drawReceipt(receipt))];
  const numbers = new Set(found?.credits.map(([year, number]) => creditNumber(year, number)));
  return receipt.credits
    .filter(({ number }) => numbers.has(number))
    .map((credit) => pdf(credit.number, drawReceipt(receipt, credit)));
}

const pdf = (number: string, content: Buffer): Attachment => ({
  filename: fileName(number, "pdf"),
  content,
  contentType: "application/pdf",
});
