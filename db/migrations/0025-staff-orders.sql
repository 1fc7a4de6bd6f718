-- Orders that staff put together for a shopper, who pays them by a link.

create table staff_orders (
  order_id uuid primary key references orders on delete cascade,
  user_id text references users on delete cascade,
  email text not null,
  code_hash bytea not null unique,
  form uuid unique,
  made_at timestamptz not null default now()
);
create index on staff_orders (user_id);
create index on staff_orders (email) where user_id is null;
comment on table staff_orders is
  'Orders that staff put together. Until it is sold, such an order has no user_id: it stands beside the live order of the shopper''s cart.';
comment on column staff_orders.user_id is
  'whom the order is for; null until somebody who has proved the address pays. The order gets this user_id when it is sold';
comment on column staff_orders.email is 'the address that staff were given, in its normalized form';
comment on column staff_orders.form is 'of the form that it was put together with: sent twice, it is one order';
comment on column staff_orders.code_hash is 'SHA-256 of the code of /pay/…, which is stored nowhere';
