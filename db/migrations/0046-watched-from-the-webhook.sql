-- A payment is watched for three days from its start, and again from each webhook about it.
alter table payments add webhook_at timestamptz;
