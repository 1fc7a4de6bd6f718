-- One card for each model in lists: docs/decisions/079. The version before shows a card for each colour.

-- A text, since versions before this one send all values of the row through the form of the screen Shop.
alter table shop_settings add column card_for text not null default 'color' check (card_for in ('color', 'model'));
comment on column shop_settings.card_for is 'what has a card of its own in the lists of products';

-- The colours of a model have the same title. A product without a colour, or whose title has no letters, is a model by itself; no title
-- folds to a colon.
create function model_of(id text, title text, color text) returns text language sql immutable parallel safe return
  case when color = '' or fold(title) = '' then ':' || id else fold(title) end;

create or replace function write_product_words() returns trigger language plpgsql as $$
begin
  new.search := product_words(new.title, new.color, new.kinds);
  new.model := model_of(new.id, new.title, new.color);
  return new;
end $$;

-- Rows that are there get their model once the owner first chooses models, by a job, a few at a time: writing all of them here would keep
-- everybody from the table meanwhile.
alter table products add column model text collate "C";
comment on column products.model is 'the same for all colours of a model; written by a trigger; null: not yet, and lists show colours until all have one';
-- With what most lists filter and order by, so that the index alone answers which product of a model is the first.
create index products_of_model on products (model, in_stock desc, position, id) include (hidden, kinds, color, price_cents);

-- A function, so that the settings, which every page reads, need the table only where models are chosen.
create function all_have_models() returns boolean language sql stable return not exists (select from products where model is null);
