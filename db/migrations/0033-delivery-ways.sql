-- Ways of home delivery beside the standard one, such as express. Each has one price for the places it serves.

create table delivery_ways (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 40),
  places text[] not null check (cardinality(places) between 1 and 400),
  rate_cents integer not null check (rate_cents >= 0),
  from_days integer not null check (from_days >= 0),
  to_days integer not null check (to_days between from_days and 60),
  order_by text not null default '' check (order_by ~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'),
  active boolean not null default false,
  version integer not null default 1
);
create unique index delivery_ways_name on delivery_ways (fold(name));
comment on table delivery_ways is 'Further ways of home delivery; the standard one is in shipping_rates.';
comment on column delivery_ways.name is 'as shoppers see it';
comment on column delivery_ways.places is 'what it serves, as "state Lagos" or "country GH"; "country NG" is all of Nigeria';
comment on column delivery_ways.rate_cents is 'the price of this delivery, in US cents, instead of the standard rate';
comment on column delivery_ways.from_days is 'business days from the order to the door, at least';
comment on column delivery_ways.to_days is 'business days from the order to the door, at most';
comment on column delivery_ways.order_by is 'the last time of a day whose orders count from that day, in the shop''s time zone; empty: none';
comment on column delivery_ways.active is 'whether the checkout offers it';
comment on column delivery_ways.version is 'rises with each change, except when it is switched on or off';

create trigger record_change after insert or update or delete or truncate on delivery_ways
  for each statement execute function record_catalog_change();
