-- A sold piece changes what the product's own pages say, and no other page, unless a size sells out or comes back.

alter table catalog_changes add column stock_of text[];
comment on column catalog_changes.stock_of is 'The products of which nothing has changed but how many pieces are available; null: anything may have changed. The version before takes every row for the latter.';

create or replace function record_catalog_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'product_sizes' and tg_op = 'UPDATE' then return null; end if; -- see record_available()
  insert into catalog_changes default values
    on conflict (xid) do update set stock_of = null where catalog_changes.stock_of is not null;
  return null;
end $$;

-- Most products that are named, so that a long import stays a short row.
create function record_available() returns trigger language plpgsql as $$
declare
  changed text[];
  is_more boolean;
begin
  select array_agg(distinct product_id),
      count(distinct product_id) > 50 or bool_or(was.product_id is null or (was.on_hand > was.reserved) <> (now.on_hand > now.reserved))
    into changed, is_more
    from sizes_now now left join sizes_before was using (product_id, size)
    where was.product_id is null or was.on_hand - was.reserved <> now.on_hand - now.reserved;
  if changed is null then return null; end if;
  insert into catalog_changes as c (stock_of) values (case when not is_more then changed end)
    on conflict (xid) do update
    set stock_of = case when excluded.stock_of is not null and c.stock_of is not null then c.stock_of || excluded.stock_of end;
  return null;
end $$;
create trigger record_available after update on product_sizes
  referencing old table as sizes_before new table as sizes_now
  for each statement execute function record_available();
