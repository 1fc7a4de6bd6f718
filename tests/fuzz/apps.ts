import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequestHandler } from "react-router";
import { afterAll, beforeAll, vi } from "vitest";
import { openListener } from "#app/infra/database/listener.server.ts";
import { env } from "#app/infra/env.server.ts";
import { createPatientServer } from "#app/infra/http/server/slow-clients.server.ts";
import { requestListener } from "#app/request-listener.server.ts";
import { buildOfApp } from "#tests/support/router-build.ts";
import { officeListener } from "../../office/http/edge.server.ts";

export type AppName = "shop" | "office";
/** Where an app listens, and the origin that its own pages have. */
export type Place = { port: number; origin: string };

/**
 * The shop and the office in this process, behind the same listeners as in production, on the database whose address is given. What is sent from here
 * counts as passed on by a proxy: X-Forwarded-For names the visitor.
 */
export function useApps(databaseUrl: () => string): Record<AppName, () => Place> {
  const places = new Map<AppName, Place>();
  const servers: Server[] = [];
  let closeListener: () => Promise<void>;

  async function open(name: AppName, origin: URL, server: Server): Promise<void> {
    servers.push(server.listen(0, "127.0.0.1"));
    await once(server, "listening");
    places.set(name, { port: (server.address() as AddressInfo).port, origin: origin.origin });
  }

  beforeAll(async () => {
    env.NODE_ENV = "production"; // pages are kept, and errors say nothing
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
