-- Lists show sold-out products last. Whether anything of a product can be bought is kept beside it, so that an index gives the order
-- however many products there are. It is written only when a size sells out or comes back.
alter table products add column in_stock boolean not null default false;
update products p set in_stock = true
where exists (select from product_sizes s where s.product_id = p.id and s.on_hand > s.reserved);

create function note_in_stock() returns trigger language plpgsql as $$
declare
  changed text := coalesce(new.product_id, old.product_id);
begin
  -- Locked first, looked at then: of two transactions that sell out the last two sizes, the second sees what the first has done.
  perform from products where id = changed for no key update;
  update products set in_stock = not in_stock
  where id = changed
    and in_stock <> exists (select from product_sizes where product_id = changed and on_hand > reserved);
  return null;
end $$;
create trigger note_in_stock after insert or delete on product_sizes
  for each row execute function note_in_stock();
create trigger note_in_stock_again after update on product_sizes
  for each row when ((old.on_hand > old.reserved) <> (new.on_hand > new.reserved)) execute function note_in_stock();

create index products_listed on products (in_stock desc, position, id);
create index products_listed_by_price on products (in_stock desc, price_cents, position, id);
create index products_listed_by_price_down on products (in_stock desc, price_cents desc, position, id);
create index products_listed_of_color on products (color, in_stock desc, position, id);
