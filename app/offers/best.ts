import type { Offer } from "./offer.ts";

/**
 * Pieces that are equal for all offers. `offers`: the offers that may apply to the pieces, as indexes into the list of
 * offers, which is sorted by age.
 */
export type Alike = { priceCents: number; quantity: number; offers: readonly number[] };

/** The most cents that offers can take off a piece: a tenth of the price always remains. */
export function mostOff(priceCents: number): number {
  return priceCents - Math.ceil(priceCents / 10);
}

/** A percentage of a sum in cents, rounded up in the shopper's favour. */
export function percentOf(cents: number, percent: number): number {
  return Math.ceil((cents * percent) / 100);
}

/**
 * `saved`: in cents. `taken[group][place]`: the number of the group's pieces to which the offer at this index applies.
 */
export type Best = { saved: number; taken: number[][] };

/**
 * Finds the largest saving of all pieces together, where at most one offer applies to each piece. Of equal savings,
 * that of the older offers is chosen.
 *
 * Percentages are compared piece by piece. Sets and sums depend on each other, so all choices are followed in parallel
 * (dynamic programming), piece by piece, beginning with the most expensive. A state is the progress of each set and
 * each sum; of equal states, only the best is kept. In this order, the sets of an offer consist of neighbours: any
 * other sets of the same pieces save no more. Offers that share no piece are calculated separately.
 */
export function best(groups: readonly Alike[], offers: readonly Offer[]): Best {
  const taken = groups.map(() => offers.map(() => 0));
  const pools = poolsOf(groups, offers);
  let saved = 0;
  for (const pool of pools) {
    const found = bestOfPool(pool.groups, groups, pool.places, offers);
    saved += found.saved;
    for (const [group, place, pieces] of found.steps) add(taken, group, place, pieces);
  }
  const pooled = new Set(pools.flatMap((pool) => pool.groups));
  for (const [index, group] of groups.entries()) {
    if (pooled.has(index)) continue;
    const { place, cents } = bestPercent(group, offers);
    add(taken, index, place, group.quantity);
    saved += cents * group.quantity;
  }
  for (const [index, group] of groups.entries()) joinSum(group, taken, index, offers);
  return { saved, taken };
}

/**
 * Assigns pieces without an offer to the oldest sum in use, so that all pieces that it applies to share its discount.
 */
function joinSum(
  { quantity, offers: places }: Alike,
  taken: number[][],
  index: number,
  offers: readonly Offer[],
): void {
  const rest = quantity - (taken[index] ?? []).reduce((all, pieces) => all + pieces, 0);
  const isUsed = (place: number) => taken.some((row) => (row[place] ?? 0) > 0);
  const sum = places.find((place) => offers[place]?.gift.kind === "sum" && isUsed(place));
  if (rest > 0 && sum !== undefined) add(taken, index, sum, rest);
}

function add(taken: number[][], group: number, place: number, pieces: number): void {
  const row = taken[group];
  if (row && place >= 0) row[place] = (row[place] ?? 0) + pieces;
}

/** The percentage that saves most on one piece. Of equal percentages, the oldest offer's. */
function bestPercent(
  { priceCents, offers: places }: Alike,
  offers: readonly Offer[],
): { place: number; cents: number } {
  let found = { place: -1, cents: 0 };
  for (const place of places) {
    const gift = offers[place]?.gift;
    if (gift?.kind !== "percent") continue;
    const cents = Math.min(percentOf(priceCents, gift.percent), mostOff(priceCents));
    if (cents > found.cents) found = { place, cents };
  }
  return found;
}

type Pool = { groups: number[]; places: number[] };

/** Groups the sets and sums that share pieces, with all groups of pieces that they may apply to. */
function poolsOf(groups: readonly Alike[], offers: readonly Offer[]): Pool[] {
  let pools: Pool[] = [];
  const needed = offers.map((_, place) => isNeeded(place, groups, offers));
  for (const [index, { offers: places }] of groups.entries()) {
    const own = places.filter((place) => needed[place]);
    if (own.length === 0) continue;
    const isShared = (pool: Pool) => pool.places.some((place) => own.includes(place));
    const shared = pools.filter(isShared);
    const joined = {
      groups: [...shared.flatMap((pool) => pool.groups), index],
      places: [...new Set([...shared.flatMap((pool) => pool.places), ...own])].sort((a, b) => a - b),
    };
    pools = [...pools.filter((pool) => !isShared(pool)), joined];
  }
  return pools;
}

