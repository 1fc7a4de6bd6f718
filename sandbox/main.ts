import { fstatSync } from "node:fs";
import type { Server } from "node:http";
import { type HttpBindings, serve } from "@hono/node-server";
import { Hono } from "hono";
import { createCharging } from "./charge.ts";
import { checkoutPages } from "./checkout-pages.ts";
import { type Clock, createClock } from "./clock.ts";
import { controlApi } from "./control.ts";
import type { Faults } from "./faults.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { merchantApi } from "./merchant-api.ts";
import type { OpenIdClient } from "./open-id.ts";
import { createRefunds } from "./refunds.ts";
import { AT_FIRST } from "./switches.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

export type SandboxOptions = {
  port?: number;
  secretKey?: string;
  publicKey?: string;
  webhookUrl?: string;
  webhookDelayMs?: number;
  stateFile?: string;
  /** Who may ask the OpenID provider; without it there is none. */
  openIdClient?: OpenIdClient;
};
export type Sandbox = {
  url: string;
  port: number;
  ledger: Ledger;
  webhooks: Webhooks;
  clock: Clock;
  close(): Promise<void>;
};

const SECRET_KEY = "sk_test_sandbox0000000000000000000000000000";
const PUBLIC_KEY = "pk_test_sandbox0000000000000000000000000000";

/** Starts the payment provider's stand-in on the loopback address; port 0 takes a free one. */
export async function startSandbox({
  port = 0,
  secretKey = SECRET_KEY,
  publicKey = PUBLIC_KEY,
  webhookUrl,
  webhookDelayMs = 300,
  stateFile,
  openIdClient,
}: SandboxOptions = {}): Promise<Sandbox> {
  if (/_live_/.test(secretKey + publicKey)) throw new Error("The sandbox takes no live keys");
  const clock = createClock();
  const ledger = createLedger(clock, stateFile);
  const switches = { ...AT_FIRST };
  const presentKey = () => switches.secretKey ?? secretKey;
  const webhooks = createWebhooks({ url: webhookUrl, secretKey: presentKey, delayMs: webhookDelayMs, clock });
  const charging = createCharging({ ledger, webhooks, clock });
  const refunds = createRefunds({ ledger, webhooks, clock });
  let nextFaults: Faults = {};
  const takeFaults = () => {
    const taken = nextFaults;
    // A fault of initialise lasts over the shop's tries; all others belong to one transaction.
    nextFaults = taken.initialise && taken.initialise.times > 1 ? taken : {};
    return taken;
  };
  let url = "";
  const app = new Hono<{ Bindings: HttpBindings }>();
  const setNextFaults = (faults: Faults) => {
    nextFaults = faults;
  };
  app.route("/__sandbox", controlApi({ ledger, webhooks, clock, switches, charging, refunds, setNextFaults }));
  const pages = checkoutPages({ ledger, charging, publicKey, takeFaults });
  const api = merchantApi({
    ledger,
    refunds,
    clock,
    switches,
    secretKey: presentKey,
    checkoutUrl: () => url,
    takeFaults,
  });
  // The browser's calls carry no key, the merchant's do.
  for (const path of [
    "/popup",
    "/checkout/*",
    "/transaction/verify_access_code/*",
    "/transaction/set_ip/*",
    "/transaction/update_log/*",
    "/applepay/*",
    "/__popup/*",
  ]) {
    app.all(path, (c) => pages.fetch(c.req.raw, c.env));
  }
  for (const path of ["/transaction", "/transaction/*", "/refund", "/refund/*", "/integration/*"])
    app.all(path, (c) => api.fetch(c.req.raw, c.env));
  let openId: Hono<{ Bindings: HttpBindings }> | undefined;
  if (openIdClient)
    app.all("/oidc/*", async (c) => {
      // Loaded on first use: most visitors only pay.
      openId ??= await unwarned(async () => (await import("./open-id.ts")).openIdProvider(url, openIdClient, switches));
      return openId.fetch(c.req.raw, c.env);
    });
  app.all("/:code", (c) => pages.fetch(c.req.raw, c.env));

  const server = await new Promise<Server>((resolve, reject) => {
    const listening = serve({ fetch: app.fetch, port, hostname: "127.0.0.1", overrideGlobalObjects: false }, () =>
      resolve(listening as Server),
    );
    listening.once("error", reject);
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  url = `http://127.0.0.1:${bound}`;
  return {
    url,
    port: bound,
    ledger,
    webhooks,
    clock,
    close: () =>
      new Promise((resolve) => {
        clock.clear();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** oidc-provider warns that without a store it is for development only, as this sandbox is. */
async function unwarned<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await load();
  } finally {
    console.warn = warn;
  }
}

if (import.meta.main) {
  const { SANDBOX_PORT, PAYSTACK_SECRET_KEY, PAYSTACK_PUBLIC_KEY, WEBHOOK_URL, WEBHOOK_DELAY_MS, SANDBOX_STATE_FILE } =
    process.env;
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_REDIRECT_URIS } = process.env;
  const sandbox = await startSandbox({
    port: Number(SANDBOX_PORT ?? 3001),
    secretKey: PAYSTACK_SECRET_KEY || undefined,
    publicKey: PAYSTACK_PUBLIC_KEY || undefined,
    webhookUrl: WEBHOOK_URL,
    webhookDelayMs: WEBHOOK_DELAY_MS ? Number(WEBHOOK_DELAY_MS) : undefined,
    stateFile: SANDBOX_STATE_FILE,
    openIdClient:
      GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET && GOOGLE_REDIRECT_URIS
        ? { id: GOOGLE_CLIENT_ID, secret: GOOGLE_CLIENT_SECRET, redirectUris: GOOGLE_REDIRECT_URIS.split(",") }
        : undefined,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    process.stderr.write(`SANDBOX_PORT: port ${SANDBOX_PORT ?? 3001} is in use: name another one\n`);
    process.exit(1);
  });
  process.stdout.write(`${JSON.stringify({ ready: true, port: sandbox.port })}\n`);
  const end = () => sandbox.close().then(() => process.exit(0));
  // Started by the shop over a pipe, it ends with the shop, in whatever way, and leaves Ctrl-C to it.
  const input = fstatSync(0);
  const isShops = input.isFIFO() || input.isSocket();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => (isShops ? undefined : end()));
  if (isShops) process.stdin.resume().on("end", end);
}
