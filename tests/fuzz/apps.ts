import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequestHandler } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { openListener } from "#app/infra/database/listener.server.ts";
import { env } from "#app/infra/env.server.ts";
import { createPatientServer } from "#app/infra/http/server/slow-clients.server.ts";
import { requestListener } from "#app/request-listener.server.ts";
import { buildOfApp } from "#tests/support/router-build.ts";
import { officeListener } from "../../office/http/edge.server.ts";

export type AppName = "shop" | "office";
/** The port on which an app listens, and the origin of its own pages. */
export type AppAddress = { port: number; origin: string };

/** The router's warnings about odd requests. */
const OF_ROUTER = /^<Navigate> must not be used|^The URL path ".*" could not be decoded/;

/**
 * The shop and the office in this process, behind the same listeners as in production, on the given database. Requests
 * from this machine count as passed on by a proxy, so that X-Forwarded-For names the visitor. Without `keepsPages` each
 * page is rendered anew, with the latest changes.
 */
export function useApps(databaseUrl: () => string, { keepsPages = true } = {}): Record<AppName, () => AppAddress> {
  const places = new Map<AppName, AppAddress>();
  const servers: Server[] = [];
  let closeListener: () => Promise<void>;

  async function open(name: AppName, origin: URL, server: Server): Promise<void> {
    servers.push(server.listen(0, "127.0.0.1"));
    await once(server, "listening");
    places.set(name, { port: (server.address() as AddressInfo).port, origin: origin.origin });
  }

  beforeAll(async () => {
    env.NODE_ENV = keepsPages ? "production" : "test";
    env.TRUSTED_PROXIES = ["127.0.0.1"];
    const shop = await buildOfApp("app");
    vi.doMock("virtual:react-router/server-build", () => shop);
    closeListener = await openListener(databaseUrl());
    await open("shop", env.publicUrl, createPatientServer(await shopListener()));
    const page = createRequestHandler(await buildOfApp("office"), "production");
    const office = officeListener({ page, clientFiles: "public", shopFiles: "public" });
    await open("office", env.officeUrl ?? env.publicUrl, createServer(office));
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await closeListener?.();
  });

  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));
  afterEach(() => {
    const warned = vi.mocked(console.warn);
    expect(warned.mock.calls.filter(([line]) => !OF_ROUTER.test(line))).toEqual([]);
    warned.mockClear();
  });

  const placeOf = (name: AppName) => () => {
    const place = places.get(name);
    if (!place) throw new Error(`The ${name} is not open`);
    return place;
  };
  return { shop: placeOf("shop"), office: placeOf("office") };
}

function shopListener(): Promise<RequestListener> {
  return requestListener({
    clientFiles: "public",
    around: (listener) => listener,
    isOpen: () => true,
    opened: Promise.resolve(),
    isDraining: () => false,
  });
}
