-- An exchange may be for another colour of the model, which is another product. The price paid and final sale stay with the order's line.

alter table return_pieces
  add column new_product_id text references products,
  add column new_color text,
  add check (new_product_id <> product_id),
  add check (new_product_id is null or (new_size is not null and new_color is not null));
comment on column return_pieces.new_product_id is 'the product sent in exchange, if it is not product_id: another colour of the same model';
comment on column return_pieces.new_color is 'its colour as it was when it was chosen';
create index return_pieces_of_new_product on return_pieces (new_product_id) where new_product_id is not null;

-- The version before holds, sells and releases the new size of product_id. Where another product is sent, only a transaction that says it
-- knows of that may begin or end the hold.
create function guard_color_exchange() returns trigger language plpgsql as $$
declare
  held boolean := old.wish = 'exchange' and old.state in ('approved', 'received');
  holds boolean := new.wish = 'exchange' and new.state in ('approved', 'received');
begin
  if held <> holds and coalesce(current_setting('irepo.exchange_colors', true), '') <> 'on'
    and exists (select from return_pieces where return_id = new.id and new_product_id is not null) then
    raise exception 'return % exchanges a colour: this version does not know how', new.number
      using errcode = 'check_violation', constraint = 'color_exchange_is_known';
  end if;
  return new;
end $$;
create trigger guard_color_exchange before update of state, wish on returns
  for each row execute function guard_color_exchange();
