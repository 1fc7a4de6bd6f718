export type HeroColor = "orange" | "green" | "brown";

const FORMATS = ["avif", "webp"] as const;
const SHAPES = [
  { shape: "mobile", media: "(max-width: 767px)", widths: [480, 720, 1080] },
  { shape: "desktop", media: "(min-width: 768px)", widths: [1024, 1536, 2048] },
];
const at = (color: HeroColor, { shape, widths }: (typeof SHAPES)[number], format: string) =>
  widths.map((width) => `/hero/${color}-${shape}-${width}.${format} ${width}w`).join(", ");

/** One of the three large pictures, over the whole of its place: one picture for phones, another one for larger screens. */
export function HeroPicture({ color, alt, urgent = false }: { color: HeroColor; alt: string; urgent?: boolean }) {
  return (
    <>
      {urgent && SHAPES.map((one) => <Preload key={one.shape} color={color} shape={one} />)}
      <picture>
        {SHAPES.flatMap((one) =>
          FORMATS.map((format) => (
            <source
              key={one.shape + format}
              media={one.media}
              type={`image/${format}`}
              srcSet={at(color, one, format)}
              sizes="100vw"
            />
          )),
        )}
        <source media={SHAPES[0]?.media} srcSet={`/hero/${color}-mobile.jpg`} />
        <img
          src={`/hero/${color}-desktop.jpg`}
          alt={alt}
          width={2400}
          height={1350}
          fetchPriority={urgent ? "high" : "low"}
          decoding="async"
          className="absolute inset-0 size-full object-cover object-[50%_18%] md:object-[50%_15%]"
        />
      </picture>
    </>
  );
}

/** Asked for before the scripts, which would else keep the connections busy. */
function Preload({ color, shape }: { color: HeroColor; shape: (typeof SHAPES)[number] }) {
  return (
    <link
      rel="preload"
      as="image"
      type="image/avif"
      media={shape.media}
      href={`/hero/${color}-${shape.shape}-${shape.widths[1]}.avif`}
      imageSrcSet={at(color, shape, "avif")}
      imageSizes="100vw"
      fetchPriority="high"
    />
  );
}
