import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { crontabIn, readCrontab } from "./crontab.ts";

test("44 a crontab is read as cron reads it", () => {
  const text = "# by night\nPATH=/usr/bin\n\n5 1 * * *  tar cf $(date +%F).tar /srv\n6 1 * * 1-5 date +\\%F\n";
  expect(readCrontab(text)).toEqual({
    env: { PATH: "/usr/bin" },
    jobs: [
      { times: "5 1 * * *", command: "tar cf $(date +", input: "F).tar /srv" },
      { times: "6 1 * * 1-5", command: "date +%F", input: "" },
    ],
  });
  expect(() => readCrontab("5 1 * *\n")).toThrow(/refuse/);
});

test("44 of the crontab in the documents cron runs every line as it stands: whole, in the shop's folder, with its own PATH, failures told", () => {
  const { env, jobs } = readCrontab(crontabIn(readFileSync("docs/running.md", "utf8")));
  expect(env.PATH?.split(":")).toEqual(expect.arrayContaining(["/usr/bin", "/bin"]));
  expect(env.MAILTO).toMatch(/@/);
  expect(jobs.map(({ command }) => /shop -- (.*?) >>/.exec(command)?.[1])).toEqual([
    "backup /var/backups/irepo --keep 14",
    "check",
    "check --provider",
  ]);
  for (const { times, command, input } of jobs) {
    expect(times).toMatch(/^\d+ (\d+|\*) \* \* \*$/);
    expect(command).toMatch(/^cd \/srv\/irepo && npm run --silent shop -- .* >>(\S+) 2>&1 \|\| tail -n \d+ \1$/);
    expect(input).toBe("");
  }
});
