import type { ReactNode } from "react";
import { addressLines } from "#app/shipping/address.ts";
import type { ShippingDetails } from "#db/types.ts";
import { ButtonLink } from "../frame/button.tsx";
import { Section } from "../frame/page.tsx";

type Order = {
  shipping: ShippingDetails;
  email: string;
  carrier: string | null;
  tracking: string | null;
  reference: string;
};

type Props = {
  order: Order;
  /** Of their account, for whoever may look at it. */
  customerId: string | null;
};

/** Whose an order is, and where it goes. */
export function CustomerSection({ order: { shipping, email, carrier, tracking, reference }, customerId }: Props) {
  const { firstName, lastName, phoneNumber, landmark } = shipping;
  const name = `${firstName} ${lastName}`.trim();
  const place = addressLines({ ...shipping, firstName: "", lastName: "", phoneNumber: "" });
  return (
    <Section
      title="Customer"
      aside={
        customerId && (
          <ButtonLink look="quiet" to={`/customers/${encodeURIComponent(customerId)}`}>
            All of theirs
          </ButtonLink>
        )
      }
    >
      <dl className="grid grid-cols-[5.75rem_minmax(0,1fr)] gap-x-3 gap-y-3 wrap-anywhere lg:gap-y-1.5 [&_dt]:text-muted">
        <Row title="Name">{name}</Row>
        <Row title="Email">
          {email.includes("@") ? (
            <a className="max-lg:py-3 underline underline-offset-3 hover:text-palm" href={`mailto:${email}`}>
              {email}
            </a>
          ) : (
            email
          )}
        </Row>
        <Row title="Phone">
          {phoneNumber && (
            <a className="max-lg:py-3 underline underline-offset-3 hover:text-palm" href={`tel:${phoneNumber}`}>
              {phoneNumber}
            </a>
          )}
        </Row>
        <Row title="Address">
          {place.map((line) => (
            <span key={line} className={`block ${landmark && line === `Near ${landmark}` ? "text-muted" : ""}`}>
              {line}
            </span>
          ))}
        </Row>
        <Row title="Parcel">{[carrier, tracking].filter(Boolean).join(", ")}</Row>
        <Row title="Payment">{reference}</Row>
      </dl>
    </Section>
  );
}

function Row({ title, children }: { title: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd className="m-0">{children}</dd>
    </>
  );
}
