-- Until an order is packed, pieces of it may change to another size of the same product: an exchange without a return.
-- The lines of the sale stay as they were sold, and the lines of the order name what is sent.

create table size_changes (
  sale_id text not null references sales,
  number integer not null check (number > 0),
  product_id text not null,
  from_size text not null,
  to_size text not null,
  quantity integer not null check (quantity > 0),
  by_shopper boolean not null,
  changed_at timestamptz not null default now(),
  primary key (sale_id, number),
  check (from_size <> to_size)
);
create index size_changes_of_product on size_changes (product_id);
comment on table size_changes is 'Sizes that changed between sale and packing. Rows stay as they were written.';
comment on column size_changes.number is 'counts the changes of a sale: a form that was opened before another change has an older one';
comment on column size_changes.by_shopper is 'false: by staff';
comment on column orders.lines is '[{productId, title, color, size, quantity, priceCents, image}], what is sent; sale_lines has what was sold';

-- What is sent of each sale, by size: one row or more, to be added up.
create function sent_pieces() returns table (sale_id text, product_id text, size text, quantity integer) language sql stable as $$
  select l.sale_id, l.product_id, l.size, l.quantity from sale_lines l
  union all
  select c.sale_id, c.product_id, c.to_size, c.quantity from size_changes c
  union all
  select c.sale_id, c.product_id, c.from_size, -c.quantity from size_changes c
$$;

-- No piece goes back twice, or in a size that was not sent: those that are refunded and those whose return is open,
-- together. What has failed counts for nothing. It works as its owner: the version before refunds while the rights to the new table are not granted yet.
create or replace function check_pieces_back(of_reference text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_sale text := (select id from sales where reference = of_reference);
begin
  if exists (
    select from (
      select product_id, size, sum(quantity) as units from (
        select piece."productId" as product_id, piece.size, piece.quantity
        from refunds r, jsonb_to_recordset(r.pieces) as piece("productId" text, size text, quantity integer)
        where r.reference = of_reference and r.state not in ('failed', 'void')
        union all
        select product_id, size, quantity from return_pieces join returns on returns.id = return_id
        where reference = of_reference and state in ('asked', 'approved', 'received')
      ) each group by 1, 2
    ) back left join (
      select product_id, size, sum(quantity) as units from sent_pieces() where sale_id = of_sale group by 1, 2
    ) sent using (product_id, size)
    where back.units > coalesce(sent.units, 0)
  ) then
    raise exception 'more pieces of % go back than were bought', of_reference
      using errcode = 'check_violation', constraint = 'refunded_pieces_were_bought';
  end if;
end $$;

-- The payment is locked first, as by a refund or a return of the same pieces.
create function check_size_change() returns trigger language plpgsql as $$
declare
  of_reference text := (select reference from sales where id = new.sale_id);
begin
  perform from payments where reference = of_reference for no key update;
  if exists (
    select from sent_pieces() where sale_id = new.sale_id group by product_id, size having sum(quantity) < 0
  ) then
    raise exception 'more pieces of % change their size than were bought', of_reference
      using errcode = 'check_violation', constraint = 'changed_pieces_were_bought';
  end if;
  perform check_pieces_back(of_reference);
  return null;
end $$;
create trigger check_size_change after insert on size_changes for each row execute function check_size_change();
