/** The bar above every page. `bar` is the HTML of bar.server.tsx. */
export function NoticeBar({ bar }: { bar: string }) {
  if (!bar) return null;
  return (
    <aside
      aria-label="Notice"
      className="relative z-30 bg-cocoa text-sm text-paper [--page:111rem] [--ring:var(--color-paper)] print:hidden"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has made it, and escaped what the owner has written
      dangerouslySetInnerHTML={{ __html: bar }}
    />
  );
}
