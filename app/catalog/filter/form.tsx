import { type FormEvent, useEffect, useRef } from "react";
import { Form, useNavigate } from "react-router";
import { useCurrency } from "#app/catalog/currency/choice.browser.ts";
import { SIZES } from "#app/catalog/sizes.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { CloseIcon, FilterIcon } from "#app/ui/icons.tsx";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import type { Family } from "./colors.ts";
import { type Filters, filterFields, filterQuery, priceShown, productsText, readFilters, SORTS } from "./filters.ts";
import { SearchBox } from "./search-box.tsx";
import { ColorTool, PriceTool } from "./tools.tsx";

const FORM = "filters";
const UNCOUNTED = new Set(["currency", "color"]);
const ORDER = "The highest price must be above the lowest.";
const AMOUNT = { USD: "Please enter an amount like 25 or 49.99.", NGN: "Please enter an amount like 40000." };

type Props = {
  path: string;
  filters: Filters;
  families: Family[];
  hasSale: boolean;
  isFeatured?: boolean;
  total?: number;
};

/**
 * The form for search, filters and sort order: a row on large screens, a sheet on small ones. With JavaScript each
 * change applies at once, otherwise with the button. `path` is the page's; `total` is undefined while the number of
 * products is loading.
 */
export function FilterForm({ path, filters, families, hasSale, isFeatured, total }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const { min, max, wrong } = filters;
  const { currency: leading } = useCurrency();
  const fields = filterFields(filters);
  const prices: Record<string, string> = {
    min: min === undefined ? fields.min : priceShown(min),
    max: max === undefined ? fields.max : priceShown(max),
  };
  const given = fields.min || fields.max ? filters.currency : undefined;
  const currency = given ?? leading;
  const others = Object.entries(fields).filter(([name, value]) => value && !UNCOUNTED.has(name)).length;
  const chosen = others + filters.colors.length;
  const minError = wrong.min === undefined ? undefined : AMOUNT[currency];
  const maxError =
    wrong.max !== undefined
      ? AMOUNT[currency]
      : min !== undefined && max !== undefined && min > max
        ? ORDER
        : undefined;

  useEarlyInput(form, () => apply({ replace: true })); // not on input in the search field, whose text may be half typed
  // Back, a removed filter and "Clear all" change the URL, and the fields follow it, except a field that has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL is what they follow
  useEffect(() => {
    for (const box of form.current?.querySelectorAll<HTMLInputElement>("[name=color]") ?? [])
      box.checked = filters.colors.some((family) => family === box.value);
    for (const [name, value] of Object.entries({ ...fields, ...prices })) {
      if (name === "color") continue;
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
    const isHere = path === location.pathname && search === location.search; // cancels a navigation that is still loading
    navigate({ pathname: path, search }, { replace: replace || isHere, preventScrollReset: true });
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
    <div className="relative mb-3 grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:mb-6 lg:grid-cols-[minmax(13rem,22rem)_1fr] lg:gap-6 lg:border-b lg:border-hairline lg:pb-5">
      <SearchBox form={FORM} search={fields.q} />
      <Button
        type="button"
        look="outline"
        popoverTarget={FORM}
        className={`min-h-11! justify-start! px-4! py-2! lg:hidden ${chosen > 0 ? "min-w-[min(8.75rem,44vw)]" : "min-w-[min(6.75rem,35vw)]"} sm:min-w-50`}
      >
        <FilterIcon className="size-5" />
        <span>
          Filter<span className="max-sm:sr-only"> and sort</span>
          {chosen > 0 && <span>{` (${chosen})`}</span>}
        </span>
      </Button>
      <Form
        ref={form}
        id={FORM}
        method="get"
        action={path}
        autoComplete="off" // otherwise Back restores the browser's values, which may differ from the URL
        popover="auto"
        aria-label="Filter and sort"
        onChange={changedAtOnce}
        onBlur={(event) => event.target instanceof HTMLInputElement && event.target.name !== "q" && apply()}
        onSubmit={submit}
        className="gap-4 bg-paper text-ink backdrop:bg-ink/45 max-lg:open:fixed max-lg:open:inset-x-0 max-lg:open:top-auto max-lg:open:bottom-0 max-lg:open:m-0 max-lg:open:grid max-lg:open:max-h-[85dvh] max-lg:open:w-full max-lg:open:grid-cols-2 max-lg:open:overflow-y-auto max-lg:open:p-5 lg:static lg:m-0 lg:grid lg:w-full lg:grid-cols-[7.5rem_7.5rem_6.5rem_11.5rem_8.5rem] lg:items-start lg:justify-end lg:gap-2 lg:overflow-visible lg:p-0"
      >
        <input type="hidden" name="currency" value={currency} />
        <div className="col-span-2 -mt-2 -mr-3 flex items-center justify-between lg:hidden">
          <h2 className="headline text-xl">Filter and sort</h2>
          <button
            type="button"
            popoverTarget={FORM}
            popoverTargetAction="hide"
            className="grid size-11 place-items-center"
          >
            <CloseIcon />
            <span className="sr-only">Close</span>
          </button>
        </div>
        <div className="max-lg:col-span-2">
          <SelectField label="Size" name="size" isTool defaultValue={fields.size}>
            <option value="">All sizes</option>
            {SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </SelectField>
        </div>
        <ColorTool families={families} chosen={filters.colors} />
        <PriceTool
          currency={given}
          from={{ defaultValue: prices.min ?? "", error: minError }}
          to={{ defaultValue: prices.max ?? "", error: maxError }}
        />
        <div className="max-lg:col-span-2">
          <SelectField label="Sort" name="sort" isTool defaultValue={fields.sort}>
            {Object.entries(SORTS).map(([value, name]) => (
              <option key={value} value={value === "newest" ? "" : value}>
                {value === "newest" && isFeatured ? "Featured" : name}
              </option>
            ))}
          </SelectField>
        </div>
        <Tick name="available" label="In stock only" isSet={filters.available} />{" "}
        {(hasSale || filters.onSale) && <Tick name="sale" label="On sale" isSet={filters.onSale} />}{" "}
        <Button className="col-span-2 lg:col-span-full lg:hidden lg:justify-self-end lg:[@media(scripting:none)]:inline-flex">
          {`Show ${total === undefined ? "products" : productsText(total)}`}
        </Button>
      </Form>
    </div>
  );
}

function Tick({ name, label, isSet }: { name: string; label: string; isSet: boolean }) {
  return (
    <label className="col-span-2 flex min-h-11 items-center gap-2 text-sm font-semibold lg:col-span-1 lg:ml-2">
      <input type="checkbox" name={name} defaultChecked={isSet} className="size-5 accent-ink" />
      {label}
    </label>
  );
}
