-- The sections of the home page below its slides, in the owner's order.

alter table shop_settings add column home_sections jsonb check (jsonb_array_length(home_sections) between 1 and 8);
comment on column shop_settings.home_sections is 'the sections below the slides of the home page; null: those that the shop comes with';
