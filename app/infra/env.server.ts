import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import * as providers from "#app/providers/settings.ts";
import { keptRandom } from "./data-dir.server.ts";
import { isEmail } from "./email-address.ts";
import { isLoopbackName } from "./http/this-machine.ts";
import { readLocation, type StoreLocation } from "./object-store/location.ts";
import { misspelledNames } from "./settings/misspelled.ts";
import { isAskedInClear, securedDatabase, securedMailServer } from "./settings/transport-security.ts";
import { isTooWide, weakSecrets } from "./settings/unsafe-settings.ts";

const url = (protocols: RegExp) => z.url({ protocol: protocols, error: "must be a URL" });
/** A whole number within these bounds. */
const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} ${max < Number.MAX_SAFE_INTEGER ? `to ${max}` : "on"}`;
  return z.coerce.number<string>(error).int(error).min(min, error).max(max, error);
};
const count = whole(1, Number.MAX_SAFE_INTEGER);
const LAST_PORT = 65_535;
const port = whole(1, LAST_PORT);

const parts = (list: string) => list.split(",").map((part) => part.trim());

/**
 * Whether a text is a name of the IANA database. Offsets are refused: PostgreSQL, which uses the setting as well, reads
 * +01:00 in the opposite direction.
 */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false; // a RangeError: there is no such zone
  }
}

/**
 * The settings as they are given. An empty value counts as absent, as in an `.env` file with `NAME=`. With an https
 * PUBLIC_URL, it is an error for a setting that has a default in the demo: see `emptyOnline`.
 */
const settings = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  PORT: port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: url(/^https?$/).optional(),
  OFFICE_PORT: whole(0, LAST_PORT).optional(),
  OFFICE_HOST: z.string().default("127.0.0.1"),
  OFFICE_URL: url(/^https?$/).optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number<string>("must be a number from 0 to 1")
    .min(0, "must be a number from 0 to 1")
    .max(1, "must be a number from 0 to 1")
    .default(1),
  DATA_DIR: z.string().default("./data"),
  DEMO_PAST: z.enum(["on", "off"], "must be on or off").default("on"),
  PICTURES_URL: z
    .string()
    .transform(readLocation)
    .refine((place) => place !== undefined, "must be a folder, or s3://bucket")
    .optional(),
  AWS_ENDPOINT_URL: url(/^https?$/).optional(),
  AWS_ENDPOINT_URL_S3: url(/^https?$/).optional(),
  AWS_REGION: z.string().optional(),
  DATABASE_URL: url(/^postgres(ql)?$/).optional(),
  DATABASE_OWNER_URL: url(/^postgres(ql)?$/).optional(),
  DATABASE_DIRECT_URL: url(/^postgres(ql)?$/).optional(),
  MIGRATE_ON_START: z.stringbool({ error: "must be true or false" }).default(true),
  DRAIN_DELAY: whole(0, 600).default(0),
  INSTANCES: z.enum(["one", "many"], "must be one or many").default("one"),
  WEB_CONCURRENCY: whole(1, 64).default(1),
  SESSION_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  SESSION_FALLBACK_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  SMTP_URL: url(/^smtps?$/).optional(),
  MAIL_FROM: z.string().optional(),
  CONTACT_EMAIL: z.string().trim().refine(isEmail, "must be an email address").optional(),
  WHATSAPP: z
    .string()
    .transform((given) => given.replace(/[\s()-]/g, ""))
    .pipe(z.e164("must be a number with + and its country's code"))
    .optional(),
  INSTAGRAM_URL: url(/^https$/).optional(),
  X_URL: url(/^https$/).optional(),
  ...providers.shape,
  SANDBOX_PORT: port.optional(),
  HOLD_AT_MOST: count.default(50),
  MOST_OF_A_SIZE: count.optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: url(/^https?$/).optional(),
  RATES_URL: url(/^https?$/).optional(),
  GEO_URL: url(/^https?$/).optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[\w-]+$/, "must be the name of a header")
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform(parts)
    .pipe(
      z.array(
        z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
          error: ({ input }) => `“${input}” is neither an IP address nor a range of them`,
        }),
      ),
    )
    .optional(),
  SHOP_TIMEZONE: z.string().refine(isTimeZone, "must be the name of a time zone").default("Africa/Lagos"),
  DEFER_HYDRATION: z.stringbool({ error: "must be true or false" }).default(true),
  BACKUPS: z.enum(["here", "elsewhere"], "must be here or elsewhere").default("here"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

type Settings = z.infer<typeof settings>;

const EXAMPLES: Record<keyof Settings, string> = {
  NODE_ENV: "production",
  PORT: "3000",
  HOST: "127.0.0.1",
  PUBLIC_URL: "https://shop.example",
  OFFICE_PORT: "3002",
  OFFICE_HOST: "127.0.0.1",
  OFFICE_URL: "https://office.shop.example",
  METRICS_PORT: "9100",
  METRICS_HOST: "127.0.0.1",
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
  OTEL_TRACES_SAMPLER_ARG: "0.1",
  DATA_DIR: "./data",
  DEMO_PAST: "off",
  PICTURES_URL: "s3://irepo-pictures",
  AWS_ENDPOINT_URL: "https://s3.store.example",
  AWS_ENDPOINT_URL_S3: "https://s3.store.example",
  AWS_REGION: "eu-west-1",
  DATABASE_URL: "postgresql://irepo:secret@127.0.0.1:5432/irepo",
  DATABASE_OWNER_URL: "postgresql://irepo_owner:secret@127.0.0.1:5432/irepo",
  DATABASE_DIRECT_URL: "postgresql://irepo:secret@127.0.0.1:5432/irepo",
  MIGRATE_ON_START: "false",
  DRAIN_DELAY: "10",
  INSTANCES: "many",
  WEB_CONCURRENCY: "2",
  SESSION_SECRET: "the output of: openssl rand -hex 32",
  SESSION_FALLBACK_SECRET: "the output of: openssl rand -hex 32",
  SMTP_URL: "smtp://user:secret@mail.example:587",
  MAIL_FROM: "'My shop <orders@shop.example>'",
  CONTACT_EMAIL: "help@shop.example",
  WHATSAPP: "+2348031234567",
  INSTAGRAM_URL: "https://www.instagram.com/irepo",
  X_URL: "https://x.com/irepo",
  ...providers.examples,
  SANDBOX_PORT: "3001",
  HOLD_AT_MOST: "50",
  MOST_OF_A_SIZE: "10",
  GOOGLE_CLIENT_ID: "1234.apps.googleusercontent.com",
  GOOGLE_CLIENT_SECRET: "GOCSPX-secret",
  GOOGLE_ISSUER: "https://accounts.google.com",
  RATES_URL: "https://rates.example/latest?base=USD",
  GEO_URL: "https://geo.example/{ip}/json",
  COUNTRY_HEADER: "cf-ipcountry",
  TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8",
  SHOP_TIMEZONE: "Africa/Lagos",
  DEFER_HYDRATION: "false",
  BACKUPS: "elsewhere",
  LOG_LEVEL: "info",
};

type ProviderValues = ReturnType<typeof providers.valuesOf>;

/** The checked settings, and what follows from them. */
export type Env = Settings &
  ProviderValues & {
    /** Where shoppers can reach the owner. */
    contact: { email: string; whatsappUrl?: string; instagramUrl?: string; xUrl?: string };
    /** Warnings for the start, about settings that are allowed but probably not intended. */
    warnings: SettingProblem[];
    publicUrl: URL;
    officePort: number;
    /** The address of the back office; undefined if it is not opened. */
    officeUrl?: URL;
    dataDir: string;
    /** Whether something that must survive lies in `dataDir`; otherwise it need not exist. */
    usesDataDir: boolean;
    /** Where the products' pictures are stored. */
    pictures: StoreLocation;
    /** In the demo it is generated at first use and kept in `dataDir`. */
    readonly sessionSecret: string;
    sandboxPort: number;
    /** True while no provider keys are set: payments go to the sandbox. */
    demoPayments: boolean;
    /** True while no SMTP server is set, never on https: mails stay in DATA_DIR/outbox and at /demo/mail. */
    demoMail: boolean;
    /**
     * True while neither a Google client nor a live key is set, and the shop is one instance: the sandbox's OpenID
     * provider answers.
     */
    demoGoogle: boolean;
    /** Whether an empty demo is filled with a past: payments go to its own sandbox, whose books are part of it. */
    hasDemoPast: boolean;
    /** Whether real money moves: the provider's keys are live. */
    live: boolean;
    /** Absent if there is neither a Google client nor the demo's: sign-in with Google is not offered then. */
    google?: { clientId: string; clientSecret: string; issuer: string };
  };

/** One line for each setting that is wrong: its name, what is wrong, an example. */
export type SettingProblem = string;

/** Reads the settings from `source`, or returns what is wrong with them. Changes nothing in the environment. */
export function readEnv(source: Record<string, string | undefined>): { env: Env } | { problems: SettingProblem[] } {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const empty = emptyOnline(source);
  const parsed = settings.safeParse(given);
  const unknown = misspelledNames(Object.keys(given), Object.keys(EXAMPLES)).map(
    ({ name, meant }) => `${name}: there is no such setting: rename it to ${meant}, or take it out`,
  );
  if (!parsed.success || unknown.length > 0) {
    const issues = parsed.error?.issues ?? [];
    const wrong = issues.map((issue) => problem(issue.path[0] as keyof Settings, issue.message));
    return { problems: [...unknown, ...empty.map(emptyProblem), ...wrong] };
  }
  const s = parsed.data;
  const secured = {
    DATABASE_URL: securedDatabase(s.DATABASE_URL, source.PGHOST),
    DATABASE_DIRECT_URL: securedDatabase(s.DATABASE_DIRECT_URL, source.PGHOST),
    DATABASE_OWNER_URL: securedDatabase(s.DATABASE_OWNER_URL, source.PGHOST),
    SMTP_URL: securedMailServer(s.SMTP_URL),
  };
  const problems = contradictions(s, empty);
  for (const name of Object.keys(secured) as (keyof typeof secured)[])
    if (secured[name].problem) problems.push(problem(name, secured[name].problem));
  if (problems.length > 0) return { problems };

  const demoPayments = !providers.hasKeys(s);
  const live = providers.isLive(s);
  const demoGoogle = !s.GOOGLE_CLIENT_ID && !live && s.INSTANCES === "one";
  const demoMail = !s.SMTP_URL && !isOnline(s);
  const isDemo = demoPayments || demoGoogle || demoMail || !s.SESSION_SECRET;
  const officePort = s.OFFICE_PORT ?? s.PORT + 2;
  const sandboxPort = s.SANDBOX_PORT ?? s.PORT + 1;
  const sandbox = `http://127.0.0.1:${sandboxPort}`;
  const dataDir = path.resolve(s.DATA_DIR);
  let drawnSecret: string | undefined; // cached, since each signed cookie needs it
  return {
    env: {
      ...s,
      DATABASE_URL: secured.DATABASE_URL.url,
      DATABASE_DIRECT_URL: secured.DATABASE_DIRECT_URL.url,
      DATABASE_OWNER_URL: secured.DATABASE_OWNER_URL.url,
      SMTP_URL: secured.SMTP_URL.url,
      contact: contactOf(s),
      warnings: warnings(s),
      publicUrl: new URL(s.PUBLIC_URL ?? `http://localhost:${s.PORT}`),
      officePort,
      officeUrl: officeUrl(s, officePort, live),
      dataDir,
      usesDataDir: isDemo || !s.DATABASE_URL || !s.PICTURES_URL,
      pictures: s.PICTURES_URL ?? { folder: path.join(dataDir, "pictures") },
      // The demo's secret is kept, so that devices on which somebody has signed in are still known after a restart.
      // Sessions do not need it.
      get sessionSecret() {
        drawnSecret = s.SESSION_SECRET ?? drawnSecret ?? keptRandom(path.join(dataDir, "session-secret"), 32);
        return drawnSecret;
      },
      sandboxPort,
      demoPayments,
      demoMail,
      demoGoogle,
      hasDemoPast: s.DEMO_PAST === "on" && demoPayments && !s.DATABASE_URL && !s.PAYSTACK_API_URL,
      live,
      ...providers.valuesOf(s, sandbox),
      google: googleClient(s, demoGoogle, sandbox),
    },
  };
}

