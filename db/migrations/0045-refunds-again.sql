-- A refund that failed can be asked for again: these had failed before the provider was last asked, so they are no answer to that.
alter table refunds add failed_before text[] not null default '{}';
