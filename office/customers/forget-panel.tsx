import { Form, Link } from "react-router";
import { KEPT_AFTER_DELETION } from "#app/customer-data/kept-after-deletion.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Notice } from "../frame/notice.tsx";
import { Panel } from "../orders/panel.tsx";

export type Open = { underWay: string[]; returning: string[]; unsent: string[] };
type Props = {
  name: string;
  open: Open;
  isPending: boolean;
  problem?: string;
  problems: Partial<Record<string, string>>;
};

const REASONS: Record<keyof Open, string> = {
  underWay: "A payment or refund is still under way",
  returning: "A return is open",
  unsent:
    "Paid, but not sent or picked up yet. Without the address it couldn’t arrive. Send it, wait until it’s picked up, or cancel it",
};
/** The tables' names in the text about data that is kept. */
const TABLES: Partial<Record<string, string>> = {
  sales: "Sales",
  orders: "Orders",
  order_tags: "Tags of orders",
  sale_lines: "Pieces",
  receipts: "Receipts",
  credit_notes: "Credit notes",
  returns: "Returns",
  payments: "Payments",
  hand_takings: "Paid by hand",
  hand_refunds: "Given back by hand",
  audit_log: "Audit log",
  rate_limits: "Rate limits",
  open_id_states: "Sign-ins in progress",
};

/**
 * A panel that erases all personal data of a customer. It first tells what is deleted, what stays and why, and what
 * prevents the deletion.
 */
export function ForgetPanel({ name, open, isPending, problem, problems }: Props) {
  return (
    <Panel title={`Forget ${name}`}>
      <p>
        This deletes the account, name, addresses, phone number, cart, newsletter subscription, return photos, notes and
        the customer’s tags. It can’t be undone.
      </p>
      <div>
        <h3 className="mb-1.5 font-semibold">What stays, and why</h3>
        <dl className="grid gap-1.5 text-[0.8125rem] leading-4.5">
          {Object.entries(KEPT_AFTER_DELETION).map(([column, why]) => (
            <div key={column}>
              <dt className="inline font-medium">{TABLES[column.split(".")[0] ?? ""] ?? column}: </dt>
              <dd className="inline text-muted">{why}.</dd>
            </div>
          ))}
        </dl>
      </div>
      {isOpen(open) ? (
        <NotYet open={open} />
      ) : (
        <Form method="post" className="grid gap-4.5">
          <input type="hidden" name="intent" value="forget" />
          <Field label="Type the account’s email address" problem={problems.email}>
            <input name="email" type="email" required autoComplete="off" maxLength={254} className="input" />
          </Field>
          {problem && <Notice kind="error">{problem}</Notice>}
          <Button isPending={isPending}>Forget {name} for good</Button>
        </Form>
      )}
    </Panel>
  );
}

/** Whether an order prevents the deletion. */
export function isOpen(open: Open): boolean {
  return Object.values(open).some((numbers) => numbers.length > 0);
}

/** The orders that prevent the deletion, by the reason. */
export function NotYet({ open }: { open: Open }) {
  const reasons = Object.entries(REASONS).filter(([why]) => open[why as keyof Open].length > 0);
  return (
    <Notice kind="error">
      <strong className="font-semibold">Not yet.</strong>
      {reasons.map(([why, text]) => (
        <p key={why}>
          {text}:{" "}
          <span>
            {open[why as keyof Open].map((number, at) => (
              <span key={number}>
                <span>{at > 0 && ", "}</span>
                <Link to={`/orders/${number}`} className="underline underline-offset-3">
                  {number}
                </Link>
              </span>
            ))}
          </span>
          .
        </p>
      ))}
    </Notice>
  );
}
