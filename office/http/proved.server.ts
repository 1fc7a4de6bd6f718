import { SIGN_IN_ANEW } from "#app/staff/refusals.ts";
import { hasJustSignedIn } from "#app/staff/sessions.server.ts";
import type { Change } from "./changes.server.ts";

/** What changes who signs in, or how: only after a sign-in of the last minutes, so that a device that somebody finds open does not become theirs. */
export function proved<Fields>(run: Change<Fields>["run"]): Change<Fields>["run"] {
  return async (given) => ((await hasJustSignedIn(given.request)) ? run(given) : { ok: false, problem: SIGN_IN_ANEW });
}
