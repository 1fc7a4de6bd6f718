import { blocksOf, originalBlocks } from "#app/content/originals.server.tsx";
import { isTextPage, TEXT_PAGE_NAMES, TEXT_PAGES, type TextPage } from "#app/content/pages.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import type { TextBlock } from "#db/types.ts";
import { EMAIL_NAMES, emailNamed } from "./emails.server.tsx";

/** The name under which the versions of a text are stored: a page's, or an email's. */
export type TextName = TextPage | `email-${string}`;

/** All texts that the owner changes: of pages, and the subjects and introductions of emails. */
export const TEXT_NAMES = [...TEXT_PAGE_NAMES, ...EMAIL_NAMES] as TextName[];

export function isTextName(name: string): name is TextName {
  return isTextPage(name) || emailNamed(name) !== undefined;
}

/** `path`: the page's; undefined for an email. */
export function describeText(name: TextName): { title: string; path?: string; isPolicy: boolean } {
  return isTextPage(name) ? TEXT_PAGES[name] : { title: emailNamed(name)?.title ?? name, isPolicy: false };
}

/** An email's subject in code, with placeholders. Undefined for a page. */
export function originalSubject(name: TextName): string | undefined {
  return emailNamed(name)?.subject;
}

/** The text in code, with the owner's numbers. */
export function originalText(name: TextName, numbers?: Numbers): TextBlock[] {
  return isTextPage(name) ? originalBlocks(name, numbers) : blocksOf(emailNamed(name)?.original);
}
