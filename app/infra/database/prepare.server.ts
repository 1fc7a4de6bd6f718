import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import pg from "pg";
import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { databaseProblem, Problem } from "#app/infra/problem.server.ts";
import { type Address, createDb, type Db, retryingTransaction, type Transaction } from "./db.server.ts";
import { isMigrated, migrate, newerMigration } from "./migrate.server.ts";
import { installQueue } from "./queue.server.ts";
import { scramVerifier } from "./scram.ts";

const OLDEST_POSTGRES = 15;
const CONNECT_TIMEOUT = 10_000; // ms
export const OLDER_DATABASE = "The database is older than this version of the shop: npm run shop -- migrate";

type Sql = RawBuilder<unknown>;

/**
 * The addresses of the database. `owner`: for the owner of the tables, named by `setting`. `shop`: for the shop's role,
 * if somebody else has created it. `pooler`: the pooler's, if the shop works through one; the other two always lead to
 * the database itself.
 */
export type Access = { owner: string; shop?: string; pooler?: string; setting: string };

/**
 * The addresses given by settings. DATABASE_URL alone serves for both roles; with DATABASE_OWNER_URL, it is for a role
 * without the owner's rights.
 */
export function databaseElsewhere(url: string): Access {
  const { DATABASE_OWNER_URL: owner, DATABASE_DIRECT_URL: direct } = env;
  const through = direct && { pooler: url };
  const own = direct ?? url;
  if (owner) return { owner, shop: own, ...through, setting: "DATABASE_OWNER_URL" };
  return { owner: own, ...through, setting: direct ? "DATABASE_DIRECT_URL" : "DATABASE_URL" };
}

/**
 * The address for the shop's own work. `office`: the back office's, whose role alone may change who is staff; without
 * it the office uses the shop's role. It bypasses a pooler, which may not know the office's role: the office has few
 * connections.
 */
export type Prepared = Address & { office?: Address; warning?: string };

/**
 * Migrates the database as the owner of its tables, and grants the shop's own role the rights for its work: it may
 * change rows, but neither change a table's structure nor delete what was sold. A missing role is created, if the owner
 * may do so; otherwise the shop works as the owner.
 */
export async function prepareDatabase(access: Access): Promise<Prepared> {
  return asOwner(access, async (on) => {
    await migrate(on);
    const newer = await newerMigration(on);
    const prepared = await prepareRole(access, on);
    return newer
      ? { ...prepared, warning: [newerWarning(access.setting, newer), prepared.warning].join(" ").trim() }
      : prepared;
  });
}

async function prepareRole(access: Access, on: Db): Promise<Prepared> {
  await installQueue(access.owner);
  const role = access.shop ?? (await roleUrl(on, access.owner, "shop"));
  if (!role) return asItsOwner(access);
  const office = await roleUrl(on, role, "office");
  await retryingTransaction(on, (trx) => grantRights(trx, userOf(role), office && userOf(office)));
  const address = { ...addressOf(access, role), ...(office && { office: { url: office } }) };
  if (await canConnect(address.url)) return address;
  if (access.shop) await checkConnection(address.url, "DATABASE_URL"); // throws the reason
  return asItsOwner(access);
}

async function asItsOwner(access: Access): Promise<Prepared> {
  const address = addressOf(access, access.owner);
  if (address.direct) await checkConnection(address.url, "DATABASE_URL");
  return { ...address, warning: withoutRoleWarning(access.setting) };
}

/** The address for the role of `direct`, an address of the database itself: through the pooler, if there is one. */
function addressOf({ pooler }: Access, direct: string): Address {
  if (!pooler) return { url: direct };
  const { username, password } = new URL(direct);
  return { url: Object.assign(new URL(pooler), { username, password }).href, direct };
}

/**
 * For an instance that does not migrate: checks every second whether another instance has migrated the database to this
 * version. Calls `waiting` once if it has to wait.
 */
