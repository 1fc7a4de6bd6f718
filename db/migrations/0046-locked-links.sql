-- Today and `status` look for the few orders whose handover link is locked, among all that were ever handed over by a code.

create index handovers_locked on handovers (made_at) where cardinality(wrong_codes) >= 3;
