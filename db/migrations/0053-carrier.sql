alter table sales add column carrier text;
