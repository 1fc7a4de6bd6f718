import type { ReactNode } from "react";

/** The calm single column of forms that have a page to themselves. */
export function AuthPage({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto grid w-full max-w-md gap-6 px-4 py-12 sm:py-20">
      <div>
        <h1 className="headline text-3xl sm:text-4xl">{title}</h1>
        {intro && <p className="mt-2 text-balance text-muted">{intro}</p>}
      </div>
      {children}
    </main>
  );
}
