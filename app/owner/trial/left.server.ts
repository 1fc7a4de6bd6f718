import { sql } from "kysely";
import { shownDemoProducts } from "#app/catalog/demo.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";

/**
 * What a trial has left in the database: orders in test mode and how many of them were `sold`; payments whose mode is
 * not known; staff and customers with example addresses or a sign-in by the demo's Google; `invented`: customers and
 * subscribers with example addresses, such as those of a demo's past; products of the demo's catalogue, which may stay.
 */
export type Left = {
  orders: number;
  sold: number;
  unknownPayments: number;
  staff: string[];
  customers: number;
  invented: { customers: number; subscribers: number };
  demoProducts: number;
};

/** A condition in SQL: whether an e-mail address has a domain reserved for examples (RFC 2606 and 6761). */
export const IS_EXAMPLE = sql<boolean>`(email ~ '[@.](example|invalid|test|localhost)$' or email ~ '[@.]example\\.(com|net|org)$')`;
/**
 * A condition in SQL: whether a sign-in came from the demo's Google, which identifies people by a hash. The real Google
 * uses a number.
 */
export const IS_DEMO_WAY_IN = sql<boolean>`(provider_id = 'google' and account_id ~ '^[0-9a-f]{64}$')`;
/**
 * A condition in SQL: whether a customer's sign-in ends with the trial. Of the addresses for examples only verified
 * ones count: those were verified in the demo's mailbox, while anybody can register one in a live shop.
 */
export const IS_TRIAL_WAY_IN = sql<boolean>`(${IS_DEMO_WAY_IN}
  or user_id in (select id from users where email_verified and ${IS_EXAMPLE}))`;

const IS_SINCE_LIVE = sql<boolean>`exists (select from live_shop where since <= created_at)`;
/**
 * Conditions in SQL: whether a subscriber, or a customer, is one of a trial: with an example address, and from before
 * the shop was live. A later customer counts if the address is verified, which only the demo's mailbox can do.
 */
export const IS_INVENTED = {
  subscriptions: sql<boolean>`(${IS_EXAMPLE} and not ${IS_SINCE_LIVE})`,
  users: sql<boolean>`(${IS_EXAMPLE} and (email_verified or not ${IS_SINCE_LIVE}))`,
};

/** A condition in SQL: whether an order has only test payments and was not ended with an earlier trial. */
export const IS_TRIAL_ORDER = sql<boolean>`(trial_ended_at is null
  and exists (select from payments where order_id = orders.id and mode = 'test')
  and not exists (select from payments where order_id = orders.id and mode = 'live'))`;
/** A condition in SQL: whether a payment's mode is missing. An unpaid payment that is no longer checked needs none. */
export const IS_UNKNOWN = sql<boolean>`(mode is null and (paid_kobo is not null or next_check_at is not null))`;

export async function leftByTrial(on: Db | Transaction): Promise<Left> {
  const { rows } = await sql<Omit<Left, "demoProducts">>`
    with trial as (select id from orders where ${IS_TRIAL_ORDER})
    select (select count(*)::int from trial) as orders,
      (select count(*)::int from sales where order_id in (select id from trial)) as sold,
      (select count(*)::int from payments where ${IS_UNKNOWN}) as unknown_payments,
      array(select email from staff where ${IS_EXAMPLE} order by email) as staff,
      (select count(distinct user_id)::int from accounts where ${IS_TRIAL_WAY_IN}) as customers,
      jsonb_build_object(
        'customers', (select count(*) from users where ${IS_INVENTED.users}),
        'subscribers', (select count(*) from subscriptions where ${IS_INVENTED.subscriptions})
      ) as invented`.execute(on);
  const [left] = rows;
  if (!left) throw new Error("Counting answers with a row");
  return { ...left, demoProducts: await shownDemoProducts(on) };
}

/**
 * Whether the database has data that a live shop must not have. Demo products do not count: the owner may keep them.
 * Nor do invented people who cannot sign in: anybody may type such an address into a live shop.
 */
export function hasTrialLeft({ orders, unknownPayments, staff, customers }: Left): boolean {
  return orders + unknownPayments + staff.length + customers > 0;
}

/** One line per kind of data. */
export function linesOf({ orders, sold, unknownPayments, staff, customers, invented, demoProducts }: Left): string[] {
  const lines = [
    orders > 0 && `${plural(orders, "order")} in test mode, ${sold} of them paid: no money has moved`,
    unknownPayments > 0 &&
      `${plural(unknownPayments, "payment")} from before the shop wrote down modes: were they made with test keys or live keys?`,
    staff.length > 0 && `staff at addresses for examples: ${staff.join(", ")}`,
    customers > 0 &&
      `${plural(customers, "customer")} who can sign in with an address for examples or the demo's Google`,
    invented.customers > 0 &&
      `${plural(invented.customers, "customer")} at addresses for examples (go-live deletes them)`,
    invented.subscribers > 0 &&
      `${plural(invented.subscribers, "newsletter subscriber")} at addresses for examples (go-live deletes them)`,
    demoProducts > 0 &&
      `${plural(demoProducts, "product")} of the demo's catalogue on show (they stay: hide or delete them)`,
  ];
  return lines.filter((line) => line !== false);
}
