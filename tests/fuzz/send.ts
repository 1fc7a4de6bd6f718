import { createHmac } from "node:crypto";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { env } from "#app/infra/env.server.ts";
import type { AppAddress } from "./apps.ts";
import type { Body, Case, Signing } from "./cases.ts";
import { FILE } from "./forms.ts";
import { filledIn, type World } from "./world.ts";

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; ms: number };

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const LONGEST = 15_000;
/** No app refuses a smaller body because of its size. */
const SMALLEST_LIMIT = 64 * 1024;
const BOUNDARY = "fuzz-boundary";

/** Sends a case to the app at that place. An endless answer is closed after its first data. */
export async function send(one: Case, place: AppAddress, world: World, address: string): Promise<Answer> {
  const fill = (text: string) => filledIn(text, world.names).toWellFormed();
  const body = one.body && encoded(one.body, fill);
  const headers: Record<string, string> = {
    host: new URL(place.origin).host,
    ...(one.method !== "GET" && { origin: place.origin }),
    "x-forwarded-for": address,
    ...body?.headers,
    ...Object.fromEntries(Object.entries(one.headers).map(([name, value]) => [name, headerText(fill(value))])),
  };
  const cookie = [world.cookies[one.who], headers.cookie].filter(Boolean).join("; ");
  if (cookie) headers.cookie = cookie;
  return answerTo({ port: place.port, path: addressOf(one, fill), method: one.method, headers }, body?.bytes);
}

type Target = { port: number; path: string; method: string; headers: Record<string, string> };

/**
 * Sends a request. A reused connection that was closed at the same moment is no answer: the request is repeated on
 * another one. A connection that ends amid a too large body is excused only if the announced length alone is answered
 * with 413.
 */
async function answerTo(target: Target, bytes: Buffer | undefined): Promise<Answer> {
  const first = await exchange(target, bytes);
  const answer = first.isOnUsed && first.status === 0 ? await exchange(target, bytes) : first;
  if (answer.status !== 0 || (bytes?.length ?? 0) <= SMALLEST_LIMIT) return answer;
  const announced = await exchange(target, "announced");
  return announced.status === 413 ? announced : answer;
}

type Said = Omit<Answer, "ms">;
/** `isOnUsed`: there was no answer on a connection that had been used before. */
type Exchanged = Answer & { isOnUsed?: boolean };

const nothing = (text: string): Said => ({ status: 0, headers: { "x-content-type-options": "nosniff" }, text });

function exchange(target: Target, body: Buffer | "announced" | undefined): Promise<Exchanged> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (said: Said, isOnUsed = false) => resolve({ ...said, ms: performance.now() - startedAt, isOnUsed });
    let hasBegun = false;
    const options = { host: "127.0.0.1", agent, timeout: LONGEST, maxHeaderSize: 64 * 1024 };
    const sent = request({ ...target, ...options }, async (response) => {
      hasBegun = true;
      end(await readWhole(response));
      if (body === "announced") sent.destroy();
    });
    sent.once("timeout", () => sent.destroy(new Error(`No answer within ${LONGEST} ms`)));
    sent.on("error", (error) => {
      if (!hasBegun) end(nothing(String(error)), sent.reusedSocket);
    });
    if (body === "announced") sent.flushHeaders();
    else sent.end(body);
  });
}

/** Reads an answer. One that ends before its last byte counts as none. */
function readWhole(response: IncomingMessage): Promise<Said> {
  const { statusCode: status = 0, headers } = response;
  const isEndless = headers["content-type"]?.startsWith("text/event-stream");
  const chunks: Buffer[] = [];
  let isLeft = false;
  return new Promise((resolve) => {
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (!isEndless) return;
      isLeft = true;
      response.destroy();
    });
    response.on("error", () => undefined); // the close event follows
    response.once("close", () => {
      const bytes = Buffer.concat(chunks);
      const isWhole = response.complete || isLeft;
      resolve(
        isWhole
          ? { status, headers, text: bytes.toString("utf8") }
          : nothing(`a ${status} ends after ${bytes.length} bytes`),
      );
    });
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
      const signature = signatureOf(bytes, body.signed);
      return as("application/json", bytes, signature === undefined ? {} : { "x-paystack-signature": signature });
    }
    case "raw":
      return as(body.type, Buffer.from(fill(body.text)));
  }
}

/** The signature of a webhook: the provider's, or one that anybody can make, by another key or of another message. */
function signatureOf(bytes: Buffer, signed: Signing | undefined): string | undefined {
  if (!signed) return;
  const key = signed === "by another key" ? "sk_test_forged" : env.paystack.secretKey;
  const message = signed === "of another message" ? Buffer.concat([bytes, Buffer.from(" ")]) : bytes;
  return createHmac("sha512", key).update(message).digest("hex");
}

/** Fields as a form sends them: lists under a name that ends with [], and values other than text as JSON. */
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