/** With live payment keys the office opens only at an address set by the owner. */
function officeUrl({ OFFICE_URL: given }: Settings, port: number, live: boolean): URL | undefined {
  if (port === 0 || (live && !given)) return;
  return new URL(given ?? `http://localhost:${port}`);
}

/**
 * How shoppers reach the owner. The demo has profiles of its own; on the internet only the owner's are shown. Without
 * CONTACT_EMAIL the sender of the shop's mails is the contact.
 */
function contactOf(s: Settings): Env["contact"] {
  const sender = /<([^<>]+)>\s*$/.exec(s.MAIL_FROM ?? "")?.[1] ?? s.MAIL_FROM;
  const demo = isOnline(s) ? {} : { instagramUrl: "https://www.instagram.com/irepo", xUrl: "https://x.com/irepo" };
  return {
    email: s.CONTACT_EMAIL ?? sender ?? "hello@irepo.example",
    whatsappUrl: s.WHATSAPP && `https://wa.me/${s.WHATSAPP.slice(1)}`,
    instagramUrl: s.INSTAGRAM_URL ?? demo.instagramUrl,
    xUrl: s.X_URL ?? demo.xUrl,
  };
}

function googleClient(s: Settings, demo: boolean, sandbox: string): Env["google"] {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = s;
  if (clientId && clientSecret) return { clientId, clientSecret, issuer: issuer ?? "https://accounts.google.com" };
  if (!demo) return;
  return { clientId: "irepo-demo", clientSecret: "irepo-demo-secret", issuer: issuer ?? `${sandbox}/oidc` };
}

