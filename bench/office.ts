import { randomUUID } from "node:crypto";
import { freePort } from "#tests/support/free-port.ts";
import { pastSales } from "#tests/support/past-sales.ts";
import { ask, eachOnce, type Figure } from "./measure.ts";
import { type BenchShop, withShop } from "./shop.ts";

const ORDERS = 100_000;
const UNSENT = 200;
/** The number of sales of one product. Another product has all the others. */
const OF_ONE = 1_000;
const CUSTOMERS = 20_000;
/** The number of orders that have a return. */
const RETURNS = 5_000;
const PRODUCTS = 20_000;
const EACH = 100;
const MOST = 150; // ms

/**
 * The lists of the back office, requested as the router does: the newest page, and searches and filters, some of which
 * find little.
 */
const LISTS: Record<string, string> = {
  "orders: all": "/orders.data",
  "orders: to send": "/orders.data?view=to-send",
  "orders: to send, the oldest first": "/orders.data?view=to-send&sort=oldest",
  "orders: the oldest first": "/orders.data?sort=oldest",
  "orders: abroad": "/orders.data?view=abroad",
  "orders: need a person": "/orders.data?view=person",
  "orders: by name": "/orders.data?q=bello77",
  "orders: by a name that many have": "/orders.data?q=ada",
  "orders: by phone": "/orders.data?q=08030000777",
  "orders: by address": "/orders.data?q=shopper777%40example.com",
  "orders: by reference": "/orders.data?q=past-sale-0000000777",
  "orders: found by nothing": "/orders.data?q=zzzz",
  "orders: of a rare state": "/orders.data?state=refunding",
  "orders: of a rare country": "/orders.data?country=Togo",
  "orders: not sent": "/orders.data?sent=no",
  "orders: picked up": "/orders.data?delivery=pick-up",
  "orders: of a day long ago": "/orders.data?from=2024-06-01&until=2024-06-02",
  "returns: open": "/returns.data",
  "returns: closed": "/returns.data?view=closed",
  "returns: overdue": "/returns.data?view=overdue",
  "returns: the oldest first": "/returns.data?view=all&sort=oldest",
  "returns: by name": "/returns.data?view=all&q=bello77",
  "customers: all": "/customers.data",
  "customers: the oldest first": "/customers.data?sort=oldest",
  "customers: by name": "/customers.data?q=bello777",
  "customers: by a name that many have": "/customers.data?q=ada",
  "customers: by phone": "/customers.data?q=08030000777",
  "customers: not bought": "/customers.data?bought=no",
  "products: all": "/products.data",
  "products: by words": "/products.data?q=bench+shirt+777",
  "products: sold out": "/products.data?view=sold-out",
  "products: by price": "/products.data?sort=price",
  "payments: all": "/money/payments.data",
  "payments: by reference": "/money/payments.data?q=past-sale-0000000777",
  "payments: of a rare state": "/money/payments.data?state=refused",
  "payments: the provider says otherwise": "/money/payments.data?differing=yes",
  "stock: all": "/products/stock.data",
  "stock: by title, the second page": `/products/stock.data?sort=title&before=${encodeURIComponent("bench shirt 100~bench-100")}`,
  "stock: sold out": "/products/stock.data?view=out",
  "stock: nearly out": "/products/stock.data?view=few",
  "stock: by words": "/products/stock.data?q=bench+shirt+777",
  "stock: of a kind": "/products/stock.data?kind=accessories",
  "stock: found by nothing": "/products/stock.data?q=zzzz",
  "newsletter: a year": "/newsletter.data?days=364",
  "newsletter: by address": "/newsletter.data?q=shopper777%40",
};

const CATALOGUE = [
  `insert into products (id, title, color, price_cents, kinds, position)
   select 'bench-' || n, 'Bench Shirt ' || n, 'Green', 4999, '{tees}', n from generate_series(1, ${PRODUCTS}) n`,
  `insert into product_sizes (product_id, size, supplied)
   select 'bench-' || n, size, (n * 7 + ascii(size)) % 40 from generate_series(1, ${PRODUCTS}) n, unnest(array['S','M','L','XL','XXL']) size`,
];

/**
 * Adds accounts for some of the orders, half of them with the newsletter, and returns, of which the newest are open.
 */
const AROUND = [
  `insert into users (id, email, first_name, last_name, created_at)
   select 'customer-' || n, 'shopper' || n || '@example.com', (array['Ada','Bisi','Chidi','Dayo','Emeka','Funmi','Grace'])[1 + n % 7],
     (array['Obi','Bello','Eze','Musa','Sani'])[1 + n % 5] || n, now() - n * interval '30 min' from generate_series(1, ${CUSTOMERS}) n`,
  "update orders set user_id = users.id from users where users.email = orders.email",
  "update sales set user_id = users.id from users where users.email = sales.email",
  `insert into subscriptions (first_name, email, created_at)
   select first_name, email, created_at from users where right(id, 1) < '5'`,
  `insert into returns (reference, state, reason, wish, asked_at, decided_at, received_at, ended_at)
   select reference, case when n <= 40 then 'asked' when n <= 80 then 'received' else 'declined' end, 'size', 'money', at, at,
     case when n <= 80 then at end, case when n > 80 then at end
   from (select reference, created_at as at, row_number() over (order by created_at desc) as n from sales where fulfilled_at is not null) sold
   where n <= ${RETURNS}`,
  `insert into return_pieces (return_id, product_id, size, quantity)
   select returns.id, product_id, size, 1 from returns join sales using (reference) join sale_lines on sale_id = sales.id`,
];

/** Measures the office's lists with many orders, all sent off except the newest. */
export async function office(): Promise<Figure[]> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  return withShop(
    async (shop) => {
      const ofOne = pastSales(OF_ONE, 0, { product: "rings-tee", first: ORDERS - OF_ONE + 1 });
      for (const statement of [...pastSales(ORDERS - OF_ONE, UNSENT), ...ofOne]) await shop.sql(statement);
      for (const statement of [...AROUND, ...CATALOGUE]) await shop.sql(statement);
      await shop.sql("vacuum analyze");
      await shop.sql("checkpoint");
      const cookie = await signIn(shop, randomUUID());
      const [{ number }] = (await shop.sql("select number from orders order by created_at desc limit 1 offset 50000"))
        .rows as [{ number: string }];
      const figures: Figure[] = [];
      for (const [name, path] of Object.entries({
        ...LISTS,
        "one order": `/orders/${number}.data`,
        "stock: what happened to a product": "/products/rings-tee/stock.data",
      })) {
        const { p95, failed } = await eachOnce(Array.from({ length: EACH }), 2, async () => {
          const { status } = await ask(url + path, { cookie });
          if (status !== 200) throw new Error(`${path} answers ${status}`);
        });
        if (failed > 0) throw new Error(`${path} failed ${failed} times`);
        figures.push({ name: `${name}: p95`, value: p95, unit: "ms", bar: { max: MOST } });
      }
      return figures;
    },
    { OFFICE_PORT: String(port) },
  );
}

/** Writes a staff member's session straight into the tables. */
async function signIn({ sql }: BenchShop, token: string): Promise<string> {
  await sql("insert into staff (email, role, joined_at) values ('bench@example.com', 'owner', now())");
  await sql(
    `insert into staff_sessions (token_hash, staff_id, device)
     select sha256(convert_to($1, 'UTF8')), id, 'bench' from staff where email = 'bench@example.com'`,
    [token],
  );
  return `irepo.office=${token}`;
}
