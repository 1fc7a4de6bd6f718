-- The sections of the home page below its slides, in the owner's order. JSON as text: versions before this one send all
-- values of the row that they don't know through the form of the screen Shop, which takes texts and no lists.

alter table shop_settings add column home_sections text check (jsonb_array_length(home_sections::jsonb) between 1 and 8);
comment on column shop_settings.home_sections is 'the sections below the slides of the home page, as JSON; null: those that the shop comes with';
