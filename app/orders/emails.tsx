import { Column } from "@react-email/column";
import { Hr } from "@react-email/hr";
import { Row } from "@react-email/row";
import { Section } from "@react-email/section";
import { Fragment } from "react";
import { MailAction, MailLink, MailText, type RenderedMail, renderMail } from "#app/ui/mail.tsx";
import { MAIL_DATA, type OrderMail, type ReadyMail, type RefundMail, type SentMail } from "./mail-data.ts";
import { renderReturnMail } from "./returns/emails.tsx";

type Render = (data: unknown, contact?: string) => Promise<RenderedMail>;

const BY_KIND: Record<keyof typeof MAIL_DATA, Render> = {
  "order-confirmation": (data, contact) => orderConfirmation(MAIL_DATA["order-confirmation"].parse(data), contact),
  "order-sent": (data, contact) => orderSent(MAIL_DATA["order-sent"].parse(data), contact),
  "order-ready": (data, contact) => orderReady(MAIL_DATA["order-ready"].parse(data), contact),
  "refund-started": (data, contact) => refundStarted(MAIL_DATA["refund-started"].parse(data), contact),
  "refund-done": (data, contact) => refundDone(MAIL_DATA["refund-done"].parse(data), contact),
};

/** The mails about orders by their kind; throws a ZodError where the data is not that of its kind. */
export const renderers: Record<string, Render> = { ...BY_KIND, return: renderReturnMail };

function orderConfirmation(order: OrderMail, contact?: string): Promise<RenderedMail> {
  return renderMail(
    "Thank you for your order",
    `We have received your payment of ${order.charged}.`,
    <>
      <MailText>
        Hello {order.firstName}, we have received your payment of <strong>{order.charged}</strong>. Your order{" "}
        <strong>{order.number}</strong> leaves us {order.leavesBy};{" "}
        {order.pickUpAt
          ? `it is ready for you at ${order.pickUpAt} ${order.arrives}, and we write to you then.`
          : `it reaches you ${order.arrives}, and we write to you when it leaves.`}
      </MailText>
      <Rule />
      {order.lines.map(({ title, color, size, quantity, sum }) => (
        <Entry key={`${title} ${color} ${size}`} label={`${quantity} × ${title}, ${color}, ${size}`} sum={sum} />
      ))}
      <Rule />
      <Entry label="Subtotal" sum={order.subtotal} />
      <Entry label="Shipping" sum={order.shipping} />
      <Entry label="Total" sum={order.total} strong />
      <Entry label="Charged" sum={order.charged} />
      <Rule />
      <Address lines={order.deliverTo} />
      <Pickup rows={order.pickup} />
      <MailAction href={order.orderUrl}>View your order</MailAction>
      <Names {...order} />
    </>,
    contact,
  );
}

function orderSent(
  { firstName, deliverTo, pickup, pickUpAt, arrives, carrier, tracking, isCorrection, orderUrl, ...names }: SentMail,
  contact?: string,
): Promise<RenderedMail> {
  const arrival = pickUpAt ? `It is ready for you at ${pickUpAt} ${arrives}` : `It reaches you ${arrives}`;
  return renderMail(
    isCorrection ? "A correction: where your order is" : "Your order is on its way",
    isCorrection ? "What we told you about its delivery was not right." : `${arrival}.`,
    <>
      <MailText>
        Hello {firstName},{" "}
        {isCorrection
          ? "what we told you about the delivery of your order was not right. This is:"
          : `your order ${names.number} has left us. ${arrival}.`}
      </MailText>
      {carrier && (
        <MailText>
          The carrier: <strong>{carrier}</strong>
        </MailText>
      )}
      {tracking && (
        <MailText>
          The carrier's number: <strong>{tracking}</strong>
        </MailText>
      )}
      <Address lines={deliverTo} />
      <Pickup rows={pickup} />
      <MailAction href={orderUrl}>View your order</MailAction>
      <Names {...names} />
    </>,
    contact,
  );
}

