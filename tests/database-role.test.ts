import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { createDb, createPool } from "#app/infra/database/db.server.ts";
import { type Access, awaitDatabase, prepareDatabase, reachDatabase } from "#app/infra/database/prepare.server.ts";
import { countTill } from "#app/owner/money/till.server.ts";
import { ask } from "#tests/support/ask-database.ts";
import { useCheckout } from "#tests/support/checkout.ts";

const admin = () => inject("postgresUrl");
const name = `irepo_${randomBytes(6).toString("hex")}`;
const inDatabase = (user?: string) => {
  const url = new URL(admin());
  url.pathname = name;
  if (user) Object.assign(url, { username: user, password: "secret" });
  return url.href;
};
const DATABASE_URL: Omit<Access, "owner"> = { setting: "DATABASE_URL" };

beforeAll(() => ask(admin(), `create database ${name}`));
afterAll(async () => {
  await ask(admin(), `drop database ${name} with (force)`);
  for (const role of [`${name}_shop`, `${name}_office`, `${name}_b_office`, `${name}_a`, `${name}_b`])
    await ask(admin(), `drop role if exists ${role}`);
});

describe("a database whose user may make roles", () => {
  let url: string;
  let officeUrl: string;
  beforeAll(async () => {
    const { office, ...shop } = await prepareDatabase({ owner: inDatabase(), ...DATABASE_URL });
    ({ url } = shop);
    officeUrl = office?.url ?? "";
  });

  test("gets a role for the shop's work, the same at each start and for each command", async () => {
    expect(new URL(url).username).toBe(`${name}_shop`);
    expect(await prepareDatabase({ owner: inDatabase(), ...DATABASE_URL })).toEqual({
      url,
      office: { url: officeUrl },
    });
    expect(await reachDatabase({ owner: inDatabase(), ...DATABASE_URL })).toEqual({ url });
    expect(
      await ask(url, "select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user"),
    ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
  });

  test("lets it in again after the owner's password was changed by hand", async () => {
    await ask(admin(), `alter role ${name}_shop password 'another'`);
    expect(await reachDatabase({ owner: inDatabase(), ...DATABASE_URL })).toEqual({ url });
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test.each([
    "create table notes (note text)",
    "create temporary table notes (note text)",
    "create schema notes",
    "create function f() returns int language sql as 'select 1'",
    "alter table products add column note text",
    "alter table sales disable trigger sales_stay",
    "drop table carts",
    "truncate sales cascade",
    "truncate products cascade",
    "delete from sales",
    "delete from sale_lines",
    "delete from size_changes",
    "delete from receipts",
    "delete from credit_notes",
    "delete from orders",
    "delete from payments",
    "delete from refunds",
    "delete from hand_takings",
    "delete from hand_refunds",
    "delete from till_counts",
    "update till_counts set counted_kobo = 0",
    "delete from returns",
    "delete from return_pieces",
    "insert into staff (email, role) values ('mallory@example.com', 'owner')",
    "update staff set role = 'owner'",
    "delete from staff_sessions",
    "insert into staff_invitations select id, 'code', now() from staff",
    "insert into notification_devices (endpoint) values ('https://mallory.example')",
    "update notification_devices set endpoint = 'https://mallory.example'",
    "update notification_keys set private_key = ''",
    "delete from notification_keys",
    "update sale_lines set price_cents = 1",
    "update size_changes set quantity = 1",
    "update receipts set kobo = 1",
    "update credit_notes set number = 1",
    "delete from kysely_migration",
    "update schema_state set migrations = '{}'",
    "create table jobs.notes (note text)",
    "create role notes",
    "set session_replication_role = replica",
    "set role irepo",
    "copy sales to program 'true'",
  ])("S63 refuses it: %s", async (statement) => {
    await expect(ask(url, statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test("takes off devices of staff that can no longer be sent notifications, and reads the others", async () => {
    await ask(url, "delete from notification_devices");
    expect(await ask(url, "select id from notification_devices")).toEqual([]);
  });

  test("forgets who bought, on receipts, and draws numbers", async () => {
    await ask(url, "update receipts set buyer = null");
    await ask(url, "delete from receipts_due");
  });

  test("gives pieces back while the rights to the table of changed sizes are not granted yet, as in an update", async () => {
    await ask(inDatabase(), `revoke all on size_changes from ${name}_shop`);
    await expect(ask(url, "select from size_changes")).rejects.toThrow("permission denied");
    await ask(url, "select check_pieces_back('a reference')");
    await prepareDatabase({ owner: inDatabase(), ...DATABASE_URL });
    expect(await ask(url, "select from size_changes")).toEqual([]);
  });

  test("counts the till", async () => {
    const db = createDb(createPool({ url: officeUrl, max: 1, name: "office" }));
    const counting = countTill(db, { name: "bola@shop.example", door: "office" }, 0);
    expect(await counting.finally(() => db.destroy())).toMatchObject({ expected: 0, counted: 0 });
  });

  test("13 the office's own role writes who works there, and takes nothing of sales out either", async () => {
    expect(new URL(officeUrl).username).toBe(`${name}_office`);
    await ask(officeUrl, "insert into staff (email, role) values ('bola@shop.example', 'reader')");
    await ask(officeUrl, "delete from staff");
    await expect(ask(officeUrl, "delete from refunds")).rejects.toThrow("permission denied");
  });

  test("13 no statement tells a role's password: PostgreSQL is sent what it keeps of it", async () => {
    await ask(admin(), `alter role ${name}_shop password 'another'`);
    await ask(admin(), `alter role ${name}_office password 'another'`);
    const query = vi.spyOn(pg.Client.prototype, "query");
    await prepareDatabase({ owner: inDatabase(), ...DATABASE_URL });
    const said = JSON.stringify(query.mock.calls);
    expect(said.match(/SCRAM-SHA-256\$4096:/g)).toHaveLength(2);
    for (const one of [url, officeUrl]) expect(said).not.toContain(new URL(one).password);
    expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

test("a role of that name which somebody else has made is left alone: a warning, and the shop works", async () => {
  await ask(admin(), `comment on role ${name}_shop is null`);
  await ask(admin(), `alter role ${name}_shop password 'of somebody else'`);
  const owner = inDatabase();
  const { url, warning } = await prepareDatabase({ owner, ...DATABASE_URL });
  expect([url, warning]).toEqual([owner, expect.stringContaining("DATABASE_OWNER_URL")]);
  const theirs = inDatabase(`${name}_shop`).replace(":secret@", ":of%20somebody%20else@");
  expect(await ask(theirs, "select 1 as one")).toEqual([{ one: 1 }]);
});

test.each([
  ["a start", prepareDatabase],
  ["a command", reachDatabase],
])("43 %s works on the database of a newer version, and the start says that it is one", async (_, open) => {
  await ask(inDatabase(), "insert into kysely_migration values ('9999-later', now()::text)");
  expect(await open({ owner: inDatabase(), ...DATABASE_URL })).toBeDefined();
  const { warning } = await prepareDatabase({ owner: inDatabase(), ...DATABASE_URL });
  expect(warning).toContain(
    "a newer version of the shop has updated the database (its migration 9999-later is unknown here)",
  );
  await ask(inDatabase(), "delete from kysely_migration where name = '9999-later'");
});

test.each([
  ["its owner's address", (): Access => ({ owner: inDatabase(), ...DATABASE_URL })],
  ["the shop's own role alone", (): Access => ({ owner: inDatabase(`${name}_own`), ...DATABASE_URL })],
])("who does not migrate waits until somebody else has: %s", async (_, access) => {
  await ask(admin(), `drop database ${name} with (force)`);
  await ask(admin(), `create database ${name}`);
  await ask(admin(), `create role ${name}_own login password 'secret'`);
  const waiting = Promise.withResolvers<void>();
  const awaited = awaitDatabase(access(), waiting.resolve);
  await waiting.promise;
  expect(await ask(inDatabase(), "select from pg_tables where schemaname in ('public', 'jobs')")).toEqual([]);
  await prepareDatabase({ owner: inDatabase(), shop: inDatabase(`${name}_own`), setting: "DATABASE_OWNER_URL" });
  await prepareDatabase({ owner: inDatabase(), ...DATABASE_URL });
  const { url, warning } = await awaited;
  expect([warning, await ask(url, "select count(*)::int as sales from sales")]).toEqual([undefined, [{ sales: 0 }]]);
  await ask(inDatabase(), `drop owned by ${name}_own`);
  await ask(admin(), `drop role ${name}_own`);
});

describe("DATABASE_OWNER_URL", () => {
  test("names who changes the tables' shape; the role of DATABASE_URL gets what the shop's work takes", async () => {
    await ask(admin(), `drop database ${name} with (force)`);
    await ask(admin(), `create role ${name}_a login password 'secret'`);
    await ask(admin(), `create role ${name}_b login password 'secret'`);
    await ask(admin(), `create database ${name} owner ${name}_a`);
    const access = { owner: inDatabase(`${name}_a`), shop: inDatabase(`${name}_b`), setting: "DATABASE_OWNER_URL" };
    expect(await prepareDatabase(access)).toEqual({
      url: access.shop,
      office: { url: expect.stringContaining("_office") },
    });
    expect(await ask(access.shop, "select count(*)::int as sales from sales")).toEqual([{ sales: 0 }]);
    await expect(ask(access.shop, "drop table sales")).rejects.toThrow("must be owner");
  });

  test("is asked for where one user does all and may make no role: a warning, and the shop works", async () => {
    const owner = inDatabase(`${name}_a`);
    const { url, warning } = await prepareDatabase({ owner, ...DATABASE_URL });
    expect([url, warning]).toEqual([owner, expect.stringMatching(/^DATABASE_URL: .*DATABASE_OWNER_URL/)]);
  });

  test("is asked for where an update is not this user's to do", async () => {
    await ask(inDatabase(), "delete from kysely_migration");
    const access = { owner: inDatabase(`${name}_b`), ...DATABASE_URL };
    await expect(prepareDatabase(access)).rejects.toThrow(/^DATABASE_URL: .*_b may not .*DATABASE_OWNER_URL/);
  });
});

describe("what was sold", () => {
  const { db, url, provider, oneBuyer } = useCheckout();
  test("S63 stays: a sale is not deleted, and neither its sums nor its pieces change, whoever asks", async () => {
    const { settlePayment } = await import("#app/payments/settle.server.ts");
    const { payment } = await oneBuyer();
    provider.pay(payment.reference);
    await settlePayment(payment.reference);
    for (const statement of [
      "delete from sale_lines",
      "delete from sales",
      "update sales set kobo = kobo - 100",
      "update sales set subtotal_cents = subtotal_cents - 1, total_cents = total_cents - 1",
      "update sales set rate = 1",
      "update sales set reference = 'another'",
      "update sale_lines set quantity = 2",
    ])
      await expect(ask(url(), statement)).rejects.toThrow("what was sold stays as it was");
    await ask(url(), "update sales set tracking = 'GIG 1', email = 'deleted', user_id = null");
    expect(await db().selectFrom("sales").select(["tracking", "status"]).execute()).toEqual([
      { tracking: "GIG 1", status: "completed" },
    ]);
    await ask(url(), "update sales s set user_id = a.user_id from orders a where a.id = s.order_id");
  });
});
