import type { ReactNode } from "react";

/**
 * done: nothing left to do. waiting: staff must act. person: something is wrong. going: in progress, nobody has to act.
 * rest: closed.
 */
export type Tone = "done" | "waiting" | "person" | "going" | "rest";

const TONES: Record<Tone, string> = {
  done: "text-done before:bg-current",
  waiting: "text-waiting before:bg-current",
  person: "text-error before:rotate-45 before:rounded-none before:bg-current",
  going: "text-ink before:border-2 before:border-current",
  rest: "text-muted before:bg-current",
};

/** A state shown by a dot and a word, so that it never depends on colour alone. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-2 font-medium whitespace-nowrap before:size-2 before:flex-none before:rounded-full ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
