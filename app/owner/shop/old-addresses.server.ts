import { sql } from "kysely";
import { IS_SHOWN } from "#app/catalog/collections/collections.server.ts";
import { comparedPath, isOwnPlace, MOST_OLD, NEW_MAX, OLD_MAX } from "#app/content/old-addresses/address.ts";
import { OLD_ADDRESSES_TOPIC } from "#app/content/old-addresses/redirect.server.ts";
import { type Actor, type Change, recordChange, recordChanges } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { readTable } from "#app/infra/document/table.ts";
import { plural } from "#app/infra/text/plural.ts";
import { canonicalPath, collectionPath, productPath } from "#app/ui/frame/paths.ts";
import { type Keyset, type Page, pageOf } from "../keyset.server.ts";

/** An old address and the page to which it leads: `/pages/about-us` and `/about`. */
export type OldAddress = { from: string; to: string };
/** A requested address without a page: how often it was requested since the first count, and the last day. */
export type MissedAddress = { path: string; times: number; lastAt: Date };
/** Why an address is not stored, by field. */
export type AddressProblems = Partial<Record<keyof OldAddress, string>>;

/** A page of the old addresses that contain the text, or lead to a page whose address does, from A to Z. */
export async function searchOldAddresses(
  on: Db,
  text: string | undefined,
  keyset: Keyset = {},
  size?: number,
): Promise<Page<OldAddress>> {
  const wanted = text?.toLowerCase();
  const found = on
    .selectFrom("oldAddresses")
    .select(["path", "leadsTo"])
    .$if(wanted !== undefined, (query) =>
      query.where(sql<boolean>`(position(${wanted} in path) > 0 or position(${wanted} in lower(leads_to)) > 0)`),
    );
  const { rows, ...ends } = await pageOf(found, { path: "text" }, keyset, { ascending: true, size });
  return { rows: rows.map(({ path, leadsTo }) => ({ from: path, to: leadsTo })), ...ends };
}

/** A page of the requested addresses without a page of the shop, those requested most first. */
export async function searchMissedAddresses(
  on: Db,
  text: string | undefined,
  keyset: Keyset = {},
): Promise<Page<MissedAddress>> {
  const found = on
    .selectFrom("missedAddresses")
    .select(["path", "times", "lastAt"])
    .where("path", "not in", on.selectFrom("oldAddresses").select("path")) // counted just before it was redirected
    .$if(text !== undefined, (query) => query.where(sql<boolean>`position(${text?.toLowerCase()} in path) > 0`));
  const { rows, ...ends } = await pageOf(found, { times: "int", path: "text" }, keyset);
  return { rows: rows.map(({ place: _, ...row }) => row), ...ends };
}

/** The old address with this path; undefined if it isn't one. */
export async function oldAddress(on: Db, given: string): Promise<OldAddress | undefined> {
  const path = comparedPath(given);
  if (path === undefined) return;
  const row = await on.selectFrom("oldAddresses").select("leadsTo").where("path", "=", path).executeTakeFirst();
  return row && { from: path, to: row.leadsTo };
}

/** All old addresses, from A to Z. */
export async function allOldAddresses(on: Db | Transaction): Promise<OldAddress[]> {
  return await on.selectFrom("oldAddresses").select(["path as from", "leadsTo as to"]).orderBy("path").execute();
}

/**
 * Adds an old address, or changes the one that was `of`. `problems`: why nothing was changed. Safe to repeat. Throws a
 * BadInput if somebody has changed or removed `of` meanwhile.
 */
export async function setOldAddress(
  on: Db,
  by: Actor,
  given: OldAddress,
  of?: OldAddress,
): Promise<{ ok: true; address: OldAddress } | { ok: false; problems: AddressProblems }> {
  const done = await retryingTransaction(on, async (trx) => {
    const list = await lockOldAddresses(trx);
    const { address, problems } = checked(given, list, await pagesNamed(trx, [given]));
    if (!address) return { ok: false as const, problems };
    const stored = list.all.get(address.from);
    const isDone = stored === address.to && (!of || of.from === address.from || !list.all.has(of.from));
    if (isDone) return { ok: true as const, address };
    if (of && list.all.get(of.from) !== of.to) throw new BadInput("Somebody else has changed or removed this address");
    const problem =
      stored !== undefined && of?.from !== address.from
        ? `It’s in the list already, and leads to ${stored}`
        : !of && list.all.size >= MOST_OLD && `At most ${MOST_OLD} addresses`;
    if (problem) return { ok: false as const, problems: { from: problem } };
    if (of) await trx.deleteFrom("oldAddresses").where("path", "=", of.from).execute();
    await write(trx, [address]);
    await recordChange(trx, changeOf(by, "redirects set", address, of));
    return { ok: true as const, address };
  });
  if (done.ok) await publish(on, OLD_ADDRESSES_TOPIC);
  return done;
}

