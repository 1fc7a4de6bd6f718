import { ask } from "./ask-database.ts";
import type { RunningShop } from "./running-shop.ts";
import { ownerUrl } from "./running-shop.ts";

const PRODUCT = "unity-home-jersey";

/**
 * Statements that write `count` sales of two jerseys each straight into the tables, one every half hour up to now. All
 * are paid; the newest `unsent` are not sent off yet. Every seventh is picked up, every eleventh goes abroad. With
 * `first`, sales with lower numbers may exist already.
 */
export function pastSales(count: number, unsent = count, { product = PRODUCT, first = 1 } = {}): string[] {
  const id = (n: string) => `('00000000-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  const at = "now() - n * interval '30 min'";
  const all = `generate_series(${first}, ${first + count - 1}) n`;
  const shipping = `jsonb_build_object(
    'firstName', (array['Ada','Bisi','Chidi','Dayo','Emeka','Funmi','Grace'])[1 + n % 7], 'lastName', (array['Obi','Bello','Eze','Musa','Sani'])[1 + n % 5] || n,
    'email', 'shopper' || n || '@example.com', 'phoneNumber', '0803' || lpad(n::text, 7, '0'),
    'country', case when n % 11 = 0 then 'Ghana' else 'Nigeria' end,
    'deliveryType', case when n % 11 = 0 then '' when n % 7 = 0 then 'Pick-up' else 'Home Delivery' end, 'shippingCost', '3.50', 'shippingRate', '3.50',
    'address', case when n % 7 = 0 and n % 11 <> 0 then '' else n || ' Broad Street' end, 'apartment', '', 'city', case when n % 11 = 0 then 'Accra' else '' end,
    'state', case when n % 7 = 0 or n % 11 = 0 then '' else (array['Lagos','Kano','Oyo','Enugu'])[1 + n % 4] end,
    'localGovernment', '', 'landmark', '', 'postalCode', '', 'pickupCenter', case when n % 7 = 0 and n % 11 <> 0 then 'Yaba' else '' end)`;
  return [
    `insert into orders (id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo, expires_at, created_at)
     select ${id("n")}, 'sold', 1, 'shopper' || n || '@example.com', ${shipping},
       jsonb_build_array(jsonb_build_object('productId', p.id, 'title', p.title, 'color', p.color, 'size', 'M', 'quantity', 2, 'priceCents', 4999, 'image', p.images -> 0)),
       9998, 350, 10348, 1600, ${at}, 16556800, ${at}, ${at} from ${all}, products p where p.id = '${product}'`,
    `insert into payments (reference, order_id, state, kobo, paid_kobo, paid_currency, created_at, paid_at)
     select 'past-sale-' || lpad(n::text, 10, '0'), ${id("n")}, 'paid', 16556800, 16556800, 'NGN', ${at}, ${at} from ${all}`,
    `insert into sales (id, order_id, reference, email, shipping, subtotal_cents, shipping_cents, total_cents, rate, kobo, fulfilled_at, created_at)
     select o.id::text, o.id, 'past-sale-' || lpad(n::text, 10, '0'), o.email, o.shipping, 9998, 350, 10348, 1600, 16556800,
       case when n > ${unsent} then ${at} + interval '1 day' end, o.created_at from ${all} join orders o on o.id = ${id("n")}`,
    `insert into sale_lines (sale_id, position, product_id, title, color, size, quantity, price_cents)
     select ${id("n")}::text, 0, '${product}', 'Unity', 'Green', 'M', 2, 4999 from ${all}`,
    `update product_sizes set supplied = supplied + ${2 * count}, sold = sold + ${2 * count} where product_id = '${product}' and size = 'M'`,
  ];
}

export async function addPastSales(shop: RunningShop, count: number): Promise<void> {
  for (const statement of pastSales(count)) await ask(ownerUrl(shop), statement);
}
