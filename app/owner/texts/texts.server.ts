import { blocksOf, originalBlocks } from "#app/content/originals.server.tsx";
import { isTextPage, TEXT_PAGE_NAMES, TEXT_PAGES, type TextPage } from "#app/content/pages.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import type { TextBlock } from "#db/types.ts";
import { EMAIL_NAMES, emailNamed } from "./emails.server.tsx";
import { MESSAGE_NAMES, type MessageName, messageNamed } from "./messages.ts";

/** The name under which the versions of a text are stored: a page's, an email's, or a message's. */
export type TextName = TextPage | `email-${string}` | MessageName;

/** All texts that the owner changes: of pages, the subjects and introductions of emails, and messages. */
export const TEXT_NAMES = [...TEXT_PAGE_NAMES, ...EMAIL_NAMES, ...MESSAGE_NAMES] as TextName[];

export function isTextName(name: string): name is TextName {
  return isTextPage(name) || emailNamed(name) !== undefined || messageNamed(name) !== undefined;
}

/** `path`: the page's; undefined for an email or a message. */
export function describeText(name: TextName): { title: string; path?: string; isPolicy: boolean } {
  if (isTextPage(name)) return TEXT_PAGES[name];
  return { title: emailNamed(name)?.title ?? shortened(messageNamed(name)?.text ?? name), isPolicy: false };
}

/** In characters. */
const TITLE_MAX = 60;
const shortened = (text: string) => (text.length > TITLE_MAX ? `${text.slice(0, TITLE_MAX).trimEnd()}…` : text);

/** An email's subject in code, with placeholders. Undefined for a page. */
export function originalSubject(name: TextName): string | undefined {
  return emailNamed(name)?.subject;
}

/** The text in code, with the owner's numbers. */
export function originalText(name: TextName, numbers?: Numbers): TextBlock[] {
  if (isTextPage(name)) return originalBlocks(name, numbers);
  const message = messageNamed(name);
  return message ? [{ kind: "paragraph", text: message.text }] : blocksOf(emailNamed(name)?.original);
}
