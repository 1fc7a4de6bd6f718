import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { closePayment, paymentStatus } from "#app/checkout/payment-status.server.ts";
import { startTending } from "#app/checkout/reconcile.server.ts";
import { startPayment } from "#app/checkout/start-payment.server.ts";
import { receiveWebhook } from "#app/checkout/webhook.server.ts";
import { db, openDb } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { openQueue } from "#app/infra/queue.server.ts";
import { lagosForm, toLagos } from "#tests/support/shop.ts";

// One of the shop's processes without its pages: everything that touches money and stock, behind the least of HTTP. It is there to be killed.

const url = env.DATABASE_URL ?? "";
openDb({ url, max: 10, name: "irepo chaos" });
await openQueue(url);
startTending(db());

const asked = new URL("http://shop");

async function answer(request: IncomingMessage): Promise<{ status: number; body?: unknown }> {
  const { pathname, searchParams } = new URL(request.url ?? "", asked);
  const [user = "", reference = ""] = ["user", "reference"].map((name) => searchParams.get(name) ?? "");
  switch (pathname) {
    case "/pay": {
      const buyer = { id: user, emailVerified: true };
      const order = {
        user: buyer,
        form: lagosForm,
        destination: toLagos,
        currency: "NGN" as const,
        agreesToNoHold: true,
      };
      return { status: 200, body: await startPayment(db(), order) };
    }
    case "/return":
      return { status: 200, body: await paymentStatus(db(), user, reference) };
    case "/close":
      return { status: 200, body: await closePayment(db(), user, reference) };
    case "/webhooks/paystack":
      return receiveWebhook(Buffer.from(await text(request)), request.headers["x-paystack-signature"]?.toString());
    default:
      return { status: 404 };
  }
}

createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => response.writeHead(status).end(JSON.stringify(body)),
    () => response.writeHead(503).end(),
  );
}).listen(env.PORT, "127.0.0.1", () => process.stdout.write("open\n"));
process.on("disconnect", () => process.exit(1)); // whoever started it is gone
