-- Tags on orders and customers, and notes on customers.

create table order_tags (
  order_id uuid not null references orders on delete cascade,
  folded text not null check (folded <> ''),
  word text not null check (char_length(word) between 1 and 30),
  primary key (order_id, folded)
);
create index order_tags_by_tag on order_tags (folded);
comment on table order_tags is 'Words of the staff on an order, by which they find it again.';
comment on column order_tags.folded is 'as fold() reads the word: equal ones are one tag';
comment on column order_tags.word is 'as it was written first';

create table customer_tags (
  user_id text not null references users on delete cascade,
  folded text not null check (folded <> ''),
  word text not null check (char_length(word) between 1 and 30),
  primary key (user_id, folded)
);
create index customer_tags_by_tag on customer_tags (folded);
comment on table customer_tags is 'Words of the staff on a customer, as order_tags has them on an order.';

create table customer_notes (
  id uuid primary key,
  user_id text not null references users on delete cascade,
  author text not null,
  text text not null check (text <> ''),
  written_at timestamptz not null default now()
);
create index customer_notes_of_customer on customer_notes (user_id);
comment on table customer_notes is 'What staff have written down about a customer, for one another.';
comment on column customer_notes.id is 'of the form that it was written in: sent twice, it is one note';
