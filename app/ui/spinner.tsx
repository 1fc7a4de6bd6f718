/** `label` is what a screen reader hears; without one the spinner is decoration beside a text that says it. */
export function Spinner({ size = "large", label }: { size?: "small" | "large"; label?: string }) {
  return (
    <span role={label ? "status" : undefined} className="inline-grid place-items-center">
      <span
        aria-hidden="true"
        className={`turning rounded-full border-current border-r-transparent ${size === "small" ? "size-5 border-2" : "size-9 border-3"}`}
      />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
