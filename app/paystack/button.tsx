import type { ButtonHTMLAttributes, ReactNode } from "react";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";

/** There are two looks and no other. */
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
  /** A word more under the sum. */
  note?: string;
  icon?: ReactNode;
};

/** The payment provider's button (specification, sections 5 and 9), in the shop's own look. */
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
      className={`flex min-h-20 w-full items-center gap-4 rounded-cut border px-5 py-4 text-left disabled:border-hairline disabled:text-muted ${VARIANTS[variant]}`}
    >
      {icon}
      <span>
        <span className="block text-lg font-bold">{text}</span>
        <span className="text-sm">
          {shown(amount, currency)}
          {note && ` ${note}`}
        </span>
      </span>
    </button>
  );
}

function shown(amount: number, currency: string): string {
  return currency === "NGN" ? formatKobo(kobo(amount)) : `${currency} ${(amount / 100).toFixed(2)}`;
}
