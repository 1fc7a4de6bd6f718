import { type ParseArgsConfig, parseArgs } from "node:util";

type Usage = { says: string; words?: string; options?: Record<string, string> };

/**
 * The usage of each npm command: what it does, and what may follow its `--`. `npm run shop` explains its own actions.
 */
export const USAGES: Record<string, Usage> = {
  start: {
    says: "Builds the shop where something has changed, and opens it, its back office and its database. Settings: docs/settings.md",
  },
  dev: { says: "Opens the shop from its sources: pages and styles change as files are saved" },
  test: {
    says: "Checks types, style and house rules, runs all tests without a browser (of the slow ones every tenth case) and the main journeys; with words, those tests alone",
    words: "[FILE...] [-t NAME]",
    options: { "slowly SHARE": "leaves the tests this share of the processor time, such as 0.5" },
  },
  "test-all": {
    says: "Runs every test there is: what npm test runs, with all cases, the supply chain, all journeys, and the other browsers",
  },
  browsers: {
    says: "Runs a shopper's journeys in Debian's Firefox, WebKit, Lynx and w3m, which are installed where they are missing",
    words: "[FILE...]",
  },
  bench: {
    says: "Measures the shop, all parts or those named: bench/README.md",
    words: "[PART...]",
    options: { record: "keeps the figures in bench/figures.json" },
  },
  chaos: {
    says: "A flash sale while everything breaks, and other runs with things taken away: docs/reliability.md",
    options: {
      "rounds N, --buyers N, --units N, --stops N, --seed N": "of the flash sale: how much of it, and a run to repeat",
      guards: "every guard of the database taken away, and every order of two actors",
      "model N": "N random sequences of actions, compared with a model in plain data",
      matrix: "each dependency dead, wrong and slow, against every journey",
      "machines [--kills N | --updates N | --faults]":
        "several machines, whose primary database dies, or which are updated, or lose something",
    },
  },
  chart: {
    says: "Draws the panels of deploy/monitoring/dashboard.json from what a Prometheus has kept",
    options: {
      "prometheus URL": "where it is",
      "hours N": "how far back",
      "scrape N": "its interval in seconds",
      "out FILE": "the picture",
    },
  },
  "demo-past": {
    says: "Plays three months of a demo shop, and records them as the past of each new demo: docs/decisions/073-demo-with-a-past.md",
  },
  drill: {
    says: "Loses or breaks something on a shop of its own, and recovers it as docs/running.md says; all drills, or those named",
    words: "[NAME...]",
    options: { "gigabytes N": "how much the backup's drill has to store" },
  },
  film: {
    says: "Films a purchase on a phone, from the home page to the paid order, into docs/pictures/purchase.webp",
  },
  fuzz: {
    says: "Sends a million requests, files and texts to every entry point",
    options: { "cases N": "how many", "seed N": "a run to repeat" },
  },
  mutants: {
    says: "Changes the code in one place at a time; a test must notice: docs/decisions/038-mutation-testing.md",
    words: "[ROOM... | FILE...]",
    options: { "tests FOLDER": "by these tests alone" },
  },
  prove: {
    says: "Minutes of buyers, kills and a provider that lies, drawn live on a page, and then the books of both sides",
    options: {
      "minutes N": "so long; 5 unless given",
      "port N": "where the page is; a free one unless given",
      "seed N": "the same chances again",
    },
  },
  sandbox: { says: "Opens the payment provider's stand-in alone, at SANDBOX_PORT" },
  screenshots: {
    says: "Takes pictures of every screen into tests/screenshots, or of those whose name has a word",
    words: "[WORD...]",
  },
  soak: {
    says: "An hour of everything that a shop lives through",
    options: {
      "minutes N": "so long",
      "out FILE": "where the chart goes",
      record: "keeps the figures in bench/figures.json",
      "seed N": "the same shoppers again",
    },
  },
  supply: {
    says: "Lists the shop's parts and licences, and says whether any is known to be harmful",
    options: { offline: "without asking the registry" },
  },
};

export function usageOf(command: string): string {
  const { says, words, options = {} } = USAGES[command] ?? { says: "" };
  const called = {
    start: "npm start",
    test: "npm test",
    browsers: "npm run test:browsers",
    "test-all": "npm run test:all",
  }[command];
  const line = [called ?? `npm run ${command}`, ...(words || USAGES[command]?.options ? ["--"] : []), words];
  const known = Object.entries(options).map(([option, meaning]) => `  --${option}\n      ${meaning}`);
  return [line.filter(Boolean).join(" "), `${says}.`, ...known].join("\n");
}

/**
 * Like `parseArgs`. An argument that `command` does not know, or one without a number where its usage says N, ends the
 * process with 2, after the usage was printed.
 */
export function readArguments<const Config extends ParseArgsConfig>(command: string, config: Config) {
  try {
    const read = parseArgs(config);
    const said = Object.keys(USAGES[command]?.options ?? {}).join();
    for (const [name, value] of Object.entries(read.values))
      if (new RegExp(`\\b${name} N\\b`).test(said) && !/^\d+(\.\d+)?$/.test(String(value)))
        throw new Error(`--${name} is a number, not ${value}`);
    return read;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usageOf(command)}\n`);
    process.exit(2);
  }
}

if (import.meta.main) process.stdout.write(`${usageOf(process.argv[2] ?? "")}\n`);
