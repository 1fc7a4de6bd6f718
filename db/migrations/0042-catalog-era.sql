-- Recovery after a crash empties unlogged tables: whoever finds another era here than before has missed what catalog_changes had noted.
create unlogged table catalog_era (
  era uuid not null default gen_random_uuid(),
  is_only boolean primary key default true check (is_only)
);
