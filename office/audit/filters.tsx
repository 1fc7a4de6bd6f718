import { Form, useSearchParams, useSubmit } from "react-router";
import { SUBJECT_KINDS } from "#app/owner/audit-kinds.ts";
import { Filters, OtherFilters, SelectFilter } from "../frame/list-tools.tsx";

const KINDS = Object.fromEntries(SUBJECT_KINDS.map((kind) => [kind, kind.replace("-", " ")]));
const DOORS = { office: "In the office", command: "By command" };

/** The filters of the audit log. */
export function AuditFilters() {
  return (
    <Filters search="Who, what, or which">
      <SelectFilter name="kind" label="About" options={KINDS} />
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
