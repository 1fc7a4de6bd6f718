create index products_id_in_any_case on products (lower(id collate "C"));
comment on index products_id_in_any_case is 'finds the product that a link means which was typed in other letters';
