import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Currency, isCurrency } from "#app/catalog/currency/country.ts";
import { CURRENCY_PARAMETER } from "#app/catalog/currency/parameter.ts";
import { askForFeed, partsOf, type WrittenFeed } from "#app/catalog/feeds/files.server.ts";
import { FEEDS, type FeedFile, isFeedFile } from "#app/catalog/feeds/formats.ts";
import { feedText } from "#app/catalog/feeds/text.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { accepted } from "#app/infra/http/encoding.server.ts";
import { isUnchanged } from "#app/infra/http/server/conditional.ts";
import type { ApiAnswer } from "#app/infra/http/server/responses.server.ts";

/**
 * A product feed, as it was last written. One that was never asked for before is made for this request. The prices are
 * in naira, or in the currency that the parameter names.
 */
export async function get(request: Request, { file = "" }: Record<string, string>): Promise<ApiAnswer> {
  const currency = new URL(request.url).searchParams.get(CURRENCY_PARAMETER) ?? "NGN";
  if (!isFeedFile(file)) return { status: 404, json: { problem: "There’s no such feed" } };
  if (!isCurrency(currency)) return { status: 400, json: { problem: "currency is NGN or USD" } };
  const feed = await askForFeed(db(), file, currency);
  return feed ? written(request, file, feed) : made(request, file, currency);
}

function written(request: Request, file: FeedFile, feed: WrittenFeed): Response {
  const lastModified = feed.writtenAt.toUTCString();
  const headers = { ...headersOf(file), ETag: feed.etag, "Last-Modified": lastModified, Vary: "Accept-Encoding" };
  if (isUnchanged(request.headers, { etag: feed.etag, lastModified }))
    return new Response(null, { status: 304, headers });
  const isGzip = accepted(request.headers.get("Accept-Encoding"), "stored") === "gzip";
  const encoding = isGzip ? { "Content-Encoding": "gzip" } : undefined;
  if (request.method === "HEAD") return new Response(null, { headers: { ...headers, ...encoding } });
  const parts = Readable.from(partsOf(feed));
  const body = isGzip ? parts : parts.pipe(createGunzip()).on("close", () => parts.destroy());
  return new Response(Readable.toWeb(body) as ReadableStream, { headers: { ...headers, ...encoding } });
}

function made(request: Request, file: FeedFile, currency: Currency): Response {
  const text = request.method === "HEAD" ? null : Readable.toWeb(Readable.from(feedText(db(), file, currency)));
  return new Response(text as ReadableStream | null, { headers: { ...headersOf(file), "Cache-Control": "no-store" } });
}

function headersOf(file: FeedFile) {
  return { "Content-Type": FEEDS[file].contentType, "Cache-Control": "public, max-age=600" };
}
