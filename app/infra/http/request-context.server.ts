import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";

/** The request that is being answered, for whatever happens on its way. */
class RequestContext {
  readonly address: string;
  readonly startedAt = performance.now();
  /** A statement of it waited for too long, for a lock or for its rows. */
  databaseTimedOut = false;
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

const current = new AsyncLocalStorage<RequestContext>();

/** Answers a request of this client. */
export function asRequest<T>(address: string, answer: () => T): T {
  return current.run(new RequestContext(address), answer);
}

/** Undefined outside of a request, as in a job. */
export function currentRequest(): RequestContext | undefined {
  return current.getStore();
}

/** A statement of the request under way was given up: if this makes it fail, the next try may well succeed. */
export function noteDatabaseTimeout(): void {
  const request = currentRequest();
  if (request) request.databaseTimedOut = true;
}

export const REQUEST_ID_HEADER = "X-Request-Id";

/** Names the request in its answer: in the log stands the same name. */
export function withRequestId(listener: RequestListener): RequestListener {
  return (request, response) => {
    const context = currentRequest();
    if (context) response.setHeader(REQUEST_ID_HEADER, context.id);
    listener(request, response);
  };
}
