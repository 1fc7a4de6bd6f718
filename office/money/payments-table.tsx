import { formatKobo, formatPaid } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import type { FoundPayment } from "#app/owner/money/payments.server.ts";
import { PAYMENT_STANDING } from "#app/owner/money/payments.ts";
import { companyNames, descriptionOf } from "#app/providers/descriptions.ts";
import { State } from "../frame/state.tsx";
import { type Column, Table } from "../frame/table.tsx";
import { Time } from "../frame/times.tsx";

const sum = (amount: number | null) => (amount === null ? "" : formatKobo(kobo(amount)));

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
  { head: "State", slot: "state", cell: (payment) => <PaymentBadge {...payment} /> },
  { head: "To pay", slot: "sum", align: "end", tone: "strong", cell: (payment) => sum(payment.kobo) },
  { head: "Back", align: "end", cell: ({ backKobo, onItsWayKobo }) => backWords(backKobo, onItsWayKobo) },
  { head: `${companyNames()} says`, cell: ({ provider }) => <ProviderStatus {...provider} /> },
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
      `${descriptionOf(provider.id).name}: ${provider.status ?? "not asked"}`,
      provider.kobo !== null && sum(provider.kobo),
      backKobo > 0 && `back ${sum(backKobo)}`,
    ]
      .filter(Boolean)
      .join(" · "),
};

/** The provider's status of a payment. For a payment without an outside provider, the name of its provider. */
function ProviderStatus({ id, status }: FoundPayment["provider"]) {
  const { isOutside, name } = descriptionOf(id);
  return isOutside && status ? status : <span className="text-muted">{isOutside ? "not asked" : name}</span>;
}

function PaymentBadge({ state, differs }: FoundPayment) {
  if (differs) return <State tone="person">Differs</State>;
  const { text, tone } = PAYMENT_STANDING[state];
  return <State tone={tone}>{text}</State>;
}

function backWords(back: number, onItsWay: number): string {
  if (onItsWay > 0) return `${sum(back + onItsWay)}, on its way`;
  return back > 0 ? sum(back) : "";
}

/** A table of payments that link to their orders. */
export function PaymentsTable({ payments }: { payments: FoundPayment[] }) {
  return (
    <Table
      label="Payments"
      rows={payments}
      idOf={({ reference }) => reference}
      href={({ number }) => `/orders/${number}`}
      columns={COLUMNS}
      narrow={NARROW}
    />
  );
}