/** Removes an old address. Returns whether there was one. */
export async function removeOldAddress(on: Db, by: Actor, given: string): Promise<boolean> {
  const from = comparedPath(given.trim());
  if (from === undefined) return false;
  const isRemoved = await retryingTransaction(on, async (trx) => {
    const [row] = await trx.deleteFrom("oldAddresses").where("path", "=", from).returning("leadsTo").execute();
    if (!row) return false;
    const subject = { kind: "old-address", id: from };
    await recordChange(trx, { by, action: "redirects remove", subject, before: { from, to: row.leadsTo } });
    return true;
  });
  if (isRemoved) await publish(on, OLD_ADDRESSES_TOPIC);
  return isRemoved;
}

/** `changed`: how many addresses were added or changed. `refused`: a line for each row that is wrong. */
export type AddressImport = { ok: boolean; changed: number; unchanged: number; refused: string[] };

/**
 * Imports a CSV file with two columns, the old address and the new one, with or without a header: that of the export,
 * of Shopify, or of WordPress' plugin Redirection. Other addresses stay. Not `ok`: rows are refused and nothing was
 * changed, unless `skipsBad` leaves these rows out. Throws a BadInput if the file can't be read, or has too many rows.
 */
export async function importOldAddresses(on: Db, by: Actor, text: string, skipsBad: boolean): Promise<AddressImport> {
  const rows = rowsOf(text);
  const done = await retryingTransaction(on, async (trx): Promise<AddressImport> => {
    const list = await lockOldAddresses(trx);
    const pages = await pagesNamed(trx, rows);
    const refused: string[] = [];
    const changes = new Map<string, Change & { after: OldAddress }>();
    const seen = new Set<string>();
    for (const { row, ...given } of rows) {
      const { address, problems } = checked(given, list, pages);
      const problem = problems.from ?? problems.to ?? (address && seen.has(address.from) && "It’s in an earlier row");
      if (!address || problem) refused.push(`Row ${row}, ${given.from.trim().slice(0, 100)}: ${problem}`);
      else {
        const { from, to } = address;
        const before = list.all.get(from);
        seen.add(from);
        if (before === to) continue;
        changes.set(
          from,
          changeOf(by, "redirects import", address, before === undefined ? before : { from, to: before }),
        );
        add(list, address);
      }
    }
    if (list.all.size > MOST_OLD) throw new BadInput(`At most ${MOST_OLD} addresses`);
    const counts = { changed: changes.size, unchanged: seen.size - changes.size, refused };
    if (refused.length > 0 && !skipsBad) return { ok: false, ...counts };
    const made = [...changes.values()];
    await write(
      trx,
      made.map(({ after }) => after),
    );
    await recordChanges(trx, made);
    return { ok: true, ...counts };
  });
  if (done.ok && done.changed > 0) await publish(on, OLD_ADDRESSES_TOPIC);
  return done;
}

/** What an import did, or how many rows keep it from being done. */
export function importText({ ok, changed, unchanged, refused }: AddressImport): string {
  const rows = plural(refused.length, "row");
  if (!ok) return `${rows} can’t be imported`;
  const left = refused.length > 0 ? `, ${rows} left out` : "";
  return `${plural(changed, "address", "addresses")} imported, ${unchanged} unchanged${left}`;
}

/** The columns of the export. */
export const ADDRESS_COLUMNS = ["old", "new"] as const;
const HEADERS = new Set([ADDRESS_COLUMNS.join(), "redirect from,redirect to", "source,target"]);

/** The rows below the header, which may be missing. */
function rowsOf(text: string): (OldAddress & { row: number })[] {
  const { rows, faults } = readTable(text);
  if (faults.length > 0) throw new BadInput(faults.map(({ row, what }) => `Row ${row}: ${what}`).join("\n"));
  const [head] = rows;
  const names = head?.cells.slice(0, 2).map((cell) => cell.trim().toLowerCase());
  const below = names && HEADERS.has(names.join()) ? rows.slice(1) : rows;
  if (below.length > MOST_OLD) throw new BadInput(`At most ${MOST_OLD} rows`);
  return below.map(({ row, cells: [from = "", to = ""] }) => ({ row, from, to }));
}

function changeOf(by: Actor, action: string, after: OldAddress, before?: OldAddress) {
  return { by, action, subject: { kind: "old-address", id: after.from }, before, after };
}

/** The new addresses by the old ones, and the paths to which they lead. */
type Stored = { all: Map<string, string>; targets: Set<string | undefined> };

/** Nobody else changes an old address before the transaction ends. */
async function lockOldAddresses(trx: Transaction): Promise<Stored> {
  await sql`lock table old_addresses in share row exclusive mode`.execute(trx);
  const list: Stored = { all: new Map(), targets: new Set() };
  for (const address of await allOldAddresses(trx)) add(list, address);
  return list;
}

