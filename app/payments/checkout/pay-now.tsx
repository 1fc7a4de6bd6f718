import { LeadingPrice, PricePair } from "#app/catalog/currency/price-pair.tsx";
import type { Rate } from "#app/money/exchange-rate.ts";
import { formatKobo } from "#app/money/format.ts";
import type { Sums } from "#app/orders/sums.ts";
import { Button, DISABLED_BY_SCRIPT } from "#app/ui/button.tsx";
import { InfoIcon } from "#app/ui/icons.tsx";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";

type Props = {
  sums: Sums;
  rate: Rate;
  isPlaceKnown: boolean;
  isComplete: boolean;
  busy: boolean;
  needed: Needed[];
};
type Needed = { name: string; label: string };

const BLUE = "bg-pay! text-white!";
const BLUE_WITHOUT_SCRIPT = "[@media(scripting:none)]:bg-pay! [@media(scripting:none)]:text-white!";

/**
 * The submit button of the shipping form. While the form is incomplete, the button is grey, the missing fields are
 * listed above it, and a press moves the focus to the first missing field. Without JavaScript, the server reports the
 * missing fields.
 */
export function PayNow({ sums, rate, isPlaceKnown, isComplete, busy, needed }: Props) {
  const hydrated = useHydrated();
  return (
    <>
      <div className="min-h-12 border-t border-hairline pt-7 text-[0.9375rem] [@media(scripting:none)]:hidden">
        {needed.length > 0 ? (
          <StillNeeded needed={needed} />
        ) : (
          <p className="text-muted">Next you choose how to pay. Nothing is charged before that.</p>
        )}
      </div>
      <div className="sticky bottom-0 low:static z-20 -mx-[clamp(1rem,4vw,3rem)] grid grid-cols-[auto_1fr] items-center gap-4 border-t border-hairline bg-paper px-[clamp(1rem,4vw,3rem)] pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] lg:static lg:m-0 lg:block lg:border-0 lg:p-0">
        <span className="leading-5 lg:hidden">
          {isPlaceKnown ? (
            <PricePair
              cents={sums.totalCents}
              rate={rate}
              charged={sums.kobo}
              className="flex-col items-start font-bold"
            />
          ) : (
            <>
              <b>
                <LeadingPrice cents={sums.totalCents} rate={rate} />
              </b>{" "}
              <span className="block text-[0.8125rem] text-muted">before delivery</span>
            </>
          )}
        </span>{" "}
        <Button
          className={`price w-full ${isComplete ? BLUE : `${DISABLED_BY_SCRIPT} ${BLUE_WITHOUT_SCRIPT}`}`}
          aria-disabled={(hydrated && !isComplete) || undefined}
          aria-describedby={needed.length > 0 ? NEEDED_ID : undefined}
          busy={busy}
        >
          <span>Pay Now</span> {isComplete && <span className="max-lg:sr-only">{formatKobo(sums.kobo)}</span>}
        </Button>
      </div>
      <noscript>
        <p className="text-sm text-muted">
          {isPlaceKnown
            ? "The sum is for the place above. Where you choose another one, Pay Now first shows the new sum."
            : "Delivery is added for the place that you choose: Pay Now first shows the sum, and pays it when you press again."}
        </p>
      </noscript>
      <p className="text-sm text-muted [@media(scripting:none)]:hidden">
        Your cart and what you typed are kept if you leave.
      </p>
    </>
  );
}

const NEEDED_ID = "still-needed";

/** The labels of the missing fields, each a link that focuses its field. */
function StillNeeded({ needed }: { needed: Needed[] }) {
  return (
    <p id={NEEDED_ID} className="grid grid-cols-[auto_1fr] gap-2.5">
      <InfoIcon />
      <span>
        Still needed:{" "}
        {needed.map(({ name, label }, index) => (
          <span key={name}>
            <span>{index === 0 ? "" : index === needed.length - 1 ? " and " : ", "}</span>
            <a
              href={`#${name}`}
              onClick={(event) => {
                event.preventDefault(); // keeps the hash out of the history, where Back would lead to this same page
                document.getElementById(name)?.focus();
              }}
              className="font-semibold underline underline-offset-4"
            >
              {label}
            </a>
          </span>
        ))}
        <span>.</span>
      </span>
    </p>
  );
}
