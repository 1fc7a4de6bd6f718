import { formatKobo } from "#app/money/format.ts";
import type { Kobo } from "#app/money/money.ts";
import { Button, DISABLED_BY_SCRIPT } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";

type Props = { kobo: Kobo; isPlaceKnown: boolean; isComplete: boolean; busy: boolean };

/** The shipping form's button: grey until the form is complete. Without script the server says what is missing. */
export function PayNow({ kobo, isPlaceKnown, isComplete, busy }: Props) {
  const hydrated = useHydrated();
  return (
    <div className="sticky low:static bottom-14 z-20 -mx-4 bg-paper px-4 py-3 lg:static lg:m-0 lg:p-0">
      <Button
        className={`price w-full ${isComplete ? "bg-pay! text-white!" : `${DISABLED_BY_SCRIPT} [@media(scripting:none)]:bg-pay! [@media(scripting:none)]:text-white!`}`}
        disabled={hydrated && !isComplete}
        busy={busy}
      >
        Pay Now {isPlaceKnown || hydrated ? formatKobo(kobo) : ""}
      </Button>
      <noscript>
        <p className="mt-2 text-sm text-muted">
          {isPlaceKnown
            ? "The sum is for the place above. Where you choose another one, Pay Now first shows the new sum."
            : "Delivery is added for the place that you choose: Pay Now first shows the sum, and pays it when you press again."}
        </p>
      </noscript>
    </div>
  );
}
