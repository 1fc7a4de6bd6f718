-- Ends a statement with an error when it finds less than it needs, for those that are sent together with their COMMIT.
create function refuse(reason text) returns void language plpgsql as $$
begin
  raise exception '%', reason using errcode = 'IR001';
end $$;
