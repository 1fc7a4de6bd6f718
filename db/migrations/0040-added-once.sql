-- What the browser called the last addition to this line: one whose answer was lost is asked for again and added once.
alter table cart_lines add column added_as uuid;
