import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";

export const newRequestId = randomUUID;

/** The context of the request that is being answered, for all code that runs on its behalf. */
class RequestContext {
  readonly address: string;
  readonly startedAt = performance.now();
  /** Whether a statement of the request has waited too long, for a lock or for its rows. */
  databaseTimedOut = false;
  #id: string | undefined;

  constructor(address: string) {
    this.address = address;
  }
  /** Generated here, never taken from a header, and only on demand: most requests do not need it. */
  get id(): string {
    this.#id ??= newRequestId();
    return this.#id;
  }
}

const current = new AsyncLocalStorage<RequestContext>();

/** Runs `answer` in the context of a request from this address. */
export function asRequest<T>(address: string, answer: () => T): T {
  return current.run(new RequestContext(address), answer);
}

/** Undefined outside of a request, as in a job. */
export function currentRequest(): RequestContext | undefined {
  return current.getStore();
}

/**
 * Records that a statement of the current request timed out: if the request fails because of that, a retry may succeed.
 */
export function noteDatabaseTimeout(): void {
  const request = currentRequest();
  if (request) request.databaseTimedOut = true;
}

export const REQUEST_ID_HEADER = "X-Request-Id";

/** Adds the request's id to the response; the log has the same id. */
export function withRequestId(listener: RequestListener): RequestListener {
  return (request, response) => {
    const context = currentRequest();
    if (context) response.setHeader(REQUEST_ID_HEADER, context.id);
    listener(request, response);
  };
}
