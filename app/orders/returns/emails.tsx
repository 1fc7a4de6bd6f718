import { Fragment } from "react";
import { businessDays, type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import {
  hello,
  introOf,
  MailAction,
  MailRow,
  type MailShop,
  MailText,
  mailIntro,
  type RenderedMail,
  renderMail,
  subjectOf,
} from "#app/ui/mail.tsx";
import { Withheld } from "../reader/withheld.tsx";
import { RETURN_STEPS, type ReturnMail, type ReturnStep, returnMailData } from "./mail-data.ts";

/** What the introductions say after the greeting. `what` is what `whatOf` returns. */
const TEXTS: Record<ReturnStep, (what: string) => string> = {
  asked: (what) => `we have your request for ${what}.`,
  approved: (what) => `your ${what} is approved.`,
  declined: (what) => `we can’t take this ${what}.`,
  withdrawn: (what) => `you’ve withdrawn this ${what}.`,
  received: () => "your pieces are back with us.",
  sent: () => "your exchange is on its way to you.",
};

function whatOf({ isExchange, step }: ReturnMail): string {
  if (step === "asked") return isExchange ? "an exchange" : "a return";
  return isExchange ? "exchange" : "return";
}

const SUBJECTS: Record<ReturnStep, (what: string) => string> = {
  asked: (what) => `We have your request for ${what}`,
  approved: (what) => `Your ${what} is approved`,
  declined: (what) => `Your ${what} is declined`,
  withdrawn: (what) => `Your ${what} is withdrawn`,
  received: () => "Your pieces are back with us",
  sent: () => "Your exchange is on its way",
};

/** The subjects and introductions that the owner can replace, by step. */
export const RETURN_INTROS = Object.fromEntries(RETURN_STEPS.map((step) => [step, introAt(step)])) as Record<
  ReturnStep,
  ReturnType<typeof introAt>
>;

function introAt(step: ReturnStep) {
  return mailIntro({
    name: `email-return-${step}`,
    facts: (mail: ReturnMail) => ({
      "first name": mail.firstName,
      return: whatOf(mail),
      "return number": mail.returnNumber,
      "order number": mail.number,
    }),
    subject: ({ return: what }) => SUBJECTS[step](what),
    says: ({ "first name": firstName, return: what }) => (
      <MailText>
        {hello(firstName)}, {TEXTS[step](what)}
      </MailText>
    ),
  });
}

/** What follows the introduction. */
const NEXT: Record<ReturnStep, (mail: ReturnMail, numbers: Numbers) => string> = {
  asked: () => "We’ll review it and email you. Please keep the pieces as they are until then.",
  approved: nextOfApproved,
  declined: () => "If you have a question about it, please answer this mail.",
  withdrawn: (_, { returnDays }) => `You may ask again within ${returnDays} days of delivery.`,
  received: ({ isExchange, sent = "other size" }, { refundDays }) =>
    isExchange
      ? `We’ll send the ${sent} soon, and email you then.`
      : `We’ll refund you within ${businessDays(refundDays)}, and email you then.`,
  sent: ({ carrier, tracking }) =>
    [carrier && `It travels with ${carrier}.`, tracking && `The carrier's number: ${tracking}.`]
      .filter(Boolean)
      .join(" "),
};

function nextOfApproved({ isExchange, sendBack, sent = "other size" }: ReturnMail, { refundDays }: Numbers): string {
  const then = isExchange
    ? `We’re holding the ${sent} for you`
    : `Your money follows within ${businessDays(refundDays)}`;
  if (!sendBack) return `You don’t need to send anything back. ${then}${isExchange ? " and leaves soon" : ""}.`;
  return isExchange
    ? `${then}. Please send the pieces back: it leaves when they are here.`
    : `Please send the pieces back. ${then} of their arrival.`;
}

/** Renders a mail about a return or exchange. Throws a ZodError if the data has another shape. */
export function renderReturnMail(data: unknown, shop?: MailShop): Promise<RenderedMail> {
  const mail = returnMailData.parse(data);
  const what = whatOf(mail);
  const numbers = { ...SHIPPED_NUMBERS, ...mail.numbers };
  const next = NEXT[mail.step](mail, numbers);
  return renderMail(
    subjectOf(RETURN_INTROS[mail.step], mail, shop, numbers),
    `${mail.returnNumber}: ${TEXTS[mail.step](what)}`,
    <>
      {introOf(RETURN_INTROS[mail.step], mail, shop, numbers)}
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
