import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import { Link, type LinkProps } from "react-router";

type Look = "solid" | "line" | "quiet" | "bare" | "icon" | "light" | "dark-line" | "dark-icon";

const BASE =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-cut text-[0.9375rem] font-semibold whitespace-nowrap lg:min-h-9 lg:text-sm disabled:text-muted data-pending:opacity-60";
const LOOKS: Record<Look, string> = {
  solid: "bg-ink px-3.5 py-1.5 text-paper hover:bg-cocoa disabled:bg-linen",
  line: "border border-field px-3.5 py-1.5 hover:border-ink hover:bg-linen",
  bare: "hover:text-palm",
  icon: "w-11 border border-field hover:border-ink hover:bg-linen lg:w-9",
  // on a dark ground
  light: "bg-paper px-3.5 py-1.5 text-ink hover:bg-linen",
  "dark-line": "border border-paper/50 px-3.5 py-1.5 text-paper hover:border-paper",
  "dark-icon": "w-11 border border-paper/50 text-paper hover:border-paper",
  quiet: "underline underline-offset-3 hover:text-palm",
};

/** While `isPending` it keeps the focus, says so, and pressing it again does nothing. */
export function Button({ look = "solid", className = "", ...rest }: ButtonProps & { look?: Look; className?: string }) {
  return <AriaButton type="submit" {...rest} className={`${BASE} ${LOOKS[look]} ${className}`} />;
}

export function ButtonLink({ look = "solid", className = "", ...rest }: LinkProps & { look?: Look }) {
  return <Link {...rest} className={`${BASE} ${LOOKS[look]} ${className}`} />;
}

/** The part of a `<details>` that is always seen, as a button. */
export function ButtonSummary({
  look = "solid",
  className = "",
  ...rest
}: React.ComponentProps<"summary"> & { look?: Look }) {
  return <summary {...rest} className={`w-max cursor-pointer ${BASE} ${LOOKS[look]} ${className}`} />;
}

/** An address or a number among words, as high as a finger on phones. */
export function TextLink({ className = "", ...rest }: React.ComponentProps<"a">) {
  return <a {...rest} className={`underline underline-offset-3 hover:text-palm max-lg:py-3 ${className}`} />;
}

/** A link to a file or another site: the browser goes there itself. */
export function PlainLink({ look = "line", className = "", ...rest }: React.ComponentProps<"a"> & { look?: Look }) {
  return <a {...rest} className={`${BASE} ${LOOKS[look]} ${className}`} />;
}
