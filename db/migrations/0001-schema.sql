-- Sums: prices are whole US cents, charges are whole kobo (hundredths of a naira), rates are exact decimals (naira for one dollar).
-- Errors of the shop's own: IR001, a statement found less than it needs and is undone; IR002, a row that must stay as it is.

-- Accounts

-- The words by which staff find a shopper: the address, and the names without accents.
create function customer_words(email text, first_name text, last_name text) returns tsvector language sql immutable as $$
  select array_to_tsvector(array_remove(string_to_array(lower(concat_ws(' ',
    email, regexp_replace(normalize(concat_ws(' ', first_name, last_name), NFD), '[\u0300-\u036f]', '', 'g')
  )), ' '), ''))
$$;

create table users (
  id text primary key,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  first_name text not null default '',
  last_name text not null default '',
  names_changed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  words tsvector not null generated always as (customer_words(email, first_name, last_name)) stored
);
create index users_newest on users (created_at desc, id desc);
create index users_found on users using gin (words);
comment on table users is 'A shopper with an account.';
comment on column users.names_changed_at is 'when the shopper last chose the names in the settings; from then on a sign-in by Google keeps them';

create table accounts (
  user_id text not null references users on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (provider_id, account_id)
);
create index on accounts (user_id);
comment on table accounts is 'A way in which a user signs in.';
comment on column accounts.provider_id is 'credential (a password) or google';
comment on column accounts.account_id is 'the user''s id at that provider; for a password that of users';
comment on column accounts.password is 'an argon2id hash with its parameters';

