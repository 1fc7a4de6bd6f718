-- How much of each size the orders that staff put together may hold, without a deployment. The version before neither reads nor writes it.

alter table shop_settings add column staff_share integer check (staff_share between 1 and 100);
comment on column shop_settings.staff_share is
  'per cent of a size in stock that the orders of staff may hold, all of them together; null: what the shop comes with, 25';
