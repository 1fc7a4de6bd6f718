-- Numbers are spelled once for each order, by one expression, which is quicker. They stay the same.

create or replace function spell_number(prefix text, value integer) returns text language sql immutable strict as $$
  select prefix || '-'
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (value & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (value >> 5 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (value >> 10 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (value >> 15 & 31) + 1, 1) || '-'
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (value >> 20 & 31) + 1, 1)
    || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (value >> 25 & 31) + 1, 1)
$$;

create or replace function give_order_number() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  key bytea := key_of_numbers();
  drawn integer := shuffle_number(new.counted, 'IR', key);
  spelled text := spell_number('IR', drawn);
begin
  while exists (select from orders where number = spelled) loop
    drawn := shuffle_number(drawn, 'IR', key);
    spelled := spell_number('IR', drawn);
  end loop;
  new.number := spelled;
  new.words := order_words(new.number, new.email, new.shipping);
  return new;
end $$;

create or replace function give_return_number() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  key bytea := key_of_numbers();
  drawn integer := shuffle_number(new.counted, 'RT', key);
  spelled text := spell_number('RT', drawn);
begin
  while exists (select from returns where number = spelled) loop
    drawn := shuffle_number(drawn, 'RT', key);
    spelled := spell_number('RT', drawn);
  end loop;
  new.number := spelled;
  return new;
end $$;
