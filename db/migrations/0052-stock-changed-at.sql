-- When what lies on the shelf last changed, by a sale or by the owner: a number that was written down before is an old one.
alter table product_sizes add column changed_at timestamptz not null default now();
create function note_stock_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end $$;
create trigger note_stock_change before update on product_sizes
  for each row when (old.supplied - old.sold <> new.supplied - new.sold) execute function note_stock_change();
