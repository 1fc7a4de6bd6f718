import * as messages from "#app/messages.ts";
import { type Answer, isAnswer } from "../answer.ts";

export type Reply = Answer & {
  isSignedOut?: boolean;
  /** No answer came: nobody knows whether it was done. */
  isLost?: boolean;
};

/** Asks /api/cart; a failure is a reply with a `problem`. */
export async function request(body: object): Promise<Reply> {
  try {
    const response = await fetch("/api/cart", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      keepalive: true, // it is sent even when the shopper leaves the page right after a tap
    });
    if (response.status === 401) return { isSignedOut: true };
    if (!response.ok && response.status < 500) return { problem: messages.form.unavailable };
    const answer: unknown = response.ok ? await response.json() : undefined;
    if (isAnswer(answer)) return answer;
  } catch {} // no answer, or a broken one
  return { problem: messages.form.unavailable, isLost: true };
}
