import { SECOND } from "#app/infra/durations.ts";
import { type FormSize, fieldsIn, UnreadableForm } from "#app/infra/http/form-reader.server.ts";

const MB = 1024 * 1024;

/** The limits of an upload: four pictures of 8 MB, with some space for the other fields. */
const PHOTOGRAPHS: FormSize = { fields: 8, part: 8 * MB, bytes: 33 * MB };

/** The most uploads at once, at most one per account, because each form with photographs is held in memory. */
const AT_ONCE = 4;
/**
 * How long an upload may take while another account waits, and how long an account waits for its turn. Four uploads
 * that have arrived are processed within this time.
 */
const PATIENCE = 10 * SECOND;

type Turn = { since: number; isRead: boolean; arriving: AbortController };
/** The uploads in progress, oldest first. */
const turns = new Map<string, Turn>();
/** The wake-up functions of the accounts that wait for a turn, the first in line first. */
const waiting = new Map<string, () => void>();

/** The received form. `isTooLarge`: a picture was too large, so the form is incomplete. */
type Sent = { form: FormData; isTooLarge: boolean };

/**
 * Calls `use` with the form that an account uploads, once it is the account's turn. Undefined if it got no turn, or if
 * the upload was so slow that another account took its place. Throws an UnreadableForm if the form has too many parts.
 */
export async function formInTurn<T>(
  account: string,
  request: Request,
  use: (form: FormData, isTooLarge: boolean) => Promise<T>,
): Promise<T | undefined> {
  const turn = await turnFor(account, request.signal);
  if (!turn) return;
  try {
    const sent = await arrived(request, turn.arriving.signal);
    if (!sent) return;
    turn.isRead = true;
    return await use(sent.form, sent.isTooLarge);
  } finally {
    if (turns.get(account) === turn) turns.delete(account);
    wakeFirst();
  }
}

/**
 * Waits for a free turn. The second upload of an account does not wait: it replaces the account's first one if that is
 * slow, and is otherwise refused.
 */
async function turnFor(account: string, gone: AbortSignal): Promise<Turn | undefined> {
  const own = turns.get(account);
  if (own) return isSlow(own) ? begin(account, [account, own]) : undefined;
  if (waiting.has(account)) return;
  const until = performance.now() + PATIENCE;
  for (;;) {
    const isNext = waiting.size === 0 || waiting.keys().next().value === account;
    const slow = [...turns].find(([, turn]) => isSlow(turn));
    const hasRoom = isNext && (turns.size < AT_ONCE || slow !== undefined);
    const left = until - performance.now();
    if (hasRoom || left <= 0 || gone.aborted) {
      waiting.delete(account);
      const turn = hasRoom && !gone.aborted ? begin(account, turns.size < AT_ONCE ? undefined : slow) : undefined;
      wakeFirst();
      return turn;
    }
    await somethingChanges(account, Math.min(left, untilOneIsSlow()), gone);
  }
}

function begin(account: string, inPlaceOf?: [account: string, turn: Turn]): Turn {
  if (inPlaceOf) {
    inPlaceOf[1].arriving.abort();
    turns.delete(inPlaceOf[0]);
  }
  const turn = { since: performance.now(), isRead: false, arriving: new AbortController() };
  turns.set(account, turn);
  return turn;
}

function wakeFirst(): void {
  waiting.values().next().value?.();
}

function somethingChanges(account: string, within: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(clock);
      gone.removeEventListener("abort", wake);
      resolve();
    };
    const clock = setTimeout(wake, within);
    gone.addEventListener("abort", wake);
    waiting.set(account, wake);
  });
}

const slowAt = ({ since, isRead }: Turn) => (isRead ? Infinity : since + PATIENCE);
const isSlow = (turn: Turn) => performance.now() >= slowAt(turn);
const untilOneIsSlow = () => Math.min(...[...turns.values()].map(slowAt)) - performance.now();

/** The received form, or undefined if the signal aborts first. The connection stays open for the response. */
async function arrived(request: Request, signal: AbortSignal): Promise<Sent | undefined> {
  const { method, headers } = request;
  const body = request.body?.pipeThrough(new TransformStream(), { signal, preventCancel: true });
  const init = { method, headers, signal: request.signal, ...(body && { body, duplex: "half" }) };
  try {
    const sent = await photographsIn(new Request(request.url, init));
    return signal.aborted ? undefined : sent;
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
}

/**
 * After a picture that is too large, the rest of the request is read and dropped, so that the client gets the response.
 */
async function photographsIn(request: Request): Promise<Sent> {
  const form = new FormData();
  try {
    for await (const [name, value] of fieldsIn(request, () => PHOTOGRAPHS)) form.append(name, value);
    return { form, isTooLarge: false };
  } catch (error) {
    if (!(error instanceof UnreadableForm) || error.why === "fields") throw error;
    if (error.why === "no-form") return { form: new FormData(), isTooLarge: false };
    for await (const _ of request.body ?? []);
    return { form, isTooLarge: true };
  }
}
