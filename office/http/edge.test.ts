import { once } from "node:events";
import { createServer, type OutgoingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { env } from "#app/infra/env.server.ts";
import { CLIENT_ADDRESS_HEADER } from "#app/infra/http/network.ts";
import { methodsAt, READING } from "#app/infra/http/server/methods.server.ts";
import { log } from "#app/infra/log.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { OFFICE, staffWithPasskey } from "#tests/support/staff.ts";
import { action as signIn } from "../routes/sign-in.tsx";
import { OFFICE_LIMITS, officeListener } from "./edge.server.ts";
import { fieldsOf } from "./form.server.ts";

const database = useDatabase();
const { host } = new URL(OFFICE);
const KB = 1024;

let server: Server;
let pages = 0;
let held = Promise.resolve();
beforeAll(async () => {
  env.TRUSTED_PROXIES = ["127.0.0.1"];
  const page = async (asked: Request) => {
    pages++;
    if (asked.url.endsWith("/held")) await held;
    return new Response(String((await asked.arrayBuffer()).byteLength));
  };
  const methods = methodsAt([["/sign-in", [...READING, "POST"]]]);
  const listener = officeListener({ page, clientFiles: "public", shopFiles: "public", methodsAt: methods });
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close().closeAllConnections());

type Asked = { method?: string; path?: string; headers?: OutgoingHttpHeaders; body?: string };
const FORM = { "content-type": "application/x-www-form-urlencoded", origin: OFFICE };

async function ask({ method = "GET", path = "/", headers = {}, body }: Asked) {
  const { port } = server.address() as AddressInfo;
  const asking = request({ port, method, path, headers: { host, ...headers } });
  asking.on("error", () => undefined); // the response may arrive before the request is sent completely
  const answered = once(asking, "response");
  asking.end(body);
  const [answer] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString() };
}
const post = (body: string, headers: OutgoingHttpHeaders = {}) =>
  ask({ method: "POST", path: "/sign-in", headers: { ...FORM, ...headers }, body });

describe("a request to the office", () => {
  test("from another site, or from another port of the same host, is refused and logged", async () => {
    const warned = vi.spyOn(log, "warn");
    const before = pages;
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "http://localhost:3000", "sec-fetch-site": "same-site" },
      { origin: "null" },
      { origin: "https://evil.example", "content-type": "text/plain" },
    ])
      expect(await post("intent=demo", headers)).toMatchObject({ status: 403 });
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect(await ask({ method, headers: { "sec-fetch-site": "cross-site" } })).toMatchObject({ status: 403 });
    expect(pages).toBe(before);
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ security: "foreign-origin" }), expect.anything());
  });

  test("with another host name is refused", async () => {
    for (const name of ["evil.example", `evil.example:${host.split(":")[1]}`, "localhost:80"])
      expect(await ask({ headers: { host: name } })).toMatchObject({ status: 421 });
  });

  test.each([
    ["unknown-host", { host: "evil.example" }],
    ["foreign-origin", { ...FORM, origin: "https://evil.example" }],
  ])("S60 that is repeated is logged the first and the tenth time only: %s", async (event, headers) => {
    const warned = vi.spyOn(log, "warn");
    for (let i = 0; i < 12; i++) await post("a=b", { ...headers, "x-forwarded-for": "203.0.113.80" });
    expect(warned.mock.calls.map(([line]) => line)).toMatchObject([
      { security: event },
      { security: event, times: 10 },
    ]);
  });

  test("is answered with headers that forbid caching, content sniffing and referrers to other sites", async () => {
    const { status, headers } = await ask({});
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
    });
  });

  test.each(["PUT", "PATCH", "DELETE"])("56 by %s is refused with the methods that the page has", async (method) => {
    const before = pages;
    const { status, headers } = await ask({ method, path: "/sign-in", headers: { "sec-fetch-site": "same-origin" } });
    expect([status, headers.allow, pages]).toEqual([405, "GET, HEAD, OPTIONS, POST", before]);
  });

  test("56 with a whole URL as its target is for the host in that URL", async () => {
    expect(await ask({ path: `http://${host}/held?q=1` })).toMatchObject({ status: 200 });
    expect(await ask({ path: "http://evil.example/" })).toMatchObject({ status: 421 });
  });

  test("55 for a file that the browser has cached is answered with 304 and no body", async () => {
    const { status, headers } = await ask({ path: "/fonts/archivo-latin.woff2" });
    expect(status).toBe(200);
    const again = await ask({ path: "/fonts/archivo-latin.woff2", headers: { "if-none-match": headers.etag } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test("for a file of the installed office needs no sign-in", async () => {
    const { status, text } = await ask({ path: "/office.webmanifest" });
    const { icons, start_url: start } = JSON.parse(text) as { icons: { src: string }[]; start_url: string };
    expect([status, start]).toEqual([200, "/"]);
    for (const path of ["/office-worker.js", "/icon-192.png", ...icons.map(({ src }) => src)])
      expect(await ask({ path }), path).toMatchObject({ status: 200 });
    expect(await ask({ path: "/sw.js" }), "the shop's").toMatchObject({ text: "0" });
  });

  test("with NUL in its URL, which the database cannot hold, is refused", async () => {
    for (const path of ["/customers/%00", "/orders?q=%00"]) expect(await ask({ path })).toMatchObject({ status: 400 });
  });

  test("without a session is refused above 64 KB, and without a length", async () => {
    const before = pages;
    expect(await post("x".repeat(65 * KB))).toMatchObject({ status: 413 });
    expect(await post("x", { "transfer-encoding": "chunked" })).toMatchObject({ status: 413 });
    expect(await post("x".repeat(65 * KB), { cookie: "irepo.office=made-up" })).toMatchObject({ status: 413 });
    expect(pages).toBe(before);
    expect(await post("x".repeat(KB))).toMatchObject({ status: 200, text: String(KB) });
    const { cookies } = await staffWithPasskey(database.db(), "reader");
    const cookie = cookies.map((one) => one.split(";")[0]).join("; ");
    const large = "x".repeat(2048 * KB);
    expect(await post(large, { cookie })).toMatchObject({ status: 200, text: String(large.length) });
  });

  test("3 without a session waits while its network has four others, and a member in that network does not", async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    held = promise;
    const { cookies } = await staffWithPasskey(database.db(), "reader");
    const cookie = cookies.map((one) => one.split(";")[0]).join("; ");
    const before = pages;
    const strangers = Array.from({ length: 10 }, () => ask({ path: "/held" }));
    await expect.poll(() => pages - before).toBe(4);
    expect(await ask({ path: "/", headers: { cookie } })).toMatchObject({ status: 200 });
    expect(pages - before).toBe(5);
    release();
    await Promise.all(strangers);
    expect(pages - before).toBeGreaterThanOrEqual(5);
  });

  test("may take more than two minutes, as a picture from a phone in a bad network does", () => {
    expect(OFFICE_LIMITS.request).toBeGreaterThan(120_000);
  });
});

describe("a form", () => {
  const posted = (body: BodyInit, headers: HeadersInit = {}) => {
    const asked = new Request(`${OFFICE}/sign-in`, { method: "POST", headers, body });
    const args = { request: asked, context: {}, params: {}, url: new URL(asked.url), pattern: "" };
    return signIn(args as unknown as Parameters<typeof signIn>[0]).catch((thrown: unknown) => thrown);
  };

  test("that cannot be parsed is refused with 400", async () => {
    expect(await posted("{", { "content-type": "multipart/form-data" })).toMatchObject({ init: { status: 400 } });
    expect(await posted("{}", { "content-type": "application/json" })).toMatchObject({ init: { status: 400 } });
  });

  test("loses NUL, which the database cannot hold; a wrong sign-in is logged without a name", async () => {
    const warned = vi.spyOn(log, "warn");
    const form = new URLSearchParams({ intent: "password", email: "ada\0@example.com", password: "wrong\0 one" });
    expect(await posted(form)).toMatchObject({ init: { status: 422 }, data: { email: "ada@example.com" } });
    const [line] = warned.mock.calls.at(-1) ?? [];
    expect(line).toMatchObject({ security: "office-login-failed", way: "password" });
    expect(JSON.stringify(line)).not.toContain("ada");
  });

  test("S60 a sign-in is logged with its way and without a name", async () => {
    const informed = vi.spyOn(log, "info");
    const { email, recoveryCodes } = await staffWithPasskey(database.db());
    await posted(new URLSearchParams({ intent: "recovery", email, code: recoveryCodes[0] ?? "" }));
    const [line] = informed.mock.calls.at(-1) ?? [];
    expect(line).toMatchObject({ security: "office-login-done", way: "recovery", account: expect.any(String) });
    expect(JSON.stringify(line)).not.toContain(email);
  });

  test.each([
    ["with the owner's own payment keys", { demoPayments: false }],
    ["of a shop on https", { publicUrl: new URL("https://shop.example") }],
    ["on https", { officeUrl: new URL("https://office.shop.example") }],
  ])("S19 signs nobody in without a proof into an office %s", async (_, settings) => {
    const { demoPayments, publicUrl, officeUrl } = env;
    Object.assign(env, settings);
    const answer = await posted(new URLSearchParams({ intent: "demo" }));
    Object.assign(env, { demoPayments, publicUrl, officeUrl });
    expect(answer).toMatchObject({ init: { status: 404 } });
    expect(
      await database.db().selectFrom("staff").select("id").where("email", "=", "owner@irepo.example").execute(),
    ).toEqual([]);
  });

  test.each([
    ["at the machine itself", { [CLIENT_ADDRESS_HEADER]: "127.0.0.1" }, 302],
    ["from the network, under whatever name", { [CLIENT_ADDRESS_HEADER]: "192.168.1.9" }, 404],
    ["through a proxy", { [CLIENT_ADDRESS_HEADER]: "127.0.0.1", "x-forwarded-for": "192.168.1.9" }, 404],
  ])("7 signs in to the demo with one press %s: %#", async (_, headers, status) => {
    const answer = await posted(new URLSearchParams({ intent: "demo" }), {
      host,
      ...(headers as Record<string, string>),
    });
    expect(answer instanceof Response ? answer.status : (answer as { init: { status: number } }).init.status).toBe(
      status,
    );
  });

  test("with 60,000 names is read within 2 s", () => {
    const form = new FormData();
    for (let name = 0; name < 60_000; name++) form.append(`n${name}`, "x");
    form.append("sizes[]", "M");
    const began = performance.now();
    const { n59999, sizes } = fieldsOf(form);
    expect(performance.now() - began).toBeLessThan(2000);
    expect([n59999, sizes]).toEqual(["x", ["M"]]);
  });
});
