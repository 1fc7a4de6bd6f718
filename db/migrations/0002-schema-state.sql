create table schema_state (
  is_only boolean primary key default true check (is_only),
  migrations jsonb not null,
  objects jsonb not null,
  server_version integer not null,
  recorded_at timestamptz not null default now()
);
comment on table schema_state is 'One row, written whenever the database is brought to a version.';
comment on column schema_state.migrations is '{name: SHA-256}, the text of each migration that was applied';
comment on column schema_state.objects is '{name: definition} of tables, columns, constraints, indexes, triggers and functions, as they were then';
comment on column schema_state.server_version is 'of the PostgreSQL that wrote the definitions down';
