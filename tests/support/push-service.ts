import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  randomUUID,
  verify,
} from "node:crypto";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import tls from "node:tls";
import { certificateFor } from "./certificates.ts";

// A push service and browsers as the RFCs describe them, written without the shop's own functions.

/** What a browser was shown: a message's content. */
export type Shown = { title: string; body: string; path: string; tag: string };
/** A browser that has subscribed. `subscription` is the JSON that its script sends to the office. */
export type Browser = {
  endpoint: string;
  subscription: string;
  pair: ECDH;
  secret: Buffer;
  /** The messages that have arrived, decrypted, each with the headers of its request. */
  shown: Shown[];
  headers: IncomingHttpHeaders[];
  /** The statuses of the next answers; 201 after them. */
  answers: number[];
};

export function newBrowser(origin = "https://push.example"): Browser {
  const pair = createECDH("prime256v1");
  const p256dh = pair.generateKeys("base64url");
  const secret = randomBytes(16);
  const endpoint = `${origin}/send/${randomUUID()}`;
  const subscription = JSON.stringify({ endpoint, keys: { p256dh, auth: secret.toString("base64url") } });
  return { endpoint, subscription, pair, secret, shown: [], headers: [], answers: [] };
}

export type PushService = { subscribe(): Browser; stop(): void };

/** A push service at https://localhost, which this process trusts from then on. It refuses what is wrongly signed. */
export async function startPushService(): Promise<PushService> {
  const certificate = certificateFor("localhost");
  tls.setDefaultCACertificates([...tls.getCACertificates("default"), certificate.cert]);
  const browsers = new Map<string, Browser>();
  let origin = "";
  const server = createServer(certificate, async (request, response) => {
    const body = await buffer(request);
    const browser = browsers.get(`${origin}${request.url}`);
    const status = !browser ? 404 : isSigned(request.headers.authorization, origin) ? browser.answers.shift() : 403;
    if (browser && status === undefined) {
      browser.headers.push(request.headers);
      browser.shown.push(JSON.parse(decrypted(body, browser)));
    }
    response.writeHead(status ?? 201).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    subscribe() {
      const browser = newBrowser(origin);
      browsers.set(browser.endpoint, browser);
      return browser;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** RFC 8292: the token is signed with the key beside it, is for this service, and ends within twelve hours. */
export function isSigned(authorization = "", origin: string): boolean {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}");
  const { aud, exp, sub } = read(claims);
  const seconds = Date.now() / 1000;
  if (read(head).alg !== "ES256" || aud !== origin || !/^mailto:\S+@\S+$/.test(sub)) return false;
  if (!(exp > seconds && exp <= seconds + 12 * 3600)) return false;
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const publicKey = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  const [signed, proof] = [Buffer.from(`${head}.${claims}`), Buffer.from(signature, "base64url")];
  return verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, proof);
}

const hmac = (key: Buffer, ...parts: (Buffer | string)[]) =>
  parts.reduce((made, part) => made.update(part), createHmac("sha256", key)).digest();

/** RFC 8188 and 8291: a message of one record. */
export function decrypted(body: Buffer, { pair, secret }: Pick<Browser, "pair" | "secret">): string {
  const [salt, size, length] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + length);
  const record = body.subarray(21 + length);
  if (record.length > size) throw new Error("A message has one record");
  const ofBoth = hmac(secret, pair.computeSecret(sender));
  const input = hmac(ofBoth, "WebPush: info\0", pair.getPublicKey(), sender, "\x01");
  const key = hmac(salt, input);
  const decipher = createDecipheriv(
    "aes-128-gcm",
    hmac(key, "Content-Encoding: aes128gcm\0\x01").subarray(0, 16),
    hmac(key, "Content-Encoding: nonce\0\x01").subarray(0, 12),
  );
  decipher.setAuthTag(record.subarray(-16));
  const text = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  if (text.at(-1) !== 2) throw new Error("The last record ends with 2");
  return text.subarray(0, -1).toString();
}
