-- The newest two links of a kind are good at once; those before them stay for a while, so that whoever opens one is told that it is old.
alter table link_codes drop constraint link_codes_pkey, drop constraint link_codes_code_hash_key, add primary key (code_hash);
create index on link_codes (user_id, purpose);
create index on link_codes (expires_at);
