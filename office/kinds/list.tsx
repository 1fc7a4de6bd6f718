import { Form } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import { NAME_MAX } from "#app/owner/kinds/kind.ts";
import type { KindRow } from "#app/owner/kinds/kinds.server.ts";
import { collectionPath } from "#app/ui/frame/paths.ts";
import { Button, ButtonSummary, END, MoveButton } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { TextField } from "../frame/field.tsx";

/** The texts of a refused form and what is wrong with them, by field. */
export type Refused = { values?: Record<string, string>; problems: Record<string, string> };

type Props = {
  kinds: KindRow[];
  mayChange: boolean;
  /** The form with another name, if it was refused. */
  refused: Refused | undefined;
};

/** The kinds in display order, each with forms that rename, move or remove it. */
export function KindsInOrder({ kinds, mayChange, refused }: Props) {
  return (
    <ol className="divide-y divide-hairline border-y border-hairline">
      {kinds.map((kind, at) => (
        <li key={kind.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 max-sm:basis-full">
            <span className="font-semibold wrap-anywhere">{kind.name}</span>{" "}
            <span className="text-muted wrap-anywhere">{collectionPath(kind.id)}</span>{" "}
            <span className="text-muted tabular-nums">{plural(kind.products, "product")}</span>
          </span>{" "}
          {mayChange && (
            <div className="flex flex-wrap items-center gap-1">
              <MoveButton name="Earlier" of={kind.name} field={["kind", kind.id]} before={kinds[at - 1]?.id} />
              <MoveButton
                name="Later"
                of={kind.name}
                field={["kind", kind.id]}
                before={at < kinds.length - 1 ? (kinds[at + 2]?.id ?? END) : undefined}
              />
              <Rename key={kind.name} kind={kind} refused={refused?.values?.kind === kind.id ? refused : undefined} />
              <Confirm
                title="Remove"
                label={`Remove ${kind.name}`}
                question={`Remove the kind “${kind.name}”?`}
                submit="Remove it"
                intent="remove"
                fields={{ kind: kind.id }}
              />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

function Rename({ kind: { id, name }, refused }: { kind: KindRow; refused?: Refused }) {
  return (
    <details open={refused !== undefined}>
      <ButtonSummary look="bare" aria-label={`Rename ${name}`}>
        Rename
      </ButtonSummary>
      <Form method="post" preventScrollReset className="mt-2 mb-3 grid gap-3">
        <input type="hidden" name="kind" value={id} />
        <input type="hidden" name="was" value={name} />
        <TextField
          label="Name"
          problem={refused?.problems.name}
          name="name"
          defaultValue={refused?.values?.name ?? name}
          maxLength={NAME_MAX}
        />
        <Button look="line" name="intent" value="rename">
          Save the name
        </Button>
      </Form>
    </details>
  );
}
