-- Sale prices: docs/decisions/056. The price in force stays products.price_cents; a plan stands beside it, in a table whose
-- changes do not make pages anew. The clock of the database decides when a price begins and ends.

alter table products
  add column normal_cents integer,
  add column old_cents integer,
  add column sale_until timestamptz,
  add column sale_final boolean not null default false,
  add column priced_at timestamptz;
comment on column products.price_cents is 'the price in force when it was last written; while a moment of the plan is due, price_at() knows better';
comment on column products.normal_cents is 'the price without a sale; null: no sale price is in force. It is written together with price_cents';
comment on column products.old_cents is 'shown struck beside the sale price: the lowest price of the 30 days before; null: that was not higher';
comment on column products.sale_until is 'when the sale price in force ends; null: it has no end, or there is none';
comment on column products.sale_final is 'the sale price in force makes it final sale';
comment on column products.priced_at is 'the moment at which the price in force was computed';
create index products_on_sale on products (in_stock desc, position, id) where old_cents is not null;

create table sale_prices (
  id uuid primary key default gen_random_uuid(),
  plan_id uuid not null,
  product_id text not null references products on delete cascade,
  price_cents integer check (price_cents > 0),
  percent integer check (percent between 1 and 99),
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  final_sale boolean not null default false,
  due_at timestamptz,
  created_at timestamptz not null default now(),
  check (num_nonnulls(price_cents, percent) = 1)
);
create index sale_prices_of_product on sale_prices (product_id, starts_at);
create index sale_prices_of_plan on sale_prices (plan_id, product_id);
create index sale_prices_due on sale_prices (due_at) where due_at is not null;
create index sale_prices_due_of_product on sale_prices (product_id, due_at) where due_at is not null;
comment on table sale_prices is 'The plan of sale prices. Of those that run, the lowest is in force. Ended ones stay: old prices are computed from them.';
comment on column sale_prices.plan_id is 'what was set in one step';
comment on column sale_prices.percent is 'so much less than the normal price of that moment';
comment on column sale_prices.ends_at is 'the first moment at which it is over; null: it has no end';
comment on column sale_prices.due_at is 'the next moment at which it changes the price in force; null: there is none. Written by a trigger, moved on when products are priced';

create table price_history (
  product_id text not null references products on delete cascade,
  at timestamptz not null,
  price_cents integer,
  primary key (product_id, at)
);
comment on table price_history is 'The price in force of each product from a moment on. Written by a trigger, whoever changes a price.';
comment on column price_history.price_cents is 'null: the product is hidden, and has no price that anybody could pay';

-- A plan counts from the moment that it is written, not from an earlier one.
create function plan_sale_price() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.due_at := greatest(new.starts_at, clock_timestamp());
  elsif old.due_at is null or old.due_at >= old.ends_at then -- it has begun
    new.due_at := case when new.ends_at is not null then greatest(new.ends_at, clock_timestamp()) end;
  end if;
  return new;
end $$;
create trigger plan_sale_price before insert or update of ends_at on sale_prices
  for each row execute function plan_sale_price();

-- The lowest price in force of the 30 days before a moment, of all days on which the product was shown.
create function lowest_price_before(of_product text, moment timestamptz) returns integer
language plpgsql stable set enable_seqscan = off as $$
begin
  return (
    select min(price_cents) from price_history
    where product_id = of_product and at < moment and at >= coalesce(
      (select max(at) from price_history where product_id = of_product and at <= moment - interval '720 hours'), '-infinity')
  );
end $$;

-- What a product costs at a moment, by its plan. A sale that begins less than a day after another is the same sale: its old
-- price is that of the first.
create function price_at(of_product text, normal integer, moment timestamptz,
  out price_cents integer, out normal_cents integer, out old_cents integer, out sale_until timestamptz, out sale_final boolean)
language plpgsql stable set enable_seqscan = off as $$
declare
  began timestamptz;
