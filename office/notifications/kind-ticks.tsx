import { KIND_SAYS, type Kind } from "#app/staff/notifications/kinds.ts";

/** Ticks for the kinds of notifications that a role may get. `device` is named to screen readers. */
export function KindTicks({ kinds, on, device }: { kinds: readonly Kind[]; on: readonly Kind[]; device: string }) {
  return (
    <fieldset className="flex flex-wrap gap-x-6">
      <legend className="sr-only">Notifications on {device}</legend>{" "}
      {kinds.map((kind) => (
        <label key={kind} className="tick">
          <input type="checkbox" name="kinds[]" value={kind} defaultChecked={on.includes(kind)} />
          <span>{KIND_SAYS(kind)}</span>{" "}
        </label>
      ))}
    </fieldset>
  );
}
