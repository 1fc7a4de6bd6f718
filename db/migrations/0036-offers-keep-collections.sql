-- A version that does not know collections stores the terms of an offer without them: the offer would then be about
-- everything.

create function keep_collections() returns trigger language plpgsql as $$
begin
  raise exception 'offer % is about collections: only a version that knows them changes its terms', old.id using errcode = 'IR002';
end $$;
create trigger keep_collections before update of terms on offers for each row
  when (coalesce(old.terms -> 'collections', '[]') <> '[]' and not new.terms ? 'collections')
  execute function keep_collections();