export async function awaitDatabase(access: Access, waiting: () => void): Promise<Prepared> {
  const reader = { ...access, owner: access.shop ?? access.owner };
  for (let tries = 1; ; tries++) {
    const found = await asOwner(reader, (on) => preparedFor(access, on));
    if (found) return found;
    if (tries === 1) waiting();
    await sleep(SECOND);
  }
}

async function preparedFor(access: Access, on: Db): Promise<Prepared | undefined> {
  if (!(await hasRights(on, access.shop ?? access.owner)) || !(await isMigrated(on))) return;
  const role = access.shop ?? (await roleUrl(on, access.owner, "shop")) ?? access.owner;
  if (!(await hasRights(on, role))) return;
  const office = await roleUrl(on, role, "office");
  return { ...addressOf(access, role), ...(office && { office: { url: office } }) };
}

/** Whether the role has its rights, which `prepareDatabase` grants last, all at once. */
async function hasRights(on: Db, url: string): Promise<boolean> {
  const { rows } = await sql<{ hasRights: boolean | null }>`
    select bool_and(has_table_privilege(${userOf(url)}, c.oid, 'select')) and bool_or(nspname = 'jobs') as has_rights
    from pg_class c join pg_namespace n on n.oid = relnamespace where nspname in ('public', 'jobs') and relkind = 'r'`.execute(
    on,
  );
  return rows[0]?.hasRights ?? false;
}

function userOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

/**
 * For a command: undefined, with nothing changed, if there is no shop. A shop of an older version is migrated, unless
 * MIGRATE_ON_START is false: then it throws.
 */
export async function reachDatabase(access: Access): Promise<Prepared | undefined> {
  const found = await asOwner(access, async (on) => {
    if (!(await isShop(on))) return "no shop";
    if (!env.MIGRATE_ON_START && !(await isMigrated(on))) throw new Problem(OLDER_DATABASE);
    const done = await migrate(on);
    const role = access.shop ?? (await roleUrl(on, access.owner, "shop"));
    return done.length === 0 && role && (await canConnect(role)) ? { url: role } : "unprepared";
  });
  if (found === "no shop") return;
  return found === "unprepared" ? prepareDatabase(access) : found;
}

async function isShop(on: Db): Promise<boolean> {
  const table = await sql`select where to_regclass('public.kysely_migration') is not null`.execute(on);
  if (table.rows.length === 0) return false;
  return (await sql`select from kysely_migration limit 1`.execute(on)).rows.length > 0;
}

/** Does `work` as the owner of the tables, on connections that are closed afterwards. */
export async function asOwner<T>({ owner, setting }: Access, work: (on: Db) => Promise<T>): Promise<T> {
  await checkConnection(owner, setting);
  const pool = new pg.Pool({ connectionString: owner, max: 2, application_name: "irepo owner", lock_timeout: 5000 });
  pool.on("error", () => undefined); // the next query fails and reports it
  const on = createDb(pool);
  try {
    return await work(on);
  } catch (error) {
    throw databaseProblem(error, setting, owner);
  } finally {
    await on.destroy();
  }
}

