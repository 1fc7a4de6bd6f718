import { createHash } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import Provider, { interactionPolicy } from "oidc-provider";
import { messagePage, signInPage } from "./pages.ts";
import type { Switches } from "./switches.ts";

export type OpenIdClient = { id: string; secret: string; redirectUris: string[] };
type Person = { email: string; name: string };

/**
 * The demo's OpenID provider under `/oidc`: whoever comes types a name and an address and is believed. It behaves like
 * Google towards the shop: the ID token carries email, email_verified and the names, and the visitor is asked which
 * account to use when the shop wants that.
 */
export function openIdProvider(
  origin: string,
  client: OpenIdClient,
  switches: Pick<Switches, "openIdSecret">,
): Hono<{ Bindings: HttpBindings }> {
  const people = new Map<string, Person>();
  const provider = newProvider(`${origin}/oidc`, client, people);
  provider.Client.prototype.compareClientSecret = (given) => given === (switches.openIdSecret ?? client.secret);
  const handle = provider.callback();
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.get("/oidc/interaction/:uid", async (c) => {
    const interaction = await provider.interactionDetails(c.env.incoming, c.env.outgoing).catch(() => undefined);
    return interaction ? c.html(signInPage()) : c.html(messagePage("This sign-in has ended. Please start again."), 400);
  });
  app.post("/oidc/interaction/:uid", async (c) => {
    const { name = "", email = "", cancel } = (await c.req.parseBody()) as Record<string, string>;
    const person = { name: name.trim(), email: email.trim().toLowerCase() };
    if (cancel === undefined && !person.email.includes("@")) return c.html(signInPage(person), 400);
    const accountId = createHash("sha256").update(person.email).digest("hex");
    people.set(accountId, person);
    const result =
      cancel === undefined
        ? { login: { accountId }, select_account: {} }
        : { error: "access_denied", error_description: "The visitor went back" };
    await provider.interactionFinished(c.env.incoming, c.env.outgoing, result);
    return RESPONSE_ALREADY_SENT;
  });
  app.all("/oidc/*", async (c) => {
    const { incoming, outgoing } = c.env;
    // The provider takes its mount path from the difference of the two.
    const original = incoming.url ?? "";
    Object.assign(incoming, { originalUrl: original, url: original.slice("/oidc".length) });
    await handle(incoming, outgoing);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

function newProvider(issuer: string, { id, secret, redirectUris }: OpenIdClient, people: Map<string, Person>) {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  return new Provider(issuer, {
    clients: [{ client_id: id, client_secret: secret, redirect_uris: redirectUris }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "given_name", "family_name"] },
    conformIdTokenClaims: false, // the claims stand in the ID token, as Google's do
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_, interaction) => `/oidc/interaction/${interaction.uid}` },
    findAccount: (_, accountId) => {
      const person = people.get(accountId);
      return person && { accountId, claims: () => ({ sub: accountId, ...claimsOf(person) }) };
    },
    // No consent page: typing a name and an address is consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
}

function claimsOf({ email, name }: Person) {
  const [given_name = "", ...rest] = name.split(" ");
  return { email, email_verified: true, name, given_name, family_name: rest.join(" ") };
}
