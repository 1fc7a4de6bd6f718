import { sql } from "kysely";
import * as openid from "openid-client";
import { z } from "zod";
import type { Db } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { log } from "#app/infra/log.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

export type OpenIdSettings = { issuer: string; clientId: string; clientSecret: string; redirectUri: string };

/** A person as the provider identifies them. `subject` is the identity; `email` is only an address for mails. */
export type Identity = { subject: string; email: string; name: string };

/** The state of the page where the sign-in began, kept until its end. */
export const carried = z.object({
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
  /** The sign-in was not begun in this browser, took too long, or was finished already. */
  | { ok: false; why: "foreign" };

/** The longest time between the beginning and the end of a sign-in. */
export const STATE_LIFETIME = "10 minutes";
const TIMEOUT = 5; // seconds, for each request to the provider
/** The largest response in bytes. The provider's configuration, keys and tokens take only a few kilobytes. */
const MOST_BYTES = 256 * 1024;
const storedState = carried.extend({ nonce: z.string(), verifier: z.string() });
type StoredState = z.infer<typeof storedState>;
const claims = z.object({
  sub: z.string().min(1),
  email: z.string().transform(normalizeEmail).refine(isEmail),
  email_verified: z.literal(true),
  name: z.string().default(""),
});

/** A `fetch` with a limit to the size of the response. */
const fetchBounded: openid.CustomFetch = async (url, { body, ...options }) => {
  const sent = body instanceof Uint8Array ? new Uint8Array(body) : body;
  const answer = await fetch(url, { ...options, redirect: "manual", body: sent });
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

/**
 * A client of an OpenID provider: authorization code flow with PKCE, state and nonce. A sign-in begins in one browser
 * and can be finished once, in the same browser.
 */
export function openIdClient({ issuer, clientId, clientSecret, redirectUri }: OpenIdSettings) {
  let described: Promise<openid.Configuration> | undefined;

  /** The provider's configuration. Requested once, and again after a failure. */
  function provider(): Promise<openid.Configuration> {
    const insecure = issuer.startsWith("http:") ? [openid.allowInsecureRequests] : []; // the demo's provider
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
    /**
     * Returns the URL for the browser, and the `state` that the browser must bring back, in a cookie and in the URL.
     * Throws if the provider does not respond.
     */
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
        described = undefined; // the configuration is invalid: the next call requests it again
        throw error;
      }
    },

    /**
     * Handles the provider's response, brought by the browser with the cookie `state`. Throws only errors of the
     * database. A repeated call returns "foreign".
     */
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
        // Unless the provider itself refused the request, its configuration may be outdated: the next call requests it
        // again.
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

/** Deletes sign-ins that were not finished in time. */
export async function deleteExpiredOpenIdStates(on: Db): Promise<void> {
  await on.deleteFrom("openIdStates").where("expiresAt", "<", sql<Date>`now()`).execute();
}

/** Reads and deletes the state, so that a repeated response counts as foreign. */
async function takeState(on: Db, state: string): Promise<StoredState | undefined> {
  const row = await on
    .deleteFrom("openIdStates")
    .where("stateHash", "=", secretHash(state))
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("kept")
    .executeTakeFirst();
  return row && storedState.parse(row.kept);
}
