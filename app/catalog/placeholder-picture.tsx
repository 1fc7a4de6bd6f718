import { PLACEHOLDER_IMAGE } from "./product.ts";

/** Shown in place of the picture if a product has none, with the same aspect ratio. */
export function PlaceholderPicture({ className = "" }: { className?: string }) {
  return (
    <span className={`block ${className}`}>
      <img src={PLACEHOLDER_IMAGE} alt="" width={800} height={1000} className="block h-auto w-full rounded-cut" />
    </span>
  );
}
