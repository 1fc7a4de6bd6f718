import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readEnv } from "./env.server.ts";

const drawn = (bytes: number) => randomBytes(bytes).toString("hex");
const DEMO = { DATA_DIR: "./data/test", SESSION_SECRET: drawn(16) };
const ONLINE = {
  ...DEMO,
  PUBLIC_URL: "https://shop.example",
  SMTP_URL: "smtp://mail.example:587",
  MAIL_FROM: "Irepo <orders@shop.example>",
  TRUSTED_PROXIES: "127.0.0.1, ::1, 10.0.0.0/8, fd00::/8, 104.16.0.0/13, 2400:cb00::/32",
};
const LIVE = {
  ...ONLINE,
  PAYSTACK_SECRET_KEY: `sk_live_${drawn(20)}`,
  PAYSTACK_PUBLIC_KEY: `pk_live_${drawn(20)}`,
};
const linesOf = (settings: Record<string, string | undefined>) => {
  const result = readEnv(settings);
  return "problems" in result ? result.problems : [];
};

test("with nothing set the demo runs: sandbox, mailbox, port 3000", () => {
  const result = readEnv(DEMO);
  expect(result).toMatchObject({
    env: {
      PORT: 3000,
      demoPayments: true,
      demoMail: true,
      sandboxPort: 3001,
      live: false,
      paystack: { apiUrl: "http://127.0.0.1:3001" },
    },
  });
});

test("with live keys nothing of the demo is left", () => {
  expect(readEnv(LIVE)).toMatchObject({
    env: {
      demoPayments: false,
      demoMail: false,
      live: true,
      paystack: { apiUrl: "https://api.paystack.co", checkoutUrl: "https://checkout.paystack.com" },
    },
  });
});

test("the sign-in with Google is the sandbox's in the demo, the owner's with a client, and off with live keys alone", () => {
  const google = (settings: Record<string, string>) => {
    const result = readEnv({ ...DEMO, ...settings });
    return "env" in result ? result.env.google?.issuer : result.problems;
  };
  expect(google({})).toBe("http://127.0.0.1:3001/oidc");
  expect(google({ GOOGLE_CLIENT_ID: "a", GOOGLE_CLIENT_SECRET: "b" })).toBe("https://accounts.google.com");
  expect(google(LIVE)).toBeUndefined();
});

describe("with INSTANCES=many", () => {
  const MANY = {
    ...ONLINE,
    INSTANCES: "many",
    DATABASE_URL: `postgresql://irepo:${drawn(16)}@127.0.0.1:5432/irepo`,
    PICTURES_URL: "s3://irepo-pictures/shop",
    PAYSTACK_SECRET_KEY: `sk_test_${drawn(20)}`,
    PAYSTACK_PUBLIC_KEY: `pk_test_${drawn(20)}`,
  };

  test("nothing lies in DATA_DIR, and nothing of the demo is left", () => {
    expect(readEnv(MANY)).toMatchObject({
      env: {
        usesDataDir: false,
        pictures: { bucket: "irepo-pictures", prefix: "shop/" },
        ...{ demoPayments: false, demoMail: false, demoGoogle: false, google: undefined },
      },
    });
  });

  test.each(["DATABASE_URL", "PICTURES_URL", "PUBLIC_URL", "SESSION_SECRET", "SMTP_URL", "PAYSTACK_SECRET_KEY"])(
    "%s is required, which is one line",
    (name) => {
      const lines = linesOf({ ...MANY, PAYSTACK_PUBLIC_KEY: undefined, [name]: undefined });
      const own = lines.filter((line) => line.startsWith(`${name}: is required with INSTANCES=many`));
      expect(own).toEqual([expect.stringContaining(`for example ${name}=`)]);
      expect(lines.filter((line) => line.startsWith(`${name}:`))).toHaveLength(1);
    },
  );
});

test.each([
  ["the demo", DEMO],
  ["an embedded database", { ...LIVE, PICTURES_URL: "s3://irepo-pictures" }],
  ["pictures without PICTURES_URL", { ...LIVE, DATABASE_URL: "postgresql://irepo@127.0.0.1/irepo" }],
])("DATA_DIR is needed for %s", (_, settings) => {
  expect(readEnv(settings)).toMatchObject({ env: { usesDataDir: true } });
});

