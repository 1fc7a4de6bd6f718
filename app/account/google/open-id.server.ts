import { sql } from "kysely";
import * as openid from "openid-client";
import { z } from "zod";
import type { Db } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { log } from "#app/infra/log.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

export type OpenIdSettings = { issuer: string; clientId: string; clientSecret: string; redirectUri: string };

/** Who came, as the provider vouches for: `subject` is who, `email` only how to reach them. */
export type Identity = { subject: string; email: string; name: string };

/** What the sign-in brings along from the page where it began. */
const carried = z.object({
  next: z.string(),
  from: z.enum(["login", "register"]),
  how: z.enum(["popup", "page", "plain"]),
  guestCart: z.string(),
  mergeId: z.string(),
});
export type Carried = z.infer<typeof carried>;

export type Arrival =
  | { ok: true; identity: Identity; carried: Carried }
  | { ok: false; why: "cancelled" | "failed"; carried: Carried }
  /** Not begun in this browser, too long ago, or used already. */
  | { ok: false; why: "foreign" };

/** From the begin of a sign-in to its end. */
const STATE_LIFETIME = "10 minutes";
const TIMEOUT = 5; // seconds, for each question to the provider
/** Descriptions, keys and tokens have a few kilobytes. */
const MOST_BYTES = 256 * 1024;
const storedState = carried.extend({ nonce: z.string(), verifier: z.string() });
type StoredState = z.infer<typeof storedState>;
const claims = z.object({
  sub: z.string().min(1),
  email: z.string().transform(normalizeEmail).refine(isEmail),
  email_verified: z.literal(true),
  name: z.string().default(""),
});

/** fetch alone would collect an answer for as long as it comes. */
const fetchBounded: openid.CustomFetch = async (url, { body, ...options }) => {
  const answer = await fetch(url, { ...options, body: body instanceof Uint8Array ? new Uint8Array(body) : body });
  let size = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      size += chunk.length;
      if (size > MOST_BYTES) out.error(new Error("The OpenID provider's answer has no end"));
      else out.enqueue(chunk);
    },
  });
  return new Response(answer.body?.pipeThrough(bounded), answer);
};

/** A client of an OpenID provider: authorization code with PKCE, state and nonce. A sign-in begins in one browser and is finished once, in the same. */
export function openIdClient({ issuer, clientId, clientSecret, redirectUri }: OpenIdSettings) {
  let described: Promise<openid.Configuration> | undefined;

  /** What the provider says of itself; asked once, and again after a failure. */
  function provider(): Promise<openid.Configuration> {
    const insecure = issuer.startsWith("http:") ? [openid.allowInsecureRequests] : []; // the demo's, on this machine
    described ??= openid
      .discovery(new URL(issuer), clientId, undefined, openid.ClientSecretBasic(clientSecret), {
        timeout: TIMEOUT,
        [openid.customFetch]: fetchBounded,
        execute: [openid.enableNonRepudiationChecks, ...insecure],
      })
      .catch((error) => {
        described = undefined;
        throw error;
      });
    return described;
  }

  return {
    /** Where to send the browser, and the `state` that it must bring back (in a cookie and in the URL). Throws when the provider is away. */
    async begin(on: Db, carries: Carried): Promise<{ url: string; state: string }> {
      const configuration = await provider();
      const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()];
      await saveState(on, state, { ...carries, nonce, verifier });
      const code_challenge = await openid.calculatePKCECodeChallenge(verifier);
      try {
        const url = openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          state,
          nonce,
          code_challenge,
          code_challenge_method: "S256",
          prompt: "select_account",
        });
        return { url: url.href, state };
      } catch (error) {
        described = undefined; // it says of itself what cannot be: next time it is asked anew
        throw error;
      }
    },

    /** Reads what the provider sent back by the browser that holds `state`. Throws only what the database does; a second time the answer is "foreign". */
    async finish(on: Db, query: URLSearchParams, state: string | undefined): Promise<Arrival> {
      if (!state || query.get("state") !== state) return { ok: false, why: "foreign" };
      const stored = await takeState(on, state);
      if (!stored) return { ok: false, why: "foreign" };
      const { nonce, verifier, ...carries } = stored;
      if (query.get("error") === "access_denied") return { ok: false, why: "cancelled", carried: carries };
      try {
        const tokens = await openid.authorizationCodeGrant(await provider(), new URL(`?${query}`, redirectUri), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const { sub, email, name } = claims.parse(tokens.claims());
        return { ok: true, identity: { subject: sub, email, name }, carried: carries };
      } catch (error) {
        // Unless that is the provider's own word, what it said of itself may be wrong.
        if (!(error instanceof openid.ResponseBodyError)) described = undefined;
        log.warn({ err: error }, "a sign-in by OpenID failed");
        return { ok: false, why: "failed", carried: carries };
      }
    },
  };
}

async function saveState(on: Db, state: string, value: StoredState): Promise<void> {
  await on
    .insertInto("openIdStates")
    .values({
      stateHash: secretHash(state),
      kept: JSON.stringify(value),
      expiresAt: sql`now() + ${STATE_LIFETIME}::interval`,
    })
    .execute();
}

/** Takes away sign-ins that nobody has finished in time. */
export async function deleteExpiredOpenIdStates(on: Db): Promise<void> {
  await on.deleteFrom("openIdStates").where("expiresAt", "<", sql<Date>`now()`).execute();
}

/** The state, which then is gone: a second answer with it is foreign. */
async function takeState(on: Db, state: string): Promise<StoredState | undefined> {
  const row = await on
    .deleteFrom("openIdStates")
    .where("stateHash", "=", secretHash(state))
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("kept")
    .executeTakeFirst();
  return row && storedState.parse(row.kept);
}
