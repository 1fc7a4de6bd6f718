-- Counting a try is no reason to wait for the disk. After a crash of the database everybody may try again.
alter table rate_limits set unlogged;
create index on rate_limits (resets_at);
