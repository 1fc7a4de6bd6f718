import { foldEmail } from "#app/account/email-address.ts";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { userDocument } from "#app/customer-data/user-document.server.ts";
import type { Db } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { messages } from "#app/messages.ts";
import { badInput, type Command, csvOf, type Result } from "./command.ts";

export const customers: Command = {
  usage: [
    "customers export [EMAIL]        all customers (CSV, or JSON with --json); of one, everything that is kept",
    "customers delete EMAIL          deletes an account; its orders stay without name and address",
  ],
  async run(db, [action, email]) {
    if (action === "export") return email ? exportOne(db, email) : exportAll(db);
    if (action === "delete" && email) return remove(db, email);
    return badInput("Say 'customers export', 'customers export EMAIL' or 'customers delete EMAIL'");
  },
};

function find(db: Db, email: string) {
  return db.selectFrom("users").select("id").where("email", "=", foldEmail(email)).executeTakeFirst();
}

async function exportAll(db: Db): Promise<Result> {
  const rows = await db
    .selectFrom("users")
    .select(["id as uid", "email", "firstName", "lastName", "emailVerified as verified", "createdAt"])
    .orderBy("createdAt")
    .execute();
  const list = rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
  return { code: 0, data: list, text: csvOf(list, ["uid", "email", "firstName", "lastName", "verified", "createdAt"]) };
}

async function exportOne(db: Db, email: string): Promise<Result> {
  const user = await find(db, email);
  const document = user && (await userDocument(db, user.id, env.publicUrl.origin));
  if (!document) return badInput(`There is no customer '${email}'`);
  return { code: 0, data: document, text: JSON.stringify(document, null, 2) };
}

async function remove(db: Db, email: string): Promise<Result> {
  const user = await find(db, email);
  if (!user) return badInput(`There is no customer '${email}'`);
  const deleted = await deleteCustomer(db, user.id);
  if (!deleted.ok) return { code: 1, data: { error: deleted.why }, text: messages.settings.moneyUnderWay };
  return { code: 0, data: { deleted: email }, text: `${email} is deleted.` };
}
