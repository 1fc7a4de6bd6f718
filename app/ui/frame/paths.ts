/**
 * The pages that are the same for everybody, beside those of the products: in the sitemap, in the page cache and, by public/sw.js, readable offline.
 */
export const PUBLIC_PATHS = ["/", "/shop", "/about", "/returnpolicy", "/shipping-policy", "/privacy-policy"] as const;

const OTHER_PATHS = [
  "/Cart",
  "/checkout",
  "/login",
  "/register",
  "/forgotPassword",
  "/checkMail",
  "/resetPassword",
  "/verifyMail",
  "/verification",
  "/account",
  "/parentcomp",
  "/subscribe",
  "/backInStock",
] as const;

export function productPath(id: string): string {
  return `/singleProduct/${encodeURIComponent(id)}`;
}

/** The one spelling of a path: routes match without regard to case. Undefined for pages that have none. */
export function canonicalPath(pathname: string): string | undefined {
  const bare = pathname.replace(/(.)\/+$/, "$1");
  const product = /^\/singleproduct\/([^/]+)$/i.exec(bare);
  if (product) return `/singleProduct/${product[1]}`;
  return [...PUBLIC_PATHS, ...OTHER_PATHS].find((path) => path.toLowerCase() === bare.toLowerCase());
}
