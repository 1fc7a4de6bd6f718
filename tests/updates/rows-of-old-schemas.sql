-- Somebody who has bought one piece, sent off, and a second order whose money went back: in columns that every schema since 22 November 2026 has.
insert into users (id, email, email_verified, first_name, last_name) values ('u1', 'ada@example.com', true, 'Ada', 'Obi');
insert into accounts (user_id, account_id, provider_id, password) values ('u1', 'u1', 'credential', 'hash');
insert into products (id, title, color, price_cents) values ('rings-tee', 'Rings Tee', 'Black', 2500);
insert into product_sizes (product_id, size, supplied) values ('rings-tee', 'M', 10);
insert into carts (user_id) values ('u1');
insert into cart_lines (user_id, product_id, size, color, quantity, price_cents) values ('u1', 'rings-tee', 'M', 'Black', 1, 2500);
insert into exchange_rates (rate, source) values (1600, 'test');
insert into orders (id, user_id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo, expires_at)
select id::uuid, 'u1', state, 1, 'ada@example.com', '{"firstName": "Ada", "lastName": "Obi", "phoneNumber": "08031234567", "country": "Nigeria"}',
  '[{"productId": "rings-tee", "title": "Rings Tee", "color": "Black", "size": "M", "quantity": 1, "priceCents": 2500, "image": null}]',
  2500, 500, 3000, 1600, now(), 4800000, now()
from (values ('00000000-0000-4000-8000-000000000001', 'sold'), ('00000000-0000-4000-8000-000000000002', 'refunded')) as orders (id, state);
insert into payments (reference, order_id, state, kobo, provider_status, paid_kobo, paid_currency, paid_at)
values ('0123456789abcdef01', '00000000-0000-4000-8000-000000000001', 'paid', 4800000, 'success', 4800000, 'NGN', now()),
  ('0123456789abcdef02', '00000000-0000-4000-8000-000000000002', 'refused', 4800000, 'success', 4800000, 'NGN', now());
insert into sales (id, order_id, reference, user_id, email, shipping, subtotal_cents, shipping_cents, total_cents, rate, kobo, fulfilled_at)
select '00000000-0000-4000-8000-000000000003', id, '0123456789abcdef01', user_id, email, shipping, subtotal_cents, shipping_cents, total_cents, rate, kobo, now()
from orders where state = 'sold';
insert into sale_lines (sale_id, position, product_id, title, color, size, quantity, price_cents)
select id, 0, 'rings-tee', 'Rings Tee', 'Black', 'M', 1, 2500 from sales;
update product_sizes set sold = 1;
insert into refunds (reference, kobo, reason, state, provider_id) values ('0123456789abcdef02', 4800000, 'out-of-stock', 'done', '77');
insert into outbox (idempotency_key, recipient, kind, data, message_id, state)
values ('sale:00000000-0000-4000-8000-000000000003', 'ada@example.com', 'order-confirmation', '{}', '<1@example.com>', 'sent'),
  ('refund:0123456789abcdef02', 'ada@example.com', 'refund-started', '{}', '<2@example.com>', 'sent'),
  ('refund-done:0123456789abcdef02', 'ada@example.com', 'refund-done', '{}', '<3@example.com>', 'sent');
