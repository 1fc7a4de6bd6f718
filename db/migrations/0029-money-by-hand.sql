-- Money that staff take and give back by hand: in cash, by bank transfer, by the card terminal at the stall.

create table hand_takings (
  reference text primary key references payments,
  kobo bigint not null check (kobo > 0),
  bank_reference text check (bank_reference ~ '[A-Za-z0-9]'),
  taken_by text not null,
  taken_at timestamptz not null default now(),
  form uuid unique
);
create unique index hand_takings_once on hand_takings (upper(regexp_replace(bank_reference, '[^A-Za-z0-9]', '', 'g')))
  where bank_reference is not null;
comment on table hand_takings is
  'The shop''s own book of the money that staff took by hand. How it was taken is the provider of its payment.';
comment on column hand_takings.bank_reference is
  'of the transfer or the terminal''s receipt, as it was typed; in the whole shop, each counts once, by its letters and digits';
comment on column hand_takings.taken_by is 'a member of staff, as the audit log names them';
comment on column hand_takings.form is 'of the form that it was recorded with: sent again, it is one taking';

create table hand_refunds (
  id uuid primary key default gen_random_uuid(),
  reference text not null references payments,
  kobo bigint not null check (kobo > 0),
  note text not null,
  asked_at timestamptz not null default now(),
  bank_reference text,
  given_by text,
  given_at timestamptz,
  check ((given_by is null) = (given_at is null))
);
create index hand_refunds_of_payment on hand_refunds (reference);
comment on table hand_refunds is 'The money that staff give back by hand, in the same book.';
comment on column hand_refunds.note is 'has the id of the shop''s refund, by which both are matched';
comment on column hand_refunds.given_by is 'who has said that it was given back; null: nobody has';
