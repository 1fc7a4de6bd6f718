import { z } from "zod";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import { MailAction, MailRow, type MailShop, MailText, type RenderedMail, renderMail } from "#app/ui/mail.tsx";

const stockAlert = z.object({ title: z.string(), size: z.string(), url: z.string(), picture: z.string().optional() });
type StockAlert = z.infer<typeof stockAlert>;

/** The renderers of the catalogue's mails, by mail kind. */
export const renderers: Record<string, (data: unknown, shop?: MailShop) => Promise<RenderedMail>> = {
  "stock-alert-request": (data, shop) => alertRequest(stockAlert.parse(data), shop),
  "stock-alert": (data, shop) => backInStock(stockAlert.parse(data), shop),
};

const nameOf = ({ title, size }: StockAlert) => (size === ONE_SIZE ? title : `${title} in ${size}`);

function alertRequest(alert: StockAlert, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    "Shall we tell you when it’s back?",
    `Please say that you want a mail about ${nameOf(alert)}.`,
    <>
      <MailText>
        Somebody, hopefully you, wants to hear at this address when {nameOf(alert)} is in stock again. We write only if
        you say so.
      </MailText>
      <MailAction href={alert.url}>Yes, tell me once</MailAction>
      <MailText quiet>
        It’s one email about this item, no newsletter. If you didn’t ask for it, there’s nothing to do: without an
        answer we forget your address after a week.
      </MailText>
    </>,
    shop,
  );
}

function backInStock(alert: StockAlert, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    `${nameOf(alert)} is back`,
    "You asked us to tell you.",
    <>
      <MailRow picture={alert.picture}>{nameOf(alert)} is in stock again.</MailRow>
      <MailAction href={alert.url}>Look at it</MailAction>
      <MailText quiet>
        You asked for this one email. We’ve now deleted your request, and we’re not holding an item for you.
      </MailText>
    </>,
    shop,
  );
}
