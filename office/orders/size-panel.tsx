import { mostPieces, type SizeLine, SizeOptions } from "#app/orders/size-change/options.tsx";
import { Field } from "../frame/field.tsx";
import { Notice } from "../frame/notice.tsx";
import { Hint } from "../frame/page.tsx";
import { emailHint, Panel, PanelForm, type useSeen } from "./panel.tsx";

type Props = {
  /** Undefined or empty: no size can be changed. */
  lines?: SizeLine[];
  /** The number of changes so far. */
  changes?: number;
  seen: ReturnType<typeof useSeen>;
  problem?: string;
  problems: Partial<Record<string, string>>;
  isPending: boolean;
  hasEmail: boolean;
};

/** A panel to send another size of what was ordered, until the order is packed. */
export function SizePanel({ lines = [], changes, seen, problem, problems, isPending, hasEmail }: Props) {
  const most = mostPieces(lines);
  if (lines.length === 0) {
    const refused = problem ?? problems.change;
    return (
      <Panel title="Change a size">
        <Notice kind={refused ? "error" : "info"}>
          {refused ?? "No size can be changed now: the order is packed, or no other size is in stock."}
        </Notice>
      </Panel>
    );
  }
  return (
    <Panel title="Change a size">
      <PanelForm
        intent="size"
        seen={seen}
        problem={problem}
        isPending={isPending}
        submit={hasEmail ? "Change, and tell the shopper" : "Change the size"}
      >
        <input type="hidden" name="changes" value={changes} />
        <Field label="New size" problem={problems.change}>
          <select name="change" className="input">
            <SizeOptions lines={lines} />
          </select>
        </Field>
        {(most > 1 || problems.quantity) && (
          <Field label="Items" problem={problems.quantity}>
            <input name="quantity" type="number" min={1} max={most} defaultValue="1" className="input" />
          </Field>
        )}
        <Hint>
          The price stays as it was. The former size is back in stock at once.{" "}
          <span>{emailHint(hasEmail, "We email the shopper what will be sent.")}</span>
        </Hint>
      </PanelForm>
    </Panel>
  );
}
