import type { ReactNode } from "react";

/** done: nothing more to do. waiting: staff must act. person: something is wrong. going: under way by itself. rest: over. */
export type Tone = "done" | "waiting" | "person" | "going" | "rest";

const TONES: Record<Tone, string> = {
  done: "text-done before:bg-current",
  waiting: "text-waiting before:bg-current",
  person: "text-error before:rotate-45 before:rounded-none before:bg-current",
  going: "text-ink before:border-2 before:border-current",
  rest: "text-muted before:bg-current",
};

/** How something stands, by a dot and a word: never by a colour alone. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-2 font-medium whitespace-nowrap before:size-2 before:flex-none before:rounded-full ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
