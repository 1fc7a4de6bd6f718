// Only the components that lay out by tables, for Outlook, imported one by one: the package of all components also
// loads a syntax highlighter and Tailwind, 50 MB.

import { Body } from "@react-email/body";
import { Column } from "@react-email/column";
import { Container } from "@react-email/container";
import { Row } from "@react-email/row";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import { convert, type HtmlToTextOptions } from "html-to-text";
import type { ReactNode } from "react";
import { type Brand, SHIPPED_BRAND } from "#app/brand/brand.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import { mailtoHref } from "#app/ui/frame/paths.ts";

export type RenderedMail = { subject: string; html: string; text: string };
/**
 * The shop as its mails name it: the origin of its pages, the address for questions, and the words and numbers that the
 * owner has set.
 */
export type MailShop = {
  url: string;
  contact: string;
  brand?: Brand;
  numbers?: Numbers;
  ownText?: OwnText;
  ownSubject?: OwnSubject;
};

/** The values of a text's placeholders by name, such as `first name`. An unknown value is empty. */
export type MailFacts = Record<string, string>;

/**
 * The owner's text in place of the introduction of this name; undefined if the one in code stays. `numbers` are those
 * of the mail's order, if the mail has them.
 */
export type OwnText = (name: string, facts: MailFacts, numbers?: Numbers) => ReactNode | undefined;

/** The owner's subject in place of that of the mail with this introduction; undefined if the one in code stays. */
export type OwnSubject = (name: string, facts: MailFacts, numbers?: Numbers) => string | undefined;

/** The subject and the introduction of a mail, which the owner can replace. */
export type MailIntro<Mail, Fact extends string> = {
  /** The name under which the owner's versions are stored. */
  name: `email-${string}`;
  facts(mail: Mail): Record<Fact, string>;
  /** The subject in code. */
  subject(facts: Record<Fact, string>): string;
  /** The text in code. */
  says(facts: Record<Fact, string>): ReactNode;
  /** The facts that the rest of the mail does not have, so the owner's text must. */
  needs?: readonly NoInfer<Fact>[];
};

/** Returns the introduction unchanged. The call lets the compiler infer the names of its facts. */
export function mailIntro<Mail, Fact extends string>(intro: MailIntro<Mail, Fact>): MailIntro<Mail, Fact> {
  return intro;
}

/** A mail's introduction: the owner's text if there is one, else the one in code. */
export function introOf<Mail, Fact extends string>(
  { name, facts, says }: MailIntro<Mail, Fact>,
  mail: Mail,
  shop?: MailShop,
  numbers?: Numbers,
): ReactNode {
  const known = facts(mail);
  return shop?.ownText?.(name, known, numbers) ?? says(known);
}

/** The subject of a mail with this introduction: the owner's if there is one, else the one in code. */
export function subjectOf<Mail, Fact extends string>(
  { name, facts, subject }: MailIntro<Mail, Fact>,
  mail: Mail,
  shop?: MailShop,
  numbers?: Numbers,
): string {
  const known = facts(mail);
  return shop?.ownSubject?.(name, known, numbers) ?? subject(known);
}

/** The shop's name in its mails. */
export const shopName = (shop?: MailShop) => (shop?.brand ?? SHIPPED_BRAND).name;

const INK = "#17130e";
const MUTED = "#645c51";
const PAPER = "#fbf8f2";
const LINEN = "#efe8dc";
const PALM = "#0e5a3b";
/** A word that may be wider than a small phone at the size of the heading. */
const WIDE_WORD = /\S{18}/;
/** Set on every text, because cells of a table do not inherit the font in Outlook. */
const FONT = "Archivo, Helvetica, Arial, sans-serif";

/**
 * The colours of dark mode by class, for programs that support it. Other programs keep or invert the inline colours.
 */
