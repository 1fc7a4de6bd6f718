import { z } from "zod";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import { MailAction, MailText, type RenderedMail, renderMail } from "#app/ui/mail.tsx";

const stockAlert = z.object({ title: z.string(), size: z.string(), url: z.string() });
type StockAlert = z.infer<typeof stockAlert>;

/** The mails of the catalogue by their kind. */
export const renderers: Record<string, (data: unknown) => Promise<RenderedMail>> = {
  "stock-alert-request": (data) => alertRequest(stockAlert.parse(data)),
  "stock-alert": (data) => backInStock(stockAlert.parse(data)),
};

const nameOf = ({ title, size }: StockAlert) => (size === ONE_SIZE ? title : `${title} in ${size}`);

function alertRequest(alert: StockAlert): Promise<RenderedMail> {
  return renderMail(
    "Shall we tell you when it is back?",
    `Please say that you want a mail about ${nameOf(alert)}.`,
    <>
      <MailText>
        Somebody, hopefully you, wants to hear at this address when {nameOf(alert)} is in stock again. We write only if
        you say so.
      </MailText>
      <MailAction href={alert.url}>Yes, tell me once</MailAction>
      <MailText quiet>
        It is one mail about this piece, no newsletter. If you did not ask for it, there is nothing to do: without an
        answer we forget your address after a week.
      </MailText>
    </>,
  );
}

function backInStock(alert: StockAlert): Promise<RenderedMail> {
  return renderMail(
    `${nameOf(alert)} is back`,
    "You asked us to tell you.",
    <>
      <MailText>{nameOf(alert)} is in stock again.</MailText>
      <MailAction href={alert.url}>Look at it</MailAction>
      <MailText quiet>
        You asked for this one mail. We have forgotten your request with it, and nothing is put aside for you.
      </MailText>
    </>,
  );
}
