import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { MINUTE, SECOND } from "#app/infra/durations.ts";
import { securityHeaders } from "../headers.server.ts";
import { localCount } from "../local-count.server.ts";
import { CLIENT_ADDRESS_HEADER, networkOf } from "../network.ts";
import { noteLimit } from "../security-log.server.ts";
import { bodySize, readAhead } from "./body.server.ts";
import { Company, Lane, type Leave, type Refused, type Width } from "./lane.server.ts";
import { LoopTime } from "./loop-time.server.ts";
import { type Proof, provenUsers } from "./proven-users.server.ts";

/**
 * The purpose of a request: to browse, or to buy. Undefined if the request costs next to nothing or must never wait.
 */
export type Errand = "browse" | "buy" | undefined;

/**
 * `browse`: pages made for one visitor, by network or account. `door`: requests on the way to an account and a cart, by
 * network. `account`: requests of signed-in users, by account. `upload`: bodies from visitors who are not signed in
 * that are large or of unknown length, by network.
 */
export const WIDTHS = {
  browse: { each: 3, all: 8, mayWait: 2 * SECOND, waitEach: 1000, waitAll: 3000, share: 1 / 3 },
  door: { each: 4, all: 32, mayWait: 4 * SECOND, waitEach: 1000, waitAll: 3000, share: 1 / 3 },
  account: { each: 4, all: Number.POSITIVE_INFINITY, mayWait: 4 * SECOND, waitEach: 1000, waitAll: 3000 },
  upload: { each: 2, all: 16, mayWait: 2 * SECOND, waitEach: 1000, waitAll: 1000 },
} satisfies Record<string, Width>;

type Settings = Proof & {
  errandOf(request: IncomingMessage): Errand;
  widths?: Record<keyof typeof WIDTHS, Width>;
};

/**
 * Takes a turn for a request; undefined if the request was refused or its client has disconnected, so that nothing more
 * is to be done.
 */
export type TakeTurn = (request: IncomingMessage, response: ServerResponse) => Leave | Promise<Leave | undefined>;

/**
 * Limits the requests of one network, or one account, that are in progress at once; others wait for a moment and are
 * then refused. The waiting also slows down clients that repeat a request at once.
 */
export function createLanes({ errandOf, widths = WIDTHS, ...proof }: Settings) {
  const [time, company] = [new LoopTime(), new Company()];
  const isAlone = (who: string) => company.isAlone(who);
  const { browse, door, account, upload } = widths;
  const lanes = {
    browse: new Lane(browse, time, isAlone),
    door: new Lane(door, time, isAlone),
    account: new Lane(account, time),
    upload: new Lane(upload, time),
  };
  const { knownUserOf, findUserOf } = provenUsers(proof);

  const laneOf = (request: IncomingMessage, user: string | undefined): Lane => {
    if (errandOf(request) === "browse") return lanes.browse;
    if (user !== undefined) return lanes.account;
    return bodySize(request) === "other" ? lanes.upload : lanes.door;
  };

  const takeTurn: TakeTurn = (request, response) => {
    const network = networkOf(String(request.headers[CLIENT_ADDRESS_HEADER] ?? "unknown"));
    const known = knownUserOf(request);
    const who = known ?? network;
    company.saw(who);
    const enter = () => laneOf(request, known).enter(who);
    const isUnread = known === undefined && bodySize(request) === "small";
    return (isUnread ? undefined : enter()) ?? waited();

    async function waited(): Promise<Leave | undefined> {
      const gone = goneSignal(response);
      const turn = (isUnread && (await readAhead(request).then(enter))) || (await queued(gone));
      if (typeof turn === "string") return gone.aborted ? undefined : refuse(turn, who, response);
      if (!gone.aborted) return turn;
      turn();
    }
    /** The session is looked up only if the request has to wait. */
    async function queued(gone: AbortSignal): Promise<Leave | Refused> {
      const user = known ?? (await findUserOf(request));
      const lane = laneOf(request, user);
      return lane.enter(user ?? network) ?? lane.wait(user ?? network, gone);
    }
  };

  const around =
    (next: RequestListener): RequestListener =>
    (request, response) => {
      if (errandOf(request) === undefined) return next(request, response);
      const go = (leave: Leave | undefined) => {
        if (!leave) return; // refused, or the client has disconnected
        response.once("prefinish", leave).once("close", leave); // a client that reads slowly does not occupy a turn
        next(request, response);
      };
      const turn = takeTurn(request, response);
      if (turn instanceof Promise) void turn.then(go);
      else go(turn);
    };

  return { around, takeTurn, lanes };
}

/** The reason for the abort: without a reason, each request would cost an error with a stack. */
const GONE = "the client is gone";

function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort(GONE); // the client may have disconnected while something else was awaited
  response.once("close", () => gone.abort(GONE));
  return gone.signal;
}

const refusalsOf = localCount(MINUTE);
const REFUSALS = {
  guest: { status: 429, retryAfter: "5" },
  all: { status: 503, retryAfter: "2" },
} satisfies Record<Refused, unknown>;

/**
 * Refuses a request, and keeps its connection open: a new connection would cost more than this response. Only a request
 * with a large body closes the connection.
 */
function refuse(why: Refused, who: string, response: ServerResponse): undefined {
  noteLimit("requests under way", refusalsOf(who).count);
  const { status, retryAfter } = REFUSALS[why];
  response
    .writeHead(status, {
      ...securityHeaders,
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-store",
      "Retry-After": retryAfter,
      ...(bodySize(response.req) === "other" && { Connection: "close" }),
    })
    .end("We're busy right now. Please try again in a moment.");
}
