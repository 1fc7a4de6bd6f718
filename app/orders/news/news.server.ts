import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { type RowOf, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { env } from "#app/infra/env.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { ownNumbers } from "#app/numbers/numbers.ts";
import type { OrderedNumbers, OrderLine, ProductImage, ShippingDetails } from "#db/types.ts";
import { dayWords } from "../fulfilment/days.ts";
import { progressNow } from "../fulfilment/now.server.ts";
import { hasPiecesLeftSql } from "../pieces-left.server.ts";
import { thanks } from "../view.ts";
import { awaitedOrder, IS_AWAITED } from "./awaited.server.ts";
import type { News } from "./news.ts";

/**
 * A condition in SQL: whether to greet a sale's shopper. True until the shopper dismisses the greeting, or the order is
 * delivered, returned or refunded, also if all of its pieces are refunded before it leaves.
 */
const IS_NEW = `s.greeting_dismissed_at is null and s.delivered_at is null and s.returned_at is null and a.state = 'sold' and not a.trial
  and (s.fulfilled_at is not null or s.ready_at is not null
    or not exists (select from refunds where refunds.reference = s.reference) or ${hasPiecesLeftSql("a", "s")})`;

const usersWithNews = statement(
  { takes: { users: sqlType.json<string[]>() }, gives: { userId: sqlType.text } },
  `select asked as user_id from jsonb_array_elements_text(:users) asked
   where exists (select from sales s join orders a on a.id = s.order_id where s.user_id = asked and ${IS_NEW})
     or exists (select from orders a join payments p on p.order_id = a.id where a.user_id = asked and ${IS_AWAITED})`,
);
const findNews = batched(async (on, users: string[]) => {
  return new Set((await usersWithNews(on, { users })).map(({ userId }) => userId));
});

/** Whether the home page has news for this shopper. Simultaneous calls share one query. */
export async function hasNews(on: Db, userId: string): Promise<boolean> {
  return (await findNews(on, userId)).has(userId);
}

const newest = {
  number: sqlType.text,
  reference: sqlType.text,
  email: sqlType.text,
  firstName: sqlType.text,
  kobo: sqlType.bigint,
  lines: sqlType.json<OrderLine[]>(),
  shipping: sqlType.json<ShippingDetails>(),
  carrier: sqlType.orNull(sqlType.text),
  orderedAt: sqlType.time,
  packedAt: sqlType.orNull(sqlType.time),
  fulfilledAt: sqlType.orNull(sqlType.time),
  readyAt: sqlType.orNull(sqlType.time),
  deliveredAt: sqlType.orNull(sqlType.time),
  returnedAt: sqlType.orNull(sqlType.time),
  hasRefunds: sqlType.bool,
  numbers: sqlType.orNull(sqlType.json<OrderedNumbers>()),
};
const newestSale = statement(
  { takes: { userId: sqlType.text }, gives: newest },
  `select a.number, s.reference, s.email, u.first_name, s.kobo, a.lines, s.shipping, s.carrier, s.created_at as ordered_at,
     s.packed_at, s.fulfilled_at, s.ready_at, s.delivered_at, s.returned_at,
     exists (select from refunds where refunds.reference = s.reference and refunds.state in ('open', 'sent', 'done')) as has_refunds, a.numbers
   from sales s join orders a on a.id = s.order_id join users u on u.id = s.user_id
   where s.user_id = :userId and ${IS_NEW}
   order by s.created_at desc limit 1`,
);

/** The home page's news for this shopper: the newest order, until its greeting is dismissed, and a pending transfer. */
export async function newsFor(on: Db, userId: string): Promise<News | null> {
  const [[sale], awaited] = await Promise.all([newestSale(on, { userId }), awaitedOrder(on, userId)]);
  if (!sale && !awaited) return null;
  return { sale: sale ? greetingOf(sale) : null, awaited: awaited ?? null };
}

function greetingOf({ number, reference, email, shipping, lines, ...sale }: RowOf<typeof newest>): News["sale"] {
  const numbers = ownNumbers(sale.numbers ?? {});
  const { stage, title, nextSteps } = progressNow({ ...sale, shipping, numbers });
  const isJustPaid = stage === "paid" && !sale.hasRefunds;
  const words = dayWords(new Date(), env.SHOP_TIMEZONE);
  return {
    title: isJustPaid ? thanks(sale.firstName) : title,
    number,
    reference,
    email: isJustPaid ? email : null,
    sum: formatKobo(kobo(Number(sale.kobo))),
    paid: words.since(sale.orderedAt),
    steps: nextSteps,
    pictures: picturesOf(lines),
  };
}

const MOST_PICTURES = 6;

/** Each picture once, with the product's title as its alternative text. */
function picturesOf(lines: OrderLine[]): ProductImage[] {
  const shown = lines.flatMap(({ image, title }) => (image ? [{ ...image, alt: title }] : []));
  return [...new Map(shown.map((image) => [image.hash, image])).values()].slice(0, MOST_PICTURES);
}

/**
 * Dismisses the greeting for an order and those for all earlier orders. Does nothing if the order is another shopper's.
 * Safe to repeat.
 */
export async function dismissGreeting(on: Db, userId: string, reference: string): Promise<void> {
  await dismiss(on, { userId, reference });
}

const dismiss = statement(
  { takes: { userId: sqlType.text, reference: sqlType.text }, gives: {} },
  `update sales set greeting_dismissed_at = now()
   where user_id = :userId and greeting_dismissed_at is null
     and created_at <= (select created_at from sales where reference = :reference and user_id = :userId)`,
);
