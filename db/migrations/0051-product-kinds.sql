-- Kinds of products are the owner's. The version before goes on with the four that it has in its code, and knows no others.

create table product_kinds (
  id text primary key check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(id) <= 60),
  name text not null check (name <> ''),
  position integer not null
);
comment on table product_kinds is 'The kinds of products, in the order in which the shop links to them.';
comment on column product_kinds.id is 'the part of its address, by which products name it; stays as it is';
insert into product_kinds values ('jerseys', 'Jerseys', 1), ('tees', 'Tees', 2), ('prints', 'Prints', 3), ('accessories', 'Accessories', 4);

create trigger record_change after insert or update or delete or truncate on product_kinds
  for each statement execute function record_catalog_change();

-- What names a kind keeps it until the end of its transaction: meanwhile nobody removes it. It works as its owner: the version before
-- writes products while the rights to the new table are not granted yet.
create function check_kinds() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  named text[];
  missing text;
begin
  if tg_table_name = 'offers' then
    named := array(select jsonb_array_elements_text(new.terms -> 'kinds'));
  elsif tg_table_name = 'collections' then
    named := array_remove(array[new.rule ->> 'kind'], null);
  else
    named := new.kinds;
  end if;
  perform from product_kinds where id = any (named) order by id for key share;
  select one into missing from unnest(named) one where not exists (select from product_kinds where id = one) limit 1;
  if missing is not null then
    raise exception 'there is no kind %', missing using errcode = 'check_violation', constraint = 'kinds_are_known';
  end if;
  return new;
end $$;
alter table products drop constraint products_kinds_check;
create trigger check_kinds before insert or update of kinds on products for each row execute function check_kinds();
create trigger check_kinds before insert or update of kinds on size_guides for each row execute function check_kinds();
create trigger check_kinds before insert or update of terms on offers for each row execute function check_kinds();
create trigger check_kinds before insert or update of rule on collections for each row execute function check_kinds();

-- The words by which a search finds the products of these kinds: their ids, and the words of their names with which no id begins, since a
-- search word finds what begins with it.
create function kind_words(kinds text[]) returns text[] language sql stable security definer set search_path = public, pg_temp as $$
  select kinds || array(
    select distinct lexeme from product_kinds k, unnest(to_tsvector('english', fold(k.name)))
    where k.id = any (kinds) and not starts_with(k.id, lexeme)
  )
$$;

create or replace function write_product_words() returns trigger language plpgsql as $$
begin
  new.search := product_words(new.title, new.color, kind_words(new.kinds));
  new.model := model_of(new.id, new.title, new.color);
  return new;
end $$;

create function write_words_of_kind() returns trigger language plpgsql as $$
begin
  update products set kinds = kinds where kinds @> array[new.id];
  return null;
end $$;
create trigger write_words after update of name on product_kinds
  for each row when (old.name <> new.name) execute function write_words_of_kind();
