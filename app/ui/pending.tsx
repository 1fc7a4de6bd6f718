import { useLocation, useNavigation } from "react-router";
import { Spinner } from "./spinner.tsx";

const LABELS: Record<string, string> = { "/shop": "Loading products", "/checkout": "Loading your checkout" };

/**
 * A loading indicator for the next page, shown only if loading takes longer than a moment. Not for navigation within a
 * page, which shows its own indicator.
 */
export function Pending() {
  const next = useNavigation().location?.pathname.toLowerCase();
  const here = useLocation().pathname.toLowerCase();
  if (!next || next === here) return null;
  return (
    <div className="late pointer-events-none fixed inset-0 z-50 grid place-items-center">
      <span className="grid rounded-full border border-hairline bg-paper p-3">
        <Spinner label={LABELS[next] ?? "Loading the page"} />
      </span>
    </div>
  );
}
