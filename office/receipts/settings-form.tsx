import { useEffect, useState } from "react";
import { Form, useNavigation } from "react-router";
import { ADDRESS_MAX, type ReceiptSettings, SELLER_MAX, TIN_MAX } from "#app/owner/receipts/settings.ts";
import { Button } from "../frame/button.tsx";
import { Field } from "../frame/field.tsx";
import { Notice } from "../frame/notice.tsx";

type Props = {
  settings: ReceiptSettings;
  /** The version that the last save, or its refusal, told. */
  told?: string;
  /** Somebody else has saved meanwhile. */
  isStale: boolean;
  problems: Record<string, string>;
  /** The texts of a refused form. */
  typed?: Record<string, string>;
};

/** The form for what stands on receipts, and whether sales get one. What is typed stays in it while others save. */
export function SettingsForm({ settings, told, isStale, problems, typed }: Props) {
  const isPending = useNavigation().formData?.get("intent") === "save";
  const [seen, setSeen] = useState(String(settings.version));
  useEffect(() => {
    if (told) setSeen(told);
  }, [told]);
  return (
    <Form method="post" preventScrollReset className="grid max-w-120 gap-4.5">
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="version" value={seen} />
      {isStale && (
        <Notice kind="conflict">
          <strong className="font-semibold">Somebody else has changed this.</strong> What you typed is still here, and
          hasn’t been saved. <span>{`Theirs: ${settingsText(settings)}.`}</span> Save again to replace it.
        </Notice>
      )}
      <label className="tick">
        <input type="checkbox" name="isOn" defaultChecked={typed ? "isOn" in typed : settings.isOn} />
        Give each new sale a numbered receipt
      </label>
      <Field label="Seller" problem={problems.seller}>
        <input
          name="seller"
          defaultValue={typed?.seller ?? settings.seller}
          maxLength={SELLER_MAX}
          autoComplete="off"
          className="input"
        />
      </Field>
      <Field label="Address" note={`up to ${ADDRESS_MAX.lines} lines`} problem={problems.address}>
        <textarea
          name="address"
          rows={3}
          defaultValue={typed?.address ?? settings.address}
          autoComplete="off"
          className="input"
        />
      </Field>
      <Field label="Tax number (TIN)" note="empty: none" problem={problems.tin}>
        <input
          name="tin"
          defaultValue={typed?.tin ?? settings.tin}
          maxLength={TIN_MAX}
          autoComplete="off"
          className="input max-w-60 tabular-nums"
        />
      </Field>
      <label className="tick">
        <input type="checkbox" name="showsVat" defaultChecked={typed ? "showsVat" in typed : settings.showsVat} />
        Show VAT on receipts
      </label>
      <div>
        <Button isPending={isPending}>{isPending ? "Saving…" : "Save"}</Button>
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
