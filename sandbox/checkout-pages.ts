import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { z } from "zod";
import type { Charged, Charging } from "./charge.ts";
import type { Faults } from "./faults.ts";
import { hangUp } from "./hang-up.ts";
import type { Ledger, Transaction } from "./ledger.ts";
import { openTransaction, whatIsWrong } from "./open-transaction.ts";
import { isOutcome, type Outcome } from "./outcomes.ts";
import { messagePage, popupPage, redirectPage, shownSum } from "./pages.ts";

const anything = z.record(z.string(), z.unknown());
const texts = z.record(z.string(), z.string()).catch({});
const withCancelUrl = z.object({ cancel_action: z.string().optional() }).catch({});

type Parts = { ledger: Ledger; charging: Charging; publicKey: string; takeFaults(): Faults };

/** What shoppers see of the provider, and the calls that its pages and its browser library make. */
export function checkoutPages({ ledger, charging, publicKey, takeFaults }: Parts): Hono {
  const pages = new Hono();
  pages.use("/transaction/*", cors());
  pages.use("/checkout/*", cors());
  pages.use("/applepay/*", cors());
  pages.get("/popup", (c) => c.html(popupPage()));

  pages.post("/checkout/request_inline", async (c) => {
    const { ref: reference, key, ...body } = anything.parse(await c.req.json().catch(() => ({})));
    if (key !== publicKey) return c.json({ status: false, message: "Invalid key" }, 401);
    const bad = whatIsWrong({ ...body, reference }, ledger);
    if (bad) return c.json({ status: false, message: bad.message }, 400);
    const transaction = openTransaction({ ...body, reference }, ledger, takeFaults());
    return c.json({ status: true, message: "Transaction opened", data: forPopup(transaction, publicKey) });
  });
  pages.get("/transaction/verify_access_code/:code", (c) => {
    const transaction = ledger.byAccessCode(c.req.param("code"));
    return transaction
      ? c.json({ status: true, message: "Access code verified", data: forPopup(transaction, publicKey) })
      : c.json({ status: false, message: "Invalid access code" }, 400);
  });
  pages.post("/transaction/set_ip/:id", (c) => c.json({ status: true }));
  pages.post("/transaction/update_log/:id", (c) => c.json({ status: true }));
  pages.post("/applepay/validate-session/", async (c) => {
    const { transaction, said } = await readWallet(c);
    const { sessionUrl, displayName, domainName } = said;
    if (!transaction || transaction.faults.wallet?.notAllowed || !sessionUrl || !domainName)
      return c.json({ status: "failed", message: "The wallet is not allowed here" });
    const data = { merchantSessionIdentifier: `session-${transaction.id}`, displayName, domainName };
    return c.json({ status: "success", message: "Session validated", data });
  });
  pages.post("/applepay/charge", async (c) => {
    const { transaction, said } = await readWallet(c);
    if (!transaction || !said.paymentObject)
      return c.json({ status: "failed", message: "The wallet is not allowed here" });
    const charged = await charging.charge(transaction, "success", "apple_pay");
    if (transaction.faults.wallet?.replyLost) return hangUp(c);
    const { id: trans, reference } = transaction;
    return charged.result === "success"
      ? c.json({ status: "success", message: "Approved", reference, trans: String(trans) })
      : c.json({ status: "failed", message: charged.result === "declined" ? charged.message : "Not charged" });
  });

  /** A wallet's call, with its transaction where that may be paid so. */
  async function readWallet(c: Context): Promise<{ transaction?: Transaction; said: Record<string, string> }> {
    const said = texts.parse(await c.req.parseBody());
    const transaction = ledger.byId(Number(said.transaction));
    return { transaction: transaction?.channels.includes("apple_pay") ? transaction : undefined, said };
  }

  const pay = (transaction: Transaction, { outcome, card }: { outcome?: string; card?: string }): Promise<Charged> =>
    card === undefined ? charging.charge(transaction, readOutcome(outcome)) : charging.chargeCard(transaction, card);

  pages.post("/__popup/pay", async (c) => {
    const { access_code = "", ...how } = texts.parse(await c.req.json());
    const transaction = ledger.byAccessCode(access_code);
    if (!transaction) return c.json({ result: "declined", message: "Unknown transaction" }, 404);
    return c.json(await pay(transaction, how));
  });

  pages.get("/:code", (c) => {
    const transaction = ledger.byAccessCode(c.req.param("code"));
    if (!transaction) return c.html(messagePage("There’s no such payment."), 404);
    return transaction.paidAt ? c.redirect(callback(transaction), 303) : c.html(redirectPage(transaction));
  });
  pages.post("/:code", async (c) => {
    const transaction = ledger.byAccessCode(c.req.param("code"));
    if (!transaction) return c.html(messagePage("There’s no such payment."), 404);
    const how = texts.parse(await c.req.parseBody());
    const charged: Charged = how.outcome === "close" ? { result: "closed" } : await pay(transaction, how);
    if (charged.result === "closed") return c.redirect(cancelUrl(transaction) ?? callback(transaction), 303);
    if (charged.result === "declined") return c.html(redirectPage(transaction, { error: charged.message }), 402);
    if (charged.result === "authenticate") return c.html(redirectPage(transaction, { authenticate: true }));
    return c.redirect(callback(transaction), 303);
  });
  return pages;
}

function readOutcome(given = ""): Outcome {
  return isOutcome(given) ? given : "decline";
}

function callback({ callbackUrl, reference }: Transaction): string {
  const url = new URL(callbackUrl);
  url.searchParams.set("trxref", reference);
  url.searchParams.set("reference", reference);
  return url.href;
}

function cancelUrl({ metadata }: Transaction): string | undefined {
  return withCancelUrl.parse(metadata).cancel_action;
}

function forPopup(transaction: Transaction, publicKey: string) {
  const { id, accessCode, reference, email, amount, currency, channels, status, faults } = transaction;
  return {
    id,
    access_code: accessCode,
    transaction_status: status,
    reference,
    email,
    amount,
    currency,
    channels,
    shown: shownSum(transaction),
    merchant_name: "Irepo",
    merchant_key: publicKey,
    merchant_id: 1,
    merchant_logo: null,
    label: null,
    plan_details: null,
    log: null,
    link_config: { enabled: false },
    faults: faults.popup,
  };
}
