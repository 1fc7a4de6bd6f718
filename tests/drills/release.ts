import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { untilAnswered } from "#tests/machines/processes.ts";
import { ask } from "#tests/support/ask-database.ts";
import { type Instance, makeNewer, OLDER, roll } from "#tests/support/fleet.ts";
import { newCustomer } from "#tests/support/http-visitor.ts";
import { underLoad } from "#tests/support/load.ts";
import { changedSince, readProvenance } from "../../scripts/provenance.ts";
import { type Drill, inTime } from "./drill.ts";
import { startTwoInstances } from "./two-instances.ts";

// Two bad releases: one does not start, and one has a migration whose fault shows only in use.

const BACK_WITHIN = 60_000;
const BROKEN_PAGE = "/singleProduct/rings-tee.data";

export async function playRelease(drill: Drill): Promise<void> {
  const { step, say, goal, afterwards } = drill;
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-release-"));
  const [faulty, damaged] = [path.join(folder, "faulty"), path.join(folder, "damaged")];
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const fleet = await step("two instances are open behind a balancer", () => startTwoInstances(drill));
  await step("a release is built that has a migration, and no page of a product", () =>
    makeNewer(faulty, () => breakProducts(faulty)),
  );
  await step("another one is damaged on its way", async () => {
    execFileSync("cp", ["-a", faulty, damaged]);
    appendFileSync(path.join(buildOf(damaged), "server/server.js"), "\nthis is no script\n");
  });
  const changed = changedSince(buildOf(damaged), readProvenance(buildOf(damaged)));
  say(`provenance.json of the damaged one: changed: ${changed}`);
  const customers = [
    await newCustomer(fleet.shop, "ada@example.com"),
    await newCustomer(fleet.shop, "bola@example.com"),
  ];
  const [first] = fleet.instances as [Instance, Instance];
  const { wrong, bought } = await underLoad(fleet, customers, async ({ wrong, bought }) => {
    await step("npm run shop -- migrate, with the new release", () => fleet.command(faulty, "migrate"));
    const ended = await step("an instance gets the damaged release, and ends", () =>
      roll(first, damaged).catch((error: Error) => error),
    );
    await step("it gets the release before, on the newer database", () => roll(first, OLDER));
    goal(
      "an instance that does not start is asked for nothing: no answer fails",
      ended instanceof Error && wrong.length === 0,
      `${wrong.length} failed`,
    );
    const beforehand = bought.length;
    const faultyAt = performance.now();
    for (const instance of fleet.instances)
      await step("an instance gets the faulty release", () => roll(instance, faulty));
    await seen(() => wrong.length > 0);
    const seenAt = performance.now();
    say(`seen after ${inTime(seenAt - faultyAt)}: ${wrong[0]}`);
    for (const instance of fleet.instances)
      await step("an instance gets the release before", () => roll(instance, OLDER));
    const took = performance.now() - seenAt;
    goal(`back within ${inTime(BACK_WITHIN)}`, took < BACK_WITHIN, inTime(took));
    const sold = bought.length;
    goal("orders went on meanwhile", sold > beforehand, `${sold - beforehand}`);
    const failed = wrong.length;
    await seen(() => bought.length > sold + 1);
    goal("nothing fails afterwards", wrong.length === failed, `${wrong.length - failed} failed`);
  });
  const others = wrong.filter((line) => !line.endsWith(`${BROKEN_PAGE}: 500`));
  goal("only the broken page failed", others.length === 0, `${wrong.length} times; ${others.length} others`);
  for (const line of others) say(line);
  const [row] = await ask(fleet.databaseUrl, "select count(*)::int as sales from sales");
  goal(
    "no order is lost or doubled",
    row?.sales === bought.length && new Set(bought).size === bought.length,
    `${bought.length} orders`,
  );
  say((await fleet.command(OLDER, "check", "--provider")).trim());
}

/** The folder of the only build in a checkout. */
function buildOf(checkout: string): string {
  const builds = path.join(checkout, "build");
  return path.join(builds, readdirSync(builds)[0] ?? "");
}

const LOADER = "export async function loader({ params, request }: Route.LoaderArgs) {\n";

function breakProducts(checkout: string): void {
  const file = path.join(checkout, "app/routes/product.tsx");
  const text = readFileSync(file, "utf8");
  if (!text.includes(LOADER)) throw new Error(`${file} has another loader than the drill breaks`);
  writeFileSync(file, text.replace(LOADER, `${LOADER}  if (params.id) throw new Error("This release is bad");\n`));
}

async function seen(it: () => boolean): Promise<void> {
  await untilAnswered(async () => it(), "what the drill waits for");
}
