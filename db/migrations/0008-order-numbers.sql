-- Order and return numbers are drawn with a secret of the database: none tells how many there were, or the next one. Those that were given stay.

create table number_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null default decode(replace(concat(gen_random_uuid(), gen_random_uuid()), '-', ''), 'hex')
);
comment on table number_key is 'What order and return numbers are drawn with. A backup carries it, so no number is given twice.';
-- No policy lets the shop's role see its row. The right itself stays: the version before waits until it has it for every table.
alter table number_key enable row level security;
insert into number_key default values;

-- A Feistel network of eight rounds: it maps the whole numbers below 2^30 onto themselves, one to one, in an order that only the key tells.
create function shuffle_number(value integer, tweak text, key bytea) returns integer language plpgsql immutable strict as $$
declare
  high integer := value >> 15;
  low integer := value & 32767;
  hash bytea;
  mixed integer;
begin
  if value not between 0 and 1073741823 then
    raise exception 'there are no more numbers of %', tweak using errcode = 'numeric_value_out_of_range';
  end if;
  for round in 1..8 loop
    hash := sha256(key || convert_to(concat_ws(' ', tweak, round, low), 'UTF8'));
    mixed := high # ((get_byte(hash, 0) << 8 | get_byte(hash, 1)) & 32767);
    high := low;
    low := mixed;
  end loop;
  return high << 15 | low;
end $$;

-- The letters are Crockford's 32, of which none looks like another.
create function spell_number(prefix text, value integer) returns text language sql immutable strict as $$
  select prefix || '-' || left(letters, 4) || '-' || right(letters, 2) from (
    select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (value >> 5 * place & 31) + 1, 1), '' order by place) as letters
    from generate_series(0, 5) place
  ) spelled
$$;

-- The key of a backup from before it is made when first asked for.
create function key_of_numbers() returns bytea language plpgsql as $$
declare
  found bytea;
begin
  select key into found from number_key;
  if found is null then
    insert into number_key default values on conflict do nothing;
    select key into found from number_key;
  end if;
  return found;
end $$;

-- Draws on from a number that was given before this file; no two orders of these draws are given the same.
create function give_order_number() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  key bytea := key_of_numbers();
  drawn integer := shuffle_number(new.counted, 'IR', key);
begin
  while exists (select from orders where number = spell_number('IR', drawn)) loop
    drawn := shuffle_number(drawn, 'IR', key);
  end loop;
  new.number := spell_number('IR', drawn);
  new.words := order_words(new.number, new.email, new.shipping);
  return new;
end $$;
alter table orders alter column number drop expression, alter column words drop expression;
create trigger give_number before insert on orders for each row execute function give_order_number();

create function write_order_words() returns trigger language plpgsql as $$
begin
  new.words := order_words(new.number, new.email, new.shipping);
  return new;
end $$;
create trigger write_words before update of email, shipping on orders for each row execute function write_order_words();

create function give_return_number() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  key bytea := key_of_numbers();
  drawn integer := shuffle_number(new.counted, 'RT', key);
begin
  while exists (select from returns where number = spell_number('RT', drawn)) loop
    drawn := shuffle_number(drawn, 'RT', key);
  end loop;
  new.number := spell_number('RT', drawn);
  return new;
end $$;
alter table returns alter column number drop expression;
create trigger give_number before insert on returns for each row execute function give_return_number();
