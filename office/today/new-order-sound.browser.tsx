import { useEffect, useRef, useSyncExternalStore } from "react";
import { onStored, readStored, store } from "#app/infra/storage.browser.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import { hasNewOrder } from "./new-order.ts";

const KEY = "irepo-office-sound";

/** Loads and plays the sound. A failure is ignored, since the order is also on the screen. */
function play(): void {
  import("./chime.browser.ts").then(({ chime }) => chime()).catch(() => undefined);
}

/** Whether a sound for new orders is switched on in this browser. */
export function useSoundIsOn(): boolean {
  return useSyncExternalStore(
    onStored,
    () => readStored(KEY) === "on",
    () => false,
  );
}

type Props = { orders: { id: string; orderedAt: Date }[]; most: number };

/** The switch of the sound, which is played when one of the `most` newest orders is new. */
export function NewOrderSound({ orders, most }: Props) {
  const isOn = useSoundIsOn();
  const before = useRef(orders);
  useEffect(() => {
    if (isOn && hasNewOrder(before.current, orders, most)) play();
    before.current = orders;
  }, [isOn, orders, most]);
  if (!useHydrated()) return null;
  return (
    <label className="tick">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          store(KEY, target.checked ? "on" : null);
          if (target.checked) play();
        }}
      />
      Sound for new orders
    </label>
  );
}
