-- Sums: prices are integer US cents, charges are integer kobo, rates are exact decimals (naira for one dollar).

-- Accounts (the first four tables belong to better-auth, their names mapped to the shop's style)
create table users (
  id text primary key,
  name text not null default '',
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  first_name text not null default '',
  last_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on sessions (user_id);
create table accounts (
  id text primary key,
  user_id text not null references users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index on accounts (user_id);
create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on verifications (identifier);

-- The codes behind the links in e-mails (oobCode): only the SHA-256 is kept; a new code replaces the old one of its purpose.
create table link_codes (
  user_id text not null references users on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset')),
  code_hash bytea not null unique,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, purpose)
);
create table rate_limits (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);

-- Catalogue
create table products (
  id text primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$'),
  title text not null check (title <> ''),
  color text not null,
  description text not null default '',
  price_cents integer not null check (price_cents > 0),
  images jsonb not null default '[]', -- [{hash, width, height, alt, background}], the first one is the cover
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- supplied counts every unit ever put on the shelf, sold every unit gone with a sale; what lies there is their difference.
-- An accessory without sizes has the one size 'ONE'.
create table product_sizes (
  product_id text not null references products on delete cascade,
  size text not null check (size in ('S', 'M', 'L', 'XL', 'XXL', 'ONE')),
  supplied integer not null check (supplied >= 0),
  sold integer not null default 0 check (sold >= 0),
  reserved integer not null default 0,
  on_hand integer generated always as (supplied - sold) stored,
  primary key (product_id, size),
  constraint stock_never_oversold check (reserved >= 0 and reserved <= supplied - sold)
);

-- Carts
create table carts (
  user_id text primary key references users on delete cascade,
  version bigint not null default 0,
  updated_at timestamptz not null default now()
);
create table cart_lines (
  user_id text not null references carts on delete cascade,
  product_id text not null references products on delete cascade,
  size text not null,
  color text not null,
  quantity integer not null check (quantity between 1 and 999),
  price_cents integer not null, -- as last shown to the shopper, to say what has changed since
  added_at timestamptz not null default now(),
  primary key (user_id, product_id, size, color)
);
-- One row for each guest cart that a shopper brought along: the same one is never added twice.
create table cart_merges (
  user_id text not null references users on delete cascade,
  merge_id text not null,
  merged_at timestamptz not null default now(),
  primary key (user_id, merge_id)
);

-- Rates and shipping
create table exchange_rates (
  id bigint generated always as identity primary key,
  rate numeric(14, 6) not null check (rate > 0),
  source text not null,
  fetched_at timestamptz not null default now()
);
create table shipping_rates (
  kind text not null check (kind in ('state', 'pickup', 'country')),
  name text not null, -- state, pick-up centre or ISO 3166 alpha-2 country code
  rate_cents integer not null check (rate_cents >= 0),
  details jsonb not null default '{}', -- pick-up centre: {address, landmark, hours, state}
  primary key (kind, name)
);

-- Checkout: attempt -> reservation -> payment -> sale
create table attempts (
  id uuid primary key default gen_random_uuid(),
  user_id text references users on delete set null,
  state text not null check (state in ('open', 'waiting', 'released', 'sold', 'refunding', 'refunded')),
  cart_version bigint not null,
  email text not null,
  shipping jsonb not null,  -- the shipping details of the specification, section 3
  lines jsonb not null,     -- [{productId, title, color, size, quantity, priceCents, image}]
  subtotal_cents integer not null check (subtotal_cents >= 0),
  shipping_cents integer not null check (shipping_cents >= 0),
  total_cents integer not null check (total_cents = subtotal_cents + shipping_cents),
  rate numeric(14, 6) not null check (rate > 0),
  rate_at timestamptz not null,
  kobo bigint not null check (kobo > 0 and kobo % 100 = 0),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- At most one payable order a shopper at a time.
create unique index attempts_one_live_per_user on attempts (user_id) where state in ('open', 'waiting');
create index attempts_of_user on attempts (user_id, created_at desc);
create table reservations (
  attempt_id uuid not null references attempts on delete cascade,
  product_id text not null,
  size text not null,
  quantity integer not null check (quantity > 0),
  primary key (attempt_id, product_id, size),
  foreign key (product_id, size) references product_sizes
);
create table payments (
  reference text primary key check (reference ~ '^[A-Za-z0-9.=-]{16,64}$'),
  attempt_id uuid not null references attempts,
  state text not null check (state in ('created', 'pending', 'paid', 'unpaid', 'refused')),
  kobo bigint not null,
  access_code text,
  authorization_url text,
  provider_id text,
  provider_status text,
  paid_kobo bigint,
  paid_currency text,
  paid_at timestamptz,
  checks integer not null default 0,
  next_check_at timestamptz,  -- null: nothing left to ask the provider
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payments_due on payments (next_check_at) where next_check_at is not null;
create index on payments (attempt_id);
create table sales (
  id uuid primary key default gen_random_uuid(),
  attempt_id uuid not null unique references attempts,
  reference text not null unique references payments,
  user_id text references users on delete set null,
  status text not null default 'completed' check (status in ('completed', 'refunding', 'refunded')),
  email text not null,
  shipping jsonb not null,
  subtotal_cents integer not null,
  shipping_cents integer not null,
  total_cents integer not null check (total_cents = subtotal_cents + shipping_cents),
  rate numeric(14, 6) not null,
  kobo bigint not null,
  created_at timestamptz not null default now()
);
create index on sales (user_id, created_at desc);
create table sale_lines (
  sale_id uuid not null references sales,
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
create table refunds (
  id uuid primary key default gen_random_uuid(),
  reference text not null unique references payments, -- one full refund a payment
  kobo bigint not null check (kobo > 0),
  reason text not null,
  state text not null default 'open' check (state in ('open', 'sent', 'done', 'failed')),
  provider_id text,
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table webhook_inbox (
  body_hash bytea primary key,
  event text not null,
  reference text,
  body jsonb not null,
  received_at timestamptz not null default now(),
  done_at timestamptz
);
create index webhook_inbox_open on webhook_inbox (received_at) where done_at is null;
-- What a person must look at: money that fits no order, refunds that fail.
create table reconciliation_breaks (
  id bigint generated always as identity primary key,
  reference text not null,
  kind text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  unique (reference, kind)
);

-- Mail: a row is written in the transaction of the change that it tells of; the worker sends it.
create table outbox (
  id uuid primary key default gen_random_uuid(),
  key text not null unique, -- e.g. 'sale:<id>': the same mail is never queued twice
  recipient text not null,
  kind text not null,
  data jsonb not null,
  message_id text not null unique,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);

-- Newsletter
create table subscriptions (
  id uuid primary key default gen_random_uuid(),
  first_name text not null,
  email text not null unique check (email = lower(email)),
  created_at timestamptz not null default now()
);
