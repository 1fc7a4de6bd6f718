/**
 * Pictures for pages with little content, made by scripts/place-images.ts. No two pages that follow each other have the
 * same one. The colour is that of the background.
 */
const GROUNDS = { collar: "#d8ccb8", scarf: "#e6dccb", stack: "#d9cdb9", tote: "#efe8dc" };

type Props = { name: keyof typeof GROUNDS; className: string; sizes?: string; lazy?: boolean };

/** A purely decorative picture. `className` gives its shape; `lazy`: it may never become visible. */
export function PlacePicture({ name, className, sizes = "(min-width: 1024px) 45vw, 100vw", lazy = false }: Props) {
  const at = (width: number) => `/places/${name}-${width}.avif ${width}w`;
  return (
    <picture
      className={`block overflow-hidden rounded-cut print:hidden ${className}`}
      style={{ background: GROUNDS[name] }}
    >
      <source type="image/avif" srcSet={`${at(480)}, ${at(960)}`} sizes={sizes} />
      <img
        src={`/places/${name}.jpg`}
        alt=""
        width={960}
        height={720}
        loading={lazy ? "lazy" : "eager"}
        decoding="async"
        className="size-full object-cover"
      />
    </picture>
  );
}
