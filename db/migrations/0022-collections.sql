-- Collections: products that the owner has chosen, in an order of their own, each with a page in the shop.

create table collections (
  id text primary key check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(id) <= 60),
  name text not null check (name <> ''),
  words text not null default '',
  rule jsonb,
  hidden boolean not null default true,
  position integer not null,
  version integer not null default 1
);
comment on table collections is 'Products that the owner has chosen, with a page of their own.';
comment on column collections.id is 'the end of the address of its page, which stays as it is';
comment on column collections.words is 'a sentence or two below the name';
comment on column collections.rule is 'which other products are in it: app/catalog/collections/collection.ts; null: none';
comment on column collections.position is 'its place among the links to all collections';
comment on column collections.version is 'rises with each change of name, words, rule, place and whether it is shown';

create table collection_products (
  collection_id text not null references collections on delete cascade,
  product_id text not null references products on delete cascade,
  position integer not null,
  primary key (collection_id, product_id)
);
create index collection_products_of_product on collection_products (product_id);
comment on column collection_products.position is 'the place of the product in the collection';

create trigger record_change after insert or update or delete or truncate on collections
  for each statement execute function record_catalog_change();
create trigger record_change after insert or update or delete or truncate on collection_products
  for each statement execute function record_catalog_change();
