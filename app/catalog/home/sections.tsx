import type { ReactNode } from "react";
import { meaningOf } from "#app/brand/brand.ts";
import { useBrand } from "#app/brand/context.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import { HomePicture } from "#app/ui/frame/home-picture.tsx";
import { Link } from "#app/ui/link.tsx";
import { NamedLink, type NamedPlace } from "./named-link.tsx";
import { CLOTH, PAIRS, RAIL, SLOGAN } from "./texts.ts";

/** The space above each section. */
const BAND = "mt-24 lg:mt-36";
const QUIET = "label inline-flex min-h-11 items-center underline underline-offset-4";

export function SectionTitle({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2 id={id} className="headline text-[1.625rem] lg:text-[2.375rem]">
      {children}
    </h2>
  );
}

/** A picture of cloth over the whole width. The text is in a panel that overlaps the picture. */
export function Cloth() {
  return (
    <section aria-labelledby="cloth" className={`relative bg-cocoa text-paper [--ring:var(--color-paper)] ${BAND}`}>
      <HomePicture
        name="adire-cloth"
        alt={CLOTH.alt}
        sizes="(min-width: 768px) 100vw, max(100vw, 43.2rem)"
        className="h-72 w-full object-cover md:h-auto"
      />
      <div className="page lg:absolute lg:inset-x-0 lg:bottom-0">
        <div className="grid gap-4 py-10 lg:w-136 lg:bg-cocoa lg:p-12">
          <SectionTitle id="cloth">{CLOTH.title}</SectionTitle>
          <p className="max-w-[34em] text-[1.0625rem] leading-relaxed text-pretty">{CLOTH.text}</p>
          <Link to={CLOTH.link.to} className={`${QUIET} justify-self-start`}>
            {CLOTH.link.label}
          </Link>
        </div>
      </div>
    </section>
  );
}

type PairsProps = { named: Map<string, NamedPlace | undefined>; rate: Rate };

/** Two pictures, each of two products that go together. */
export function Pairs({ named, rate }: PairsProps) {
  return (
    <section aria-labelledby="pairs" className={`page ${BAND}`}>
      <SectionTitle id="pairs">{PAIRS.title}</SectionTitle>
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
export function Rail() {
  return (
    <section aria-labelledby="rail" className={`bg-[#efe9dd] pt-12 lg:pt-20 ${BAND}`}>
      <div className="page flex flex-wrap items-baseline justify-between gap-x-6">
        <SectionTitle id="rail">{RAIL.title}</SectionTitle>
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

/** The closing slogan, directly above the footer. */
export function Slogan() {
  const brand = useBrand();
  return (
    <div className={`-mb-20 bg-palm py-18 text-paper [--ring:var(--color-paper)] lg:py-28 ${BAND}`}>
      <div className="page grid gap-6">
        <p className="display text-[clamp(3rem,10.4vw,9.5rem)] leading-[0.94]!">{SLOGAN.line}</p>
        <p className="max-w-[36em] text-lg leading-relaxed">
          {meaningOf(brand, SLOGAN.meaning)}{" "}
          <Link to={SLOGAN.link.to} className="inline-block py-2 underline underline-offset-4">
            {SLOGAN.link.label}
          </Link>
        </p>
      </div>
    </div>
  );
}
