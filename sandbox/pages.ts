import { html, raw } from "hono/html";
import type { Transaction } from "./ledger.ts";
import { OUTCOMES, TEST_CARDS } from "./outcomes.ts";

const STYLE = `
  :root { color-scheme: light; font-family: system-ui, sans-serif; color: #17130e; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #e8edf2; }
  body.popup { background: rgb(10 20 30 / .55); }
  main { width: min(26rem, calc(100vw - 2rem)); background: #fff; border-radius: 8px; padding: 1.5rem; box-sizing: border-box; margin: 1rem 0; }
  .note { background: #fff4d6; padding: .5rem .75rem; border-radius: 4px; font-size: .875rem; margin: 0 0 1rem; }
  h1 { font-size: 1.125rem; margin: 0; } .sum { font-size: 1.75rem; font-weight: 700; margin: .25rem 0 1rem; font-variant-numeric: tabular-nums; }
  form { margin: 0; } button { width: 100%; min-height: 2.75rem; margin-top: .5rem; border: 1px solid #b7c3cf; background: #fff; border-radius: 4px; font: inherit; cursor: pointer; }
  button.main { background: #0b7a4b; border-color: #0b7a4b; color: #fff; font-weight: 600; } button:focus-visible { outline: 3px solid #17130e; outline-offset: 2px; }
  label { display: block; margin-top: .75rem; } input { width: 100%; box-sizing: border-box; min-height: 2.75rem; margin-top: .25rem; padding: 0 .75rem; border: 1px solid #b7c3cf; border-radius: 4px; font: inherit; }
  .error { color: #a8201a; font-weight: 600; } [hidden] { display: none !important; }
`;

export const shownSum = ({ amount, currency }: Pick<Transaction, "amount" | "currency">) =>
  `${currency === "NGN" ? "₦" : `${currency} `}${(amount / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;

function page(title: string, kind: "popup" | "redirect", body: unknown) {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head><body class="${kind}">${body}</body></html>`;
}

const NOTE = html`<p class="note">Payment sandbox: no money moves.</p>`;

const CARD_FIELD = html`<label>Card number<input name="card" inputmode="numeric" autocomplete="off" list="cards" required></label>
  <datalist id="cards">${TEST_CARDS.map(({ number, says }) => html`<option value="${number}" label="${says}"></option>`)}</datalist><button>Pay with this card</button>`;

/** The page of the redirect flow: plain forms, no script. */
export function redirectPage(transaction: Transaction, { error = "", authenticate = false } = {}) {
  const button = (outcome: string, name: string, main = false) => html`
    <form method="post" action="/${transaction.accessCode}"><input type="hidden" name="outcome" value="${outcome}"><button class="${main ? "main" : ""}">${name}</button></form>`;
  return page(
    "Pay",
    "redirect",
    html`<main>${NOTE}<h1>Irepo</h1><p>${transaction.email}</p><p class="sum">${shownSum(transaction)}</p>
      ${error ? html`<p class="error" role="alert">${error}. Please try another card.</p>` : ""}
      ${
        authenticate
          ? html`<p>Your bank asks: is this you?</p>${button("success", "Authenticate", true)}${button("decline", "Cancel authentication")}`
          : Object.entries(OUTCOMES).map(([outcome, name]) => button(outcome, name, outcome === "success"))
      }
      ${button("close", "Close")}
      ${authenticate ? "" : html`<form method="post" action="/${transaction.accessCode}">${CARD_FIELD}</form>`}</main>`,
  );
}

/** Asked without a transaction, or with one that has ended. */
export function messagePage(text: string) {
  return page("Payment sandbox", "redirect", html`<main>${NOTE}<p>${text}</p></main>`);
}

/** The OpenID provider's sign-in. */
export function signInPage({ name = "", email = "" } = {}) {
  return page(
    "Demo sign-in",
    "redirect",
    html`<main><p class="note">Demo sign-in: any name and address will do.</p><h1>Sign in to Irepo</h1>
      ${email ? html`<p class="error" role="alert">Please type an email address.</p>` : ""}
      <form method="post"><label>Name<input name="name" value="${name}" autocomplete="name"></label>
        <label>Email<input name="email" type="email" value="${email}" autocomplete="email" required></label>
        <button class="main">Continue</button><button name="cancel" formnovalidate>Cancel</button></form></main>`,
  );
}

