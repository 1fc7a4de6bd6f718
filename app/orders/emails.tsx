import { Fragment, type ReactNode } from "react";
import { variantText } from "#app/catalog/sizes.ts";
import { capital } from "#app/infra/text/capital.ts";
import { businessDays, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import {
  hello,
  introOf,
  MailAction,
  MailLink,
  MailRow,
  type MailShop,
  MailText,
  mailIntro,
  type RenderedMail,
  Rule,
  renderMail,
  Small,
  subjectOf,
} from "#app/ui/mail.tsx";
import { MAIL_DATA, type OrderMail, type PlaceMail, type RefundMail, type SentMail } from "./mail-data.ts";
import { Withheld } from "./reader/withheld.tsx";
import { PieceList, renderReturnMail } from "./returns/emails.tsx";

type Render = (data: unknown, shop?: MailShop) => Promise<RenderedMail>;

const BY_KIND: Record<keyof typeof MAIL_DATA, Render> = {
  "order-confirmation": (data, shop) => orderConfirmation(MAIL_DATA["order-confirmation"].parse(data), shop),
  "order-sent": (data, shop) => orderSent(MAIL_DATA["order-sent"].parse(data), shop),
  "order-ready": (data, shop) => orderReady(MAIL_DATA["order-ready"].parse(data), shop),
  "order-address": (data, shop) => orderAddress(MAIL_DATA["order-address"].parse(data), shop),
  "order-size": (data, shop) => orderSize(MAIL_DATA["order-size"].parse(data), shop),
  "refund-started": (data, shop) => refundStarted(MAIL_DATA["refund-started"].parse(data), shop),
  "refund-done": (data, shop) => refundDone(MAIL_DATA["refund-done"].parse(data), shop),
};

/** The renderers of mails about orders, by kind. They throw a ZodError if the data does not fit the kind. */
export const renderers: Record<string, Render> = { ...BY_KIND, return: renderReturnMail };

/** Replaces the name of the pick-up center where it is withheld. */
const ITS_CENTER = "your pick-up center";

/** The subjects and introductions that the owner can replace. */
export const INTROS = {
  confirmation: mailIntro({
    name: "email-order-confirmation",
    facts: (order: OrderMail) => ({
      "first name": order.firstName,
      amount: order.charged,
      "order number": order.number,
      "leaves by": order.leavesBy,
      arrival: order.pickUpAt
        ? `it will be ready for you at ${order.pickUpAt} ${order.arrives}. We’ll email you then`
        : `it ${order.isWithheld ? "arrives" : "reaches you"} ${order.arrives}. We’ll email you when it’s on its way`,
    }),
    subject: () => "Thank you for your order",
    says: ({ "first name": firstName, amount, "order number": number, "leaves by": leavesBy, arrival }) => (
      <MailText>
        {hello(firstName)}, we’ve received your payment of <strong>{amount}</strong>. Your order{" "}
        <strong>{number}</strong> leaves us {leavesBy}; {arrival}.
      </MailText>
    ),
    needs: ["arrival"],
  }),
  sent: mailIntro({
    name: "email-order-sent",
    facts: (mail: SentMail) => ({
      "first name": mail.firstName,
      "order number": mail.number,
      arrival: arrivalOf(mail),
    }),
    subject: () => "Your order is on its way",
    says: ({ "first name": firstName, "order number": number, arrival }) => (
      <MailText>
        {hello(firstName)}, your order {number} has left us. {capital(arrival)}.
      </MailText>
    ),
    needs: ["arrival"],
  }),
  ready: mailIntro({
    name: "email-order-ready",
    facts: ({ firstName, number, pickUpAt, isWithheld }: PlaceMail) => ({
      "first name": firstName,
      "order number": number,
      "pick-up center": isWithheld ? ITS_CENTER : pickUpAt,
    }),
    subject: () => "Your order is ready for you",
    says: ({ "first name": firstName, "order number": number, "pick-up center": center }) => (
      <MailText>
        {hello(firstName)}, your order <strong>{number}</strong> is ready: you can pick it up
        {center !== ITS_CENTER && (
          <>
            {" "}
            at <strong>{center}</strong>
          </>
        )}
        . Please bring this number.
      </MailText>
    ),
  }),
  address: mailIntro({
    name: "email-order-address",
    facts: orderFacts,
    subject: () => "Your delivery details have changed",
    says: ({ "first name": firstName, "order number": number }) => (
      <MailText>
        {hello(firstName)}, we’ve changed the delivery details of your order <strong>{number}</strong>. If you didn’t
        ask for that, please answer this mail.
      </MailText>
    ),
  }),
  size: mailIntro({
    name: "email-order-size",
    facts: orderFacts,
    subject: () => "A size in your order has changed",
    says: ({ "first name": firstName, "order number": number }) => (
      <MailText>
        {hello(firstName)}, we’ve changed a size in your order <strong>{number}</strong>. Nothing changes in what you
        paid. If you didn’t ask for that, please answer this mail.
      </MailText>
    ),
  }),
  refundStarted: mailIntro({
    name: "email-refund-started",
    facts: (mail: RefundMail) => ({ ...orderFacts(mail), amount: mail.sum, reason: mail.reason }),
    subject: () => "Your money is on its way back",
    says: ({ "first name": firstName, amount, reason }) => (
      <MailText>
        {hello(firstName)}, we’re returning <strong>{amount}</strong> to you. {reason}
      </MailText>
    ),
    needs: ["amount", "reason"],
  }),
  /** Only for a refund by the payment provider, not for one by hand. */
  refundDone: mailIntro({
    name: "email-refund-done",
    facts: (mail: RefundMail) => ({ ...orderFacts(mail), amount: mail.sum }),
    subject: () => "Your money has been returned",
    says: ({ "first name": firstName, amount }) => (
      <MailText>
        {hello(firstName)}, <strong>{amount}</strong> has gone back to the account that you paid from. Your bank may
        take a few days to show it.
      </MailText>
    ),
    needs: ["amount"],
  }),
};

function orderFacts({ firstName, number }: Pick<OrderMail, "firstName" | "number">) {
  return { "first name": firstName, "order number": number };
}

function arrivalOf({ isWithheld, pickUpAt, arrives }: SentMail): string {
  if (isWithheld) return `it arrives ${arrives}`;
  return pickUpAt ? `it is ready for you at ${pickUpAt} ${arrives}` : `it reaches you ${arrives}`;
}

function orderConfirmation(order: OrderMail, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    order.isHandedOver ? "Thank you for your order" : subjectOf(INTROS.confirmation, order, shop),
    `We’ve received your payment of ${order.charged}.`,
    <>
      {order.isHandedOver ? (
        <MailText>
          {hello(order.firstName)}, thank you for buying from us. We’ve received your payment of{" "}
          <strong>{order.charged}</strong>. This is your receipt for order <strong>{order.number}</strong>.
        </MailText>
      ) : (
        introOf(INTROS.confirmation, order, shop)
      )}
      {order.isPaidByOther && <MailText>Somebody else paid for it, with the link that you made.</MailText>}
      <Bought order={order} />
      {!order.isHandedOver && <Place mail={order} />}
      <End mail={order} />
    </>,
    shop,
  );
}

