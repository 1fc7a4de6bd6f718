-- Cash is rounded down to ₦50: docs/decisions/085. The version before takes the order's whole sum in cash, which stays right.

alter table hand_takings add column rounding_kobo bigint not null default 0 check (rounding_kobo >= 0 and rounding_kobo < 5000);
comment on column hand_takings.rounding_kobo is 'by how much cash was rounded down: together with what was taken, the order''s sum';

-- A text, since the version before sends all values of the row through the form of the screen Shop.
alter table shop_settings add column cash_rounding text not null default 'down' check (cash_rounding in ('down', 'none'));
comment on column shop_settings.cash_rounding is 'whether cash is rounded down to ₦50';
