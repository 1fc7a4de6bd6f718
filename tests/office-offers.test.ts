vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { matchRoutes } from "react-router";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { recordIssue } from "#app/orders/issues.server.ts";
import { may, type Permission, ROLES, type Role } from "#app/staff/roles.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { type OfficePage, useOfficePages } from "#tests/support/office-pages.ts";
import { routesOf } from "#tests/support/router-build.ts";
import { newWorld, type World } from "./fuzz/world.ts";

const checkout = useCheckout();
const { db } = checkout;
const pageAt = useOfficePages();

type Action = { changes?: Record<string, { needs: Permission }> };
type Screen = { id: string; path: string; isPage: boolean; action?: Action };
let screens: Screen[];
let world: World;

/** Posts that are no table of changes, and what they need. */
const OTHER_POSTS: Record<string, Permission> = { "/products/import": "catalogue", "/sign-out": "look" };

beforeAll(async () => {
  const routes = (await routesOf("office")).filter(({ id }) => id !== "root" && id !== "routes/layout");
  screens = routes.map(({ id, path = "", module: { default: page, action } }) => ({
    id,
    path: `/${path}`,
    isPage: Boolean(page),
    action: action as Action | undefined,
  }));
  world = await newWorld(checkout);
  await recordIssue(db(), world.names.sold, "dispute");
  await recordIssue(db(), world.names.sold, "refund-failed");
});

/** A screen of each kind, with something on it. */
function addressesOf({ path }: Screen): string[] {
  const { number, soldNumber, return: returned, customer, product } = world.names;
  const names = path.startsWith("/orders")
    ? [number, soldNumber]
    : path.startsWith("/returns")
      ? [returned]
      : [product];
  const found = names.map((name) =>
    path
      .replace(":number", name)
      .replace("/:work?", "")
      .replace(":id", path.startsWith("/customers") ? customer : name),
  );
  return found.filter((one) => !one.includes(":") && !one.includes("*"));
}

/** What a role is shown on each screen, and on whatever that leads to, by its address. */
async function shownTo(role: Role): Promise<Map<string, OfficePage>> {
  const cookies = [world.cookies[role] ?? ""];
  const pages = new Map<string, OfficePage>();
  const begin = screens.filter(({ isPage, path }) => isPage && !/^\/(sign-in|invitation)/.test(path));
  for (const address of begin.flatMap(addressesOf)) {
    const page = await pageAt(address, cookies);
    if (page.status !== 403) pages.set(address, page);
  }
  for (const address of [...pages.keys()])
    for (const link of pages.get(address)?.links ?? []) {
      const to = resolved(link, address);
      if (to && !pages.has(to)) pages.set(to, await pageAt(to, cookies));
    }
  return pages;
}

/** Undefined for what is not the office's: another site's, a mail's, a phone's. */
function resolved(link: string, from: string): string | undefined {
  const { protocol, host, pathname, search } = new URL(link, `http://office${from}`);
  return protocol === "http:" && host === "office" ? pathname + search : undefined;
}

function screenAt(address: string): Screen | undefined {
  const routes = screens.map(({ id, path }) => ({ id, path }));
  const [match] = matchRoutes(routes, new URL(address, "http://office").pathname) ?? [];
  return screens.find(({ id }) => id === match?.route.id);
}

/** What a form's buttons need. */
function needsOf(address: string, intents: string[]): (Permission | undefined)[] {
  const other = OTHER_POSTS[new URL(address, "http://office").pathname];
  if (other) return [other];
  return intents.map((intent) => screenAt(address)?.action?.changes?.[intent]?.needs);
}

describe.each(ROLES)("%s", (role) => {
  let shown: Map<string, OfficePage>;
  beforeAll(async () => {
    shown = await shownTo(role);
  });

  test("is shown no link to what the role may not open", async () => {
    expect(shown.size).toBeGreaterThan(30);
    const wrong = [...shown].filter(([, { status }]) => status !== 200 && status !== 302);
    expect(wrong.map(([address, { status }]) => `${address}: ${status}`)).toEqual([]);
  });

  test("is shown no form that the role may not send", () => {
    const wrong = [...shown].flatMap(([address, { forms }]) =>
      forms.flatMap(({ method, action, intents, hasButton }) => {
        const to = method === "post" && hasButton ? resolved(action, address) : undefined;
        if (!to) return [];
        const needs = needsOf(to, intents);
        const isAllowed = needs.length > 0 && needs.every((need) => need && may(role, need));
        return isAllowed ? [] : [`${address}: ${to} ${intents}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
