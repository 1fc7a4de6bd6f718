import { businessDays, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { type MailShop, MailText, type RenderedMail, Rule, renderMail } from "#app/ui/mail.tsx";
import { Bought, References } from "../emails.tsx";
import { PAYER_MAIL_DATA, type PayerReceipt, type PayerRefund } from "./mail-data.ts";

/** The renderers of mails to payers, by kind. They throw a ZodError if the data does not fit the kind. */
export const renderers: Record<string, (data: unknown, shop?: MailShop) => Promise<RenderedMail>> = {
  "payer-receipt": (data, shop) => payerReceipt(PAYER_MAIL_DATA["payer-receipt"].parse(data), shop),
  "payer-refund": (data, shop) => payerRefund(PAYER_MAIL_DATA["payer-refund"].parse(data), shop),
};

function payerReceipt(order: PayerReceipt, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    "Thank you for paying",
    `We’ve received your payment of ${order.charged}.`,
    <>
      <MailText>
        Hello, we’ve received your payment of <strong>{order.charged}</strong> for order <strong>{order.number}</strong>
        . It goes to the person who sent you the link. If money goes back, it goes back to you, to what you paid with.
      </MailText>
      <Bought order={order} />
      <References {...order} />
    </>,
    shop,
  );
}

function payerRefund(mail: PayerRefund, shop?: MailShop): Promise<RenderedMail> {
  const { sum, isDone, reason, number, numbers } = mail;
  const days = businessDays({ ...SHIPPED_NUMBERS, ...numbers }.refundDays);
  return renderMail(
    isDone ? "Your money has been returned" : "Your money is on its way back",
    isDone ? `${sum} has gone back to the account that you paid from.` : `We’re returning ${sum} to you.`,
    <>
      {isDone ? (
        <MailText>
          Hello, <strong>{sum}</strong> has gone back to the account that you paid from. Your bank may take a few days
          to show it.
        </MailText>
      ) : (
        <MailText>
          Hello, you paid for order {number}, which somebody else made. We’re returning <strong>{sum}</strong> to you.{" "}
          {reason} You don’t need to do anything. It will reach your account within {days}.
        </MailText>
      )}
      <Rule />
      <References {...mail} />
    </>,
    shop,
  );
}
