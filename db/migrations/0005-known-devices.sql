-- Known devices, and links that sign in.

create table known_devices (
  mark_hash bytea primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create index on known_devices (user_id);
create index on known_devices (used_at);
comment on table known_devices is 'A browser whose user has signed in in it, or proved to read the mails to the account there. Other people''s wrong passwords do not keep it out.';
comment on column known_devices.mark_hash is 'SHA-256 of the mark in the cookie';

-- No foreign key: a backup is restored table by table, in the order in which they were made.
alter table sessions add column mark_hash bytea;
comment on column sessions.mark_hash is 'the mark of the device in which it began: it ends with the session where that is ended from another device';

create table sign_in_links (
  id uuid primary key,
  user_id text not null references users on delete cascade,
  browser_hash bytea not null,
  code_hash bytea unique,
  expires_at timestamptz not null
);
create index on sign_in_links (user_id);
create index on sign_in_links (expires_at);
comment on table sign_in_links is 'A right password from a network from which many wrong ones came: a link in a mail signs in, in the browser that asked.';
comment on column sign_in_links.browser_hash is 'SHA-256 of the secret in the browser''s cookie';
comment on column sign_in_links.code_hash is 'SHA-256 of the code; null until the mail is queued';
