import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");

/** Deviations from correct behaviour that a test can order. */
type Odd = { origin?: string; verifies?: boolean; counter?: number; userHandle?: string; type?: string };

/** A passkey in software, which answers as a browser at `origin` would: ES256, no attestation. */
export function softwareAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  let counter = 0;
  let owner = "";

  const clientData = (type: string, challenge: string, odd: Odd) =>
    Buffer.from(
      JSON.stringify({ type: odd.type ?? type, challenge, origin: odd.origin ?? origin, crossOrigin: false }),
    );
  function authenticatorData(rpId: string, odd: Odd, attested = Buffer.alloc(0)): Buffer {
    const flags = PRESENT | (odd.verifies === false ? 0 : VERIFIED) | (attested.length > 0 ? ATTESTED : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(odd.counter ?? counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  }
  const answer = (response: object) =>
    JSON.stringify({
      id: base64url(id),
      rawId: base64url(id),
      type: "public-key",
      clientExtensionResults: {},
      response,
    });

  return {
    /** Makes the passkey. Returns the browser's JSON. */
    create({ rp, user, challenge }: PublicKeyCredentialCreationOptionsJSON, odd: Odd = {}): string {
      owner = user.id;
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]);
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
      const authData = new Uint8Array(authenticatorData(rp.id ?? "", odd, attested));
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      return answer({
        clientDataJSON: base64url(clientData("webauthn.create", challenge, odd)),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ["internal"],
      });
    },
    /** Signs a challenge. Returns the browser's JSON. */
    get({ rpId = "", challenge }: PublicKeyCredentialRequestOptionsJSON, odd: Odd = {}): string {
      counter++;
      const data = authenticatorData(rpId, odd);
      const client = clientData("webauthn.get", challenge, odd);
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign("sha256", Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle: odd.userHandle ?? owner,
      });
    },
  };
}
