import { idsInCollection } from "#app/catalog/search/search.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { formatUsd } from "#app/money/format.ts";
import { centsFromDollars, usdCents } from "#app/money/money.ts";
import { storedCollection } from "#app/owner/collections/collections.server.ts";
import { amountText } from "#app/owner/prices/amount.ts";
import { priceHistory } from "#app/owner/prices/history.server.ts";
import { changePrices, planPrices } from "#app/owner/prices/price-change.server.ts";
import { readProductIds } from "#app/owner/prices/product-ids.ts";
import { readSaleItems, type SaleRow } from "#app/owner/prices/sale-items.ts";
import { type ListedSale, listSales } from "#app/owner/prices/sale-list.server.ts";
import { endSale, idsOfKind, planSale, type SalePlan } from "#app/owner/prices/sale-plan.server.ts";
import { NAIRA_STEPS, readSumChange } from "#app/owner/prices/sum-change.ts";
import { momentAfter, momentOf, OVER_AT_ONCE, shopTime, shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, type Context, type Result } from "./command.ts";
import { readText } from "./read-file.ts";

export const prices: Actions = {
  "prices sale": action({
    words: ["[id]"],
    options: {
      file: "FILE",
      kind: "KIND",
      collection: "ID",
      percent: "N",
      price: "DOLLARS",
      from: "TIME",
      until: "TIME",
      "final-sale": true,
      "dry-run": true,
    },
    says: "sale prices of a product, of a --kind, of what the shop shows in a --collection at the moment, or of a --file with one product a line (its id, and its own price if it has one): so many --percent off the normal price, or a --price. --from and --until are minutes like 2026-11-30T09:00 in the shop's time zone; without them it begins now, and has no end",
    changes: true,
    run: ({ words: { id }, options, ...context }) => sale(context, id, options),
  }),
  "prices change": action({
    words: ["[id]"],
    options: {
      file: "FILE",
      kind: "KIND",
      collection: "ID",
      all: true,
      by: "CHANGE",
      round: "NAIRA",
      "dry-run": true,
    },
    says: "changes the normal prices of a product, of a --kind, of what the shop shows in a --collection at the moment, of --all, or of a --file with one product a line: --by a percentage (--by=-5%) or a sum in naira (--by=500), and then --round to the cents nearest to a multiple of so many naira",
    changes: true,
    run: ({ words: { id }, options, ...context }) => changed(context, id, options),
  }),
  "prices set": action({
    words: ["id", "dollars"],
    options: { "dry-run": true },
    says: "sets the normal price of a product, like 49.99. A sale price in percent changes with it",
    changes: true,
    async run({ words: { id, dollars }, options, ...context }) {
      const price = centsFromDollars(dollars);
      if (!price) return badInput(`'${dollars}' is no price in dollars, like 49.99`);
      return carryOut(context, { ids: [id], price, action: "prices set" }, options["dry-run"]);
    },
  }),
  "prices history": action({
    words: ["id"],
    says: "the prices that a product has had, and since when, the newest first",
    changes: false,
    async run({ db, words: { id } }) {
      const steps = await priceHistory(db, id);
      if (!steps) return badInput(`No product is called ${id}`);
      const lines = steps.map(({ at, cents }) => `${shopTime(at)}  ${cents === null ? "hidden" : formatUsd(cents)}`);
      return { code: 0, data: { id, prices: steps }, text: lines.join("\n") };
    },
  }),
  "prices list": action({
    says: "the sale prices that run or wait, with the names by which they're ended",
    changes: false,
    run: async ({ db }) => {
      const sales = await listSales(db);
      return { code: 0, data: { sales }, text: [...sales.map(saleLine), plural(sales.length, "plan")].join("\n") };
    },
  }),
  "prices end": action({
    words: ["plan", "[id]"],
    says: "ends what runs of a plan and takes away what waits; of all its products, or of one",
    changes: true,
    async run({ db, by, words: { plan, id } }) {
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(plan))
        return badInput(`'${plan}' is no plan: see prices list`);
      const count = await endSale(db, by, plan, id);
      return {
        code: 0,
        data: { ended: count },
        text: count > 0 ? `Ended for ${plural(count, "product")}` : "Nothing of it runs or waits",
      };
    },
  }),
};

type ChangeOptions = {
  file?: string;
  kind?: string;
  collection?: string;
  all?: boolean;
  by?: string;
  round?: string;
  "dry-run"?: boolean;
};

async function changed(context: Context, id: string | undefined, options: ChangeOptions): Promise<Result> {
  const { file, kind, collection, all, round = "0" } = options;
  if ([id, file, kind, collection, all].filter((one) => one !== undefined).length !== 1)
    return badInput("Name a product, a --kind, a --collection, --all or a --file");
  const listed = readProductIds(file === undefined ? (id ?? "") : await readText(file));
  const change = readSumChange(options.by ?? (round === "0" ? "" : "0%"));
  const step = NAIRA_STEPS.find((one) => String(one) === round);
  if (listed.problem) return badInput(listed.problem);
  if (!change) return badInput("--by takes a percentage like 10% or -5%, or naira like 500 or -250");
  if (step === undefined) return badInput(`--round takes ${NAIRA_STEPS.slice(1).join(", ")}`);
  const ids = all ? "all" : ((await idsOfMany(context.db, { kind, collection })) ?? listed.ids);
  return carryOut(context, { ids, change, step }, options["dry-run"]);
}

