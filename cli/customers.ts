import { KEPT_AFTER_DELETION } from "#app/customer-data/kept-after-deletion.ts";
import { customerData } from "#app/customer-data/user-document.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import * as messages from "#app/messages.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import { forgetByPhone } from "#app/owner/customers/by-phone.server.ts";
import { forgetCustomer } from "#app/owner/customers/customers.server.ts";
import { type Actions, action, badInput, type Context, csvOf, type Result } from "./command.ts";

export const customers: Actions = {
  "customers export": action({
    words: ["[email]"],
    says: "exports all customers (CSV, or JSON with --json), or everything stored about one",
    changes: true,
    run: ({ words: { email }, ...hand }) => (email ? exportOne(hand, email) : exportAll(hand)),
  }),
  "customers delete": action({
    words: ["email-or-phone"],
    says: "deletes an account, or the data of a customer without email by the phone number; the orders stay, without name and address. Refused while an order is paid and not sent, or something is still open",
    changes: true,
    run: ({ words: { "email-or-phone": who }, ...hand }) => remove(hand, who),
  }),
};

function find(db: Db, email: string) {
  return db.selectFrom("users").select("id").where("email", "=", normalizeEmail(email)).executeTakeFirst();
}

async function exportAll({ db, by }: Context): Promise<Result> {
  const rows = await db
    .selectFrom("users")
    .select(["id as uid", "email", "firstName", "lastName", "emailVerified as verified", "createdAt"])
    .orderBy("createdAt")
    .execute();
  await recordExport(db, by, { what: "customers", rows: rows.length });
  const list = rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
  return { code: 0, data: list, text: csvOf(list, ["uid", "email", "firstName", "lastName", "verified", "createdAt"]) };
}

async function exportOne({ db, by }: Context, email: string): Promise<Result> {
  const user = await find(db, email);
  const document = user && (await customerData(db, user.id, env.publicUrl.origin));
  if (!document) return badInput(`There’s no customer '${email}'`);
  await recordExport(db, by, { what: "customers", rows: 1, id: user.id });
  return { code: 0, data: document, text: JSON.stringify(document, null, 2) };
}

async function remove({ db, by }: Context, who: string): Promise<Result> {
  const user = await find(db, who);
  const deleted = user ? await forgetCustomer(db, by, user.id) : await forgetByPhone(db, by, who);
  if (deleted.ok) {
    const data = { deleted: who, kept: KEPT_AFTER_DELETION };
    return { code: 0, data, text: `${who} is deleted. ${messages.deletion.kept} ${ELSEWHERE}` };
  }
  if (!("orders" in deleted)) return badInput(`There’s no customer '${who}'`);
  const { why, orders } = deleted;
  const text = why === "unsent" ? unsentText(orders) : messages.deletion.refused[why](orders.join(", "));
  return { code: 1, data: { error: why, orders }, text };
}

const ELSEWHERE =
  "Earlier backups still contain everything, so delete them when they're due. The payment provider keeps its own records.";

function unsentText(orders: string[]): string {
  return [
    `Nothing was deleted. ${orders.length === 1 ? "This order is" : "These orders are"} paid and not sent: ${orders.join(", ")}`,
    "Without the name and address, nobody could send it or find out who the money belongs to.",
    `First send it ('orders fulfil ${orders[0]}'), or cancel and refund it ('orders cancel ${orders[0]}').`,
    "If it's waiting at a pick-up centre: 'orders deliver' once it's picked up, or 'orders return' if it came back.",
  ].join("\n");
}
