import type { ReactNode } from "react";
import { useBrand } from "#app/brand/context.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Letters } from "#app/ui/frame/wordmark.tsx";
import { useAnswer } from "../connection/answer.ts";

/** The layout of pages for visitors who are not signed in. It shows a message if a form could not be sent. */
export function Door({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  const { name } = useBrand();
  const answer = useAnswer<{ isOffline?: boolean; problem?: string }>();
  return (
    <main className="grid min-h-screen grid-cols-[minmax(0,22.5rem)] content-center justify-center gap-6 px-4 py-8">
      <title>{`${title} · ${name} office`}</title>
      <Letters className="h-4.5 w-auto justify-self-start" />
      <div>
        <h1 className="text-2xl">{title}</h1>
        {about && <p className="mt-1.5 text-muted">{about}</p>}
      </div>
      {answer?.isOffline && <FormError>{answer.problem}</FormError>}
      {children}
    </main>
  );
}

export function Or() {
  return (
    <p className="grid grid-cols-[1fr_auto_1fr] items-center gap-3 text-muted before:h-px before:bg-hairline after:h-px after:bg-hairline">
      or
    </p>
  );
}
