import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";

const VARIANTS = {
  normal: "border-ink bg-paper hover:bg-linen",
  light: "border-hairline bg-transparent hover:bg-linen",
} as const;

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> & {
  /** In the currency's minor unit: kobo for NGN. */
  amount: number;
  currency?: string;
  text?: string;
  variant?: keyof typeof VARIANTS;
  /** Text that follows the sum. */
  note?: string;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/** The payment provider's button, in the shop's own look. */
export function PaymentButton({
  amount,
  currency = "NGN",
  text = "Pay",
  variant = "normal",
  note,
  icon,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={`flex min-h-20 w-full items-center gap-4 rounded-cut border px-5 py-4 text-left disabled:border-hairline disabled:text-muted ${lookOf(variant)}`}
    >
      {icon}
      <span>
        <span className="block text-lg font-bold">{text}</span>
        <span className="text-sm">{[shown(amount, currency), note].filter(Boolean).join(" ")}</span>
      </span>
    </button>
  );
}

function lookOf(variant: keyof typeof VARIANTS): string {
  if (Object.hasOwn(VARIANTS, variant)) return VARIANTS[variant];
  console.error(`There is no button variant ${variant}: ${Object.keys(VARIANTS).join(" and ")} only`);
  return VARIANTS.normal;
}

function shown(amount: number, currency: string): string {
  if (currency === "NGN") return formatKobo(kobo(amount));
  return currency === "USD" ? formatUsd(usdCents(amount)) : `${currency} ${(amount / 100).toFixed(2)}`;
}