test("with an outside database a shop on https requires SESSION_SECRET, by which devices are known", () => {
  const outside = { ...ONLINE, DATABASE_URL: `postgresql://irepo:${drawn(16)}@127.0.0.1/irepo` };
  expect(linesOf({ ...outside, SESSION_SECRET: undefined })).toEqual([
    expect.stringMatching(/^SESSION_SECRET: is required .*for example SESSION_SECRET=/),
  ]);
});

test.each([
  ["by default", {}, false],
  ["when the owner takes it", { PAYSTACK_CHANNELS: "card, apple_pay" }, true],
])("the wallet's button: %s", (_, settings, wallet) => {
  expect(readEnv({ ...DEMO, ...settings })).toMatchObject({ env: { paystack: { wallet } } });
});

test.each([
  ["an invalid place of pictures", { PICTURES_URL: "https://pictures.example" }, "PICTURES_URL: must be a folder, or"],
  ["pictures in a bucket without a name", { PICTURES_URL: "s3://" }, "PICTURES_URL: must be a folder, or s3://bucket"],
  ["a store that is no address", { AWS_ENDPOINT_URL_S3: "store" }, "AWS_ENDPOINT_URL_S3: must be a URL"],
  ["neither one nor many", { INSTANCES: "3" }, "INSTANCES: must be one or many"],
  ["an invalid port", { PORT: "http" }, "PORT"],
  ["a limit of 0 pieces to hold", { HOLD_AT_MOST: "0" }, "HOLD_AT_MOST"],
  ["an invalid number of pieces", { MOST_OF_A_SIZE: "ten" }, "MOST_OF_A_SIZE"],
  ["a database that is no PostgreSQL", { DATABASE_URL: "mysql://x/y" }, "DATABASE_URL"],
  ["a number without its country", { WHATSAPP: "08031234567" }, "WHATSAPP: must be a number with +"],
  ["an invalid collector of traces", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
  ["more traces than all", { OTEL_TRACES_SAMPLER_ARG: "10" }, "OTEL_TRACES_SAMPLER_ARG"],
  ["an invalid time zone", { SHOP_TIMEZONE: "Lagos" }, "SHOP_TIMEZONE"],
  ["a time zone without a name", { SHOP_TIMEZONE: "+01:00" }, "SHOP_TIMEZONE"],
  [
    "one provider key without the other",
    { PAYSTACK_SECRET_KEY: "sk_test_1" },
    "PAYSTACK_PUBLIC_KEY: is missing while PAYSTACK_SECRET_KEY is set",
  ],
  [
    "keys of two modes",
    { ...LIVE, PAYSTACK_PUBLIC_KEY: `pk_test_${drawn(20)}` },
    "PAYSTACK_PUBLIC_KEY: is of another mode",
  ],
  ["half a Google client", { GOOGLE_CLIENT_ID: "a" }, "GOOGLE_CLIENT_SECRET"],
  [
    "the owner of the tables without a role for the shop",
    { DATABASE_OWNER_URL: "postgresql://owner:x@db/irepo" },
    "DATABASE_URL: is missing while DATABASE_OWNER_URL is set",
  ],
  [
    "one user for the owner's work and the shop's",
    { DATABASE_OWNER_URL: "postgresql://irepo:x@db/irepo", DATABASE_URL: "postgresql://irepo:x@db/irepo" },
    "DATABASE_OWNER_URL: names the same user as DATABASE_URL",
  ],
  [
    "the database's own address without that of the pooler",
    { DATABASE_DIRECT_URL: "postgresql://irepo:x@127.0.0.1/irepo" },
    "DATABASE_URL: is missing while DATABASE_DIRECT_URL is set",
  ],
  [
    "the database's own address in clear",
    { DATABASE_URL: "postgresql://127.0.0.1/irepo", DATABASE_DIRECT_URL: "postgresql://db/irepo?sslmode=disable" },
    "DATABASE_DIRECT_URL: cannot have sslmode=disable",
  ],
  [
    "its owner's address in clear",
    { DATABASE_URL: "postgresql://irepo@db/irepo", DATABASE_OWNER_URL: "postgresql://owner@db/irepo?sslmode=disable" },
    "DATABASE_OWNER_URL: cannot have sslmode=disable",
  ],
  ["a short secret", { SESSION_SECRET: "short" }, "SESSION_SECRET: must have at least 32 characters"],
  ["live keys without mail", { ...LIVE, SMTP_URL: undefined }, "SMTP_URL: is required with live payment keys"],
  ["a proxy by its name", { TRUSTED_PROXIES: "127.0.0.1, proxy" }, "TRUSTED_PROXIES: “proxy” is neither an IP address"],
  ["an invalid range", { TRUSTED_PROXIES: "10.0.0.0/40" }, "TRUSTED_PROXIES: “10.0.0.0/40” is neither"],
  ["no name of a header", { COUNTRY_HEADER: "cf ipcountry" }, "COUNTRY_HEADER: must be the name of a header"],
  ["live keys without https", { ...LIVE, PUBLIC_URL: "http://shop.example" }, "PUBLIC_URL: must be an https address"],
  ["an unknown way to pay", { PAYSTACK_CHANNELS: "card,cash" }, "PAYSTACK_CHANNELS: must be a list of card"],
  [
    "two who have a share",
    { PAYSTACK_SPLIT_CODE: "SPL_1", PAYSTACK_SUBACCOUNT: "ACCT_1" },
    "PAYSTACK_SUBACCOUNT: cannot be set together with PAYSTACK_SPLIT_CODE",
  ],
  ["live keys sent in clear", { ...LIVE, PAYSTACK_API_URL: "http://127.0.0.1:1" }, "PAYSTACK_API_URL: must be https"],
  [
    "a payment page in clear",
    { ...LIVE, PAYSTACK_CHECKOUT_URL: "http://pay.example" },
    "PAYSTACK_CHECKOUT_URL: must be",
  ],
  [
    "identities without TLS",
    { ...LIVE, GOOGLE_CLIENT_ID: "a", GOOGLE_CLIENT_SECRET: "b", GOOGLE_ISSUER: "http://id.example" },
    "GOOGLE_ISSUER: must be https",
  ],
  [
    "a shop on the internet without a sender of mail",
    { PUBLIC_URL: "https://shop.example", SMTP_URL: "smtp://mail.example" },
    "MAIL_FROM: is missing while SMTP_URL",
  ],
  [
    "a shop on the internet to which anybody can name a country",
    { PUBLIC_URL: "https://shop.example", COUNTRY_HEADER: "cf-ipcountry" },
    "TRUSTED_PROXIES: is missing while COUNTRY_HEADER is set",
  ],
])("S59 %s stops the start with a line that names the setting", (_, settings, line) => {
  const result = readEnv({ ...DEMO, ...settings });
  expect("problems" in result && result.problems.join("\n")).toContain(line);
});

test.each([
  "PAYSTACK_PREVIOUS_SECRET_KEY",
  "PAYSTACK_CHECKOUT_URL",
  "GOOGLE_ISSUER",
  "RATES_URL",
  "GEO_URL",
  "NODE_ENV",
])("the problem of an invalid %s has an example that is accepted", (name) => {
  const wrong = readEnv({ ...DEMO, [name]: "wrong" });
  const [, example] = /for example \w+=(.+)\)$/.exec("problems" in wrong ? String(wrong.problems) : "") ?? [];
  expect(example).toBeDefined();
  expect(readEnv({ ...DEMO, [name]: example })).toHaveProperty("env");
});

