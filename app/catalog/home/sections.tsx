import type { ReactNode } from "react";
import { meaningOf } from "#app/brand/brand.ts";
import { useBrand } from "#app/brand/context.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { HomePicture } from "#app/ui/frame/home-picture.tsx";
import { Link } from "#app/ui/link.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { ProductGrid } from "../product-card.tsx";
import { NamedLink, type NamedPlace } from "./named-link.tsx";
import type { SectionLink, ShownSection } from "./own-sections.ts";
import { ARRIVALS, CLOTH, PAIRS, RAIL, SLOGAN } from "./texts.ts";

/** The space above each section but the first. */
const BAND = "mt-24 lg:mt-36";
/** The space above the first section, if it is in the page's column. */
const FIRST = "pt-1 lg:pt-16";
const QUIET = "label inline-flex min-h-11 items-center underline underline-offset-4";

type SectionProps = {
  section: ShownSection;
  /** The position in the list, from 0. */
  at: number;
  isLast: boolean;
  /** Whether the owner has set the section: words of any length then break anywhere. */
  isOwn: boolean;
  /** The products that `PAIRS` names, by id. */
  named: Map<string, NamedPlace | undefined>;
  rate: Rate;
};

/** A section of the home page below its slides. */
export function Section({ section, at, isLast, isOwn, named, rate }: SectionProps) {
  const anchor = at === 0 ? "new" : undefined; // where the privacy notice leads once it is answered
  const id = anchor ?? (section.kind === "shipped" ? section.name : `section-${at + 1}`);
  const [inColumn, wide] = anchor ? [FIRST, ""] : [BAND, BAND];
  if (section.kind === "products") {
    const { title, to, products } = section;
    return (
      <section aria-labelledby={id} className={`page ${inColumn}`}>
        <div className="mb-3 flex min-h-12 flex-wrap items-center justify-between gap-x-4 lg:mb-6">
          <SectionTitle id={id} breaks={isOwn}>
            {title}
          </SectionTitle>
          {to && (
            <ButtonLink to={to} look="quiet" className="whitespace-nowrap">
              {ARRIVALS.link}
              {to !== "/shop" && <span className="sr-only">{` in ${title}`}</span>}
            </ButtonLink>
          )}
        </div>
        <ProductGrid products={products} rate={rate} />
      </section>
    );
  }
  if (section.kind === "picture") {
    const { title, text, link, picture } = section;
    return (
      <WidePicture id={id} space={wide} title={title} text={text} link={link} breaks>
        <Picture
          image={picture}
          sizes="max(100vw, 43.2rem)"
          className="h-72 w-full rounded-none! md:h-auto md:max-h-[80vh] md:min-h-96 lg:min-h-144"
        />
      </WidePicture>
    );
  }
  if (section.kind === "slogan") {
    const { title, text, link } = section;
    return <Slogan id={anchor} space={wide} isLast={isLast} line={title} text={text} link={link} breaks />;
  }
  switch (section.name) {
    case "cloth":
      return <Cloth id={id} space={wide} />;
    case "pairs":
      return <Pairs id={id} space={inColumn} named={named} rate={rate} />;
    case "rail":
      return <Rail id={id} space={wide} />;
    case "slogan":
      return <ShippedSlogan id={anchor} space={wide} isLast={isLast} />;
  }
}

function SectionTitle({ id, breaks = false, children }: { id: string; breaks?: boolean; children: ReactNode }) {
  return (
    <h2 id={id} className={`headline text-[1.625rem] lg:text-[2.375rem]${breaks ? " wrap-anywhere" : ""}`}>
      {children}
    </h2>
  );
}

/** `id`: of the title. `space`: the classes of the space above. */
type PlaceProps = { id: string; space: string };
/** `breaks`: words may break anywhere. */
type WordsProps = { text: string; link?: SectionLink; breaks?: boolean };
type WidePictureProps = PlaceProps & WordsProps & { title: string; children: ReactNode };

