import { Form } from "react-router";
import type { Kind } from "#app/staff/notifications/kinds.ts";
import type { Device } from "#app/staff/notifications/notifications.server.ts";
import { Button } from "../frame/button.tsx";
import { State } from "../frame/state.tsx";
import { Time } from "../frame/times.tsx";
import { KindTicks } from "./kind-ticks.tsx";

type Props = {
  devices: Device[];
  kinds: readonly Kind[];
  /** The device whose ticks were refused, and why. */
  refused: { id?: string; kinds?: string };
};

/** A member's devices that get notifications, each with a form of its kinds and a button that switches them off. */
export function NotifiedDevices({ devices, kinds, refused }: Props) {
  return (
    <ul>
      {devices.map(({ id, device, kinds: on, since, isThis, problem }) => (
        <li key={id} className="border-b border-hairline py-1.5">
          <div className="flex min-h-11 items-center justify-between gap-3">
            <span className="min-w-0">
              <span className="block font-medium">{device}</span>{" "}
              <span className="text-muted">
                since <Time at={new Date(since)} />
              </span>
            </span>{" "}
            <span>{isThis && <State tone="done">This one</State>}</span>
          </div>
          {problem && <p className="text-error wrap-anywhere">{`The last one hasn’t arrived: ${problem}.`}</p>}
          <Form key={String(on)} method="post" className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <input type="hidden" name="device" value={id} />
            <KindTicks kinds={kinds} on={on} device={device} problem={refused.id === id ? refused.kinds : undefined} />
            <Button look="line" name="intent" value="notify-kinds" aria-label={`Save the notifications on ${device}`}>
              Save
            </Button>
            <Button
              look="quiet"
              name="intent"
              value="notify-off"
              aria-label={`Switch off the notifications on ${device}`}
            >
              Switch off
            </Button>
          </Form>
        </li>
      ))}
    </ul>
  );
}
