-- Handover by a code: whoever hands a parcel over enters the four digits that its shopper sees on the order's page.

create table handover_ways (
  way text primary key check (way ~ '^(standard|pick-up|[1-9][0-9]*)$')
);
comment on table handover_ways is 'The ways of delivery whose orders are handed over by a code; at first none.';
comment on column handover_ways.way is
  '"standard" for standard home delivery in Nigeria, "pick-up", or the id of a row of delivery_ways';

create table handovers (
  order_id uuid primary key references orders on delete cascade,
  code text not null check (code ~ '^[0-9]{4}$'),
  link_hash bytea unique,
  wrong_codes text[] not null default '{}' check (cardinality(wrong_codes) <= 3),
  made_at timestamptz not null default now()
);
comment on table handovers is 'Orders that were sent, or ready for pick-up, while their way asked for a code.';
comment on column handovers.code is 'what the shopper reads on the order''s page, so it is no hash; the link is what keeps it from being guessed';
comment on column handovers.link_hash is 'SHA-256 of the code of /handover/…, which is stored nowhere; null: no link yet';
comment on column handovers.wrong_codes is 'different ones, since staff last opened the link; with the third it is locked';
