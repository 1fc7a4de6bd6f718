/**
 * `label` is the text for screen readers, which read it when it stops being empty. Without a label the spinner is
 * decorative, beside a visible text.
 */
export function Spinner({ size = "large", label }: { size?: "small" | "large"; label?: string }) {
  return (
    <span role={label === undefined ? undefined : "status"} className="inline-grid place-items-center">
      <span
        aria-hidden="true"
        className={`turning rounded-full border-current border-r-transparent ${size === "small" ? "size-5 border-2" : "size-9 border-3"}`}
      />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
