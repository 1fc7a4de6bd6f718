-- A payment can go back in parts: by the shop's owner, or at the provider's own dashboard.
alter table refunds
  drop constraint refunds_reference_key,
  drop constraint refunds_state_check,
  add constraint refunds_state_check check (state in ('open', 'sent', 'done', 'failed', 'void')), -- void: the provider has given it back another way
  add column origin text not null default 'shop' check (origin in ('shop', 'provider')),
  add column pieces jsonb not null default '[]', -- [{productId, size, quantity}], what it is given back for
  add column with_shipping boolean not null default false,
  add column restock boolean not null default false;
create index refunds_of_payment on refunds (reference, created_at);
create unique index refunds_at_provider on refunds (provider_id) where provider_id is not null;
create unique index refunds_shipping_once on refunds (reference) where with_shipping and state not in ('failed', 'void');
create index payments_at_provider on payments (provider_id) where provider_id is not null;

-- What the provider took back before there were parts: all that was paid.
insert into refunds (reference, kobo, reason, origin, state)
select p.reference, coalesce(p.paid_kobo, p.kobo), 'reversed', 'provider', 'done'
from payments p left join sales s using (reference)
where (p.state = 'refused' or s.status = 'refunded') and not exists (select from refunds r where r.reference = p.reference);

alter table payments
  add column refunding_kobo bigint not null default 0, -- on its way back
  add column refunded_kobo bigint not null default 0,  -- has gone back
  add column provider_refunded_kobo bigint;            -- the same as the provider last told it
update payments p
set refunding_kobo = r.refunding, refunded_kobo = r.refunded
from (
  select reference, coalesce(sum(kobo) filter (where state in ('open', 'sent')), 0) as refunding, coalesce(sum(kobo) filter (where state = 'done'), 0) as refunded
  from refunds group by reference
) r where r.reference = p.reference;
alter table payments
  add constraint refunds_never_exceed_payment
    check (refunding_kobo >= 0 and refunded_kobo >= 0 and refunding_kobo + refunded_kobo <= coalesce(paid_kobo, kobo));

-- Counts what goes back with the payment, whose row is locked by it, and then sees that no piece goes back that was not bought. What has failed counts for
-- nothing.
create function count_refund() returns trigger language plpgsql as $$
declare
  now_on_way bigint := case when tg_op <> 'DELETE' and new.state in ('open', 'sent') then new.kobo else 0 end;
  now_back bigint := case when tg_op <> 'DELETE' and new.state = 'done' then new.kobo else 0 end;
  was_on_way bigint := case when tg_op <> 'INSERT' and old.state in ('open', 'sent') then old.kobo else 0 end;
  was_back bigint := case when tg_op <> 'INSERT' and old.state = 'done' then old.kobo else 0 end;
begin
  if now_on_way <> was_on_way or now_back <> was_back then
    update payments
    set refunding_kobo = refunding_kobo + now_on_way - was_on_way, refunded_kobo = refunded_kobo + now_back - was_back
    where reference = coalesce(new.reference, old.reference);
  end if;
  if tg_op <> 'DELETE' and new.pieces <> '[]' and new.state not in ('failed', 'void') and exists (
    select from (
      select piece."productId" as product_id, piece.size, sum(piece.quantity) as units
      from refunds r, jsonb_to_recordset(r.pieces) as piece("productId" text, size text, quantity integer)
      where r.reference = new.reference and r.state not in ('failed', 'void') group by 1, 2
    ) back left join (
      select product_id, size, sum(quantity) as units
      from sale_lines join sales on sales.id = sale_id where sales.reference = new.reference group by 1, 2
    ) bought using (product_id, size)
    where back.units > coalesce(bought.units, 0)
  ) then
    raise exception 'more pieces of % go back than were bought', new.reference
      using errcode = 'check_violation', constraint = 'refunded_pieces_were_bought';
  end if;
  return null;
end $$;
create trigger count_refund after insert or delete or update of state, kobo, pieces on refunds
  for each row execute function count_refund();
