import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { MINUTE, SECOND } from "#app/infra/durations.ts";
import { type Recipe, TOO_SLOW, TOOK_TOO_LONG, type Undecoded } from "./foreign.server.ts";

/** A message to the decoder process: the bytes, what to make of them, and the processor time it may use, in ms. */
export type ToDecode = { bytes: Uint8Array; recipe: Recipe; processorMs: number };
/** The reply of the decoder process. */
export type Decoded = { usedMs: number } & ({ picture: Uint8Array } | Undecoded);

/**
 * The remaining processor time for the pictures of one form. It is not elapsed time, because a busy machine does not
 * make a picture bad.
 */
export type Budget = { processorMs: number };
export const budgetOfPost = (): Budget => ({ processorMs: 4 * SECOND });
/** The limit of elapsed time, for a decoder process that does not check its processor time. */
const LONGEST = MINUTE;
const IDLE = 30 * SECOND;

/** A decoded picture takes up to 120 MB, so only this many are decoded at once. */
const AT_ONCE = 2;
let underWay = 0;
const waiting: (() => void)[] = [];
const idle: { child: ChildProcess; end: NodeJS.Timeout }[] = [];

export type Wanted = { recipe: Recipe; budget?: Budget; signal?: AbortSignal };

/**
 * Converts an uploaded picture to JPEG in a separate process, which is killed if it takes too long or the signal
 * aborts. Calls are served in order. Rejects if the signal aborts first.
 */
export async function decode(bytes: Uint8Array, wanted: Wanted): Promise<{ bytes: Buffer } | Undecoded> {
  const { recipe, budget = budgetOfPost(), signal } = wanted;
  if (underWay < AT_ONCE) underWay++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    signal?.throwIfAborted();
    const made = await decodedBy(takeProcess(), { bytes, recipe, ...budget }, signal);
    if (!made) return TOO_SLOW;
    budget.processorMs -= made.usedMs;
    if ("fault" in made) return { fault: made.fault, says: made.says };
    return { bytes: Buffer.from(made.picture) };
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  }
}

/**
 * Undefined if the process exceeded its processor time or was killed by a signal: from the timeout, or from the system
 * because of what the picture did.
 */
function decodedBy(child: ChildProcess, task: ToDecode, signal?: AbortSignal): Promise<Decoded | undefined> {
  return new Promise((resolve, reject) => {
    const kill = () => child.kill("SIGKILL");
    const clock = setTimeout(kill, LONGEST);
    const settle = (ended: () => void) => {
      clearTimeout(clock);
      signal?.removeEventListener("abort", kill);
      child.removeAllListeners();
      ended();
    };
    signal?.addEventListener("abort", kill, { once: true });
    child.once("error", (error) => settle(() => reject(error)));
    child.once("exit", (code) =>
      settle(() => {
        if (signal?.aborted) reject(signal.reason);
        else if (code === null || code === TOOK_TOO_LONG) resolve(undefined);
        else reject(new Error(`decode-pictures.ts ended with ${code}`));
      }),
    );
    child.once("message", (made: Decoded) =>
      settle(() => {
        keepProcess(child);
        resolve(made);
      }),
    );
    child.send(task, (error) => error && kill());
  });
}

/** An idle process, or a new one. Its environment is empty, since the shop's settings contain secrets. */
function takeProcess(): ChildProcess {
  const kept = idle.pop();
  if (kept) {
    clearTimeout(kept.end);
    kept.child.removeAllListeners().ref();
    kept.child.channel?.ref();
    return kept.child;
  }
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  const options = { serialization: "advanced" as const, execArgv: [], env: {}, stdio: [...stdio] };
  return fork(path.resolve("decode-pictures.ts"), options);
}

/** Keeps an idle process for the next picture. It does not keep the server from exiting. */
function keepProcess(child: ChildProcess): void {
  const forget = () => {
    idle.splice(0, Infinity, ...idle.filter((one) => one.child !== child));
  };
  const end = setTimeout(() => {
    forget();
    child.kill();
  }, IDLE).unref();
  idle.push({ child, end });
  child.once("exit", forget).unref();
  child.channel?.unref();
}