test.each([
  [
    "https without a trusted proxy",
    { ...ONLINE, TRUSTED_PROXIES: undefined },
    ["TRUSTED_PROXIES: is missing while PUBLIC_URL"],
  ],
  [
    "a country from no trusted proxy",
    { COUNTRY_HEADER: "cf-ipcountry" },
    ["TRUSTED_PROXIES: is missing while COUNTRY_HEADER is set"],
  ],
  [
    "an office that shares the shop's cookies",
    { ...ONLINE, OFFICE_URL: "https://shop.example:8443" },
    ["OFFICE_URL: has the host of PUBLIC_URL"],
  ],
  ["a mail server without a sender", { SMTP_URL: "smtp://mail.example" }, ["MAIL_FROM: is missing while SMTP_URL"]],
  [
    "proxies that may be anybody",
    { TRUSTED_PROXIES: "0.0.0.0/0" },
    ["TRUSTED_PROXIES: trusts strangers with 0.0.0.0/0"],
  ],
  ["live keys without a contact address", LIVE, ["CONTACT_EMAIL: is missing with live payment keys"]],
  ["all that live keys need", { ...LIVE, CONTACT_EMAIL: "help@shop.example" }, []],
  ["the demo", {}, []],
  ["7 the demo at another name of this machine", { HOST: "127.0.0.2", OFFICE_HOST: "::1" }, []],
  [
    "7 a demo that the network sees",
    { HOST: "0.0.0.0", OFFICE_HOST: "::" },
    ["HOST=0.0.0.0 shows the demo to everybody in the network", "OFFICE_HOST=:: shows the demo"],
  ],
])("the warnings at the start: %s", (_, settings, lines) => {
  const result = readEnv({ ...DEMO, ...settings });
  expect("env" in result && result.env.warnings).toEqual(lines.map((line) => expect.stringContaining(line)));
});

