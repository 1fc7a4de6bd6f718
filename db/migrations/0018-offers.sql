-- Offers and codes: docs/decisions/057. Uses stand in a table of their own, whose changes make no page anew.

create table offers (
  id integer generated always as identity primary key,
  name text not null check (name <> ''),
  terms jsonb not null,
  by_code boolean not null default false,
  starts_at timestamptz not null default now(),
  ends_at timestamptz check (ends_at > starts_at),
  paused boolean not null default false,
  most_uses integer check (most_uses > 0),
  used integer not null default 0 check (used >= 0),
  version integer not null default 1,
  key uuid unique,
  created_at timestamptz not null default now()
);
comment on table offers is 'What the owner offers. Of equal offers the lower id, which is the older one, counts.';
comment on column offers.terms is 'what it gives, on which pieces and to whom: app/offers/terms.ts';
comment on column offers.ends_at is 'the first moment at which it is over; null: until somebody ends it';
comment on column offers.most_uses is 'so many orders in all; null: any number';
comment on column offers.used is 'uses that are held, where most_uses limits them; otherwise 0, so that checkouts do not wait for this row';
comment on column offers.key is 'of the form that made it: sent again, it makes no second one';
comment on column offers.version is 'rises with each change of name or terms: an order that was priced by another version is priced again';

create table offer_codes (
  code text primary key,
  offer_id integer not null references offers,
  written text not null,
  most_uses integer check (most_uses > 0),
  used integer not null default 0 check (used >= 0),
  batch uuid
);
create index offer_codes_of_offer on offer_codes (offer_id, batch);
comment on column offer_codes.batch is 'the key of the form that made it and others: sent again, it makes no more';
comment on column offer_codes.code is 'as fold_code() reads it; written: as it is printed';
comment on column offer_codes.most_uses is '1 for a single-use code; null: no limit of its own';
comment on column offer_codes.used is 'uses that are held, where most_uses limits them';

create table offer_uses (
  order_id uuid not null references orders on delete cascade,
  offer_id integer not null references offers,
  code text references offer_codes,
  cents integer not null check (cents >= 0),
  terms jsonb not null,
  held boolean not null default true,
  shopper bytea[] not null default '{}',
  primary key (order_id, offer_id)
);
create index offer_uses_of_offer on offer_uses (offer_id, held);
create index offer_uses_of_code on offer_uses (code) where code is not null;
create index offer_uses_of_shopper on offer_uses using gin (shopper) where shopper <> '{}';
comment on table offer_uses is 'Which offers made the prices of an order. It is held as long as the order lives, and for good once it is sold.';
comment on column offer_uses.cents is 'what it took off, before rounding; for free delivery what delivery would have cost';
comment on column offer_uses.terms is 'the offer at the moment of Pay, on the pieces that it touched: a late payment is compared with it';

comment on column offer_uses.shopper is 'shopper_marks(), where the offer counts once for each shopper. They stay when a shopper is deleted';

-- Account, email address and phone number as hashes with a secret of the database: equal ones are known again, and nobody is
-- named.
create function shopper_marks(account text, email text, phone text) returns bytea[]
language sql stable security definer set search_path = public, pg_temp as $$
  select array_agg(sha256(coalesce((select key from number_key), '\x') || convert_to(kind || ' ' || value, 'UTF8')))
  from (values ('account', account), ('email', lower(email)), ('phone', phone)) known (kind, value) where value <> ''
$$;

alter table carts add column code text, add column buyer jsonb;
comment on column carts.code is 'the code that the shopper has typed, as it was typed';
comment on column carts.buyer is 'country, email and phone as typed at the last press of Pay, if an offer asked for them';

-- Codes are read without regard to case, spaces, hyphens and letters that look like digits.
create function fold_code(typed text) returns text language sql immutable parallel safe return
  translate(upper(regexp_replace(typed, '[^A-Za-z0-9]', '', 'g')), 'OIL', '011');

-- The text of a query for exactly this word.
create function word_query(word text) returns text language sql immutable parallel safe return
  '''' || replace(replace(word, '\', '\\'), '''', '''''') || '''';

