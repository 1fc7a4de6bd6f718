import { useState } from "react";
import { Dialog } from "#app/ui/dialog.tsx";
import { useLater } from "#app/ui/use-later.browser.ts";
import type { MeasuredSize } from "#db/types.ts";
import { inches, type SizeGuideTable } from "./size-guides/guide.ts";
import { GuideParts } from "./size-guides/parts.tsx";
import { SizeTable } from "./size-guides/table.tsx";
import { SIZES, sizeName } from "./sizes.ts";

/** Garment measures in cm, laid flat: chest, length, sleeve. */
const MEASURES: Record<(typeof SIZES)[number], [number, number, number]> = {
  S: [50, 70, 20],
  M: [53, 72, 21],
  L: [56, 74, 22],
  XL: [59, 76, 23],
  XXL: [62, 78, 24],
};
const HEADS = ["A Chest", "B Length", "C Sleeve"];
const IN_BOTH_UNITS = "Measures of each size in centimetres and inches";

/**
 * A button that opens the table of sizes: that of the owner's `guide`, or the shop's own. Without JavaScript the table
 * itself is shown. What a script adds to an owner's guide is loaded when the dialog opens; until then, the dialog has
 * the same table as the page without JavaScript.
 */
export function SizeGuide({ guide }: { guide?: SizeGuideTable }) {
  const [open, setOpen] = useState(false);
  const scripted = useLater(
    open && guide !== undefined,
    () => import("./size-guides/own-guide.tsx"),
    () => undefined, // the table in both units stays
  );
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="absolute top-0 right-0 min-h-11 text-sm underline underline-offset-4 [@media(scripting:none)]:hidden"
      >
        Size guide
      </button>
      <noscript>{guide ? <OwnersTable guide={guide} /> : <ShopsTable />}</noscript>
      <Dialog open={open} onClose={() => setOpen(false)} title="Size guide">
        <div className="grid gap-6 p-5">
          <img
            src="/size-guide.svg"
            alt="How to measure chest width (A), length (B) and sleeve (C)"
            width={360}
            height={320}
            className="mx-auto h-auto max-h-52 w-auto sm:max-h-72"
          />
          {guide && (scripted ? <scripted.OwnGuide guide={guide} /> : <OwnersTable guide={guide} />)}
          {!guide && <ShopsTable />}
          {!guide && (
            <p className="text-sm text-muted">
              Measured laid flat. Between two sizes, take the larger one for a loose fit.
            </p>
          )}
        </div>
      </Dialog>
    </>
  );
}

function ShopsTable() {
  return (
    <SizeTable caption={IN_BOTH_UNITS} heads={HEADS}>
      <Rows sizes={SIZES.map((size) => ({ size, cm: MEASURES[size] }))} />
    </SizeTable>
  );
}

function OwnersTable({ guide }: { guide: SizeGuideTable }) {
  return (
    <GuideParts guide={guide} caption={IN_BOTH_UNITS}>
      <Rows sizes={guide.sizes} />
    </GuideParts>
  );
}

/** Rows with each measure in both units. */
function Rows({ sizes }: { sizes: MeasuredSize[] }) {
  return sizes.map(({ size, cm: values }) => (
    <tr key={size}>
      <th scope="row">{sizeName(size)}</th>
      {values.map((cm, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
        <td key={index}>
          {cm} cm <span className="block text-muted sm:ml-1 sm:inline">{inches(cm)} in</span>
        </td>
      ))}
    </tr>
  ));
}
