import { useState } from "react";
import { useNavigation } from "react-router";
import type { Outcome } from "../http/changes.server.ts";

type Answer = Outcome & { intent?: string };

/**
 * The state of the form that saves a thing with a version. It works without JavaScript: what was typed stays in the
 * form's fields, which have no state here. `seen` is the version that the next press replaces.
 */
export function useVersioned(version: number, answer: Answer | undefined) {
  const done = answer?.intent === "save" ? answer : undefined;
  const refused = done && !done.ok ? done : undefined;
  const current = done && "version" in done ? done.version : undefined; // after a save or a refusal
  const [seen, setSeen] = useState(String(version));
  if (current && current !== seen) setSeen(current);
  return {
    seen,
    isStale: refused !== undefined && "isStale" in refused && refused.isStale === true,
    isPending: useNavigation().formData?.get("intent") === "save",
    problems: refused && "problems" in refused ? refused.problems : {},
    /** The texts of a refused form. */
    typed: refused?.values,
  };
}
