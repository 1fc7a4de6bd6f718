import { useFetcher } from "react-router";
import { ONE_SIZE, type SizeStock } from "#app/catalog/sizes.ts";
import { EMAIL_MAX } from "#app/infra/email-address.ts";
import * as messages from "#app/messages.ts";
import { takeLostFocus, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, FormError, SelectField } from "#app/ui/field.tsx";

/** The response of /backInStock to a request for an alert. */
export type StockAlertAnswer =
  | { ok: true; isConfirmed: boolean }
  | { ok: false; problem?: string; emailProblem?: string; fields: Record<string, string> };

type Props = {
  productId: string;
  /** The sizes that are sold out. */
  sizes: SizeStock[];
  /** The server's response to a form posted without JavaScript. */
  posted?: StockAlertAnswer;
};

/**
 * A form for an address that gets one mail when a size is back in stock. Without JavaScript it leads to /backInStock.
 */
export function StockAlertForm({ productId, sizes, posted }: Props) {
  const fetcher = useFetcher<StockAlertAnswer>();
  const answer = fetcher.data ?? posted;
  const form = useFocusAnswer(answer);
  if (answer?.ok) {
    return (
      <p ref={takeLostFocus} role="status" tabIndex={-1} className="outline-none">
        {alertText(answer.isConfirmed)}
      </p>
    );
  }
  const [only] = sizes;
  return (
    <fetcher.Form ref={form} method="post" action="/backInStock" noValidate className="grid gap-4">
      <FormError>{answer?.problem}</FormError>
      <input type="hidden" name="id" value={productId} />
      {sizes.length === 1 && only ? (
        <input type="hidden" name="size" value={only.size} />
      ) : (
        <SelectField label="Size" name="size" defaultValue={answer?.fields.size}>
          {sizes.map(({ size }) => (
            <option key={size}>{size}</option>
          ))}
        </SelectField>
      )}
      <EmailField
        maxLength={EMAIL_MAX}
        required
        hint={messages.stockAlert.consent}
        defaultValue={answer?.fields.email}
        error={answer?.emailProblem}
      />
      <Button look="outline" busy={fetcher.state !== "idle"}>
        {sizes.length === 1 && only && only.size !== ONE_SIZE
          ? `Tell me when ${only.size} is back`
          : "Tell me when it’s back"}
      </Button>
    </fetcher.Form>
  );
}

export function alertText(isConfirmed: boolean): string {
  return isConfirmed ? messages.stockAlert.confirmed : messages.stockAlert.sent;
}
