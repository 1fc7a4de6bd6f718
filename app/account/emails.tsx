import { z } from "zod";
import {
  hello,
  introOf,
  MailAction,
  MailLink,
  type MailShop,
  MailText,
  mailIntro,
  type RenderedMail,
  renderMail,
  shopName,
  subjectOf,
} from "#app/ui/mail.tsx";

/**
 * The data of these mails, stored when a mail is queued. `firstName` is empty if the address was not verified at that
 * time.
 */
const accountMail = z.object({ firstName: z.string(), url: z.string() });
const verifyMail = z.object({ url: z.string(), disownUrl: z.string() });
const signInMail = z.object({ url: z.string(), resetUrl: z.string() });
type SignInMail = z.infer<typeof signInMail>;
const removedMail = z.object({ url: z.string() });
type RemovedMail = z.infer<typeof removedMail>;
type AccountMail = z.infer<typeof accountMail>;
type VerifyMail = z.infer<typeof verifyMail>;

/** The renderers of the account's mails, by mail kind. They throw a ZodError if the data has another shape. */
export const renderers: Record<string, (data: unknown, shop?: MailShop) => Promise<RenderedMail>> = {
  "verify-email": (data, shop) => verifyEmail(verifyMail.parse(data), shop),
  "reset-password": (data, shop) => resetPassword(accountMail.parse(data), shop),
  "password-changed": (data, shop) => passwordChanged(accountMail.parse(data), shop),
  "sign-in": (data, shop) => signIn(signInMail.parse(data), shop),
  "already-registered": (data, shop) => alreadyRegistered(signInMail.parse(data), shop),
  "password-removed": (data, shop) => passwordRemoved(removedMail.parse(data), shop),
};

/** The subjects and introductions that the owner can replace. A mail whose link carries a code has none. */
export const INTROS = {
  passwordChanged: mailIntro({
    name: "email-password-changed",
    facts: ({ firstName }: AccountMail) => ({ "first name": firstName }),
    subject: () => "Your password was changed",
    says: ({ "first name": firstName }) => (
      <MailText>{hello(firstName)}, your password was changed just now, and all devices have been signed out.</MailText>
    ),
  }),
  passwordRemoved: mailIntro({
    name: "email-password-removed",
    facts: (_: RemovedMail) => ({}),
    subject: () => "Your password was removed",
    says: () => (
      <>
        <MailText>
          Hello, this account was signed in to with Google for the first time. Somebody else could have chosen its
          password, so we’ve removed it and signed out all other devices.
        </MailText>
        <MailText>Your orders are all there. If you want a password too, choose one:</MailText>
      </>
    ),
  }),
  alreadyRegistered: mailIntro({
    name: "email-already-registered",
    facts: ({ name }: { name: string }) => ({ "shop name": name }),
    subject: () => "You already have an account",
    says: ({ "shop name": name }) => (
      <MailText>
        Hello, somebody, hopefully you, tried to register at {name} with this address. It has an account already, and
        nothing about it was changed.
      </MailText>
    ),
  }),
};

function verifyEmail({ url, disownUrl }: VerifyMail, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    "Verify your email",
    "One step left: say that this address is yours.",
    <>
      <MailText>Hello, one step is left: please say that this address is yours.</MailText>
      <MailAction href={url}>Verify my email</MailAction>
      <MailText quiet>The link works once and for 3 days.</MailText>
      <MailText quiet>
        {/* No full stop: in the plain text the URL comes last, and a full stop would become part of it. */}
        If you didn’t register at {shopName(shop)}, don’t verify the address but{" "}
        <MailLink href={disownUrl}>remove the account</MailLink>
      </MailText>
    </>,
    shop,
  );
}

function resetPassword({ firstName, url }: AccountMail, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    "Set a new password",
    "You asked for a new password.",
    <>
      <MailText>{hello(firstName)}, somebody, hopefully you, asked for a new password.</MailText>
      <MailAction href={url}>Set a new password</MailAction>
      <MailText quiet>
        The link works once and for 1 hour. If it wasn’t you, do nothing: your password stays as it is.
      </MailText>
    </>,
    shop,
  );
}

function passwordRemoved(mail: RemovedMail, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    subjectOf(INTROS.passwordRemoved, mail, shop),
    "You sign in with Google from now on.",
    <>
      {introOf(INTROS.passwordRemoved, mail, shop)}
      <MailAction href={mail.url}>Set a password</MailAction>
    </>,
    shop,
  );
}

function passwordChanged(mail: AccountMail, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    subjectOf(INTROS.passwordChanged, mail, shop),
    "All devices have been signed out.",
    <>
      {introOf(INTROS.passwordChanged, mail, shop)}
      <MailText>If it wasn’t you, take your account back at once:</MailText>
      <MailAction href={mail.url}>Set another password</MailAction>
    </>,
    shop,
  );
}

function signIn({ url, resetUrl }: SignInMail, shop?: MailShop): Promise<RenderedMail> {
  return renderMail(
    `Log in to ${shopName(shop)}`,
    "Your password was right: one step is left.",
    <>
      <MailText>
        Hello, your password was typed just now, in a network from which many wrong ones came. If that was you, log in:
      </MailText>
      <MailAction href={url}>Log in</MailAction>
      <MailText quiet>The link works once, for 15 minutes, and only in the browser in which it was typed.</MailText>
      <MailText quiet>
        {/* No full stop: in the plain text the URL comes last, and a full stop would become part of it. */}
        If it wasn’t you, somebody knows your password: please <MailLink href={resetUrl}>set another one</MailLink>
      </MailText>
    </>,
    shop,
  );
}

function alreadyRegistered({ url, resetUrl }: SignInMail, shop?: MailShop): Promise<RenderedMail> {
  const mail = { name: shopName(shop) };
  return renderMail(
    subjectOf(INTROS.alreadyRegistered, mail, shop),
    "You can log in with it.",
    <>
      {introOf(INTROS.alreadyRegistered, mail, shop)}
      <MailAction href={url}>Log in</MailAction>
      <MailText quiet>
        If you don’t remember the password, <MailLink href={resetUrl}>set another one</MailLink>
      </MailText>
    </>,
    shop,
  );
}
