import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { OpenIdSettings } from "#app/account/google/open-id.server.ts";

const key = generateKeyPairSync("rsa", { modulusLength: 2048 });
const foreignKey = generateKeyPairSync("rsa", { modulusLength: 2048 });
const CLIENT = { clientId: "irepo-test", clientSecret: "irepo-test-secret-of-some-length" };

type Claims = Record<string, unknown>;
export type Lie = { claims?: Claims; signedBy?: "nobody" | "another key" | "the client's secret" };

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * An OpenID provider that the test controls. It checks the client and PKCE correctly; its ID token has the claims that
 * the test wants.
 */
export function useOpenIdProvider() {
  let issuer = "";
  let lie: Lie = {};
  const server = createServer(async (request, response) => {
    const answer = await answerTo(request);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  });
  server.keepAliveTimeout = 0; // as in provider.ts

  async function answerTo(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (request.url === "/.well-known/openid-configuration") return { status: 200, body: description(issuer) };
    if (request.url === "/jwks")
      return { status: 200, body: { keys: [{ ...key.publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256" }] } };
    const form = new URLSearchParams(await text(request));
    const asked = askedBy(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const [, credentials = ""] = request.headers.authorization?.split("Basic ") ?? [];
    const client = decodeURIComponent(Buffer.from(credentials, "base64").toString());
    if (client !== `${CLIENT.clientId}:${CLIENT.clientSecret}` || challenge !== asked.code_challenge)
      return { status: 400, body: { error: "invalid_grant" } };
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: CLIENT.clientId, iat: now, exp: now + 300, ...ADA, nonce: asked.nonce };
    const idToken = token({ ...claims, ...lie.claims }, lie.signedBy);
    return { status: 200, body: { access_token: "access", token_type: "bearer", id_token: idToken } };
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    lie = {};
  });
  afterAll(() => void server.close());

  return {
    port: () => (server.address() as AddressInfo).port,
    /** Makes the provider use the address of a proxy in front of it as its issuer. */
    standBehind(port: number): void {
      issuer = `http://127.0.0.1:${port}`;
    },
    settings: (): OpenIdSettings => ({ ...CLIENT, issuer, redirectUri: "http://localhost:3000/auth/google/callback" }),
    lies(told: Lie): void {
      lie = told;
    },
    /** The query with which the browser returns to the shop after its visitor has agreed. */
    agreed(authorizationUrl: string): URLSearchParams {
      const asked = new URL(authorizationUrl).searchParams;
      const code = json({ nonce: asked.get("nonce"), code_challenge: asked.get("code_challenge") });
      return new URLSearchParams({ code, state: asked.get("state") ?? "" });
    },
  };
}

export const ADA = { sub: "ada-at-google", email: "Ada@Example.com", email_verified: true, name: "Ada Ngozi Obi" };

/** The contents of a code. Empty for a made-up code. */
function askedBy(code: string): Claims {
  const text = Buffer.from(code, "base64url").toString();
  return text.startsWith("{") ? (JSON.parse(text) as Claims) : {};
}

function description(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}

function token(claims: Claims, signedBy: Lie["signedBy"]): string {
  const alg = signedBy === "nobody" ? "none" : signedBy === "the client's secret" ? "HS256" : "RS256";
  const signed = `${json({ alg, kid: "k" })}.${json(claims)}`;
  if (alg === "none") return `${signed}.`;
  if (alg === "HS256")
    return `${signed}.${createHmac("sha256", CLIENT.clientSecret).update(signed).digest("base64url")}`;
  const { privateKey } = signedBy === "another key" ? foreignKey : key;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
}
