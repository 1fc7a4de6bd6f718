import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { splitName } from "#app/account/display-name.ts";
import { time } from "#app/catalog/document-fields.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { cleanName } from "#app/infra/person-name.ts";

const item = z.object({ id: z.string(), selectedSize: z.string(), quantity: z.coerce.number().int().min(1).max(999) });
const document = z.object({
  uid: z.string().min(1).max(128).optional(),
  id: z.string().optional(),
  email: z.string().transform(normalizeEmail).refine(isEmail, "this is no email address"),
  firstName: z.string().catch(""),
  lastName: z.string().catch(""),
  verified: z.boolean().optional(),
  emailVerified: z.boolean().optional(),
  createdAt: time.optional(),
  cart: z.array(z.unknown()).default([]),
});
export type UserImport = z.infer<typeof document>;

/** Throws a ZodError where the document is no user. */
export function readUserDocument(given: unknown): UserImport {
  return document.parse(given);
}

/**
 * Writes a customer of the past with the cart; there is no password to bring: the customer asks for a new one, or comes by Google. False: the
 * address or the uid has an account already. The history comes with the sales.
 */
export async function importUser(trx: Transaction, user: UserImport): Promise<boolean> {
  const id = user.uid ?? user.id ?? randomUUID();
  const { firstName, lastName } = splitName(`${user.firstName} ${user.lastName}`);
  const names = user.firstName
    ? { firstName: cleanName(user.firstName), lastName: cleanName(user.lastName) }
    : { firstName, lastName };
  const made = await trx
    .insertInto("users")
    .values({
      id,
      email: user.email,
      emailVerified: user.verified ?? user.emailVerified ?? false,
      ...names,
      createdAt: user.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!made) return false;
  await trx.insertInto("carts").values({ userId: id }).execute();
  for (const one of user.cart) {
    const line = item.safeParse(one);
    // What cannot be bought here any more is not in a cart.
    if (line.success)
      await sql`
        insert into cart_lines (user_id, product_id, size, color, quantity, price_cents)
        select ${id}, p.id, s.size, p.color, ${line.data.quantity}, p.price_cents
        from products p join product_sizes s on s.product_id = p.id
        where p.id = ${line.data.id} and s.size = ${line.data.selectedSize}
        on conflict do nothing`.execute(trx);
  }
  return true;
}
