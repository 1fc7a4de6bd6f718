import { MINUTE } from "#app/infra/durations.ts";
import { plural } from "#app/infra/text/plural.ts";
import { someOf } from "#app/infra/text/some-of.ts";
import { amountText } from "#app/owner/prices/amount.ts";
import type { ListedSale } from "#app/owner/prices/sale-list.server.ts";
import { Confirm } from "../frame/confirm.tsx";
import { Hint } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";
import { Time } from "../frame/times.tsx";

type Props = {
  sales: ListedSale[];
  /** The id of the product, if only its sale prices are listed. */
  product?: string;
  mayChange: boolean;
};

/** The running and planned sale prices, each with a button that ends it. */
export function Sales({ sales, product, mayChange }: Props) {
  return (
    <ul className="grid">
      {sales.map((sale) => (
        <li key={sale.planId} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-hairline py-2.5">
          <div className="min-w-52 flex-1">
            <p className="font-medium">
              <span>{amountText(sale)}</span>
              <span>{!product && `: ${someOf(sale.titles, { count: sale.products })}`}</span>
              <span>{sale.finalSale && ", final sale"}</span>
            </p>
            <Hint>
              <span>{sale.runs ? "since" : "from"}</span> <Time at={sale.startsAt} />
              {sale.endsAt ? (
                <span>
                  , until <Time at={new Date(sale.endsAt.getTime() - MINUTE)} />
                </span>
              ) : (
                <span>, without an end</span>
              )}
            </Hint>
          </div>
          <State tone={sale.runs ? "done" : "waiting"}>{sale.runs ? "Running" : "Planned"}</State>
          {mayChange && (
            <Confirm
              title={sale.runs ? "End" : "Take away"}
              label={`${sale.runs ? "End" : "Take away"}: ${amountText(sale)}`}
              look="quiet"
              question={`The normal price ${sale.runs ? "is in force again at once" : "stays in force"}${sale.products > 1 ? `, for ${plural(sale.products, "product")}` : ""}.`}
              submit={sale.runs ? "End it now" : "Take it away"}
              intent="end"
              fields={{ plan: sale.planId, ...(product && { product }) }}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
