import { type Context, Hono } from "hono";
import type { Charging } from "./charge.ts";
import type { Clock } from "./clock.ts";
import { type Faults, SCENARIOS, scenario } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import { isOutcome } from "./outcomes.ts";
import type { Refunds } from "./refunds.ts";
import { AT_FIRST, type Switches } from "./switches.ts";
import type { Changes, Webhooks } from "./webhooks.ts";

type Parts = {
  ledger: Ledger;
  webhooks: Webhooks;
  clock: Clock;
  switches: Switches;
  charging: Charging;
  refunds: Refunds;
  setNextFaults(faults: Faults): void;
};

/** The API with which tests control the sandbox. */
export function controlApi({ ledger, webhooks, clock, switches, charging, refunds, setNextFaults }: Parts): Hono {
  const control = new Hono();
  control.post("/scenario", async (c) => {
    const { name, reference, faults } = await read<{ name?: string; reference?: string; faults?: Faults }>(c);
    const wanted = faults ?? scenario(name ?? "");
    if (!wanted) return c.json({ error: `Unknown scenario. There are: ${Object.keys(SCENARIOS).join(", ")}` }, 400);
    if (!reference) setNextFaults(wanted);
    else {
      const transaction = ledger.transactions.get(reference);
      if (!transaction) return unknownReference(c);
      transaction.faults = wanted;
      ledger.save({ transaction });
    }
    return c.json({ ok: true });
  });
  control.post("/switch", async (c) => c.json(Object.assign(switches, await read<Partial<Switches>>(c))));
  control.post("/reset", (c) => {
    clock.clear();
    ledger.clear();
    webhooks.deliveries.length = 0;
    Object.assign(switches, AT_FIRST);
    setNextFaults({});
    return c.json({ ok: true });
  });
  control.get("/transactions", (c) =>
    c.json(
      [...ledger.transactions.values()].map((transaction) => ({
        ...transaction,
        refundedKobo: ledger.refundedOf(transaction),
      })),
    ),
  );
  control.get("/deliveries", (c) => c.json(webhooks.deliveries));
  /** Pays as the buttons do, or with a card, without a browser. */
  control.post("/pay", async (c) => {
    const {
      reference = "",
      outcome = "success",
      card,
    } = await read<{ reference?: string; outcome?: string; card?: string }>(c);
    const transaction = ledger.transactions.get(reference);
    if (!transaction) return unknownReference(c);
    if (card !== undefined) return c.json(await charging.chargeCard(transaction, card));
    if (!isOutcome(outcome)) return c.json({ error: "Unknown outcome" }, 404);
    return c.json(await charging.charge(transaction, outcome));
  });
  /** Gives money back as somebody at the dashboard does: all that is left, or `amount` in the minor unit. */
  control.post("/refund", async (c) => {
    const { reference = "", amount } = await read<{ reference?: string; amount?: number }>(c);
    const transaction = ledger.transactions.get(reference);
    if (!transaction) return unknownReference(c);
    const refund = refunds.ask(transaction, amount);
    return typeof refund === "string" ? c.json({ error: refund }, 400) : c.json(refund);
  });
  control.post("/deliver", async (c) => {
    const wanted = await read<{ reference?: string; event?: string; times?: number; delayMs?: number } & Changes>(c);
    const { reference = "", event = "charge.success", times = 1, delayMs, ...changes } = wanted;
    const transaction = ledger.transactions.get(reference);
    if (!transaction) return unknownReference(c);
    const statuses: (number | null)[] = [];
    const send = async () => {
      for (let i = 0; i < Math.min(times, 1000); i++)
        statuses.push(await webhooks.deliver(transaction, event, changes));
    };
    if (delayMs === undefined) await send();
    else clock.after(delayMs, send);
    return c.json({ statuses });
  });
  control.post("/advance", async (c) => {
    const { seconds = 0 } = await read<{ seconds?: number }>(c);
    await clock.advance(seconds * 1000);
    return c.json({ now: clock.now().toISOString() });
  });
  return control;
}

const read = <T>(c: Context): Promise<T> => c.req.json();
const unknownReference = (c: Context) => c.json({ error: "Unknown reference" }, 404);
