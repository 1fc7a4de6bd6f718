import { Form } from "react-router";
import { ADDRESS_MAX, type ReceiptSettings, SELLER_MAX, TIN_MAX } from "#app/owner/receipts/settings.ts";
import { StaleNotice } from "../conflict/notice.tsx";
import { useVersioned } from "../conflict/use-versioned.ts";
import { SaveButton } from "../frame/button.tsx";
import { Field, TextField } from "../frame/field.tsx";

type Props = { settings: ReceiptSettings; done: Parameters<typeof useVersioned>[1] };

/** The form of the settings of receipts. Its fields keep what is typed while others save. */
export function SettingsForm({ settings, done }: Props) {
  const form = useVersioned(settings.version, done);
  const { problems, typed } = form;
  return (
    <Form method="post" preventScrollReset className="grid max-w-120 gap-4.5">
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="version" value={form.seen} />
      <StaleNotice form={form} what="this" theirs={settingsText(settings)} />
      <label className="tick">
        <input type="checkbox" name="isOn" defaultChecked={typed ? "isOn" in typed : settings.isOn} />
        Give each new sale a numbered receipt
      </label>
      <TextField
        label="Seller"
        problem={problems.seller}
        name="seller"
        defaultValue={typed?.seller ?? settings.seller}
        maxLength={SELLER_MAX}
      />
      <Field label="Address" note={`up to ${ADDRESS_MAX.lines} lines`} problem={problems.address}>
        <textarea
          name="address"
          rows={3}
          defaultValue={typed?.address ?? settings.address}
          autoComplete="off"
          className="input"
        />
      </Field>
      <TextField
        label="Tax number (TIN)"
        note="empty: none"
        problem={problems.tin}
        name="tin"
        defaultValue={typed?.tin ?? settings.tin}
        maxLength={TIN_MAX}
        className="max-w-60 tabular-nums"
      />
      <label className="tick">
        <input type="checkbox" name="showsVat" defaultChecked={typed ? "showsVat" in typed : settings.showsVat} />
        Show VAT on receipts
      </label>
      <div>
        <SaveButton isPending={form.isPending} />
      </div>
    </Form>
  );
}

function settingsText({ isOn, seller, address, tin, showsVat }: ReceiptSettings): string {
  const told = [
    isOn ? "on" : "off",
    seller,
    address.replaceAll("\n", ", "),
    tin,
    showsVat ? "with VAT" : "without VAT",
  ];
  return told.filter(Boolean).join("; ");
}