function problem(name: keyof Settings, what: string): SettingProblem {
  return `${name}: ${what} (for example ${name}=${EXAMPLES[name]})`;
}

/**
 * Settings that have a default in the demo. If PUBLIC_URL is https, an empty value is a mistake, such as a secret that
 * was not passed on.
 */
const NEVER_EMPTY = [
  "SESSION_SECRET",
  "SESSION_FALLBACK_SECRET",
  "SMTP_URL",
  "MAIL_FROM",
  "DATABASE_URL",
  ...providers.KEYS,
  "GOOGLE_CLIENT_ID",
  "GOOGLE_CLIENT_SECRET",
  "TRUSTED_PROXIES",
] as const;

function emptyOnline(source: Record<string, string | undefined>): (keyof Settings)[] {
  if (!isOnline(source)) return [];
  return NEVER_EMPTY.filter((name) => source[name] !== undefined && source[name].trim() === "");
}

function emptyProblem(name: keyof Settings): SettingProblem {
  return problem(name, "is given without a value: give it one, or leave the line out");
}

/** Settings that instances on several machines must share, and why the demo's defaults do not suffice. */
const SHARED = [
  ["DATABASE_URL", "the same on each: all work on one database"],
  ["PICTURES_URL", "the same on each: all show the same pictures"],
  ["PUBLIC_URL", "the same on each: mails and forms name it"],
  ["SESSION_SECRET", "the same on each: what one has signed the others must know"],
  ["SMTP_URL", "since the demo's mails stay on the instance that sends them"],
  ["PAYSTACK_SECRET_KEY", "since the demo's payments are known to one instance alone"],
] as const;

