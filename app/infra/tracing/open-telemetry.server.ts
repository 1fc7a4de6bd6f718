import type { RequestListener } from "node:http";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { jobChannel, outboundChannel, statementChannel, stepChannel } from "#app/infra/channels.server.ts";
import type { RouteOf } from "../http/route-pattern.ts";
import { currentSpan, currentTrace, type SpanName } from "./current.server.ts";

let tracer: Tracer | undefined;

/**
 * Exports this process's requests, statements, jobs and requests to other servers to a collector, by OTLP over HTTP.
 * `share` is the share of traces that are kept, 0 to 1. To be called once, before the database is opened. Returns a
 * function that sends the rest and stops.
 */
export function startTracing({ endpoint, share }: { endpoint: string; share: number }): () => Promise<void> {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const named = detectResources({ detectors: [envDetector] }); // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "irepo" }))
      .merge(named),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  tracer = provider.getTracer("irepo");
  listen(tracer);
  return () => provider.shutdown();
}

/**
 * Traces each request that the listener answers, except for files, health checks and streams. A visitor's own trace
 * headers are ignored.
 */
export function traced(listener: RequestListener, routeOf: RouteOf): RequestListener {
  return (request, response) => {
    const { method = "", url = "" } = request;
    const route = routeOf(url);
    if (!tracer || UNTRACED.has(route)) return listener(request, response);
    const attributes = { "http.request.method": method, "http.route": route };
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
    response.once("close", () => {
      span.setAttribute("http.response.status_code", response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    currentSpan.run(nameOf(span), () => listener(request, response));
  };
}

const UNTRACED = new Set(["/assets/*", "/images/*", "/healthz", "/readyz", "/status", "/api/live", "other"]);

function listen(tracer: Tracer): void {
  const spans = new WeakMap<object, Span>();
  const begin = (what: object, kind: SpanKind, name: string, attributes: Attributes, traceparent = currentTrace()) => {
    const span = tracer.startSpan(name, { kind, attributes }, contextOf(traceparent));
    spans.set(what, span);
    return nameOf(span);
  };
  const end = (what: { error?: unknown }) => {
    const span = spans.get(what);
    if (what.error) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  };

  jobChannel.start.bindStore(currentSpan, (run) =>
    begin(run, SpanKind.CONSUMER, `job ${run.name}`, { "messaging.destination.name": run.name }, run.traceparent),
  );
  jobChannel.subscribe({ asyncEnd: end });

  stepChannel.start.bindStore(currentSpan, (step) => begin(step, SpanKind.INTERNAL, step.name, {}, step.traceparent));
  stepChannel.subscribe({ asyncEnd: end });

  outboundChannel.start.bindStore(currentSpan, (asked) => {
    const { method, url } = asked;
    const { hostname } = new URL(url); // the path may hold a visitor's address
    const attributes = { "http.request.method": method, "server.address": hostname };
    const span = begin(asked, SpanKind.CLIENT, `${method} ${hostname}`, attributes);
    asked.headers.traceparent = span.traceparent;
    return span;
  });
  outboundChannel.subscribe({
    asyncEnd(asked) {
      const span = spans.get(asked);
      const { status } = asked;
      if (status !== undefined) span?.setAttribute("http.response.status_code", status);
      if (status === undefined || status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
  });

  statementChannel.subscribe({
    end({ sql, duration, error }) {
      const traceparent = currentTrace();
      if (!traceparent) return; // not part of a request or a job, such as the check for changes
      const endTime = Date.now();
      const [name = ""] = sql.trimStart().split(/\s/, 1);
      const attributes = { "db.system.name": "postgresql", "db.query.text": sql };
      const settings = { kind: SpanKind.CLIENT, attributes, startTime: endTime - duration };
      const span = tracer.startSpan(name, settings, contextOf(traceparent));
      if (error) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endTime);
    },
  });
}

function nameOf(span: Span): SpanName {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceparent: `00-${traceId}-${spanId}-0${traceFlags}` };
}

/** The context of a span's name. The shop itself has written the name, so its format is known. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = traceparent?.split("-") ?? [];
  if (!traceId || !spanId) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags), isRemote: true });
}
