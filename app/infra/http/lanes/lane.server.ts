import { MINUTE, SECOND } from "#app/infra/durations.ts";
import type { LoopTime } from "./loop-time.server.ts";

/** The limits of a lane; times in ms. */
export type Width = {
  /** The most requests in progress at once: of one guest, and of all guests together. */
  each: number;
  all: number;
  /** How long a request may wait for its turn, and the most waiting requests: of one guest, and of all. */
  mayWait: number;
  waitEach: number;
  waitAll: number;
  /**
   * The largest share of the event loop's time for one guest, while there are others. Without it, the guests' time is
   * not counted.
   */
  share?: number;
};

/** Ends a turn; calling it again does nothing. */
export type Leave = () => void;
/** Why no turn was given: because of too many requests of the guest, or of all guests together. */
export type Refused = "guest" | "all";

type Waiter = { until: number; settle(turn: Leave | Refused): void };
type Guest = {
  underWay: number;
  waiting: Set<Waiter>;
  /** How much of the event loop's time (ms) the guest may still take before a pause, and when that was computed. */
  credit: number;
  at: number;
};

/** In ms: the largest credit, which a guest has after a pause, and the largest debt. */
const MOST_CREDIT = SECOND / 2;
const MOST_DEBT = SECOND;
/** The most guests that are remembered with their credit. */
const MOST_GUESTS = 10_000;
/** In ms: how often the waiting requests are checked for a turn, and for having waited too long. */
const LOOK_EVERY = 20;

/**
 * Limits the requests of each guest (a network or an account) that are in progress at once. The others wait, and guests
 * take turns.
 */
export class Lane {
  readonly #width: Width;
  readonly #time: LoopTime;
  readonly #isAlone: (who: string) => boolean;
  readonly #guests = new Map<string, Guest>();
  /** Guests with waiting requests; the guest whose turn is next comes first. */
  readonly #queue = new Map<string, Guest>();
  #underWay = 0;
  #waiting = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(width: Width, time: LoopTime, isAlone: (who: string) => boolean = () => false) {
    this.#width = width;
    this.#time = time;
    this.#isAlone = isAlone;
  }

  get counts() {
    return { underWay: this.#underWay, waiting: this.#waiting, guests: this.#guests.size };
  }

  /** A turn at once; undefined if the request has to wait. */
  enter(who: string): Leave | undefined {
    const guest = this.#guests.get(who);
    if (guest?.waiting.size || this.#underWay >= this.#width.all) return;
    if (guest && !this.#mayBegin(who, guest)) return;
    return this.#begin(who, guest ?? this.#newGuest(who));
  }

  /**
   * Resolves with a turn as soon as one is free, or with the reason why none is given. `gone` is aborted when the
   * client has disconnected.
   */
  wait(who: string, gone: AbortSignal): Promise<Leave | Refused> {
    const guest = this.#guests.get(who) ?? this.#newGuest(who);
    if (gone.aborted || guest.waiting.size >= this.#width.waitEach) return Promise.resolve("guest");
    if (this.#waiting >= this.#width.waitAll) return Promise.resolve(this.#blame(who, guest));
    return new Promise((resolve) => {
      const waiter: Waiter = { until: performance.now() + this.#width.mayWait, settle: resolve };
      guest.waiting.add(waiter);
      this.#waiting++;
      this.#queue.set(who, guest);
      gone.addEventListener("abort", () => this.#giveUp(who, guest, waiter, "guest"), { once: true });
      this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY).unref();
    });
  }

  #newGuest(who: string): Guest {
    const guest = { underWay: 0, waiting: new Set<Waiter>(), credit: MOST_CREDIT, at: performance.now() };
    this.#guests.set(who, guest);
    if (this.#guests.size > MOST_GUESTS)
      for (const [one, known] of this.#guests) if (known !== guest && isIdle(known)) this.#guests.delete(one);
    return guest;
  }

  #mayBegin(who: string, guest: Guest): boolean {
    if (guest.underWay >= this.#width.each) return false;
    return this.#width.share === undefined || this.#creditOf(guest) > 0 || this.#isAlone(who);
  }

  #creditOf(guest: Guest): number {
    const now = performance.now();
    guest.credit = Math.min(MOST_CREDIT, guest.credit + (now - guest.at) * (this.#width.share ?? 0));
    guest.at = now;
    return guest.credit;
  }

  #begin(who: string, guest: Guest): Leave {
    this.#underWay++;
    guest.underWay++;
    const end = this.#time.begin();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      guest.credit = Math.max(-MOST_DEBT, this.#creditOf(guest) - end());
      this.#underWay--;
      guest.underWay--;
      this.#forget(who, guest);
      this.#giveTurns();
    };
  }

  #giveTurns(): void {
    for (const [who, guest] of this.#queue) {
      if (this.#underWay >= this.#width.all) return;
      const [first] = guest.waiting;
      if (!first || !this.#mayBegin(who, guest)) continue;
      this.#take(who, guest, first);
      if (guest.waiting.size > 0) {
        this.#queue.delete(who);
        this.#queue.set(who, guest); // moved to the end, which this loop still reaches
      }
      first.settle(this.#begin(who, guest));
    }
  }

  #take(who: string, guest: Guest, waiter: Waiter): boolean {
    if (!guest.waiting.delete(waiter)) return false;
    this.#waiting--;
    if (guest.waiting.size === 0) this.#queue.delete(who);
    if (this.#waiting === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
    }
    return true;
  }

  #giveUp(who: string, guest: Guest, waiter: Waiter, why: Refused): void {
    if (!this.#take(who, guest, waiter)) return;
    this.#forget(who, guest);
    waiter.settle(why);
  }

  #look(): void {
    const now = performance.now();
    this.#giveTurns();
    for (const [who, guest] of this.#queue)
      for (const waiter of guest.waiting) {
        if (waiter.until > now) break; // those behind it came later
        this.#giveUp(who, guest, waiter, this.#blame(who, guest));
      }
  }

  #blame(who: string, guest: Guest): Refused {
    return this.#mayBegin(who, guest) ? "all" : "guest";
  }

  /** Drops an idle guest if time is not counted: without a credit there is nothing to remember. */
  #forget(who: string, guest: Guest): void {
    if (this.#width.share === undefined && isIdle(guest)) this.#guests.delete(who);
  }
}

const isIdle = ({ underWay, waiting }: Guest) => underWay === 0 && waiting.size === 0;

/** In ms: how long a guest must have been the only one to count as alone. */
const ALONE_AFTER = MINUTE / 6;

/** Records whether there was more than one guest lately. A guest who is alone need not leave time for others. */
export class Company {
  #last: string | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  saw(who: string): void {
    if (this.#last !== undefined && who !== this.#last) this.#changedAt = performance.now();
    this.#last = who;
  }

  isAlone(who: string): boolean {
    return who === this.#last && performance.now() - this.#changedAt > ALONE_AFTER;
  }
}
