import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ActionFunctionArgs, RouterContextProvider } from "react-router";
import sharp from "sharp";
import { expect, test } from "vitest";
import { env } from "#app/infra/env.server.ts";
import type { BuiltInRole } from "#app/staff/roles.ts";
import { useDatabase } from "#tests/support/database.ts";
import { OFFICE, officeRequest, staffWithPasskey } from "#tests/support/staff.ts";
import { requireStaff } from "../http/staff.server.ts";
import { action, loader } from "../routes/products-pictures.ts";

const database = useDatabase();
env.pictures = { folder: mkdtempSync(path.join(tmpdir(), "irepo-pictures-")) };

/** A signed-in member's request to /products/pictures. */
async function asked(role: BuiltInRole, init: RequestInit = {}, query = ""): Promise<ActionFunctionArgs> {
  const { cookies } = await staffWithPasskey(database.db(), role);
  const { headers } = officeRequest(cookies);
  headers.delete("content-type");
  const request = new Request(`${OFFICE}/products/pictures${query}`, { ...init, headers });
  const args = { request, context: new RouterContextProvider(), params: {}, url: new URL(request.url), pattern: "" };
  await requireStaff(args, async () => new Response());
  return args;
}

function upload(content: Buffer): RequestInit {
  const body = new FormData();
  body.set("picture", new File([new Uint8Array(content)], "picture.png", { type: "image/png" }));
  return { method: "POST", body };
}

const red = await sharp({ create: { width: 30, height: 40, channels: 3, background: "#900" } })
  .png()
  .toBuffer();

test("a picture is stored, its renderings are made at once, and only the sender sees their progress", async () => {
  const args = await asked("catalogue", upload(red));
  const said = await (await action(args)).json();
  expect(said).toEqual({
    picture: { hash: expect.stringMatching(/^[0-9a-f]{20}$/), width: 30, height: 40, background: expect.any(String) },
    work: expect.any(String),
  });
  const look = (from: ActionFunctionArgs) =>
    loader({ ...from, request: new Request(`${OFFICE}/products/pictures?work=${said.work}`) }).json();
  await expect.poll(() => look(args)).toEqual({ made: 21, all: 21, isDone: true });
  expect(await look(await asked("owner"))).toEqual({ isDone: true });
});

test("a file that is no picture is refused with a message", async () => {
  const answer = await action(await asked("owner", upload(Buffer.from("<svg/>"))));
  expect([answer.status, await answer.json()]).toEqual([
    422,
    { problem: expect.stringContaining("This picture can’t be read") },
  ]);
});

test("2 a picture whose scans would take minutes is refused with advice, before it is decoded", async () => {
  const jpeg = await sharp(red).jpeg({ progressive: true }).toBuffer();
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  const thousand = Buffer.concat([
    jpeg.subarray(0, -2),
    ...Array.from({ length: 1000 }, () => scan),
    jpeg.subarray(-2),
  ]);
  const answer = await action(await asked("owner", upload(thousand)));
  expect([answer.status, await answer.json()]).toEqual([422, { problem: expect.stringContaining("too long to open") }]);
});

test.each(["reader", "orders"] as const)("the role %s may not upload pictures", async (role) => {
  const args = await asked(role, upload(red));
  await expect(action(args)).rejects.toMatchObject({ init: { status: 403 } });
  expect(() => loader(args)).toThrow(expect.objectContaining({ init: { status: 403 } }));
});
