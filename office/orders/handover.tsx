import { Form } from "react-router";
import { useBrand } from "#app/brand/context.tsx";
import { capital } from "#app/infra/text/capital.ts";
import { chatWithAnyone } from "#app/infra/text/whatsapp.ts";
import { Button } from "../frame/button.tsx";
import { Section } from "../frame/page.tsx";
import { LinkNotice } from "./link-notice.tsx";

const WORDS = {
  none: "The shopper sees a code. Send a link to the person who hands the parcel over: with the code, the order is delivered.",
  open: "There’s a link, which we don’t show again. A new one ends it.",
  locked: "Three codes were wrong, so the link is locked. With a new link the shopper gets another code, too.",
};

/** The link of an order that is handed over by a code. */
export function HandoverSection({ link }: { link: keyof typeof WORDS }) {
  return (
    <Section title="Handover by code">
      <p className="mb-3">{WORDS[link]}</p>
      <Form method="post" preventScrollReset>
        <Button name="intent" value="handover" look="line">
          Make handover link
        </Button>
      </Form>
    </Section>
  );
}

/** A handover link that has just been made, without the order's number. */
export function MadeHandoverLink({ what, link }: { what: string; link: string }) {
  const { name } = useBrand();
  const chat = chatWithAnyone(`Confirm the delivery of this parcel from ${name} here: ${link}`);
  return <LinkNotice what={capital(what)} link={link} chat={chat} />;
}