/**
 * Whether the search needs this offer. It needs each sum, and each set unless another set of the same size saves as
 * much or more on all of its pieces.
 */
function isNeeded(place: number, groups: readonly Alike[], offers: readonly Offer[]): boolean {
  const gift = offers[place]?.gift;
  if (gift?.kind !== "set") return gift?.kind === "sum";
  const own = groups.filter((group) => group.offers.includes(place));
  return !offers.some((other, at) => {
    if (at === place || other.gift.kind !== "set") return false;
    if (other.gift.buy !== gift.buy || other.gift.get !== gift.get || other.gift.percent < gift.percent) return false;
    if (!own.every((group) => group.offers.includes(at))) return false;
    const isSame =
      other.gift.percent === gift.percent &&
      groups.every(({ offers: all }) => all.includes(at) === all.includes(place));
    return !isSame || at < place;
  });
}

/**
 * `at`: the progress of each offer of the pool, as the next position in a set, or as the cents of a sum that are not
 * used yet. `age`: how young the offers in use are, to choose between equal savings. `took`: the offer of the last
 * piece, -1 for none; `of`: the group of that piece.
 */
type State = { at: number[]; saved: number; age: number; before?: State; took: number; of: number };

/**
 * The most states to keep. Only hundreds of pieces with different prices under several large sums exceed the limit;
 * then only the most promising states are kept.
 */
const MOST_STATES = 1000;
/** The most states in the first, quick search. Its result shows which states of the exact search can no longer win. */
const QUICK_STATES = 64;

type Step = [group: number, place: number, pieces: number];
type Found = { saved: number; steps: Step[] };

/**
 * The most pieces of a pool that are examined one by one. In larger carts, each group leaves out whole sets of equal
 * pieces. They take the best set or percentage, since so many equal pieces need no others to be combined with.
 */
const MOST_PIECES = 1000;

function bestOfPool(own: number[], all: readonly Alike[], places: number[], offers: readonly Offer[]): Found {
  const most = Math.max(12, Math.floor(MOST_PIECES / own.length));
  const rest = own.flatMap((of) => restOf(all[of], of, most, places, offers));
  const groups = all.map((group, of) => {
    const left = rest.find((one) => one.of === of)?.pieces ?? 0;
    return left > 0 ? { ...group, quantity: group.quantity - left } : group;
  });
  const rows = rowsOf(own, groups, places, offers);
  const quick = search(rows, places, offers, QUICK_STATES, 0);
  const exact = quick.isExact ? quick : search(rows, places, offers, MOST_STATES, quick.last?.saved ?? 0);
  const last = exact.last ?? quick.last;
  const steps: Step[] = rest.map(({ of, place, pieces }) => [of, place, pieces]);
  for (let state = last; state?.before; state = state.before) steps.push([state.of, state.took, 1]);
  return { saved: (last?.saved ?? 0) + rest.reduce((sum, { saved }) => sum + saved, 0), steps };
}

/** The best offer for the pieces of a group beyond `most`, with their number and the saving. */
function restOf(group: Alike | undefined, of: number, most: number, places: number[], offers: readonly Offer[]) {
  if (!group || group.quantity <= most) return [];
  const percent = bestPercent(group, offers);
  let found = { place: percent.place, size: 1, cents: percent.cents };
  for (const place of places) {
    const gift = offers[place]?.gift;
    if (gift?.kind !== "set" || !group.offers.includes(place)) continue;
    const size = gift.buy + gift.get;
    const cents = gift.get * percentOf(group.priceCents, gift.percent);
    if (cents / size > found.cents / found.size) found = { place, size, cents };
  }
  const sets = Math.floor((group.quantity - most) / found.size);
  return [{ of, place: found.place, pieces: sets * found.size, saved: sets * found.cents }];
}

