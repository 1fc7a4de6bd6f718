import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto";
import { HOUR, inSeconds, SECOND } from "#app/infra/durations.ts";
import { type HttpReply, type MayReach, request } from "#app/infra/http/client.server.ts";

// Web push: RFC 8030 (the request to the push service), 8188 and 8291 (encryption for the browser), 8292 (who sends).

const CURVE = "prime256v1";
/** How long a push service keeps a message for a device that is switched off. */
const KEPT_FOR = 12 * HOUR;
const SIGNED_FOR = 12 * HOUR;
const TIMEOUT = 5 * SECOND;
const MOST_ANSWERED = 16 * 1024;
/** The size of a record, of which a message has one: every push service takes this much. */
const RECORD = 4096;

/** The shop's keys: the public one is a point of P-256, uncompressed, the private one is in PKCS #8. */
export type PushKeys = { publicKey: Buffer; privateKey: Buffer };
/** A browser's address at its push service, its public key, and its secret. */
export type Target = { endpoint: string; publicKey: Buffer; secret: Buffer };
/** `topic`: a message replaces one with the same topic that the device has not fetched yet. At most 32 letters. */
export type Push = { text: string; topic: string };
/** `contact`: an email address for the push service, if it has to ask about what the shop sends. */
export type Sender = { keys: PushKeys; contact: string; mayReach: MayReach };

export function newKeys(): PushKeys {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: CURVE });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  return { publicKey: point, privateKey: privateKey.export({ type: "pkcs8", format: "der" }) };
}

/** Whether these bytes are a point of the curve, for which a message can be encrypted. */
export function isPublicKey(bytes: Buffer): boolean {
  try {
    newPair().computeSecret(bytes);
    return bytes.length === 65;
  } catch {
    return false;
  }
}

function newPair(): ECDH {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
}

/** Encrypts a text for one browser, which alone can read it. `salt` and `pair` are random, except in a test. */
export function encrypted(
  text: string,
  { publicKey, secret }: Omit<Target, "endpoint">,
  { salt = randomBytes(16), pair = newPair() } = {},
): Buffer {
  const own = pair.getPublicKey();
  const shared = pair.computeSecret(publicKey);
  const key = derived(shared, secret, ["WebPush: info\0", publicKey, own], 32);
  const cipher = createCipheriv(
    "aes-128-gcm",
    derived(key, salt, ["Content-Encoding: aes128gcm\0"], 16),
    derived(key, salt, ["Content-Encoding: nonce\0"], 12),
  );
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD);
  head.writeUInt8(own.length, 4);
  const end = Buffer.from([2]); // marks the last record
  return Buffer.concat([salt, head, own, cipher.update(text), cipher.update(end), cipher.final(), cipher.getAuthTag()]);
}

function derived(key: Buffer, salt: Buffer, info: (string | Buffer)[], length: number): Buffer {
  const bytes = Buffer.concat(info.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  return Buffer.from(hkdfSync("sha256", key, salt, bytes, length));
}

/** The header by which the push service at `endpoint` knows the shop. */
export function authorization(endpoint: string, { keys, contact }: Pick<Sender, "keys" | "contact">): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const expires = Math.floor(inSeconds(Date.now() + SIGNED_FOR));
  const claims = { aud: new URL(endpoint).origin, exp: expires, sub: `mailto:${contact}` };
  const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part(claims)}`;
  const key = createPrivateKey({ key: keys.privateKey, format: "der", type: "pkcs8" });
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${keys.publicKey.toString("base64url")}`;
}

/** Hands a message to the push service. The answer says whether the service has taken it. */
export function push(to: Target, { text, topic }: Push, sender: Sender): Promise<HttpReply> {
  return request(to.endpoint, {
    method: "POST",
    headers: {
      Authorization: authorization(to.endpoint, sender),
      "Content-Encoding": "aes128gcm",
      "Content-Type": "application/octet-stream",
      TTL: String(inSeconds(KEPT_FOR)),
      Urgency: "high",
      Topic: topic,
    },
    body: encrypted(text, to),
    timeout: TIMEOUT,
    maxBytes: MOST_ANSWERED,
    mayReach: sender.mayReach,
  });
}
