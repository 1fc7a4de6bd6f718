import { Fragment } from "react";
import { businessDays, type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { hello, MailAction, MailRow, type MailShop, MailText, type RenderedMail, renderMail } from "#app/ui/mail.tsx";
import { Withheld } from "../reader/withheld.tsx";
import { type ReturnMail, type ReturnStep, returnMailData } from "./mail-data.ts";

type Says = { subject: string; text: string; next: string };

const SAYS: Record<ReturnStep, (mail: ReturnMail, what: string, numbers: Numbers) => Says> = {
  asked: (_, what) => ({
    subject: `We have your request for ${what === "exchange" ? "an" : "a"} ${what}`,
    text: `we have your request for ${what === "exchange" ? "an" : "a"} ${what}.`,
    next: "We’ll review it and email you. Please keep the pieces as they are until then.",
  }),
  approved: (mail, what, numbers) => ({
    subject: `Your ${what} is approved`,
    text: `your ${what} is approved.`,
    next: nextOfApproved(mail, numbers),
  }),
  declined: (_, what) => ({
    subject: `Your ${what} is declined`,
    text: `we cannot take this ${what}.`,
    next: "If you have a question about it, please answer this mail.",
  }),
  withdrawn: (_, what, { returnDays }) => ({
    subject: `Your ${what} is withdrawn`,
    text: `you have withdrawn this ${what}.`,
    next: `You may ask again within ${returnDays} days of delivery.`,
  }),
  received: ({ isExchange }, _, { refundDays }) => ({
    subject: "Your pieces are back with us",
    text: "your pieces are back with us.",
    next: isExchange
      ? "We’ll send the other size soon, and email you then."
      : `We’ll refund you within ${businessDays(refundDays)}, and email you then.`,
  }),
  sent: ({ carrier, tracking }) => ({
    subject: "Your exchange is on its way",
    text: "your exchange is on its way to you.",
    next: [carrier && `It travels with ${carrier}.`, tracking && `The carrier's number: ${tracking}.`]
      .filter(Boolean)
      .join(" "),
  }),
};

function nextOfApproved({ isExchange, sendBack }: ReturnMail, { refundDays }: Numbers): string {
  const then = isExchange
    ? "We’re holding the other size for you"
    : `Your money follows within ${businessDays(refundDays)}`;
  if (!sendBack) return `You don’t need to send anything back. ${then}${isExchange ? " and leaves soon" : ""}.`;
  return isExchange
    ? `${then}. Please send the pieces back: it leaves when they are here.`
    : `Please send the pieces back. ${then} of their arrival.`;
}

/** Renders a mail about a return or exchange. Throws a ZodError if the data has another shape. */
export function renderReturnMail(data: unknown, shop?: MailShop): Promise<RenderedMail> {
  const mail = returnMailData.parse(data);
  const what = mail.isExchange ? "exchange" : "return";
  const { subject, text, next } = SAYS[mail.step](mail, what, { ...SHIPPED_NUMBERS, ...mail.numbers });
  return renderMail(
    subject,
    `${mail.returnNumber}: ${text}`,
    <>
      <MailText>
        {hello(mail.firstName)}, {text}
      </MailText>
      {mail.answer && (
        <MailText>
          {mail.answer.split("\n").map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same
            <Fragment key={at}>
              {at > 0 && <br />}
              {line}
            </Fragment>
          ))}
        </MailText>
      )}
      {next && <MailText>{next}</MailText>}
      <PieceList title="It is about" pieces={mail.pieces} pictures={mail.pictures} />
      <Withheld is={mail.isWithheld} />
      <MailAction href={mail.returnUrl}>See where it is</MailAction>
      <MailText quiet>
        {mail.isExchange ? "Exchange" : "Return"} {mail.returnNumber} of the order {mail.number}. Payment reference:{" "}
        {mail.reference}
      </MailText>
    </>,
    shop,
  );
}

type PieceListProps = { title: string; pieces?: string[]; pictures?: (string | null)[] };

/** The pieces, or the delivery, that a return or a refund is about. Empty if all of an order is refunded. */
export function PieceList({ title, pieces = [], pictures = [] }: PieceListProps) {
  if (pieces.length === 0) return null;
  return (
    <>
      <MailRow>
        <strong>{title}</strong>
      </MailRow>
      {pieces.map((piece, at) => (
        <MailRow key={piece} picture={pictures[at]}>
          {piece}
        </MailRow>
      ))}
    </>
  );
}
