import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createSecureContext, TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { type FaultProxy, startFaultProxy } from "#tests/chaos/fault-proxy.ts";
import { ask } from "#tests/support/ask-database.ts";
import { certificateFor } from "#tests/support/certificates.ts";
import { freePort } from "#tests/support/free-port.ts";
import { LAGOS, newCustomer, pressPay } from "#tests/support/http-visitor.ts";
import { newDataDir, ownerUrl, type RunningShop, runShop, serverFile } from "#tests/support/running-shop.ts";

type Ended = { code: number | null; said: string };

/** Runs one of the owner's commands, or the start, as a separate program. */
async function run(script: "shop" | "start", words: string[], settings: Record<string, string>): Promise<Ended> {
  const env = { PATH: process.env.PATH, SESSION_SECRET: "x".repeat(32), ...settings };
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, "exit");
  return { code, said: (await said).join("") };
}

const serverPid = (shop: RunningShop) => Number(serverFile(shop)[0]);

describe("a shop with the embedded database", () => {
  let shop: RunningShop;
  beforeAll(async () => {
    const dataDir = newDataDir();
    mkdirSync(path.join(dataDir, "outbox"), { mode: 0o755 });
    for (const name of ["postgres.log", "outbox/1.eml"]) writeFileSync(path.join(dataDir, name), "", { mode: 0o644 });
    mkdirSync(path.join(dataDir, "pictures"));
    for (const name of [...begun, ...others]) writeFileSync(path.join(dataDir, name), "");
    mkdirSync(path.join(dataDir, "unfinished"));
    writeFileSync(path.join(dataDir, `unfinished/${NOBODY}.1`), path.join(dataDir, "shop.backup.part"));
    shop = await runShop({ DATA_DIR: dataDir });
  });
  /** The process number in the files of a process that has ended: no process has so high a number. */
  const NOBODY = 2 ** 30;
  const begun = ["shop.backup.part", `pictures/${"a".repeat(20)}.jpg.${NOBODY}.x1`];
  const others = ["others.part", `pictures/${"b".repeat(20)}.jpg.${process.pid}.x1`, "pictures/notes.txt"];
  afterAll(() => shop?.stop());

  test("keeps its data folder to itself, down to each file, also what was open to others before", () => {
    const open = (place: string): string[] => {
      const stat = lstatSync(place, { throwIfNoEntry: false });
      if (!stat || stat.isSymbolicLink()) return []; // the running shop removes files of its own meanwhile
      const own = stat.mode & 0o077 ? [`${place} ${(stat.mode & 0o777).toString(8)}`] : [];
      return stat.isDirectory() ? [...own, ...readdirSync(place).flatMap((name) => open(path.join(place, name)))] : own;
    };
    const passed = process.getuid?.() === 0 ? [`${shop.dataDir} 710`] : []; // for the database's own user
    expect(open(shop.dataDir)).toEqual(passed);
  });

  test("has removed what a killed process had begun to write, and nothing else", async () => {
    const there = (names: string[]) => names.filter((name) => existsSync(path.join(shop.dataDir, name)));
    await expect.poll(() => there(begun)).toEqual([]);
    expect(there(others)).toEqual(others);
  });

  test("can be backed up and restored while it has no customers", async () => {
    const command = (line: string) => run("shop", line.split(" "), { DATA_DIR: shop.dataDir });
    const file = path.join(shop.dataDir, "shop.backup");
    expect(await command(`backup ${file}`)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/\d+ rows and \d+ pictures/),
    });
    expect(await command(`restore ${file}`)).toMatchObject({ code: 0 });
    expect(await command("check")).toMatchObject({ code: 0 });
  });

  test("S63 does its work with a role that owns nothing", async () => {
    const roles = await ask(
      ownerUrl(shop),
      "select distinct usename from pg_stat_activity where application_name like 'irepo%'",
    );
    expect(roles).toEqual([{ usename: "irepo_shop" }]);
  });

  test("sells again within seconds when its database was killed hard", async () => {
    const customer = await newCustomer(shop, "ada@example.com");
    const before = serverPid(shop);
    const killed = performance.now();
    process.kill(before, "SIGKILL");
    await expect.poll(() => serverPid(shop)).not.toBe(before);
    await expect.poll(async () => (await fetch(`${shop.url}/status`)).status, { interval: 100 }).toBe(200);
    expect(performance.now() - killed).toBeLessThan(30_000); // 3 s if the machine is not busy

    await customer.post("/Cart", { intent: "add", id: "unity-home-jersey", size: "M", quantity: "1" });
    expect((await pressPay(customer, { ...LAGOS, email: "ada@example.com" })).status).toBe(303);
    const [transaction] = await (await fetch(`${shop.sandboxUrl}/__sandbox/transactions`)).json();
    await fetch(`${shop.sandboxUrl}/__sandbox/pay`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ reference: transaction.reference }),
    });
    await expect.poll(async () => (await customer.get("/account")).text()).toContain(transaction.reference);
    await newCustomer(shop, "bola@example.com"); // its verification mail shows that the jobs run, too
  });

  test("ends with 1 and a line when its database cannot be started again", async () => {
    const ended = shop.ended();
    writeFileSync(path.join(shop.dataDir, "postgres/postgresql.conf"), "no_such_setting = 1\n");
    process.kill(serverPid(shop), "SIGKILL");
    expect(await ended).toBe(1);
    await expect.poll(shop.said).toMatch(/^DATA_DIR: PostgreSQL did not start .*no_such_setting/m);
  });
});

