import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { keptRandom } from "./data-dir.server.ts";
import { isEmail } from "./email-address.ts";
import { type Place, readPlace } from "./object-store/place.ts";
import { isAskedInClear, securedDatabase, securedMailServer } from "./settings/transport-security.ts";
import { isTooWide, weakSecrets } from "./settings/unsafe-settings.ts";

const url = (protocols: RegExp) => z.url({ protocol: protocols, error: "must be a URL" });
const count = z.coerce.number<string>().int().min(1);
const port = z.coerce.number<string>().int().min(1).max(65535);

/** The ways to pay that the provider has for naira and that a page can offer. */
const CHANNELS = ["card", "bank", "bank_transfer", "ussd", "qr", "apple_pay"] as const;

const parts = (list: string) => list.split(",").map((part) => part.trim());

/** A name of the IANA database: the database reckons with it, too, to which +01:00 would mean the other direction. */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false; // a RangeError: there is no such zone
  }
}

/** An empty value counts as absent, as in an `.env` file with `NAME=`; on https not if a part of the demo would replace it: see `emptyOnline`. */
const settings = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  PORT: port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  PUBLIC_URL: url(/^https?$/).optional(),
  OFFICE_PORT: z.coerce.number<string>().int().min(0).max(65535).optional(),
  OFFICE_HOST: z.string().default("127.0.0.1"),
  OFFICE_URL: url(/^https?$/).optional(),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default("127.0.0.1"),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number<string>().min(0).max(1).default(1),
  DATA_DIR: z.string().default("./data"),
  PICTURES_URL: z
    .string()
    .transform(readPlace)
    .refine((place) => place !== undefined, "must be a folder, or s3://bucket")
    .optional(),
  AWS_ENDPOINT_URL: url(/^https?$/).optional(),
  AWS_ENDPOINT_URL_S3: url(/^https?$/).optional(),
  AWS_REGION: z.string().optional(),
  DATABASE_URL: url(/^postgres(ql)?$/).optional(),
  DATABASE_OWNER_URL: url(/^postgres(ql)?$/).optional(),
  DATABASE_DIRECT_URL: url(/^postgres(ql)?$/).optional(),
  MIGRATE_ON_START: z.stringbool({ error: "must be true or false" }).default(true),
  DRAIN_DELAY: z.coerce.number<string>().int().min(0).max(600).default(0),
  INSTANCES: z.enum(["one", "many"], "must be one or many").default("one"),
  WEB_CONCURRENCY: z.coerce.number<string>().int().min(1).max(64).default(1),
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
  PAYSTACK_SECRET_KEY: z
    .string()
    .regex(/^sk_(test|live)_/, "must start with sk_test_ or sk_live_")
    .optional(),
  PAYSTACK_PUBLIC_KEY: z
    .string()
    .regex(/^pk_(test|live)_/, "must start with pk_test_ or pk_live_")
    .optional(),
  PAYSTACK_PREVIOUS_SECRET_KEY: z
    .string()
    .regex(/^sk_(test|live)_/, "must start with sk_test_ or sk_live_")
    .optional(),
  PAYSTACK_API_URL: url(/^https?$/).optional(),
  PAYSTACK_CHECKOUT_URL: url(/^https?$/).optional(),
  PAYSTACK_CHANNELS: z
    .string()
    .transform(parts)
    .pipe(z.array(z.enum(CHANNELS, `must be a list of ${CHANNELS.join(", ")}`)))
    .optional(),
  PAYSTACK_SPLIT_CODE: z
    .string()
    .regex(/^SPL_\w+$/, "must start with SPL_")
    .optional(),
  PAYSTACK_SUBACCOUNT: z
    .string()
    .regex(/^ACCT_\w+$/, "must start with ACCT_")
    .optional(),
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
  MAIL_FROM: "'Irepo <orders@shop.example>'",
  CONTACT_EMAIL: "help@shop.example",
  WHATSAPP: "+2348031234567",
  INSTAGRAM_URL: "https://www.instagram.com/irepo",
  X_URL: "https://x.com/irepo",
  PAYSTACK_SECRET_KEY: "sk_test_0123456789abcdef",
  PAYSTACK_PUBLIC_KEY: "pk_test_0123456789abcdef",
  PAYSTACK_PREVIOUS_SECRET_KEY: "sk_test_0123456789abcdef",
  PAYSTACK_API_URL: "https://api.paystack.co",
  PAYSTACK_CHECKOUT_URL: "https://checkout.paystack.com",
  PAYSTACK_CHANNELS: "card,bank_transfer,ussd,bank",
  PAYSTACK_SPLIT_CODE: "SPL_98WF13Eb3w",
  PAYSTACK_SUBACCOUNT: "ACCT_8f4s1eq7ml6rlzj",
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
  LOG_LEVEL: "info",
};

