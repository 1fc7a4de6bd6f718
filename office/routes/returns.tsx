import { useState } from "react";
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { db } from "#app/infra/database/db.server.ts";
import { RETURN_REASONS } from "#app/orders/returns/return.ts";
import { countReturns, searchReturns } from "#app/owner/returns/search.server.ts";
import { REASON_WORDS } from "#app/owner/returns/standing.ts";
import { may } from "#app/staff/roles.ts";
import { Button, ButtonLink, PlainLink } from "../frame/button.tsx";
import { useFresh } from "../frame/fresh.browser.tsx";
import { DownloadIcon } from "../frame/icons.tsx";
import { Pager, Search, SelectFilter, SetFilter, TimeSort, useFilters, View, Views } from "../frame/list-tools.tsx";
import { Page } from "../frame/page.tsx";
import { requirePermission } from "../http/staff.server.ts";
import { returnSearchOf } from "../returns/filters.server.ts";
import { ReturnsTable } from "../returns/table.tsx";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { role } = requirePermission(context, "look");
  const { before, after, ...search } = returnSearchOf(new URL(request.url).searchParams);
  return {
    ...(await searchReturns(db(), search, { before, after })),
    view: search.view,
    counts: await countReturns(db()),
    mayExport: may(role, "returns"),
  };
}

const VIEWS = {
  open: "Open",
  "to-answer": "To answer",
  "on-the-way": "On the way",
  due: "Received",
  overdue: "Overdue",
  closed: "Closed",
  all: "All",
};

export default function Returns() {
  useFresh();
  const { returns, newer, older, view, counts, mayExport } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const exported = new URLSearchParams(params);
  for (const name of ["before", "after"]) exported.delete(name);
  return (
    <Page
      title="Returns"
      actions={
        mayExport && (
          <PlainLink href={`/returns/export.csv?${exported}`} download>
            <DownloadIcon className="size-5" />
            Export
          </PlainLink>
        )
      }
    >
      <Views label="Views">
        {Object.entries(VIEWS).map(([name, title]) => (
          <View
            key={name}
            to={name === "open" ? "?" : `?view=${name}`}
            current={view === name}
            count={name in counts ? counts[name as keyof typeof counts] : undefined}
          >
            {title}
          </View>
        ))}
      </Views>
      <Filters />
      {returns.length === 0 ? (
        <Empty ofAll={view === "all"} />
      ) : (
        <>
          <ReturnsTable label={VIEWS[view]} returns={returns} />
          <Pager
            about={`${returns.length} ${returns.length === 1 ? "return" : "returns"} on this page`}
            newer={newer}
            older={older}
          />
        </>
      )}
    </Page>
  );
}

const WISHES = [
  { value: "money", name: "For money" },
  { value: "exchange", name: "For another size" },
];

function Filters() {
  const filters = useFilters();
  const [isOpen, setOpen] = useState(false);
  const set = ["reason", "wish", "customer"].filter((name) => filters.get(name));
  return (
    <div className="flex flex-wrap gap-2 py-3">
      <Search label="Return, order or name" />
      <Button
        type="button"
        look="line"
        className="bg-white lg:hidden"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        Filter {set.length > 0 && <span className="tabular-nums">{set.length}</span>}
      </Button>
      <div className={`w-full flex-wrap gap-2 lg:flex lg:w-auto ${isOpen ? "flex" : "hidden"}`}>
        {filters.get("customer") && <SetFilter names={["customer"]}>One customer</SetFilter>}
        <SelectFilter
          name="reason"
          label="Reason"
          options={RETURN_REASONS.map((value) => ({ value, name: REASON_WORDS[value] }))}
        />
        <SelectFilter name="wish" label="Wanted" options={WISHES} />
        <TimeSort />
      </div>
    </div>
  );
}

function Empty({ ofAll }: { ofAll: boolean }) {
  const [params] = useSearchParams();
  const isNarrowed = [...params.keys()].some((name) => name !== "view" && name !== "sort");
  const nothing = ofAll ? "Nothing was ever sent back." : "Nothing waits here.";
  return (
    <div className="grid justify-items-start gap-3 py-6">
      <p className="text-muted">
        {isNarrowed ? "No return fits." : `${nothing} What shoppers ask for appears by itself.`}
      </p>
      {(isNarrowed || !ofAll) && (
        <ButtonLink look="line" to="/returns?view=all">
          See all returns
        </ButtonLink>
      )}
    </div>
  );
}
