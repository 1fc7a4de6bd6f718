import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { type SizeLine, SizeOptions } from "../size-change/options.tsx";
import { AGAIN } from "./form.tsx";

/** Pieces that came back, with the other sizes in stock. `without`: why there are none of the others. */
export type OtherSizes = { lines: SizeLine[]; without: { piece: string; text: string }[] };

type Props = { reference: string; sizes?: OtherSizes; error?: string };

/** The form that puts returned pieces into the cart in another size. A plain form, like that of `BuyAgain`. */
export function OrderInAnotherSize({ reference, sizes, error }: Props) {
  if (!sizes) return null;
  const { lines, without } = sizes;
  return (
    <section aria-labelledby="another-size" className="grid max-w-md gap-3 border-t border-hairline pt-5">
      <h2 id="another-size" className="headline text-lg">
        Order it in another size
      </h2>
      {lines.length > 0 && (
        <form method="post" action={`/order/${reference}`} noValidate className="grid gap-3">
          <p>This is a new order, at today’s price.</p>
          <input type="hidden" name="intent" value={AGAIN} />
          <SelectField label="New size" name="change" error={error}>
            <SizeOptions lines={lines} />
          </SelectField>
          <Button look="outline" className="justify-self-start">
            Add to cart
          </Button>
        </form>
      )}
      {without.map(({ piece, text }) => (
        <p key={piece}>{`${piece}: ${text}`}</p>
      ))}
    </section>
  );
}
