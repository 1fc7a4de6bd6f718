import { Form, useSearchParams, useSubmit } from "react-router";
import { Filters, OtherFilters, SelectFilter } from "../frame/list-tools.tsx";

/** The kinds of subjects in the audit log. */
const KINDS = [
  "order",
  "return",
  "product",
  "collection",
  "offer",
  "rate",
  "payments",
  "shipping",
  "customer",
  "subscriber",
  "staff",
  "mails",
  "shop",
  "page",
  "export",
];
const DOORS = { office: "In the office", command: "By command" };

/** The filters of the audit log. */
export function AuditFilters() {
  return (
    <Filters search="Who, what, or which">
      <SelectFilter name="kind" label="About" options={Object.fromEntries(KINDS.map((kind) => [kind, kind]))} />
      <SelectFilter name="door" label="From" options={DOORS} />
      <DayFilter />
    </Filters>
  );
}

function DayFilter() {
  const [params] = useSearchParams();
  const submit = useSubmit();
  return (
    <Form className="flex" onChange={({ currentTarget }) => void submit(currentTarget, { replace: true })}>
      <OtherFilters than={["on"]} />
      <input
        key={params.get("on")}
        type="date"
        name="on"
        aria-label="Day"
        defaultValue={params.get("on") ?? ""}
        className="min-h-11 rounded-cut border border-field bg-white px-3 lg:min-h-9"
      />
    </Form>
  );
}
