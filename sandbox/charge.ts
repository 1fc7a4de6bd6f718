import type { Clock } from "./clock.ts";
import type { Ledger, Transaction } from "./ledger.ts";
import type { Webhooks } from "./webhooks.ts";

/** What the buttons of the payment pages do; their names are the buttons' accessible names. */
export const OUTCOMES = {
  success: "Pay success",
  decline: "Decline",
  insufficient_funds: "Insufficient funds",
  bank_authentication: "Bank authentication",
  pending_transfer: "Pay by transfer (pending)",
} as const;
export type Outcome = keyof typeof OUTCOMES;

/** The provider's test cards. */
const CARDS: Record<string, Outcome> = {
  "4084084084084081": "success",
  "5078507850785078": "success",
  "4084080000005408": "decline",
  "4084080000670037": "insufficient_funds",
  "5192602720584796": "bank_authentication",
};

export function outcomeOfCard(number: string): Outcome {
  return CARDS[number.replace(/\D/g, "").slice(0, 16)] ?? "decline";
}

export type Charged =
  | { result: "success" }
  | { result: "declined"; message: string }
  | { result: "authenticate" }
  | { result: "pending" };

/** A transfer arrives after half a minute. */
const TRANSFER_TAKES = 30_000;

export type Charging = (transaction: Transaction, outcome: Outcome) => Promise<Charged>;

export function createCharging({
  ledger,
  webhooks,
  clock,
}: {
  ledger: Ledger;
  webhooks: Webhooks;
  clock: Clock;
}): Charging {
  async function succeed(transaction: Transaction, channel: string): Promise<void> {
    if (transaction.status === "success") return;
    transaction.status = "success";
    transaction.gatewayResponse = "Successful";
    transaction.channel = channel;
    transaction.paidAt = clock.now().toISOString();
    ledger.flush(); // money: written before anybody hears of it
    await webhooks.charged(transaction);
  }

  return async (transaction, outcome) => {
    if (transaction.status === "success") return { result: "success" };
    transaction.attempts.push({ outcome, at: clock.now().toISOString() });
    ledger.touch();
    switch (outcome) {
      case "success":
        await succeed(transaction, "card");
        return { result: "success" };
      case "bank_authentication":
        return { result: "authenticate" };
      case "pending_transfer":
        transaction.status = "ongoing";
        transaction.channel = "bank_transfer";
        transaction.gatewayResponse = "Transfer is on its way";
        clock.after(TRANSFER_TAKES, () => succeed(transaction, "bank_transfer"));
        return { result: "pending" };
      default: {
        const message = outcome === "decline" ? "Declined" : "Insufficient Funds";
        transaction.status = "failed";
        transaction.gatewayResponse = message;
        return { result: "declined", message };
      }
    }
  };
}
