-- Addresses of the owner's former shop that lead to pages of this one, and those that are asked for in vain.

create table old_addresses (
  path text collate "C" primary key check (length(path) between 2 and 300),
  leads_to text not null check (length(leads_to) between 1 and 500)
);
comment on table old_addresses is 'Paths without a page, which are redirected for good.';
comment on column old_addresses.path is 'decoded, in small letters, without a slash at the end';
comment on column old_addresses.leads_to is 'a page of this shop, with query and fragment';

create table missed_addresses (
  path text collate "C" primary key check (length(path) between 2 and 300),
  times integer not null check (times > 0),
  first_at timestamptz not null default date_trunc('day', now()),
  last_at timestamptz not null default date_trunc('day', now())
);
comment on table missed_addresses is 'Paths that visitors asked for and that have no page; at most 1,000, each for at most 90 days.';
comment on column missed_addresses.path is 'as in old_addresses';
comment on column missed_addresses.times is 'how often since first_at';
comment on column missed_addresses.first_at is 'the day';
comment on column missed_addresses.last_at is 'the day';
