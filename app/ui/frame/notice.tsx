import type { ReactNode } from "react";
import { PlacePicture } from "./place-picture.tsx";

/** A page with a single message. Not centred vertically, since the text would move while the rest loads. */
export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="page grid content-start gap-8 py-6 sm:py-12 lg:grid-cols-2 lg:gap-16">
      <PlacePicture name="scarf" className="aspect-4/3 w-full max-lg:max-h-[44svh] lg:aspect-square" />
      <div className="grid max-w-xl content-start justify-items-start gap-5 lg:pt-20">
        <h1 className="headline text-3xl sm:text-5xl">{title}</h1>
        {children}
      </div>
    </main>
  );
}
