import type { IncomingMessage } from "node:http";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

export type Proof = {
  /** The session's token in the request, whether valid or not. */
  tokenIn(request: IncomingMessage): string | undefined;
  /** The user of that session; undefined if there is no such session. */
  userOf(request: IncomingMessage): Promise<string | undefined>;
};

/** The most sessions that are remembered. */
const MOST = 10_000;

/**
 * Remembers the users of sessions that were looked up, so that an invented token has no user. A session that has ended
 * since then still counts as its user's.
 */
export function provenUsers({ tokenIn, userOf }: Proof) {
  const users = new Map<string, string>();
  const nameOf = (request: IncomingMessage) => {
    const token = tokenIn(request);
    return token ? secretHash(token).toString("base64") : undefined;
  };

  return {
    knownUserOf(request: IncomingMessage): string | undefined {
      const name = nameOf(request);
      return name ? users.get(name) : undefined;
    },
    /** Looks the user up; undefined if there is none, or the lookup fails. */
    async findUserOf(request: IncomingMessage): Promise<string | undefined> {
      const name = nameOf(request);
      const user = name && (await userOf(request).catch(() => undefined));
      if (!user) return;
      users.set(name, user);
      const [oldest] = users.keys();
      if (users.size > MOST && oldest !== undefined) users.delete(oldest);
      return user;
    },
  };
}
