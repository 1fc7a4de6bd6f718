import { useEffect, useState } from "react";
import { useNavigation } from "react-router";

/** Shorter waits show no bar. */
const SHOW_AFTER = 250; // ms

/** A bar at the top of the window while a screen, its scripts or the response to a form is loading. */
export function PendingBar({ isFetching }: { isFetching: boolean }) {
  const isLoading = useNavigation().state !== "idle";
  const isPending = isFetching || isLoading;
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setShown(true), SHOW_AFTER);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [isPending]);
  return (
    <div aria-live="polite" className="print:hidden">
      {isShown && (
        <>
          <span className="sr-only">Loading</span>
          <span className="pending-bar" />
        </>
      )}
    </div>
  );
}
