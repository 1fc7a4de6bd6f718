import type { ReactNode } from "react";
import { Picture } from "#app/ui/picture.tsx";
import type { ProductImage } from "#db/types.ts";

type Props = { picture: ProductImage; children: ReactNode };

/** A collection's name and words beside its picture; on phones below it. */
export function CollectionLead({ picture, children }: Props) {
  return (
    <div className="bg-cocoa text-paper [--ring:var(--color-paper)] md:grid md:grid-cols-[5fr_7fr]">
      <Picture
        image={picture}
        sizes="(min-width: 768px) 59vw, 100vw"
        urgent
        className="h-56 w-full rounded-none! md:order-last md:h-auto md:max-h-[60vh] md:min-h-80"
      />
      <div className="grid content-center px-4 py-8 sm:px-12 sm:py-12">{children}</div>
    </div>
  );
}
