-- Search forgives typing mistakes: similar words are found by their trigrams.
create extension if not exists pg_trgm;
create index products_search on products using gin ((title || ' ' || color) gin_trgm_ops);