begin
  select greatest(1, coalesce(s.price_cents, (normal::bigint * (100 - s.percent) / 100)::integer)) as price, s.ends_at, s.final_sale
  into price_cents, sale_until, sale_final
  from sale_prices s
  where s.product_id = of_product and s.starts_at <= moment and (s.ends_at is null or s.ends_at > moment)
  order by price, s.final_sale, s.ends_at desc nulls first limit 1;
  if price_cents is null or price_cents >= normal then
    price_cents := normal;
    sale_until := null;
    sale_final := false;
    return;
  end if;
  normal_cents := normal;
  select max(s.starts_at) into began from sale_prices s
  where s.product_id = of_product and s.starts_at <= moment and not exists (
    select from sale_prices e
    where e.product_id = of_product and e.starts_at < s.starts_at
      and (e.ends_at is null or e.ends_at > s.starts_at - interval '24 hours')
  );
  old_cents := lowest_price_before(of_product, began);
  if old_cents <= price_cents then
    old_cents := null;
  end if;
end $$;

-- Whoever writes a price writes the normal one, with or without normal_cents: an import and the version before, too. A
-- product whose plan is due is priced by writing priced_at; a moment before the last one counts as that one, so that
-- pricing a product twice, or late, changes nothing.
create function price_product() returns trigger language plpgsql as $$
declare
  normal integer := case
    when tg_op = 'INSERT' then coalesce(new.normal_cents, new.price_cents)
    when new.normal_cents <> coalesce(old.normal_cents, old.price_cents) then new.normal_cents
    when new.price_cents <> old.price_cents then new.price_cents
    else coalesce(old.normal_cents, old.price_cents)
  end;
begin
  new.priced_at := case when tg_op = 'UPDATE' and new.priced_at is distinct from old.priced_at
    then greatest(new.priced_at, old.priced_at) else clock_timestamp() end;
  select * into new.price_cents, new.normal_cents, new.old_cents, new.sale_until, new.sale_final
  from price_at(new.id, normal, new.priced_at);
  return new;
end $$;
create trigger price_product before insert or update of price_cents, normal_cents, priced_at on products
  for each row execute function price_product();

create function record_price() returns trigger language plpgsql as $$
begin
  insert into price_history (product_id, at, price_cents)
  values (
    new.id,
    case when tg_op = 'UPDATE' and old.hidden <> new.hidden then clock_timestamp() else new.priced_at end,
    case when not new.hidden then new.price_cents end
  ) on conflict (product_id, at) do update set price_cents = excluded.price_cents;
  return null;
end $$;
create trigger record_first_price after insert on products for each row execute function record_price();
create trigger record_price after update on products for each row
  when (old.hidden <> new.hidden or (not new.hidden and old.price_cents <> new.price_cents)) execute function record_price();

-- Prices before this version, from what staff have changed. Of a product that is hidden it is not known whether it was ever
-- shown.
lock table products in share row exclusive mode; -- they can be read
insert into price_history (product_id, at, price_cents)
select p.id, changed.at, round((changed.after ->> 'price')::numeric * 100)::integer
from products p join audit_log changed on changed.subject_kind = 'product' and changed.subject_id = p.id
where not p.hidden and changed.at > p.created_at
  and jsonb_typeof(changed.before -> 'price') = 'number' and jsonb_typeof(changed.after -> 'price') = 'number'
on conflict do nothing;
insert into price_history (product_id, at, price_cents)
select p.id, p.created_at, coalesce(first.price_cents, p.price_cents)
from products p left join lateral (
  select round((before ->> 'price')::numeric * 100)::integer as price_cents from audit_log
  where subject_kind = 'product' and subject_id = p.id and at > p.created_at
    and jsonb_typeof(before -> 'price') = 'number' and jsonb_typeof(after -> 'price') = 'number'
  order by audit_log.id limit 1
) first on true
where not p.hidden;
insert into price_history (product_id, at) select id, now() from products where hidden;
