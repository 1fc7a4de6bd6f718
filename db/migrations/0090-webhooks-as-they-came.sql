-- What the provider has signed is kept whatever is in it: jsonb takes no \u0000, no half of a surrogate pair, and only so many levels.
alter table webhook_inbox alter column body type text using body::text;
