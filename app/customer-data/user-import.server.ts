import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { splitName } from "#app/account/display-name.ts";
import { MOST_OF_A_LINE } from "#app/cart/cart.ts";
import { piecesField } from "#app/catalog/documents/fields.ts";
import { inForceSql } from "#app/catalog/prices/in-force.server.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import type { Imported, Misfit } from "#app/infra/document/read.ts";
import { time } from "#app/infra/document/time-field.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { cleanName } from "#app/infra/text/person-name.ts";
import { claimForAddress } from "#app/orders/claim/claim.server.ts";

const item = z.object({
  id: z.string(),
  selectedSize: z.string(),
  quantity: piecesField(MOST_OF_A_LINE),
  addedAt: time.optional(),
});
const document = z.object({
  uid: z.string().min(1).max(128).optional(),
  id: z.string().optional(),
  email: z.string().transform(normalizeEmail).refine(isEmail, "this isn’t an email address"),
  firstName: z.string().catch(""),
  lastName: z.string().catch(""),
  verified: z.boolean().optional(),
  emailVerified: z.boolean().optional(),
  createdAt: time.optional(),
  cart: z.array(z.unknown()).default([]),
});
export type UserImport = z.infer<typeof document>;

/** Throws a ZodError if the document is invalid. */
export function readUserDocument(given: unknown): UserImport {
  return document.parse(given);
}

/**
 * Imports a customer of another shop, with the cart. Passwords cannot be imported: the customer asks for a new one or
 * signs in with Google. If the uid or address already has an account, that account is unchanged and `isNew` is false.
 * Past orders are imported with the sales. A verified customer gets the orders of the address that have no account.
 */
export async function importUser(trx: Transaction, user: UserImport): Promise<Imported> {
  const id = user.uid ?? user.id ?? randomUUID();
  const made = await trx
    .insertInto("users")
    .values({
      id,
      email: user.email,
      emailVerified: user.verified ?? user.emailVerified ?? false,
      ...namesOf(user),
      createdAt: user.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!made) return { isNew: false, leftOut: await otherAccount(trx, user, id) };
  await trx.insertInto("carts").values({ userId: id }).execute();
  await claimForAddress(trx, id);
  const leftOut: Misfit[] = [];
  for (const [index, one] of user.cart.entries())
    if (!(await importCartLine(trx, id, one)))
      leftOut.push({ field: `cart.${index}`, reason: "cannot be bought here" });
  return { isNew: true, leftOut };
}

function namesOf({ firstName, lastName }: UserImport): { firstName: string; lastName: string } {
  if (firstName) return { firstName: cleanName(firstName), lastName: cleanName(lastName) };
  return splitName(`${firstName} ${lastName}`);
}

async function otherAccount(trx: Transaction, { email }: UserImport, id: string): Promise<Misfit[]> {
  const other = await trx.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  return other && other.id !== id ? [{ field: "email", reason: `${email} has an account already, '${other.id}'` }] : [];
}

/** Returns false if the shop does not have the product in that size. */
async function importCartLine(trx: Transaction, userId: string, given: unknown): Promise<boolean> {
  const { data } = item.safeParse(given);
  if (!data) return false;
  const { rows } = await sql`
    insert into cart_lines (user_id, product_id, size, color, quantity, price_cents, added_at)
    select ${userId}, p.id, s.size, p.color, ${data.quantity}, ${sql.raw(inForceSql("price_cents", "p"))}, coalesce(${data.addedAt ?? null}::timestamptz, now())
    from products p join product_sizes s on s.product_id = p.id
    where p.id = ${data.id} and s.size = ${data.selectedSize}
    on conflict do nothing returning product_id`.execute(trx);
  return rows.length > 0;
}
