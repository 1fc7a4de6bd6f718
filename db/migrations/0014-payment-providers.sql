-- Each payment names the provider that takes its money. The default is the only one that the version before knows.

alter table payments add column provider text not null default 'paystack';
comment on column payments.provider is 'the id of its description in app/providers/descriptions.ts';
alter table payment_issues add column provider text not null default 'paystack';
comment on column payment_issues.provider is 'the one that has the money, also where no payment here has the reference';
