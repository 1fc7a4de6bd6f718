alter table attempts
  add released_at timestamptz, -- a payment that was made after it is not bound to the sums of the order any more
  add holds_stock boolean not null default true; -- false: its pieces are taken from the shelf when it is paid
update attempts set released_at = updated_at where state = 'released';
