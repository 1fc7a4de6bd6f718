import { type Key, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { useNavigate } from "react-router";
import { capital } from "#app/infra/text/capital.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { CloseIcon } from "#app/ui/icons.tsx";
import { Button, ButtonLink } from "../../frame/button.tsx";
import { MoreIcon } from "../../frame/icons.tsx";
import { STEP_WORDS } from "../many/words.ts";
import { CUSTOMS, DOCUMENTS } from "../print/page.tsx";

type Props = {
  numbers: string[];
  /** The sum of the chosen orders. Undefined if the member may not see sums. */
  sumKobo?: number;
  mayExport: boolean;
  mayPack: boolean;
  onNone(): void;
  onAll(): void;
};

const DOWNLOADS = (
  <>
    <MenuItem id="export.csv">Orders as CSV</MenuItem>
    <MenuItem id="courier">Courier’s file</MenuItem>
  </>
);

/**
 * The actions for all chosen orders. The bar is before the table in the markup, so that the Tab key reaches it without
 * passing every row.
 */
export function ChoiceBar({ numbers, sumKobo, mayExport, mayPack, onNone, onAll }: Props) {
  const navigate = useNavigate();
  const query = `?numbers=${numbers.join(",")}`;
  const toMark = (step: Key) => `/orders/steps${query}&do=${step}`;
  /** A file is downloaded; any other page is opened. */
  const goTo = (page: Key) => {
    if (String(page).endsWith(".csv")) location.assign(`/orders/${page}${query}`);
    else void navigate(`/orders/${page}${query}`);
  };
  return (
    <section
      aria-label="Selected orders"
      className="fixed inset-x-0 bottom-0 z-30 flex min-h-16 items-center gap-2 bg-ink px-4 py-2 text-paper outline-paper lg:right-auto lg:bottom-4 lg:left-[min(calc(50%+6.5rem),51.75rem)] lg:w-max lg:-translate-x-1/2 lg:rounded-cut lg:shadow-lg"
    >
      <button
        type="button"
        onClick={onNone}
        aria-label="Clear selection"
        className="-ml-3 grid size-11 place-items-center lg:ml-0"
      >
        <CloseIcon className="size-5" />
      </button>
      <p className="mr-auto leading-4.5 lg:mr-6" role="status">
        <strong className="font-semibold">{numbers.length} chosen</strong>{" "}
        <span className="block tabular-nums xl:ml-1 xl:inline">
          {sumKobo !== undefined && formatKobo(kobo(sumKobo))}
        </span>
      </p>
      <span className="hidden gap-2 lg:flex">
        <ButtonLink look="dark-line" to={`/orders/pick-list${query}`}>
          Pick list
        </ButtonLink>
        <ButtonLink look="dark-line" to={`/orders/slips${query}`}>
          Slips
        </ButtonLink>
        <ButtonLink look="dark-line" to={`/orders/labels${query}`}>
          Labels
        </ButtonLink>
        {mayExport && (
          <MenuTrigger>
            <Button type="button" look="dark-line">
              Download…
            </Button>
            <Popover placement="top end" className="menu">
              <Menu aria-label="Download these orders" onAction={goTo}>
                {DOWNLOADS}
              </Menu>
            </Popover>
          </MenuTrigger>
        )}
      </span>
      <MenuTrigger>
        <Button type="button" look="dark-icon" aria-label="More" className="lg:hidden">
          <MoreIcon className="size-5" />
        </Button>
        <Popover placement="top end" className="menu">
          <Menu
            aria-label="With these orders"
            onAction={(key) => {
              if (key === "all") onAll();
              else if (mayPack && key in STEP_WORDS) void navigate(toMark(key));
              else goTo(key);
            }}
          >
            <MenuItem id="all">Select all on this page</MenuItem>
            {Object.entries(sumKobo === undefined ? DOCUMENTS : { ...DOCUMENTS, ...CUSTOMS }).map(([name, title]) => (
              <MenuItem key={name} id={name}>
                {title}
              </MenuItem>
            ))}
            {mayExport && DOWNLOADS}
            {mayPack &&
              Object.entries(STEP_WORDS).map(([step, { as }]) => (
                <MenuItem key={step} id={step}>
                  Mark as {as}
                </MenuItem>
              ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      {mayPack && (
        <>
          <MenuTrigger>
            <Button type="button" look="dark-line" className="max-lg:hidden">
              Mark as…
            </Button>
            <Popover placement="top end" className="menu">
              <Menu aria-label="Mark these orders as" onAction={(key) => void navigate(toMark(key))}>
                {Object.entries(STEP_WORDS).map(([step, { as }]) => (
                  <MenuItem key={step} id={step}>
                    {capital(as)}
                  </MenuItem>
                ))}
              </Menu>
            </Popover>
          </MenuTrigger>
          <ButtonLink look="light" to={`/orders/parcels${query}`}>
            Mark as sent
          </ButtonLink>
        </>
      )}
    </section>
  );
}
