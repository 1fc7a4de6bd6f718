import { z } from "zod";
import { MailAction, MailLink, MailText, type RenderedMail, renderMail } from "#app/ui/mail.tsx";

/** What these mails need; written when the mail is queued. The name is empty where nobody has proved to bear it. */
const accountMail = z.object({ firstName: z.string(), url: z.string() });
const verifyMail = z.object({ url: z.string(), disownUrl: z.string() });
type AccountMail = z.infer<typeof accountMail>;
type VerifyMail = z.infer<typeof verifyMail>;

const hello = (firstName: string) => (firstName ? `Hello ${firstName}` : "Hello");

/** The mails of accounts by their kind. Throws a ZodError for data of another shape. */
export const renderers: Record<string, (data: unknown, contact?: string) => Promise<RenderedMail>> = {
  "verify-email": (data, contact) => verifyEmail(verifyMail.parse(data), contact),
  "reset-password": (data, contact) => resetPassword(accountMail.parse(data), contact),
  "password-changed": (data, contact) => passwordChanged(accountMail.parse(data), contact),
};

function verifyEmail({ url, disownUrl }: VerifyMail, contact?: string): Promise<RenderedMail> {
  return renderMail(
    "Verify your email",
    "One step left: say that this address is yours.",
    <>
      <MailText>Hello, one step is left: please say that this address is yours.</MailText>
      <MailAction href={url}>Verify my email</MailAction>
      <MailText quiet>The link works once and for 3 days.</MailText>
      <MailText quiet>
        {/* No full stop: in the plain text the address stands last, and a full stop would be read as part of it. */}
        If you did not register at Irepo, do not press the button but{" "}
        <MailLink href={disownUrl}>remove the account</MailLink>
      </MailText>
    </>,
    contact,
  );
}

function resetPassword({ firstName, url }: AccountMail, contact?: string): Promise<RenderedMail> {
  return renderMail(
    "Set a new password",
    "You asked for a new password.",
    <>
      <MailText>{hello(firstName)}, somebody, hopefully you, asked for a new password.</MailText>
      <MailAction href={url}>Set a new password</MailAction>
      <MailText quiet>
        The link works once and for 1 hour. If it was not you, do nothing: your password stays as it is.
      </MailText>
    </>,
    contact,
  );
}

function passwordChanged({ firstName, url }: AccountMail, contact?: string): Promise<RenderedMail> {
  return renderMail(
    "Your password was changed",
    "All devices have been signed out.",
    <>
      <MailText>{hello(firstName)}, your password was changed just now, and all devices have been signed out.</MailText>
      <MailText>If it was not you, take your account back at once:</MailText>
      <MailAction href={url}>Set another password</MailAction>
    </>,
    contact,
  );
}
