import { BadInput } from "../bad-input.ts";
import { errorMessage } from "../error-fields.ts";

/**
 * The same error, or BadInput if a trigger refused what others removed between its check and its writing. What is
 * wrong with an input otherwise is found before it is written.
 */
export function refusalOr(error: unknown): unknown {
  const isOfKinds = error instanceof Object && "constraint" in error && error.constraint === "kinds_are_known";
  return isOfKinds ? new BadInput(`Somebody has removed a kind meanwhile: ${errorMessage(error)}`) : error;
}
