-- The owner may hold the exchange rate: what the service gives meanwhile is stored, and is not in force.

alter table exchange_rates
  add column held_until timestamptz check (held_until <= fetched_at + interval '32 days'),
  add column in_force boolean not null default true,
  add check (in_force or held_until is null);
create index exchange_rates_in_force on exchange_rates (id desc) where in_force;
comment on table exchange_rates is 'Naira for one dollar; the newest row that is in force counts.';
comment on column exchange_rates.held_until is 'until then, what the service gives does not come into force; null: not held';
comment on column exchange_rates.in_force is 'false: what the service gave while another rate was held';
