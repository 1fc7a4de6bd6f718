import { z } from "zod";
import { MailAction, type MailShop, MailText, type RenderedMail, renderMail, shopName } from "#app/ui/mail.tsx";

/** The data of the mail, stored when the mail is queued. */
const invitation = z.object({ url: z.string(), role: z.string(), says: z.string().optional(), name: z.string() });

/** The renderers of mails to staff, by kind. They throw a ZodError if the data has another shape. */
export const renderers: Record<string, (data: unknown, shop?: MailShop) => Promise<RenderedMail>> = {
  "staff-invitation": (data, shop) => staffInvitation(invitation.parse(data), shop),
};

function staffInvitation(
  { url, role, says, name }: z.infer<typeof invitation>,
  shop?: MailShop,
): Promise<RenderedMail> {
  return renderMail(
    "You’re invited to the office",
    "Set up how you sign in.",
    <>
      <MailText>
        {name ? `Hello ${name}` : "Hello"}, you’re invited to the office of {shopName(shop)}, in the role “{role}”
        <span>{says && `: ${says}`}</span>.
      </MailText>
      <MailAction href={url}>Set up how I sign in</MailAction>
      <MailText quiet>The link works once and for 7 days. Anyone who has it can use it: keep it to yourself.</MailText>
    </>,
    shop,
  );
}
