import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { collectionChoices } from "#app/owner/collections/collections.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { NEW_SIZE_GUIDE_CHANGES } from "../size-guides/changes.server.ts";
import { SizeGuideFields } from "../size-guides/fields.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "catalogue");
  return { collections: await collectionChoices(db()) };
}

export const action = changes(NEW_SIZE_GUIDE_CHANGES);
export const clientAction = keepWhatIsTyped;

/** The form of a new size guide. */
export default function NewSizeGuide() {
  const { collections } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const refused = done && !done.ok ? done : undefined;
  const problems = refused && "problems" in refused ? refused.problems : {};
  const isPending = useNavigation().formData !== undefined;
  return (
    <Page title="New size guide" back={{ to: "/size-guides", title: "Size guides" }}>
      {refused && "problem" in refused && <Notice kind="error">{refused.problem}</Notice>}
      {Object.keys(problems).length > 0 && <Notice kind="error">Check the marked fields. Nothing was saved.</Notice>}
      <Form method="post">
        <SizeGuideFields values={refused?.values ?? {}} problems={problems} collections={collections} />
        <Button name="intent" value="add" isPending={isPending} className="mt-7">
          Add this size guide
        </Button>
      </Form>
    </Page>
  );
}
