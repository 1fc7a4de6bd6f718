import { pictureUrl } from "#app/catalog/product.ts";
import { centsFromDollars, type UsdCents } from "#app/money/money.ts";
import type { ProductAct } from "#app/owner/catalog/product-acts.server.ts";
import type { ProductImage } from "#db/types.ts";
import { ConflictNotice } from "../conflict/notice.tsx";
import type { useDraft } from "../conflict/use-draft.browser.ts";
import { Button } from "../frame/button.tsx";
import { Time } from "../frame/times.tsx";
import { useKinds } from "../kinds/context.ts";
import { type Draft, type DraftField, FIELD_NAMES, wordsOf } from "./draft.ts";

type Props = {
  /** The last change of the product by another member. */
  last?: ProductAct;
  draft: ReturnType<typeof useDraft<Draft>>;
  theirs: Draft;
  nairaOf(cents: UsdCents): string;
};

/** Shown if two members have changed the same fields: both values are shown, and one has to be chosen per field. */
export function Conflict({ last, draft, theirs, nairaOf }: Props) {
  const { open, mine, keepMine, takeTheirs } = draft;
  const name = last?.by ?? "Somebody else";
  return (
    <ConflictNotice
      head={
        <>
          {name} saved this product<span>{last && <span> at </span>}</span>
          <span>{last && <Time at={last.at} />}</span>, while you were writing.
        </>
      }
    >
      <span>{open.length === 1 ? "One field differs." : `${open.length} fields differ.`}</span> Choose before you save.
      {open.map((field) => {
        const side = (whose: string, draft: Draft, press: string, choose: (field: DraftField) => void) => (
          <div className="flex items-center justify-between gap-3 border-t border-ink/25 pt-2.5">
            <div className="min-w-0">
              <p className="text-muted">
                {whose} {FIELD_NAMES[field]}
              </p>
              <Value field={field} draft={draft} nairaOf={nairaOf} />
            </div>
            <Button type="button" look="line" onPress={() => choose(field)}>
              {press}
              <span className="sr-only"> ({FIELD_NAMES[field]})</span>
            </Button>
          </div>
        );
        return (
          <div key={field} className="mt-2.5 grid gap-x-8 gap-y-2.5 lg:grid-cols-2">
            {side("Your", mine, "Keep mine", keepMine)}
            {side(`${name}’s`, theirs, "Take theirs", takeTheirs)}
          </div>
        );
      })}
    </ConflictNotice>
  );
}

function Value({ field, draft, nairaOf }: { field: DraftField; draft: Draft; nairaOf(cents: UsdCents): string }) {
  const kinds = useKinds();
  if (field === "images") return <Thumbnails images={draft.images} />;
  const cents = field === "price" ? centsFromDollars(draft.price) : undefined;
  return (
    <p className="line-clamp-6 font-semibold whitespace-pre-line wrap-anywhere">
      {wordsOf(field, draft, kinds)}
      {cents !== undefined && <span className="font-normal text-muted"> {nairaOf(cents)}</span>}
    </p>
  );
}

function Thumbnails({ images }: { images: ProductImage[] }) {
  return (
    <p className="flex flex-wrap gap-1">
      {images.length === 0 && <span>none</span>}
      {images.map((image) => (
        <img
          key={image.hash}
          src={pictureUrl(image, 160, "webp")}
          alt={image.alt}
          className="h-11 w-9 rounded-cut object-cover"
          style={{ objectPosition: image.focus }}
        />
      ))}
    </p>
  );
}
