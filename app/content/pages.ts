/**
 * The pages whose text the owner changes in the office, by the name under which their versions are stored. Their titles
 * stay as they are. `isPolicy`: the shop acts by the days and hours that the page names. `hasNumbers`: the owner sets
 * some of these (app/numbers).
 */
export const TEXT_PAGES = {
  about: { title: "About", path: "/about", isPolicy: false, hasNumbers: false },
  returns: { title: "Return Policy", path: "/returnpolicy", isPolicy: true, hasNumbers: true },
  shipping: { title: "Shipping Policy", path: "/shipping-policy", isPolicy: true, hasNumbers: true },
  privacy: { title: "Privacy Policy", path: "/privacy-policy", isPolicy: true, hasNumbers: false },
} as const satisfies Record<string, { title: string; path: string; isPolicy: boolean; hasNumbers: boolean }>;

export type TextPage = keyof typeof TEXT_PAGES;
export const TEXT_PAGE_NAMES = Object.keys(TEXT_PAGES) as TextPage[];

/**
 * Whether the text with this name may have days and hours that the owner sets. Every email's text may, and no message.
 */
export function hasNumbers(text: string): boolean {
  return isTextPage(text) ? TEXT_PAGES[text].hasNumbers : !text.startsWith("message-");
}

export function isTextPage(name: string): name is TextPage {
  return Object.hasOwn(TEXT_PAGES, name);
}
