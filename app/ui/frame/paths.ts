/**
 * The pages that are the same for everybody, besides those of the products. They are in the sitemap and in the page
 * cache, and public/sw.js keeps them for offline use.
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
  "/signIn",
  "/account",
  "/parentcomp",
  "/subscribe",
  "/backInStock",
] as const;

export function productPath(id: string): string {
  return `/singleProduct/${encodeURIComponent(id)}`;
}

export function collectionPath(id: string): string {
  return `/collections/${encodeURIComponent(id)}`;
}

/** The page of a product's queue. */
export function queuePath(productId: string): string {
  return `/queue/${encodeURIComponent(productId)}`;
}

/**
 * The canonical spelling of a path, since routes match case-insensitively. Undefined for paths without one, for example
 * /singleProduct/-, which stands for all missing products.
 */
export function canonicalPath(pathname: string): string | undefined {
  const bare = pathname.replace(/(.)\/+$/, "$1");
  const product = /^\/singleproduct\/(?!-$)([^/]+)$/i.exec(bare);
  if (product) return `/singleProduct/${product[1]}`;
  const collection = /^\/collections\/(?!-$)([^/]+)$/i.exec(bare);
  if (collection) return `/collections/${collection[1]?.toLowerCase()}`;
  return [...PUBLIC_PATHS, ...OTHER_PATHS].find((path) => path.toLowerCase() === bare.toLowerCase());
}

/** A mailto: URL, with `#`, `&` and `=` in the address escaped. */
export function mailtoHref(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
