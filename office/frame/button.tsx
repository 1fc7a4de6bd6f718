import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";
import { Form, Link, type LinkProps } from "react-router";

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

/** While `isPending`, the button keeps the focus, is announced as pending, and ignores presses. */
export function Button({
  look = "solid",
  className = "",
  children,
  ...rest
}: Omit<ButtonProps, "children"> & {
  look?: Look;
  className?: string;
  children?: ReactNode;
  ref?: React.Ref<HTMLButtonElement>;
}) {
  return (
    <AriaButton type="submit" {...rest} className={`${BASE} ${LOOKS[look]} ${className}`}>
      {apart(children)}
    </AriaButton>
  );
}

/** The button of a form that saves. */
export function SaveButton({
  label = "Save",
  ...rest
}: Omit<Parameters<typeof Button>[0], "children"> & { label?: string }) {
  return <Button {...rest}>{rest.isPending ? "Saving…" : label}</Button>;
}

export function ButtonLink({ look = "solid", className = "", children, ...rest }: LinkProps & { look?: Look }) {
  return (
    <Link {...rest} className={`${BASE} ${LOOKS[look]} ${className}`}>
      {apart(children)}
    </Link>
  );
}

/** Adds an invisible space after the button, so that readers of the bare markup do not see two buttons as one word. */
const apart = (children: ReactNode) => <>{children} </>;

/** The `<summary>` of a `<details>` that looks like a button. */
export function ButtonSummary({
  look = "solid",
  className = "",
  ...rest
}: React.ComponentProps<"summary"> & { look?: Look }) {
  return <summary {...rest} className={`w-max cursor-pointer ${BASE} ${LOOKS[look]} ${className}`} />;
}

/** A link within a text, such as an address or a number. On phones it is high enough for a finger. */
export function TextLink({ className = "", ...rest }: React.ComponentProps<"a">) {
  return <a {...rest} className={`underline underline-offset-3 hover:text-palm max-lg:py-3 ${className}`} />;
}

/** A link to a file or another site, which the browser opens without the router. */
export function PlainLink({
  look = "line",
  className = "",
  children,
  ...rest
}: React.ComponentProps<"a"> & { look?: Look }) {
  return (
    <a {...rest} className={`${BASE} ${LOOKS[look]} ${className}`}>
      {apart(children)}
    </a>
  );
}

/** The link from a screen to what it changes, as the shop shows it. */
export function SeeIt({ href }: { href: string }) {
  return (
    <PlainLink href={href} target="_blank" rel="noopener">
      See it
    </PlainLink>
  );
}

/** The place after the last item of a list. */
export const END = "";

type MoveProps = {
  /** The button's words, such as "Earlier". */
  name: string;
  /** The item's name, for screen readers. */
  of: string;
  /** The hidden field that names the item. */
  field: [name: string, value: string];
  /** The item before which this one is moved, or `END`. Undefined if it can't be moved this way. */
  before: string | undefined;
};

/** A form with a button that moves an item of a list. */
export function MoveButton({ name, of, field, before }: MoveProps) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name={field[0]} value={field[1]} />
      <input type="hidden" name="before" value={before ?? END} />
      <Button
        look="bare"
        name="intent"
        value="move"
        isDisabled={before === undefined}
        aria-label={`${name}: ${of}`}
        className="px-2"
      >
        {name}
      </Button>
    </Form>
  );
}
