import type { MetaDescriptor } from "react-router";
import { type Brand, SHIPPED_BRAND } from "#app/brand/brand.ts";

type Image = { url: string; width: number; height: number; alt: string };
/** Without a title it is the home page, whose title is the shop's name with its tagline. */
type Page = { title?: string; description?: string; hidden?: boolean; image?: Image };

/** The matches of a `meta` function; the first is the root's. */
type Matches = readonly [{ loaderData?: { brand?: Brand } }, ...unknown[]];

/** The shop's name and the words about it, for `meta` functions. */
export function brandIn([root]: Matches): Brand {
  return root.loaderData?.brand ?? SHIPPED_BRAND;
}

/** The picture of link previews for pages without one of their own. `site`: the shop's origin, if it is known. */
export function shopPicture(site: string | undefined, { name }: Brand): Image | undefined {
  const alt = `A cream and a green ${name} jersey on wooden hangers`;
  return site === undefined ? undefined : { url: `${site}/home/share.jpg`, ...LINK_PICTURE, alt };
}

/** The size of link pictures in px, which all chats and other sites show whole. */
export const LINK_PICTURE = { width: 1200, height: 630 };

/**
 * The link picture of a page (app/catalog/link-pictures). `version`: the hash of what it shows, so that a chat which
 * keeps pictures loads a changed one.
 */
export function linkPicture(site: string | undefined, page: string, version: string, alt: string): Image | undefined {
  return site === undefined ? undefined : { url: `${site}/link/${page}.jpg?v=${version}`, ...LINK_PICTURE, alt };
}

/** The metadata of a page for search engines and link previews. `hidden` keeps the page out of search results. */
export function pageMeta(matches: Matches, { title, description, hidden, image }: Page): MetaDescriptor[] {
  const { name, tagline } = brandIn(matches);
  const whole = title === undefined ? `${name}: ${tagline}` : `${title} | ${name}`;
  const tags: MetaDescriptor[] = [
    { title: whole },
    { property: "og:title", content: whole },
    { property: "og:site_name", content: name },
  ];
  if (description)
    tags.push({ name: "description", content: description }, { property: "og:description", content: description });
  if (hidden) tags.push({ name: "robots", content: "noindex" });
  if (image) {
    tags.push(
      { property: "og:image", content: image.url },
      { property: "og:image:width", content: String(image.width) },
      { property: "og:image:height", content: String(image.height) },
      { property: "og:image:alt", content: image.alt },
      { name: "twitter:card", content: "summary_large_image" },
      { name: "twitter:image", content: image.url },
    );
  }
  return tags;
}