/** A picture over the whole width. The text is in a panel that overlaps the picture. */
function WidePicture({ id, space, title, text, link, breaks = false, children }: WidePictureProps) {
  return (
    <section aria-labelledby={id} className={`relative bg-cocoa text-paper [--ring:var(--color-paper)] ${space}`}>
      {children}
      <div className="page lg:absolute lg:inset-x-0 lg:bottom-0">
        <div className={`grid gap-4 py-10 lg:w-136 lg:bg-cocoa lg:p-12${breaks ? " wrap-anywhere" : ""}`}>
          <SectionTitle id={id}>{title}</SectionTitle>
          {text && <p className="max-w-[34em] text-[1.0625rem] leading-relaxed text-pretty">{text}</p>}
          {link && (
            <Link to={link.to} className={`${QUIET} justify-self-start`}>
              {link.label}
            </Link>
          )}
        </div>
      </div>
    </section>
  );
}

/** A picture of cloth. */
function Cloth({ id, space }: PlaceProps) {
  return (
    <WidePicture id={id} space={space} title={CLOTH.title} text={CLOTH.text} link={CLOTH.link}>
      <HomePicture
        name="adire-cloth"
        alt={CLOTH.alt}
        sizes="(min-width: 768px) 100vw, max(100vw, 43.2rem)"
        className="h-72 w-full object-cover md:h-auto"
      />
    </WidePicture>
  );
}

type PairsProps = PlaceProps & Pick<SectionProps, "named" | "rate">;

/** Two pictures, each of two products that go together. */
function Pairs({ id, space, named, rate }: PairsProps) {
  return (
    <section aria-labelledby={id} className={`page ${space}`}>
      <SectionTitle id={id}>{PAIRS.title}</SectionTitle>
      <div className="mt-6 grid gap-x-5 gap-y-12 md:grid-cols-2">
        {PAIRS.pairs.map(({ picture, alt, products }) => (
          <div key={picture}>
            <HomePicture
              name={picture}
              alt={alt}
              sizes="(min-width: 768px) min(46vw, 52rem), 92vw"
              className="aspect-square w-full rounded-cut bg-linen"
            />
            <ul className="mt-2 flex flex-wrap gap-x-8">
              {products.map((id) => {
                const place = named.get(id);
                return (
                  place && (
                    <li key={id}>
                      <NamedLink place={place} rate={rate} />
                    </li>
                  )
                );
              })}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

/**
 * A picture of jerseys on a rail, as wide as the window. On phones it is wider than the screen and scrolls sideways.
 */
function Rail({ id, space }: PlaceProps) {
  return (
    <section aria-labelledby={id} className={`bg-[#efe9dd] pt-12 lg:pt-20 ${space}`}>
      <div className="page flex flex-wrap items-baseline justify-between gap-x-6">
        <SectionTitle id={id}>{RAIL.title}</SectionTitle>
        <Link to={RAIL.link.to} className={QUIET}>
          {RAIL.link.label}
        </Link>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is pushed sideways must be reached by keyboard */}
      <figure className="no-scrollbar overflow-x-auto" tabIndex={0} aria-label={RAIL.alt}>
        <HomePicture
          name="rail"
          alt={RAIL.alt}
          sizes="(min-width: 768px) 100vw, 46rem"
          className="block h-auto w-184 max-w-none md:w-full"
        />
      </figure>
    </section>
  );
}

type SloganPlace = { id?: string; space: string; isLast: boolean };
type SloganProps = SloganPlace & WordsProps & { line: string };

/** A slogan in large letters, no heading. The last section of the page has no space below, where the footer begins. */
function Slogan({ id, space, isLast, line, text, link, breaks = false }: SloganProps) {
  return (
    <div
      id={id}
      className={`${isLast ? "-mb-20 " : ""}bg-palm py-18 text-paper [--ring:var(--color-paper)] lg:py-28 ${space}${breaks ? " wrap-anywhere" : ""}`}
    >
      <div className="page grid gap-6">
        <p className="display text-[clamp(3rem,10.4vw,9.5rem)] leading-[0.94]!">{line}</p>
        {(text || link) && (
          <p className="max-w-[36em] text-lg leading-relaxed">
            {text}{" "}
            {link && (
              <Link to={link.to} className="inline-block py-2 underline underline-offset-4">
                {link.label}
              </Link>
            )}
          </p>
        )}
      </div>
    </div>
  );
}

/** The slogan that the shop comes with. Its text follows the shop's name. */
function ShippedSlogan(place: SloganPlace) {
  const text = meaningOf(useBrand(), SLOGAN.meaning);
  return <Slogan {...place} line={SLOGAN.line} text={text} link={SLOGAN.link} />;
}