async function checkConnection(url: string, setting: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "irepo owner",
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  client.on("error", () => undefined); // the query below fails
  try {
    await client.connect();
    const { rows } = await client.query("show server_version");
    const version = String(rows[0].server_version);
    if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
      throw new Problem(
        `${setting}: the database there is PostgreSQL ${version}: the shop needs ${OLDEST_POSTGRES} or newer`,
      );
  } catch (error) {
    throw databaseProblem(error, setting, url);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function newerWarning(setting: string, migration: string): string {
  return `${setting}: a newer version of the shop has updated the database (its migration ${migration} is unknown here): this version works on it, since updates only add.`;
}

function withoutRoleWarning(setting: string): string {
  return `${setting}: the shop works as the owner of its tables, since no role of its own could be made or was let in (that takes CREATEROLE, and a password in the address): name the owner in DATABASE_OWNER_URL, and in DATABASE_URL a role that owns nothing`;
}

/**
 * The address of the shop's or the office's role, which is created if missing; undefined if that is not possible. The
 * role's password is derived from the password of the role above it (the owner's or the shop's). So every machine that
 * knows the latter can compute it, and nothing more has to be stored.
 */
async function roleUrl(on: Db, above: string, whose: "shop" | "office"): Promise<string | undefined> {
  const url = new URL(above);
  if (!url.password) return;
  return retryingTransaction(on, async (trx) => {
    await lockRoleChanges(trx);
    const { rows } = await sql<{ role: string; mayMake: boolean; isThere: boolean; isOurs: boolean }>`
      select name as role, (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may_make,
        oid is not null as is_there, coalesce(shobj_description(oid, 'pg_authid') = ${ROLE_COMMENT}, false) as is_ours
      from concat(left(current_database(), ${62 - whose.length}::int), ${`_${whose}`}::text) as name left join pg_roles on rolname = name`.execute(
      trx,
    );
    const { role = "", mayMake = false, isThere = false, isOurs = false } = rows[0] ?? {};
    const password = createHmac("sha256", decodeURIComponent(url.password)).update(`role ${role}`).digest("hex");
    url.username = encodeURIComponent(role);
    url.password = password;
    if (isOurs && (await canConnect(url.href))) return url.href;
    if (!mayMake || (isThere && !isOurs)) return;
    const made = sql.raw(isThere ? "alter" : "create");
    await sql`${made} role ${sql.id(role)} login password ${sql.lit(scramVerifier(password))}`.execute(trx);
    await sql`comment on role ${sql.id(role)} is ${sql.lit(ROLE_COMMENT)}`.execute(trx);
    return url.href;
  });
}

/** The comment that marks a role made by the shop. Another role of the same name is left alone. */
const ROLE_COMMENT = "made by the shop for its own work";

/** Locks changes of roles and rights: of two processes that make them at once, one would fail. */
async function lockRoleChanges(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7103302)`.execute(trx);
}

async function canConnect(url: string): Promise<boolean> {
  return checkConnection(url, "").then(
    () => true,
    () => false,
  );
}

/**
 * Tables of sales, from which nothing is deleted, and tables of staff, which a request from the internet must never
 * change. Of the devices of staff, the job that sends notifications deletes those that no longer exist.
 */
const KEPT = sql`sales, sale_lines, size_changes, receipts, credit_notes, orders, payments, refunds, hand_takings, hand_refunds, till_counts, returns, return_pieces, payment_issues, webhook_inbox, audit_log`;
const STAFF = sql`staff, staff_roles, staff_invitations, staff_passkeys, staff_recovery_codes, staff_challenges, staff_sessions, notification_keys`;
const DEVICES = sql`notification_devices`;

const rightsSql = (database: Sql, role: Sql, writesStaff: boolean) => [
  sql`revoke create on schema public from public`,
  sql`revoke temporary on database ${database} from public`,
  sql`grant usage on schema public, jobs to ${role}`,
  sql`grant select, insert, update, delete on all tables in schema public, jobs to ${role}`,
  sql`grant usage, select on all sequences in schema public, jobs to ${role}`,
  sql`revoke delete on ${KEPT} from ${role}`,
  ...(writesStaff ? [] : [sql`revoke insert, update, delete on ${STAFF} from ${role}`]),
  ...(writesStaff ? [] : [sql`revoke insert, update on ${DEVICES} from ${role}`]),
  sql`revoke update on sale_lines, size_changes, receipts, credit_notes, till_counts from ${role}`,
  sql`grant update (buyer) on receipts to ${role}`, // forgotten with the account
  sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock, schema_state from ${role}`,
];

/** Without a role for the office, the shop's role gets the office's rights as well. */
async function grantRights(on: Transaction, shop: string, office: string | undefined): Promise<void> {
  await lockRoleChanges(on);
  const { rows } = await sql<{ database: string }>`select current_database() as database`.execute(on);
  for (const { database } of rows)
    for (const [role, writesStaff] of [
      [shop, office === undefined],
      ...(office ? [[office, true] as const] : []),
    ] as const)
      for (const right of rightsSql(sql.id(database), sql.id(role), writesStaff)) await right.execute(on);
}
