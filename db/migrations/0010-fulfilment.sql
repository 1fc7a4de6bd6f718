-- When the owner sent a sale off, and under which number the carrier knows it.
alter table sales add fulfilled_at timestamptz, add tracking text;
