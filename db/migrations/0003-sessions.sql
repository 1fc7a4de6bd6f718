-- Sign-in and sessions of the shop's own (docs/decisions/011-sessions.md). Whoever is signed in signs in again.
drop table sessions;
create table sessions (
  token_hash bytea primary key,  -- SHA-256 of the token that the cookie holds
  id uuid not null unique default gen_random_uuid(),  -- names the session to its owner
  user_id text not null references users on delete cascade,
  device text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create index on sessions (user_id);

alter table accounts drop column id, drop column access_token, drop column refresh_token, drop column id_token,
  drop column access_token_expires_at, drop column refresh_token_expires_at, drop column scope;
alter table accounts drop constraint accounts_provider_id_account_id_key, add primary key (provider_id, account_id);
alter table users drop column name, drop column image;

-- A sign-in by Google between its begin and its end.
drop table verifications;
create table open_id_states (
  state_hash bytea primary key,
  kept jsonb not null,
  expires_at timestamptz not null
);