type Sums = Pick<OrderMail, "lines" | "subtotal" | "shipping" | "rounded" | "total" | "charged" | "naira">;

/** The order's pieces and sums. */
export function Bought({ order }: { order: Sums }) {
  return (
    <>
      <Rule />
      {order.lines.map(({ sum, naira, ...item }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same
        <Item key={at} item={item} sum={<Sum naira={naira} dollars={sum} />} />
      ))}
      <Rule />
      <MailRow sum={<Sum naira={order.naira?.subtotal} dollars={order.subtotal} />}>Subtotal</MailRow>
      <MailRow sum={<Sum naira={order.naira?.shipping} dollars={order.shipping} />}>Shipping</MailRow>
      {order.rounded && <MailRow sum={`−${order.rounded}`}>Cash rounded down</MailRow>}
      <MailRow sum={<Sum naira={<strong>{order.charged}</strong>} dollars={order.total} />}>
        <strong>Total</strong>
      </MailRow>
      <MailText quiet>
        Charged {order.charged}
        {order.naira && ` at $1 = ${order.naira.rate}`}.
      </MailText>
      <Rule />
    </>
  );
}

function orderSent(mail: SentMail, shop?: MailShop): Promise<RenderedMail> {
  const { firstName, items, carrier, tracking, trackingUrl, isCorrection } = mail;
  return renderMail(
    isCorrection ? "A correction: where your order is" : subjectOf(INTROS.sent, mail, shop),
    isCorrection ? "What we told you about its delivery wasn’t right." : `${capital(arrivalOf(mail))}.`,
    <>
      {isCorrection ? (
        <MailText>
          {hello(firstName)}, what we told you about the delivery of your order wasn’t right. This is:
        </MailText>
      ) : (
        introOf(INTROS.sent, mail, shop)
      )}
      {carrier && (
        <MailText>
          The carrier: <strong>{carrier}</strong>
        </MailText>
      )}
      {tracking && (
        <MailText>
          The carrier's number:{" "}
          <strong>{trackingUrl ? <MailLink href={trackingUrl}>{tracking}</MailLink> : tracking}</strong>
        </MailText>
      )}
      <Items items={items} />
      <Place mail={mail} />
      <End mail={mail} />
    </>,
    shop,
  );
}

