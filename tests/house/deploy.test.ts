import { execFile, execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { parseEnv, promisify } from "node:util";
import { validate } from "dockerfile-utils";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Job } from "kubernetes-models/batch/v1";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Secret, Service } from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { mostConnections } from "#app/infra/database/connections.server.ts";
import { readEnv } from "#app/infra/env.server.ts";
import { DESCRIPTIONS } from "#app/providers/descriptions.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { SOURCES } from "../../scripts/build.ts";
import { environmentOf, readUnit, type Unit, writableFolders } from "../machines/systemd-unit.ts";
import { isInstalled, lint } from "../machines/web-balancer.ts";
import { contextFilter, copiedFrom } from "./build-context.ts";

const read = (file: string) => readFileSync(file, "utf8");
const containerfile = read("Containerfile");
const settings = new Set(
  read("docs/settings.md")
    .match(/`[A-Z][A-Z_\d]+/g)
    ?.map((name) => name.slice(1)),
);
/** Whether a setting belongs to another program: the S3 client or Node. */
const isElsewhere = (name: string) => name.startsWith("AWS_") || name === "NODE_ENV";

/** The direct connections that an instance behind a pooler keeps: docs/running.md. */
const DIRECT_CONNECTIONS = 5;

test("the image's recipe has no fault, and runs under a user of its own", () => {
  expect(validate(containerfile)).toEqual([]);
  expect(containerfile).toMatch(/^USER \d+$/m);
});

test("no package that the image's recipe takes out is needed by one that stays", () => {
  const out = [...containerfile.matchAll(/node_modules\/((?:@[\w-]+\/)?[@\w-]+)(?=[ *]|$)/gm)].map(
    ([, name = ""]) => name,
  );
  const isOut = (name: string) =>
    out.some((one) => name === one || name.startsWith(`${one}/`) || name.startsWith(`${one}-`));
  const packages = z.record(z.string(), z.object({ dependencies: z.record(z.string(), z.string()).default({}) }));
  const lock = z.object({ packages }).parse(JSON.parse(read("package-lock.json"))).packages;
  const needed = new Map<string, string>();
  const visit = (from: string) => {
    for (const name of Object.keys(lock[from]?.dependencies ?? {}))
      if (!needed.has(name) && (from || !isOut(name))) {
        needed.set(name, from);
        visit(`node_modules/${name}`);
      }
  };
  visit("");
  expect(out.length).toBeGreaterThan(8);
  expect([...needed].filter(([name]) => isOut(name))).toEqual([]);
});

describe("45 what comes into the image", () => {
  const isInContext = contextFilter(read(".dockerignore"));
  const copied = copiedFrom(containerfile);
  const isTaken = (file: string) =>
    isInContext(file) && copied.some((place) => file === place || file.startsWith(`${place}/`));

  test("the rules of its file are read as docker reads them", () => {
    const isThere = contextFilter("*\n!app\n**/.env*\n**/*.test.ts\n!app/kept.test.ts\n");
    const all = [
      "app/a.ts",
      "app/b/c.ts",
      "app/.env",
      "app/b/.env.live",
      "app/a.test.ts",
      "app/kept.test.ts",
      "docs/a",
      "x",
    ];
    expect(all.filter(isThere)).toEqual(["app/a.ts", "app/b/c.ts", "app/kept.test.ts"]);
    expect(copiedFrom("COPY a b ./\nCOPY --from=build /x y\nADD --chown=1 c d/\n")).toEqual(["a", "b", "c"]);
  });

  test.each([
    ".env",
    ".env.production",
    "deploy/.env",
    "app/.env",
    "scripts/.env.local",
    ".git/config",
    "data/postgres-password",
    "data/postgres/base/1",
    "irepo-2026-01-31T02-10-00Z.backup",
    "db/irepo.backup",
    "public/live.pem",
    "sandbox/live.key",
    "deploy/kubernetes/settings.yaml",
    "office/npm-debug.log",
    "settings.txt",
    "node_modules/.cache/compiled/x",
    "build/0123456789abcdef/provenance.json",
  ])("%s does not", (planted) => {
    expect(isTaken(planted)).toBe(false);
  });

  test("everything that a build is made of does, and nothing is copied but by name", () => {
    const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).trim().split("\n");
    const isSource = (file: string) => SOURCES.some((place) => file === place || file.startsWith(`${place}/`));
    const wanted = files.filter((file) => isSource(file) && !/\.test\.tsx?$/.test(file));
    expect(wanted.length).toBeGreaterThan(500);
    expect(wanted.filter((file) => !isTaken(file))).toEqual([]);
    expect(copied.filter((place) => !/^[\w.-]+$/.test(place) || place === ".")).toEqual([]);
  });

  test("what it is made on has a version, which an owner may name by its digest", () => {
    const bases = [...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    const given = [...containerfile.matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)].map(([, name, image]) => [
      `\${${name}}`,
      image,
    ]);
    expect(bases).toEqual(given.map(([name]) => name));
    for (const [, image] of given) expect(image).toMatch(/:\d+\.\d+/);
  });
});

describe("Kubernetes", () => {
  const kinds = {
    Deployment,
    Service,
    PodDisruptionBudget,
    HorizontalPodAutoscaler,
    Ingress,
    NetworkPolicy,
    Job,
    ConfigMap,
    Secret,
  };
  const documents = ["shop", "migrate", "settings.example", "ingress.example"].flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((document) => document.toJS()),
  );
  const named = z.object({ kind: z.enum(Object.keys(kinds) as [keyof typeof kinds]), metadata: z.object({}) });
  const all = documents.map((document) => ({ document, kind: named.parse(document).kind }));

  test.each(all)("$kind is as its schema says", ({ document, kind }) => {
    expect(() => new kinds[kind](document).validate()).not.toThrow();
  });

  test("every kind of manifest is there", () => {
    expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual(Object.keys(kinds).sort());
  });

  test("its settings are settings of the shop", () => {
    const given = all.filter(({ kind }) => kind === "ConfigMap" || kind === "Secret").map(({ document }) => document);
    const names = given.flatMap(({ data, stringData }) => Object.keys(data ?? stringData));
    expect(names.filter((name) => !settings.has(name) && !isElsewhere(name))).toEqual([]);
  });

  test("the ports that are probed and scraped are those of the image", () => {
    const deployment = all.find(({ kind }) => kind === "Deployment")?.document;
    const [container] = deployment.spec.template.spec.containers;
    const ports = container.ports.map(({ containerPort }: { containerPort: number }) => containerPort);
    expect(containerfile).toContain(`EXPOSE ${ports.join(" ")}`);
  });

  const the = (kind: string, name: string) =>
    all.find((one) => one.kind === kind && one.document.metadata.name === name)?.document;

  test("49 the autoscaler alone says how many there are, and the database has connections for all of them", () => {
    const { maxReplicas } = the("HorizontalPodAutoscaler", "irepo").spec;
    const { replicas, strategy } = the("Deployment", "irepo").spec;
    expect(replicas).toBeUndefined();
    const { max_connections } = parse(read("deploy/database/patroni.yml")).bootstrap.dcs.postgresql.parameters;
    const { DATABASE_DIRECT_URL: direct, DATABASE_URL: pooler } = the("Secret", "irepo").stringData;
    expect(pooler).toContain("pooler");
    expect(direct).not.toContain("pooler");
    const instances = maxReplicas + strategy.rollingUpdate.maxSurge + the("Deployment", "irepo-office").spec.replicas;
    expect(instances * DIRECT_CONNECTIONS + 1).toBeLessThan(max_connections / 2);
  });

  test("49 one slow answer takes no instance out, and a drained one is out before it stops", () => {
    const [{ readinessProbe }] = the("Deployment", "irepo").spec.template.spec.containers;
    const { periodSeconds, timeoutSeconds, failureThreshold } = readinessProbe;
    expect([timeoutSeconds >= 2, failureThreshold >= 3]).toEqual([true, true]);
    expect(periodSeconds * failureThreshold).toBeLessThan(Number(the("ConfigMap", "irepo").data.DRAIN_DELAY));
  });

  test("49 the office has a host of its own, at one instance, and photographs come through", () => {
    const { metadata, spec } = the("Ingress", "irepo");
    expect(Number.parseInt(metadata.annotations["nginx.ingress.kubernetes.io/proxy-body-size"], 10)).toBeGreaterThan(
      32,
    );
    const hosts = spec.rules.map(({ host }: { host: string }) => `https://${host}`);
    const { PUBLIC_URL, OFFICE_URL } = the("ConfigMap", "irepo").data;
    expect(hosts).toEqual([PUBLIC_URL, OFFICE_URL]);
    expect(the("Deployment", "irepo-office").spec.replicas).toBe(1);
  });

  test("6 the owner's address is the migration's alone", () => {
    const users = all.filter(({ document }) => JSON.stringify(document).includes('"secretRef":{"name":"irepo-owner"}'));
    expect(users.map(({ kind }) => kind)).toEqual(["Job"]);
    expect(the("ConfigMap", "irepo").data.MIGRATE_ON_START).toBe("false");
    expect(Object.keys(the("Secret", "irepo").stringData)).not.toContain("DATABASE_OWNER_URL");
  });
});

