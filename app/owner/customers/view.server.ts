import { sql } from "kysely";
import { listSessions } from "#app/account/session/store.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { openOrders } from "#app/orders/forget-buyer.server.ts";
import { IS_REAL_SALE } from "#app/orders/state.ts";

/**
 * A customer as the staff see them, by the account's id. Undefined if there is none. `open` are the orders that prevent
 * deleting the account.
 */
export async function viewCustomer(on: Db, id: string) {
  const user = await on
    .selectFrom("users")
    .select(["id", "email", "firstName", "lastName", "emailVerified", "createdAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!user) return;
  const [ways, subscription, sums, phones, open] = await Promise.all([
    on.selectFrom("accounts").select("providerId").where("userId", "=", id).orderBy("providerId").execute(),
    on.selectFrom("subscriptions").select("createdAt").where("email", "=", user.email).executeTakeFirst(),
    on
      .selectFrom("sales")
      .leftJoin("payments", "payments.reference", "sales.reference")
      .select([
        sql<number>`count(*)::int`.as("orders"),
        sql<string>`coalesce(sum(sales.kobo), 0)`.as("kobo"),
        sql<string>`coalesce(sum(refunded_kobo), 0)`.as("refundedKobo"),
      ])
      .where("sales.userId", "=", id)
      .where(sql<boolean>`${sql.raw(IS_REAL_SALE)}`)
      .executeTakeFirstOrThrow(),
    on
      .selectFrom("orders")
      .select(sql<string>`shipping ->> 'phoneNumber'`.as("phone"))
      .where("userId", "=", id)
      .orderBy("createdAt", "desc")
      .limit(20)
      .execute(),
    openOrders(on, id),
  ]);
  const { firstName, lastName, createdAt: since, ...rest } = user;
  return {
    ...rest,
    name: `${firstName} ${lastName}`.trim(),
    since,
    signsIn: ways.map(({ providerId }) => (providerId === "credential" ? "password" : providerId)),
    newsletterSince: subscription?.createdAt ?? null,
    orders: sums.orders,
    kobo: Number(sums.kobo),
    refundedKobo: Number(sums.refundedKobo),
    phones: [...new Set(phones.map(({ phone }) => phone).filter(Boolean))],
    sessions: await listSessions(new Request(env.publicUrl), id), // this request belongs to none of them
    open,
  };
}
