import { z } from "zod";
import { MailAction, MailText, type RenderedMail, renderMail } from "#app/ui/mail.tsx";
import { ROLE_SAYS, ROLES } from "./roles.ts";

/** What it needs; written when the mail is queued. */
const invitation = z.object({ url: z.string(), role: z.enum(ROLES), name: z.string() });

/** The mails to staff by their kind. Throws a ZodError for data of another shape. */
export const renderers: Record<string, (data: unknown, contact?: string) => Promise<RenderedMail>> = {
  "staff-invitation": (data, contact) => staffInvitation(invitation.parse(data), contact),
};

function staffInvitation({ url, role, name }: z.infer<typeof invitation>, contact?: string): Promise<RenderedMail> {
  return renderMail(
    "You are invited to the office",
    "Set up how you sign in.",
    <>
      <MailText>
        {name ? `Hello ${name}` : "Hello"}, you are invited to the office of Irepo, in the role “{role}”:{" "}
        {ROLE_SAYS[role]}.
      </MailText>
      <MailAction href={url}>Set up how I sign in</MailAction>
      <MailText quiet>The link works once and for 7 days. Whoever has it can use it: keep it to yourself.</MailText>
    </>,
    contact,
  );
}