create table sessions (
  token_hash bytea primary key,
  id uuid not null unique default gen_random_uuid(),
  user_id text not null references users on delete cascade,
  device text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create index on sessions (user_id);
comment on table sessions is 'A browser in which a user is signed in.';
comment on column sessions.token_hash is 'SHA-256 of the token in the cookie';
comment on column sessions.id is 'names the session to its user, who may end it';

create table open_id_states (
  state_hash bytea primary key,
  kept jsonb not null,
  expires_at timestamptz not null
);
comment on table open_id_states is 'A sign-in by Google between its beginning and its end.';

create table link_codes (
  user_id text not null references users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  code_hash bytea primary key,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index on link_codes (user_id, purpose);
create index on link_codes (expires_at);
comment on table link_codes is 'A code behind a link in a mail. The newest two of a purpose are good at once; older ones stay for a while, so that whoever opens one is told that it is old.';
comment on column link_codes.code_hash is 'SHA-256 of the code';

create unlogged table rate_limits (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index on rate_limits (resets_at);
comment on table rate_limits is 'How often something was tried in the window that ends at resets_at. Unlogged: after a crash everybody may try again.';

-- Catalogue

-- Made before the products: a restored backup fills the tables in this order.
create table search_words (word text primary key);
comment on table search_words is 'The words of titles and colours, against which the spelling of a search is looked up. Words of products that have gone stay.';

create table products (
  id text primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$'),
  title text not null check (title <> ''),
  color text not null,
  description text not null default '',
  price_cents integer not null check (price_cents > 0),
  kinds text[] not null default '{}' check (kinds <@ '{jerseys,tees,prints,accessories}'),
  final_sale boolean not null default false,
  details jsonb not null default '{}',
  images jsonb not null default '[]',
  position integer not null default 0,
  in_stock boolean not null default false,
  hidden boolean not null default false,
  publish_at timestamptz check (publish_at is null or hidden),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search tsvector not null generated always as
    (setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', color), 'B') || array_to_tsvector(kinds)) stored
);
create index products_of_kind on products using gin (kinds) with (fastupdate = off);
create index products_search on products using gin (search) with (fastupdate = off);
create index products_listed on products (in_stock desc, position, id);
create index products_in_order on products (position, id) where not hidden;
create index products_listed_by_price on products (in_stock desc, price_cents, position, id);
create index products_listed_by_price_down on products (in_stock desc, price_cents desc, position, id);
create index products_to_publish on products (publish_at) where publish_at is not null;
create index products_listed_of_color on products (color, in_stock desc, position, id);
comment on column products.kinds is 'what the shop page groups it under, such as jerseys and prints; it may be of several';
comment on column products.final_sale is 'it cannot be returned';
comment on column products.details is '{fabric, fit, back, care, origin}, each a sentence or two, or missing';
comment on column products.images is '[{hash, width, height, alt, background, focus}], the first one is the cover; focus, where there is one, is what a crop keeps: "30% 70%" from the left and the top';
comment on column products.in_stock is 'whether any size can be bought; written by a trigger, so that an index lists sold-out products last';
comment on column products.search is 'the words by which it is found';
comment on column products.hidden is 'neither shown nor sold; orders and carts that name it keep it';
comment on column products.publish_at is 'when it stops being hidden by itself; a trigger takes it away from what is shown';

create function forget_publish_at() returns trigger language plpgsql as $$
begin
  new.publish_at := null;
  return new;
end $$;
create trigger forget_publish_at before update on products
  for each row when (not new.hidden and new.publish_at is not null) execute function forget_publish_at();

-- In one order: two imports at once do not wait for each other crosswise.
create function learn_words() returns trigger language plpgsql as $$
begin
  insert into search_words
  select distinct word from regexp_split_to_table(lower(new.title || ' ' || new.color), '[^a-z\u00c0-\u1fff]+') word
  where length(word) > 2 order by word
  on conflict do nothing;
  return null;
end $$;
create trigger learn_words after insert or update of title, color on products
  for each row execute function learn_words();

create table product_sizes (
  product_id text not null references products on delete cascade,
  size text not null check (size in ('S', 'M', 'L', 'XL', 'XXL', 'ONE')),
  supplied integer not null check (supplied >= 0),
  sold integer not null default 0 check (sold >= 0),
  reserved integer not null default 0,
  on_hand integer not null generated always as (supplied - sold) stored,
  changed_at timestamptz not null default now(),
  primary key (product_id, size),
  constraint stock_never_oversold check (reserved >= 0 and reserved <= supplied - sold)
);
comment on table product_sizes is 'The stock of one size of a product.';
comment on column product_sizes.size is 'ONE for an accessory without sizes';
comment on column product_sizes.supplied is 'every unit that was ever put into stock';
comment on column product_sizes.sold is 'every unit that has left with a sale, or in exchange for another size';
comment on column product_sizes.reserved is 'units that live orders and approved exchanges hold';
comment on column product_sizes.changed_at is 'when on_hand last changed; a number that was written down before is an old one';

create function record_stock_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end $$;
create trigger record_stock_change before update on product_sizes
  for each row when (old.supplied - old.sold <> new.supplied - new.sold) execute function record_stock_change();

create function update_in_stock() returns trigger language plpgsql as $$
declare
  changed text := coalesce(new.product_id, old.product_id);
begin
  -- Locked first, looked at then: of two transactions that sell out the last two sizes, the second sees what the first has done.
  perform from products where id = changed for no key update;
  update products set in_stock = not in_stock
  where id = changed
    and in_stock <> exists (select from product_sizes where product_id = changed and on_hand > reserved);
  return null;
end $$;
create trigger update_in_stock after insert or delete on product_sizes
  for each row execute function update_in_stock();
create trigger update_in_stock_again after update on product_sizes
  for each row when ((old.on_hand > old.reserved) <> (new.on_hand > new.reserved)) execute function update_in_stock();

create table stock_alerts (
  id uuid primary key default gen_random_uuid(),
  product_id text not null,
  size text not null,
  email text not null check (email = lower(email)),
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (product_id, size, email),
  foreign key (product_id, size) references product_sizes on delete cascade
);
comment on table stock_alerts is 'An address that wants one mail when a sold-out size is back; gone with that mail. No consent to anything else.';
comment on column stock_alerts.confirmed_at is 'null: a mail has asked whether the address is meant';

-- Carts

create table carts (
  user_id text primary key references users on delete cascade,
  version bigint not null default 0,
  updated_at timestamptz not null default now()
);
comment on column carts.version is 'counted up by each change';

create table cart_lines (
  user_id text not null references carts on delete cascade,
  product_id text not null references products on delete cascade,
  size text not null,
  color text not null,
  quantity integer not null check (quantity between 1 and 999999),
  price_cents integer not null,
  added_at timestamptz not null default now(),
  idempotency_key uuid,
  primary key (user_id, product_id, size, color)
);
comment on column cart_lines.price_cents is 'as last shown to the shopper, to say what has changed since';
comment on column cart_lines.idempotency_key is 'of the last addition: one whose answer was lost is asked for again under the same key, and added once';

create table cart_merges (
  user_id text not null references users on delete cascade,
  merge_id text not null,
  lines jsonb not null,
  merged_at timestamptz not null default now(),
  primary key (user_id, merge_id)
);
comment on table cart_merges is 'A guest''s cart that was merged into an account: no unit of it is added twice.';
comment on column cart_merges.lines is '[{productId, size, color, quantity}], what has been counted of it';

-- Rates and delivery

create table exchange_rates (
  id bigint generated always as identity primary key,
  rate numeric(14, 6) not null check (rate > 0),
  source text not null,
  set_by text,
  fetched_at timestamptz not null default now()
);
comment on table exchange_rates is 'Naira for one dollar; the newest row is in force.';
comment on column exchange_rates.source is 'the host of the service that it was asked of, or owner: set by hand';
comment on column exchange_rates.set_by is 'who set it by hand, as the audit log names them';

create table shipping_rates (
  kind text not null check (kind in ('state', 'pickup', 'country')),
  name text not null,
  rate_cents integer not null check (rate_cents >= 0),
  details jsonb not null default '{}',
  primary key (kind, name)
);
comment on column shipping_rates.name is 'a state, a pick-up centre or an ISO 3166 alpha-2 country code';
comment on column shipping_rates.details is 'of a pick-up centre: {address, landmark, hours, bring, state}; bring: what a shopper shows there';

-- Orders: an order reserves stock, a payment pays it, and it becomes a sale.

-- Each step maps the whole numbers below 2^30 onto themselves, one to one: no two orders get the same number, and none tells which was the one before.
-- The letters are Crockford's 32, of which none looks like another.
create function order_number(counted integer) returns text language plpgsql immutable strict as $$
declare
  mixed bigint := counted;
  letters text := '';
begin
  if counted not between 0 and 1073741823 then
    raise exception 'there are no more order numbers' using errcode = 'numeric_value_out_of_range';
  end if;
  mixed := mixed * 668265263 % 1073741824;
  mixed := mixed # (mixed >> 15);
  mixed := mixed * 374761393 % 1073741824;
  mixed := mixed # (mixed >> 15);
  for place in 0..5 loop
    letters := letters || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (mixed >> 5 * place & 31)::integer + 1, 1);
  end loop;
  return 'IR-' || left(letters, 4) || '-' || right(letters, 2);
end $$;

-- The words by which staff find an order: its number, with and without hyphens, the address, the names without accents, the phone's digits as they
-- were typed, of Nigeria with 0 in place of the country, and the last nine, which are the same in all ways to write it.
create function order_words(number text, email text, shipping jsonb) returns tsvector language plpgsql immutable as $$
declare
  digits text := regexp_replace(shipping ->> 'phoneNumber', '\D', '', 'g');
begin
  return array_to_tsvector(array_remove(string_to_array(lower(concat_ws(' ', number, replace(number, '-', ''), email,
    regexp_replace(normalize(concat_ws(' ', shipping ->> 'firstName', shipping ->> 'lastName'), NFD), '[\u0300-\u036f]', '', 'g'),
    digits, regexp_replace(digits, '^(00)?2340?', '0'), right(digits, 9)
  )), ' '), ''));
end $$;

create table orders (
  id uuid primary key default gen_random_uuid(),
  counted integer not null generated always as identity,
  number text not null unique generated always as (order_number(counted)) stored,
  user_id text references users on delete set null,
  state text not null check (state in ('open', 'waiting', 'released', 'sold', 'refunding', 'refunded')),
  cart_version bigint not null,
  email text not null,
  shipping jsonb not null,
  lines jsonb not null,
  subtotal_cents integer not null check (subtotal_cents >= 0),
  shipping_cents integer not null check (shipping_cents >= 0),
  total_cents integer not null check (total_cents = subtotal_cents + shipping_cents),
  rate numeric(14, 6) not null check (rate > 0),
  rate_at timestamptz not null,
  kobo bigint not null check (kobo > 0 and kobo % 100 = 0),
  holds_stock boolean not null default true,
  expires_at timestamptz not null,
  released_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  words tsvector not null generated always as (order_words(order_number(counted), email, shipping)) stored
);
create index orders_newest on orders (created_at desc, id desc);
create index orders_found on orders using gin (words);
create unique index orders_one_live_per_user on orders (user_id) where state in ('open', 'waiting');
create index orders_of_rare_state on orders (state, created_at desc, id desc) where state in ('waiting', 'refunding', 'refunded');
create index orders_abroad on orders ((shipping ->> 'country'), created_at desc, id desc) where shipping ->> 'country' <> 'Nigeria';
create index orders_of_user on orders (user_id, created_at desc);
-- Only those that were never sold, or whose money goes back: a checkout and a sale have no part in it.
create index orders_over_of_product on orders using gin (jsonb_path_query_array(lines, '$[*].productId'))
  where state in ('released', 'refunding', 'refunded');
comment on table orders is 'What a shopper has pressed Pay for, with the prices, the rate and the delivery of that moment. app/orders/state.ts says what may happen to it.';
comment on column orders.number is 'what people call it, such as IR-7K3M-2Q; it opens nothing';
comment on column orders.shipping is 'the fields of the shipping form, and what delivery costs';
comment on column orders.lines is '[{productId, title, color, size, quantity, priceCents, image}]';
comment on column orders.holds_stock is 'false: its pieces are taken from stock when it is paid';
comment on column orders.expires_at is 'until then its stock is reserved';
comment on column orders.released_at is 'a payment that was made after it is no longer bound to these sums';

create table order_notes (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  author text not null,
  text text not null check (text <> ''),
  written_at timestamptz not null default now()
);
create index on order_notes (order_id);
comment on table order_notes is 'What staff have written down about an order, for one another.';
comment on column order_notes.id is 'of the form that it was written in: sent twice, it is one note';

create table reservations (
  order_id uuid not null references orders on delete cascade,
  product_id text not null,
  size text not null,
  quantity integer not null check (quantity > 0),
  primary key (order_id, product_id, size),
  foreign key (product_id, size) references product_sizes
);
comment on table reservations is 'Stock that a live order holds.';

create table payments (
  reference text primary key check (reference ~ '^[A-Za-z0-9.=-]{16,64}$'),
  order_id uuid not null references orders,
  state text not null check (state in ('created', 'pending', 'paid', 'unpaid', 'refused')),
  kobo bigint not null,
  access_code text,
  authorization_url text,
  provider_id text,
  provider_status text,
  paid_kobo bigint,
  paid_currency text,
  paid_at timestamptz,
  awaited_since timestamptz,
  refunding_kobo bigint not null default 0,
  refunded_kobo bigint not null default 0,
  provider_refunded_kobo bigint,
  checks integer not null default 0,
  next_check_at timestamptz,
  leased_until timestamptz,
  webhook_at timestamptz,
  traceparent text,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  differs boolean not null generated always as (
    coalesce(paid_currency <> 'NGN' or paid_kobo < kobo, false)
    or (refunding_kobo = 0 and coalesce(provider_refunded_kobo <> refunded_kobo, false))
  ) stored,
  constraint refunds_never_exceed_payment
    check (refunding_kobo >= 0 and refunded_kobo >= 0 and refunding_kobo + refunded_kobo <= coalesce(paid_kobo, kobo))
);
create index payments_due on payments (next_check_at) where next_check_at is not null;
create index on payments (order_id);
create index payments_differing on payments (order_id) where differs;
create index payments_at_provider on payments (provider_id) where provider_id is not null;
comment on table payments is 'A transaction at the payment provider, written down before the provider hears of it.';
comment on column payments.reference is 'the shop''s own name of it, at the provider too';
comment on column payments.access_code is 'opens the provider''s popup';
comment on column payments.awaited_since is 'since when the provider says that the money is on its way; null while it does not say so';
comment on column payments.refunding_kobo is 'on its way back';
comment on column payments.refunded_kobo is 'has gone back';
comment on column payments.provider_refunded_kobo is 'has gone back, as the provider last told it';
comment on column payments.checks is 'how often the provider was asked about it';
comment on column payments.next_check_at is 'null: nothing is left to ask the provider';
comment on column payments.differs is 'less was paid, or another sum has gone back, than the provider last said; more may be paid, with its fees, and one alone may tell of what is on its way back';
comment on column payments.traceparent is 'the trace in which it was opened, as W3C''s Trace Context writes it; null where nothing was traced';
comment on column payments.leased_until is 'until then one process alone opens it';
comment on column payments.webhook_at is 'it is watched for three days from its creation, and again from each webhook about it';

create table sales (
  id text primary key default gen_random_uuid(),
  order_id uuid not null unique references orders,
  reference text not null unique references payments,
  user_id text references users on delete set null,
  status text not null default 'completed' check (status in ('completed', 'refunding', 'refunded')),
  imported_status text,
  email text not null,
  shipping jsonb not null,
  subtotal_cents integer not null,
  shipping_cents integer not null,
  total_cents integer not null check (total_cents = subtotal_cents + shipping_cents),
  rate numeric(14, 6) not null,
  kobo bigint not null,
  fees_kobo bigint check (fees_kobo >= 0),
  packed_at timestamptz,
  fulfilled_at timestamptz,
  carrier text,
  tracking text,
  ready_at timestamptz,
  delivered_at timestamptz,
  returned_at timestamptz,
  greeting_dismissed_at timestamptz,
  created_at timestamptz not null default now()
);
create index on sales (user_id, created_at desc);
create index sales_here on sales (created_at) where fulfilled_at is null and ready_at is null;
create index sales_by_day on sales (created_at);
comment on table sales is 'A paid order. Rows stay, and so do their sums; what may change is how it goes on, and whose it was once the shopper is to be forgotten.';
comment on column sales.id is 'a UUID, or what the shop called it from which it was imported';
comment on column sales.imported_status is 'what that shop said of it where that is neither completed nor refunded: it is shown so';
comment on column sales.fees_kobo is 'what the provider keeps of it, as it said when it was paid; null where it did not say';
comment on column sales.fulfilled_at is 'when it left the shop: sent off, or picked up';
comment on column sales.ready_at is 'since when it waits at its pick-up centre';
comment on column sales.greeting_dismissed_at is 'when its shopper has put away what the home page says of it';

create table sale_lines (
  sale_id text not null references sales,
  position integer not null,
  product_id text not null,
  title text not null,
  color text not null,
  size text not null,
  quantity integer not null check (quantity > 0),
  price_cents integer not null,
  image jsonb,
  primary key (sale_id, position)
);

create index on sale_lines (product_id);

create function refuse_sale_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: what was sold stays as it was', tg_op, tg_table_name using errcode = 'IR002';
end $$;
create trigger sales_stay before delete on sales for each row execute function refuse_sale_change();
create trigger sales_keep_sums before update on sales for each row
  when ((old.id, old.order_id, old.reference, old.subtotal_cents, old.shipping_cents, old.total_cents, old.rate, old.kobo, old.fees_kobo)
    is distinct from (new.id, new.order_id, new.reference, new.subtotal_cents, new.shipping_cents, new.total_cents, new.rate, new.kobo, new.fees_kobo))
  execute function refuse_sale_change();
create trigger sale_lines_stay before update or delete on sale_lines for each row execute function refuse_sale_change();

create table refunds (
  id uuid primary key default gen_random_uuid(),
  reference text not null references payments,
  kobo bigint not null check (kobo > 0),
  reason text not null,
  origin text not null default 'shop' check (origin in ('shop', 'provider')),
  pieces jsonb not null default '[]',
  with_shipping boolean not null default false,
  restock boolean not null default false,
  cause text,
  idempotency_key uuid unique,
  state text not null default 'open' check (state in ('open', 'sent', 'done', 'failed', 'void')),
  provider_id text,
  failed_before text[] not null default '{}',
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index refunds_of_payment on refunds (reference, created_at);
create unique index refunds_at_provider on refunds (provider_id) where provider_id is not null;
create unique index refunds_shipping_once on refunds (reference) where with_shipping and state not in ('failed', 'void');
comment on table refunds is 'A payment that goes back, or a part of one.';
comment on column refunds.origin is 'provider: made at the provider''s own dashboard';
comment on column refunds.pieces is '[{productId, size, quantity}], what it is given back for';
comment on column refunds.cause is 'why, in the words of app/orders/refund-causes.ts';
comment on column refunds.idempotency_key is 'of the form that it was asked for with: sent twice, it is one refund';
comment on column refunds.state is 'void: the provider has given it back another way';
comment on column refunds.failed_before is 'refunds at the provider that had failed before it was last asked: no answer to that';

-- No piece goes back twice, or was not bought: those that are refunded and those whose return is open, together. What has failed counts for nothing.
create function check_pieces_back(of_reference text) returns void language plpgsql as $$
begin
  if exists (
    select from (
      select product_id, size, sum(quantity) as units from (
        select piece."productId" as product_id, piece.size, piece.quantity
        from refunds r, jsonb_to_recordset(r.pieces) as piece("productId" text, size text, quantity integer)
        where r.reference = of_reference and r.state not in ('failed', 'void')
        union all
        select product_id, size, quantity from return_pieces join returns on returns.id = return_id
        where reference = of_reference and state in ('asked', 'approved', 'received')
      ) each group by 1, 2
    ) back left join (
      select product_id, size, sum(quantity) as units
      from sale_lines join sales on sales.id = sale_id where sales.reference = of_reference group by 1, 2
    ) bought using (product_id, size)
    where back.units > coalesce(bought.units, 0)
  ) then
    raise exception 'more pieces of % go back than were bought', of_reference
      using errcode = 'check_violation', constraint = 'refunded_pieces_were_bought';
  end if;
end $$;

-- Counts what goes back with the payment, whose row is locked by it, and then looks at the pieces.
create function count_refund() returns trigger language plpgsql as $$
declare
  now_on_way bigint := case when tg_op <> 'DELETE' and new.state in ('open', 'sent') then new.kobo else 0 end;
  now_back bigint := case when tg_op <> 'DELETE' and new.state = 'done' then new.kobo else 0 end;
  was_on_way bigint := case when tg_op <> 'INSERT' and old.state in ('open', 'sent') then old.kobo else 0 end;
  was_back bigint := case when tg_op <> 'INSERT' and old.state = 'done' then old.kobo else 0 end;
begin
  if now_on_way <> was_on_way or now_back <> was_back then
    update payments
    set refunding_kobo = refunding_kobo + now_on_way - was_on_way, refunded_kobo = refunded_kobo + now_back - was_back
    where reference = coalesce(new.reference, old.reference);
  end if;
  if tg_op <> 'DELETE' and new.pieces <> '[]' and new.state not in ('failed', 'void') then
    perform check_pieces_back(new.reference);
  end if;
  return null;
end $$;
create trigger count_refund after insert or delete or update of state, kobo, pieces on refunds
  for each row execute function count_refund();

-- Returns and exchanges

create table returns (
  id uuid primary key default gen_random_uuid(),
  counted integer not null unique generated always as identity,
  number text not null unique generated always as ('RT' || substr(order_number(counted # 536870912), 3)) stored,
  reference text not null references payments,
  state text not null default 'asked' check (state in ('asked', 'approved', 'declined', 'withdrawn', 'received', 'done')),
  reason text not null check (reason in ('unwanted', 'size', 'damaged', 'wrong')),
  wish text not null check (wish in ('money', 'exchange')),
  words text not null default '' check (length(words) <= 1000),
  answer text not null default '' check (length(answer) <= 1000),
  send_back boolean not null default true,
  restocked boolean not null default false,
  refund_id uuid unique references refunds,
  carrier text,
  tracking text,
  asked_at timestamptz not null default now(),
  decided_at timestamptz,
  received_at timestamptz,
  ended_at timestamptz,
  check (refund_id is null or (state = 'done' and wish = 'money'))
);
create index returns_of_payment on returns (reference);
create index returns_live on returns (state, counted) where state in ('asked', 'approved', 'received');
comment on table returns is 'Pieces of a sale that their shopper wants to send back, for money or for another size. app/orders/returns/state.ts says what may happen to it.';
comment on column returns.number is 'what people call it, such as RT-7K3M-2Q; never the letters of an order near it';
comment on column returns.words is 'what the shopper says of it';
comment on column returns.answer is 'what the owner last said to the shopper about it';
comment on column returns.send_back is 'false: the pieces may stay with the shopper';
comment on column returns.restocked is 'the pieces that came back lie in stock again';
comment on column returns.refund_id is 'what gave their money back';
comment on column returns.carrier is 'who carries the other size, and under which number (tracking)';

create table return_pieces (
  return_id uuid not null references returns on delete cascade,
  product_id text not null,
  size text not null,
  quantity integer not null check (quantity > 0),
  new_size text,
  primary key (return_id, product_id, size)
);
comment on column return_pieces.new_size is 'what is sent in exchange; held in product_sizes.reserved from the approval on, until it leaves or nothing comes of it';

create table return_pictures (
  id uuid primary key,
  return_id uuid not null references returns on delete cascade,
  place integer not null check (place between 1 and 4),
  added_at timestamptz not null default now(),
  unique (return_id, place)
);
comment on table return_pictures is 'Photographs of damage, re-encoded; the files lie among the pictures as returns/ID.jpg, and only the order''s account and the staff are shown them.';

-- The payment is locked first, as a refund of it does: two returns, or a return and a refund, see each other.
create function check_return() returns trigger language plpgsql as $$
declare
  of_reference text;
begin
  if tg_table_name = 'returns' then
    of_reference := new.reference;
  else
    select reference into of_reference from returns where id = new.return_id;
  end if;
  perform from payments where reference = of_reference for no key update;
  perform check_pieces_back(of_reference);
  return null;
end $$;
create trigger check_return after update of state, reference on returns for each row execute function check_return();
create trigger check_return after insert or update on return_pieces for each row execute function check_return();

create table webhook_inbox (
  body_hash bytea primary key,
  event text not null,
  reference text,
  body text not null,
  received_at timestamptz not null default now()
);
create index on webhook_inbox (reference);
comment on table webhook_inbox is 'What the payment provider has sent and signed, each body once. What it asks for is written to payments and refunds in the same transaction.';

create table payment_issues (
  id bigint generated always as identity primary key,
  reference text not null,
  kind text not null,
  refund_id uuid references refunds,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  unique nulls not distinct (reference, kind, refund_id)
);
create index on payment_issues (refund_id) where refund_id is not null;
comment on table payment_issues is 'What a person must look at: money that fits no order, refunds that fail. app/orders/issue-kind.ts lists the kinds.';
comment on column payment_issues.refund_id is 'of what is about one refund alone';

-- Ends a statement with an error when it finds less than it needs, for those that are sent together with their COMMIT.
create function refuse(reason text) returns void language plpgsql as $$
begin
  raise exception '%', reason using errcode = 'IR001';
end $$;

-- Mail and newsletter

create table outbox (
  id uuid primary key default gen_random_uuid(),
  idempotency_key text not null unique,
  recipient text not null,
  kind text not null,
  data jsonb not null,
  message_id text not null unique,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  tries integer not null default 0,
  last_error text,
  forget_recipient boolean not null default false,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index outbox_of_subject on outbox (idempotency_key text_pattern_ops);
comment on table outbox is 'A mail. It is written in the transaction of the change that it tells of, and sent by a job.';
comment on column outbox.idempotency_key is 'e.g. ''sale:<id>'': the same mail is never queued twice';
comment on column outbox.forget_recipient is 'the address is taken out as soon as the mail has gone out, or cannot';

create table subscriptions (
  id uuid primary key default gen_random_uuid(),
  first_name text not null,
  email text not null unique check (email = lower(email)),
  created_at timestamptz not null default now()
);
create index subscriptions_newest on subscriptions (created_at desc, id desc);
comment on table subscriptions is 'Who wants the newsletter.';

-- Builds

create table assets (
  name text primary key,
  build text not null,
  saved_at timestamptz not null default now(),
  brotli bytea not null
);
comment on table assets is 'Scripts and styles of the last builds: a page may ask an instance of another version for its own.';
comment on column assets.build is 'the last build that had the file, told by the names of its files';

-- What the owner does

create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  door text not null check (door in ('command', 'office')),
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_of_subject on audit_log (subject_kind, subject_id, id desc);
create index on audit_log (at);
create index on audit_log (actor text_pattern_ops);
create index on audit_log (action text_pattern_ops);
create index on audit_log (subject_id text_pattern_ops);
comment on table audit_log is 'Who changed what, written in the transaction of the change. It holds no personal data of customers: a row cannot be taken out again.';
comment on column audit_log.actor is 'the system user''s name, or a member of staff';
comment on column audit_log.door is 'where the change came in';
comment on column audit_log.action is 'e.g. ''stock set''';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only ever added to', tg_table_name using errcode = 'IR002';
end $$;
create trigger append_only before update or delete on audit_log
  for each row execute function refuse_change();

create table shop_settings (
  is_only boolean primary key default true check (is_only),
  email text check (email <> ''),
  whatsapp text,
  instagram_url text,
  x_url text,
  size_limit integer check (size_limit > 0),
  notice text not null default '' check (length(notice) <= 300),
  notice_from timestamptz,
  notice_until timestamptz check (notice_until > notice_from),
  notice_shown boolean not null default false,
  hero jsonb check (jsonb_array_length(hero) between 1 and 6)
);
comment on table shop_settings is 'What the owner says of the shop without a deployment. Where it is null the setting of the environment counts; an empty text is none.';
comment on column shop_settings.whatsapp is 'a number with + and its country''s code';
comment on column shop_settings.size_limit is 'so many pieces of one size in one order';
comment on column shop_settings.notice is 'stands above every page of the shop';
comment on column shop_settings.notice_shown is 'whether it is its time: a job looks at its beginning, at its end, and every minute';
comment on column shop_settings.hero is 'the slides of the home page; null: those that the shop comes with';

-- Staff

create table staff (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email)),
  name text not null default '',
  role text not null check (role in ('owner', 'orders', 'catalogue', 'reader')),
  password text,
  totp_secret text,
  totp_step integer not null default 0,
  created_at timestamptz not null default now(),
  joined_at timestamptz,
  check ((password is null) = (totp_secret is null))
);
comment on table staff is 'Who may work in the office.';
comment on column staff.password is 'an argon2id hash with its parameters; it signs in only together with a code';
comment on column staff.totp_secret is 'in base32, what the one-time codes are made of';
comment on column staff.totp_step is 'the step of the last code that was used: none is good twice';
comment on column staff.joined_at is 'when the first invitation was accepted';

create table staff_invitations (
  staff_id uuid primary key references staff on delete cascade,
  code_hash bytea not null unique,
  expires_at timestamptz not null
);
comment on table staff_invitations is 'A link by which a member of staff sets up how to sign in, the first time or again. A new one takes the place of the last.';

create table staff_passkeys (
  id text primary key,
  staff_id uuid not null references staff on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  device text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index on staff_passkeys (staff_id);
comment on column staff_passkeys.id is 'the credential''s, in base64url';
comment on column staff_passkeys.public_key is 'as COSE has it';
comment on column staff_passkeys.device is 'the browser in which it was made';

create table staff_recovery_codes (
  staff_id uuid not null references staff on delete cascade,
  code_hash bytea not null,
  primary key (staff_id, code_hash)
);
comment on table staff_recovery_codes is 'Codes that are left; each signs in once.';

create table staff_challenges (
  hash bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'register', 'code')),
  staff_id uuid references staff on delete cascade,
  expires_at timestamptz not null
);
create index on staff_challenges (expires_at);
comment on table staff_challenges is 'What a passkey has to sign, or a sign-in between the password and the code. Each is good once.';

create table staff_sessions (
  token_hash bytea primary key,
  id uuid not null unique default gen_random_uuid(),
  staff_id uuid not null references staff on delete cascade,
  device text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create index on staff_sessions (staff_id);
comment on table staff_sessions is 'A browser in which a member of staff is signed in.';

-- Pages that are kept

-- No counter: a row that everybody updates would make all checkouts wait for each other, and a sequence moves before the commit.
create unlogged table catalog_changes (
  xid xid8 primary key default pg_current_xact_id(),
  recorded_at timestamptz not null default now()
);
comment on table catalog_changes is 'A transaction that changed what public pages show; seen by others the moment that it commits.';

create unlogged table catalog_era (
  era uuid not null default gen_random_uuid(),
  is_only boolean primary key default true check (is_only)
);
comment on table catalog_era is 'Recovery after a crash empties unlogged tables: whoever finds another era than before has missed rows of catalog_changes.';

create function record_catalog_change() returns trigger language plpgsql as $$
begin
  insert into catalog_changes default values on conflict do nothing;
  return null;
end $$;
create trigger record_change after insert or update or delete or truncate on products
  for each statement execute function record_catalog_change();
create trigger record_change after insert or update or delete or truncate on product_sizes
  for each statement execute function record_catalog_change();
create trigger record_change after insert or update or delete or truncate on exchange_rates
  for each statement execute function record_catalog_change();
create trigger record_change after insert or update or delete or truncate on shipping_rates
  for each statement execute function record_catalog_change();
create trigger record_change after insert or update or delete or truncate on shop_settings
  for each statement execute function record_catalog_change();

-- Whether the database takes writes

create table write_check (
  is_only boolean primary key default true check (is_only),
  written_at timestamptz(3) not null default clock_timestamp()
);
comment on table write_check is 'One row, written whenever /status is asked: the answer says whether the database keeps what is written.';
