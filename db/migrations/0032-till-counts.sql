-- The cash in the till, counted by staff. A count covers the cash that was taken and given back since the one before.

create table till_counts (
  id bigint generated always as identity primary key,
  expected_kobo bigint not null,
  counted_kobo bigint not null check (counted_kobo >= 0),
  counted_by text not null,
  counted_at timestamptz not null default now()
);
comment on table till_counts is 'The cash that staff counted, beside what should have been there. Rows stay as they are.';
comment on column till_counts.expected_kobo is 'the count before, with the cash taken since then and without the cash given back';
comment on column till_counts.counted_by is 'a member of staff, as the audit log names them';

alter table hand_takings add column count_id bigint references till_counts;
alter table hand_refunds add column count_id bigint references till_counts;
comment on column hand_takings.count_id is 'the count of the till that covers this cash; null: the next one will';
comment on column hand_refunds.count_id is 'the count of the till that covers this cash; null: the next one will';
create index hand_takings_to_count on hand_takings (reference) where count_id is null;
create index hand_refunds_to_count on hand_refunds (reference) where count_id is null;
