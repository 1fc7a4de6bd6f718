-- offers_for() counted the uses that the shopper's open checkout holds as free for an order that staff put together, too.
-- Such an order does not replace the checkout, so it could not take the last use of an offer, and was refused.

create or replace function offers_for(of_user text, typed text, of_products text[]) returns jsonb language plpgsql stable as $$
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
    ), own as ( -- of the cart's order, which the next checkout replaces
      select u.offer_id, u.code from offer_uses u join orders a on a.id = u.order_id
      where of_products is null and a.user_id = of_user and a.state in ('open', 'waiting') and u.held
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
