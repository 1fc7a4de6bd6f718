import { isDatabaseAway } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { compress, type Encoding } from "../encoding.server.ts";
import { contentSecurityPolicy, securityHeaders } from "../headers.server.ts";
import { currentRequest, REQUEST_ID_HEADER } from "../request-context.server.ts";
import { READING } from "./methods.server.ts";

const KB = 1024;

/** For errors that are over in a moment. */
export const RETRY_SOON = { "Retry-After": "2" };

/** Whether an error of this status is temporary: the client is then told when to retry. */
export function isPassing(status: number): boolean {
  return status > 501 && status < 505;
}

/** A response of the API: a value for JSON, or a whole response (a stream). */
export type ApiAnswer = { status?: number; json: unknown; headers?: Record<string, string> } | Response;

/**
 * A page shared by many visitors, made from its path and this Cookie header alone. A CDN may keep it for a second;
 * browsers revalidate it each time.
 */
export async function sharedPage(
  page: (request: Request) => Promise<Response>,
  path: string,
  cookie = "",
): Promise<Response> {
  const answer = await pageResponse(await page(new Request(new URL(path, env.publicUrl), { headers: { cookie } })));
  for (const [name, value] of Object.entries(securityHeaders))
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  if (answer.status === 200) answer.headers.set("Cache-Control", "public, max-age=0, s-maxage=1");
  if (answer.status >= 500) answer.headers.set(REQUEST_ID_HEADER, currentRequest()?.id ?? "");
  return answer;
}

/**
 * The router's response with the headers that are still missing: without a Cache-Control of its own it is not cached.
 * Without `encoding` the body is compressed later, for each visitor.
 */
export async function pageResponse(answer: Response, encoding?: Encoding): Promise<Response> {
  const headers = new Headers(answer.headers);
  const isAway = answer.status === 500 && isDatabaseAway();
  const status = isAway ? 503 : answer.status;
  if (isPassing(status) && !headers.has("Retry-After")) headers.set("Retry-After", RETRY_SOON["Retry-After"]);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  // The router's 405 response, to a form sent to a page without an action.
  if (status === 405 && !headers.has("Allow")) headers.set("Allow", READING.join(", "));
  if (status === 413) headers.set("Connection", "close"); // the rest of the form is not read
  if (!answer.body) return new Response(null, { status, headers });
  // A response that is no page would otherwise have the router's text for an internal error.
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

/** The response of the API, complete with headers. A value is encoded at once; a whole response stays a stream. */
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

/** The encoded body and its headers. Compression would not make a small body smaller. */
async function encodeBody(
  bytes: Buffer<ArrayBuffer>,
  encoding: Encoding | undefined,
): Promise<{ bytes: Buffer<ArrayBuffer>; headers: Record<string, string> }> {
  if (!encoding || bytes.length < KB) return { bytes, headers: { "Content-Length": String(bytes.length) } };
  const encoded = await compress(bytes, encoding);
  return {
    bytes: encoded,
    headers: {
      "Content-Length": String(encoded.length),
      Vary: "Accept-Encoding",
      ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    },
  };
}
