import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** The request that is being answered, for whatever happens on its way. */
class Asked {
  readonly address: string;
  readonly began = performance.now();
  #id: string | undefined;

  constructor(address: string) {
    this.address = address;
  }
  /** Made here: none is taken from outside. Most requests never need one. */
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }
}

const current = new AsyncLocalStorage<Asked>();

/** Answers a request of this client. */
export function asRequest<T>(address: string, answer: () => T): T {
  return current.run(new Asked(address), answer);
}

/** Undefined outside of a request, as in a job. */
export function currentRequest(): Asked | undefined {
  return current.getStore();
}
