-- The owner's own words: versions of the texts of pages, each a row that stays.

create table page_texts (
  page text not null check (page <> ''),
  version integer not null check (version > 0),
  blocks jsonb,
  saved_by text not null,
  saved_at timestamptz not null default now(),
  published_at timestamptz,
  primary key (page, version)
);
comment on table page_texts is 'Versions of the texts of pages. The one that was published last is shown.';
comment on column page_texts.page is 'the name of the page: app/content/pages.ts';
comment on column page_texts.version is 'counts from 1 on for each page';
comment on column page_texts.blocks is 'headings, paragraphs and lists, checked when read: app/content/blocks.ts; null: the text in code';
comment on column page_texts.saved_by is 'email address of the member of staff, or the system user of a command';
comment on column page_texts.published_at is 'from when it is shown, maybe a time to come; null: withdrawn before it came';

create trigger record_change after insert or update or delete or truncate on page_texts
  for each statement execute function record_catalog_change();