test.each([
  [
    "the demo's own, if nothing is set",
    {},
    {
      email: "hello@irepo.example",
      instagramUrl: "https://www.instagram.com/irepo",
      xUrl: "https://x.com/irepo",
    },
  ],
  [
    "as they are set",
    {
      CONTACT_EMAIL: "help@shop.example",
      INSTAGRAM_URL: "https://instagram.example/us",
      X_URL: "https://x.example/us",
      WHATSAPP: "+234 803 123-4567",
    },
    {
      email: "help@shop.example",
      whatsappUrl: "https://wa.me/2348031234567",
      instagramUrl: "https://instagram.example/us",
      xUrl: "https://x.example/us",
    },
  ],
  ["on the internet the sender, and nobody else's profiles", ONLINE, { email: "orders@shop.example" }],
])("contact and social links: %s", (_, settings, contact) => {
  const result = readEnv({ ...DEMO, ...settings });
  expect("env" in result && result.env.contact).toEqual(contact);
});

describe("S59 a shop on the internet does not start", () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    [
      "without a mail server",
      { SMTP_URL: undefined, MAIL_FROM: undefined },
      "SMTP_URL: is required when PUBLIC_URL is",
    ],
    [
      "without one, its address in capitals",
      { PUBLIC_URL: "HTTPS://shop.example", SMTP_URL: undefined },
      "SMTP_URL: is",
    ],
    [
      "without a secret",
      { SESSION_SECRET: undefined },
      "SESSION_SECRET: is required when PUBLIC_URL is an https address",
    ],
    ["with an empty secret", { SESSION_SECRET: "" }, "SESSION_SECRET: is given without a value"],
    ["with an empty mail server", { SMTP_URL: " " }, "SMTP_URL: is given without a value"],
    ["with an empty key", { PAYSTACK_SECRET_KEY: "" }, "PAYSTACK_SECRET_KEY: is given without a value"],
    ["with an empty database", { DATABASE_URL: "" }, "DATABASE_URL: is given without a value"],
    ["with an empty list of proxies", { TRUSTED_PROXIES: "" }, "TRUSTED_PROXIES: is given without a value"],
    ["with a short key", { ...LIVE, PAYSTACK_SECRET_KEY: "sk_live_4f1c2" }, "PAYSTACK_SECRET_KEY: is too short"],
    ["with the documents' key", { ...LIVE, PAYSTACK_SECRET_KEY: "sk_live_…" }, "PAYSTACK_SECRET_KEY: is too short"],
    [
      "with a drawn-out key",
      { ...LIVE, PAYSTACK_PUBLIC_KEY: `pk_live_${"a".repeat(40)}` },
      "PAYSTACK_PUBLIC_KEY: repeats",
    ],
    [
      "with the documents' Google client",
      { GOOGLE_CLIENT_ID: "1234.apps.googleusercontent.com", GOOGLE_CLIENT_SECRET: "GOCSPX-secret" },
      "GOOGLE_CLIENT_SECRET: is a placeholder",
    ],
    [
      "with the documents' mail password",
      { SMTP_URL: "smtps://user:password@mail.example" },
      "SMTP_URL: has a password that is a placeholder",
    ],
    [
      "with the documents' database password",
      { DATABASE_URL: "postgresql://irepo:secret@127.0.0.1:5432/irepo" },
      "DATABASE_URL: has a password that is a placeholder",
    ],
    [
      "with the documents' password for the owner of the tables",
      {
        DATABASE_URL: `postgresql://irepo:${drawn(16)}@127.0.0.1/irepo`,
        DATABASE_OWNER_URL: "postgresql://irepo_owner:secret@127.0.0.1/irepo",
      },
      "DATABASE_OWNER_URL: has a password that is a placeholder",
    ],
    ["that hears the rate in clear", { RATES_URL: "http://rates.example/latest" }, "RATES_URL: must be https"],
    ["that tells addresses in clear", { GEO_URL: "http://geo.example/{ip}/json" }, "GEO_URL: must be https"],
  ])("%s, and says so in one line", (_, settings, line) => {
    expect(linesOf({ ...ONLINE, ...settings })).toEqual([expect.stringContaining(line)]);
  });

  test.each([
    "changeme-changeme-changeme-changeme",
    "please-change-this-secret-in-production",
    "the output of: openssl rand -hex 32",
    "Secret Secret Secret Secret Secret Secret",
    "x".repeat(32),
    "ab".repeat(20),
    "0123456789abcdef0123456789abcdef",
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "aabbcaabbccabcabcaabbccabcabacbcc",
  ])("with the secret “%s”", (secret) => {
    for (const name of ["SESSION_SECRET", "SESSION_FALLBACK_SECRET"])
      expect(linesOf({ ...ONLINE, [name]: secret })).toEqual([
        expect.stringMatching(new RegExp(`^${name}: (is a placeholder|repeats itself)`)),
      ]);
  });

  test.each([
    "0.0.0.0/0",
    "::/0",
    "0.0.0.0/1",
    "128.0.0.0/1",
    "10.0.0.0/7",
    "::ffff:0:0/96",
    "2000::/3",
    "::/80",
    "fc00::/6",
  ])("with the proxies %s", (range) => {
    expect(linesOf({ ...ONLINE, TRUSTED_PROXIES: `127.0.0.1, ${range}` })).toEqual([
      expect.stringContaining(`TRUSTED_PROXIES: trusts strangers with ${range}`),
    ]);
  });

  test("without these settings it starts, and has no mailbox of the demo", () => {
    const elsewhere = { RATES_URL: "http://127.0.0.1:8080/latest", OFFICE_URL: "https://office.shop.example" };
    expect(readEnv({ ...ONLINE, ...elsewhere })).toHaveProperty("env");
    for (let drawing = 0; drawing < 200; drawing++) {
      const secret = randomBytes(24).toString(drawing % 2 ? "base64url" : "hex");
      expect(readEnv({ ...ONLINE, SESSION_SECRET: secret, RATES_URL: "" })).toMatchObject({ env: { demoMail: false } });
    }
  });
});

