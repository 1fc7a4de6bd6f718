-- Moves a shop's database from before the first release's schema to it.
alter table attempts rename to orders;
alter table sales rename attempt_id to order_id; alter table payments rename attempt_id to order_id; alter table reservations rename attempt_id to order_id;
alter table reconciliation_breaks rename to payment_issues;
alter table cart_lines rename added_as to idempotency_key; alter table outbox rename key to idempotency_key;
alter table refunds rename attempts to tries; alter table outbox rename attempts to tries;
alter table catalog_changes rename noted_at to recorded_at;
drop index webhook_inbox_open; alter table webhook_inbox drop done_at;
alter index attempts_one_live_per_user rename to orders_one_live_per_user; alter index attempts_of_user rename to orders_of_user;
alter index payments_attempt_id_idx rename to payments_order_id_idx;
alter function note_stock_change() rename to record_stock_change; alter trigger note_stock_change on product_sizes rename to record_stock_change;
alter function note_in_stock() rename to update_in_stock; alter trigger note_in_stock on product_sizes rename to update_in_stock; alter trigger note_in_stock_again on product_sizes rename to update_in_stock_again;
alter function note_catalog_change() rename to record_catalog_change;
alter trigger note_change on products rename to record_change; alter trigger note_change on product_sizes rename to record_change; alter trigger note_change on exchange_rates rename to record_change; alter trigger note_change on shipping_rates rename to record_change;
do $$ declare c record; begin
  for c in select conrelid::regclass as t, conname from pg_constraint where connamespace = 'public'::regnamespace and (conname like '%attempt%' or conname like '%reconciliation_breaks%' or conname = 'outbox_key_key' or conname like 'outbox_key_not_null' or conname like '%noted_at%') loop
    execute format('alter table %s rename constraint %I to %I', c.t, c.conname,
      replace(replace(replace(replace(replace(replace(replace(c.conname, 'noted_at', 'recorded_at'), 'refunds_attempts', 'refunds_tries'), 'outbox_attempts', 'outbox_tries'), 'attempt_id', 'order_id'), 'attempts', 'orders'), 'reconciliation_breaks', 'payment_issues'), 'outbox_key', 'outbox_idempotency_key'));
  end loop;
end $$;
alter sequence if exists reconciliation_breaks_id_seq rename to payment_issues_id_seq;
delete from kysely_migration;
insert into kysely_migration (name, timestamp) values ('0001-schema', now()::text);
