import { type FormEvent, useEffect, useRef } from "react";
import { Form, useNavigate } from "react-router";
import { useCurrency } from "#app/catalog/currency/choice.browser.ts";
import type { Currency } from "#app/catalog/currency/country.ts";
import { CurrencySign } from "#app/catalog/currency/price-pair.tsx";
import { SIZES } from "#app/catalog/sizes.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, SelectField } from "#app/ui/field.tsx";
import { CloseIcon } from "#app/ui/icons.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { type Filters, filterFields, filterQuery, productsText, readFilters, SORTS } from "./filters.ts";
import { SearchBox } from "./search-box.tsx";

const FORM = "filters";
const ORDER = "This is less than the price from which you look.";
const AMOUNT = { USD: "Please enter an amount like 25 or 49.99.", NGN: "Please enter an amount like 40000." };

/**
 * Search, filters and order: a bar on large screens, a sheet on small ones. With script each change counts at once; without, the button does it. Without
 * `total` it is not known yet how many products there are.
 */
export function FilterForm({ filters, colors, total }: { filters: Filters; colors: string[]; total?: number }) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const { min, max, wrong } = filters;
  const { currency: leading } = useCurrency();
  const fields = filterFields(filters);
  const given = fields.min || fields.max ? filters.currency : undefined;
  const currency = given ?? leading;
  const chosen = Object.entries(fields).filter(
    ([name, value]) => value && name !== "kind" && name !== "currency",
  ).length;
  const minError = wrong.min === undefined ? undefined : AMOUNT[currency];
  const maxError =
    wrong.max !== undefined
      ? AMOUNT[currency]
      : min !== undefined && max !== undefined && min > max
        ? ORDER
        : undefined;

  useEarlyInput(form, () => apply({ replace: true })); // not the search, which may be half typed
  // Back, a removed filter or "Clear all" change the URL: the fields follow it, except the one that is being typed into.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL is what they follow
  useEffect(() => {
    for (const [name, value] of Object.entries(fields)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value !== "";
      else if (field instanceof HTMLSelectElement) field.value = value;
      else if (
        field instanceof HTMLInputElement &&
        name !== "q" &&
        name !== "currency" &&
        field !== document.activeElement
      )
        field.value = value;
    }
  }, [filterQuery(filters)]);

  const apply = ({ replace = false } = {}) => {
    if (!form.current) return;
    const entries = [...new FormData(form.current)].map(([name, value]) => [name, String(value)]);
    const search = filterQuery(readFilters(new URLSearchParams(entries)));
    if (search === filterQuery(filters)) return;
    const isHere = search === location.search; // a choice that was still loading is undone
    navigate({ pathname: "/shop", search }, { replace: replace || isHere, preventScrollReset: true });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply();
    form.current?.hidePopover();
  };
  const changedAtOnce = (event: FormEvent) => {
    const { target } = event;
    if (target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === "checkbox"))
      apply();
  };
  return (
    <div className="relative mb-6 grid grid-cols-[1fr_auto] items-end gap-3 border-b border-hairline pb-6 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,4fr)] lg:items-start">
      <SearchBox form={FORM} search={fields.q} />
      <Button
        type="button"
        look="outline"
        popoverTarget={FORM}
        className={`justify-start! px-4! lg:hidden ${chosen > 0 ? "min-w-26" : "min-w-20"} sm:min-w-42`}
      >
        <span>
          Filter<span className="max-sm:sr-only"> and sort</span>
          {chosen > 0 && ` (${chosen})`}
        </span>
      </Button>
      <Form
        ref={form}
        id={FORM}
        method="get"
        action="/shop"
        autoComplete="off" // else the browser fills it in again on Back, beside the URL
        popover="auto"
        aria-label="Filter and sort"
        onChange={changedAtOnce}
        onBlur={(event) => event.target instanceof HTMLInputElement && event.target.name !== "q" && apply()}
        onSubmit={submit}
        className="gap-4 bg-paper text-ink backdrop:bg-ink/45 max-lg:open:fixed max-lg:open:inset-x-0 max-lg:open:top-auto max-lg:open:bottom-0 max-lg:open:m-0 max-lg:open:grid max-lg:open:max-h-[85dvh] max-lg:open:w-full max-lg:open:grid-cols-2 max-lg:open:overflow-y-auto max-lg:open:p-5 lg:static lg:m-0 lg:grid lg:w-full lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1.2fr)_8.5rem] lg:items-start lg:gap-3 lg:overflow-visible lg:p-0"
      >
        <input type="hidden" name="kind" defaultValue={fields.kind} />
        <input type="hidden" name="currency" value={currency} />
        <div className="col-span-2 -mt-2 -mr-3 flex items-center justify-between lg:hidden">
          <h2 className="headline text-xl">Filter and sort</h2>
          <button
            type="button"
            popoverTarget={FORM}
            popoverTargetAction="hide"
            aria-label="Close"
            className="grid size-11 place-items-center"
          >
            <CloseIcon />
          </button>
        </div>
        <SelectField label="Size" name="size" defaultValue={fields.size}>
          <option value="">All sizes</option>
          {SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </SelectField>
        <SelectField label="Colour" name="color" defaultValue={fields.color}>
          <option value="">All colours</option>
          {colors.map((color) => (
            <option key={color}>{color}</option>
          ))}
        </SelectField>
        <div className="col-span-2 grid grid-cols-2 gap-4 lg:col-span-1 lg:gap-3">
          <PriceField word="From" name="min" currency={given} defaultValue={fields.min} error={minError} />
          <PriceField word="To" name="max" currency={given} defaultValue={fields.max} error={maxError} />
        </div>
        <div className="col-span-2 lg:col-span-1">
          <SelectField label="Sort" name="sort" defaultValue={fields.sort}>
            {Object.entries(SORTS).map(([value, name]) => (
              <option key={value} value={value === "newest" ? "" : value}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <label className="col-span-2 flex min-h-12 items-center gap-2 text-sm font-semibold lg:col-span-1 lg:mt-6">
          <input
            type="checkbox"
            name="available"
            defaultChecked={fields.available !== ""}
            className="size-5 accent-ink"
          />
          In stock only
        </label>
        <Button className="col-span-2 lg:col-span-full lg:hidden lg:[@media(scripting:none)]:inline-flex">
          Show {total === undefined ? "products" : productsText(total)}
        </Button>
      </Form>
    </div>
  );
}

type PriceFieldProps = { word: string; name: string; currency?: Currency; defaultValue: string; error?: string };

function PriceField({ word, currency, ...field }: PriceFieldProps) {
  const label = (
    <>
      {`${word} ` /* one text: a space of its own moves when the sign arrives */}
      <CurrencySign currency={currency} />
    </>
  );
  return <Field label={label} inputMode="decimal" {...field} />;
}
