import { env } from "#app/infra/env.server.ts";
import type { AppAddress } from "./apps.ts";
import type { Case } from "./cases.ts";
import type { Answer } from "./send.ts";
import { SLOW } from "./slow.ts";
import type { World } from "./world.ts";

/** There is no stand-in for Google here: these addresses may answer that Google cannot be reached. */
const OF_GOOGLE = /^\/auth\/google/;

/** Text from inside the program and its database, which no visitor may see. */
const INSIDE =
  /\n\s+at \S.*:\d+:\d+|node_modules\/|\/app\/[\w./-]+\.tsx?:\d|violates [\w ]+ constraint|duplicate key value|invalid (?:input syntax|byte sequence)|syntax error at or near|postgres(?:ql)?:\/\//;

/** What is wrong with an answer, whatever the request was. */
export function problemsOf(answer: Answer, one: Case, place: AppAddress, world: World): string[] {
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

/** The statuses of a request that is not signed or too large to be read. */
const REFUSED = [401, 413, 431];

/** Whether a status is a refusal. An address with a NUL is unreadable, and is refused with 400 before anything else. */
function isRefusal(status: number, { query }: Case): boolean {
  return REFUSED.includes(status) || (status === 400 && query.flat().join().includes("\0"));
}

/**
 * Whether a request falsely claims to come from the provider. A signature header of the case replaces the correct one.
 */
function isForged({ app, method, door, headers, body }: Case): boolean {
  if (app !== "shop" || method !== "POST" || door !== "/webhooks/paystack") return false;
  return "x-paystack-signature" in headers || body?.kind !== "json" || body.signed !== "rightly";
}

/** The values of the world's cookies. Whoever has one of them is taken for its owner. */
function tokensOf({ cookies }: World): string[] {
  return Object.values(cookies).flatMap((cookie) =>
    cookie
      .split("; ")
      .map((one) => one.slice(one.indexOf("=") + 1))
      .filter(Boolean),
  );
}

function headerProblems({ status, headers, text }: Answer, { origin }: AppAddress): (string | false)[] {
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

/** Whether an address is one of our own pages, or one of the provider's or Google's to which shoppers are sent. */
function isOurs(location: string, origin: string): boolean {
  const to = URL.parse(location, origin);
  const others = [env.paystack.apiUrl, env.paystack.checkoutUrl, env.google?.issuer].map((url) => url && new URL(url));
  return to?.origin === origin || others.some((one) => one && to?.hostname === one.hostname);
}
