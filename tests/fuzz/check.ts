import { env } from "#app/infra/env.server.ts";
import type { Place } from "./apps.ts";
import type { Case } from "./cases.ts";
import type { Answer } from "./send.ts";
import { SLOW } from "./slow.ts";
import type { World } from "./world.ts";

/** Nobody stands in for Google here, and a visitor is told that it cannot be reached. */
const OF_GOOGLE = /^\/auth\/google/;

/** Of the program and its database: nothing of it is for a visitor. */
const INSIDE =
  /\n\s+at \S.*:\d+:\d+|node_modules\/|\/app\/[\w./-]+\.tsx?:\d|violates [\w ]+ constraint|duplicate key value|invalid (?:input syntax|byte sequence)|syntax error at or near|postgres(?:ql)?:\/\//;

/** What is wrong with an answer, whatever was asked. */
export function problemsOf(answer: Answer, one: Case, place: Place, world: World): string[] {
  const { door } = one;
  const { status, headers, text, ms } = answer;
  const isToldLater =
    (status === 503 && headers["retry-after"] !== undefined) || (status === 502 && OF_GOOGLE.test(door));
  const secrets = [env.paystack.secretKey, env.sessionSecret, ...tokensOf(world)];
  return [
    status >= 500 && !isToldLater && `status ${status}`,
    status === 0 && `no answer: ${text}`,
    ms > SLOW && `${Math.round(ms)} ms`,
    INSIDE.test(text) && `says what is inside: ${INSIDE.exec(text)?.[0].trim()}`,
    secrets.some((secret) => text.includes(secret)) && "says a secret",
    isForged(one) && !isRefusal(status, one) && `a forged webhook gets ${status}`,
    ...headerProblems(answer, place),
  ].filter((problem) => typeof problem === "string");
}

/** Not signed, or too large to be read. */
const REFUSED = [401, 413, 431];

/** An address with a NUL cannot be read, and is refused before anything is looked at. */
function isRefusal(status: number, { query }: Case): boolean {
  return REFUSED.includes(status) || (status === 400 && query.flat().join().includes("\0"));
}

/** Whether it claims to come from the provider, and does not. A header of the case takes the place of the right one. */
function isForged({ app, method, door, headers, body }: Case): boolean {
  if (app !== "shop" || method !== "POST" || door !== "/webhooks/paystack") return false;
  return "x-paystack-signature" in headers || body?.kind !== "json" || body.signed !== "rightly";
}

/** The values of the world's cookies: whoever has one is that person. */
function tokensOf({ cookies }: World): string[] {
  return Object.values(cookies).flatMap((cookie) =>
    cookie
      .split("; ")
      .map((one) => one.slice(one.indexOf("=") + 1))
      .filter(Boolean),
  );
}

function headerProblems({ status, headers, text }: Answer, { origin }: Place): (string | false)[] {
  const { location } = headers;
  const cookies = headers["set-cookie"] ?? [];
  const isPage = headers["content-type"]?.startsWith("text/html") === true;
  return [
    location !== undefined && !isOurs(location, origin) && `leads to ${location}`,
    !cookies.every((cookie) => /^(?:__Host-)?irepo[._][\w.-]+=/.test(cookie)) && `sets ${cookies}`,
    "bcc" in headers && "has a header of the visitor's",
    isPage && text !== "" && !headers["content-security-policy"] && `a page without a policy (${status})`,
    text !== "" && status < 500 && headers["x-content-type-options"] !== "nosniff" && `no nosniff (${status})`,
  ];
}

/** Our own pages, and those of the provider and of Google that a shopper is sent to. */
function isOurs(location: string, origin: string): boolean {
  const to = URL.parse(location, origin);
  const others = [env.paystack.apiUrl, env.paystack.checkoutUrl, env.google?.issuer].map((url) => url && new URL(url));
  return to?.origin === origin || others.some((one) => one && to?.hostname === one.hostname);
}
