import type { ReactNode } from "react";
import { addressLines } from "#app/shipping/address.ts";
import { mailtoHref } from "#app/ui/frame/paths.ts";
import type { ShippingDetails } from "#db/types.ts";
import { ButtonLink, TextLink } from "../frame/button.tsx";
import { Facts, Section } from "../frame/page.tsx";

type Order = {
  shipping: Omit<ShippingDetails, "email" | "shippingCost" | "shippingRate">;
  carrier: string | null;
  tracking: string | null;
};

type Props = {
  order: Order;
  /** Only for members who see payments and email addresses. */
  email?: string;
  reference?: string;
  /** The id of the customer's account, if the member may see customers. */
  customerId?: string | null;
};

/** The customer of an order and the delivery address. */
export function CustomerSection({ order: { shipping, carrier, tracking }, email, reference, customerId }: Props) {
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
        <Row title="Email">{email?.includes("@") ? <TextLink href={mailtoHref(email)}>{email}</TextLink> : email}</Row>
        <Row title="Phone">{phoneNumber && <TextLink href={`tel:${phoneNumber}`}>{phoneNumber}</TextLink>}</Row>
        <Row title="Address">
          {place.map((line) => (
            <div key={line} className={landmark && line === `Near ${landmark}` ? "text-muted" : undefined}>
              {line}
            </div>
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
