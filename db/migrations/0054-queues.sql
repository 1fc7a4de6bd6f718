-- Queues for products that many want at one moment. The version before neither reads nor writes any of this.

create table queues (
  product_id text primary key references products on delete cascade,
  opens_at timestamptz not null,
  switched_on_at timestamptz not null default clock_timestamp(),
  pace integer not null check (pace between 1 and 6000)
);
comment on table queues is 'Products that are bought in turns, from when the owner switches the queue on until the owner ends it.';
comment on column queues.switched_on_at is 'orders that were made before asked for no turn';
comment on column queues.pace is 'the most turns that begin in a minute';
create trigger record_change after insert or update or delete or truncate on queues
  for each statement execute function record_catalog_change();

create table queue_rounds (
  product_id text primary key references queues on delete cascade,
  paced_at timestamptz not null,
  rounded_at timestamptz,
  numbered integer not null default 0,
  let_in integer not null default 0
);
comment on table queue_rounds is 'How far each queue is. A table of its own: it is written every second, and changes no page that is cached.';
comment on column queue_rounds.paced_at is 'from when on the pace counts the next turns';
comment on column queue_rounds.rounded_at is 'when places were last numbered and turns begun';
comment on column queue_rounds.numbered is 'the last number that was given';
comment on column queue_rounds.let_in is 'the last number whose turn has begun';

create table queue_places (
  product_id text not null references queues on delete cascade,
  user_id text not null references users on delete cascade,
  asked_at timestamptz not null default clock_timestamp(),
  draw uuid not null default gen_random_uuid(),
  number integer,
  let_in_at timestamptz,
  used_at timestamptz,
  primary key (product_id, user_id)
);
comment on table queue_places is 'The one place that an account has in a queue.';
comment on column queue_places.draw is 'random: the order of the places that were taken before the opening';
comment on column queue_places.number is 'null until the first round after the opening, or after the place was taken';
comment on column queue_places.let_in_at is 'when its turn began; null: it waits';
comment on column queue_places.used_at is 'when the turn became an order; null: not yet';
create index queue_places_waiting on queue_places (product_id, number) where let_in_at is null;
create index queue_places_in_turn on queue_places (product_id, let_in_at) where used_at is null and let_in_at is not null;
create index on queue_places (user_id);
