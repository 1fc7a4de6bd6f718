import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/**
 * The most hashes computed at once. One of Node's four threads stays free for files, host names and the handshakes of
 * new database connections, which a rush of logins must not delay.
 */
const MOST_AT_ONCE = 3;
let running = 0;
const waiting: (() => void)[] = [];

async function derive(...given: Parameters<typeof argon2Async>): Promise<Buffer> {
  if (running === MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await argon2Async(...given);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

const argon2Async = promisify(argon2);

/** argon2id at the strength that OWASP's password storage sheet asks for. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const LENGTH = 32;
const PARAMETERS = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

/** A hash that belongs to no password; checking a password against it takes as long as against a real one. */
export const NO_PASSWORD = `${PARAMETERS}${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(LENGTH))}`;

/** Whether a hash was made with other parameters than the present ones. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith(PARAMETERS);
}

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`: the parameters travel with the hash. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await derive("argon2id", { message: password.normalize("NFKC"), nonce, tagLength: LENGTH, ...COST });
  return `${PARAMETERS}${base64(nonce)}$${base64(hash)}`;
}

/** Whether a hash was made from this password; false for a hash that cannot be read. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!match) return false;
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const nonce = Buffer.from(match[4] ?? "", "base64");
  const known = Buffer.from(match[5] ?? "", "base64");
  const tried = await derive("argon2id", {
    message: password.normalize("NFKC"),
    nonce,
    tagLength: known.length,
    memory,
    passes,
    parallelism,
  });
  return timingSafeEqual(known, tried);
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
