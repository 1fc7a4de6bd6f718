import { SIGN_IN_ANEW } from "#app/staff/refusals.ts";
import { hasJustSignedIn } from "#app/staff/sessions.server.ts";
import type { Description } from "./changes.server.ts";

/**
 * Wraps a change of how members sign in: it requires a sign-in within the last minutes, so that a person who finds a
 * signed-in device cannot take over the account.
 */
export function proved<Fields>(run: Description<Fields>["run"]): Description<Fields>["run"] {
  return async (given) => ((await hasJustSignedIn(given.request)) ? run(given) : { ok: false, problem: SIGN_IN_ANEW });
}
