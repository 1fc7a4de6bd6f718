export type HeroColor = "orange" | "green" | "brown";

const PHONE = "(max-width: 767px)";
const FORMATS = ["avif", "webp"] as const;
const at = (color: HeroColor, shape: string, widths: number[], format: string) =>
  widths.map((width) => `/hero/${color}-${shape}-${width}.${format} ${width}w`).join(", ");

/** One of the three large pictures, over the whole of its place: one picture for phones, another one for larger screens. */
export function HeroPicture({ color, alt, urgent = false }: { color: HeroColor; alt: string; urgent?: boolean }) {
  return (
    <picture>
      {FORMATS.map((format) => (
        <source
          key={format}
          media={PHONE}
          type={`image/${format}`}
          srcSet={at(color, "mobile", [480, 720, 1080], format)}
          sizes="100vw"
        />
      ))}
      <source media={PHONE} srcSet={`/hero/${color}-mobile.jpg`} />
      {FORMATS.map((format) => (
        <source
          key={format}
          type={`image/${format}`}
          srcSet={at(color, "desktop", [1024, 1536, 2048], format)}
          sizes="100vw"
        />
      ))}
      <img
        src={`/hero/${color}-desktop.jpg`}
        alt={alt}
        width={2400}
        height={1350}
        fetchPriority={urgent ? "high" : "low"}
        decoding="async"
        className="absolute inset-0 size-full object-cover object-[70%_30%] md:object-center"
      />
    </picture>
  );
}
