import { type RawBuilder, sql } from "kysely";
import { MEANS } from "#app/by-hand/means.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { PaymentProvider } from "#app/payment-provider/contract.ts";
import { PROVIDERS, providerOf } from "#app/providers/registry.server.ts";

export async function providerOfPayment(on: Db, reference: string): Promise<PaymentProvider> {
  const { provider } = await on
    .selectFrom("payments")
    .select("provider")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  return providerOf(provider);
}

/** A condition in SQL: whether the payment's money is taken and given back by hand. */
export const IS_BY_HAND = sql<boolean>`payments.provider in (${sql.join([...MEANS])})`;

/**
 * A condition in SQL: whether the provider's present keys can look the payment up. Keys of one mode (test or live)
 * cannot see payments of the other. Always true for payments imported from another shop (`cart_version = 0`).
 */
export function isOfKeysSql(): RawBuilder<boolean> {
  const ofKeys = PROVIDERS.map(({ description: { id }, mode }) => {
    const other = mode() === "live" ? "test" : "live";
    return sql`payments.provider = ${id} and payments.mode is distinct from ${other}`;
  });
  return sql<boolean>`(${sql.join(ofKeys, sql` or `)}
    or exists (select from orders where orders.id = payments.order_id and cart_version = 0))`;
}
