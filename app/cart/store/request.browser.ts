import * as messages from "#app/messages.ts";
import { type Answer, isAnswer } from "../answer.ts";

export type Reply = Answer & {
  isSignedOut?: boolean;
  /** Whether no response arrived: the change may or may not have been made. */
  isLost?: boolean;
};

/** Sends a request to /api/cart. Never throws: a failure is a reply with a `problem`. */
export async function request(body: object): Promise<Reply> {
  try {
    const response = await fetch("/api/cart", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      keepalive: true, // the request survives when the shopper leaves the page right after a press
    });
    if (response.status === 401) return { isSignedOut: true };
    if (!response.ok && response.status < 500) return { problem: messages.form.unavailable };
    const answer: unknown = response.ok ? await response.json() : undefined;
    if (isAnswer(answer)) return answer;
  } catch {} // no response, or one that is not JSON
  return { problem: messages.form.unavailable, isLost: true };
}
