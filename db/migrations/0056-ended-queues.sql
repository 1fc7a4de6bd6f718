-- When the queues that have ended were on. The version before neither reads nor writes this: a late payment for an
-- order from a queue that the version before has ended goes back, as before, if the product is queued for again.

create table ended_queues (
  product_id text not null references products on delete cascade,
  switched_on_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  primary key (product_id, switched_on_at)
);
comment on table ended_queues is 'Orders that were made between these times had a turn: their late payments are sales, also if the product is queued for again.';
