import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { db, openDb } from "#app/infra/database/db.server.ts";
import { openQueue } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { startReconciling } from "#app/payments/reconcile.server.ts";
import { startPayment } from "#app/payments/start.server.ts";
import { closePayment, paymentStatus } from "#app/payments/status.server.ts";
import { receiveWebhook } from "#app/payments/webhook.server.ts";
import { lagosForm, toLagos } from "#tests/support/shop.ts";

// A process of the shop without its pages: everything that touches money and stock, behind a minimum of HTTP. It exists
// to be killed.

const url = env.DATABASE_URL ?? "";
openDb({ url, max: 10, name: "irepo chaos" });
await openQueue(url);
startReconciling(db());

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
      return receiveWebhook(
        "paystack",
        Buffer.from(await text(request)),
        request.headers["x-paystack-signature"]?.toString(),
      );
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
process.on("disconnect", () => process.exit(1)); // the parent process has ended
