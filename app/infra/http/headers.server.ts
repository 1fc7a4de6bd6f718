import { createHash } from "node:crypto";
import { env } from "#app/infra/env.server.ts";

/** The hash by which a Content-Security-Policy allows one inline script. */
function scriptHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/** The pages of the payment providers, in frames and after a form. */
const paymentPages = env.providerHosts.map(({ page }) => page);
const openId = env.google ? new URL(env.google.issuer).origin : "";

/** In development Vite tells pages of changed files over a WebSocket. */
const vite = env.NODE_ENV === "development" ? " ws:" : "";

/**
 * The policy of a page with these inline scripts of the shop's own: any other script is refused. It has hashes, not
 * nonces, since a page is rendered once and then sent to many visitors.
 */
export function contentSecurityPolicy(scripts: string[]): string {
  return [
    // Firefox applies default-src to prefetched files. All other kinds have a directive of their own.
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "media-src 'none'",
    "frame-ancestors 'none'",
    // A form's redirect counts too: to the provider's page at checkout, to the OpenID provider at sign-in.
    `form-action ${[...new Set(["'self'", ...paymentPages, openId])].join(" ")}`.trimEnd(),
    ["script-src 'self'", ...scripts.map(scriptHash), ...env.providerHosts.flatMap((one) => one.scripts)].join(" "),
    // For style attributes and the toast library's own style sheet.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...env.providerHosts.flatMap((one) => one.connect)].join(" ") + vite,
    "manifest-src 'self'",
    "worker-src 'self'",
    ["frame-src 'self'", ...paymentPages].join(" "),
  ].join("; ");
}

/**
 * The headers of scripts, styles and pictures. The other ones apply to documents, and would add a tenth to a small
 * file.
 */
export const fileHeaders: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  ...(env.publicUrl.protocol === "https:"
    ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
    : {}),
};

/** The headers of all other responses. */
export const securityHeaders: Record<string, string> = {
  ...fileHeaders,
  // For responses that are no pages; a page has a policy of its own.
  "Content-Security-Policy": "base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  // Other sites get no referrer, so the codes in links do not leak. The shop's own forms still send their origin.
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": `camera=(), microphone=(), geolocation=(), payment=(${["self", ...paymentPages.map((page) => `"${page}"`)].join(" ")})`,
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
};