/** Everything the shop needs to know of the world it runs in. */
export type Env = Settings & {
  MAIL_FROM: string;
  /** Where shoppers can reach the owner. */
  contact: { email: string; whatsappUrl?: string; instagramUrl?: string; xUrl?: string };
  /** Warnings at the start: allowed, but hardly intended. */
  warnings: Problem[];
  publicUrl: URL;
  officePort: number;
  /** Where the back office is opened; undefined: nowhere. */
  officeUrl?: URL;
  dataDir: string;
  /** Whether something that must survive lies in `dataDir`; otherwise it need not exist. */
  usesDataDir: boolean;
  /** Where the products' pictures lie. */
  pictures: Place;
  /** In the demo made when it is first asked for, and kept. */
  readonly sessionSecret: string;
  sandboxPort: number;
  /** True while no provider keys are set: payments go to the sandbox. */
  demoPayments: boolean;
  /** True while no SMTP server is set, never on https: mails stay in DATA_DIR/outbox and at /demo/mail. */
  demoMail: boolean;
  /** True while neither a Google client nor a live key is set, and the shop is one instance: the sandbox's OpenID provider answers. */
  demoGoogle: boolean;
  paystack: {
    secretKey: string;
    previousSecretKey?: string;
    publicKey: string;
    apiUrl: string;
    checkoutUrl: string;
    live: boolean;
    /** The ways to pay that shoppers are offered. */
    channels: readonly string[];
    /** Whether devices with a wallet are shown its button. */
    wallet: boolean;
    /** Who else has a share of each payment, by a rule kept at the provider. */
    splitCode?: string;
    subaccount?: string;
  };
  /** Absent where there is neither a Google client nor the demo's: then nobody is offered that way in. */
  google?: { clientId: string; clientSecret: string; issuer: string };
};

/** One line for each setting that is wrong: its name, what is wrong, an example. */
export type Problem = string;

const SANDBOX_SECRET_KEY = "sk_test_sandbox0000000000000000000000000000";
const SANDBOX_PUBLIC_KEY = "pk_test_sandbox0000000000000000000000000000";

