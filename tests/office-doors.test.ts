import { createRequestHandler, type ServerBuild } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { changeRole, removeStaff } from "#app/staff/members.server.ts";
import { type BuiltInRole, builtIn, may, type Permission, ROLES } from "#app/staff/roles.ts";
import { endSessions } from "#app/staff/sessions.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { OFFICE, officeRequest, staffWithPasskey } from "#tests/support/staff.ts";
import routes from "../office/routes.ts";

const database = useDatabase();
const db = () => database.db();
const OWNER = { name: "test", door: "command" } as const;

/** The permissions to read each address that is not open to every role. The other addresses only need a sign-in. */
const NEEDS: Record<string, Permission[]> = {
  "/orders": ["orders"],
  "/orders/:number": ["orders"],
  "/orders/:number/receipt": ["details"],
  "/orders/:number/receipt.pdf": ["details"],
  "/orders/:number/receipt.xml": ["details"],
  "/orders/:number/pictures/:id": ["orders"],
  "/orders/new": ["service"],
  "/orders/stall": ["till"],
  "/orders/pick-list": ["orders"],
  "/orders/slips": ["orders"],
  "/orders/labels": ["orders"],
  "/orders/customs": ["details"],
  "/orders/export.csv": ["export"],
  "/orders/courier": ["export"],
  "/orders/courier.csv": ["export"],
  "/orders/parcels": ["packing"],
  "/orders/parcels/plan": ["packing"],
  "/orders/parcels/:work": ["packing"],
  "/orders/steps": ["packing"],
  "/orders/steps/:work": ["packing"],
  "/delivery": ["products"],
  "/delivery/export.csv": ["products"],
  "/delivery/change": ["delivery"],
  "/delivery/import": ["delivery"],
  "/delivery/ways": ["products"],
  "/delivery/import/plan": ["delivery"],
  "/money": ["money"],
  "/money/payments": ["money"],
  "/money/review/:work?": ["money"],
  "/money/issues": ["money"],
  "/money/receipts": ["money"],
  "/money/takings": ["takings"],
  "/money/takings.csv": ["takings"],
  "/money/refunds.csv": ["takings"],
  "/shop": ["shop"],
  "/shop/name": ["shop"],
  "/shop/addresses": ["shop"],
  "/shop/addresses/address": ["shop"],
  "/shop/addresses/import": ["shop"],
  "/shop/addresses/export.csv": ["shop"],
  "/shop/hero": ["shop"],
  "/shop/hero/products": ["shop"],
  "/shop/sections": ["shop"],
  "/words": ["shop"],
  "/words/:id": ["shop"],
  "/returns": ["details"],
  "/returns/:number": ["details"],
  "/returns/:number/pictures/:id": ["details"],
  "/returns/export.csv": ["export"],
  "/customers": ["customers"],
  "/customers/export.csv": ["customers", "export"],
  "/customers/:id": ["customers"],
  "/customers/:id/export.json": ["customers"],
  "/newsletter": ["newsletter"],
  "/newsletter/export.csv": ["newsletter"],
  "/mails": ["details"],
  "/products": ["products"],
  "/products/:id": ["products"],
  "/products/:id/stock": ["products"],
  "/products/stock": ["products"],
  "/products/export.csv": ["products"],
  "/products/new": ["catalogue"],
  "/products/pictures": ["catalogue"],
  "/products/import": ["catalogue"],
  "/products/import/template.csv": ["catalogue"],
  "/products/import/done/:work": ["catalogue"],
  "/products/import/:work": ["catalogue"],
  "/products/prices": ["discounts"],
  "/products/prices/change": ["catalogue"],
  "/collections": ["products"],
  "/collections/new": ["catalogue"],
  "/collections/:id": ["products"],
  "/kinds": ["products"],
  "/size-guides": ["products"],
  "/size-guides/new": ["catalogue"],
  "/size-guides/:id": ["products"],
  "/feeds": ["products"],
  "/offers": ["discounts"],
  "/offers/export.csv": ["discounts"],
  "/offers/new": ["offers"],
  "/offers/:id": ["discounts"],
  "/offers/:id/edit": ["offers"],
  "/offers/:id/codes.csv": ["offers"],
  "/staff": ["staff"],
  "/audit": ["audit"],
};
/** Addresses that are read by POST, since their input is too long for a URL. */
const POSTED = ["/orders/parcels/plan", "/delivery/import/plan"];
/** Addresses with a POST outside the tables of changes (office-actions.test.ts tests those). */
const POSTS = [...POSTED, "/products/pictures", "/products/import"];
/** Addresses that need no sign-in. */
const OPEN = ["/sign-in", "/invitation", "/passkey-options", "/sign-out"];

type Entry = { file: string; path?: string; index?: boolean; children?: Entry[] };
type Route = NonNullable<ServerBuild["routes"][string]>;
type RouteModule = Route["module"];

/** A build with the office's own routes. Pages are reduced to their status. */
async function officeBuild(): Promise<ServerBuild> {
  const built: Record<string, Route> = {
    root: { id: "root", path: "", module: { default: () => null } as unknown as RouteModule },
  };
  const add = async ({ file, path, index, children = [] }: Entry, parentId: string): Promise<void> => {
    const name = file.replace(/^routes\/|\.tsx?$/g, "");
    const module: RouteModule = file.endsWith(".tsx")
      ? await import(`../office/routes/${name}.tsx`)
      : await import(`../office/routes/${name}.ts`);
    built[file] = { id: file, parentId, path, index, module } as Route;
    for (const child of children) await add(child, file);
  };
  for (const entry of routes as Entry[]) await add(entry, "root");
  return {
    entry: {
      module: { default: (_: Request, status: number, headers: Headers) => new Response(null, { status, headers }) },
    },
    routes: built,
    assets: { entry: { module: "", imports: [] }, routes: {}, url: "", version: "1" },
    basename: "/",
    publicPath: "/",
    assetsBuildDirectory: "",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
  } as unknown as ServerBuild;
}

