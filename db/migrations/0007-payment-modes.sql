-- Each payment knows with which keys it was made: what a trial has left is not sent, refunded or counted by a live shop.

create table live_shop (
  is_only boolean primary key default true check (is_only),
  since timestamptz not null default now()
);
comment on table live_shop is 'One row from the first start with live keys on: orders that are made in test mode after it are of a trial.';

alter table payments add column mode text check (mode in ('test', 'live'));
comment on column payments.mode is 'that of the keys it was made with; null: not known, since it is older than this column';
alter table orders add column trial boolean not null default false, add column trial_ended_at timestamptz;
create index orders_trial on orders (id) where trial;
comment on column orders.trial is 'made in test mode, of a shop that is live: not sent, refunded or counted, and shown as a test';
comment on column orders.trial_ended_at is 'since when it holds no stock and waits for nobody';

-- The version before names no mode. It runs beside this one only where the shop is live already, or is none yet.
create function know_mode() returns trigger language plpgsql as $$
begin
  select 'live' into new.mode from live_shop;
  return new;
end $$;
create trigger know_mode before insert on payments for each row when (new.mode is null) execute function know_mode();

-- What old payments tell of the keys: sales that moved in from another shop are real, a sandbox has this machine's address, and Paystack writes the mode
-- into each of its webhooks.
update payments set mode = 'live' from orders where orders.id = order_id and cart_version = 0;
update payments set mode = 'test' where mode is null and authorization_url ~ '^http://(127\.0\.0\.1|localhost)[:/]';
update payments set mode = said.domain
from (select reference, min(substring(body from '"domain"\s*:\s*"(test|live)"')) as domain from webhook_inbox group by reference) said
where payments.reference = said.reference and mode is null and said.domain is not null;

-- Once a shop is known to have been live, the rest is live as well, from its first live payment on, as long as no test came later.
with told as (
  select min(payments.created_at) filter (where mode = 'live') as live_from, max(payments.created_at) filter (where mode = 'test') as test_until
  from payments join orders on orders.id = order_id where cart_version > 0
)
update payments set mode = 'live' from told
where mode is null and payments.created_at > live_from and payments.created_at > coalesce(test_until, '-infinity');
insert into live_shop (since)
select min(payments.created_at) from payments join orders on orders.id = order_id
where mode = 'live' and cart_version > 0 having count(*) > 0;
