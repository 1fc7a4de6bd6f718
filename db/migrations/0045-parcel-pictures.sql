-- Photographs of packed parcels, which staff take to show later what was sent, and how it was packed.

create table parcel_pictures (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  hash text not null,
  added_by text not null,
  added_at timestamptz not null default now(),
  unique (order_id, hash)
);
comment on table parcel_pictures is 'Photographs of packed parcels, re-encoded; the files are stored among the pictures as parcels/ID.jpg, and only staff are shown them.';
comment on column parcel_pictures.hash is 'of the file as it was sent: sent again, it is the same photograph';
comment on column parcel_pictures.added_by is 'the email address of a member of staff';
