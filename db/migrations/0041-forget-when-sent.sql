-- Whose address is to be forgotten as soon as this mail has gone out, or cannot.
alter table outbox add column forget_recipient boolean not null default false;
