import {
  Body,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Link,
  Preview,
  render,
  Section,
  Text,
} from "@react-email/components";
import type { ReactNode } from "react";
import type { OrderMail, RefundMail } from "./order-mail.ts";

type Rendered = { subject: string; html: string; text: string };

/** The mails of checkout by their kind; data is what order-mail.ts made when the mail was queued. */
export const renderers: Record<string, (data: unknown) => Promise<Rendered>> = {
  "order-confirmation": (data) => orderConfirmation(data as OrderMail),
  "refund-started": (data) => refundStarted(data as RefundMail),
  "refund-done": (data) => refundDone(data as RefundMail),
};

async function orderConfirmation(order: OrderMail): Promise<Rendered> {
  return mail(
    "Thank you for your order",
    `We have received your payment of ${order.charged}.`,
    <>
      <Text style={text}>
        Hello {order.firstName}, we have received your payment of <strong>{order.charged}</strong> and are getting your
        order ready. Orders are processed in 2 to 3 business days.
      </Text>
      <Section>
        {order.lines.map((line) => (
          <Text key={`${line.title} ${line.size} ${line.color}`} style={text}>
            {line.quantity} × {line.title}, {line.color}, {line.size}: {line.price}
          </Text>
        ))}
      </Section>
      <Hr style={rule} />
      <Text style={text}>
        Subtotal {order.subtotal}
        <br />
        Shipping {order.shipping}
        <br />
        <strong>Total {order.total}</strong>
      </Text>
      <Hr style={rule} />
      <Text style={text}>{lines(order.deliverTo)}</Text>
      <Action href={order.orderUrl}>View your order</Action>
      <Reference reference={order.reference} />
    </>,
  );
}

async function refundStarted(refund: RefundMail): Promise<Rendered> {
  return mail(
    "Your money is on its way back",
    `We are returning ${refund.sum} to you.`,
    <>
      <Text style={text}>
        Hello {refund.firstName}, we are returning <strong>{refund.sum}</strong> to you. {refund.reason}
      </Text>
      <Text style={text}>
        You need not do anything. Refunds reach the account that you paid from within 7 business days.
      </Text>
      <Action href={refund.orderUrl}>See where it is</Action>
      <Reference reference={refund.reference} />
    </>,
  );
}

async function refundDone(refund: RefundMail): Promise<Rendered> {
  return mail(
    "Your money has been returned",
    `${refund.sum} is back on the account that you paid from.`,
    <>
      <Text style={text}>
        Hello {refund.firstName}, <strong>{refund.sum}</strong> has been returned to the account that you paid from.
        Your bank may take a few days to show it.
      </Text>
      <Action href={refund.orderUrl}>View the order</Action>
      <Reference reference={refund.reference} />
    </>,
  );
}

async function mail(subject: string, preview: string, children: ReactNode): Promise<Rendered> {
  const page = (
    <Html lang="en">
      <Head />
      <Preview>{preview}</Preview>
      <Body
        style={{ backgroundColor: PAPER, color: INK, fontFamily: "Archivo, Helvetica, Arial, sans-serif", margin: 0 }}
      >
        <Container style={{ maxWidth: 560, padding: "32px 20px" }}>
          <Text style={{ fontSize: 20, fontWeight: 800, letterSpacing: "0.12em", margin: "0 0 32px" }}>IREPO</Text>
          <Heading as="h1" style={{ fontSize: 24, fontWeight: 800, margin: "0 0 16px" }}>
            {subject}
          </Heading>
          {children}
        </Container>
      </Body>
    </Html>
  );
  return { subject, html: await render(page), text: await render(page, { plainText: true }) };
}

function Action({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Text style={{ margin: "24px 0" }}>
      <Link
        href={href}
        style={{ backgroundColor: INK, color: PAPER, padding: "12px 20px", borderRadius: 2, textDecoration: "none" }}
      >
        {children}
      </Link>
    </Text>
  );
}

function Reference({ reference }: { reference: string }) {
  return <Text style={{ ...text, color: "#6b6358", fontSize: 14 }}>Reference: {reference}</Text>;
}

function lines(parts: string[]): ReactNode {
  return parts.map((part) => (
    <span key={part}>
      {part}
      <br />
    </span>
  ));
}

const INK = "#17130e";
const PAPER = "#fbf8f2";
const text = { fontSize: 16, lineHeight: "24px", margin: "0 0 12px" };
const rule = { borderColor: "#efe8dc", margin: "20px 0" };
