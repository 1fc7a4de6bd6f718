-- A product that is no longer shown or sold; orders and carts that name it keep it.
alter table products add column hidden boolean not null default false;