/** The page in the provider's iframe; it speaks the library's messages (the names below are the library's). */
export function popupPage() {
  const buttons = Object.entries(OUTCOMES).map(
    ([outcome, name]) =>
      html`<button data-outcome="${outcome}" class="${outcome === "success" ? "main" : ""}">${name}</button>`,
  );
  return page(
    "Pay",
    "popup",
    html`<main>${NOTE}<h1>Irepo</h1><p id="email"></p><p class="sum" id="sum"></p><p class="error" role="alert" id="error"></p>
      <div id="choose" hidden>${buttons}</div>
      <div id="bank" hidden><p>Your bank asks: is this you?</p><button class="main" data-outcome="success">Authenticate</button><button data-outcome="decline">Cancel authentication</button></div>
      <button id="close">Close</button><form id="card" hidden>${CARD_FIELD}</form></main>
      <script>${raw(`(${popupScript.toString()})()`)}</script>`,
  );
}

/** Runs in the browser, as text: it must not use anything from outside itself. */
function popupScript(): void {
  type PopupTransaction = {
    id: number;
    access_code: string;
    email: string;
    shown: string;
    reference: string;
    faults?: { afterPay?: string; neverLoads?: boolean; setupError?: boolean };
  };
  const at = (id: string) => document.getElementById(id) as HTMLElement;
  const send = (event: string, data?: unknown) => parent.postMessage({ event, data }, "*");
  let current: PopupTransaction | undefined;
  let asked = "";

  async function begin(accessCode: string): Promise<void> {
    if (accessCode === asked && current) return;
    asked = accessCode;
    const response = await fetch(`/transaction/verify_access_code/${encodeURIComponent(accessCode)}`);
    const answer = (await response.json()) as { status: boolean; data: PopupTransaction };
    if (asked !== accessCode) return;
    if (answer.data?.faults?.neverLoads) return;
    if (!answer.status || answer.data.faults?.setupError)
      return send("error", { type: "setup", message: "Invalid access code" });
    current = answer.data;
    at("email").textContent = current.email;
    at("sum").textContent = current.shown;
    show();
    send("loaded:transaction", { id: current.id, customer: { email: current.email }, accessCode });
  }
  function show(error = "", bank = false): void {
    at("error").textContent = error;
    at("choose").hidden = bank;
    at("bank").hidden = !bank;
    at("card").hidden = bank;
  }
  async function pay(how: { outcome?: string; card?: string }): Promise<void> {
    if (!current) return;
    const { access_code, id, reference, faults } = current;
    const response = await fetch("/__popup/pay", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ access_code, ...how }),
    });
    const { result, message } = (await response.json()) as { result: string; message?: string };
    if (result === "declined") return show(`${message}. Please try another card.`);
    if (result === "authenticate") return show("", true);
    if (result === "pending") return end("transfer:pending", { status: "pending" });
    if (result === "closed" || faults?.afterPay === "close") return end("close", { status: "abandoned" });
    const reported = faults?.afterPay === "other-reference" ? "another-shoppers-reference" : reference;
    end("success", {
      reference: reported,
      status: "success",
      message: "Approved",
      trans: String(id),
      transaction: String(id),
      trxref: reported,
      redirecturl: "",
    });
  }
  function end(event: string, data: unknown): void {
    current = undefined;
    asked = "";
    // The frame stays: opened again, it asks first what is paid.
    for (const part of ["choose", "bank", "card"]) at(part).hidden = true;
    send(event, data);
  }
  for (const button of document.querySelectorAll<HTMLElement>("[data-outcome]"))
    button.onclick = () => pay({ outcome: button.dataset.outcome });
  (at("card") as HTMLFormElement).onsubmit = (event) => {
    event.preventDefault();
    void pay({ card: String(new FormData(event.target as HTMLFormElement).get("card")) });
  };
  at("close").onclick = () => end("close", { status: "abandoned" });
  addEventListener("message", ({ data }: MessageEvent) => {
    if (data?.type === "inline:url" && data.path === "newTransaction" && data.params?.accessCode)
      void begin(data.params.accessCode);
  });
  send("loaded:checkout");
}