/** `empty`: settings given without a value. Each is reported once, and not again as missing. */
function contradictions(s: Settings, empty: (keyof Settings)[]): SettingProblem[] {
  const problems = empty.map(emptyProblem);
  const missing = (name: keyof Settings, why: string) => {
    if (!s[name] && !empty.includes(name)) problems.push(problem(name, why));
  };
  const together = (a: keyof Settings, b: keyof Settings) => {
    if (!s[a] !== !s[b]) missing(s[a] ? b : a, `is missing while ${s[a] ? a : b} is set`);
  };
  for (const names of providers.TOGETHER) together(...names);
  together("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET");
  if (s.OFFICE_PORT === s.PORT) problems.push(problem("OFFICE_PORT", "is the shop's own PORT"));
  if (s.SANDBOX_PORT === s.PORT) problems.push(problem("SANDBOX_PORT", "is the shop's own PORT"));
  if (s.PORT + 2 > LAST_PORT && !(s.SANDBOX_PORT && s.OFFICE_PORT !== undefined))
    problems.push(
      problem("PORT", `leaves no room for SANDBOX_PORT and OFFICE_PORT, the two after it: the last is ${LAST_PORT}`),
    );
  if (s.METRICS_PORT === s.PORT) problems.push(problem("METRICS_PORT", "is the shop's own PORT"));
  if (s.DATABASE_DIRECT_URL)
    missing("DATABASE_URL", "is missing while DATABASE_DIRECT_URL is set: it names the pooler");
  problems.push(...ownerProblems(s));

  for (const [name, what] of providers.contradictions(s)) problems.push(problem(name, what));
  const live = providers.isLive(s);
  if (s.INSTANCES === "many")
    for (const [name, why] of SHARED) missing(name, `is required with INSTANCES=many, ${why}`);
  else if (live || isOnline(s)) {
    const when = live ? "with live payment keys" : "when PUBLIC_URL is an https address";
    missing("SMTP_URL", `is required ${when}: customers must get their mail, and nobody else`);
    missing("SESSION_SECRET", `is required ${when}`);
  }
  if (live) {
    if (s.OFFICE_URL && !s.OFFICE_URL.startsWith("https:"))
      problems.push(problem("OFFICE_URL", "must be an https address with live payment keys"));
    if (!isOnline(s)) problems.push(problem("PUBLIC_URL", "must be an https address with live payment keys"));
    for (const name of [...providers.ADDRESSES, "GOOGLE_ISSUER"] as const)
      if (s[name] && !s[name].startsWith("https://"))
        problems.push(problem(name, "must be https with live payment keys"));
  }
  if (isOnline(s))
    problems.push(...imprudent(s), ...weakSecrets(s, providers.KEYS).map(([name, what]) => problem(name, what)));
  return problems;
}

