import { randomUUID } from "node:crypto";
import { useEffect, useMemo, useState } from "react";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { data, Form, type LoaderFunctionArgs, useLoaderData, useSearchParams, useSubmit } from "react-router";
import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { productHistory } from "#app/owner/catalog/product-history.server.ts";
import { viewProduct } from "#app/owner/catalog/product-view.server.ts";
import { listSales } from "#app/owner/prices/sale-list.server.ts";
import { listQueues } from "#app/owner/queues/queues.server.ts";
import { typedMoment } from "#app/owner/shop-time.server.ts";
import { may } from "#app/staff/roles.ts";
import { useAnswer } from "../connection/answer.ts";
import { Button, ButtonLink, PlainLink } from "../frame/button.tsx";
import { alsoAfterRefusal, keepWhatIsTyped, useFresh } from "../frame/fresh.browser.tsx";
import { MoreIcon } from "../frame/icons.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { changes } from "../http/changes.server.ts";
import { requirePermission } from "../http/staff.server.ts";
import { Timeline } from "../orders/timeline.tsx";
import { SALE_CHANGES } from "../prices/changes.server.ts";
import { Sales } from "../prices/sales.tsx";
import { PRODUCT_CHANGES } from "../products/changes.server.ts";
import { draftOf } from "../products/draft.ts";
import { Editor } from "../products/editor.tsx";
import { forgetAdded } from "../products/kept-draft.browser.ts";
import { Queue } from "../products/queue.tsx";
import { QUEUE_CHANGES } from "../products/queue-changes.server.ts";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "products");
  const product = await viewProduct(db(), params.id ?? "");
  if (!product) throw data(null, 404);
  return {
    product,
    at: product.publishAt ? typedMoment(product.publishAt) : "",
    sales: await listSales(db(), product.id),
    queue: (await listQueues(db(), product.id))[0],
    happenings: await productHistory(db(), product.id),
    rate: (await rateInForce(db())).rate,
    shopUrl: product.hidden ? undefined : `${env.publicUrl.origin}/singleProduct/${product.id}`,
    mayChange: may(role, "catalogue"),
    maySell: may(role, "prices"),
    key: randomUUID(),
  };
}

export const action = changes({ ...PRODUCT_CHANGES, end: SALE_CHANGES.end, ...QUEUE_CHANGES });
export const clientAction = keepWhatIsTyped;
export const shouldRevalidate = alsoAfterRefusal;

const DONE = new Map([
  ["added", "Added."],
  ["copied", "This is the copy, a draft without stock."],
]);

export default function Product() {
  useFresh();
  const { product, at, sales, queue, happenings, rate, shopUrl, mayChange, maySell, key } =
    useLoaderData<typeof loader>();
  const done = useAnswer<typeof action>();
  const ofQueue = done?.intent === "queue-on" && !done.ok ? done : undefined;
  const [params] = useSearchParams();
  const [isDeleting, setDeleting] = useState(false);
  const arrived = DONE.get(params.get("done") ?? "");
  const theirs = useMemo(() => draftOf(product, at), [product, at]);
  const added = params.get("key");
  useEffect(() => forgetAdded(added), [added]);
  return (
    <Page
      title={product.title}
      back={{ to: "/products", title: "Products" }}
      about={
        <>
          <span>{product.publishAt ? "From a time on" : product.hidden ? "Draft" : "Published"}</span> · changed{" "}
          <Time at={product.updatedAt} />
        </>
      }
      actions={<Actions copyKey={key} shopUrl={shopUrl} mayChange={mayChange} onDelete={() => setDeleting(true)} />}
    >
      {isDeleting && <Deleting version={product.version} onKeep={() => setDeleting(false)} />}
      <Editor
        key={product.id}
        product={product}
        theirs={theirs}
        version={product.version}
        last={product.acts.at(-1)}
        rate={rate}
        isReadOnly={!mayChange}
        done={ofQueue ? undefined : done}
        news={done ? wordsOf(done) : arrived}
      >
        {(sales.length > 0 || maySell) && (
          <Section
            title="Sale price"
            aside={
              maySell && (
                <ButtonLink to={`/products/prices?product=${product.id}`} look="line">
                  Set a sale price
                </ButtonLink>
              )
            }
          >
            {sales.length > 0 ? (
              <Sales sales={sales} product={product.id} mayChange={maySell} />
            ) : (
              <p className="text-muted">It’s not on sale. Its price is the one above.</p>
            )}
          </Section>
        )}
        {(queue || mayChange) && (
          <Section title="Queue">
            <Queue
              key={queue?.opensAt.getTime()}
              queue={queue}
              mayChange={mayChange}
              typed={ofQueue?.values}
              problems={ofQueue && "problems" in ofQueue ? ofQueue.problems : undefined}
            />
          </Section>
        )}
        <Section title="What happened">
          {happenings.length > 0 ? (
            <Timeline happenings={happenings} />
          ) : (
            <p className="text-muted">Nothing has been changed yet.</p>
          )}
        </Section>
      </Editor>
    </Page>
  );
}

/** The message after an accepted change. Undefined after a refusal. */
function wordsOf(done: { ok: boolean; what?: string; intent?: string }): string | undefined {
  if (!done.ok) return undefined;
  if (done.intent !== "save") return done.what;
  return done.what === "saved" ? "Saved." : "There was nothing to save.";
}

type ActionsProps = { copyKey: string; shopUrl?: string; mayChange: boolean; onDelete(): void };

function Actions({ copyKey, shopUrl, mayChange, onDelete }: ActionsProps) {
  const submit = useSubmit();
  return (
    <>
      {shopUrl && (
        <PlainLink href={shopUrl} target="_blank" rel="noreferrer" className="max-lg:hidden">
          See it in the shop
        </PlainLink>
      )}
      {(mayChange || shopUrl) && (
        <MenuTrigger>
          <Button type="button" look="icon" aria-label="More" className={mayChange ? "" : "lg:hidden"}>
            <MoreIcon className="size-5" />
            <span className="sr-only">More</span>
          </Button>
          <Popover placement="bottom end" className="menu">
            <Menu
              aria-label="With this product"
              onAction={(intent) => {
                if (intent === "copy") void submit({ intent, key: copyKey }, { method: "post" });
                if (intent === "delete") onDelete();
              }}
            >
              {shopUrl && (
                <MenuItem id="see" href={shopUrl} target="_blank" className="lg:hidden!">
                  See it in the shop
                </MenuItem>
              )}
              {mayChange && <MenuItem id="copy">Copy as a draft</MenuItem>}
              {mayChange && <MenuItem id="delete">Delete</MenuItem>}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
    </>
  );
}

function Deleting({ version, onKeep }: { version: string; onKeep(): void }) {
  return (
    <Notice
      kind="error"
      actions={
        <Form method="post" className="flex gap-2" onSubmit={onKeep}>
          <input type="hidden" name="seen" value={version} />
          <Button name="intent" value="delete">
            Delete it
          </Button>
          <Button type="button" look="line" onPress={onKeep}>
            Keep it
          </Button>
        </Form>
      }
    >
      <strong className="font-semibold">Delete this product for good?</strong> You can delete it as long as nobody has
      ordered it or has it in a cart.
    </Notice>
  );
}
