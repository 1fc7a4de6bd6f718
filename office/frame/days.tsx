import { Form, useSearchParams } from "react-router";
import { Button } from "./button.tsx";
import { OtherFilters } from "./list-tools.tsx";

/** From one day to another, both included. It closes once they are shown. */
export function Days() {
  const [params] = useSearchParams();
  return (
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
            <input type="date" name={name} defaultValue={params.get(name ?? "") ?? ""} className="input font-normal" />
          </label>
        ))}
        <Button>Show</Button>
      </Form>
    </details>
  );
}
