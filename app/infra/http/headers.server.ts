import { createHash } from "node:crypto";
import { env } from "#app/infra/env.server.ts";

/** How a Content-Security-Policy names one inline script. */
function scriptHash(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

const checkout = new URL(env.paystack.checkoutUrl).origin;
const openId = env.google ? new URL(env.google.issuer).origin : "";

/** The hosts of the wallet's button, for every page: whoever goes on to the checkout by a link keeps the first page's policy. */
const wallet = env.paystack.wallet
  ? {
      script: " https://applepay.cdn-apple.com/jsapi/v1.1.0/apple-pay-sdk.js",
      connect: " https://api.paystack.co https://standard.paystack.co",
    }
  : { script: "", connect: "" };

/** Vite tells pages of changed files over a port of its own. */
const vite = env.NODE_ENV === "development" ? " ws:" : "";

/**
 * The policy of a page with these inline scripts, which the shop itself has put in: any other one is refused. Hashes, not nonces: a page is
 * rendered once and then handed to many.
 */
export function contentSecurityPolicy(scripts: string[]): string {
  return [
    // For what is fetched ahead, which Firefox asks this one about. Every other kind is named: none falls back to it.
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "media-src 'none'",
    "frame-ancestors 'none'",
    // A form's redirect counts too: to the provider's page at checkout, to the OpenID provider at sign-in.
    `form-action ${[...new Set(["'self'", checkout, openId])].join(" ")}`.trimEnd(),
    ["script-src 'self'", ...scripts.map(scriptHash)].join(" ") + wallet.script,
    // Style attributes and the toast library's own sheet.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${wallet.connect}${vite}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    `frame-src 'self' ${checkout}`,
  ].join("; ");
}

/** On scripts, styles and pictures: the others speak of documents, and would be a tenth of what a small file weighs. */
export const fileHeaders: Record<string, string> = {
  "X-Content-Type-Options": "nosniff",
  ...(env.publicUrl.protocol === "https:"
    ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }
    : {}),
};

/** On every other answer of the shop. */
export const securityHeaders: Record<string, string> = {
  ...fileHeaders,
  // Of what is no page; a page has its own policy.
  "Content-Security-Policy": "base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  // Nothing leaves for other sites, so the codes in links stay here; our own forms still carry their origin.
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": `camera=(), microphone=(), geolocation=(), payment=(self "${checkout}")`,
  "Cross-Origin-Opener-Policy": "same-origin-allow-popups",
};
