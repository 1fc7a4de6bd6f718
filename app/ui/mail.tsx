// Each by itself: the package of them all also loads a syntax highlighter and a Tailwind, 50 MB.
import { Body } from "@react-email/body";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Html } from "@react-email/html";
import { Link } from "@react-email/link";
import { Preview } from "@react-email/preview";
import { render, toPlainText } from "@react-email/render";
import { Text } from "@react-email/text";
import type { ReactNode } from "react";

export type RenderedMail = { subject: string; html: string; text: string };

const INK = "#17130e";
const PAPER = "#fbf8f2";
const PALM = "#0e5a3b";

/** One column on paper under the wordmark, with its plain text twin. `contact`: the address that questions go to. */
export async function renderMail(
  subject: string,
  preview: string,
  children: ReactNode,
  contact?: string,
): Promise<RenderedMail> {
  const page = (
    <Html lang="en">
      <Head />
      <Preview>{preview}</Preview>
      <Body
        style={{ backgroundColor: PAPER, color: INK, fontFamily: "Archivo, Helvetica, Arial, sans-serif", margin: 0 }}
      >
        <Container style={{ maxWidth: 560, padding: "32px 20px" }}>
          <Text style={{ fontSize: 20, fontWeight: 800, letterSpacing: "0.12em", margin: "0 0 32px" }}>IREPO</Text>
          <Heading as="h1" style={{ fontSize: 24, fontWeight: 800, margin: "0 0 16px" }}>
            {subject}
          </Heading>
          {children}
          {contact && (
            <MailText quiet>
              {/* No full stop, for the plain text: it would be read as part of the address. */}
              Questions? Write to <MailLink href={`mailto:${contact}`}>{contact}</MailLink>
            </MailText>
          )}
        </Container>
      </Body>
    </Html>
  );
  const html = await render(page);
  return { subject, html, text: toPlainText(html) };
}

export function MailText({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  return (
    <Text style={{ fontSize: quiet ? 14 : 16, lineHeight: "24px", margin: "0 0 12px", color: quiet ? "#6b6358" : INK }}>
      {children}
    </Text>
  );
}

export function MailLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} style={{ color: PALM, textDecoration: "underline" }}>
      {children}
    </Link>
  );
}

export function MailAction({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Text style={{ margin: "24px 0" }}>
      <Link
        href={href}
        style={{
          backgroundColor: INK,
          color: PAPER,
          padding: "12px 20px",
          borderRadius: 2,
          fontSize: 16,
          fontWeight: 600,
          textDecoration: "none",
        }}
      >
        {children}
      </Link>
    </Text>
  );
}
