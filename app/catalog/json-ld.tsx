/** Data of schema.org for search engines, as a script element that browsers do not run. */
export function StructuredData({ data }: { data: object }) {
  // "<" is escaped, so that no text can close the script element.
  const json = JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every "<" escaped
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}

/** Where a page is in the shop: below the list of all products. `path`: the path of the page. */
export function Breadcrumbs({ site, path, name }: { site: string; path: string; name: string }) {
  const steps = [
    { name: "Shop", item: `${site}/shop` },
    { name, item: site + path },
  ];
  const itemListElement = steps.map((step, at) => ({ "@type": "ListItem", position: at + 1, ...step }));
  return <StructuredData data={{ "@type": "BreadcrumbList", itemListElement }} />;
}
