import { foldEmail } from "#app/account/email-address.ts";
import { deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { userDocument } from "#app/customer-data/user-document.server.ts";
import { type Db, transact } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { messages } from "#app/messages.ts";
import { type Actor, recordChange } from "#app/owner/audit.server.ts";
import { type Actions, action, badInput, csvOf, type Result } from "./command.ts";

export const customers: Actions = {
  "customers export": action({
    words: ["[email]"],
    says: "all customers (CSV, or JSON with --json); of one, everything that is kept",
    changes: false,
    run: ({ db, words: { email } }) => (email ? exportOne(db, email) : exportAll(db)),
  }),
  "customers delete": action({
    words: ["email"],
    says: "deletes an account; its orders stay without name and address",
    changes: true,
    run: ({ db, by, words: { email } }) => remove(db, by, email),
  }),
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

async function remove(db: Db, by: Actor, email: string): Promise<Result> {
  const user = await find(db, email);
  if (!user) return badInput(`There is no customer '${email}'`);
  const deleted = await transact(db, async (trx) => {
    const deleted = await deleteCustomer(trx, user.id);
    if (deleted.ok)
      await recordChange(trx, { by, action: "customers delete", subject: { kind: "customer", id: user.id } });
    return deleted;
  });
  if (!deleted.ok) return { code: 1, data: { error: deleted.why }, text: messages.settings.moneyUnderWay };
  return { code: 0, data: { deleted: email }, text: `${email} is deleted.` };
}
