import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export type Certificate = { key: string; cert: string };

/** A self-signed certificate for a host name, for clients that are told to trust it. */
export function certificateFor(host: string, { days = 1 } = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(tagged(0x31, sequence(objectId("550403"), tagged(0x0c, Buffer.from(host)))));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(Math.min(days, 0) - 1), time(days)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(alternativeName(host))),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, ECDSA_WITH_SHA256, tagged(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts);
const integer = (bytes: Buffer) => tagged(0x02, bytes);
const objectId = (hex: string) => tagged(0x06, Buffer.from(hex, "hex"));
const ECDSA_WITH_SHA256 = sequence(objectId("2a8648ce3d040302"));

function time(daysFromNow: number): Buffer {
  const at = new Date(Date.now() + daysFromNow * 86_400_000).toISOString();
  return tagged(0x17, Buffer.from(`${at.slice(2, 19).replaceAll(/[-:T]/g, "")}Z`));
}

function alternativeName(host: string): Buffer {
  return sequence(objectId("551d11"), tagged(0x04, sequence(tagged(0x82, Buffer.from(host)))));
}
