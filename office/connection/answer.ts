import { useState } from "react";
import { useActionData, useLocation } from "react-router";
import type { Outcome } from "../http/changes.server.ts";

/**
 * What the last form on this screen was answered with, until somebody goes on. A route's action data is gone when the
 * screen is loaded anew.
 */
export function useAnswer<Action>() {
  const given = useActionData<Action>();
  const { key } = useLocation();
  const [kept, setKept] = useState({ given, key });
  const answer = kept.key === key ? (given ?? kept.given) : given;
  if (kept.key !== key || kept.given !== answer) setKept({ given: answer, key });
  return answer;
}

/**
 * How often the form `intent` has been done here. As the form's key it empties the form then, and at no other answer.
 */
export function useTimesDone(answer: (Outcome & { intent?: string }) | undefined, intent: string): number {
  const [seen, setSeen] = useState({ answer, times: 0 });
  if (seen.answer === answer) return seen.times;
  const times = seen.times + (answer?.ok && answer.intent === intent ? 1 : 0);
  setSeen({ answer, times });
  return times;
}

/**
 * What a form was answered with that scripts send without a navigation: without script, the answer to the form `intent`
 * is the page's.
 */
export function useUnscripted<Answer extends { intent?: string }>(intent: string): Answer | undefined {
  const answer = useActionData() as Answer | undefined;
  return answer?.intent === intent ? answer : undefined;
}
