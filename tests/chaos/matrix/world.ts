import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { vi } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { freePort } from "#tests/support/free-port.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { newDataDir, type RunningShop, runShop } from "#tests/support/running-shop.ts";
import { type S3Server, s3Settings, startS3Server } from "#tests/support/s3-server.ts";
import { type Door, openDoor, startService } from "./doors.ts";
import type { Dependency } from "./faults.ts";

export type Surroundings = {
  shop: RunningShop;
  office: string;
  settings: Record<string, string>;
  doors: Record<Dependency, Door>;
  /** The database's own address, past its door. */
  databaseUrl: string;
  sandboxUrl: string;
  stop(): Promise<void>;
};

type OpenIdProvider = {
  port(): number;
  standBehind(port: number): void;
  settings(): { clientId: string; clientSecret: string };
};

/** Starts a shop with each of its dependencies behind a door. */
export async function startSurroundings(adminUrl: string, openId: OpenIdProvider): Promise<Surroundings> {
  const name = `matrix_${randomBytes(4).toString("hex")}`;
  await ask(adminUrl, `create database ${name}`);
  const databaseUrl = adminUrl.replace(/\/postgres$/, `/${name}`);
  const dataDir = newDataDir();
  const s3: S3Server = await startS3Server();
  const mails = await startMailServer(dataDir);
  const rates = await startService('{"rates":{"NGN":1600}}');
  const places = await startService('{"country_code":"KE"}');
  const [port, sandboxPort, officePort] = [await freePort(), await freePort(), await freePort()];
  const doors: Record<Dependency, Door> = {
    database: await openDoor(Number(new URL(adminUrl).port)),
    provider: await openDoor(sandboxPort),
    mail: await openDoor(Number(new URL(mails.url).port)),
    rates: await openDoor(rates.port),
    geolocation: await openDoor(places.port),
    Google: await openDoor(openId.port()),
    pictures: await openDoor(s3.port),
  };
  const at = (dependency: Dependency) => `127.0.0.1:${doors[dependency].port}`;
  openId.standBehind(doors.Google.port);
  const { clientId, clientSecret } = openId.settings();
  const settings = {
    ...s3Settings(doors.pictures.port),
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    OFFICE_PORT: String(officePort),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl.replace(/:\d+\//, `:${doors.database.port}/`),
    PICTURES_URL: "s3://pictures",
    PAYSTACK_API_URL: `http://${at("provider")}`,
    PAYSTACK_CHECKOUT_URL: `http://127.0.0.1:${sandboxPort}`,
    SMTP_URL: `smtp://${at("mail")}`,
    RATES_URL: `http://${at("rates")}/latest`,
    GEO_URL: `http://${at("geolocation")}/{ip}`,
    GOOGLE_ISSUER: `http://${at("Google")}`,
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    TRUSTED_PROXIES: "127.0.0.1,::1",
  };
  const shop = await runShop(settings);
  const office = `http://localhost:${officePort}`;
  await endPictures(shop, databaseUrl);
  await vi.waitUntil(() => shop.said().includes(`Back office: ${office}`), { timeout: 60_000 });
  return {
    shop,
    office,
    settings,
    doors,
    databaseUrl,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    async stop() {
      await shop.stop();
      await mails.stop();
      for (const service of [rates, places]) service.close();
      for (const door of Object.values(doors)) await door.close();
      await s3.stop();
      await ask(adminUrl, `drop database ${name} with (force)`);
    },
  };
}

/** Stops the rendering of the demo's pictures, which would take two minutes of a core: only requested ones are made. */
async function endPictures(shop: RunningShop, databaseUrl: string): Promise<void> {
  await ask(databaseUrl, "delete from jobs.job where name = 'make-pictures'");
  const running = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...words]) => Number(parent) === shop.pid() && words.join(" ").includes("make-pictures"));
  for (const [pid] of running) process.kill(Number(pid), "SIGKILL");
}
