import { performance } from "node:perf_hooks";

/** In ms: how long this process's event loop has been active in all. */
const timeAtWork = () => performance.eventLoopUtilization().active;

/**
 * Divides the event loop's active time equally among the requests in progress. Other work of the process is included,
 * so a request costs more while the process is busier.
 */
export class LoopTime {
  readonly #timeAtWork: () => number;
  #seen = 0;
  /** In ms: the share of a request that has been in progress from the beginning. */
  #each = 0;
  #underWay = 0;

  constructor(atWork = timeAtWork) {
    this.#timeAtWork = atWork;
  }

  /** Begins a request; the returned function ends it and returns its share in ms. To be called once. */
  begin(): () => number {
    this.#share();
    this.#underWay++;
    const since = this.#each;
    return () => {
      this.#share();
      this.#underWay--;
      return this.#each - since;
    };
  }

  #share(): void {
    const now = this.#timeAtWork();
    if (this.#underWay > 0) this.#each += (now - this.#seen) / this.#underWay;
    this.#seen = now;
  }
}
