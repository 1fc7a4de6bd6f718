import { useId } from "react";
import { type Kind, kindText } from "#app/staff/notifications/kinds.ts";
import { FieldError } from "#app/ui/field.tsx";

type Props = {
  /** The kinds that the member's role may see. */
  kinds: readonly Kind[];
  on: readonly Kind[];
  /** The device's name, for screen readers. */
  device: string;
  problem?: string;
};

/** Ticks for kinds of notifications. */
export function KindTicks({ kinds, on, device, problem }: Props) {
  const id = useId();
  return (
    <fieldset aria-describedby={problem ? id : undefined} className="flex flex-wrap items-center gap-x-6">
      <legend className="sr-only">Notifications on {device}</legend>{" "}
      {kinds.map((kind) => (
        <label key={kind} className="tick">
          <input type="checkbox" name="kinds[]" value={kind} defaultChecked={on.includes(kind)} />
          <span>{kindText(kind)}</span>{" "}
        </label>
      ))}
      <FieldError id={id}>{problem}</FieldError>
    </fieldset>
  );
}