function orderReady(mail: PlaceMail, shop?: MailShop): Promise<RenderedMail> {
  const { items, pickUpAt, isWithheld } = mail;
  return renderMail(
    subjectOf(INTROS.ready, mail, shop),
    isWithheld ? "You can pick it up." : `You can pick it up at ${pickUpAt}.`,
    <>
      {introOf(INTROS.ready, mail, shop)}
      <Items items={items} />
      <Place mail={mail} />
      <End mail={mail} />
    </>,
    shop,
  );
}

function orderAddress(mail: PlaceMail, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    subjectOf(INTROS.address, mail, shop),
    "Please check where your order goes now.",
    <>
      {introOf(INTROS.address, mail, shop)}
      <Place mail={mail} />
      <End mail={mail} />
    </>,
    shop,
  );
}

function orderSize(mail: PlaceMail, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    subjectOf(INTROS.size, mail, shop),
    "Please check what we’ll send now.",
    <>
      {introOf(INTROS.size, mail, shop)}
      <MailText>This is what we’ll send:</MailText>
      <Items {...mail} />
      <End mail={mail} />
    </>,
    shop,
  );
}

function refundStarted(mail: RefundMail, shop?: MailShop): Promise<RenderedMail> {
  const { firstName, number, sum, isByHand, words, parts, pictures, cartUrl, toPayer } = mail;
  if (toPayer)
    return renderMail(
      "Money for your order is on its way back",
      `We’re returning ${sum} to the person who paid.`,
      <>
        <MailText>
          {hello(firstName)}, somebody else paid for your order {number}. We’re returning <strong>{sum}</strong> to
          them, to what they paid with. We’ve told them.
        </MailText>
        {words && <MailText>{words}</MailText>}
        <PieceList title="It is for" pieces={parts} pictures={pictures} />
        <End mail={mail} action="See where it is" />
      </>,
      shop,
    );
  const numbers = { ...SHIPPED_NUMBERS, ...mail.numbers };
  const days = businessDays(numbers.refundDays);
  return renderMail(
    subjectOf(INTROS.refundStarted, mail, shop, numbers),
    `We’re returning ${sum} to you.`,
    <>
      {introOf(INTROS.refundStarted, mail, shop, numbers)}
      {words && <MailText>{words}</MailText>}
      <PieceList title="It is for" pieces={parts} pictures={pictures} />
      <MailText>
        {isByHand
          ? `You paid us directly, so we give it back to you ourselves, within ${days}. If you need it another way, please answer this mail.`
          : `You don’t need to do anything. It will reach your account within ${days}.`}
      </MailText>
      {cartUrl && (
        <MailText>
          You can order again at today's price: <MailLink href={cartUrl}>look at your cart</MailLink>.
        </MailText>
      )}
      <End mail={mail} action="See where it is" />
    </>,
    shop,
  );
}

