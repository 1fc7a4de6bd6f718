import { SECOND } from "#app/infra/durations.ts";
import { postedForm } from "#app/infra/http/form-post.server.ts";

/** A form with photographs lies in memory as a whole: one of an account, and so many of all. */
const AT_ONCE = 4;
/** So long a form may take to arrive while somebody else waits. */
const PATIENCE = 10 * SECOND;

type Turn = { since: number; isRead: boolean; arriving: AbortController };
/** The oldest first. */
const turns = new Map<string, Turn>();

/** Does this with the form that an account posts, when it is its turn; undefined when it is not, or it took so long that it had to give way. */
export async function formInTurn<T>(
  account: string,
  request: Request,
  use: (form: FormData) => Promise<T>,
): Promise<T | undefined> {
  if (!makeRoom(account)) return;
  const turn = { since: performance.now(), isRead: false, arriving: new AbortController() };
  turns.set(account, turn);
  try {
    const form = await arrived(request, turn.arriving.signal);
    if (!form) return;
    turn.isRead = true;
    return await use(form);
  } finally {
    if (turns.get(account) === turn) turns.delete(account);
  }
}

/** Ends another's turn if need be. An account waits for its own alone. */
function makeRoom(account: string): boolean {
  const own = turns.get(account);
  if (!own && turns.size < AT_ONCE) return true;
  const slow = [...turns].find(([whose, turn]) => isSlow(turn) && (!own || whose === account));
  if (!slow) return false;
  slow[1].arriving.abort();
  return turns.delete(slow[0]);
}

const isSlow = ({ since, isRead }: Turn) => !isRead && performance.now() - since >= PATIENCE;

/** The form, or undefined when the signal comes first; the connection stays, so that its sender can be answered. */
async function arrived(request: Request, signal: AbortSignal): Promise<FormData | undefined> {
  const { method, headers } = request;
  const body = request.body?.pipeThrough(new TransformStream(), { signal, preventCancel: true });
  const init = { method, headers, signal: request.signal, ...(body && { body, duplex: "half" }) };
  try {
    const form = await postedForm(new Request(request.url, init));
    return signal.aborted ? undefined : form;
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
}
