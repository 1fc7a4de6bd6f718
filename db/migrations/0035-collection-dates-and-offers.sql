-- Collections that the shop shows from a time on and until another one.

alter table collections add column starts_at timestamptz, add column ends_at timestamptz check (ends_at > starts_at);
comment on column collections.starts_at is 'from when on the shop shows it, if it is not hidden; null: at once';
comment on column collections.ends_at is 'the first moment at which the shop no longer shows it; null: no end';

-- Offers on collections: docs/decisions/072.

-- Which of these products are in which of these collections: [{"collection", "product"}], or null. A rule applies as in
-- isInSql() of app/catalog/catalog.server.ts. Where only the family of the colour is left to decide, "color" and "colors"
-- are added: the words of colours are in app/catalog/filter/color-words.server.ts.
create function collection_members(of_collections text[], of_products text[]) returns jsonb language sql stable as $$
  select jsonb_agg(jsonb_build_object('collection', c.id, 'product', p.id) || case
    when m.product_id is null and c.rule ? 'colors' then jsonb_build_object('color', p.color, 'colors', c.rule -> 'colors')
    else '{}' end)
  from collections c join products p on p.id = any (of_products)
    left join collection_products m on m.collection_id = c.id and m.product_id = p.id
    cross join lateral price_at(p.id, coalesce(p.normal_cents, p.price_cents), now()) price
  where c.id = any (of_collections) and (m.product_id is not null or c.rule is not null
    and (not c.rule ? 'kind' or c.rule ->> 'kind' = any (p.kinds))
    and coalesce(price.price_cents >= (c.rule ->> 'minCents')::bigint, true)
    and coalesce(price.price_cents <= (c.rule ->> 'maxCents')::bigint, true)
    and (not c.rule ? 'onSale' or price.old_cents is not null)
    and coalesce(p.created_at > now() - make_interval(days => (c.rule ->> 'newDays')::integer), true))
$$;

-- The offers that run, with the one of the code, as the pricing needs them. Null where there are none: most shops.
-- of_products: what is priced; null: the cart of the account. Only where one of these offers names a collection,
-- "members" says which products are in it.
create function offers_for(of_user text, typed text, of_products text[]) returns jsonb language plpgsql stable as $$
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
      ), '[]'),
      'members', (
        select case when count(*) > 0 then collection_members(
          array_agg(named), coalesce(of_products, array(select product_id from cart_lines where user_id = of_user))
        ) end
        from running o left join typed_code c on c.offer_id = o.id, jsonb_array_elements_text(o.terms -> 'collections') named
        where not o.by_code or c.code is not null
      )
    )
  );
end $$;

-- For versions before this one, which would take an offer on a collection for one on everything: leaves such offers out.
create or replace function offers_for(of_user text, typed text) returns jsonb language sql stable as $$
  select given || jsonb_build_object('offers', (
    select coalesce(jsonb_agg(one order by (one ->> 'id')::integer), '[]') from jsonb_array_elements(given -> 'offers') one
    where coalesce(one #> '{terms,collections}', '[]') = '[]'
  ))
  from offers_for(of_user, typed, '{}') given
$$;
