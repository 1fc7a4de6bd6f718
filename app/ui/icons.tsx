import type { ReactNode } from "react";

/** Makes an icon component with this shape, in the colour of the surrounding text. Screen readers ignore the icon. */
export function icon(name: string, shape: ReactNode) {
  const Icon = ({ className = "size-6" }: { className?: string }) => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {shape}
    </svg>
  );
  Icon.displayName = name;
  return Icon;
}

export const HomeIcon = icon("HomeIcon", <path d="M4 11.2 12 4l8 7.2V20h-5.5v-5.5h-5V20H4z" />);
export const ShopIcon = icon("ShopIcon", <path d="m8.5 4 3.5 2 3.5-2L20 7l-2 4-1.8-1V20H7.8V10L6 11 4 7z" />);
export const CartIcon = icon("CartIcon", <path d="M5 8h14l1 12H4zM9 8V6.5a3 3 0 0 1 6 0V8" />);
export const PersonIcon = icon(
  "PersonIcon",
  <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5a7.5 7.5 0 0 1 15 0" />,
);
export const SearchIcon = icon(
  "SearchIcon",
  <path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20" />,
);
export const FilterIcon = icon("FilterIcon", <path d="M4 7h16M7 12h10M10 17h4" />);
export const CloseIcon = icon("CloseIcon", <path d="m6 6 12 12M18 6 6 18" />);
export const MinusIcon = icon("MinusIcon", <path d="M5 12h14" />);
export const PlusIcon = icon("PlusIcon", <path d="M5 12h14M12 5v14" />);
export const ChevronIcon = icon("ChevronIcon", <path d="m6 9 6 6 6-6" />);
export const LeftIcon = icon("LeftIcon", <path d="m15 5-7 7 7 7" />);
export const RightIcon = icon("RightIcon", <path d="m9 5 7 7-7 7" />);
export const ShareIcon = icon("ShareIcon", <path d="M12 15V4M8 7.5 12 4l4 3.5M6 11H5v9h14v-9h-1" />);
export const CheckIcon = icon("CheckIcon", <path d="m5 12.5 4.5 4.5L19 7.5" />);
export const InfoIcon = icon("InfoIcon", <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v6M12 7.5V8" />);
export const BackIcon = icon("BackIcon", <path d="m15 6-6 6 6 6" />);
export const ClockIcon = icon("ClockIcon", <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3 2" />);
export const PauseIcon = icon("PauseIcon", <path d="M9 6v12M15 6v12" />);
export const PlayIcon = icon("PlayIcon", <path d="m8 5 11 7-11 7z" />);
export const CardIcon = icon("CardIcon", <path d="M3 6h18v12.5H3zM3 10.5h18M6.5 15h4" />);
export const WalletIcon = icon("WalletIcon", <path d="M4 8h16v12H4zM4 8l12-4v4M14.5 12.5H20v3h-5.5z" />);
export const CoinIcon = icon(
  "CoinIcon",
  <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.5 8h3.8a1.9 1.9 0 0 1 0 4H9.5h4.3a2 2 0 0 1 0 4H9.5zM11 6.5V8M11 16v1.5" />,
);
export const TruckIcon = icon(
  "TruckIcon",
  <path d="M3 6h11v10H3zM14 9h4l3 3.5V16h-7M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4" />,
);
export const ReturnIcon = icon("ReturnIcon", <path d="M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4" />);
