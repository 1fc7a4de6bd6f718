-- Links by which somebody else pays a shopper's own order. The version before neither reads nor writes any of this.

create table payer_links (
  order_id uuid primary key references orders on delete cascade,
  code_hash bytea not null unique,
  line text not null check (length(line) <= 140),
  made_at timestamptz not null default now()
);
comment on table payer_links is
  'Links that shoppers have made at the checkout. The order is the live order of the shopper''s cart; the link ends with its hold.';
comment on column payer_links.code_hash is 'SHA-256 of the code of /pay/…, which is stored nowhere';
comment on column payer_links.line is 'what the shopper says to whoever pays, plain text; empty: nothing';

alter table payments add column payer_email text;
create index payments_of_payer on payments (payer_email) where payer_email is not null;
comment on column payments.payer_email is
  'the normalized address for the receipt of whoever pays by a payer link; null: the shopper''s own payment; ''deleted'': erased';

-- A text, because the version before can't read a boolean among the shop's values and would save none of them.
alter table shop_settings add column others_pay text not null default 'no' check (others_pay in ('no', 'yes'));
comment on column shop_settings.others_pay is 'whether shoppers can make links by which somebody else pays';
