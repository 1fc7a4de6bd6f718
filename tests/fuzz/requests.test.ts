vi.hoisted(() => {
  process.env.NODE_ENV = "production"; // before React is loaded
});

import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { log } from "#app/infra/log.server.ts";
import { checkInvariants } from "#app/owner/invariants.server.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { useCheckout } from "#tests/support/checkout.ts";
import { collectGarbage } from "#tests/support/collect-garbage.ts";
import { SEED } from "#tests/support/seed.ts";
import { shareOf } from "#tests/support/share.ts";
import { actions } from "../../cli/commands.ts";
import { type AppName, useApps } from "./apps.ts";
import { type Case, cases, doorOf, isKnownParam, paramsOf } from "./cases.ts";
import { problemsOf } from "./check.ts";
import { doorsOf } from "./doors.ts";
import { FILES, NO_FILES } from "./files.ts";
import { BODIES, FORMS } from "./forms.ts";
import { send } from "./send.ts";
import { isSlowAgain, WITHIN } from "./slow.ts";
import { newWorld, type World } from "./world.ts";

// FUZZ_CASES: the number of cases. FUZZ_SEED: repeats a run. FUZZ_KEEP: findings are written down, and tried first from
// then on.
const CASES = Number(process.env.FUZZ_CASES ?? shareOf(10_000));
const FOUND = "tests/fuzz/found.json";
const BATCH = 500;
const TOLD_EACH = 50_000; // requests between two reports: a few minutes
const AT_ONCE = 4;
const MB = 1024 * 1024;
/** The share of the run during which caches fill up. The heap may grow little after that. */
const WARM = 0.3;
const MOST_GROWTH = 16 * MB;
const NETWORKS = 200;

type Found = { problems: string[]; case: Case };

const shop = await doorsOf("shop");
const office = await doorsOf("office");
const checkout = useCheckout();
const { db, provider } = checkout;
const apps = useApps(checkout.url);
let world: World;

const placeOf = (app: AppName) => apps[app]();

async function tried(one: Case, address = "203.0.113.7"): Promise<string[]> {
  return problemsOf(await send(one, placeOf(one.app), world, address), one, placeOf(one.app), world);
}

const isSlow = ({ problems }: Found) => problems.some((problem) => problem.endsWith(" ms"));

const slowAgain = ({ case: one }: Found) =>
  isSlowAgain(
    () => tried(one),
    () => Promise.all([fetch(`http://127.0.0.1:${apps.shop().port}/healthz`), sql`select 1`.execute(db())]),
  );

/** Makes a new world now and then, since orders lapse during an hour. */
async function renewWorld(): Promise<void> {
  while (await reconcile(db()));
  world = await newWorld(checkout, world?.staff);
  const people = world.staff.map(({ id }) => id);
  await db().deleteFrom("staff").where("id", "not in", people).execute(); // a shop has a few members, not more and more
  await db().deleteFrom("rateLimits").execute();
  for (const list of [provider.calls, provider.bodies, provider.authorizations]) list.length = 0;
}

// I13 is for what a person has to look into, such as payments of unknown orders.
const brokenRules = async () => (await checkInvariants(db(), provider.ledger())).filter(({ rule }) => rule !== "I13");

