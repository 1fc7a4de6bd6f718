import type { Clock } from "./clock.ts";
import { strikes } from "./faults.ts";
import type { Ledger, Transaction } from "./ledger.ts";
import { type Outcome, TEST_CARDS } from "./outcomes.ts";
import type { Webhooks } from "./webhooks.ts";

export type Charged =
  | { result: "success" | "authenticate" | "pending" | "closed" }
  | { result: "declined"; message: string };

/** A transfer arrives after half a minute. */
const TRANSFER_TAKES = 30_000;

export type Charging = {
  charge(transaction: Transaction, outcome: Outcome, channel?: "card" | "apple_pay"): Promise<Charged>;
  chargeCard(transaction: Transaction, number: string): Promise<Charged>;
};

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
    if (transaction.paidAt) return;
    transaction.status = "success";
    transaction.gatewayResponse = "Successful";
    transaction.channel = channel;
    transaction.paidAt = clock.now().toISOString();
    ledger.save({ transaction }); // before anybody hears of it
    await webhooks.charged(transaction);
  }
  function awaitTransfer(transaction: Transaction): void {
    clock.after(TRANSFER_TAKES, () => succeed(transaction, "bank_transfer"));
  }
  function decline(transaction: Transaction, message: string): Charged {
    transaction.status = "failed";
    transaction.gatewayResponse = message;
    return { result: "declined", message };
  }

  async function charge(transaction: Transaction, wanted: Outcome, channel = "card"): Promise<Charged> {
    if (transaction.paidAt) return { result: "success" };
    const { charge: fault } = transaction.faults;
    const outcome = strikes(fault) ? fault.outcome : wanted;
    transaction.attempts.push({ outcome, at: clock.now().toISOString() });
    const charged = await attempt(transaction, outcome, channel);
    ledger.save({ transaction });
    return charged;
  }
  async function attempt(transaction: Transaction, outcome: Outcome | "abandoned", channel: string): Promise<Charged> {
    switch (outcome) {
      case "success":
        await succeed(transaction, channel);
        return { result: "success" };
      case "decline":
        return decline(transaction, "Declined");
      case "insufficient_funds":
        return decline(transaction, "Insufficient Funds");
      case "bank_authentication":
        return { result: "authenticate" };
      case "pending_transfer":
        transaction.status = "ongoing";
        transaction.channel = "bank_transfer";
        transaction.gatewayResponse = "Transfer is on its way";
        awaitTransfer(transaction);
        return { result: "pending" };
      case "abandoned":
        return { result: "closed" };
    }
  }

  for (const transaction of ledger.transactions.values())
    if (transaction.status === "ongoing") awaitTransfer(transaction);
  return {
    charge,
    async chargeCard(transaction, number) {
      const card = TEST_CARDS.find((one) => one.number === number.replace(/\D/g, ""));
      if (card?.refund) transaction.faults.refund = { ...transaction.faults.refund, result: card.refund };
      return charge(transaction, card?.outcome ?? "decline");
    },
  };
}
