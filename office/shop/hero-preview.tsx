import { pictureUrl } from "#app/catalog/product.ts";
import { brokenTitle } from "#app/owner/shop/hero-title.ts";
import { HERO_GROUNDS } from "#app/ui/frame/hero-pictures.ts";
import type { HeroSlide } from "#db/types.ts";

/** A preview of a slide in a wide window or on a phone, with the picture beside or above the words. */
export function HeroPreview({ slide, isPhone = false }: { slide: HeroSlide; isPhone?: boolean }) {
  const { ground, title, text, desktop, phone } = slide;
  const own = isPhone ? (phone ?? desktop) : desktop;
  return (
    <div
      aria-hidden="true"
      className={`@container relative overflow-hidden rounded-cut text-paper ${HERO_GROUNDS[ground]} ${isPhone ? "aspect-[9/16]" : "aspect-video"}`}
    >
      <img
        src={own ? pictureUrl(own, 480, "webp") : `/home/hero-${ground}-${isPhone ? "phone" : "desktop"}.jpg`}
        alt=""
        className={`absolute top-0 right-0 ${own ? "object-cover" : "object-contain"} ${isPhone ? "h-[58%] w-full" : own ? "h-full w-1/2" : "size-full"}`}
        style={{ objectPosition: own?.focus }}
      />
      <div className={`absolute left-[6%] ${isPhone ? "top-[62%] right-[6%]" : "top-1/2 w-[42%] -translate-y-1/2"}`}>
        <p
          className={`leading-none font-bold whitespace-pre-line [font-stretch:112%] ${isPhone ? "text-[10.5cqw]" : "text-[5.2cqw]"}`}
        >
          {brokenTitle(title)}
        </p>
        <p className={`mt-1 leading-tight ${isPhone ? "text-[4.5cqw]" : "text-[1.6cqw]"}`}>{text}</p>
      </div>
    </div>
  );
}
