create table payment_refusals (
  reference text not null references payments,
  attempt integer not null check (attempt > 0),
  words text not null,
  heard_at timestamptz not null default now(),
  primary key (reference, attempt, words)
);
comment on table payment_refusals is 'Why attempts to pay were refused: one row for each that the shop heard of.';
comment on column payment_refusals.attempt is 'how many attempts the provider had counted by then';
comment on column payment_refusals.words is 'the bank''s, as the provider passes them on';