/** A piece. `percent`: its best percentage. `slots`: the sets and sums of the pool that may take the piece instead. */
type Row = { of: number; price: number; percent: { place: number; cents: number }; slots: number[]; hope: Hope };
/**
 * Upper bounds for this piece and all after it, in cents. `cents`: the saving by percentages and sets. `ofSums`: the
 * additional saving per cent of each sum, as a sum takes pieces away from percentages. `setPieces`: the number of
 * pieces that each set may take. `mostOff`: the saving by any offers. `mostOfSums`: the saving by each sum.
 */
type Hope = { cents: number; ofSums: number[]; setPieces: number[]; mostOff: number; mostOfSums: number[] };

function rowsOf(own: number[], groups: readonly Alike[], places: number[], offers: readonly Offer[]): Row[] {
  const sorted = own
    .flatMap((of) => {
      const group = groups[of];
      return group ? [{ of, group, percent: bestPercent(group, offers) }] : [];
    })
    .sort((a, b) => b.group.priceCents - a.group.priceCents || a.of - b.of);
  const rows: Row[] = [];
  const none = places.map(() => 0);
  const hope: Hope = { cents: 0, ofSums: [...none], setPieces: [...none], mostOff: 0, mostOfSums: [...none] };
  for (const { of, group, percent } of sorted.toReversed()) {
    const slots = places.flatMap((place, slot) => (group.offers.includes(place) ? [slot] : []));
    const most = mostOff(group.priceCents);
    for (let piece = 0; piece < group.quantity; piece++) {
      let cents = percent.cents;
      let off = most; // a set counts the whole price of its given pieces, spread over all of its pieces
      for (const slot of slots) {
        const gift = offers[places[slot] ?? -1]?.gift;
        if (gift?.kind === "set") {
          hope.setPieces[slot] = (hope.setPieces[slot] ?? 0) + 1;
          cents = Math.max(cents, shareOf(group.priceCents, gift));
          off = group.priceCents;
        } else if (most > 0) {
          hope.ofSums[slot] = Math.max(hope.ofSums[slot] ?? 0, (most - percent.cents) / most);
          hope.mostOfSums[slot] = (hope.mostOfSums[slot] ?? 0) + most;
        }
      }
      hope.cents += cents;
      hope.mostOff += off;
      const { ofSums, setPieces, mostOfSums } = hope;
      const own = { ofSums: [...ofSums], setPieces: [...setPieces], mostOfSums: [...mostOfSums] };
      rows.push({ of, price: group.priceCents, percent, slots, hope: { ...hope, ...own } });
    }
  }
  return rows.reverse();
}

/**
 * An upper bound of a piece's share in the saving of a set. Since a set gives its cheapest pieces, the shares of all of
 * its pieces together are at least the saving.
 */
function shareOf(price: number, { buy, get, percent }: { buy: number; get: number; percent: number }): number {
  return ((price * percent) / 100 + 1) * (get / (buy + get));
}

