import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import type { Chat } from "#app/owner/orders/chat.ts";
import { addressLines } from "#app/shipping/address.ts";
import { wayText } from "#app/shipping/ways/text.ts";
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
  /** The carrier's page about the parcel. */
  parcelUrl?: string;
  chat?: Chat;
  /** Whether the member may write notes on orders. */
  mayNote?: boolean;
  /** Only for members who see payments and email addresses. */
  email?: string;
  reference?: string;
  /** The id of the customer's account, if the member may see customers. */
  customerId?: string | null;
};

/** The customer of an order and the delivery address. */
export function CustomerSection({ order, parcelUrl, chat, mayNote = false, email, reference, customerId }: Props) {
  const { shipping, carrier, tracking } = order;
  const parcel = [carrier, tracking].filter(Boolean).join(", ");
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
        <Row title="Phone">
          {phoneNumber && (
            <>
              <TextLink href={`tel:${phoneNumber}`}>{phoneNumber}</TextLink>
              {chat && <ChatLink chat={chat} mayNote={mayNote} />}
            </>
          )}
        </Row>
        <Row title="Address">
          {place.map((line) => (
            <div key={line} className={landmark && line === `Near ${landmark}` ? "text-muted" : undefined}>
              {line}
            </div>
          ))}
        </Row>
        <Row title="Delivery">{shipping.deliveryWay && wayText(shipping.deliveryWay)}</Row>
        <Row title="Parcel">{parcelUrl ? <ParcelLink href={parcelUrl}>{parcel}</ParcelLink> : parcel}</Row>
        <Row title="Payment">{reference}</Row>
      </Facts>
    </Section>
  );
}

function ParcelLink({ href, children }: { href: string; children: string }) {
  return (
    <TextLink href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </TextLink>
  );
}

/** Opens WhatsApp with the message, and notes on the order that it was opened. */
function ChatLink({ chat: { href, message }, mayNote }: { chat: Chat; mayNote: boolean }) {
  const fetcher = useFetcher();
  const note = () => {
    const text = `Opened WhatsApp to write: ${message}`;
    if (mayNote) void fetcher.submit({ intent: "note", id: crypto.randomUUID(), text }, { method: "post" });
  };
  return (
    <>
      <span>{" · "}</span>
      <TextLink href={href} target="_blank" rel="noopener noreferrer" onClick={note}>
        Write by WhatsApp
      </TextLink>
    </>
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
