import { Form, type LoaderFunctionArgs, useNavigation } from "react-router";
import { NEW_COLLECTION_CHANGES } from "../collections/changes.server.ts";
import { NameFields } from "../collections/name-fields.tsx";
import { useAnswer } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { TextField } from "../frame/field.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";

export function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "catalogue");
  return null;
}

export const action = changes(NEW_COLLECTION_CHANGES);
export const clientAction = keepWhatIsTyped;

/** The form of a new collection. Its products are chosen on its own page. */
export default function NewCollection() {
  const done = useAnswer<typeof action>();
  const refused = done && !done.ok ? done : undefined;
  const problems = refused && "problems" in refused ? refused.problems : {};
  const isPending = useNavigation().formData !== undefined;
  return (
    <Page title="New collection" back={{ to: "/collections", title: "Collections" }}>
      {refused && "problem" in refused && <Notice kind="error">{refused.problem}</Notice>}
      <Form method="post" className="mt-6 grid max-w-120 gap-4.5">
        <NameFields values={refused?.values} problems={problems} />
        <TextField
          label="Address"
          note="optional; what follows /collections/, and stays as it is"
          problem={problems.address}
          name="address"
          defaultValue={refused?.values?.address}
          maxLength={200}
        />
        <Button name="intent" value="add" isPending={isPending} className="lg:justify-self-start">
          Add this collection
        </Button>
      </Form>
    </Page>
  );
}
