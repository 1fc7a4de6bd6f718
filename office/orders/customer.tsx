import type { ReactNode } from "react";
import { addressLines } from "#app/shipping/address.ts";
import type { ShippingDetails } from "#db/types.ts";
import { ButtonLink, TextLink } from "../frame/button.tsx";
import { Facts, Section } from "../frame/page.tsx";

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
      <Facts>
        <Row title="Name">{name}</Row>
        <Row title="Email">{email.includes("@") ? <TextLink href={`mailto:${email}`}>{email}</TextLink> : email}</Row>
        <Row title="Phone">{phoneNumber && <TextLink href={`tel:${phoneNumber}`}>{phoneNumber}</TextLink>}</Row>
        <Row title="Address">
          {place.map((line) => (
            <span key={line} className={`block ${landmark && line === `Near ${landmark}` ? "text-muted" : ""}`}>
              {line}
            </span>
          ))}
        </Row>
        <Row title="Parcel">{[carrier, tracking].filter(Boolean).join(", ")}</Row>
        <Row title="Payment">{reference}</Row>
      </Facts>
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
