-- Receipts and credit notes with numbers without a gap: docs/decisions/064-receipts.md.

create table receipt_settings (
  is_only boolean primary key default true check (is_only),
  since timestamptz,
  seller text not null default '',
  address text not null default '',
  tin text not null default '',
  shows_vat boolean not null default true,
  version integer not null default 0
);
comment on table receipt_settings is 'What the owner says of receipts: whether sales get one, and what stands on the next one.';
comment on column receipt_settings.since is 'sales from then on get a number; null: none does';
comment on column receipt_settings.tin is 'the seller''s tax number; empty: none';
comment on column receipt_settings.shows_vat is 'whether a receipt says how much of its sum is VAT';
comment on column receipt_settings.version is 'rises with each change';

create table vat_rates (
  from_day text primary key check (from_day ~ '^\d{4}-\d{2}-\d{2}$'),
  tenths integer not null check (tenths between 0 and 300)
);
comment on table vat_rates is 'The rates of VAT. A sale has that of its own day in the shop''s zone; before the first one there is none.';
comment on column vat_rates.tenths is 'in tenths of a percent: 75 is 7.5%';

create table receipts (
  sale_id text primary key references sales,
  year integer not null,
  number integer not null check (number > 0),
  kobo bigint not null check (kobo > 0),
  vat_tenths integer,
  vat_kobo bigint not null check (vat_kobo between 0 and kobo),
  seller jsonb not null,
  buyer jsonb,
  contents jsonb not null,
  numbered_at timestamptz not null default now(),
  unique (year, number)
);
comment on table receipts is 'The receipt of a sale, as it was when it got its number. Only the buyer goes, with the account.';
comment on column receipts.year is 'of the sale, in the shop''s zone: its numbers count from 1';
comment on column receipts.vat_tenths is 'the rate, in tenths of a percent; null: the shop had none';
comment on column receipts.buyer is 'the lines of name and address; null once the account is gone';

create table credit_notes (
  refund_id uuid not null references refunds,
  sale_id text not null references receipts,
  year integer not null,
  number integer not null check (number > 0),
  kobo bigint not null check (kobo > 0),
  vat_kobo bigint not null check (vat_kobo between 0 and kobo),
  parts jsonb not null,
  given_at timestamptz not null,
  numbered_at timestamptz not null default now(),
  primary key (year, number)
);
create index on credit_notes (sale_id);
comment on table credit_notes is 'What a refund that is done takes back of a receipt. If more of it goes back later, that has one of its own.';
comment on column credit_notes.year is 'of the refund''s end, in the shop''s zone: its numbers count from 1';
comment on column credit_notes.parts is 'what it is for, such as ["1 × Home Jersey, Green, M"]; empty for a plain sum';

create table receipts_due (
  id bigint generated always as identity primary key,
  sale_id text unique references sales,
  refund_id uuid references refunds,
  at timestamptz not null,
  check (num_nonnulls(sale_id, refund_id) = 1)
);
comment on table receipts_due is 'Sales and refunds that wait for a number, for a moment: one worker draws it after their commit.';
comment on column receipts_due.refund_id is 'may come twice: what has its credit note already gets no other one';
comment on column receipts_due.at is 'when it was sold, or given back';

-- Runs in the transaction that sells or gives back. It draws no number, and waits for no transaction that does. It works as its owner: the version before
-- sells while the rights to the new tables are not granted yet.
create function receipt_is_due() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'sales' then
    insert into receipts_due (sale_id, at)
    select new.id, new.created_at from receipt_settings where since <= new.created_at;
  else
    -- Also while receipts are off: the number is drawn once they are on again.
    insert into receipts_due (refund_id, at)
    select new.id, new.updated_at from sales
    where sales.reference = new.reference and (
      exists (select from receipts where receipts.sale_id = sales.id)
      or exists (select from receipts_due due where due.sale_id = sales.id)
    );
  end if;
  return null;
end $$;
create trigger receipt_is_due after insert on sales
  for each row execute function receipt_is_due();
create trigger receipt_is_due after insert or update of state, kobo on refunds
  for each row when (new.state = 'done') execute function receipt_is_due();
