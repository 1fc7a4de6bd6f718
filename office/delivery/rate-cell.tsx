import type { KeyboardEvent } from "react";
import { approximateNaira, type Rate } from "#app/money/exchange-rate.ts";
import { formatApproximateNaira } from "#app/money/format.ts";
import { centsFromDollars } from "#app/money/money.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";

type Props = {
  label: string;
  dollars: string;
  rate: Rate;
  isChanged: boolean;
  problem?: string;
  isReadOnly: boolean;
  placeholder?: string;
  onChange(dollars: string): void;
};

/**
 * An input for the cost of delivery in dollars, with the amount in naira beside it. Enter and the arrow keys move to
 * the next row.
 */
export function RateCell({ label, dollars, rate, isChanged, problem, isReadOnly, placeholder, onChange }: Props) {
  const isHydrated = useHydrated();
  const cents = centsFromDollars(dollars);
  const isWrong = dollars !== "" && cents === undefined;
  return (
    <span className="grid grid-cols-[6.5rem_6.5rem] items-center gap-x-3 max-sm:grid-cols-[6.5rem]">
      <span className="relative">
        <span className="absolute top-1/2 left-3 -translate-y-1/2 text-muted" aria-hidden="true">
          $
        </span>
        <input
          data-cell=""
          aria-label={label}
          aria-invalid={isWrong || problem ? true : undefined}
          inputMode="decimal"
          autoComplete="off"
          value={dollars}
          readOnly={isReadOnly || !isHydrated} // without this, text typed before hydration would be lost
          placeholder={placeholder}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={toNext}
          className={`input pl-6! text-right tabular-nums ${isChanged ? "border-ink! bg-chosen!" : ""}`}
        />
      </span>
      <span
        className={`text-right tabular-nums max-sm:text-[0.8125rem] ${isWrong || problem ? "text-error" : "text-muted"}`}
      >
        {problem ??
          (isWrong ? "Like 3.50" : cents === undefined ? "" : formatApproximateNaira(approximateNaira(cents, rate)))}
      </span>
    </span>
  );
}

function toNext(event: KeyboardEvent<HTMLInputElement>) {
  const way = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (way === undefined) return;
  event.preventDefault();
  const cells = [...document.querySelectorAll<HTMLInputElement>("[data-cell]")];
  const next = cells[cells.indexOf(event.currentTarget) + way];
  next?.focus();
  next?.select();
}