const DARK = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.ground{background-color:#0f0c09!important}
.sheet{background-color:#1d1812!important}
.box{background-color:#2b241c!important}
.ink{color:#f3ede3!important}
.muted{color:#b5aa9b!important}
.link{color:#7fc8a4!important}
.action{background-color:#f3ede3!important;color:#17130e!important}
.rule{border-color:#3a3228!important}
}`;

/** The document type that makes mail programs use their usual layout of tables and lines. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/**
 * The options of the plain text. Paragraphs have no line breaks, a URL that is its own link text appears only once, and
 * a picture is replaced by its alternative text.
 */
const PLAIN_TEXT: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { alt: ({ attribs }, _, builder) => builder.addInline(attribs.alt) },
  selectors: [
    { selector: "[data-skip-in-text=true]", format: "skip" },
    { selector: "img", format: "alt" },
    { selector: "h2", options: { uppercase: false } },
    { selector: "a", options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
  ],
};

/** Renders a mail in the shop's look, as HTML and as plain text. Only tests leave out the shop. */
export async function renderMail(
  subject: string,
  preview: string,
  children: ReactNode,
  shop?: MailShop,
): Promise<RenderedMail> {
  const page = (
    <html lang="en" dir="ltr">
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        {/* Keeps Apple Mail from enlarging the text. */}
        <meta name="x-apple-disable-message-reformatting" />
        <title>{subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Different mail programs know different names of this tag. */}
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{DARK}</style>
      </head>
      <Body className="ground" style={{ backgroundColor: LINEN, margin: 0 }}>
        <Preheader>{preview}</Preheader>
        <Section className="ground" style={{ backgroundColor: LINEN }}>
          <Container className="sheet" style={{ maxWidth: 560, backgroundColor: PAPER }}>
            <Row>
              <Column style={{ backgroundColor: PALM, padding: 20 }}>
                <Wordmark url={shop?.url} text={(shop?.brand ?? SHIPPED_BRAND).wordmark} />
              </Column>
            </Row>
            <Row>
              <Column style={{ padding: "32px 20px 20px" }}>
                <h1
                  className="ink"
                  style={{
                    fontFamily: FONT,
                    fontSize: 26,
                    lineHeight: "32px",
                    margin: "0 0 16px",
                    color: INK,
                    ...(WIDE_WORD.test(subject) && { wordBreak: "break-word" }),
                  }}
                >
                  {subject}
                </h1>
                {children}
                {shop && <Foot {...shop} />}
              </Column>
            </Row>
          </Container>
        </Section>
      </Body>
    </html>
  );
  const { renderToStaticMarkup } = await import("react-dom/server"); // slow to load, and commands render no mail
  const html = DOCTYPE + renderToStaticMarkup(page);
  return { subject, html, text: convert(html, PLAIN_TEXT) };
}

/**
 * The wordmark. The default one is a picture, with its letters as alternative text until pictures are allowed. The
 * owner's is letters.
 */
function Wordmark({ url, text }: { url?: string; text: string }) {
  const style = { color: PAPER, fontFamily: FONT, fontSize: 20, fontWeight: 800, letterSpacing: "0.12em" };
  if (!url) return <span style={style}>{text}</span>;
  return (
    <a href={url} target="_blank" rel="noopener" style={{ ...style, textDecoration: "none" }}>
      {text === SHIPPED_BRAND.wordmark ? (
        <img
          src={`${url}/wordmark.png`}
          alt={text}
          width="112"
          height="21"
          style={{ ...style, display: "block", border: 0 }}
        />
      ) : (
        text
      )}
    </a>
  );
}

function Foot({ url, contact }: MailShop) {
  return (
    <>
      <Rule />
      <MailText quiet>
        <MailLink href={`${url}/returnpolicy`}>Returns and exchanges</MailLink>
      </MailText>
      <MailText quiet>
        {/* No full stop: in the plain text it would become part of the address. */}
        Questions? Write to <MailLink href={mailtoHref(contact)}>{contact}</MailLink>
      </MailText>
    </>
  );
}

/**
 * The text that an inbox shows after the subject. Unlike @react-email/preview, it adds no invisible padding characters.
 */
function Preheader({ children }: { children: string }) {
  return (
    <div
      data-skip-in-text="true"
      style={{ display: "none", overflow: "hidden", maxHeight: 0, maxWidth: 0, opacity: 0 }}
    >
      {children}
    </div>
  );
}

/** A greeting, with the name if one is given. */
export function hello(firstName: string): string {
  return firstName ? `Hello ${firstName}` : "Hello";
}

export function MailText({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  return (
    <Text className={quiet ? "muted" : "ink"} style={{ ...textStyle(quiet), color: quiet ? MUTED : INK }}>
      {children}
    </Text>
  );
}

function textStyle(quiet: boolean) {
  return {
    fontFamily: FONT,
    fontSize: quiet ? 14 : 16,
    lineHeight: quiet ? "22px" : "24px",
    margin: "0 0 12px",
    wordBreak: "break-word", // for a payment's reference on a small phone
  } as const;
}

/** A heading below the subject. */
export function MailHeading({ children }: { children: ReactNode }) {
  return (
    <h2 className="ink" style={{ ...textStyle(false), fontSize: 18, margin: "20px 0 8px", color: INK }}>
      {children}
    </h2>
  );
}

export function MailList({ items }: { items: ReactNode[] }) {
  return (
    <ul className="ink" style={{ ...textStyle(false), paddingLeft: 20, color: INK }}>
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items never move
        <li key={at}>{item}</li>
      ))}
    </ul>
  );
}

export function Rule() {
  return (
    <hr className="rule" style={{ border: "none", borderTop: `1px solid ${LINEN}`, margin: "20px 0", width: "100%" }} />
  );
}

type MailRowProps = {
  children: ReactNode;
  /** The URL of a picture to the left, or null for its empty place. */
  picture?: string | null;
  sum?: ReactNode;
};

/** A line of a list, with a picture and a sum if they are given. The text beside the picture names what it shows. */
export function MailRow({ children, picture, sum }: MailRowProps) {
  const cell = {
    padding: "6px 0",
    verticalAlign: "top",
    fontFamily: FONT,
    fontSize: 16,
    lineHeight: "24px",
    color: INK,
  };
  return (
    <Row>
      {picture !== undefined && (
        <Column style={{ ...cell, width: 64, paddingRight: 12 }}>
          <div className="box" style={{ backgroundColor: LINEN, width: 64, height: 80 }}>
            {picture && (
              <img src={picture} alt="" width="64" height="80" style={{ display: "block", objectFit: "cover" }} />
            )}
          </div>
        </Column>
      )}
      <Column className="ink" style={cell}>
        {children}{" "}
      </Column>
      {sum && (
        <Column className="ink" style={{ ...cell, paddingLeft: 12, textAlign: "right", whiteSpace: "nowrap" }}>
          {sum}
        </Column>
      )}
    </Row>
  );
}

/** A second line in small letters. */
export function Small({ children }: { children: ReactNode }) {
  return (
    <span className="muted" style={{ display: "block", fontSize: 14, lineHeight: "20px", color: MUTED }}>
      {children}
    </span>
  );
}

export function MailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" className="link" style={{ color: PALM, textDecoration: "underline" }} rel="noopener">
      {children}
    </a>
  );
}

export function MailAction({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Text style={{ margin: "24px 0" }}>
      <a
        href={href}
        target="_blank"
        className="action"
        style={{
          backgroundColor: INK,
          color: PAPER,
          display: "inline-block",
          padding: "12px 24px",
          borderRadius: 2,
          fontFamily: FONT,
          fontSize: 16,
          fontWeight: 600,
          textDecoration: "none",
        }}
        rel="noopener"
      >
        {children}
      </a>
    </Text>
  );
}