/** The heap in use after garbage collection. */
async function heapInUse(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

test("what was found before is no problem any more", { timeout: WITHIN }, async () => {
  await renewWorld();
  const before = JSON.parse(readFileSync(FOUND, "utf8")) as Found[];
  for (const { case: one, problems } of before) expect(await tried(one), problems.join()).toEqual([]);
});

test(`${CASES} requests at all doors, seed ${SEED}`, { timeout: WITHIN }, async () => {
  const arbitrary = cases([...shop, ...office]);
  const found: Found[] = [];
  const logged: string[] = [];
  vi.spyOn(log, "error").mockImplementation((about: unknown) => void logged.push(errorIn(about)));
  let warm = 0;
  for (let done = 0; done < CASES; done += BATCH) {
    await renewWorld();
    if (done >= CASES * WARM && done > 0 && warm === 0) warm = await heapInUse();
    const batch = fc.sample(arbitrary, { seed: SEED + done, numRuns: Math.min(BATCH, CASES - done) });
    const batchFound: Found[] = [];
    const queue = batch.entries();
    const worker = async () => {
      for (const [index, one] of queue) {
        const address = `10.0.${(done + index) % NETWORKS}.1`;
        const problems = await tried(one, address);
        if (problems.some((problem) => problem.startsWith("status")))
          problems.push(logged.at(-1) ?? "nothing in the log");
        if (problems.length > 0) batchFound.push({ problems, case: one });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    for (const one of batchFound) {
      if (isSlow(one) && !(await slowAgain(one))) continue;
      found.push(one);
      console.log(JSON.stringify(one)); // the end of the run may be an hour away
    }
    const broken = await brokenRules();
    if (broken.length > 0) keep(found);
    expect(broken).toEqual([]);
    if ((done + BATCH) % TOLD_EACH === 0) {
      const inUse = Math.round((await heapInUse()) / MB);
      console.log(`${done + BATCH} requests, ${oneOfEach(found).length} findings, ${inUse} MB in use`);
    }
  }
  const grown = warm && (await heapInUse()) - warm;
  keep(found);
  expect.soft(oneOfEach(found)).toEqual([]);
  expect(grown, "bytes more in use than when it was warm").toBeLessThan(MOST_GROWTH);
});

/** The error of a log entry, with its stack. */
function errorIn(about: unknown): string {
  const { err } = about as { err?: Error };
  return String(err?.stack).slice(0, 600);
}

/** The first finding of each kind. */
function oneOfEach(found: Found[]): Found[] {
  const alike = Map.groupBy(
    found,
    ({ problems, case: one }) => `${doorOf(one)} ${problems[0]?.replace(/\d+ ms/, "ms")}`,
  );
  return [...alike.values()].flatMap(([first]) => first ?? []);
}

function keep(found: Found[]): void {
  if (!process.env.FUZZ_KEEP || found.length === 0) return;
  const before = JSON.parse(readFileSync(FOUND, "utf8")) as Found[];
  writeFileSync(FOUND, `${JSON.stringify([...before, ...oneOfEach(found)], null, 1)}\n`);
}

describe("a new way in is tried, too", () => {
  const all = [...shop, ...office];

  test("of every form it is known what it holds", () => {
    const unknown = all.filter(
      ({ app, method, path, intents }) =>
        method === "POST" && !intents && !(path in FORMS[app]) && !(app === "shop" && path in BODIES),
    );
    expect(unknown.map(({ app, path }) => `${app} ${path}: say in tests/fuzz/forms.ts what is sent there`)).toEqual([]);
  });

  test.each([
    ["shop", shop, [...Object.keys(FORMS.shop), ...Object.keys(BODIES)]],
    ["office", office, Object.keys(FORMS.office)],
  ] as const)("every form that is known of the %s is there", (_, doors, known) => {
    const sent = doors.filter(({ method, intents }) => method === "POST" && !intents).map(({ path }) => path);
    expect([...known].filter((path) => !sent.includes(path))).toEqual([]);
  });

  test("of every part of an address it is known what stands there", () => {
    const unknown = all.flatMap(({ path }) => paramsOf(path)).filter((name) => !isKnownParam(name));
    expect(unknown).toEqual([]);
  });

  test.each([
    ["app/infra/http/server/edge.server.ts", shop],
    ["office/http/edge.server.ts", office],
  ])("what answers beside the routes in %s is tried, too", (file, doors) => {
    const beside = [...readFileSync(file, "utf8").matchAll(/\bapp\.(get|post|put|delete)\(\s*"([^"*]*[^"*/])/g)];
    expect(beside.length).toBeGreaterThan(1);
    const tried = doors.map(({ method, path }) => `${method} ${path}`);
    const missing = beside
      .map(([, method = "", path = ""]) => `${method.toUpperCase()} ${path}`)
      .filter((one) => !tried.some((door) => door === one || door.startsWith(`${one}/:`)));
    expect(missing).toEqual([]);
  });

  test("of every command that reads a file it is known what may stand in it", () => {
    const reading = Object.entries(actions).filter(
      ([name, { words }]) => /file|dir/.test(words.join()) && !/export|backup/.test(name),
    );
    expect(reading.map(([name]) => name).sort()).toEqual([...Object.keys(FILES), ...Object.keys(NO_FILES)].sort());
  });
});
