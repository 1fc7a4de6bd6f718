import type { MetaDescriptor } from "react-router";

type Image = { url: string; width: number; height: number; alt: string };
type Page = { title: string; description?: string; hidden?: boolean; image?: Image };

/** The picture of link previews for pages without one of their own. `site`: the shop's origin, if it is known. */
export function shopPicture(site: string | undefined): Image | undefined {
  const alt = "A cream and a green Irepo jersey on wooden hangers";
  return site === undefined ? undefined : { url: `${site}/home/share.jpg`, width: 1200, height: 630, alt };
}

/** The metadata of a page for search engines and link previews. `hidden` keeps the page out of search results. */
export function pageMeta({ title, description, hidden, image }: Page): MetaDescriptor[] {
  const tags: MetaDescriptor[] = [
    { title },
    { property: "og:title", content: title },
    { property: "og:site_name", content: "Irepo" },
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
    );
  }
  return tags;
}
