import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { validate } from "dockerfile-utils";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Job } from "kubernetes-models/batch/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Secret, Service } from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { isInstalled, lint } from "../machines/web-balancer.ts";

const read = (file: string) => readFileSync(file, "utf8");
const containerfile = read("Containerfile");
const settings = new Set(
  read("docs/settings.md")
    .match(/`[A-Z][A-Z_\d]+/g)
    ?.map((name) => name.slice(1)),
);
/** Of other programs: the S3 client's and Node's own. */
const isElsewhere = (name: string) => name.startsWith("AWS_") || name === "NODE_ENV";

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

test("the image's recipe copies nothing that holds secrets or data", () => {
  expect(read(".containerignore").split("\n")).toEqual(
    expect.arrayContaining([".env", "data", ".git", "node_modules"]),
  );
});

describe("Kubernetes", () => {
  const kinds = {
    Deployment,
    Service,
    PodDisruptionBudget,
    HorizontalPodAutoscaler,
    NetworkPolicy,
    Job,
    ConfigMap,
    Secret,
  };
  const documents = ["shop", "migrate", "settings.example"].flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((document) => document.toJS()),
  );
  const named = z.object({ kind: z.enum(Object.keys(kinds) as [keyof typeof kinds]), metadata: z.object({}) });
  const all = documents.map((document) => ({ document, kind: named.parse(document).kind }));

  test.each(all)("$kind is as its schema says", ({ document, kind }) => {
    expect(() => new kinds[kind](document).validate()).not.toThrow();
  });

  test("every kind of manifest is there", () => {
    expect(all.map(({ kind }) => kind).sort()).toEqual(Object.keys(kinds).sort());
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

test("nginx lets through the photographs of a return, 32 MB and what stands around them", () => {
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(read("deploy/nginx.conf")) ?? [];
  expect(Number(megabytes)).toBeGreaterThan(32);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasSystemd)("systemd finds no fault in the unit (skipped where systemd-analyze is not installed)", () => {
  const { stderr } = spawnSync("systemd-analyze", ["verify", "deploy/systemd/irepo.service"], { encoding: "utf8" });
  expect(stderr).toBe("");
});
