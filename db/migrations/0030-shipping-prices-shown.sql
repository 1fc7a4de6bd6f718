-- The shipping policy shows what delivery costs: a change of that changes a public page (0020).
create trigger note_change after insert or update or delete or truncate on shipping_rates
  for each statement execute function note_catalog_change();
