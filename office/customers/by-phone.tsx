import { plural } from "#app/infra/text/plural.ts";
import type { FoundOrder } from "#app/owner/orders/search.server.ts";
import { Confirm } from "../frame/confirm.tsx";
import { Hint, Section } from "../frame/page.tsx";
import { OrdersTable } from "../orders/table.tsx";
import { isOpen, NotYet, type Open } from "./forget-panel.tsx";

type Props = { phone: string; count: number; orders: FoundOrder[]; open: Open };

/** The orders of a customer with a phone number and no email address, and a button that deletes what names them. */
export function CustomerByPhone({ phone, count, orders, open }: Props) {
  return (
    <Section title={`No account or email: ${phone}`}>
      <OrdersTable
        label={`Orders of ${phone}`}
        orders={orders}
        columns={["Order", "Placed", "Customer", "To", "Naira"]}
      />
      {orders.length < count && <Hint className="mt-2">{`The newest ${orders.length} of ${count}.`}</Hint>}
      <div className="mt-4">
        {isOpen(open) ? (
          <NotYet open={open} />
        ) : (
          <Confirm
            title="Delete personal data"
            question={`This deletes the name, the phone number, the notes and photos of ${plural(count, "order")}. What was sold and paid stays. It can’t be undone.`}
            submit="Delete it for good"
            intent="forget"
            fields={{ phone }}
          />
        )}
      </div>
    </Section>
  );
}
