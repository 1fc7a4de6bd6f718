-- Drafts of pages, shown in the shop to the browser that has opened the link: docs/decisions/080.

create table previews (
  link_hash bytea primary key,
  cookie_hash bytea unique,
  page text not null check (page <> ''),
  draft jsonb,
  made_by text not null,
  ends_at timestamptz not null
);
create index on previews (ends_at);
comment on table previews is 'Drafts that the shop shows to one browser alone. None of them is published.';
comment on column previews.link_hash is 'SHA-256 of the code of /preview/…, which is stored nowhere';
comment on column previews.cookie_hash is 'SHA-256 of the cookie of the browser that opened the link; null: not opened yet';
comment on column previews.page is 'the name of the page: app/content/pages.ts, or "home"';
comment on column previews.draft is 'of a text as page_texts.blocks; of home {"slides": …} or {"sections": …}, as shop_settings has them';
comment on column previews.made_by is 'email address of the member of staff';
comment on column previews.ends_at is 'the end of the link and, once opened, of the preview';
