import { Form, useSearchParams } from "react-router";
import { Button } from "./button.tsx";
import { OtherFilters, SetFilter } from "./list-tools.tsx";

/**
 * A form to choose the first and last day to show, both included, beside the days that are set. It closes when the days
 * have changed.
 */
export function Days() {
  const [params] = useSearchParams();
  const [from, until] = [params.get("from") ?? "", params.get("until") ?? ""];
  return (
    <>
      {(from || until) && (
        <SetFilter names={["from", "until"]}>{from === until ? from : `${from} to ${until}`.trim()}</SetFilter>
      )}
      <details key={params.toString()} className="relative">
        <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-cut border border-field bg-white px-3 font-medium lg:min-h-9">
          Days
        </summary>
        <Form className="absolute z-20 mt-1 grid gap-3 rounded-cut border border-hairline bg-white p-4 shadow-lg">
          <OtherFilters than={["from", "until"]} />
          {[
            ["from", "From"],
            ["until", "Until"],
          ].map(([name, label]) => (
            <label key={name} className="grid gap-1.5 font-semibold">
              {label}
              <input
                type="date"
                name={name}
                defaultValue={params.get(name ?? "") ?? ""}
                className="input font-normal"
              />{" "}
            </label>
          ))}
          <Button>Show</Button>
        </Form>
      </details>
    </>
  );
}