type PriceWish = Parameters<typeof planPrices>[1] & { action?: string };

/** Shows the new prices, asks for confirmation, and changes them. `dryRun`: only shows them. */
async function carryOut({ db, by, confirm }: Context, wish: PriceWish, dryRun = false): Promise<Result> {
  const plan = await planPrices(db, wish);
  if (plan.tooMuch) return badInput(`Too much: ${plan.tooMuch}`);
  if (plan.unknown.length > 0) return badInput(`No product is called ${plan.unknown.join(", ")}`);
  const { rows, doubts, digest } = plan;
  const lines = rows.map(({ id, was, becomes }) => `${id}  ${formatUsd(was)} -> ${formatUsd(becomes)}`).join("\n");
  if (dryRun || rows.length === 0) return { code: 0, data: plan, text: lines || "Nothing to change" };
  await confirm([lines, ...doubts, "Go ahead?"].join("\n"));
  const done = await changePrices(db, by, { ...wish, digest });
  if (!done.ok) return badInput("Somebody has changed one of them meanwhile: nothing was changed");
  return { code: 0, data: plan, text: `${lines}\n${plural(rows.length, "price")} changed` };
}

type Options = {
  file?: string;
  kind?: string;
  collection?: string;
  percent?: string;
  price?: string;
  from?: string;
  until?: string;
  "final-sale"?: boolean;
  "dry-run"?: boolean;
};

async function sale({ db, by, confirm }: Context, id: string | undefined, options: Options): Promise<Result> {
  const { file, kind, collection, percent = "", price = "", from, until } = options;
  if ([id, file, kind, collection].filter((one) => one !== undefined).length !== 1)
    return badInput("Name a product, a --kind, a --collection or a --file");
  const read = readSaleItems(file === undefined ? (id ?? "") : await readText(file), { percent, price });
  const [problem] = Object.values(read.problems);
  if (problem) return badInput(problem);
  const ids = await idsOfMany(db, { kind, collection });
  const items = ids?.map((one) => ({ id: one, ...read.terms })) ?? read.items;
  if (items.length === 0) return badInput("There’s no such product");
  const [startsAt, endsAt] = [
    from === undefined ? undefined : momentOf(from),
    until === undefined ? undefined : momentAfter(until),
  ];
  if (from !== undefined && !startsAt) return badInput(`'${from}' is no time like 2026-11-30T09:00`);
  if (until !== undefined && !endsAt) return badInput(`'${until}' is no time like 2026-11-30T09:00`);
  const terms = { startsAt, endsAt, finalSale: options["final-sale"] ?? false };
  const shown = await planSale(db, by, items, terms, { saves: false });
  const wrong = whyNot(shown);
  if (wrong) return badInput(wrong);
  if (options["dry-run"]) return { code: 0, data: shown, text: describe(shown) };
  if (shown.rows.some(({ oldCents }) => oldCents === null)) await confirm(`${describe(shown)}\nGo ahead?`);
  const made = await planSale(db, by, items, terms, { saves: true });
  const late = whyNot(made);
  return late ? badInput(late) : { code: 0, data: made, text: `${describe(made)}\nSaved as ${made.id}` };
}

/** More products than any shop has. */
const ALL = 2 ** 31 - 1;

/** The ids of the products of a kind or in a collection. Undefined if neither is named. */
async function idsOfMany(db: Db, { kind, collection: id }: Pick<Options, "kind" | "collection">) {
  if (kind !== undefined) return idsOfKind(db, kind);
  if (id === undefined) return;
  const collection = await storedCollection(db, id);
  if (!collection) throw new BadInput(`There’s no collection '${id}'`);
  return idsInCollection(db, collection, ALL);
}

function whyNot({ late, problems }: SalePlan): string | undefined {
  if (late) return OVER_AT_ONCE;
  return problems.length > 0 ? problems.map(({ id, text }) => `${id}: ${text}`).join("\n") : undefined;
}

const dollarsOf = (cents: number) => formatUsd(usdCents(cents));

function describe({ rows }: SalePlan): string {
  return rows.map(rowLine).join("\n");
}

function rowLine({ id, normalCents, priceCents, oldCents, oldFrom }: SaleRow): string {
  const old =
    oldCents !== null
      ? `struck: ${dollarsOf(oldCents)}`
      : `no old price, since it cost no more in the 30 days before${oldFrom ? `; from ${shopTime(oldFrom)} on there would be one` : ""}`;
  return `${id}  ${dollarsOf(normalCents)} -> ${dollarsOf(priceCents)}  (${old})`;
}

function saleLine({ planId, products, startsAt, endsAt, runs, ...amounts }: ListedSale): string {
  const end = endsAt ? `over at ${shopTimeWithZone(endsAt)}` : "without an end";
  return `${planId}  ${plural(products, "product")}  ${amountText(amounts)}  ${runs ? "since" : "from"} ${shopTime(startsAt)}, ${end}`;
}
