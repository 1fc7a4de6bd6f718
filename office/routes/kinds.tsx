import { Form, type LoaderFunctionArgs, useLoaderData, useNavigation } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { NAME_MAX } from "#app/owner/kinds/kind.ts";
import { listKinds } from "#app/owner/kinds/kinds.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer, useTimesDone } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { TextField } from "../frame/field.tsx";
import { keepWhatIsTyped, notDoneText, useFresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { KIND_CHANGES } from "../kinds/changes.server.ts";
import { KindsInOrder, type Refused } from "../kinds/list.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  return { kinds: await listKinds(db()), mayChange: may(role, "catalogue") };
}

export const action = changes(KIND_CHANGES);
export const clientAction = keepWhatIsTyped;

/** The kinds of products, and a form for a new one. */
export default function Kinds() {
  useFresh();
  const { kinds, mayChange } = useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const times = useTimesDone(done, "add");
  const refused = (intent: string): Refused | undefined =>
    done && !done.ok && done.intent === intent
      ? { values: done.values, problems: "problems" in done ? done.problems : {} }
      : undefined;
  return (
    <Page
      title="Kinds"
      about="What the products are. The shop links to each kind that has products, in this order"
      back={{ to: "/products", title: "Products" }}
    >
      {done?.ok && <Notice kind="done">{done.what}</Notice>}
      {done && !done.ok && "problem" in done && <Notice kind="error">{notDoneText(done)}</Notice>}
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-x-16">
        <div className="mt-6">
          <KindsInOrder kinds={kinds} mayChange={mayChange} refused={refused("rename")} />
        </div>
        {mayChange && <NewKind key={times} refused={refused("add")} />}
      </div>
    </Page>
  );
}

function NewKind({ refused: { values, problems } = { problems: {} } }: { refused: Refused | undefined }) {
  const isPending = useNavigation().formData?.get("intent") === "add";
  return (
    <Section title="New kind">
      <Form method="post" preventScrollReset className="grid gap-4.5">
        <TextField
          label="Name"
          note="like Caps"
          problem={problems.name}
          name="name"
          defaultValue={values?.name}
          maxLength={NAME_MAX}
        />
        <TextField
          label="Address"
          note="optional; made of the name, and stays as it is"
          problem={problems.address}
          name="address"
          defaultValue={values?.address}
          maxLength={200}
        />
        <div>
          <Button name="intent" value="add" isPending={isPending}>
            Add this kind
          </Button>
        </div>
      </Form>
    </Section>
  );
}