function ownerProblems({ DATABASE_URL: shop, DATABASE_OWNER_URL: owner }: Settings): SettingProblem[] {
  if (!owner) return [];
  if (!shop) return [problem("DATABASE_URL", "is missing while DATABASE_OWNER_URL is set")];
  if (new URL(shop).username !== new URL(owner).username) return [];
  return [problem("DATABASE_OWNER_URL", "names the same user as DATABASE_URL: the shop's own must own nothing")];
}

/** Whether the shop is on the internet. Some problems that do not matter in a trial then stop the start. */
function isOnline({ PUBLIC_URL }: { PUBLIC_URL?: string }): boolean {
  return /^https:/i.test(PUBLIC_URL ?? "");
}

function imprudent(s: Settings): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const name of ["RATES_URL", "GEO_URL"] as const)
    if (s[name] && isAskedInClear(s[name]))
      problems.push(problem(name, "must be https: else anybody on the way may answer in its place"));
  if (s.COUNTRY_HEADER && !s.TRUSTED_PROXIES)
    problems.push(problem("TRUSTED_PROXIES", "is missing while COUNTRY_HEADER is set: anybody can name a country"));
  const wide = s.TRUSTED_PROXIES?.find(isTooWide);
  if (wide)
    problems.push(problem("TRUSTED_PROXIES", `trusts strangers with ${wide}: anybody there can claim any address`));
  if (s.SMTP_URL && !s.MAIL_FROM)
    problems.push(
      problem("MAIL_FROM", "is missing while SMTP_URL is set: servers refuse mail from hello@irepo.example"),
    );
  return problems;
}

/**
 * Warnings about a demo that others can reach. Its mailbox and its sign-in without a password are served to this
 * machine only (isFromThisMachine).
 */
function shownToNetwork(s: Settings): SettingProblem[] {
  if (providers.hasKeys(s)) return [];
  const shown = (["HOST", "OFFICE_HOST"] as const).filter((name) => !isLoopbackName(s[name]));
  return shown.map(
    (name) =>
      `${name}=${s[name]} shows the demo to everybody in the network; its mailbox and the sign-in with one press open at localhost alone`,
  );
}

function warnings(s: Settings): SettingProblem[] {
  if (!isOnline(s)) return [...imprudent(s), ...shownToNetwork(s)];
  const lines: SettingProblem[] = [];
  if (!s.TRUSTED_PROXIES)
    lines.push(
      problem(
        "TRUSTED_PROXIES",
        "is missing while PUBLIC_URL is an https address: behind the proxy that ends TLS all visitors count as one, and are refused as one",
      ),
    );
  if (s.OFFICE_URL && new URL(s.OFFICE_URL).hostname === new URL(s.PUBLIC_URL ?? "").hostname)
    lines.push(
      problem("OFFICE_URL", "has the host of PUBLIC_URL, whose ports share their cookies: give it another one"),
    );
  if (!s.CONTACT_EMAIL && providers.isLive(s))
    lines.push(
      problem(
        "CONTACT_EMAIL",
        `is missing with live payment keys: shoppers are told to write to ${contactOf(s).email}, the sender of the shop's mails`,
      ),
    );
  return lines;
}

function readFileOfSettings(): void {
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
  } catch (error) {
    process.stderr.write(`.env cannot be read: ${(error as Error).message}\n`);
    process.exit(2);
  }
}

function load(): Env {
  readFileOfSettings();
  const result = readEnv(process.env);
  if ("env" in result) return result.env;
  for (const line of result.problems) process.stderr.write(`${line}\n`);
  process.exit(2);
}

export const env = load();

/**
 * Makes all processes started from here on inherit the address of the shop's role alone. DATABASE_OWNER_URL is set to
 * an empty text: if it were missing, the processes would read it from .env again.
 */
export function forgetOwner({ url, direct = "" }: { url: string; direct?: string }): void {
  if (!env.DATABASE_URL) return; // the embedded database's owner is in no setting
  Object.assign(process.env, { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_OWNER_URL: "" });
  env.DATABASE_OWNER_URL = undefined;
}
