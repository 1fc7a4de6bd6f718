-- Where carriers show their parcels, so that tracking numbers are links.

alter table shop_settings add column carriers text not null default '' check (length(carriers) <= 4000);
comment on column shop_settings.carriers is
  'a carrier a line: its name, and the address of a parcel with {number} for its tracking number';
