import type { ReactNode } from "react";
import { PlacePicture } from "#app/ui/frame/place-picture.tsx";

type Props = {
  title: string;
  intro?: ReactNode;
  /** The page has no form, so the picture fits on phones, too. */
  isShort?: boolean;
  children: ReactNode;
};

/** The layout of a page with a single form: a narrow column, beside a picture on wide screens. */
export function AuthPage({ title, intro, isShort = false, children }: Props) {
  return (
    <main className="page grid gap-8 py-6 sm:py-12 lg:grid-cols-2 lg:gap-16">
      <PlacePicture
        name={isShort ? "stack" : "collar"}
        lazy={!isShort}
        className={`lg:sticky lg:top-24 lg:aspect-square lg:self-start ${isShort ? "aspect-4/3 w-full max-lg:max-h-[44svh]" : "max-lg:hidden"}`}
      />
      <div className="mx-auto grid w-full max-w-md content-start gap-6 lg:pt-10">
        <div>
          <h1 className="headline text-3xl sm:text-4xl">{title}</h1>
          {intro && <p className="mt-2 text-balance text-muted">{intro}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}
