/**
 * A crontab as cron understands it: the environment that it sets, and each command as the shell gets it, with its
 * standard input.
 */
export type Crontab = { env: Record<string, string>; jobs: { times: string; command: string; input: string }[] };

const ASSIGNMENT = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/;
const JOB = /^\s*((?:\S+\s+){5})(.*)$/;

/**
 * Reads a crontab as cron does: a `%` without a backslash ends the command, and each further one begins a line of its
 * input.
 */
export function readCrontab(text: string): Crontab {
  const crontab: Crontab = { env: {}, jobs: [] };
  for (const line of text.split("\n").filter((one) => /\S/.test(one) && !/^\s*#/.test(one))) {
    const [, name, value = ""] = ASSIGNMENT.exec(line) ?? [];
    const [, times = "", rest = ""] = JOB.exec(line) ?? [];
    if (name) crontab.env[name] = value;
    else if (rest) crontab.jobs.push({ times: times.trim(), ...splitAtPercent(rest) });
    else throw new Error(`cron would refuse the crontab for this line: ${line}`);
  }
  return crontab;
}

function splitAtPercent(text: string): { command: string; input: string } {
  const [command = "", ...input] = text.split(/(?<!\\)%/).map((part) => part.replaceAll("\\%", "%"));
  return { command, input: input.join("\n") };
}

/** The crontab in a document: the block of indented lines that begins with PATH. */
export function crontabIn(markdown: string): string {
  const [, block = ""] = /\n\n((?: {4}.*\n)*? {4}PATH=.*\n(?: {4}.*\n)+)/.exec(markdown) ?? [];
  return block.replaceAll(/^ {4}/gm, "");
}
