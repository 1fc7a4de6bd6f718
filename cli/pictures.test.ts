import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storePicture } from "#app/catalog/pictures/originals.server.ts";
import { picture } from "#app/catalog/pictures/renderings.server.ts";
import { pictureResponse } from "#app/catalog/pictures/response.server.ts";
import { env } from "#app/infra/env.server.ts";
import { openStore } from "#app/infra/object-store/open.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type S3Server, startS3Server, useS3 } from "#tests/support/s3-server.ts";

const database = useDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "irepo-move-"));
const here = path.join(folder, "here");
const bytes = readFileSync("db/demo/images/rings-tee-front.jpg");
const run = (line: string) => command(database.db(), ["pictures", "move", ...line.split(" ").filter(Boolean)]);
const filesIn = (place: string) =>
  readdirSync(place, { recursive: true })
    .map(String)
    .filter((name) => name.includes("."))
    .sort();

let s3: S3Server;
let hash: string;
beforeAll(async () => {
  s3 = await startS3Server();
  useS3(s3.port);
  env.pictures = { folder: here };
  hash = await storePicture(bytes);
  await picture(hash, 160, "webp");
});
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true });
});

test("pictures are copied into a bucket once, while the shop serves them", async () => {
  const before = filesIn(here);
  const [moved, ...answers] = await Promise.all([
    run("--to s3://pictures/shop"),
    ...["160.webp", "320.webp", "160.jpg"].map((size) =>
      pictureResponse(new Request(`http://localhost/images/${hash}/${size}`)),
    ),
  ]);
  expect(moved).toMatchObject({ code: 0, text: expect.stringContaining("PICTURES_URL=s3://pictures/shop") });
  expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200]);
  expect(filesIn(here)).toEqual(expect.arrayContaining(before));
  await run("--to s3://pictures/shop");
  expect(await run("--to s3://pictures/shop")).toMatchObject({ code: 0, data: { copied: 0, there: 4, damaged: [] } });
  const changes = await database.db().selectFrom("auditLog").select(["action", "after"]).execute();
  expect(changes).toContainEqual({ action: "pictures move", after: { in: "s3://pictures/shop", copied: 0 } });
});

test("pictures are copied from a bucket into a folder, byte for byte", async () => {
  const there = path.join(folder, "there");
  expect(await run(`--from s3://pictures/shop --to ${there}`)).toMatchObject({ code: 0, data: { copied: 4 } });
  expect(filesIn(there)).toEqual(filesIn(here));
  for (const name of filesIn(here))
    expect(readFileSync(path.join(there, name)).equals(readFileSync(path.join(here, name)))).toBe(true);
});

test("a repeated command copies the pictures added meanwhile", async () => {
  await storePicture(Buffer.concat([bytes, Buffer.from("another")]));
  expect(await run("--to s3://pictures/shop")).toMatchObject({ code: 0, data: { copied: 1, there: 4 } });
});

test("an original whose content does not match its hash is named and not copied, and the exit code is 1", async () => {
  const damaged = `${"f".repeat(20)}.jpg`;
  writeFileSync(path.join(here, damaged), "not this");
  expect(await run("--to s3://pictures/other")).toMatchObject({
    code: 1,
    data: { copied: 5, damaged: [damaged] },
    text: expect.stringContaining(damaged),
  });
  expect(await openStore({ bucket: "pictures", prefix: "other/" }).read(damaged)).toBeUndefined();
  rmSync(path.join(here, damaged));
});

test.each([
  ["no place", "", /--to is missing/],
  ["a place that is none", "--to https://pictures.example", /isn't a folder or s3:\/\/bucket/],
  ["a source that is none", "--from s3:// --to s3://pictures", /--from: s3:\/\/ isn't/],
  ["where they are", `--to ${here}`, /are in .* already/],
])("%s is refused", async (_, line, says) => {
  expect(await run(line)).toMatchObject({ code: 2, text: expect.stringMatching(says) });
});

test("with a bucket that does not exist, the exit code is 1, with one line", async () => {
  expect(await run("--to s3://nowhere")).toMatchObject({
    code: 1,
    text: expect.stringMatching(/there is no such bucket/),
  });
});
