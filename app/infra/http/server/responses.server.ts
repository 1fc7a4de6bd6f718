import { isDatabaseAway } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { compress, type Encoding } from "../encoding.server.ts";
import { contentSecurityPolicy, securityHeaders } from "../headers.server.ts";
import { currentRequest, REQUEST_ID_HEADER } from "../request-context.server.ts";

const KB = 1024;

/** For an answer that will be another one in a moment. */
export const RETRY_SOON = { "Retry-After": "2" };

/** Answers of this status pass by themselves: whoever gets one is told when to ask again. */
export function isPassing(status: number): boolean {
  return status > 501 && status < 505;
}

/** An answer of the API: a value for JSON, or what is more than that (a stream). */
export type ApiAnswer = { status?: number; json: unknown; headers?: Record<string, string> } | Response;

/** A page that everybody shares: made from its address alone. A CDN may keep it for a second, browsers ask each time whether it still holds. */
export async function sharedPage(page: (request: Request) => Promise<Response>, path: string): Promise<Response> {
  const answer = await pageResponse(await page(new Request(new URL(path, env.publicUrl))));
  for (const [name, value] of Object.entries(securityHeaders))
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  if (answer.status === 200) answer.headers.set("Cache-Control", "public, max-age=0, s-maxage=1");
  if (answer.status >= 500) answer.headers.set(REQUEST_ID_HEADER, currentRequest()?.id ?? "");
  return answer;
}

/** A page's own headers come from the page as it is finished; what does not say otherwise is kept by nobody. Streams stay as they are. */
export async function pageResponse(answer: Response, encoding: Encoding = "identity"): Promise<Response> {
  const headers = new Headers(answer.headers);
  const isAway = answer.status === 500 && isDatabaseAway();
  const status = isAway ? 503 : answer.status;
  if (isPassing(status) && !headers.has("Retry-After")) headers.set("Retry-After", RETRY_SOON["Retry-After"]);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (!answer.body) return new Response(null, { status, headers });
  // An answer that is no page would otherwise give the router's text for a fault of the shop.
  const isBare = isAway && headers.get("Content-Type")?.startsWith("text/plain");
  const bytes = isBare ? Buffer.from("Please try again in a moment.") : Buffer.from(await answer.arrayBuffer());
  if (headers.get("Content-Type")?.startsWith("text/html")) {
    headers.set("Content-Type", "text/html; charset=utf-8");
    if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", contentSecurityPolicy([]));
  }
  const encoded = await encodeBody(bytes, encoding);
  for (const [name, value] of Object.entries(encoded.headers)) headers.append(name, value);
  return new Response(encoded.bytes, { status, headers });
}

/** As `pageResponse`, without ever making a stream of what is at hand. */
export async function apiResponse(answer: ApiAnswer, encoding: Encoding): Promise<Response> {
  if (answer instanceof Response) {
    const { body, status, headers } = answer;
    return new Response(body, { status, headers: { ...securityHeaders, ...Object.fromEntries(headers) } });
  }
  const { status = 200, json, headers } = answer;
  const encoded = await encodeBody(Buffer.from(JSON.stringify(json)), encoding);
  return new Response(encoded.bytes, {
    status,
    headers: {
      ...securityHeaders,
      "Cache-Control": "no-store",
      "Content-Type": "application/json",
      ...encoded.headers,
      ...headers,
    },
  });
}

/** What goes over the wire, and the headers that say so. A compressed small answer would be no smaller. */
async function encodeBody(
  bytes: Buffer<ArrayBuffer>,
  encoding: Encoding,
): Promise<{ bytes: Buffer<ArrayBuffer>; headers: Record<string, string> }> {
  const isPlain = bytes.length < KB || encoding === "identity";
  const encoded = isPlain ? bytes : await compress(bytes, encoding);
  return {
    bytes: encoded,
    headers: {
      "Content-Length": String(encoded.length),
      ...(!isPlain && { "Content-Encoding": encoding, Vary: "Accept-Encoding" }),
    },
  };
}
