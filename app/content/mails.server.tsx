import { Fragment, type ReactNode } from "react";
import type { Db } from "#app/infra/database/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import { mailtoHref } from "#app/ui/frame/paths.ts";
import {
  type MailFacts,
  MailHeading,
  MailLink,
  MailList,
  type MailShop,
  MailText,
  type RenderedMail,
} from "#app/ui/mail.tsx";
import type { TextBlock } from "#db/types.ts";
import { linesOf, shownBlocks, shownSubject } from "./blocks.ts";
import { EMAIL, filled, partsOf, placeholdersIn, readSubject, type TextPart, withoutEmpty } from "./notation.ts";
import { type EmailText, noteDamaged, publishedEmails } from "./published.server.ts";

/** The placeholder for the shop's email address, which every text may have. */
export const SHOP_EMAIL = "email";

type Render = (data: unknown, shop: MailShop, recipient: string) => Promise<RenderedMail>;

/**
 * Renderers whose mails have the owner's subjects and introductions that are in force when the mail is sent. If these
 * cannot be read, the mail has those in code.
 */
export function inOwnWords(on: () => Db, renderers: Record<string, Render>): Record<string, Render> {
  return Object.fromEntries(
    Object.entries(renderers).map(([kind, render]): [string, Render] => [
      kind,
      async (data, shop, recipient) => render(data, { ...shop, ...(await ownTexts(on(), shop)) }, recipient),
    ]),
  );
}

async function ownTexts(on: Db, shop: MailShop): Promise<Pick<MailShop, "ownText" | "ownSubject">> {
  const texts = await publishedEmails(on).catch((error) => {
    log.warn({ err: error }, "the owner's texts of emails cannot be read: a mail has those in code");
    return new Map<string, EmailText>();
  });
  const readable = (name: string, facts: MailFacts): EmailText | undefined => {
    const text = texts.get(name);
    if (!text) return;
    const unknown = [...unknownPlaceholders(text.blocks ?? [], facts), ...unknownInSubject(text.subject ?? "", facts)];
    if (unknown.length > 0) noteDamaged(name, text.version);
    return unknown.length > 0 ? undefined : text;
  };
  return {
    ownText(name, facts, numbers = shop.numbers) {
      const blocks = readable(name, facts)?.blocks;
      return blocks ? mailBlocks(shownBlocks(name, blocks, numbers), facts, shop) : undefined;
    },
    ownSubject(name, facts, numbers = shop.numbers) {
      const subject = readable(name, facts)?.subject;
      return subject ? mailSubject(shownSubject(subject, numbers), facts) : undefined;
    },
  };
}

/** The names of placeholders that the subject of an email with these facts can't have. */
export function unknownInSubject(subject: string, facts: MailFacts): string[] {
  return [...new Set(placeholdersIn(subject))].filter((name) => !Object.hasOwn(facts, name));
}

/** The owner's subject with its values, in one line. Undefined if nothing is left of it without those unknown. */
export function mailSubject(subject: string, facts: MailFacts): string | undefined {
  return readSubject(filled(withoutEmpty(subject, facts), facts)) || undefined;
}

/** The names of placeholders for which an email with these facts has no value. */
export function unknownPlaceholders(blocks: TextBlock[], facts: MailFacts): string[] {
  const named = new Set(blocks.flatMap(linesOf).flatMap(placeholdersIn));
  return [...named].filter((name) => name !== SHOP_EMAIL && !Object.hasOwn(facts, name));
}

/** The owner's text as a part of a mail. Values of `facts` are never read as notation or markup. */
export function mailBlocks(blocks: TextBlock[], facts: MailFacts, shop: MailShop): ReactNode {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never move
    <Fragment key={at}>{mailBlock(block, facts, shop)}</Fragment>
  ));
}

function mailBlock(block: TextBlock, facts: MailFacts, shop: MailShop): ReactNode {
  const lines = linesOf(block).flatMap((line) => {
    const kept = withoutEmpty(line, facts);
    return kept ? [mailLine(kept, facts, shop)] : [];
  });
  if (lines.length === 0) return;
  if (block.kind === "list") return <MailList items={lines} />;
  return block.kind === "heading" ? <MailHeading>{lines}</MailHeading> : <MailText>{lines}</MailText>;
}

function mailLine(line: string, facts: MailFacts, shop: MailShop): ReactNode {
  return partsOf(line).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
    <Fragment key={at}>{mailPart(part, facts, shop)}</Fragment>
  ));
}

function mailPart(part: TextPart, facts: MailFacts, { url, contact }: MailShop): ReactNode {
  if (typeof part === "string") return filled(part, facts);
  if (part === EMAIL) return <MailLink href={mailtoHref(contact)}>{contact}</MailLink>;
  return <MailLink href={part.to.startsWith("/") ? url + part.to : part.to}>{part.text}</MailLink>;
}
