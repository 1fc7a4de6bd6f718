-- The subjects of emails, in the same version as their introductions. The version before neither reads nor writes them.

alter table page_texts add column subject text check (subject <> '');
comment on column page_texts.subject is 'of an email, with its introduction''s placeholders; null: the subject in code';
