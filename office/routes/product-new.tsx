import { randomUUID } from "node:crypto";
import { useState } from "react";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { useAnswer } from "../connection/answer.ts";
import { keepWhatIsTyped, unlessOffline } from "../frame/fresh.browser.tsx";
import { Page } from "../frame/page.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { NEW_PRODUCT_CHANGES } from "../products/changes.server.ts";
import { EMPTY } from "../products/draft.ts";
import { Editor } from "../products/editor.tsx";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "catalogue");
  return { key: randomUUID(), rate: (await rateInForce(db())).rate };
}

export const action = changes(NEW_PRODUCT_CHANGES);
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = unlessOffline;

export default function NewProduct() {
  const { key: newest, rate } = useLoaderData<typeof loader>();
  const [key] = useState(newest); // kept when the form is shown again
  const done = useAnswer<typeof action>();
  return (
    <Page title="New product" back={{ to: "/products", title: "Products" }}>
      <Editor theirs={EMPTY} version={key} rate={rate} isReadOnly={false} done={done} />
    </Page>
  );
}