function search(rows: Row[], places: number[], offers: readonly Offer[], width: number, known: number) {
  const gifts = places.map((place) => offers[place]?.gift);
  const young = offers.length;
  const keyOf = keysFor(gifts);
  let states: State[] = [
    { at: gifts.map((gift) => (gift?.kind === "sum" ? gift.cents : 0)), saved: 0, age: 0, took: -1, of: -1 },
  ];
  let isExact = true;
  for (const [index, row] of rows.entries()) {
    const { of, price, percent, slots } = row;
    const most = mostOff(price);
    const hasOnlySums = slots.every((slot) => gifts[slot]?.kind === "sum");
    const next = new Map<number | string, State>();
    const hope = rows[index + 1]?.hope;
    const keep = (before: State, after: number[], cents: number, place: number) => {
      // States are equal if their sums differ only by an amount that the remaining pieces cannot use.
      const at = after.map((left, slot) =>
        gifts[slot]?.kind === "sum" ? Math.min(left, hope?.mostOfSums[slot] ?? 0) : left,
      );
      const saved = before.saved + cents;
      const age = before.age + (place < 0 ? young : place);
      const key = keyOf(at);
      const rival = next.get(key);
      if (rival && (rival.saved > saved || (rival.saved === saved && rival.age <= age))) return;
      next.set(key, { at, saved, age, before, took: place, of });
    };
    for (const state of states) {
      let canRest = true; // whether it can be best to leave the piece to its percentage, or to no offer
      for (const slot of slots) {
        const gift = gifts[slot];
        const at = state.at[slot] ?? 0;
        const place = places[slot] ?? -1;
        if (gift?.kind === "sum") {
          const cents = Math.min(at, most);
          const isOlder = cents > 0 && place < percent.place;
          if (cents < percent.cents || (cents === percent.cents && !isOlder)) continue;
          if (hasOnlySums && percent.cents === 0) canRest = false;
          keep(state, state.at.with(slot, at - cents), cents, place);
        } else if (gift?.kind === "set") {
          const size = gift.buy + gift.get;
          if (at === 0 && (row.hope.setPieces[slot] ?? 0) < size) continue;
          keep(state, state.at.with(slot, (at + 1) % size), at < gift.buy ? 0 : percentOf(price, gift.percent), place);
        }
      }
      if (canRest) keep(state, state.at, percent.cents, percent.place);
    }
    const hoped = (state: State) => state.saved + hopeOf(state, hope, gifts, row.price);
    states = [...next.values()].filter((state) => isPossible(state, hope, gifts) && (!known || hoped(state) >= known));
    if (states.length > width) {
      isExact = false;
      states = states
        .map((state) => ({ state, hope: hoped(state) }))
        .sort((a, b) => b.hope - a.hope || b.state.saved - a.state.saved || a.state.age - b.state.age)
        .slice(0, width)
        .map(({ state }) => state);
    }
  }
  const ended = states.filter(({ at }) => gifts.every((gift, slot) => gift?.kind !== "set" || at[slot] === 0));
  const last = ended.sort((a, b) => b.saved - a.saved || a.age - b.age)[0];
  return { last, isExact };
}

/**
 * Returns a function that makes a state's key: a number if there are few enough states, since numbers are faster than
 * texts.
 */
function keysFor(gifts: Gifts): (at: readonly number[]) => number | string {
  let steps = 1;
  const weights = gifts.map((gift) => {
    const weight = steps;
    if (gift?.kind === "sum") steps *= gift.cents + 1;
    if (gift?.kind === "set") steps *= gift.buy + gift.get;
    return weight;
  });
  if (steps > Number.MAX_SAFE_INTEGER) return (at) => at.join();
  return (at) => {
    let key = 0;
    for (let slot = 0; slot < at.length; slot++) key += (at[slot] ?? 0) * (weights[slot] ?? 0);
    return key;
  };
}

type Gifts = (Offer["gift"] | undefined)[];

/** Whether enough pieces remain to complete each set that was begun. */
function isPossible({ at }: State, hope: Hope | undefined, gifts: Gifts): boolean {
  return gifts.every((gift, slot) => {
    if (gift?.kind !== "set" || !at[slot]) return true;
    return gift.buy + gift.get - at[slot] <= (hope?.setPieces[slot] ?? 0);
  });
}

/**
 * An upper bound of what a state can still save. The pieces that a begun set gives cost at most as much as the last
 * piece.
 */
function hopeOf({ at }: State, hope: Hope | undefined, gifts: Gifts, price: number): number {
  let cents = hope?.cents ?? 0;
  for (const [slot, gift] of gifts.entries()) {
    const done = at[slot] ?? 0;
    if (gift?.kind === "sum") cents += done * (hope?.ofSums[slot] ?? 0);
    else if (gift?.kind === "set" && done > 0)
      cents += Math.min(gift.get, gift.buy + gift.get - done) * percentOf(price, gift.percent);
  }
  return Math.min(cents, hope?.mostOff ?? 0) + 1e-6;
}
