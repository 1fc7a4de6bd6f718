/**
 * The pages whose text the owner changes in the office, by the name under which their versions are stored. Their titles
 * stay as they are.
 */
export const TEXT_PAGES = {
  about: { title: "About", path: "/about" },
} as const satisfies Record<string, { title: string; path: string }>;

export type TextPage = keyof typeof TEXT_PAGES;
export const TEXT_PAGE_NAMES = Object.keys(TEXT_PAGES) as TextPage[];

export function isTextPage(name: string): name is TextPage {
  return Object.hasOwn(TEXT_PAGES, name);
}
