import { rmSync } from "node:fs";
import path from "node:path";
import { ask } from "#tests/support/ask-database.ts";
import { ownerUrl, type RunningShop } from "#tests/support/running-shop.ts";
import type { Drill } from "./drill.ts";
import { buy, startOneShop } from "./one-shop.ts";

// Only the pictures are lost. They come back from a backup, or from a copy in another place, while the shop sells.

export async function playPictures(drill: Drill): Promise<void> {
  const { step, say, goal } = drill;
  const one = await step("a shop is open", () => startOneShop(drill));
  const { shop, customer, folder } = one;
  const store = path.join(shop.dataDir, "pictures");
  const before = await step("its pictures are asked for", () => shown(shop));
  const [file, copy] = [path.join(folder, "last-night.backup"), path.join(folder, "copy")];
  await step("npm run shop -- backup", () => one.command("backup", file));
  await step("npm run shop -- pictures move --to ANOTHER PLACE, as a copy", () =>
    one.command("pictures", "move", "--to", copy),
  );

  const ways: [string, ...string[]][] = [
    ["npm run shop -- restore FILE --pictures", "restore", file, "--pictures"],
    ["npm run shop -- pictures move --from ANOTHER PLACE", "pictures", "move", "--from", copy, "--to", store],
  ];
  for (const [name, ...words] of ways) {
    await step("all pictures are deleted", async () => rmSync(store, { recursive: true }));
    const meanwhile = await shown(shop);
    say(`meanwhile pictures are answered with ${[...new Set(meanwhile.map(({ status }) => status))]}`);
    await step("it sells meanwhile", () => buy(customer));
    const { code, said } = await step(name, () => one.command(...words));
    say(said.split("\n")[0] ?? "");
    const after = await step("its pictures are asked for", () => shown(shop));
    const back = after.filter(({ bytes }, at) => before[at]?.bytes.equals(bytes));
    goal(
      "every picture is back as it was",
      code === 0 && back.length === before.length,
      `${back.length} of ${before.length}`,
    );
  }
  goal("the books agree", (await one.command("check", "--provider")).code === 0);
}

/** The answers to requests for one picture of each product. */
async function shown(shop: RunningShop): Promise<{ status: number; bytes: Buffer }[]> {
  const hashes = await ask(ownerUrl(shop), "select images -> 0 ->> 'hash' as hash from products order by id");
  return Promise.all(
    hashes.map(async ({ hash }) => {
      const answer = await fetch(`${shop.url}/images/${hash}/160.jpg`);
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    }),
  );
}