/** Reads the settings from `source`; changes nothing if there is a problem. */
export function readEnv(source: Record<string, string | undefined>): { env: Env } | { problems: Problem[] } {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()));
  const empty = emptyOnline(source);
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => problem(issue.path[0] as keyof Settings, issue.message));
    return { problems: [...empty.map(emptyProblem), ...wrong] };
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

  const channels = s.PAYSTACK_CHANNELS ?? ["card"];
  const demoPayments = !s.PAYSTACK_SECRET_KEY;
  const live = s.PAYSTACK_SECRET_KEY?.startsWith("sk_live_") ?? false;
  const demoGoogle = !s.GOOGLE_CLIENT_ID && !live && s.INSTANCES === "one";
  const demoMail = !s.SMTP_URL && !isOnline(s);
  const isDemo = demoPayments || demoGoogle || demoMail || !s.SESSION_SECRET;
  const officePort = s.OFFICE_PORT ?? s.PORT + 2;
  const sandboxPort = s.SANDBOX_PORT ?? s.PORT + 1;
  const sandbox = `http://127.0.0.1:${sandboxPort}`;
  const dataDir = path.resolve(s.DATA_DIR);
  return {
    env: {
      ...s,
      DATABASE_URL: secured.DATABASE_URL.url,
      DATABASE_DIRECT_URL: secured.DATABASE_DIRECT_URL.url,
      DATABASE_OWNER_URL: secured.DATABASE_OWNER_URL.url,
      SMTP_URL: secured.SMTP_URL.url,
      MAIL_FROM: s.MAIL_FROM ?? "Irepo <hello@irepo.example>",
      contact: contactOf(s),
      warnings: warnings(s),
      publicUrl: new URL(s.PUBLIC_URL ?? `http://localhost:${s.PORT}`),
      officePort,
      officeUrl: officeUrl(s, officePort, live),
      dataDir,
      usesDataDir: isDemo || !s.DATABASE_URL || !s.PICTURES_URL,
      pictures: s.PICTURES_URL ?? { folder: path.join(dataDir, "pictures") },
      // The demo's: kept, so that the devices on which somebody has signed in are known after a restart. Sessions need none.
      get sessionSecret() {
        return s.SESSION_SECRET ?? keptRandom(path.join(dataDir, "session-secret"), 32);
      },
      sandboxPort,
      demoPayments,
      demoMail,
      demoGoogle,
      paystack: {
        secretKey: s.PAYSTACK_SECRET_KEY ?? SANDBOX_SECRET_KEY,
        previousSecretKey: s.PAYSTACK_PREVIOUS_SECRET_KEY,
        publicKey: s.PAYSTACK_PUBLIC_KEY ?? SANDBOX_PUBLIC_KEY,
        apiUrl: s.PAYSTACK_API_URL ?? (demoPayments ? sandbox : "https://api.paystack.co"),
        checkoutUrl: s.PAYSTACK_CHECKOUT_URL ?? (demoPayments ? sandbox : "https://checkout.paystack.com"),
        live,
        channels,
        wallet: channels.includes("apple_pay"),
        splitCode: s.PAYSTACK_SPLIT_CODE,
        subaccount: s.PAYSTACK_SUBACCOUNT,
      },
      google: googleClient(s, demoGoogle, sandbox),
    },
  };
}

/** With live keys only at an address set by the owner. */
function officeUrl({ OFFICE_URL: given }: Settings, port: number, live: boolean): URL | undefined {
  if (port === 0 || (live && !given)) return;
  return new URL(given ?? `http://localhost:${port}`);
}

/** The demo has profiles of its own; on the internet an owner who names none has none. Whoever names no address is written to as the sender of the mails. */
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

function problem(name: keyof Settings, what: string): Problem {
  return `${name}: ${what} (for example ${name}=${EXAMPLES[name]})`;
}

/** Settings for which the demo has something of its own: on https one that is given without a value is a mistake, such as a secret that was not handed on. */
const NEVER_EMPTY = [
  "SESSION_SECRET",
  "SESSION_FALLBACK_SECRET",
  "SMTP_URL",
  "MAIL_FROM",
  "DATABASE_URL",
  "PAYSTACK_SECRET_KEY",
  "PAYSTACK_PUBLIC_KEY",
  "PAYSTACK_PREVIOUS_SECRET_KEY",
  "GOOGLE_CLIENT_ID",
  "GOOGLE_CLIENT_SECRET",
  "TRUSTED_PROXIES",
] as const;

function emptyOnline(source: Record<string, string | undefined>): (keyof Settings)[] {
  if (!isOnline(source)) return [];
  return NEVER_EMPTY.filter((name) => source[name] !== undefined && source[name].trim() === "");
}

function emptyProblem(name: keyof Settings): Problem {
  return problem(name, "is given without a value: give it one, or leave the line out");
}

