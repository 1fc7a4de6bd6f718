import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { endPayment, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { type RunningShop, runShop } from "#tests/support/running-shop.ts";

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })),
});
const body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: span.shape.attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** The spans that a collector receives by OTLP over HTTP. */
const spans: z.infer<typeof span>[] = [];
const services = new Set<unknown>();
const collector = createServer(async (request, response) => {
  const sent = request.url === "/v1/traces" ? body.parse(await json(request)) : { resourceSpans: [] };
  for (const { resource, scopeSpans } of sent.resourceSpans) {
    services.add(resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue);
    spans.push(...scopeSpans.flatMap((scope) => scope.spans));
  }
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
collector.keepAliveTimeout = 0; // as in tests/support/provider.ts

let shop: RunningShop;
beforeAll(async () => {
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  shop = await runShop({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: "irepo-test",
    WEB_CONCURRENCY: "2",
  });
});
afterAll(async () => {
  await shop?.stop();
  collector.closeAllConnections();
  collector.close();
});

test("a purchase is one trace: the page, the database, the provider, the webhook and the mail's job, in all processes", async () => {
  const customer = await newCustomer(shop, "ada@example.com");
  await customer.post("/Cart", { intent: "add", id: "rings-tee", size: "M", quantity: "1" });
  const payPage = (await pressPay(customer)).headers.get("location") ?? "";
  const reference = await endPayment(payPage, "success");
  const purchase = () => {
    const checkout = spans.find(({ name }) => name === "POST /checkout");
    return spans.filter(({ traceId }) => traceId === checkout?.traceId);
  };
  await expect
    .poll(() => purchase().map(({ name }) => name))
    .toEqual(
      expect.arrayContaining([
        "POST /checkout",
        "insert",
        "commit",
        "POST 127.0.0.1",
        "webhook charge.success",
        "settle payment",
        "GET 127.0.0.1",
        "job send-mail",
      ]),
    );
  const orphans = () => {
    const ids = new Set(purchase().map(({ spanId }) => spanId));
    return purchase().filter(({ parentSpanId, name }) => name !== "POST /checkout" && !ids.has(parentSpanId ?? ""));
  };
  await expect.poll(orphans).toEqual([]); // a span is reported when it ends, parents last
  expect(services).toEqual(new Set(["irepo-test"]));
  const told = JSON.stringify(spans);
  for (const personal of ["ada@example.com", "Broad Street", customer.cookies.get("irepo.session") ?? "no cookie"])
    expect(told).not.toContain(personal);
  expect(reference).toBeTruthy();
});
