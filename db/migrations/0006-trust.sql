-- Who has proved what: the address, the password, the browser.

alter table users add column registered_in bytea;
comment on column users.registered_in is 'SHA-256 of the secret in the cookie of the browser that registered; null once the address is verified';

alter table accounts add column proved boolean not null default false;
comment on column accounts.proved is 'of a password: whoever chose or gave it has followed a link in a mail to the account''s address';

-- In plpgsql: it looks anew each time, so behind the lock of the cart it sees what others have added before.
create function count_cart_lines(of_user text) returns integer language plpgsql volatile as $$
begin
  return (select count(*) from cart_lines where user_id = of_user);
end $$;
