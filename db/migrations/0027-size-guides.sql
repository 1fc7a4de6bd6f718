-- Size guides of the owner: measures for each size, for kinds of products, for collections or for single products.

create table size_guides (
  id text primary key check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(id) <= 60),
  name text not null check (name <> ''),
  falls text not null default '',
  kinds text[] not null default '{}',
  measures jsonb not null,
  sizes jsonb not null,
  version integer not null default 1
);
comment on table size_guides is 'Tables of measures for each size, which the owner has made.';
comment on column size_guides.id is 'made of the first name; it stays as it is';
comment on column size_guides.name is 'for the staff alone';
comment on column size_guides.falls is 'a line on how the piece falls, for shoppers; empty: none';
comment on column size_guides.kinds is 'the kinds of products that it is for; each kind is in one guide at most';
comment on column size_guides.measures is 'its columns, each with a name and a line that says how to measure: app/catalog/size-guides/guide.ts';
comment on column size_guides.sizes is 'its rows, each with a size and a value in cm for each measure';
comment on column size_guides.version is 'rises with each change';

create table size_guide_collections (
  collection_id text primary key references collections on delete cascade,
  guide_id text not null references size_guides on delete cascade
);
create index size_guide_collections_of_guide on size_guide_collections (guide_id);
comment on table size_guide_collections is 'The collections that a size guide is for: the products that were put into them.';

create table size_guide_products (
  product_id text primary key references products on delete cascade,
  guide_id text not null references size_guides on delete cascade
);
create index size_guide_products_of_guide on size_guide_products (guide_id);
comment on table size_guide_products is 'The single products that a size guide is for.';

create trigger record_change after insert or update or delete or truncate on size_guides
  for each statement execute function record_catalog_change();
create trigger record_change after insert or update or delete or truncate on size_guide_collections
  for each statement execute function record_catalog_change();
create trigger record_change after insert or update or delete or truncate on size_guide_products
  for each statement execute function record_catalog_change();
