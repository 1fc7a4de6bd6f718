-- A picture beside a collection's name. The version before neither reads nor changes it.

alter table collections add column picture jsonb check (jsonb_typeof(picture) = 'object');
comment on column collections.picture is 'as one of products.images; null: none';
