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
/** Where an app listens, and the origin that its own pages have. */
export type Place = { port: number; origin: string };

/** What the router says of what it does not like. */
const OF_ROUTER = /^<Navigate> must not be used|^The URL path ".*" could not be decoded/;

/**
 * The shop and the office in this process, behind the same listeners as in production, on the database whose address is given. What is sent from here
 * counts as passed on by a proxy: X-Forwarded-For names the visitor. Without `keepsPages` a page is made anew each time: what was changed a moment ago is
 * in it.
 */
export function useApps(databaseUrl: () => string, { keepsPages = true } = {}): Record<AppName, () => Place> {
  const places = new Map<AppName, Place>();
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
