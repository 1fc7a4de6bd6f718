import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from "react-router";
import { plural } from "#app/infra/text/plural.ts";
import { addressLines } from "#app/shipping/address.ts";
import { wayText } from "#app/shipping/ways/text.ts";
import { SelectFilter } from "../frame/list-tools.tsx";
import { NotPrinted, PrintPage } from "../orders/print/page.tsx";
import { printed } from "../orders/print/print.server.ts";

export function loader(args: LoaderFunctionArgs) {
  return printed(args, "labels");
}

/** Common label sheets: labels per row, labels per sheet, and sizes in mm; `inner` is the space around the text. */
const SHEETS = {
  "8": {
    name: "A4, 8 labels (99 × 68 mm)",
    page: "A4",
    across: 2,
    all: 8,
    width: 99.1,
    height: 67.7,
    top: 13.1,
    left: 4.65,
    gap: 2.5,
    inner: 5,
  },
  "14": {
    name: "A4, 14 labels (99 × 38 mm)",
    page: "A4",
    across: 2,
    all: 14,
    width: 99.1,
    height: 38.1,
    top: 15.1,
    left: 4.65,
    gap: 2.5,
    inner: 3,
  },
  roll: {
    name: "Roll, 100 × 150 mm",
    page: "100mm 150mm",
    across: 1,
    all: 1,
    width: 100,
    height: 150,
    top: 0,
    left: 0,
    gap: 0,
    inner: 6,
  },
};
/** The names of all sheets but the default one, by their values in the URL. */
const OTHER_SHEETS = Object.fromEntries(
  Object.entries(SHEETS).flatMap(([value, { name }]) => (value === "8" ? [] : [[value, name]])),
);

export default function Labels() {
  const { orders: found, leftOut, mayPack, mayDeclare, shop } = useLoaderData<typeof loader>();
  const orders = found.filter(({ whyNot }) => !whyNot);
  const stay = found.filter(({ whyNot }) => whyNot);
  const [params] = useSearchParams();
  const chosen = params.get("sheet") ?? "";
  const sheet = Object.hasOwn(SHEETS, chosen) ? SHEETS[chosen as keyof typeof SHEETS] : SHEETS["8"];
  const { page, across, all, width, height, top, left, gap, inner } = sheet;
  const sheets = Array.from({ length: Math.ceil(orders.length / all) }, (_, index) =>
    orders.slice(index * all, (index + 1) * all),
  );
  return (
    <PrintPage
      kind="labels"
      about={plural(orders.length, "label")}
      leftOut={leftOut}
      numbers={orders.map(({ number }) => number)}
      mayPack={mayPack}
      mayDeclare={mayDeclare}
    >
      {/* a printed address leads to a parcel being sent, so orders that must not be sent get none */}
      <NotPrinted orders={stay} says={["has no label", "have no label"]} />
      <style>{`@page { size: ${page}; margin: 0 }`}</style>
      <div className="mb-4 flex print:hidden">
        <SelectFilter name="sheet" label={SHEETS["8"].name} options={OTHER_SHEETS} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a phone shows a part of a sheet, and the keyboard must reach the rest */}
      <section aria-label="Sheets" tabIndex={0} className="overflow-x-auto">
        {sheets.map((labels) => (
          <div
            key={labels[0]?.number}
            className="mb-5 grid w-max break-after-page content-start bg-white last:break-after-auto print:mb-0"
            style={{
              gridTemplateColumns: `repeat(${across}, ${width}mm)`,
              gridAutoRows: `${height}mm`,
              columnGap: `${gap}mm`,
              padding: `${top}mm ${left}mm`,
            }}
          >
            {labels.map(({ number, shipping }) => (
              <article
                key={number}
                aria-label={`Label of ${number}`}
                style={{ padding: `${inner}mm` }}
                className="flex flex-col overflow-hidden border border-hairline text-[3.6mm] leading-[4.6mm] text-ink print:border-transparent"
              >
                {addressLines(shipping).map((line, index) => (
                  <span key={line} className={index === 0 ? "text-[4.4mm] leading-[5.4mm] font-bold" : undefined}>
                    {line}
                  </span>
                ))}
                {shipping.deliveryWay && <strong>{wayText(shipping.deliveryWay)}</strong>}
                <span className="mt-auto flex justify-between gap-2 text-[2.8mm] leading-[3.4mm]">
                  <span>From {[...shop.lines, shop.phone].filter(Boolean).join(", ")}</span>
                  <strong className="shrink-0 tabular-nums">{number}</strong>
                </span>
              </article>
            ))}
          </div>
        ))}
      </section>
    </PrintPage>
  );
}
