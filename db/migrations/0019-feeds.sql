-- Product feeds: docs/decisions/058. The files lie in the picture store; this table says which parts make up each one.

create table feeds (
  name text not null,
  currency text not null,
  asked_at timestamptz not null default now(),
  checked_at timestamptz,
  is_old boolean not null default true,
  generation integer not null default 0,
  parts integer,
  etag text,
  written_at timestamptz,
  primary key (name, currency)
);
comment on table feeds is 'Product feeds that somebody asks for. A job writes them anew after changes of the catalogue.';
comment on column feeds.asked_at is 'when it was last asked for, to the hour: what nobody asks for any more is no longer written';
comment on column feeds.checked_at is 'up to when the catalogue was looked through for changes';
comment on column feeds.is_old is 'the catalogue has changed since the file was begun';
comment on column feeds.generation is '0 or 1 in turns, and part of the names of the files: a reader of the one before goes on';
comment on column feeds.parts is 'how many files there are; null: none was written yet';
