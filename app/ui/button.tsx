import type { ButtonHTMLAttributes } from "react";
import { Link, type LinkProps } from "./link.tsx";
import { Spinner } from "./spinner.tsx";

type Look = "solid" | "outline" | "quiet";

const BASE =
  "label inline-flex min-h-12 items-center justify-center gap-2 rounded-cut py-3 text-center transition-colors";
const LOOKS: Record<Look, string> = {
  solid:
    "px-6 bg-ink text-paper hover:bg-cocoa disabled:bg-unready disabled:text-ink aria-busy:bg-unready aria-busy:text-ink",
  outline:
    "px-6 border border-ink hover:bg-ink hover:text-paper disabled:border-unready disabled:text-muted aria-busy:border-unready aria-busy:bg-transparent",
  quiet: "underline underline-offset-4 hover:text-palm",
};

/**
 * The look of a button that a script disables: with JavaScript it looks disabled from the first paint on. Without
 * JavaScript it works and looks enabled.
 */
export const DISABLED_BY_SCRIPT = "[@media(scripting:enabled)]:bg-unready [@media(scripting:enabled)]:text-ink";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look; busy?: boolean };

/** While busy, the button keeps its width and its accessible name, and ignores presses. */
export function Button({ look = "solid", busy = false, className = "", children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="submit"
      {...rest}
      // Not `disabled`: a disabled button would lose the focus.
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      {...(busy && { "aria-busy": true, "aria-disabled": true })}
      className={`${BASE} ${LOOKS[look]} relative ${className}`}
    >
      <span className={busy ? "opacity-0" : "contents"}>{children}</span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner size="small" />
        </span>
      )}
    </button>
  );
}

export function ButtonLink({ look = "solid", className = "", ...rest }: LinkProps & { look?: Look }) {
  return <Link {...rest} className={`${BASE} ${LOOKS[look]} ${className}`} />;
}
