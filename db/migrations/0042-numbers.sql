-- The days and hours that texts and rules share, without a deployment. Null stands for those that the shop comes with:
-- 14 days for a return, 48 hours to report damage, 7 business days for a refund, 2 to 3 until an order leaves,
-- and then 3 to 7 within Nigeria and 7 to 14 abroad.

alter table shop_settings
  add column return_days integer check (return_days between 7 and 365),
  add column damage_hours integer check (damage_hours between 24 and 720),
  add column refund_days integer check (refund_days between 1 and 30),
  add column pack_from integer check (pack_from between 0 and 29),
  add column pack_to integer check (pack_to between 1 and 30),
  add column nigeria_from integer check (nigeria_from between 0 and 59),
  add column nigeria_to integer check (nigeria_to between 1 and 60),
  add column abroad_from integer check (abroad_from between 0 and 59),
  add column abroad_to integer check (abroad_to between 1 and 60);
comment on column shop_settings.return_days is 'days after delivery in which a return can be requested';
comment on column shop_settings.damage_hours is 'hours after delivery in which damage can be reported';
comment on column shop_settings.refund_days is 'business days in which the money of a return must be on its way';
comment on column shop_settings.pack_from is 'business days until an order leaves the shop, at least';
comment on column shop_settings.pack_to is 'business days until an order leaves the shop, at most';
comment on column shop_settings.nigeria_from is 'business days of the standard delivery from then on, at least; the next three columns alike';

-- The numbers that the owner has set; null if there are none.
create function shop_numbers() returns jsonb language plpgsql stable as $$
begin
  return (
    select nullif(jsonb_strip_nulls(jsonb_build_object('returnDays', return_days, 'damageHours', damage_hours, 'refundDays', refund_days,
      'packFrom', pack_from, 'packTo', pack_to, 'nigeriaFrom', nigeria_from, 'nigeriaTo', nigeria_to, 'abroadFrom', abroad_from, 'abroadTo', abroad_to)), '{}')
    from shop_settings
  );
end $$;

-- Orders from before keep null. The default also holds for orders that the version before takes.
alter table orders add column numbers jsonb;
alter table orders alter column numbers set default shop_numbers();
comment on column orders.numbers is 'the owner''s numbers at Pay, as shop_numbers() has them; those that are missing are the ones that the shop comes with';