function add({ all, targets }: Stored, { from, to }: OldAddress): void {
  all.set(from, to);
  targets.add(comparedPath(pathIn(to)));
}

async function write(trx: Transaction, addresses: OldAddress[]): Promise<void> {
  const [paths, targets] = [addresses.map(({ from }) => from), addresses.map(({ to }) => to)];
  await sql`
    insert into old_addresses (path, leads_to) select * from unnest(${paths}::text[], ${targets}::text[])
    on conflict (path) do update set leads_to = excluded.leads_to`.execute(trx);
  await sql`delete from missed_addresses where path = any(${paths}::text[])`.execute(trx);
}

const FROM_RULE = `A path like /pages/about-us, without host, question mark and percent sign; at most ${OLD_MAX} letters`;
const TO_RULE = `A page of this shop, like /about; at most ${NEW_MAX} letters`;

/**
 * The address as it is stored, or why it isn't. An old address has no page, and a new one has one, so neither leads to
 * another old address: the path of a page that was deleted since is looked up in the list.
 */
function checked(given: OldAddress, { all, targets }: Stored, pages: Pages) {
  const typed = given.from.trim();
  const from = /[?#]/.test(typed) ? undefined : comparedPath(typed);
  const to = newAddress(given.to.trim(), pages);
  const problems: AddressProblems = {};
  if (from === undefined) problems.from = FROM_RULE;
  else if (isOwnPlace(from) || pages.taken(from)) problems.from = "This address has a page of its own";
  else if (targets.has(from)) problems.from = "Other old addresses lead here: change those first";
  if (to === undefined) problems.to = TO_RULE;
  else if (all.has(comparedPath(pathIn(to)) ?? ""))
    problems.to = "It’s an old address itself: name the page it leads to";
  const isRight = from !== undefined && to !== undefined && Object.keys(problems).length === 0;
  return isRight ? { address: { from, to }, problems } : { problems };
}

const pathIn = (to: string) => to.split(/[?#]/, 1)[0] ?? "";
const SHOP = "https://shop.invalid";

/**
 * A page's address as it is stored: in its canonical spelling, with query and fragment, escaped as in a URL. Undefined
 * if no page is there.
 */
function newAddress(typed: string, { pageAt }: Pages): string | undefined {
  const url = typed.startsWith("/") ? URL.parse(typed, SHOP) : null;
  const page = url?.origin === SHOP ? pageAt(url.pathname) : undefined;
  const to = page && `${page}${url?.search}${url?.hash}`;
  return to && to.length <= NEW_MAX ? to : undefined;
}

/**
 * `taken`: whether a compared path is that of a page, or of a product that is hidden for now. `pageAt`: the canonical
 * path of the page that the shop shows at a path.
 */
type Pages = { taken(compared: string): boolean; pageAt(path: string): string | undefined };

const THING = /^\/(singleproduct|collections)\/([^/]+)\/*$/i;

/** The pages of the shop, with the products, collections and kinds that these addresses name. */
async function pagesNamed(trx: Transaction, addresses: OldAddress[]): Promise<Pages> {
  const named = addresses
    .flatMap(({ from, to }) => [from.trim(), pathIn(to.trim())])
    .map((path) => THING.exec(comparedPath(path) ?? "")?.[2]);
  const ids = [...new Set(named.filter((id) => id !== undefined))];
  const products = await trx
    .selectFrom("products")
    .select(["id", "hidden"])
    .where(sql<boolean>`lower(id collate "C") = any(${ids}::text[])`)
    .execute();
  const shown = await trx
    .selectFrom("collections")
    .select("id")
    .where(IS_SHOWN)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .unionAll(trx.selectFrom("productKinds").select("id").where(sql<boolean>`id = any(${ids}::text[])`))
    .execute();
  const collections = new Set(shown.map(({ id }) => id));
  const like = Map.groupBy(products, ({ id }) => id.toLowerCase());
  const productAt = (id: string) => {
    const found = (like.get(id.toLowerCase()) ?? []).filter(({ hidden }) => !hidden);
    return found.find((one) => one.id === id) ?? (found.length === 1 ? found[0] : undefined);
  };
  return {
    taken(compared) {
      const [, kind, id = ""] = THING.exec(compared) ?? [];
      if (kind === undefined) return canonicalPath(compared) !== undefined;
      return kind === "collections" ? collections.has(id) : like.has(id);
    },
    pageAt(path) {
      const [, kind, id = ""] = THING.exec(path) ?? [];
      if (kind === undefined) return canonicalPath(path);
      if (kind.toLowerCase() === "collections")
        return collections.has(id.toLowerCase()) ? collectionPath(id.toLowerCase()) : undefined;
      const product = productAt(id);
      return product && productPath(product.id);
    },
  };
}