/** What instances on several machines must have in common, and why the demo's own will not do. */
const SHARED = [
  ["DATABASE_URL", "the same on each: all work on one database"],
  ["PICTURES_URL", "the same on each: all show the same pictures"],
  ["PUBLIC_URL", "the same on each: mails and forms name it"],
  ["SESSION_SECRET", "the same on each: what one has signed the others must know"],
  ["SMTP_URL", "since the demo's mails stay on the instance that sends them"],
  ["PAYSTACK_SECRET_KEY", "since the demo's payments are known to one instance alone"],
] as const;

/** `empty`: settings that already have a problem line. */
function contradictions(s: Settings, empty: (keyof Settings)[]): Problem[] {
  const problems = empty.map(emptyProblem);
  const missing = (name: keyof Settings, why: string) => {
    if (!s[name] && !empty.includes(name)) problems.push(problem(name, why));
  };
  const together = (a: keyof Settings, b: keyof Settings) => {
    if (!s[a] !== !s[b]) missing(s[a] ? b : a, `is missing while ${s[a] ? a : b} is set`);
  };
  together("PAYSTACK_SECRET_KEY", "PAYSTACK_PUBLIC_KEY");
  together("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET");
  if (s.OFFICE_PORT === s.PORT) problems.push(problem("OFFICE_PORT", "is the shop's own PORT"));
  if (s.METRICS_PORT === s.PORT) problems.push(problem("METRICS_PORT", "is the shop's own PORT"));
  if (s.DATABASE_DIRECT_URL)
    missing("DATABASE_URL", "is missing while DATABASE_DIRECT_URL is set: it names the pooler");
  problems.push(...ownerProblems(s));

  if (s.PAYSTACK_SPLIT_CODE && s.PAYSTACK_SUBACCOUNT)
    problems.push(problem("PAYSTACK_SUBACCOUNT", "cannot be set together with PAYSTACK_SPLIT_CODE"));
  const live = s.PAYSTACK_SECRET_KEY?.startsWith("sk_live_") ?? false;
  if (s.PAYSTACK_SECRET_KEY && s.PAYSTACK_PUBLIC_KEY && live !== s.PAYSTACK_PUBLIC_KEY.startsWith("pk_live_")) {
    problems.push(problem("PAYSTACK_PUBLIC_KEY", "is of another mode (test or live) than PAYSTACK_SECRET_KEY"));
  }
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
    for (const name of ["PAYSTACK_API_URL", "PAYSTACK_CHECKOUT_URL", "GOOGLE_ISSUER"] as const)
      if (s[name] && !s[name].startsWith("https://"))
        problems.push(problem(name, "must be https with live payment keys"));
  }
  if (isOnline(s)) problems.push(...imprudent(s), ...weakSecrets(s).map(([name, what]) => problem(name, what)));
  return problems;
}

function ownerProblems({ DATABASE_URL: shop, DATABASE_OWNER_URL: owner }: Settings): Problem[] {
  if (!owner) return [];
  if (!shop) return [problem("DATABASE_URL", "is missing while DATABASE_OWNER_URL is set")];
  if (new URL(shop).username !== new URL(owner).username) return [];
  return [problem("DATABASE_OWNER_URL", "names the same user as DATABASE_URL: the shop's own must own nothing")];
}

/** For a shop on the internet: problems that do not matter in a trial stop the start. */
function isOnline({ PUBLIC_URL }: { PUBLIC_URL?: string }): boolean {
  return /^https:/i.test(PUBLIC_URL ?? "");
}

function imprudent(s: Settings): Problem[] {
  const problems: Problem[] = [];
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

function warnings(s: Settings): Problem[] {
  if (!isOnline(s)) return imprudent(s);
  const lines: Problem[] = [];
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
  if (!s.CONTACT_EMAIL && s.PAYSTACK_SECRET_KEY?.startsWith("sk_live_"))
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
