import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { formatKobo, formatPaid } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { countIssues } from "#app/owner/money/issues.server.ts";
import { type FoundPayment, searchPayments } from "#app/owner/money/payments.server.ts";
import { PAYMENT_STANDING, PAYMENT_STATES } from "#app/owner/money/payments.ts";
import { endOfDay, startOfDay } from "#app/owner/shop-time.server.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Days } from "../frame/days.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { Pager, Search, SelectFilter, SetFilter, useFilters } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { MoneyTabs } from "../money/tabs.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  requirePermission(context, "money");
  const params = new URL(request.url).searchParams;
  const text = (name: string) => params.get(name)?.trim().slice(0, 200) || undefined;
  const search = {
    text: text("q"),
    state: PAYMENT_STATES.find((one) => one === params.get("state")),
    differing: params.get("differing") === "yes",
    from: startOfDay(params.get("from") ?? ""),
    until: endOfDay(params.get("until") ?? ""),
  };
  const found = await searchPayments(db(), search, { before: text("before"), after: text("after") });
  return { ...found, issues: await countIssues(db()) };
}

const sum = (amount: number | null) => (amount === null ? "" : formatKobo(kobo(amount)));
const STATES = PAYMENT_STATES.map((value) => ({ value, name: PAYMENT_STANDING[value].text }));
const DIFFERING = [{ value: "yes", name: "Where Paystack says otherwise" }];

export default function Payments() {
  useFresh();
  const { payments, newer, older, issues } = useLoaderData<typeof loader>();
  const filters = useFilters();
  const days = [filters.get("from"), filters.get("until")];
  return (
    <Page
      title="Money"
      about="What the shop has, beside what Paystack last said"
      actions={
        <ButtonLink to="/money/review" look="line">
          Compare with Paystack
        </ButtonLink>
      }
    >
      <MoneyTabs current="/money/payments" issues={issues} />
      <div className="flex flex-wrap gap-2 py-3">
        <Search label="Reference or order" />
        {days.some(Boolean) && (
          <SetFilter names={["from", "until"]}>{days[0] === days[1] ? days[0] : days.join(" to ").trim()}</SetFilter>
        )}
        <Days />
        <SelectFilter name="state" label="State" options={STATES} />
        <SelectFilter name="differing" label="All payments" options={DIFFERING} />
      </div>
      {payments.length === 0 ? (
        <Empty />
      ) : (
        <>
          <Table
            label="Payments"
            rows={payments}
            idOf={({ reference }) => reference}
            nameOf={({ reference }) => reference}
            href={({ number }) => `/orders/${number}`}
            columns={COLUMNS}
            narrow={NARROW}
          />
          <Pager
            about={payments.length === 1 ? "1 payment" : `${payments.length} payments on this page`}
            newer={newer}
            older={older}
          />
        </>
      )}
    </Page>
  );
}

const COLUMNS: Column<FoundPayment>[] = [
  { head: "Order", tone: "strong", cell: ({ number }) => <span className="tabular-nums">{number}</span> },
  { head: "Begun", tone: "muted", cell: ({ begunAt }) => <Time at={begunAt} /> },
  {
    head: "Reference",
    tone: "muted",
    cell: ({ reference }) => (
      <span title={reference} className="inline-block max-w-40 truncate align-bottom font-mono text-xs">
        {reference}
      </span>
    ),
  },
  { head: "State", slot: "state", cell: (payment) => <Standing {...payment} /> },
  { head: "To pay", slot: "sum", align: "end", tone: "strong", cell: (payment) => sum(payment.kobo) },
  { head: "Back", align: "end", cell: ({ backKobo, onItsWayKobo }) => backWords(backKobo, onItsWayKobo) },
  { head: "Paystack says", cell: ({ provider }) => provider.status ?? <span className="text-muted">not asked</span> },
  {
    head: "Paid",
    align: "end",
    cell: ({ provider: { kobo: paid, currency } }) =>
      paid !== null && currency ? formatPaid(paid, currency) : sum(paid),
  },
  { head: "Back, it says", align: "end", cell: ({ provider }) => sum(provider.backKobo || null) },
];

const NARROW = {
  lead: ({ number }: FoundPayment) => number,
  about: ({ provider, backKobo }: FoundPayment) =>
    [
      `Paystack: ${provider.status ?? "not asked"}`,
      provider.kobo !== null && sum(provider.kobo),
      backKobo > 0 && `back ${sum(backKobo)}`,
    ]
      .filter(Boolean)
      .join(" · "),
};

function Standing({ state, differs }: FoundPayment) {
  if (differs) return <State tone="person">Differs</State>;
  const { text, tone } = PAYMENT_STANDING[state];
  return <State tone={tone}>{text}</State>;
}

function backWords(back: number, onItsWay: number): string {
  if (onItsWay > 0) return `${sum(back + onItsWay)}, on its way`;
  return back > 0 ? sum(back) : "";
}

function Empty() {
  const [params] = useSearchParams();
  const isNarrowed = [...params.keys()].length > 0;
  return (
    <div className="grid justify-items-start gap-3 py-6">
      <p className="text-muted">
        {isNarrowed ? "No payment fits." : "Nobody has paid yet. Payments appear by themselves."}
      </p>
      {isNarrowed && (
        <ButtonLink look="line" to="/money/payments">
          See all payments
        </ButtonLink>
      )}
    </div>
  );
}