const pages = (routes as Entry[]).flatMap((entry) => entry.children ?? [entry]);
/** Each address pattern with the id of its route. */
const ids = new Map(pages.map(({ path = "", file }) => [`/${path}`, file]));
const closed = [...ids.keys()].filter((pattern) => !OPEN.includes(pattern));
const addressOf = (pattern: string) =>
  pattern
    .replace(":number", pattern.startsWith("/returns") ? "RT-0000-00" : "IR-0000-00")
    .replace(/:\w+\??/, "3f6c1c0e-0000-4000-8000-000000000000")
    .replace("*", "nowhere");

let office: (request: Request) => Promise<Response>;
beforeAll(async () => {
  office = createRequestHandler(await officeBuild(), "production");
});

type Asked = { method?: string; cookies?: string[]; form?: Record<string, string> };

function ask(address: string, { method = "GET", cookies = [], form }: Asked = {}): Promise<Response> {
  const headers = new Headers(officeRequest(cookies).headers);
  const body = form && new URLSearchParams(form);
  return office(new Request(OFFICE + address, { method, headers, ...(body && { body }) }));
}
/**
 * The address at which a page requests another screen's data. With a pattern, the data of that route only, without the
 * frame's.
 */
function dataOf(address: string, pattern?: string): string {
  const path = `${address === "/" ? "/_" : address}.data`;
  return pattern ? `${path}?${new URLSearchParams({ _routes: ids.get(pattern) ?? "" })}` : path;
}
const rows = async () => (await db().selectFrom("auditLog").select("id").execute()).length;

test("all that is closed to some role is an address of the office", () => {
  expect(Object.keys(NEEDS).filter((pattern) => !closed.includes(pattern))).toEqual([]);
});

describe("a stranger is led to the sign-in, and nothing else happens", () => {
  test.each(closed)("at %s", async (pattern) => {
    const address = addressOf(pattern);
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
      const form = ["GET", "HEAD"].includes(method) ? undefined : { intent: "save" };
      const answer = await ask(address, { method, form });
      expect([method, answer.status, await answer.text()]).toEqual([method, 302, ""]);
      expect(answer.headers.get("location")).toMatch(/^\/sign-in\?next=/);
    }
    for (const asked of [dataOf(address), dataOf(address, pattern)]) {
      const answer = await ask(asked);
      expect(answer.status).toBe(202);
      expect(await answer.text()).toContain("/sign-in?next=");
    }
  });
});

describe.each(ROLES)("%s", (role: BuiltInRole) => {
  let cookies: string[];
  beforeAll(async () => {
    ({ cookies } = await staffWithPasskey(db(), role));
  });
  const isOpen = (pattern: string) => (NEEDS[pattern] ?? []).every((needed) => may(builtIn(role), needed));

  const read = closed.filter((pattern) => !POSTED.includes(pattern));
  test.each(read.filter(isOpen))("may read %s", async (pattern) => {
    const answer = await ask(dataOf(addressOf(pattern), pattern), { cookies });
    expect([200, 202, 404]).toContain(answer.status);
    await answer.body?.cancel();
  });

  test.each(read.filter((pattern) => !isOpen(pattern)))("may not read %s", async (pattern) => {
    const address = addressOf(pattern);
    expect((await ask(address, { cookies })).status).toBe(403);
    expect((await ask(dataOf(address, pattern), { cookies })).status).toBe(403);
  });

  test.each(POSTS)("posts to %s where the role may, and nowhere else", async (pattern) => {
    const before = await rows();
    for (const address of [pattern, dataOf(pattern)]) {
      const answer = await ask(address, {
        method: "POST",
        cookies,
        form: { rows: "id\nx", text: "kind,name,dollars" },
      });
      if (isOpen(pattern)) expect(answer.status).not.toBe(403);
      else expect(answer.status).toBe(403);
    }
    expect(await rows()).toBe(before);
  });
});

describe("from their next request on", () => {
  test("a member with another role may do no more than that role", async () => {
    const { email, cookies } = await staffWithPasskey(db(), "orders");
    expect((await ask("/customers", { cookies })).status).toBe(200);
    await changeRole(db(), OWNER, email, "reader");
    expect((await ask("/customers", { cookies })).status).toBe(403);
  });

  test("a member who was removed, or whose session was ended, is a stranger", async () => {
    const [gone, ended] = [await staffWithPasskey(db(), "orders"), await staffWithPasskey(db(), "orders")];
    await removeStaff(db(), OWNER, gone.email);
    await endSessions(db(), OWNER, ended, "all");
    for (const { cookies } of [gone, ended]) expect((await ask("/customers", { cookies })).status).toBe(302);
  });
});

test("one who may change orders takes nothing off the list that is about another order", async () => {
  const { cookies } = await staffWithPasskey(db(), "orders");
  const reference = "unknown-reference-0001";
  await db().insertInto("paymentIssues").values({ reference, kind: "unknown-reference" }).execute();
  const answer = await ask("/orders/IR-0000-00", {
    method: "POST",
    cookies,
    form: { intent: "resolve", about: reference },
  });
  expect([404, 422]).toContain(answer.status);
  expect(await db().selectFrom("paymentIssues").select("resolvedAt").execute()).toEqual([{ resolvedAt: null }]);
});
