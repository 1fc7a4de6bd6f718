import { State, type Tone } from "../../frame/state.tsx";

/** The preview of a step for an order. Pasted rows also have the row's number, the carrier and the tracking number. */
export type PlannedOrder = {
  number: string;
  customer?: string;
  to?: string;
  will: keyof typeof TONES;
  says: string;
  line?: number;
  carrier?: string;
  tracking?: string;
};

const TONES = {
  do: "done",
  send: "done",
  ask: "waiting",
  correct: "waiting",
  nothing: "rest",
  fail: "person",
} satisfies Record<string, Tone>;

const HEADS = ["Order", "Customer", "To", "What happens"];
const HEADS_OF_ROWS = ["Row", "Order", "Customer", "To", "Carrier", "Number", "What happens"];

/** A preview of what a step would do to each order. */
export function PlanTable({ planned }: { planned: PlannedOrder[] }) {
  const isPasted = planned.some(({ line }) => line !== undefined);
  return (
    <table aria-label="What would be done" className="rows mt-5">
      <thead>
        <tr>
          {(isPasted ? HEADS_OF_ROWS : HEADS).map((head) => (
            <th scope="col" key={head}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {planned.map(({ number, customer, to, will, says, line, carrier, tracking }) => (
          <tr key={line ?? number}>
            {isPasted && (
              <td data-slot="" data-tone="muted">
                {line}
              </td>
            )}
            <td data-slot="lead" className="tabular-nums">
              {number}
            </td>
            <td data-slot="">{customer}</td>
            <td data-slot="">{to}</td>
            {isPasted && (
              <>
                <td data-slot="">{carrier}</td>
                <td data-slot="sum" className="tabular-nums">
                  {tracking}
                </td>
              </>
            )}
            <td data-slot="about" data-wrap="">
              <State tone={TONES[will]}>
                {isPasted && <span className="lg:hidden">Row {line}: </span>}
                {says}
              </State>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
