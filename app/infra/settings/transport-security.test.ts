import dns from "node:dns";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import tls from "node:tls";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createPool } from "#app/infra/database/db.server.ts";
import { type Certificate, certificateFor } from "#tests/support/certificates.ts";
import { useDatabase } from "#tests/support/database.ts";
import { readEnv } from "../env.server.ts";

const database = useDatabase();
/** The name of another machine. In these tests all names resolve to this machine. */
const HOST = "server.test";
const CERTIFICATES = {
  trusted: certificateFor(HOST),
  unknown: certificateFor(HOST),
  "another's": certificateFor("other.test"),
  expired: certificateFor(HOST, { days: -1 }),
};
const trustedByUs = [CERTIFICATES.trusted, CERTIFICATES["another's"], CERTIFICATES.expired].map(({ cert }) => cert);
const WRONG: [string, Certificate, RegExp][] = [
  ["unknown", CERTIFICATES.unknown, /self-signed certificate/],
  ["another's", CERTIFICATES["another's"], /does not match certificate's altnames/],
  ["expired", CERTIFICATES.expired, /certificate has expired/],
];

beforeAll(() => tls.setDefaultCACertificates([...tls.getCACertificates("bundled"), ...trustedByUs]));
afterAll(() => tls.setDefaultCACertificates(tls.getCACertificates("bundled")));
beforeEach(() => {
  type Answer = (error: null, address: unknown, family?: number) => void;
  vi.spyOn(dns, "lookup").mockImplementation(((_: string, { all }: dns.LookupOptions, answer: Answer) =>
    all ? answer(null, [{ address: "127.0.0.1", family: 4 }]) : answer(null, "127.0.0.1", 4)) as typeof dns.lookup);
  vi.spyOn(dns.Resolver.prototype, "resolve4").mockImplementation((_: string, answer: unknown) =>
    (answer as Answer)(null, ["127.0.0.1"]),
  );
  vi.spyOn(dns.Resolver.prototype, "resolve6").mockImplementation((_: string, answer: unknown) =>
    (answer as Answer)(null, []),
  );
});

const opened: { close(done: () => void): unknown }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => new Promise<void>((done) => one.close(done)))));

const settings = { DATA_DIR: "./data/test", SESSION_SECRET: "kR3v9mZtQx7LwB2nYcF6hJdS8gPaU4eW" };

describe("the database on another machine", () => {
  /** A server in front of the test's own PostgreSQL; without a certificate it does not support TLS. */
  async function front(certificate?: Certificate): Promise<number> {
    const { hostname, port } = new URL(database.url());
    const upstream = () => connect(Number(port), hostname);
    const server: Server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (first: Buffer) => {
        const asksForTls = first.length === 8 && first.readInt32BE(4) === 80877103;
        if (!asksForTls) return joined(socket, upstream(), first);
        if (!certificate) return void socket.write("N");
        socket.write("S");
        const secured = new tls.TLSSocket(socket, {
          isServer: true,
          secureContext: tls.createSecureContext(certificate),
        });
        joined(secured, upstream());
      });
    });
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  function joined(one: Socket, other: Socket, first: Buffer = Buffer.alloc(0)): void {
    other.write(first);
    one.pipe(other).pipe(one);
    for (const [end, far] of [
      [one, other],
      [other, one],
    ] as const)
      end.on("error", () => undefined).on("close", () => far.destroy());
  }

  async function usesTls(port: number, query = "", host = HOST): Promise<boolean> {
    const own = new URL(database.url());
    const result = readEnv({
      ...settings,
      DATABASE_URL: Object.assign(own, { host: `${host}:${port}`, search: query }).href,
    });
    if ("problems" in result) throw new Error(result.problems.join("\n"));
    const pool = createPool({ url: result.env.DATABASE_URL ?? "", max: 1, name: "test" });
    try {
      const client = await pool.connect();
      await client.query("select 1");
      const { stream } = (client as unknown as { connection: { stream: object } }).connection;
      client.release();
      return stream instanceof tls.TLSSocket;
    } finally {
      await pool.end();
    }
  }

  test.each([
    "",
    "?sslmode=require",
    "?sslmode=verify-ca",
    "?sslmode=verify-full",
    "?ssl=true",
    "?sslmode=require&uselibpqcompat=true",
  ])("is connected to by TLS if its certificate is valid: %s", async (query) => {
    expect(await usesTls(await front(CERTIFICATES.trusted), query)).toBe(true);
  });

  test.each(WRONG)("S62 is not connected to if its certificate is %s", async (_, certificate, why) => {
    const port = await front(certificate);
    for (const query of ["", "?sslmode=require", "?sslmode=require&uselibpqcompat=true"])
      await expect(usesTls(port, query)).rejects.toThrow(why);
  });

  test("is refused if it does not offer TLS", async () => {
    await expect(usesTls(await front())).rejects.toThrow("does not support SSL");
  });

  test("can have a self-signed certificate, given by sslrootcert", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "irepo-ca-"));
    const file = path.join(folder, "ca.pem");
    writeFileSync(file, CERTIFICATES.unknown.cert);
    try {
      expect(await usesTls(await front(CERTIFICATES.unknown), `?sslrootcert=${file}`)).toBe(true);
      await expect(usesTls(await front(CERTIFICATES.trusted), `?sslrootcert=${file}`)).rejects.toThrow("self-signed");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each(["127.0.0.1", "localhost"])("may be connected to without TLS on this machine (%s)", async (host) => {
    expect(await usesTls(await front(), "", host)).toBe(false);
  });
});

