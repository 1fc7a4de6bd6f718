import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId, useState } from "react";
import { ChevronIcon } from "./icons.tsx";

type Common = {
  label: ReactNode;
  hint?: string;
  error?: string;
  optional?: boolean;
  errorAbove?: boolean;
  /** On large screens the label is only for screen readers, because the value explains itself. */
  isTool?: boolean;
};

const BOX = "min-h-12 w-full rounded-cut border bg-white px-3 py-2 text-base placeholder:text-muted";
const box = (error?: string) => `${BOX} ${error ? "border-error" : "border-ink/50 hover:border-ink"}`;

function Frame({
  id,
  label,
  hint,
  error,
  optional,
  errorAbove,
  isTool,
  children,
}: Common & { id: string; children: ReactNode }) {
  const message = error && (
    <p id={`${id}-error`} className="my-1 text-sm font-medium text-error">
      {error}
    </p>
  );
  return (
    <div>
      <label htmlFor={id} className={`mb-1 block text-sm font-semibold ${isTool ? "lg:sr-only" : ""}`}>
        <span>{label}</span>
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {errorAbove && message}
      {children}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-pretty text-muted">
          {hint}
        </p>
      )}
      {!errorAbove && message}
    </div>
  );
}

function described(id: string, hint?: string, error?: string) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error ? (true as const) : undefined };
}

type FieldProps = InputHTMLAttributes<HTMLInputElement> & Common;

/** A labelled input. Its error is shown beside it and announced with it. */
export function Field({ label, hint, error, optional, errorAbove, id: given, ...input }: FieldProps) {
  const made = useId();
  const id = given ?? made;
  return (
    <Frame {...{ id, label, hint, error, optional, errorAbove }}>
      <input id={id} type="text" {...input} {...described(id, hint, error)} className={box(error)} />
    </Frame>
  );
}

export function EmailField(field: Omit<FieldProps, "label" | "type">) {
  return <Field label="Email" name="email" type="email" autoComplete="email" {...field} />;
}

export function PasswordField({ label, hint, error, ...input }: FieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  return (
    <Frame {...{ id, label, hint, error }}>
      <div className="relative">
        <input
          id={id}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...input}
          type={shown ? "text" : "password"}
          {...described(id, hint, error)}
          className={`${box(error)} pr-20`}
        />
        <button
          type="button"
          onClick={() => setShown(!shown)}
          aria-pressed={shown}
          className="label absolute inset-y-0 right-0 w-18 text-left [@media(scripting:none)]:hidden"
        >
          <span>{shown ? "Hide" : "Show"}</span>
          <span className="sr-only"> password</span>
        </button>
      </div>
    </Frame>
  );
}

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & Common;

export function SelectField({ label, hint, error, optional, isTool, children, id: given, ...select }: SelectProps) {
  const made = useId();
  const id = given ?? made;
  return (
    <Frame {...{ id, label, hint, error, optional, isTool }}>
      <div className="relative">
        <select
          id={id}
          {...select}
          {...described(id, hint, error)}
          aria-label={isTool && typeof label === "string" ? label : undefined} // some checkers ignore a clipped label
          className={`${box(error)} appearance-none pr-10 ${isTool ? "lg:min-h-11 lg:text-sm lg:font-semibold" : ""}`}
        >
          {children}
        </select>
        <ChevronIcon className="pointer-events-none absolute top-1/2 right-3 size-5 -translate-y-1/2" />
      </div>
    </Frame>
  );
}

/** The error message of a group, or of a field with a layout of its own. */
export function FieldError({ id, children }: { id: string; children?: string }) {
  return children ? (
    <p id={id} className="mt-1 text-sm font-medium text-error">
      {children}
    </p>
  ) : null;
}

/** An error message about the form as a whole. */
export function FormError({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <div role="alert" className="border-l-4 border-error bg-linen px-4 py-3 font-medium text-error">
      {children}
    </div>
  );
}

/** A message about the form that is not an error. */
export function FormNotice({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <div role="status" className="border-l-4 border-palm bg-linen px-4 py-3 font-medium">
      {children}
    </div>
  );
}
