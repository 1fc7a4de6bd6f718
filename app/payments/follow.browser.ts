import { SECOND } from "#app/infra/durations.ts";

const OUTCOMES = ["sold", "pending", "unpaid", "refunding", "unavailable", "unknown-reference"] as const;
export type PaymentOutcome = (typeof OUTCOMES)[number];

const END: PaymentOutcome[] = ["sold", "refunding", "unknown-reference"];
const WAITS = [0, 1000, 2000, 3000, 5000, 8000, 13_000, 20_000, 30_000];

type Ask = (method: "GET" | "POST") => Promise<PaymentOutcome>;

/** So long after a success without a recorded sale, the shopper is told. */
const UNRECORDED_AFTER = 12 * SECOND;

type Following = {
  /** The shopper closed the popup, so "unpaid" is an answer; after a success it only means that the provider has not caught up. */
  closed: boolean;
  isWanted(): boolean;
  /** Told once where a success is not recorded yet; the asking goes on. */
  onUnrecorded?(): void;
  ask?: Ask;
  wait?(delay: number): Promise<void>;
};

/** A payment that is on its way so many times in a row is one that takes longer: the page that shows it is told by the live stream when it arrives. */
const AWAITED_AFTER = 3;

/** Asks the server what became of a payment until it is settled, awaited or no longer wanted, for about a minute and a half. */
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
      if (END.includes(last) || pending === AWAITED_AFTER || (closed && last === "unpaid")) return last;
    }
    return last;
  } finally {
    clearTimeout(timer);
  }
}

/** GET asks; POST also says that the shopper has given up. */
export async function askServer(reference: string, method: "GET" | "POST"): Promise<PaymentOutcome> {
  try {
    const response = await fetch(`/api/payments/${encodeURIComponent(reference)}`, { method });
    const answer: unknown = await response.json();
    const told = typeof answer === "object" && answer !== null && "outcome" in answer ? answer.outcome : undefined;
    return OUTCOMES.find((known) => known === told) ?? "unavailable";
  } catch {
    return "unavailable"; // offline: asked again
  }
}

function pause(delay: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delay));
}
