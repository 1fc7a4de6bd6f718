-- What was sold stays as it was sold: no row goes, and neither its sums nor its pieces change. What may change is how it goes on (its state, its way
-- to the shopper, what has been given back) and, once the shopper is to be forgotten, who that was.
create function refuse_sale_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: what was sold stays as it was', tg_op, tg_table_name using errcode = 'IR002';
end $$;
create trigger sales_stay before delete on sales for each row execute function refuse_sale_change();
create trigger sales_keep_sums before update on sales for each row
  when ((old.id, old.attempt_id, old.reference, old.subtotal_cents, old.shipping_cents, old.total_cents, old.rate, old.kobo)
    is distinct from (new.id, new.attempt_id, new.reference, new.subtotal_cents, new.shipping_cents, new.total_cents, new.rate, new.kobo))
  execute function refuse_sale_change();
create trigger sale_lines_stay before update or delete on sale_lines for each row execute function refuse_sale_change();