function refundDone(mail: RefundMail, shop?: MailShop): Promise<RenderedMail> {
  const { firstName, number, sum, isByHand, parts, pictures, toPayer } = mail;
  const numbers = { ...SHIPPED_NUMBERS, ...mail.numbers };
  const done = toPayer
    ? `${sum} has gone back to the person who paid.`
    : `${sum} has gone back to the account that you paid from.`;
  return renderMail(
    toPayer
      ? "Money for your order has been returned"
      : isByHand
        ? "Your money has been returned"
        : subjectOf(INTROS.refundDone, mail, shop, numbers),
    isByHand ? `We’ve given ${sum} back to you.` : done,
    <>
      {toPayer ? (
        <MailText>
          {hello(firstName)}, <strong>{sum}</strong> for your order {number} has gone back to the account of the person
          who paid.
        </MailText>
      ) : isByHand ? (
        <MailText>
          {hello(firstName)}, we’ve given <strong>{sum}</strong> back to you. If it hasn’t reached you, please answer
          this mail.
        </MailText>
      ) : (
        introOf(INTROS.refundDone, mail, shop, numbers)
      )}
      <PieceList title="It is for" pieces={parts} pictures={pictures} />
      <End mail={mail} action="View the order" />
    </>,
    shop,
  );
}

/** The shop's number of the order, and the payment's reference at the provider and the bank. */
export function References({ number, reference }: Pick<OrderMail, "number" | "reference">) {
  return (
    <MailText quiet>
      Order {number}. Payment reference: {reference}
    </MailText>
  );
}

type Ending = Pick<OrderMail, "number" | "reference" | "orderUrl" | "isWithheld">;

/** How a mail about an order ends. `action`: the words on the button that leads to it. */
function End({ mail, action = "View your order" }: { mail: Ending; action?: string }) {
  return (
    <>
      <Withheld is={mail.isWithheld} />
      <MailAction href={mail.orderUrl}>{action}</MailAction>
      <References {...mail} />
    </>
  );
}

/** Where the order goes, or where to pick it up. */
function Place({ mail }: { mail: Pick<OrderMail, "deliverTo" | "deliveryWay" | "pickup"> }) {
  return (
    <>
      <Address lines={mail.deliverTo} way={mail.deliveryWay} />
      <Pickup rows={mail.pickup} />
    </>
  );
}

function Address({ lines, way }: { lines: string[]; way?: string }) {
  if (lines.length === 0) return null;
  return (
    <MailText>
      <strong>It goes to</strong>
      {lines.map((line) => (
        <Fragment key={line}>
          <br />
          {line}
        </Fragment>
      ))}
      {way && (
        <>
          <br />
          Delivery: {way}
        </>
      )}
    </MailText>
  );
}

/** Where and when to pick the order up, and what to bring. Empty for an order that is delivered. */
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

/** The order's items, without sums. Empty in mails that an older version has queued. */
function Items({ items = [] }: Pick<PlaceMail, "items">) {
  if (items.length === 0) return null;
  return (
    <>
      <Rule />
      {items.map((item) => (
        <Item key={`${item.title} ${item.color} ${item.size}`} item={item} />
      ))}
      <Rule />
    </>
  );
}

type MailItem = NonNullable<PlaceMail["items"]>[number];

function Item({ item: { title, quantity, picture, ...variant }, sum }: { item: MailItem; sum?: ReactNode }) {
  return (
    <MailRow picture={picture ?? null} sum={sum}>
      <strong>
        {quantity} × {title}
      </strong>
      <br />
      <Small>{variantText(variant)}</Small>
    </MailRow>
  );
}

/**
 * A sum in naira, the currency of the charge, with the dollars beside it. Only dollars in mails that an older version
 * has queued.
 */
function Sum({ naira, dollars }: { naira?: ReactNode; dollars: string }) {
  if (!naira) return dollars;
  return (
    <>
      {naira} <Small>{dollars}</Small>
    </>
  );
}
