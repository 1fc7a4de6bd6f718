-- Roles for packing and for the books, and roles that an owner makes. The version before knows none of them, and lets
-- nobody in who has one.

create table staff_roles (
  name text primary key check (name <> ''),
  permissions text[] not null
);
comment on table staff_roles is 'The roles that owners have made. app/staff/roles.ts has those that every shop has.';
comment on column staff_roles.permissions is 'as app/staff/roles.ts names them';

alter table staff drop constraint staff_role_check,
  add constraint staff_role_check check (role in ('owner', 'orders', 'catalogue', 'reader', 'packer', 'bookkeeper', 'own')) not valid;
alter table staff add column own_role text references staff_roles;
comment on column staff.own_role is 'counts where role is own';

-- What else staff find an order by: a part of its number, its street and place, and its products. Its cost keeps
-- PostgreSQL from computing it for every order instead of reading the index. The words are 50 microseconds of work, so
-- the index holds no order that is still being paid: each change of such a one would compute them anew.
create function order_more_words(number text, shipping jsonb, lines jsonb) returns tsvector
language sql immutable parallel safe cost 10000 return
  array_to_tsvector(array_remove(string_to_array(
    (select string_agg(lower(substr(plain, at)), ' ') from replace(number, '-', '') plain, generate_series(3, 6) at)
    || ' ' || lower(substr(number, 4))
    || ' ' || whole_words(concat_ws(' ', shipping ->> 'address', shipping ->> 'apartment', shipping ->> 'landmark', shipping ->> 'city',
      shipping ->> 'localGovernment', shipping ->> 'state', shipping ->> 'pickupCenter', shipping ->> 'country'))
    || ' ' || coalesce((select string_agg(whole_words(line ->> 'title'), ' ') from jsonb_array_elements(lines) line), ''), ' '), ''));
create index orders_found_more on orders using gin (order_more_words(number, shipping, lines))
  where state not in ('open', 'waiting');

-- A carrier's number without what people write between its parts.
create function plain_code(given text) returns text language sql immutable parallel safe return
  upper(regexp_replace(given, '[^A-Za-z0-9]', '', 'g') collate "C");
create index sales_by_tracking on sales ((plain_code(tracking) collate "C")) where tracking is not null;
