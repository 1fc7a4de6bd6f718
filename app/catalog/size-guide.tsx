import { useState } from "react";
import { Dialog } from "#app/ui/dialog.tsx";
import { SIZES } from "./sizes.ts";

/** Garment measures in cm, laid flat: chest, length, sleeve. */
const MEASURES: Record<(typeof SIZES)[number], [number, number, number]> = {
  S: [50, 70, 20],
  M: [53, 72, 21],
  L: [56, 74, 22],
  XL: [59, 76, 23],
  XXL: [62, 78, 24],
};
const inches = (cm: number) => (Math.round((cm / 2.54) * 2) / 2).toFixed(1);

/** A button that opens the table of sizes. Without JavaScript the table itself is shown. */
export function SizeGuide() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="absolute top-0 right-0 min-h-11 text-sm underline underline-offset-4 [@media(scripting:none)]:hidden"
      >
        Size guide
      </button>
      <noscript>
        <SizeTable />
      </noscript>
      <Dialog open={open} onClose={() => setOpen(false)} title="Size guide">
        <div className="grid gap-6 p-5">
          <img
            src="/size-guide.svg"
            alt="How to measure chest width (A), length (B) and sleeve (C)"
            width={360}
            height={320}
            className="mx-auto h-auto max-h-52 w-auto sm:max-h-72"
          />
          <SizeTable />
          <p className="text-sm text-muted">
            Measured laid flat. Between two sizes, take the larger one for a loose fit.
          </p>
        </div>
      </Dialog>
    </>
  );
}

function SizeTable() {
  return (
    <table className="price w-full text-left text-sm [&_tbody_tr]:border-t [&_tbody_tr]:border-hairline [&_:is(td,th)]:py-2 [&_:is(td,th)]:pr-3">
      <caption className="sr-only">Measures of each size in centimetres and inches</caption>
      <thead>
        <tr>
          <th scope="col">Size</th>
          <th scope="col">A Chest</th>
          <th scope="col">B Length</th>
          <th scope="col">C Sleeve</th>
        </tr>
      </thead>
      <tbody>
        {SIZES.map((size) => (
          <tr key={size}>
            <th scope="row">{size}</th>
            {MEASURES[size].map((cm, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
              <td key={index}>
                {cm} cm <span className="block text-muted sm:ml-1 sm:inline">{inches(cm)} in</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