-- The offers that run, with the one of the code, as the pricing needs them. Null where there are none: most shops.
create function offers_for(of_user text, typed text) returns jsonb language plpgsql stable as $$
begin
  if typed is null and not exists (
    select from offers where not paused and starts_at <= now() and (ends_at is null or ends_at > now())
  ) then
    return null;
  end if;
  return (
    with shopper as (
      select lower(u.email) as email, lower(c.buyer ->> 'email') as typed_email, c.buyer ->> 'phone' as phone, c.buyer ->> 'country' as country,
        shopper_marks(u.id, u.email, c.buyer ->> 'phone') || shopper_marks(null, c.buyer ->> 'email', null) as marks,
        concat_ws(' | ', word_query(lower(u.email)), word_query(lower(c.buyer ->> 'email')), word_query(c.buyer ->> 'phone'))::tsquery as words
      from users u left join carts c on c.user_id = u.id where u.id = of_user
    ), running as (
      select * from offers where not paused and starts_at <= now() and (ends_at is null or ends_at > now())
    ), typed_code as (
      select * from offer_codes where code = fold_code(typed)
    ), own as (
      select u.offer_id, u.code from offer_uses u join orders a on a.id = u.order_id
      where a.user_id = of_user and a.state in ('open', 'waiting') and u.held
    )
    select jsonb_build_object(
      'code', typed,
      'email', (select email from shopper),
      'country', (select country from shopper),
      'endedText', (select o.terms ->> 'endedText' from typed_code c join offers o on o.id = c.offer_id),
      'takesCodes', exists (select from running where by_code),
      'offerOfCode', (select offer_id from typed_code),
      'offers', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', o.id, 'name', o.name, 'terms', o.terms, 'byCode', o.by_code, 'version', o.version,
          'code', c.code,
          'usedUp', o.used - (select count(*) from own where offer_id = o.id) >= o.most_uses
            or c.used - (select count(*) from own where code = c.code) >= c.most_uses,
          'usedBefore', o.terms @> '{"oncePerShopper": true}' and exists (
            select from offer_uses u join orders a on a.id = u.order_id
            where u.offer_id = o.id and u.held and a.state not in ('open', 'waiting', 'released')
              and u.shopper <> '{}' and u.shopper && (select marks from shopper)
          ),
          'bought', o.terms @> '{"firstOrderOnly": true}' and (exists (
            select from sales s where s.user_id = of_user and s.status <> 'refunded'
          ) or exists (
            select from shopper, orders a join sales s on s.order_id = a.id
            where a.words @@ shopper.words and s.status <> 'refunded'
              and (lower(a.email) in (shopper.email, typed_email) or a.shipping ->> 'phoneNumber' = phone)
          ))
        ) order by o.id)
        from running o left join typed_code c on c.offer_id = o.id
        where not o.by_code or c.code is not null
      ), '[]')
    )
  );
end $$;

-- Frees or takes again what an order uses. Takes all or nothing: false where one of them is used up.
create function hold_offers(of_order uuid, hold boolean) returns boolean language plpgsql as $$
declare
  one record;
begin
  for one in
    select u.offer_id, u.code, o.most_uses as of_offer, c.most_uses as of_code
    from offer_uses u join offers o on o.id = u.offer_id left join offer_codes c on c.code = u.code
    where u.order_id = of_order and u.held <> hold order by u.offer_id
  loop
    if one.of_offer is not null then
      update offers set used = used + case when hold then 1 else -1 end
      where id = one.offer_id and (not hold or used < most_uses);
      if not found then
        raise exception sqlstate 'IR002';
      end if;
    end if;
    if one.of_code is not null then
      update offer_codes set used = used + case when hold then 1 else -1 end
      where code = one.code and (not hold or used < most_uses);
      if not found then
        raise exception sqlstate 'IR002';
      end if;
    end if;
    update offer_uses set held = hold where order_id = of_order and offer_id = one.offer_id;
  end loop;
  return true;
exception when sqlstate 'IR002' then
  return false; -- and all of the above is undone
end $$;
