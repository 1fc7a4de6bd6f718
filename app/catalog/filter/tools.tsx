import type { ReactNode } from "react";
import type { Currency } from "#app/catalog/currency/country.ts";
import { CurrencySign } from "#app/catalog/currency/price-pair.tsx";
import { Field } from "#app/ui/field.tsx";
import { useClosingMenu } from "#app/ui/frame/closing-menu.browser.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { FAMILIES, FAMILY_NAMES, type Family } from "./colors.ts";

type ToolProps = { name: string; count?: number; open?: boolean; children: ReactNode };

/** A group of filters: on large screens a menu, in the sheet of small screens always visible (tokens.css). */
function Tool({ name, count = 0, open, children }: ToolProps) {
  const menu = useClosingMenu();
  return (
    <details ref={menu} name="tool" open={open} className="tool group col-span-2 lg:relative lg:col-span-1">
      <summary className="flex min-h-11 items-center gap-2 rounded-cut border border-ink/50 bg-white px-3 text-sm font-semibold hover:border-ink group-open:border-ink justify-between">
        <span>{count > 0 ? `${name} (${count})` : name}</span>
        <ChevronIcon className="size-5 group-open:rotate-180" />
      </summary>{" "}
      <fieldset className="lg:absolute lg:top-full lg:right-0 lg:z-20 lg:mt-1 lg:w-76 lg:border lg:border-hairline lg:bg-paper lg:p-4 lg:shadow-overlay">
        <legend className="mb-1 text-sm font-semibold lg:sr-only">{name}</legend>
        {children}
      </fieldset>
    </details>
  );
}

/** The families of colours that the shop has or the address names. Several can be chosen. */
export function ColorTool({ families, chosen }: { families: Family[]; chosen: Family[] }) {
  const offered = FAMILY_NAMES.filter((family) => families.includes(family) || chosen.includes(family));
  return (
    <Tool name="Colour" count={chosen.length}>
      <div className="grid grid-cols-2 gap-x-4">
        {offered.map((family) => (
          <label key={family} className="flex min-h-11 items-center gap-2 text-sm">
            <input
              type="checkbox"
              name="color"
              value={family}
              defaultChecked={chosen.includes(family)}
              className="size-5 accent-ink"
            />
            <span
              aria-hidden="true"
              className="size-5 rounded-full border border-ink/25 forced-color-adjust-none"
              style={{ background: FAMILIES[family].swatch }}
            />{" "}
            <span>{FAMILIES[family].name}</span>
          </label>
        ))}
      </div>
    </Tool>
  );
}

type PriceField = { defaultValue: string; error?: string };

/** `currency` is undefined where the shopper's currency counts. */
export function PriceTool({ from, to, currency }: { from: PriceField; to: PriceField; currency?: Currency }) {
  const label = (word: string) => (
    <>
      <span>{`${word} ` /* one text node: a separate space would move when the sign loads */}</span>
      <CurrencySign currency={currency} />
    </>
  );
  return (
    <Tool
      name="Price"
      count={[from, to].filter(({ defaultValue }) => defaultValue).length}
      open={Boolean(from.error || to.error) || undefined}
    >
      <div className="grid grid-cols-2 gap-4 lg:gap-3">
        <Field label={label("From")} name="min" inputMode="decimal" {...from} />
        <Field label={label("To")} name="max" inputMode="decimal" {...to} />
      </div>
    </Tool>
  );
}
