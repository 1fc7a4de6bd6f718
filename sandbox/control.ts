import { Hono } from "hono";
import { type Charging, OUTCOMES, type Outcome } from "./charge.ts";
import type { Clock } from "./clock.ts";
import { type Faults, SCENARIOS } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import type { Webhooks } from "./webhooks.ts";

type Parts = {
  ledger: Ledger;
  webhooks: Webhooks;
  clock: Clock;
  charge: Charging;
  setNextFaults(faults: Faults): void;
};

/** The tests' hand on the sandbox. */
export function controlApi({ ledger, webhooks, clock, charge, setNextFaults }: Parts): Hono {
  const control = new Hono();
  control.post("/scenario", async (c) => {
    const { name, reference, faults } = (await c.req.json()) as { name?: string; reference?: string; faults?: Faults };
    const wanted = structuredClone(faults ?? SCENARIOS[name ?? ""]);
    if (!wanted) return c.json({ error: `Unknown scenario. There are: ${Object.keys(SCENARIOS).join(", ")}` }, 400);
    const transaction = reference ? ledger.transactions.get(reference) : undefined;
    if (reference && !transaction) return c.json({ error: "Unknown reference" }, 404);
    if (transaction) transaction.faults = wanted;
    else setNextFaults(wanted);
    return c.json({ ok: true });
  });
  control.post("/reset", (c) => {
    ledger.clear();
    webhooks.deliveries.length = 0;
    setNextFaults({});
    return c.json({ ok: true });
  });
  control.get("/transactions", (c) =>
    c.json(
      [...ledger.transactions.values()].map((transaction) => ({
        ...transaction,
        refundedKobo: ledger.refunds
          .filter(({ transaction: id, status }) => id === transaction.id && status === "processed")
          .reduce((sum, { amount }) => sum + amount, 0),
      })),
    ),
  );
  control.get("/deliveries", (c) => c.json(webhooks.deliveries));
  /** Pays as the buttons do, without a browser. */
  control.post("/pay", async (c) => {
    const { reference = "", outcome = "success" } = (await c.req.json()) as { reference?: string; outcome?: string };
    const transaction = ledger.transactions.get(reference);
    if (!transaction || !(outcome in OUTCOMES)) return c.json({ error: "Unknown reference or outcome" }, 404);
    return c.json(await charge(transaction, outcome as Outcome));
  });
  control.post("/deliver", async (c) => {
    const {
      reference = "",
      event = "charge.success",
      times = 1,
      badSignature,
    } = (await c.req.json()) as { reference?: string; event?: string; times?: number; badSignature?: boolean };
    const transaction = ledger.transactions.get(reference);
    if (!transaction) return c.json({ error: "Unknown reference" }, 404);
    const statuses: (number | null)[] = [];
    for (let i = 0; i < Math.min(times, 1000); i++)
      statuses.push(await webhooks.deliver(transaction, event, { badSignature }));
    return c.json({ statuses });
  });
  control.post("/advance", async (c) => {
    const { seconds = 0 } = (await c.req.json()) as { seconds?: number };
    await clock.advance(seconds * 1000);
    return c.json({ now: clock.now().toISOString() });
  });
  return control;
}
