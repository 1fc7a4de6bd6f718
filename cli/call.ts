import { type ParseArgsConfig, parseArgs } from "node:util";
import type { Actor } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";
import type { Action, Options, Result } from "./command.ts";
import { actions } from "./commands.ts";

/** Asks the person at the terminal. Undefined if there is no terminal. */
export type Ask = ((question: string) => Promise<boolean>) | undefined;
/** A parsed command line. Nothing is done before `run` is called. */
export type Call = {
  name: string;
  /** Whether the line has a former name of the action. */
  isFormerName: boolean;
  asOwner: boolean;
  migrates: boolean;
  run(db: Db, by: Actor, ask: Ask): Promise<Result>;
};

/** The options that every action takes. */
const GENERAL = ["--json", "--yes", "--help"];

/** Former names of actions, for scripts. They are gone in the next version. */
const FORMER_NAMES: Record<string, string> = {
  "collections export": "documents export",
  "collections import": "documents import",
};

/** The present name of the action that these words call by a former name; undefined if they don't. */
function presentName(words: string[]): string | undefined {
  const name = words.slice(0, 2).join(" ");
  return Object.hasOwn(FORMER_NAMES, name) ? FORMER_NAMES[name] : undefined;
}

/** Reads a command line. Throws a BadInput with the action's usage if a word is unknown, missing or superfluous. */
export function readCall(line: string[]): Call {
  const typed = line.filter((word) => !GENERAL.includes(word));
  const present = presentName(typed);
  const given = present === undefined ? typed : [...present.split(" "), ...typed.slice(2)];
  const { name, action } = actionOf(given);
  const { words, options } = readArguments(name, action, given.slice(name.split(" ").length));
  const confirm = (ask: Ask) => async (question: string) => {
    if (line.includes("--yes")) return;
    if (!ask) throw new BadInput(`${question}\nNothing was done. To go ahead, add --yes.`);
    if (!(await ask(question))) throw new BadInput("Nothing was done.");
  };
  return {
    name,
    isFormerName: present !== undefined,
    asOwner: action.asOwner,
    migrates: action.migrates,
    async run(db, by, ask) {
      await shopSettings(db); // so that the kinds of products are known
      return action.run({ db, by, json: line.includes("--json"), confirm: confirm(ask) }, words, options);
    },
  };
}

/** The usage of an action: `orders refund REFERENCE [--restock]`. */
export function usageOf(name: string, { words, options }: Action): string {
  const called = Object.entries(options).map(([option, value]) =>
    value === true
      ? `[--${option}]`
      : typeof value === "string"
        ? `[--${option} ${value}]`
        : `[--${option} ${value}]...`,
  );
  return [name, ...words.map((word) => word.toUpperCase()), ...called].join(" ");
}

/** The actions that `line` may mean: one, those of one command, or all of them. */
export function actionsLike(line: string[]): [string, Action][] {
  const [command, word] = line.filter((one) => !one.startsWith("-"));
  const all = Object.entries(actions);
  const ofCommand = all.filter(([name]) => name.split(" ")[0] === command);
  const exact = ofCommand.filter(([name]) => name === `${command} ${word}`);
  return exact.length > 0 ? exact : ofCommand.length > 0 ? ofCommand : all;
}

function actionOf(given: string[]): { name: string; action: Action } {
  const [command = "", word = ""] = given;
  for (const name of [`${command} ${word}`, command]) {
    const action = Object.hasOwn(actions, name) && actions[name];
    if (action) return { name, action };
  }
  const like = actionsLike([command]).map(([name, action]) => `'${usageOf(name, action)}'`);
  if (like.length === Object.keys(actions).length)
    throw new BadInput(`There is no command '${command}'. 'npm run shop' lists all commands`);
  throw new BadInput(`${word ? `There is no '${command} ${word}'` : "Something is missing"}: say ${like.join(" or ")}`);
}

function readArguments(name: string, action: Action, args: string[]) {
  const refuse = (what: string) => new BadInput(`${what}: say '${usageOf(name, action)}'`);
  const { positionals, values, tokens } = parse(args, action.options, refuse);
  const twice = tokens.find(
    (token, at) =>
      token.kind === "option" &&
      !Array.isArray(action.options[token.name]) &&
      tokens.findIndex((other) => other.kind === "option" && other.name === token.name) < at,
  );
  if (twice?.kind === "option") throw refuse(`--${twice.name} is given twice`);
  const names = action.words.map((word) => word.replace(/[[\]]/g, ""));
  const missing = action.words[positionals.length];
  if (missing && !missing.startsWith("[")) throw refuse(`${missing.toUpperCase()} is missing`);
  const surplus = positionals[names.length];
  if (surplus !== undefined) throw refuse(`'${surplus}' isn't expected here`);
  return { words: Object.fromEntries(positionals.map((word, at) => [names[at] ?? "", word])), options: values };
}

const MINUS = "\u2212"; // stands for the hyphen of a negative number, which parseArgs would read as an option

function parse(args: string[], options: Options, refuse: (what: string) => BadInput) {
  const config: NonNullable<ParseArgsConfig["options"]> = Object.fromEntries(
    Object.entries(options).map(([option, value]) => [
      option,
      { type: value === true ? "boolean" : "string", multiple: Array.isArray(value) },
    ]),
  );
  const masked = args.map((word) => word.replace(/^-(?=\d)/, MINUS));
  const plain = <T>(word: T) => (typeof word === "string" ? word.replace(/^\u2212(?=\d)/, "-") : word);
  try {
    const { positionals, values, tokens } = parseArgs({
      args: masked,
      options: config,
      allowPositionals: true,
      tokens: true,
    });
    return {
      positionals: positionals.map(plain),
      values: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(plain) : plain(value)]),
      ),
      tokens,
    };
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    if (!code.startsWith("ERR_PARSE_ARGS")) throw error;
    throw refuse(message.split(/\. |\n/)[0] ?? message);
  }
}
