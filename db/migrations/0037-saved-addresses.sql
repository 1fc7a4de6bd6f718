-- Addresses that a shopper has saved in the account. An order keeps a copy of its own.

create table saved_addresses (
  id uuid primary key default gen_random_uuid(),
  user_id text not null references users on delete cascade,
  address jsonb not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now()
);
create index saved_addresses_of_user on saved_addresses (user_id);
create unique index saved_addresses_default on saved_addresses (user_id) where is_default;
comment on table saved_addresses is 'Places of home delivery, at most ten of a user.';
comment on column saved_addresses.address is 'the shipping form''s fields without email, pick-up center and way of delivery';
comment on column saved_addresses.is_default is 'whether it fills in the checkout at first';
