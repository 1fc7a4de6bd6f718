import type { RouteConfigEntry } from "@react-router/dev/routes";
import { type ActionFunctionArgs, RouterContextProvider } from "react-router";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { api } from "#app/api.ts";
import shopRoutes from "#app/routes.ts";
import { useDatabase } from "#tests/support/database.ts";
import { cookieOf } from "#tests/support/session.ts";
import { makeShopper } from "#tests/support/shop.ts";
import { officeRequest, staffWithPasskey } from "#tests/support/staff.ts";
import { change, changes } from "../office/http/changes.server.ts";
import { requireStaff } from "../office/http/staff.server.ts";
import officeRoutes from "../office/routes.ts";

const database = useDatabase();
const KB = 1024;

type Action = (args: ActionFunctionArgs) => Promise<unknown>;
type Posted = [file: string, action: Action];

const filesOf = ({ file, children = [] }: RouteConfigEntry): string[] => [file, ...children.flatMap(filesOf)];

async function actionsOf(folder: string, routes: RouteConfigEntry[]): Promise<Posted[]> {
  const files = [...new Set(routes.flatMap(filesOf))];
  const modules = await Promise.all(files.map(async (file) => [file, await import(`../${folder}/${file}`)] as const));
  return modules.flatMap(([file, { action }]) => (action ? [[file, action]] : []));
}

const shop = await actionsOf("app", shopRoutes);
const office = await actionsOf("office", officeRoutes);

/** The form that ends the session comes last, so that the others are sent with a session. */
const sessionKept = office.toSorted(([a], [b]) => Number(a.includes("sign-out")) - Number(b.includes("sign-out")));

const URL_ENCODED = "application/x-www-form-urlencoded";
const EMPTY_FILE = `--x\r\nContent-Disposition: form-data; name="picture"; filename=""\r\n\r\n\r\n`;
/** More fields than the largest form has, that of a size guide with all its collections. */
const TOO_MANY = 600;
/** Bodies with more fields than any form has, and the number of bytes after which this is certain. */
const BODIES = [
  ["9,000 fields", URL_ENCODED, () => Buffer.from("name=1&".repeat(9000)), TOO_MANY * 7],
  ["9,000 fields that say nothing", URL_ENCODED, () => Buffer.alloc(9000, "&"), TOO_MANY],
  [
    "20,000 empty files",
    "multipart/form-data; boundary=x",
    () => Buffer.from(EMPTY_FILE.repeat(20_000)),
    TOO_MANY * EMPTY_FILE.length,
  ],
  ["JSON of great depth", "application/json", () => Buffer.alloc(60 * KB, "["), 0],
] as const;

type Given = { headers: Headers; isStaff?: boolean };

/** Posts a body piece by piece as long as the action reads. Returns how many bytes were read. */
async function post(action: Action, type: string, whole: Buffer, given: Given) {
  let read = 0;
  const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
    const piece = whole.subarray(read, read + KB);
    read += piece.length;
    if (piece.length === 0) stream.close();
    else stream.enqueue(piece);
  };
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  const headers = new Headers(given.headers);
  headers.set("content-type", type);
  const init = { method: "POST", headers, body, duplex: "half" };
  const args = argsOf(new Request("http://localhost:3000/", init as RequestInit));
  if (given.isStaff) await requireStaff(args, async () => new Response());
  const answer = await action(args).catch((thrown: unknown) => thrown);
  return { read, status: statusOf(answer), answer };
}

function argsOf(request: Request): ActionFunctionArgs {
  const params = { reference: "none", number: "IR-0000-00", id: "none" };
  return { request, context: new RouterContextProvider(), params, url: new URL(request.url), pattern: "" };
}

function statusOf(answer: unknown): number {
  if (answer instanceof Response) return answer.status;
  return (answer as { init?: { status?: number } | null }).init?.status ?? 200;
}

describe.each(BODIES)("1 %s", (_, type, made, enough) => {
  async function expectFewRead([file, action]: Posted, given: Given) {
    const { read, status, answer } = await post(action, type, made(), given);
    expect(read, `${file}: ${status} ${answer}`).toBeLessThanOrEqual(enough + KB);
    if (read > 0) expect(status, file).toBe(413);
    return read;
  }

  test("posted to each of the shop’s forms: what is more than the form has is not read", async () => {
    const headers = new Headers({ cookie: await cookieOf(await makeShopper(database.db())) });
    const read = [];
    for (const one of shop) read.push(await expectFewRead(one, { headers }));
    expect(read.filter((bytes) => bytes > 0).length).toBeGreaterThanOrEqual(enough > 0 ? 10 : 0);
  });

  test("posted to each of the office’s by an owner: neither", async () => {
    const { cookies } = await staffWithPasskey(database.db(), "owner");
    const read = [];
    for (const one of sessionKept)
      read.push(await expectFewRead(one, { headers: officeRequest(cookies).headers, isStaff: true }));
    expect(read.filter((bytes) => bytes > 0).length).toBeGreaterThanOrEqual(enough > 0 ? 20 : 0);
  });
});

/** The routes of what each member may do for themselves, and of visitors who are not signed in. */
const FOR_ANYBODY = ["me", "sign-in", "sign-out", "invitation", "passkey-options"].map((name) => `routes/${name}.`);

test("1 of what a reader posts to the office’s other addresses not a byte is read", async () => {
  const { headers } = officeRequest((await staffWithPasskey(database.db(), "reader")).cookies);
  const guarded = office.filter(([file]) => !FOR_ANYBODY.some((name) => file.startsWith(name)));
  expect(guarded.length).toBeGreaterThanOrEqual(20);
  for (const [file, action] of guarded) {
    const posted = await post(action, URL_ENCODED, Buffer.alloc(100 * KB, "a"), { headers, isStaff: true });
    expect(posted, file).toMatchObject({ read: 0, status: 403 });
  }
});

const TWO = changes({
  look: change({ needs: "look", fields: z.object({}), run: async () => ({ ok: true, what: "Looked" }) }),
  pay: change({
    needs: "money",
    fields: z.object({}),
    size: { fields: 900 },
    run: async () => ({ ok: true, what: "" }),
  }),
});
test.each([
  ["what the role may not do is refused when its name was read", "intent=pay&", 403],
  ["what is not known, too", "intent=nothing&", 400],
  ["what it may do has its own size, not that of the largest", "intent=look&", 413],
])("1 of several forms at one address %s", async (_, begins, status) => {
  const { headers } = officeRequest((await staffWithPasskey(database.db(), "reader")).cookies);
  const whole = Buffer.from(begins + "a=b&".repeat(9000));
  const posted = await post(TWO, URL_ENCODED, whole, { headers, isStaff: true });
  expect(posted).toMatchObject({ read: KB, status });
});

test.each(api.flatMap(({ path, post: answer }) => (answer ? [[path, answer] as const] : [])))(
  "1 JSON of great depth, or of very many values, is no question to %s",
  async (_, answer) => {
    for (const json of ["[".repeat(60 * KB), `{"intent":"price","items":[${"0,".repeat(30_000)}0]}`]) {
      const request = new Request("http://localhost:3000/", { method: "POST", body: json });
      const answered = await answer(request, { reference: "none" });
      expect(answered.status).toBeGreaterThanOrEqual(400);
      expect(answered.status).toBeLessThan(500);
    }
  },
);
