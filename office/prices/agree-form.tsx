import { Form, useNavigation } from "react-router";
import { Button } from "../frame/button.tsx";

/** The button that saves what a preview shows. `typed`: the fields of the previewed form, which are sent again. */
export function AgreeForm({ typed, children }: { typed: Record<string, string | undefined>; children: string }) {
  const isPending = useNavigation().formData?.get("intent") === "save";
  return (
    <Form method="post" className="mt-5">
      {Object.entries(typed).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button name="intent" value="save" isPending={isPending}>
        {children}
      </Button>
    </Form>
  );
}
