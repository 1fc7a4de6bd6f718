import { BlockList } from "node:net";

/** The words of which examples and placeholders are made. */
const WORDS =
  "openssl placeholder production credential insecure password session replace example changeme default postgres random secret string change passwd please value admin irepo token output rand here long must real same shop some test this user your base hex key the for not put abc env in is it me my of to";
const PLACEHOLDER = new RegExp(`^(?:${WORDS.split(" ").join("|")}|x+|\\d+)+$`);
const REPEATED = /^(.{1,32}?)\1+$/;
const LEAST_DIFFERENT = 8;

/** Why somebody could guess a secret; undefined if the secret seems to be random. */
function weaknessOf(secret: string, least: number): string | undefined {
  const plain = secret.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (PLACEHOLDER.test(plain) || isSequence(plain)) return "is a placeholder";
  if (REPEATED.test(plain)) return "repeats itself";
  if (secret.length < least) return `is too short: it needs at least ${least} characters`;
  return new Set(plain).size < Math.min(least, LEAST_DIFFERENT) ? "repeats itself" : undefined;
}

/** Whether a text is mostly ascending, such as `0123456789abcdef` or `abcdefgh`. */
function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.filter((code, at) => at > 0 && code - (codes[at - 1] ?? 0) === 1).length;
  return codes.length > 2 && steps > codes.length / 2;
}

type Secrets = {
  [Name in
    | "SESSION_SECRET"
    | "SESSION_FALLBACK_SECRET"
    | "GOOGLE_CLIENT_SECRET"
    | "SMTP_URL"
    | "DATABASE_URL"
    | "DATABASE_DIRECT_URL"
    | "DATABASE_OWNER_URL"]?: string;
};

/** The prefixes of keys, which are the same for all keys of a kind. */
const KIND = /^(?:[sp]k_(?:test|live)_|GOCSPX-)/;
/** The least length of each kind of secret. A provider's keys have 40 random characters, Google's 28. */
const LEAST = { session: 32, provider: 20, client: 16, password: 8 };

/**
 * The settings with a secret, or a password in an address, that somebody could guess, and why. `keys`: the names of the
 * providers' keys.
 */
export function weakSecrets<Key extends string>(
  s: Secrets & { [Name in Key]?: string },
  keys: readonly Key[],
): [keyof Secrets | Key, string][] {
  const passwordIn = (url = "") => (url && new URL(url).password) || undefined;
  const secrets: [keyof Secrets | Key, string | undefined, number][] = [
    ["SESSION_SECRET", s.SESSION_SECRET, LEAST.session],
    ["SESSION_FALLBACK_SECRET", s.SESSION_FALLBACK_SECRET, LEAST.session],
    ...keys.map((name): [Key, string | undefined, number] => [name, s[name], LEAST.provider]),
    ["GOOGLE_CLIENT_SECRET", s.GOOGLE_CLIENT_SECRET, LEAST.client],
    ["SMTP_URL", passwordIn(s.SMTP_URL), LEAST.password],
    ["DATABASE_URL", passwordIn(s.DATABASE_URL), LEAST.password],
    ["DATABASE_DIRECT_URL", passwordIn(s.DATABASE_DIRECT_URL), LEAST.password],
    ["DATABASE_OWNER_URL", passwordIn(s.DATABASE_OWNER_URL), LEAST.password],
  ];
  return secrets.flatMap(([name, secret, least]) => {
    const weakness = secret === undefined ? undefined : weaknessOf(secret.replace(KIND, ""), least);
    const whose = name.endsWith("_URL") ? "has a password that " : "";
    return weakness ? [[name, whose + weakness] as [keyof Secrets | Key, string]] : [];
  });
}

const LEAST_BITS = { ipv4: 8, ipv6: 16, private: 7 };
/** fc00::/7 and fe80::/10, which are not used on the internet. */
const PRIVATE_V6 = /^f(?:[cd]|e[89ab])/i;

/** Whether a range of addresses is so wide that it includes strangers: no proxy and no CDN has so many addresses. */
export function isTooWide(range: string): boolean {
  const [address = "", bits] = range.split("/");
  if (bits === undefined) return false;
  const family = address.includes(":") ? "ipv6" : "ipv4";
  if (Number(bits) < LEAST_BITS[PRIVATE_V6.test(address) ? "private" : family]) return true;
  // An IPv6 range may hold the whole of IPv4 (::ffff:0:0/96).
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family);
  return ["8.8.8.8", "198.51.100.1"].every((somebody) => list.check(somebody, "ipv4"));
}