test("every problem has its own line", () => {
  const result = readEnv({ PORT: "0", WEB_CONCURRENCY: "many" });
  expect("problems" in result && result.problems).toHaveLength(2);
});

test.each([
  [{ PORT: "abc" }, "PORT: must be a whole number from 1 to 65535 (for example PORT=3000)"],
  [{ PORT: "70000" }, "PORT: must be a whole number from 1 to 65535 (for example PORT=3000)"],
  [{ PORT: "65534" }, /^PORT: leaves no room for SANDBOX_PORT and OFFICE_PORT/],
  [{ WEB_CONCURRENCY: "many" }, /^WEB_CONCURRENCY: must be a whole number from 1 to 64/],
  [{ SANDBOX_PORT: "3000" }, /^SANDBOX_PORT: is the shop's own PORT/],
  [
    { PAYSTACK_SECRETKEY: "sk_live_x" },
    "PAYSTACK_SECRETKEY: there is no such setting: rename it to PAYSTACK_SECRET_KEY, or take it out",
  ],
  [{ PUBLICURL: "https://shop.example" }, /rename it to PUBLIC_URL/],
  [{ public_url: "https://shop.example" }, /rename it to PUBLIC_URL/],
  [{ DATABSE_URL: "postgresql://127.0.0.1/irepo" }, /rename it to DATABASE_URL/],
  [{ SESION_SECRETT: "x" }, /rename it to SESSION_SECRET/],
])("49 the problem of %j is one sentence", (settings, line) => {
  expect(linesOf({ DATA_DIR: "./data/test", ...settings })).toEqual([
    typeof line === "string" ? line : expect.stringMatching(line),
  ]);
});

test("49 settings of other programs cause no problem", () => {
  const others = [
    "PGHOST",
    "HOSTNAME",
    "HTTP_URL",
    "AWS_ENDPOINT_URL_SQS",
    "NODE_OPTIONS",
    "LANG",
    "IREPO_PORT",
    "npm_config_port",
  ];
  expect(linesOf({ ...DEMO, ...Object.fromEntries(others.map((name) => [name, "x"])) })).toEqual([]);
  expect(linesOf({ ...DEMO, LOG_LEVEL: "info", LOGLEVEL: "verbose" })).toEqual([]);
});
