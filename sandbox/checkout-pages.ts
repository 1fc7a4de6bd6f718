import { Hono } from "hono";
import { cors } from "hono/cors";
import { type Charging, OUTCOMES, type Outcome, outcomeOfCard } from "./charge.ts";
import type { Ledger, Transaction } from "./ledger.ts";
import { messagePage, popupPage, redirectPage } from "./pages.ts";

/** What shoppers see of the provider, and the calls that its pages and its browser library make. */
export function checkoutPages({
  ledger,
  charge,
  publicKey,
}: {
  ledger: Ledger;
  charge: Charging;
  publicKey: string;
}): Hono {
  const pages = new Hono();
  pages.use("/transaction/*", cors());
  pages.get("/popup", (c) => c.html(popupPage()));

  pages.get("/transaction/verify_access_code/:code", (c) => {
    const transaction = ledger.byAccessCode(c.req.param("code"));
    return transaction
      ? c.json({ status: true, message: "Access code verified", data: forPopup(transaction, publicKey) })
      : c.json({ status: false, message: "Invalid access code" }, 400);
  });
  pages.post("/transaction/set_ip/:id", (c) => c.json({ status: true }));
  pages.post("/transaction/update_log/:id", (c) => c.json({ status: true }));
  pages.post("/applepay/*", (c) => c.json({ status: "failed", message: "There is no wallet in the sandbox" }));

  pages.post("/__popup/pay", async (c) => {
    const {
      access_code = "",
      outcome,
      card,
    } = (await c.req.json()) as { access_code?: string; outcome?: string; card?: string };
    const transaction = ledger.byAccessCode(access_code);
    if (!transaction) return c.json({ result: "declined", message: "Unknown transaction" }, 404);
    return c.json(await charge(transaction, card ? outcomeOfCard(card) : readOutcome(outcome)));
  });

  pages.get("/:code", (c) => {
    const transaction = ledger.byAccessCode(c.req.param("code"));
    if (!transaction) return c.html(messagePage("There is no such payment."), 404);
    return transaction.status === "success"
      ? c.redirect(callback(transaction), 303)
      : c.html(redirectPage(transaction));
  });
  pages.post("/:code", async (c) => {
    const transaction = ledger.byAccessCode(c.req.param("code"));
    if (!transaction) return c.html(messagePage("There is no such payment."), 404);
    const { outcome } = await c.req.parseBody();
    if (outcome === "close") return c.redirect(cancelUrl(transaction) ?? callback(transaction), 303);
    const charged = await charge(transaction, readOutcome(String(outcome)));
    if (charged.result === "declined") return c.html(redirectPage(transaction, { error: charged.message }), 402);
    if (charged.result === "authenticate") return c.html(redirectPage(transaction, { authenticate: true }));
    return c.redirect(callback(transaction), 303);
  });
  return pages;
}

function readOutcome(given: string | undefined): Outcome {
  return given && given in OUTCOMES ? (given as Outcome) : "decline";
}

function callback({ callbackUrl, reference }: Transaction): string {
  const url = new URL(callbackUrl);
  url.searchParams.set("trxref", reference);
  url.searchParams.set("reference", reference);
  return url.href;
}

function cancelUrl({ metadata }: Transaction): string | undefined {
  const { cancel_action: url } = (typeof metadata === "object" && metadata !== null ? metadata : {}) as {
    cancel_action?: string;
  };
  return url;
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
    shown: `${currency === "NGN" ? "₦" : `${currency} `}${(amount / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`,
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