describe("the compose file", () => {
  const compose = parse(read("deploy/compose.yaml"), { merge: true });

  test("names settings of the shop, services and volumes that there are", () => {
    const { environment } = compose["x-shop"];
    expect(Object.keys(environment).filter((name) => !settings.has(name) && !isElsewhere(name))).toEqual([]);
    for (const { depends_on = {}, volumes = [] } of Object.values<Record<string, string[] | object>>(
      compose.services,
    )) {
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(needed));
      const kept = [volumes].flat().map((volume) => String(volume).split(":")[0]);
      expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(kept.filter((one) => !one?.startsWith("."))));
    }
  });

  test("the proxy's networks are trusted, of both kinds of addresses", () => {
    const { enable_ipv6, ipam } = compose.networks.default;
    const subnets: string[] = ipam.config.map(({ subnet }: { subnet: string }) => subnet);
    expect(compose["x-shop"].environment.TRUSTED_PROXIES).toBe(subnets.join());
    expect([enable_ipv6, subnets.some((one) => one.includes(":")), subnets.some((one) => one.includes("."))]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("every image has a version", () => {
    const images = Object.values<{ image: string }>(compose.services).map(({ image }) => image);
    expect(images.filter((image) => image !== "irepo" && !/:\d/.test(image))).toEqual([]);
  });

  const { services } = compose;
  const isShop = ({ image, command }: { image: string; command?: unknown }) => image === "irepo" && !command;

  test("49 the database has connections for all instances", () => {
    const [, most] = /max_connections=(\d+)/.exec(services.database.command.join(" ")) ?? [];
    const instances = Object.values<{ image: string }>(services).filter(isShop).length;
    expect(instances).toBe(3);
    expect(instances * (mostConnections(1) + 1)).toBeLessThan(Number(most));
  });

  test("49 the bucket is made where it is missing, and is left alone where it is there", async () => {
    const s3 = await startS3Server("another");
    const env = { PATH: process.env.PATH, AWS_REGION: "us-east-1", ...s3.settings };
    const run = () => promisify(execFile)(process.execPath, services["make-bucket"].command, { env });
    try {
      await run();
      await run();
      const answer = await fetch(`http://127.0.0.1:${s3.port}/pictures`, { method: "HEAD" });
      expect(answer.status, "there is one, and it is closed").not.toBe(404);
    } finally {
      await s3.stop();
    }
  });

  test("49 the office has a host of its own, and 33 MB come through", () => {
    const { OFFICE_URL, OFFICE_PORT } = services.office.environment;
    const sites = [
      ...read("deploy/Caddyfile").matchAll(
        /^((?:office\.)?\{\$DOMAIN\}) \{\n[\s\S]*?max_size (\d+)MB[\s\S]*?reverse_proxy (.*) \{/gm,
      ),
    ];
    expect(OFFICE_URL).toMatch(/^https:\/\/office\.\$\{DOMAIN\}$/);
    expect(sites.map(([, site, size, to]) => [site, size, to])).toEqual([
      ["{$DOMAIN}", "33", "shop-1:3000 shop-2:3000"],
      ["office.{$DOMAIN}", "33", `office:${OFFICE_PORT}`],
    ]);
  });

  test("6 the owner's address is the migration's alone; neither database nor store can be reached by others", () => {
    const owners = Object.keys(services).filter((name) => services[name].environment?.DATABASE_OWNER_URL);
    expect(owners).toEqual(["migrate"]);
    expect(compose["x-settings"].DATABASE_URL).toContain("//irepo_work:${SHOP_PASSWORD:?");
    expect([services.database.network_mode, services.bucket.networks, compose.networks.store.internal]).toEqual([
      "none",
      ["store"],
      true,
    ]);
    const published = Object.keys(services).filter((name) => services[name].ports);
    expect(published).toEqual(["proxy"]);
  });
});

test.for(["haproxy", "nginx"] as const)(
  "%s finds no fault in its file (skipped where it is not installed)",
  (engine, { skip }) => {
    if (!isInstalled(engine)) skip();
    expect(() => lint(engine)).not.toThrow();
  },
);

test.each(["nginx.conf", "haproxy.cfg", "Caddyfile"])("%s leads browsers on to https, and no program", (file) => {
  const [, refused] = /(\^?\/\(?api.*webhooks\)?\/.*|@programs path .*)/.exec(read(`deploy/${file}`)) ?? [];
  expect(refused).toMatch(/api.*webhooks/);
  expect(read(`deploy/${file}`)).toMatch(/(return|deny_status|respond) 403/);
});

test.each([
  ["nginx.conf", /ssl_protocols TLSv1\.2 TLSv1\.3;/],
  ["haproxy.cfg", /ssl-min-ver TLSv1\.2/],
])("%s speaks TLS 1.2 and later, whatever the system's default is", (file, pattern) => {
  expect(read(`deploy/${file}`)).toMatch(pattern);
});

test.each([
  ["nginx.conf", /limit_conn connections (\d+);/, /rate=(\d+)r\/s/, 1],
  ["haproxy.cfg", /sc0_conn_cur gt (\d+) /, /sc0_http_req_rate gt (\d+) /, 10],
  ["kubernetes/ingress.example.yaml", /limit-connections: "(\d+)"/, /limit-rps: "(\d+)"/, 1],
])(
  "3 %s bounds what one address may ask, with room for those behind a carrier's",
  (file, connections, requests, per) => {
    const numberIn = (pattern: RegExp) => Number(pattern.exec(read(`deploy/${file}`))?.[1]);
    expect(numberIn(connections)).toBe(500);
    expect(numberIn(requests) / per).toBe(300);
  },
);

test.each(["nginx.conf", "haproxy.cfg"])("3 %s does not count the provider's webhooks", (file) => {
  const paths = DESCRIPTIONS.flatMap(({ webhook }) => webhook?.path ?? []);
  expect(paths).toContain("/webhooks/paystack");
  for (const path of paths)
    expect(read(`deploy/${file}`)).toMatch(new RegExp(`${path} ""|track-sc0 .* unless \\{ path ${path} \\}`));
});

test("nginx lets through the photographs of a return, 32 MB and what stands around them", () => {
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(read("deploy/nginx.conf")) ?? [];
  expect(Number(megabytes)).toBeGreaterThan(32);
});

const UNITS = readdirSync("deploy/systemd").map((name) => `deploy/systemd/${name}`);
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("systemd finds no fault in the units (skipped where systemd-analyze is not installed)", () => {
  const { stderr } = spawnSync("systemd-analyze", ["verify", ...UNITS], { encoding: "utf8" });
  expect(stderr).toBe("");
});

/** The paths of all files in deploy/. */
const files = readdirSync("deploy", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name));

describe("6 no file of deploy/", () => {
  test.each(files)(
    "%s opens an administration, sets a password that is known, or takes whatever image there is",
    (file) => {
      const text = read(file).replace(/(^|\s)#.*$/gm, "");
      const images = [...text.matchAll(/\bimage: *(\S+)/g)].map(([, image = ""]) => image);
      expect(images.filter((image) => image !== "irepo" && !/(:\d[\w.-]*|@sha256:[\da-f]{64})$/.test(image))).toEqual(
        [],
      );
      const passwords = [...text.matchAll(/\b\w*(?:password|secret)"?\s*[:=]\s*"?([^\s,"}]+)/gi)].map(
        ([, word = ""]) => word,
      );
      expect(
        passwords.filter(
          (word) => !/^(\.\.\.|secret|\?drawn|'password';|the|\$.*|sk_live_\.\.\.|irepo-tls)$/.test(word),
        ),
      ).toEqual([]);
      const inAddresses = [...text.matchAll(/:\/\/[^:\s/]+:([^@\s]+)@/g)].map(([, word = ""]) => word);
      expect(inAddresses.filter((word) => !/^(password|\$\{.*)$/.test(word))).toEqual([]);
      expect(text).not.toMatch(
        /docker\.sock|privileged: true|stats (enable|uri|admin)|admin +(0\.0\.0\.0|:2019)|stub_status/,
      );
    },
  );

  test("lets anybody change what Patroni does", () => {
    const { restapi, etcd3, postgresql } = parse(read("deploy/database/patroni.yml"));
    expect(restapi).toMatchObject({
      certfile: expect.any(String),
      cafile: expect.any(String),
      verify_client: expect.stringMatching(/optional|required/),
      authentication: { username: expect.any(String), password: "..." },
    });
    expect(restapi.allowlist.every((address: string) => isIP(address))).toBe(true);
    expect(etcd3).toMatchObject({
      protocol: "https",
      cacert: expect.any(String),
      username: "patroni",
      password: "...",
    });
    for (const { listen } of [restapi, postgresql]) expect(listen).not.toMatch(/0\.0\.0\.0|\*|::/);
    expect(read("deploy/database/haproxy.cfg").match(/check-ssl verify required/g)).toHaveLength(2);
  });
});

test("49 the settings of one small server are those of a shop that opens, once its secrets are drawn", () => {
  const given = parseEnv(read("deploy/one-server/irepo.env.example"));
  const drawn = randomBytes(24).toString("hex");
  const secrets = {
    SESSION_SECRET: drawn,
    SMTP_URL: `smtps://user:${drawn}@mail.example`,
    PAYSTACK_SECRET_KEY: `sk_live_${drawn}`,
    PAYSTACK_PUBLIC_KEY: `pk_live_${drawn}`,
  };
  expect(readEnv(given)).toHaveProperty("problems");
  expect(readEnv({ ...given, ...secrets })).toHaveProperty("env");
});

describe("47 the units", () => {
  const [shop, setup, backup] = ["irepo", "irepo-setup", "irepo-backup"].map((name) =>
    readUnit(`deploy/systemd/${name}.service`),
  ) as [Unit, Unit, Unit];
  const checkout = shop.one("WorkingDirectory");

  test("only the one that installs and builds, which no visitor reaches, may write to the shop's own files", () => {
    expect([shop, setup, backup].map(writableFolders)).toEqual([
      ["/var/lib/irepo", "/var/cache/irepo"],
      ["/var/cache/irepo", checkout],
      ["/var/lib/irepo", "/var/cache/irepo", "/var/backups/irepo"],
    ]);
    expect(shop.one("Requires")).toBe("irepo-setup.service");
    expect(shop.one("After")).toContain("irepo-setup.service");
  });

  test("their settings are those of the owner's commands: .env in the shop's folder, read by the shop itself", () => {
    for (const unit of [shop, setup, backup]) {
      expect([unit.one("User"), unit.one("WorkingDirectory"), unit.all("EnvironmentFile")]).toEqual([
        "irepo",
        checkout,
        [],
      ]);
      const given = Object.keys(environmentOf(unit, "/"));
      expect(given.filter((name) => settings.has(name))).toEqual([]);
      expect(unit.one("ExecStart")).toMatch(
        /^\/usr\/bin\/env node scripts\/boot\.mjs (start|shop (setup|backup \S+ --keep \d+))$/,
      );
    }
  });

  test("a comment behind a value is none of it", () => {
    const document = read("docs/running.md");
    const [, example = ""] = /## 1\. Settings[\s\S]*?\n((?: {4}.*\n)+)/.exec(document) ?? [];
    const values = parseEnv(example.replaceAll(/^ {4}/gm, ""));
    expect(Object.keys(values).length).toBeGreaterThan(10);
    expect(Object.values(values).filter((value) => value?.includes("#") || value !== value?.trim())).toEqual([]);
  });
});
