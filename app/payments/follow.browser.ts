import { SECOND } from "#app/infra/durations.ts";

const OUTCOMES = ["sold", "pending", "unpaid", "refunding", "unavailable", "unknown-reference"] as const;
export type PaymentOutcome = (typeof OUTCOMES)[number];

const FINAL_OUTCOMES: PaymentOutcome[] = ["sold", "refunding", "unknown-reference"];
const WAITS = [0, 1000, 2000, 3000, 5000, 8000, 13_000, 20_000, 30_000];

type Ask = (method: "GET" | "POST") => Promise<PaymentOutcome>;

/** How long after a reported success the shopper is told that the shop has not recorded the sale yet. */
const UNRECORDED_AFTER = 12 * SECOND;

type Following = {
  /**
   * Whether the shopper closed the popup: "unpaid" is then final. Otherwise "unpaid" only means that the provider's
   * records lag behind the reported success.
   */
  closed: boolean;
  isWanted(): boolean;
  /** Called once if a success is still not recorded after 12 s. Polling goes on. */
  onUnrecorded?(): void;
  ask?: Ask;
  wait?(delay: number): Promise<void>;
};

/**
 * The number of "pending" answers in a row after which the transfer counts as slow. The checkout page then waits for
 * the live event stream.
 */
const AWAITED_AFTER = 3;

/**
 * Polls the server until the payment is settled or counts as a slow transfer, or until `isWanted` is false, but at most
 * nine times, with 82 s of waiting in all. Returns the last outcome.
 */
export async function followPayment(reference: string, following: Following): Promise<PaymentOutcome> {
  const { closed, isWanted, onUnrecorded = () => {}, wait = pause } = following;
  const ask = following.ask ?? ((method) => askServer(reference, method));
  let last: PaymentOutcome = "unavailable";
  let pending = 0;
  const timer = setTimeout(() => {
    if (!closed && isWanted() && last !== "pending") onUnrecorded();
  }, UNRECORDED_AFTER);
  try {
    for (const delay of WAITS) {
      await wait(delay);
      if (!isWanted()) return last;
      last = await ask(closed ? "POST" : "GET");
      pending = last === "pending" ? pending + 1 : 0;
      if (FINAL_OUTCOMES.includes(last) || pending === AWAITED_AFTER || (closed && last === "unpaid")) return last;
    }
    return last;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the payment's outcome according to the server; "unavailable" without a readable response. POST also tells the
 * server that the shopper has given up.
 */
export async function askServer(reference: string, method: "GET" | "POST"): Promise<PaymentOutcome> {
  try {
    const response = await fetch(`/api/payments/${encodeURIComponent(reference)}`, { method });
    const answer: unknown = await response.json();
    const outcome = typeof answer === "object" && answer !== null && "outcome" in answer ? answer.outcome : undefined;
    return OUTCOMES.find((known) => known === outcome) ?? "unavailable";
  } catch {
    return "unavailable"; // offline: the next poll tries again
  }
}

function pause(delay: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delay));
}
