import { createHmac } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { env } from "#app/infra/env.server.ts";
import type { Place } from "./apps.ts";
import type { Body, Case } from "./cases.ts";
import { FILE } from "./forms.ts";
import { filledIn, type World } from "./world.ts";

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; ms: number };

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const LONGEST = 15_000;
const READ_AT_MOST = 64 * 1024;
const NOSNIFF = { "x-content-type-options": "nosniff" };
const BOUNDARY = "fuzz-boundary";

/**
 * Sends a case to the app at that place; what has no end is left after its first words. A connection that was closed in the moment in which it was to be
 * used again is no answer: another one is taken.
 */
export function send(one: Case, place: Place, world: World, address: string, isAgain = false): Promise<Answer> {
  const fill = (text: string) => filledIn(text, world.names).toWellFormed();
  const body = one.body && encoded(one.body, fill);
  const startedAt = performance.now();
  const headers: Record<string, string> = {
    host: new URL(place.origin).host,
    ...(one.method !== "GET" && { origin: place.origin }),
    "x-forwarded-for": address,
    ...body?.headers,
    ...Object.fromEntries(Object.entries(one.headers).map(([name, value]) => [name, headerText(fill(value))])),
  };
  const cookie = [world.cookies[one.who], headers.cookie].filter(Boolean).join("; ");
  if (cookie) headers.cookie = cookie;
  return new Promise((resolve) => {
    const target = { host: "127.0.0.1", port: place.port, path: addressOf(one, fill), method: one.method };
    const sent = request({ ...target, headers, agent, timeout: LONGEST, maxHeaderSize: 64 * 1024 }, (response) => {
      const chunks: Buffer[] = [];
      const done = () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          ms: performance.now() - startedAt,
        });
      };
      const isEndless = response.headers["content-type"]?.startsWith("text/event-stream");
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (isEndless) response.destroy();
      });
      response.once("close", done).once("error", done);
    });
    sent.once("timeout", () => sent.destroy(new Error(`No answer within ${LONGEST} ms`)));
    sent.once("error", (error) => {
      const isLong = (body?.bytes.length ?? 0) > READ_AT_MOST; // nobody reads the rest of it
      if (sent.reusedSocket && !isAgain) resolve(send(one, place, world, address, true));
      else
        resolve({ status: isLong ? 413 : 0, headers: NOSNIFF, text: String(error), ms: performance.now() - startedAt });
    });
    if (body) sent.write(body.bytes);
    sent.end();
  });
}

function addressOf({ raw, parts, query, scripted }: Case, fill: (text: string) => string): string {
  if (raw !== undefined) return raw;
  const path = parts.map((part) => encodeURIComponent(fill(part))).join("/");
  const search = new URLSearchParams(query.map(([name, value]) => [fill(name), fill(value)])).toString();
  return `/${scripted ? `${path || "_"}.data` : path}${search && `?${search}`}`;
}

/** A header's text has one byte a character, and no control characters. */
const headerText = (text: string) =>
  text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/gu, (one) => encodeURIComponent(one.toWellFormed())).trim();

type Encoded = { headers: Record<string, string>; bytes: Buffer };

function encoded(body: Body, fill: (text: string) => string): Encoded {
  const as = (type: string, bytes: Buffer, more: Record<string, string> = {}): Encoded => ({
    headers: { ...(type && { "content-type": type }), "content-length": String(bytes.length), ...more },
    bytes,
  });
  switch (body.kind) {
    case "form": {
      const pairs = pairsOf(body.fields).map(([name, value]) => [fill(name), fill(value)]);
      return as("application/x-www-form-urlencoded", Buffer.from(new URLSearchParams(pairs).toString()));
    }
    case "multipart":
      return as(`multipart/form-data; boundary=${BOUNDARY}`, multipart(body.fields, fill));
    case "json": {
      const bytes = Buffer.from(fill(JSON.stringify(body.value)));
      return as("application/json", bytes, body.signed ? { "x-paystack-signature": signatureOf(bytes) } : {});
    }
    case "raw":
      return as(body.type, Buffer.from(fill(body.text)));
  }
}

const signatureOf = (bytes: Buffer) => createHmac("sha512", env.paystack.secretKey).update(bytes).digest("hex");

/** As a form has them: lists under one name that ends with [], and what is no text as JSON. */
function pairsOf(fields: Record<string, unknown>): [string, string][] {
  const text = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value)
      ? value.map((one) => [name.endsWith("[]") ? name : `${name}[]`, text(one)])
      : [[name, text(value)]],
  );
}

function multipart(fields: Record<string, unknown>, fill: (text: string) => string): Buffer {
  const quoted = (text: string) => text.replaceAll(/["\r\n]/g, (one) => encodeURIComponent(one));
  const parts = pairsOf(fields).flatMap(([name, value]) => {
    const isFile = name === FILE;
    const about = isFile
      ? `name="picture"; filename="x.png"\r\nContent-Type: image/png`
      : `name="${quoted(fill(name))}"`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${about}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(fill(value), isFile ? "base64" : "utf8"), Buffer.from("\r\n")];
  });
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
