import { Fragment } from "react";
import { MailAction, MailText, type RenderedMail, renderMail } from "#app/ui/mail.tsx";
import { type ReturnMail, type ReturnStep, returnMailData } from "./mail-data.ts";

type Says = { subject: string; text: string; next: string };

const SAYS: Record<ReturnStep, (mail: ReturnMail, what: string) => Says> = {
  asked: (_, what) => ({
    subject: `We have your request for ${what === "exchange" ? "an" : "a"} ${what}`,
    text: `we have your request for ${what === "exchange" ? "an" : "a"} ${what}.`,
    next: "We look at it and write to you. Please keep the pieces as they are until then.",
  }),
  approved: ({ isExchange, sendBack }, what) => ({
    subject: `Your ${what} is approved`,
    text: `your ${what} is approved.`,
    next: nextOfApproved(isExchange, sendBack),
  }),
  declined: (_, what) => ({
    subject: `Your ${what} is declined`,
    text: `we cannot take this ${what}.`,
    next: "If you have a question about it, please answer this mail.",
  }),
  withdrawn: (_, what) => ({
    subject: `Your ${what} is withdrawn`,
    text: `you have withdrawn this ${what}.`,
    next: "You may ask again within 14 days of delivery.",
  }),
  received: ({ isExchange }) => ({
    subject: "Your pieces are back with us",
    text: "your pieces are back with us.",
    next: isExchange
      ? "The other size leaves soon, and we write to you then."
      : "Your money follows within 7 business days, and we write to you then.",
  }),
  sent: ({ carrier, tracking }) => ({
    subject: "Your exchange is on its way",
    text: "your exchange is on its way to you.",
    next: [carrier && `It travels with ${carrier}.`, tracking && `The carrier's number: ${tracking}.`]
      .filter(Boolean)
      .join(" "),
  }),
};

function nextOfApproved(isExchange: boolean, sendBack: boolean): string {
  const then = isExchange ? "The other size is put aside for you" : "Your money follows within 7 business days";
  if (!sendBack) return `You need not send anything back. ${then}${isExchange ? " and leaves soon" : ""}.`;
  return isExchange
    ? `${then}. Please send the pieces back: it leaves when they are here.`
    : `Please send the pieces back. ${then} of their arrival.`;
}

/** The mails about returns and exchanges; throws a ZodError where the data is not theirs. */
export function renderReturnMail(data: unknown, contact?: string): Promise<RenderedMail> {
  const mail = returnMailData.parse(data);
  const { subject, text, next } = SAYS[mail.step](mail, mail.isExchange ? "exchange" : "return");
  return renderMail(
    subject,
    `${mail.returnNumber}: ${text}`,
    <>
      <MailText>
        Hello {mail.firstName}, {text}
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
      <MailText>
        <strong>It is about</strong>
        {mail.pieces.map((piece) => (
          <Fragment key={piece}>
            <br />
            {piece}
          </Fragment>
        ))}
      </MailText>
      <MailAction href={mail.returnUrl}>See where it is</MailAction>
      <MailText quiet>
        {mail.isExchange ? "Exchange" : "Return"} {mail.returnNumber} of the order {mail.number}. Payment reference:{" "}
        {mail.reference}
      </MailText>
    </>,
    contact,
  );
}
