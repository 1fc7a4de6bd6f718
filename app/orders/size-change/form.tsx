import { Form } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, SelectField } from "#app/ui/field.tsx";
import { mostPieces, type SizeLine, SizeOptions } from "./options.tsx";

/** What is wrong with a posted form. */
export type SizeAnswer = {
  problem: string;
  /** Whether it is unknown what became of the form. */
  isLost?: true;
  errors?: { change?: string; quantity?: string };
  /** What was chosen, for a page without script. */
  kept?: { change?: string; quantity?: string };
};

type Props = {
  lines: SizeLine[];
  /** The number of changes so far. */
  version: number;
  /** The path of the order's page. */
  back: string;
  answer?: SizeAnswer;
  busy: boolean;
};

/** The choice of another size for pieces of an order. */
export function SizeForm({ lines, version, back, answer, busy }: Props) {
  const { errors, kept } = answer ?? {};
  const most = mostPieces(lines);
  return (
    <Form method="post" noValidate className="grid max-w-md gap-6">
      <input type="hidden" name="version" value={version} />
      <SelectField label="New size" name="change" defaultValue={kept?.change ?? ""} error={errors?.change}>
        <SizeOptions lines={lines} />
      </SelectField>
      {(most > 1 || errors?.quantity) && (
        <Field
          label="How many items"
          name="quantity"
          type="number"
          inputMode="numeric"
          min={1}
          max={most}
          defaultValue={kept?.quantity ?? "1"}
          error={errors?.quantity}
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy}>Save size</Button>{" "}
        <ButtonLink to={back} look="outline">
          Back to the order
        </ButtonLink>
      </div>
    </Form>
  );
}
