import { Form, useNavigation } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import { MOST_PACE, PACE } from "#app/owner/queues/pace.ts";
import type { OwnedQueue } from "#app/owner/queues/queues.server.ts";
import { Button } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { Field } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { Time } from "../frame/times.tsx";

type Props = {
  queue?: OwnedQueue;
  mayChange: boolean;
  /** What was typed and refused, and why, by field. */
  typed?: Partial<Record<string, string>>;
  problems?: Partial<Record<string, string>>;
};

/** The queue of a product: how it stands, and the form that switches it on or changes it. */
export function Queue({ queue, mayChange, typed, problems }: Props) {
  const isPending = useNavigation().formData?.get("intent") === "queue-on";
  return (
    <div className="grid gap-4">
      {queue ? (
        <Stand queue={queue} mayChange={mayChange} />
      ) : (
        <p className="text-muted">
          Everybody can buy it at once. With a queue, shoppers wait for a turn before they pay: one place for each
          account, drawn at random for those who come before it opens.
        </p>
      )}
      {mayChange && (
        <Form method="post" preventScrollReset className="grid max-w-100 gap-3.5">
          <input type="hidden" name="intent" value="queue-on" />
          {!queue?.isOpen && (
            <Field
              label="Opens"
              note={queue ? "empty: as it is" : "empty: opens now. Until it opens, nobody can buy"}
              problem={problems?.from}
            >
              <input type="datetime-local" name="from" defaultValue={typed?.from} className="input tabular-nums" />
            </Field>
          )}
          <Field label="Turns a minute" problem={problems?.pace}>
            <input
              type="number"
              name="pace"
              min={1}
              max={MOST_PACE}
              required
              defaultValue={typed?.pace ?? queue?.pace ?? PACE}
              className="input tabular-nums"
            />
          </Field>
          <Button look="line" isPending={isPending} className="max-lg:min-h-12 max-lg:w-full lg:justify-self-start">
            {queue ? "Change the queue" : "Switch the queue on"}
          </Button>
        </Form>
      )}
    </div>
  );
}

function Stand({ queue, mayChange }: { queue: OwnedQueue; mayChange: boolean }) {
  const { isOpen, opensAt, waiting, inTurn, ordered } = queue;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-52 flex-1">
        <p className="font-medium tabular-nums">
          {`${plural(waiting, "shopper")} waiting, ${inTurn} in their turn, ${ordered} ordered`}
        </p>
        <Hint>
          <span>{isOpen ? "open since" : "opens"}</span> <Time at={opensAt} />
        </Hint>
      </div>
      <State tone={isOpen ? "done" : "waiting"}>{isOpen ? "Open" : "Planned"}</State>
      {mayChange && (
        <Confirm
          title="End"
          label="End the queue"
          look="quiet"
          question={
            waiting > 0
              ? `${plural(waiting, "shopper")} will lose their place, and everybody can buy at once.`
              : "Everybody can buy it at once then."
          }
          submit="End it now"
          intent="queue-off"
        />
      )}
    </div>
  );
}
