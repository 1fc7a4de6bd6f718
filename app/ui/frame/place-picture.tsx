/** The pictures of places that are empty, by scripts/place-images.ts: square, each on its ground. */
const GROUNDS = { pair: "#efe8dc", shirts: "#d9cdb9", rail: "#efe8dc" };

type Props = { name: keyof typeof GROUNDS; className: string; sizes?: string; lazy?: boolean };

/** Keeps an empty place company, and says nothing that the words beside it do not. Its shape is `className`'s; `lazy`: it may never be shown. */
export function PlacePicture({ name, className, sizes = "(min-width: 64rem) 45vw, 100vw", lazy = false }: Props) {
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
        height={960}
        loading={lazy ? "lazy" : "eager"}
        decoding="async"
        className="size-full object-cover"
      />
    </picture>
  );
}
