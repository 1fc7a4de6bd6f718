import { ALT_MAX, GROUNDS, TEXT_MAX } from "#app/owner/shop/hero.ts";
import { brokenTitle, TITLE_LINE, TITLE_LINES, titleProblem } from "#app/owner/shop/hero-title.ts";
import { HERO_GROUNDS } from "#app/ui/frame/hero-pictures.ts";
import type { HeroSlide } from "#db/types.ts";
import { Field, TextField } from "../frame/field.tsx";
import { usePaste } from "../products/add-pictures.browser.tsx";
import { type Arrived, useRenderings, useUploads } from "../products/uploads.browser.ts";
import { HeroLink, type NamedCollection } from "./hero-link.tsx";
import { HeroPictureField } from "./hero-picture.browser.tsx";
import { HeroPreview } from "./hero-preview.tsx";
import type { NamedProduct } from "./product-field.tsx";

type Props = {
  slide: HeroSlide;
  products: NamedProduct[];
  collections: NamedCollection[];
  /** Error messages by field. */
  problems: Record<string, string>;
  onChange(change: Partial<HeroSlide>): void;
};

/** The fields of one slide: preview, texts, pictures. */
export function HeroSlideForm({ slide, products, collections, problems, onChange }: Props) {
  const { works, follow } = useRenderings();
  const arrived =
    (name: "desktop" | "phone") =>
    ({ picture, work }: Arrived) => {
      follow(picture.hash, work);
      onChange({ [name]: picture });
    };
  const desktop = useUploads(arrived("desktop"));
  const phone = useUploads(arrived("phone"));
  usePaste((files) => (slide.desktop && !slide.phone ? phone : desktop).add(files.slice(0, 1)));
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_22%] items-end gap-3">
        <HeroPreview slide={slide} />
        <HeroPreview slide={slide} isPhone />
      </div>
      <Field
        label="Title"
        note={`${TITLE_LINES} lines at most, of ${TITLE_LINE} letters`}
        problem={slide.title === "" ? problems.title : titleProblem(brokenTitle(slide.title))}
      >
        <textarea
          rows={TITLE_LINES}
          value={slide.title}
          onChange={({ target }) => onChange({ title: target.value })}
          className="input"
        />
      </Field>
      <TextField
        label="Line below it"
        note="optional"
        problem={problems.text}
        value={slide.text}
        maxLength={TEXT_MAX}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      <HeroLink slide={slide} products={products} collections={collections} problems={problems} onChange={onChange} />
      <fieldset>
        <legend className="font-semibold">
          Ground <span className="font-normal text-muted">(the words are on it, whatever the picture shows)</span>
        </legend>
        <div className="flex flex-wrap gap-x-6">
          {GROUNDS.map((ground) => (
            <label key={ground} className="tick capitalize">
              <input
                type="radio"
                name={`ground-${slide.id}`}
                checked={slide.ground === ground}
                onChange={() => onChange({ ground })}
              />
              <span className={`size-5 rounded-cut ${HERO_GROUNDS[ground]}`} />
              {ground}{" "}
            </label>
          ))}
        </div>
      </fieldset>
      <HeroPictureField
        title="Picture for wide windows"
        otherwise="the shop’s own picture"
        picture={slide.desktop}
        problem={problems.desktop}
        sizes={works}
        uploads={desktop}
        onChange={(picture) => onChange({ desktop: picture, ...(picture === null && { phone: null }) })}
      />
      {slide.desktop && (
        <HeroPictureField
          title="Picture for phones"
          otherwise="the same"
          picture={slide.phone}
          problem={problems.phone}
          sizes={works}
          uploads={phone}
          onChange={(picture) => onChange({ phone: picture })}
        />
      )}
      <TextField
        label="Description of the picture"
        note="read out to shoppers who can’t see it"
        problem={problems.alt}
        value={slide.alt}
        maxLength={ALT_MAX}
        onChange={({ target }) => onChange({ alt: target.value })}
      />
    </>
  );
}
