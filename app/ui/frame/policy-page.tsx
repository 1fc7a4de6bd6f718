import type { ReactNode } from "react";

export function PolicyPage({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <main className="prose-page py-12 sm:py-20">
      <h1 className="headline text-3xl sm:text-5xl">{title}</h1>
      {note && <p className="text-muted">{note}</p>}
      {children}
    </main>
  );
}