describe("the mail server on another machine", () => {
  const taken: boolean[] = [];
  async function mailServer(options: SMTPServerOptions): Promise<number> {
    const server = new SMTPServer({
      authOptional: true,
      ...options,
      onData(stream, session, done) {
        stream.resume().on("end", () => {
          taken.push(session.secure);
          done();
        });
      },
    });
    server.on("error", () => undefined); // a client that does not trust the certificate disconnects
    opened.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.server.address() as AddressInfo).port;
  }

  /** Sends a queued mail as the shop does. Returns whether it arrived by TLS. */
  async function sentByTls(url: string): Promise<boolean> {
    vi.stubEnv("SMTP_URL", url);
    vi.resetModules();
    const { queueMail, sendQueuedMail } = await import("../mail.server.ts");
    const { openQueue, closeQueue } = await import("#app/infra/database/queue.server.ts");
    await openQueue(database.url());
    taken.length = 0;
    const key = crypto.randomUUID();
    try {
      await database
        .db()
        .transaction()
        .execute((trx) => queueMail(trx, { key, recipient: "ada@example.com", kind: "hello", data: {} }));
      const { id } = await database
        .db()
        .selectFrom("outbox")
        .select("id")
        .where("idempotencyKey", "=", key)
        .executeTakeFirstOrThrow();
      await sendQueuedMail(id, { hello: async () => ({ subject: "", html: "", text: "" }) }, database.db());
      return taken[0] ?? false;
    } finally {
      await closeQueue();
      vi.unstubAllEnvs();
    }
  }

  const startTls = (certificate: Certificate) => mailServer(certificate);
  const tlsAtOnce = (certificate: Certificate) => mailServer({ secure: true, ...certificate });

  test("gets mail by TLS if its certificate is valid", async () => {
    expect(await sentByTls(`smtp://${HOST}:${await startTls(CERTIFICATES.trusted)}`)).toBe(true);
    expect(await sentByTls(`smtps://${HOST}:${await tlsAtOnce(CERTIFICATES.trusted)}`)).toBe(true);
  });

  test.each(WRONG)("S62 gets none if its certificate is %s", async (_, certificate, why) => {
    await expect(sentByTls(`smtp://${HOST}:${await startTls(certificate)}`)).rejects.toThrow(why);
    await expect(sentByTls(`smtps://${HOST}:${await tlsAtOnce(certificate)}`)).rejects.toThrow(why);
    expect(taken).toEqual([]);
  });

  test("is refused if it does not offer TLS", async () => {
    const port = await mailServer({ disabledCommands: ["STARTTLS"] });
    await expect(sentByTls(`smtp://${HOST}:${port}`)).rejects.toThrow(/STARTTLS/);
    expect(taken).toEqual([]);
  });

  test("may get mail without TLS on this machine", async () => {
    const port = await mailServer({ disabledCommands: ["STARTTLS"] });
    expect(await sentByTls(`smtp://127.0.0.1:${port}`)).toBe(false);
    expect(taken).toEqual([false]);
  });
});

test.each([
  ["DATABASE_URL", "postgresql://irepo@db.example/irepo?sslmode=disable", "sslmode=disable"],
  ["DATABASE_URL", "postgresql://irepo@db.example/irepo?sslmode=no-verify", "sslmode=no-verify"],
  ["DATABASE_URL", "postgresql://irepo@db.example/irepo?sslmode=prefer", "sslmode=prefer"],
  ["DATABASE_URL", "postgresql://irepo@db.example/irepo?ssl=false", "ssl=false"],
  ["DATABASE_URL", "postgresql://irepo@localhost/irepo?host=db.example&sslmode=disable", "sslmode=disable"],
  ["SMTP_URL", "smtp://mail.example?ignoreTLS=true", "ignoreTLS=true"],
  ["SMTP_URL", "smtp://mail.example?requireTLS=false", "requireTLS=false"],
  ["SMTP_URL", "smtps://mail.example?tls.rejectUnauthorized=false", "tls.rejectUnauthorized=false"],
])("%s=%s stops the start with a line", (name, url, parameter) => {
  expect(readEnv({ ...settings, [name]: url })).toEqual({
    problems: [expect.stringMatching(new RegExp(`^${name}: cannot have ${parameter}: to \\w+.example only TLS`))],
  });
});

test.each([
  "postgresql://irepo@127.0.0.1:5432/irepo?sslmode=disable",
  "postgresql://irepo@[::1]/irepo",
  "postgresql:///irepo?host=/var/run/postgresql",
  "postgresql://%2Fvar%2Frun%2Fpostgresql/irepo",
])("%s is on this machine and stays as it is", (url) => {
  expect(readEnv({ ...settings, DATABASE_URL: url })).toMatchObject({ env: { DATABASE_URL: url } });
});

test.each(["DATABASE_DIRECT_URL", "DATABASE_OWNER_URL"])(
  "S62 %s is connected to like the shop's own address",
  (name) => {
    const urls = { DATABASE_URL: "postgresql://irepo@db.example/irepo", [name]: "postgresql://owner@db.example/irepo" };
    expect(readEnv({ ...settings, ...urls })).toMatchObject({
      env: { [name]: "postgresql://owner@db.example/irepo?sslmode=verify-full" },
    });
  },
);

test("a database whose URL has no host is at PGHOST", () => {
  const result = readEnv({ ...settings, DATABASE_URL: "postgresql:///irepo", PGHOST: "db.example" });
  expect(result).toMatchObject({ env: { DATABASE_URL: "postgresql:///irepo?sslmode=verify-full" } });
});
