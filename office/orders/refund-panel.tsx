import { useState } from "react";
import { countUnits } from "#app/cart/cart.ts";
import { pieceText, sizeName, variantText } from "#app/catalog/sizes.ts";
import { dollarsOfKobo } from "#app/money/exchange-rate.ts";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { REFUND_CAUSES } from "#app/orders/refund-causes.ts";
import { planRefund, type Refundable, shippingKobo } from "#app/orders/refund-plan.ts";
import { quantityOf } from "#app/orders/units.ts";
import type { OrderLine } from "#db/types.ts";
import { Field } from "../frame/field.tsx";
import { Hint } from "../frame/page.tsx";
import { Counter } from "./counter.tsx";
import { MoneyRows } from "./money.tsx";
import { Panel, PanelForm, type useSeen } from "./panel.tsx";
import { PieceImage } from "./pieces.tsx";
import { RestockTick } from "./restock-tick.tsx";

type Props = {
  lines: OrderLine[];
  refundable: Refundable;
  /** Units on hand, by the key `productId size`. */
  stock: Record<string, number>;
  firstName: string;
  /** Where the money goes, in words. */
  whereTo: string;
  /** The refund's idempotency key, so that a second press does not refund twice. */
  refundKey: string;
  seen: ReturnType<typeof useSeen>;
  problem?: string;
  isPending: boolean;
};

/**
 * A panel to refund a part of an order. The sum is calculated while pieces are chosen, with the same code as on the
 * server.
 */
export function RefundPanel(props: Props) {
  const { lines, refundable, stock, firstName, whereTo, refundKey, seen, problem, isPending } = props;
  const [key] = useState(refundKey); // kept when the screen's data is reloaded
  const [counts, setCounts] = useState<Record<string, number>>({});
  const [withShipping, setShipping] = useState(false);
  const [restock, setRestock] = useState(true);
  const sizes = unitsOf(lines, refundable);
  const pieces = sizes
    .map(({ productId, size, id }) => ({ productId, size, quantity: counts[id] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
  const chosen = countUnits(pieces);
  const isAnything = chosen > 0 || withShipping;
  const wish = { pieces, withShipping, restock: restock && chosen > 0 };
  const plan = isAnything ? planRefund(refundable, wish) : undefined;
  const now = plan?.ok ? plan.kobo : 0;
  const shipping = shippingKobo(refundable);
  const back = refundable.backKobo + now;
  const both = (sum: number) => [formatKobo(kobo(sum)), formatUsd(dollarsOfKobo(sum, refundable.rate))] as const;
  const stockWords = sizes
    .filter(({ id }) => (counts[id] ?? 0) > 0 && stock[id] !== undefined)
    .map(({ id, size }) => `${sizeName(size)}: ${stock[id]}, then ${(stock[id] ?? 0) + (counts[id] ?? 0)}`)
    .join("; ");
  return (
    <Panel title="Refund a part">
      <PanelForm
        intent="refund"
        seen={seen}
        problem={problem ?? (plan?.ok === false ? plan.problem : undefined)}
        isPending={isPending}
        isDisabled={now === 0}
        submit={now > 0 ? `Refund ${both(now)[0]}` : "Choose what to refund"}
      >
        <input type="hidden" name="key" value={key} />
        <input type="hidden" name="kobo" value={now} />
        {pieces.map(({ productId, size, quantity }) => (
          <input
            key={`${productId} ${size}`}
            type="hidden"
            name="pieces[]"
            value={`${productId}:${size}:${quantity}`}
          />
        ))}
        <div>
          <p className="mb-1.5 font-semibold">Which pieces</p>
          <ul className="divide-y divide-hairline rounded-cut border border-field">
            {sizes.map(({ id, line, left, bought }) => (
              <li key={id} className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto] items-center gap-3 px-3 py-2.5">
                <PieceImage line={line} width={40} />
                <span>
                  <strong className="font-semibold">{line.title}</strong>
                  <span className="block text-muted tabular-nums">
                    {[variantText(line), `${both(eachKobo(refundable, line))[0]} each`].filter(Boolean).join(" · ")}
                  </span>
                </span>
                <span className="text-right tabular-nums">
                  of {left}
                  {left < bought && <small className="block text-muted">{bought - left} gone back</small>}
                </span>
                <Counter
                  label={`${pieceText({ title: line.title, size: line.size })}: how many go back`}
                  value={counts[id] ?? 0}
                  max={left}
                  onChange={(value) => setCounts({ ...counts, [id]: value })}
                />
              </li>
            ))}
          </ul>
        </div>
        <div>
          <RestockTick checked={restock} pieces={chosen} stock={stockWords} onToggle={() => setRestock(!restock)} />
          {shipping > 0 && !refundable.isShippingBack && (
            <label className="tick">
              <input
                type="checkbox"
                name="shipping"
                checked={withShipping}
                onChange={() => setShipping(!withShipping)}
              />
              <span>
                Refund delivery, too <span className="ml-1 text-muted tabular-nums">{both(shipping)[0]}</span>
              </span>
            </label>
          )}
        </div>
        <Field label="Reason">
          <select name="cause" required defaultValue="" className="input">
            <option value="" disabled>
              Choose one
            </option>
            {REFUND_CAUSES.map((cause) => (
              <option key={cause}>{cause}</option>
            ))}
          </select>
        </Field>
        <Field label={`Words for ${firstName || "the shopper"}`} note="optional">
          <textarea name="words" rows={2} maxLength={500} className="input" />
        </Field>
        <MoneyRows
          rows={[
            { label: "Now", naira: both(now)[0], dollars: both(now)[1], isStrong: true },
            { label: "Refunded in total", naira: both(back)[0], dollars: both(back)[1] },
            {
              label: "Kept",
              naira: both(refundable.paidKobo - back)[0],
              dollars: both(refundable.paidKobo - back)[1],
            },
          ]}
        />
        <Hint>{whereTo} It’s refunded once, however often you press.</Hint>
      </PanelForm>
    </Panel>
  );
}

/** Each size of a product once, with the number of units bought and the number that can still be refunded. */
function unitsOf(lines: OrderLine[], { backPieces }: Refundable) {
  const firsts = new Map(lines.toReversed().map((line) => [`${line.productId} ${line.size}`, line]));
  return [...firsts]
    .map(([id, line]) => {
      const bought = quantityOf(line, lines);
      return {
        id,
        line,
        productId: line.productId,
        size: line.size,
        bought,
        left: bought - quantityOf(line, backPieces),
      };
    })
    .toReversed();
}

/** The amount in kobo for one more unit of this size. */
function eachKobo(refundable: Refundable, { productId, size }: OrderLine): number {
  const plan = planRefund({ ...refundable, failed: [] }, { pieces: [{ productId, size, quantity: 1 }] });
  return plan.ok ? plan.kobo : 0;
}