describe("a shop whose database is somewhere else", () => {
  let shop: RunningShop;
  let proxy: FaultProxy;
  let url: string;
  beforeAll(async () => {
    const admin = inject("postgresUrl");
    proxy = await startFaultProxy(Number(new URL(admin).port));
    await ask(admin, "create database elsewhere");
    url = admin.replace(/\/postgres$/, "/elsewhere");
    shop = await runShop({
      DATABASE_URL: url.replace(/:\d+\//, `:${proxy.port}/`),
      WEB_CONCURRENCY: "2",
      LOG_LEVEL: "info",
    });
  });
  afterAll(async () => {
    await shop?.stop();
    await proxy?.close();
    await ask(inject("postgresUrl"), "drop database if exists elsewhere with (force)");
  });

  test("says in one line that the database is away, and in one that it is back", async () => {
    const before = shop.said().length;
    proxy.toxics.down = true;
    proxy.cut(1000, Math.random);
    const until = performance.now() + 4000;
    const visits = Array.from({ length: 8 }, async () => {
      while (performance.now() < until)
        for (const place of ["/shop", "/api/me", "/login", "/status"])
          await fetch(shop.url + place, { headers: { connection: "close", cookie: "irepo.session=x" } }).catch(
            () => undefined,
          );
    });
    await Promise.all(visits);
    proxy.toxics.down = false;
    const lines = () =>
      shop
        .said()
        .slice(before)
        .split("\n")
        .filter(Boolean)
        .map((line) => (line.startsWith("{") ? JSON.parse(line) : { msg: line }));
    const back = () => lines().filter(({ msg }) => msg === "the database is back");
    await expect.poll(back).toHaveLength(3);
    expect(lines().filter(({ pid }) => !pid)).toEqual([]);
    for (const pid of back().map(({ pid }) => pid)) {
      expect(
        lines()
          .filter((line) => line.pid === pid)
          .map(({ msg }) => msg),
      ).toEqual(["the database is away", "the database is back"]);
    }
    expect(back()[0]).toMatchObject({ seconds: expect.any(Number), failures: expect.any(Number) });
    expect((await fetch(`${shop.url}/shop`)).status).toBe(200);
  });
});

describe("what cannot be", () => {
  const away = "postgresql://irepo:x@127.0.0.1:1/irepo";
  const nowhere = path.join(tmpdir(), "irepo-nowhere");

  test.each([["check"], ["backup shop.backup"], ["rate set 1500"]])(
    "%s makes no shop where there is none",
    async (line) => {
      const { code, said } = await run("shop", line.split(" "), { DATA_DIR: nowhere, SESSION_SECRET: "" });
      expect([code, said]).toEqual([
        2,
        expect.stringMatching(/^DATA_DIR: there is no shop in .*irepo-nowhere.*postgres/),
      ]);
      expect(existsSync(nowhere)).toBe(false);
    },
  );

  test("a command makes no shop in a database without one", async () => {
    const admin = inject("postgresUrl");
    await ask(admin, "create database no_shop");
    const url = admin.replace(/\/postgres$/, "/no_shop");
    const { code, said } = await run("shop", ["check"], { DATABASE_URL: url });
    expect([code, said]).toEqual([2, expect.stringMatching(/^DATABASE_URL: there is no shop in .*no_shop/)]);
    expect(await ask(url, "select from pg_tables where schemaname in ('public', 'jobs')")).toEqual([]);
    await ask(admin, "drop database no_shop");
  });

  const lines: [string, "shop" | "start", () => Record<string, string>, RegExp][] = [
    [
      "nobody answers at DATABASE_URL",
      "start",
      () => ({ DATABASE_URL: away }),
      /^DATABASE_URL: nobody answers at 127\.0\.0\.1:1/,
    ],
    [
      "nobody answers a command",
      "shop",
      () => ({ DATABASE_URL: away }),
      /^DATABASE_URL: nobody answers at 127\.0\.0\.1:1/,
    ],
    [
      "a wrong password",
      "start",
      () => ({ DATABASE_URL: inject("postgresUrl").replace(/irepo:[^@]*@/, "irepo:wrong@") }),
      /^DATABASE_URL: .*password/,
    ],
    [
      "a database that is not there",
      "start",
      () => ({ DATABASE_URL: inject("postgresUrl").replace(/\/postgres$/, "/missing") }),
      /^DATABASE_URL: .*no database.*missing/,
    ],
    [
      "a data folder that is a file",
      "start",
      () => ({ DATA_DIR: "package.json", SESSION_SECRET: "" }),
      /^DATA_DIR: .*package\.json/,
    ],
    [
      "a cluster of another version",
      "start",
      () => {
        const dataDir = mkdtempSync(path.join(tmpdir(), "irepo-old-"));
        chmodSync(dataDir, 0o755);
        mkdirSync(path.join(dataDir, "postgres"));
        writeFileSync(path.join(dataDir, "postgres/PG_VERSION"), "16\n");
        return { DATA_DIR: dataDir };
      },
      /^DATA_DIR: .*PostgreSQL 16.*pg_dump/,
    ],
  ];
  test.each(lines)("%s: one line that names the setting", async (_, script, settings, line) => {
    const { code, said } = await run(script, script === "shop" ? ["check"] : [], {
      PORT: String(await freePort()),
      ...settings(),
    });
    expect([code, said]).toEqual([1, expect.stringMatching(line)]);
    expect(said.trim().split("\n")).toHaveLength(1);
  });

  test("S62 a database whose certificate nobody vouches for hears no name and no password", async () => {
    const certificate = certificateFor("localhost");
    const secureContext = createSecureContext(certificate);
    const heard: string[] = [];
    const database = createServer((socket) => {
      socket.once("data", () => {
        socket.write("S"); // the server supports TLS
        const secured = new TLSSocket(socket, { isServer: true, secureContext }).on("error", () => undefined);
        secured.on("data", (said) => {
          heard.push(String(said));
          secured.destroy();
        });
      });
    });
    await new Promise<void>((resolve) => database.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void database.close());
    const { port } = database.address() as AddressInfo;
    const asked = { DATABASE_URL: `postgresql://ada:x@localhost:${port}/irepo?sslmode=verify-full` };

    const { code, said } = await run("shop", ["check"], asked);
    expect([code, said, heard]).toEqual([1, expect.stringMatching(/^DATABASE_URL: .*self-signed certificate/), []]);
    const file = path.join(tmpdir(), "irepo-database.pem");
    writeFileSync(file, certificate.cert);
    await run("shop", ["check"], { ...asked, NODE_EXTRA_CA_CERTS: file });
    expect(heard.join()).toContain("ada"); // a server with a trusted certificate gets the name
  });
});
