-- The shop's own address for labels and packing slips, and the file that a courier imports.

alter table shop_settings
  add column sender text not null default '' check (length(sender) <= 300),
  add column sender_phone text not null default '',
  add column courier_columns jsonb check (jsonb_array_length(courier_columns) between 1 and 20);
comment on column shop_settings.sender is 'name and address on labels and slips, in lines';
comment on column shop_settings.courier_columns is 'headings of the courier''s file and what each holds; null: the usual ones';
