-- What public pages show has changed: one row for each transaction that touched it, seen by others the moment that it commits.
-- No counter: a row that everybody updates would make all checkouts wait for each other, and a sequence moves before the commit.
create unlogged table catalog_changes (
  xid xid8 primary key default pg_current_xact_id(),
  noted_at timestamptz not null default now()
);
create function note_catalog_change() returns trigger language plpgsql as $$
begin
  insert into catalog_changes default values on conflict do nothing;
  return null;
end $$;
create trigger note_change after insert or update or delete or truncate on products
  for each statement execute function note_catalog_change();
create trigger note_change after insert or update or delete or truncate on product_sizes
  for each statement execute function note_catalog_change();
create trigger note_change after insert or update or delete or truncate on exchange_rates
  for each statement execute function note_catalog_change();
