import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { type FeedReport, reportFeeds } from "#app/catalog/feeds/report.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { plural } from "#app/infra/text/plural.ts";
import { CopyButton } from "../frame/copy-button.browser.tsx";
import { Page, Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { requirePermission } from "../http/staff.server.ts";

export async function loader({ context }: LoaderFunctionArgs) {
  requirePermission(context, "products");
  return reportFeeds(db());
}

/** The product feeds: their addresses, and the products that their readers would refuse. */
export default function ProductsFeeds() {
  const { feeds, looked, all } = useLoaderData<typeof loader>();
  return (
    <Page title="Feeds" back={{ to: "/products", title: "Products" }}>
      <p className="mt-4 max-w-prose">
        Paste a feed’s address where the other company asks for a product feed. It has every published product with its
        sizes, prices and pictures, and is at most ten minutes old. Prices are in naira; for dollars add{" "}
        <code>?currency=USD</code>.
      </p>
      {!all && <p className="mt-2 text-sm text-muted">{`Checked here: the first ${plural(looked, "product")}.`}</p>}
      {feeds.map((feed) => (
        <Feed key={feed.file} {...feed} />
      ))}
    </Page>
  );
}

function Feed({ title, url, writtenAt, refused }: FeedReport) {
  return (
    <Section title={title}>
      <div className="flex flex-wrap items-center gap-3">
        <code className="[overflow-wrap:anywhere]">{url}</code> <CopyButton text={url} label="Copy" />
      </div>
      <p className="mt-2 text-sm text-muted">
        {writtenAt ? (
          <>
            <span>Last written</span> <Time at={writtenAt} />
          </>
        ) : (
          <span>Not picked up in the last two weeks</span>
        )}
      </p>
      {refused.length === 0 ? (
        <p className="mt-3">All products would be taken.</p>
      ) : (
        <>
          <p className="mt-3">{`${plural(refused.length, "product")} would be refused:`}</p>
          <ul className="mt-1">
            {refused.map(({ id, title: name, reasons }) => (
              <li key={id} className="border-b border-hairline py-2">
                <Link to={`/products/${id}`} className="font-medium underline underline-offset-4">
                  {name}
                </Link>{" "}
                <span className="block text-sm text-muted">{reasons.join("; ")}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
