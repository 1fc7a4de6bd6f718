-- Notifications on the phones and computers of staff: docs/decisions/062-notifications.md.

create table notification_keys (
  is_only boolean primary key default true check (is_only),
  public_key bytea not null,
  private_key bytea not null,
  made_at timestamptz not null default now()
);
comment on table notification_keys is 'The pair of keys by which push services know the shop, made once: each device is bound to it.';
comment on column notification_keys.public_key is 'a point of P-256, uncompressed';
comment on column notification_keys.private_key is 'in PKCS #8';

create table notification_devices (
  id uuid primary key default gen_random_uuid(),
  staff_id uuid not null references staff on delete cascade,
  session_hash bytea not null unique check (length(session_hash) > 0),
  expires_at timestamptz not null,
  endpoint text not null unique check (length(endpoint) between 1 and 1000),
  public_key bytea not null check (length(public_key) = 65),
  secret bytea not null check (length(secret) = 16),
  device text not null,
  kinds text[] not null,
  created_at timestamptz not null default now()
);
create index on notification_devices (staff_id);
comment on table notification_devices is 'A browser in which a member of staff has switched notifications on.';
comment on column notification_devices.session_hash is 'the token_hash of the session there; it outlives a session that ends because nobody uses it';
comment on column notification_devices.expires_at is 'when the sign-in there ends, however often it is used';
comment on column notification_devices.endpoint is 'the address at the browser''s push service';
comment on column notification_devices.public_key is 'of the browser, for which messages are encrypted';
comment on column notification_devices.secret is 'of the browser, mixed into the encryption';
comment on column notification_devices.kinds is 'what is switched on, as app/staff/notifications/kinds.ts names it; the role decides what of it is sent';

create table notifications (
  device_id uuid not null references notification_devices on delete cascade,
  kind text not null,
  subject text not null,
  about jsonb not null,
  happened_at timestamptz not null,
  tries integer not null default 0,
  next_try_at timestamptz default now(),
  answer text,
  primary key (device_id, kind, subject)
);
create index notifications_due on notifications (next_try_at) where next_try_at is not null;
create index notifications_of_time on notifications (happened_at);
comment on table notifications is 'What a device is told of, for some hours. A job writes and sends it, never the change that it tells of.';
comment on column notifications.subject is 'what it is about: no device is told of it twice';
comment on column notifications.about is '{name, kobo, path}: the number of an order or the name of a size, the sum, and the page of the office';
comment on column notifications.next_try_at is 'null: it is sent, or given up';
comment on column notifications.answer is 'why the last try failed; null if it did not';
