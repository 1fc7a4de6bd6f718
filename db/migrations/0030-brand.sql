-- The shop's name and the words about it, without a deployment. Null stands for the words that the shop comes with.

alter table shop_settings
  add column shop_name text check (length(shop_name) between 2 and 30),
  add column wordmark text check (length(wordmark) between 1 and 20),
  add column tagline text check (length(tagline) between 1 and 80),
  add column footer_line text check (length(footer_line) between 1 and 120);
comment on column shop_settings.shop_name is 'in titles, emails and everywhere else where the shop names itself';
comment on column shop_settings.wordmark is 'what the header shows; null: the name in capitals';
comment on column shop_settings.tagline is 'what the shop sells, in a few words';
comment on column shop_settings.footer_line is 'at the foot of every page; null: the year and the wordmark';
