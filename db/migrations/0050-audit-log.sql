-- Who changed what, and when: written in the transaction of the change. No personal data of customers: it cannot be taken out again.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,                                       -- the system user's name, or a member of staff
  door text not null check (door in ('command', 'office')),  -- where the change came in
  action text not null,                                      -- 'stock set'
  subject_kind text not null,                                -- 'product', 'order', ...
  subject_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_of_subject on audit_log (subject_kind, subject_id, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only ever added to', tg_table_name using errcode = 'IR002';
end $$;
create trigger append_only before update or delete on audit_log
  for each row execute function refuse_change();
