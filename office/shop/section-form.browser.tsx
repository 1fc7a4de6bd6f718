import { SHIPPED_TITLES } from "#app/catalog/home/own-sections.ts";
import { ALT_MAX, LABEL_MAX } from "#app/owner/shop/hero.ts";
import { ADDRESS_MAX, COUNTS, MOST_CHOSEN, TEXT_MAX, TITLE_MAX } from "#app/owner/shop/sections.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import type { HomeSection } from "#db/types.ts";
import { useScriptsFor } from "../connection/scripts-ahead.browser.ts";
import { Button } from "../frame/button.tsx";
import { Field, TextField } from "../frame/field.tsx";
import { usePaste } from "../products/add-pictures.browser.tsx";
import { useRenderings, useUploads } from "../products/uploads.browser.ts";
import type { NamedCollection } from "./hero-link.tsx";
import { HeroPictureField } from "./hero-picture.browser.tsx";
import { type NamedProduct, ProductField } from "./product-field.tsx";

type Of<Kind extends HomeSection["kind"]> = Extract<HomeSection, { kind: Kind }>;
/** `problems`: error messages by field. */
type FieldsOf<Section extends HomeSection> = {
  section: Section;
  problems: Record<string, string>;
  onChange(change: Partial<Section>): void;
};

type Props = FieldsOf<HomeSection> & {
  /** The products that the sections name at the moment. */
  products: NamedProduct[];
  /** The collections that the shop shows, and those that the sections name. */
  collections: NamedCollection[];
};

/** The fields of one section of the home page. */
export function SectionForm({ section, products, collections, problems, onChange }: Props) {
  useScriptsFor("/shop/hero/products");
  if (section.kind === "shipped")
    return (
      <p>
        {`“${SHIPPED_TITLES[section.name]}” comes with the shop. Its words and pictures can’t be changed here: move it, or remove it.`}
      </p>
    );
  return (
    <>
      <TextField
        label="Title"
        note={section.kind === "collection" ? "empty: the collection’s name" : `at most ${TITLE_MAX} letters`}
        problem={problems.title}
        value={section.title}
        maxLength={TITLE_MAX}
        onChange={({ target }) => onChange({ title: target.value })}
      />
      {section.kind === "collection" && (
        <CollectionField section={section} collections={collections} problems={problems} onChange={onChange} />
      )}
      {(section.kind === "arrivals" || section.kind === "collection") && (
        <Field label="How many products" problem={problems.most}>
          <select
            value={section.most}
            onChange={({ target }) => onChange({ most: COUNTS.find((count) => String(count) === target.value) })}
            autoComplete="off"
            className="input max-w-40"
          >
            {COUNTS.map((count) => (
              <option key={count}>{count}</option>
            ))}
          </select>
        </Field>
      )}
      {section.kind === "products" && (
        <ChosenProducts section={section} products={products} problems={problems} onChange={onChange} />
      )}
      {(section.kind === "picture" || section.kind === "slogan") && (
        <Words section={section} problems={problems} onChange={onChange} />
      )}
      {section.kind === "picture" && <PictureFields section={section} problems={problems} onChange={onChange} />}
    </>
  );
}

type CollectionProps = FieldsOf<Of<"collection">> & { collections: NamedCollection[] };

function CollectionField({ section: { collection }, collections, problems, onChange }: CollectionProps) {
  const isGone = collection !== "" && !collections.some(({ id }) => id === collection);
  return (
    <Field label="Collection" problem={problems.collection}>
      <select
        value={collection}
        onChange={({ target }) => onChange({ collection: target.value })}
        autoComplete="off" // otherwise a reload would restore the choice of another section
        className="input"
      >
        <option value="">Choose a collection</option>
        {collections.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {isGone && <option value={collection}>A deleted collection</option>}
      </select>
    </Field>
  );
}

type ChosenProps = FieldsOf<Of<"products">> & { products: NamedProduct[] };

/** The products of a section in their order, each with a button that removes it. */
function ChosenProducts({ section: { products: chosen }, products, problems, onChange }: ChosenProps) {
  const set = (ids: string[]) => onChange({ products: ids });
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Products</legend>
      {chosen.map((id, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a product that is being typed has no id yet
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
          <div>
            <ProductField
              label={`Product ${at + 1}`}
              value={id}
              products={products}
              onChange={(value) => set(chosen.with(at, value))}
            />
          </div>
          <Button
            type="button"
            look="bare"
            aria-label={`Remove product ${at + 1}`}
            className="w-11"
            onPress={() => set(chosen.toSpliced(at, 1))}
          >
            <CloseIcon className="size-5" />
            <span className="sr-only">Remove</span>
          </Button>
        </div>
      ))}
      {problems.products && <p className="text-[0.8125rem] font-medium text-error">{problems.products}</p>}
      <Button
        type="button"
        look="line"
        className="justify-self-start"
        isDisabled={chosen.length >= MOST_CHOSEN}
        onPress={() => set([...chosen, ""])}
      >
        Add a product
      </Button>
    </fieldset>
  );
}

/** The text and the link of a section. */
function Words({ section, problems, onChange }: FieldsOf<Of<"picture"> | Of<"slogan">>) {
  return (
    <>
      <Field label="Text" note={`optional, at most ${TEXT_MAX} letters`} problem={problems.text}>
        <textarea
          rows={4}
          value={section.text}
          onChange={({ target }) => onChange({ text: target.value.replaceAll("\n", " ") })}
          maxLength={TEXT_MAX}
          className="input"
        />
      </Field>
      <TextField
        label="Link to"
        note="optional: a page of the shop, like /about or /collections/tees"
        problem={problems.to}
        value={section.to}
        maxLength={ADDRESS_MAX}
        onChange={({ target }) => onChange({ to: target.value })}
      />
      {section.to !== "" && (
        <TextField
          label="Text of the link"
          problem={problems.label}
          value={section.label}
          maxLength={LABEL_MAX}
          onChange={({ target }) => onChange({ label: target.value })}
        />
      )}
    </>
  );
}

function PictureFields({ section, problems, onChange }: FieldsOf<Of<"picture">>) {
  const { works, follow } = useRenderings();
  const uploads = useUploads(({ picture, work }) => {
    follow(picture.hash, work);
    onChange({ picture });
  });
  usePaste((files) => uploads.add(files.slice(0, 1)));
  return (
    <>
      <HeroPictureField
        title="Picture"
        otherwise="over the whole width of the window"
        picture={section.picture}
        problem={problems.picture}
        sizes={works}
        uploads={uploads}
        onChange={(picture) => onChange({ picture })}
      />
      <TextField
        label="Description of the picture"
        note="read out to shoppers who can’t see it"
        problem={problems.alt}
        value={section.alt}
        maxLength={ALT_MAX}
        onChange={({ target }) => onChange({ alt: target.value })}
      />
    </>
  );
}
