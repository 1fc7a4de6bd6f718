import { useState } from "react";
import { useActionData, useLocation } from "react-router";
import type { Outcome } from "../http/changes.server.ts";

/**
 * The response to the last form on this screen, kept until the next navigation. The router drops a route's action data
 * when the screen's data is reloaded.
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
 * The number of successful submits of the form `intent` on this screen. As the form's React key, the number clears the
 * form after each success and keeps the input after a refusal.
 */
export function useTimesDone(answer: (Outcome & { intent?: string }) | undefined, intent: string): number {
  const [seen, setSeen] = useState({ answer, times: 0 });
  if (seen.answer === answer) return seen.times;
  const times = seen.times + (answer?.ok && answer.intent === intent ? 1 : 0);
  setSeen({ answer, times });
  return times;
}

/**
 * The response to the form `intent` if it was sent without JavaScript. With JavaScript, such a form is sent by a
 * fetcher, which has the response.
 */
export function useUnscripted<Answer extends { intent?: string }>(intent: string): Answer | undefined {
  const answer = useActionData() as Answer | undefined;
  return answer?.intent === intent ? answer : undefined;
}
