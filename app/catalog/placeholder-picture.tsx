import { PLACEHOLDER_IMAGE } from "./product.ts";

/** Stands where a product has no picture, in the shape of one. */
export function PlaceholderPicture({ className = "" }: { className?: string }) {
  return (
    <span className={`block ${className}`}>
      <img src={PLACEHOLDER_IMAGE} alt="" width={800} height={1000} className="block h-auto w-full rounded-cut" />
    </span>
  );
}
