import { Button } from "#app/ui/button.tsx";

/** The intent of the form, which distinguishes it from others that are posted to the order's page. */
export const AGAIN = "again";

type Props = { reference: string; number: string; look: "outline" | "quiet" };

/** The button that puts an order's items into the cart. A plain form, so that the cart's page is loaded again. */
export function BuyAgain({ reference, number, look }: Props) {
  return (
    <form method="post" action={`/order/${reference}`}>
      <input type="hidden" name="intent" value={AGAIN} />
      <Button look={look}>
        <span>
          Buy again<span className="sr-only">{`: order ${number}`}</span>
        </span>
      </Button>
    </form>
  );
}
