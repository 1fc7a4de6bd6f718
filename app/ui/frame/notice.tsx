import type { ReactNode } from "react";

/** A page that has one thing to say. Not centred in its height: that would move what is read while the rest arrives. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="page grid min-h-[60vh] max-w-2xl content-start justify-items-center gap-5 pt-[16vh] pb-16 text-center text-balance">
      <h1 className="headline text-3xl sm:text-5xl">{title}</h1>
      {children}
    </main>
  );
}