function orderReady(
  { firstName, deliverTo, pickUpAt, pickup, orderUrl, ...names }: ReadyMail,
  contact?: string,
): Promise<RenderedMail> {
  return renderMail(
    "Your order is ready for you",
    `You can pick it up at ${pickUpAt}.`,
    <>
      <MailText>
        Hello {firstName}, your order <strong>{names.number}</strong> is ready: you can pick it up at{" "}
        <strong>{pickUpAt}</strong>. Please bring this number.
      </MailText>
      <Address lines={deliverTo} />
      <Pickup rows={pickup} />
      <MailAction href={orderUrl}>View your order</MailAction>
      <Names {...names} />
    </>,
    contact,
  );
}

function refundStarted(mail: RefundMail, contact?: string): Promise<RenderedMail> {
  const { firstName, sum, reason, words, parts, orderUrl, cartUrl, ...names } = mail;
  return renderMail(
    "Your money is on its way back",
    `We are returning ${sum} to you.`,
    <>
      <MailText>
        Hello {firstName}, we are returning <strong>{sum}</strong> to you. {reason}
      </MailText>
      {words && <MailText>{words}</MailText>}
      <RefundParts parts={parts} />
      <MailText>You need not do anything: it reaches the account that you paid from within 7 business days.</MailText>
      {cartUrl && (
        <MailText>
          You can order again at today's price: <MailLink href={cartUrl}>look at your cart</MailLink>.
        </MailText>
      )}
      <MailAction href={orderUrl}>See where it is</MailAction>
      <Names {...names} />
    </>,
    contact,
  );
}

function refundDone(
  { firstName, sum, parts, orderUrl, ...names }: RefundMail,
  contact?: string,
): Promise<RenderedMail> {
  return renderMail(
    "Your money has been returned",
    `${sum} has gone back to the account that you paid from.`,
    <>
      <MailText>
        Hello {firstName}, <strong>{sum}</strong> has gone back to the account that you paid from. Your bank may take a
        few days to show it.
      </MailText>
      <RefundParts parts={parts} />
      <MailAction href={orderUrl}>View the order</MailAction>
      <Names {...names} />
    </>,
    contact,
  );
}

/** What a part of the money is for; nothing where it is all of it, or only a sum. */
function RefundParts({ parts }: Pick<RefundMail, "parts">) {
  if (!parts?.length) return null;
  return (
    <MailText>
      <strong>It is for</strong>
      {parts.map((part) => (
        <Fragment key={part}>
          <br />
          {part}
        </Fragment>
      ))}
    </MailText>
  );
}

/** What the order is called here, and its payment at the provider and the bank. */
function Names({ number, reference }: Pick<OrderMail, "number" | "reference">) {
  return (
    <MailText quiet>
      Order {number}. Payment reference: {reference}
    </MailText>
  );
}

function Address({ lines }: { lines: string[] }) {
  return (
    <MailText>
      <strong>It goes to</strong>
      {lines.map((line) => (
        <Fragment key={line}>
          <br />
          {line}
        </Fragment>
      ))}
    </MailText>
  );
}

/** Where to pick it up, when, and what to bring; nothing of an order that is delivered. */
function Pickup({ rows }: { rows: OrderMail["pickup"] }) {
  if (!rows?.length) return null;
  return (
    <MailText>
      <strong>Pick it up here</strong>
      {rows.map(({ title, text }) => (
        <Fragment key={title}>
          <br />
          {title}: {text}
        </Fragment>
      ))}
    </MailText>
  );
}

function Entry({ label, sum, strong = false }: { label: string; sum: string; strong?: boolean }) {
  const style = { fontSize: 16, lineHeight: "24px", padding: "4px 0", fontWeight: strong ? 700 : 400 };
  return (
    <Section>
      <Row>
        <Column style={{ ...style, paddingRight: 16 }}>{label} </Column>
        <Column style={{ ...style, textAlign: "right", whiteSpace: "nowrap", verticalAlign: "top" }}>{sum}</Column>
      </Row>
    </Section>
  );
}

function Rule() {
  return <Hr style={{ borderColor: "#efe8dc", margin: "20px 0" }} />;
}
