import { icon } from "#app/ui/icons.tsx";

export const TodayIcon = icon(
  "TodayIcon",
  <path d="M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1 1M17.4 17.4l1 1M5.6 18.4l1-1M17.4 6.6l1-1" />,
);
export const OrdersIcon = icon("OrdersIcon", <path d="M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8" />);
export const PeopleIcon = icon(
  "PeopleIcon",
  <path d="M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 19.5a6.5 6.5 0 0 1 13 0M16 5a3.5 3.5 0 0 1 0 6.5M17.5 14a6.5 6.5 0 0 1 4 5.5" />,
);
export const KeyIcon = icon(
  "KeyIcon",
  <path d="M8 16a4 4 0 1 1 3.6-5.8H21v3.5h-2.5V16H15v-2.3h-3.4A4 4 0 0 1 8 16M7.5 12h.5" />,
);
export const MoreIcon = icon("MoreIcon", <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />);
export const SearchIcon = icon("SearchIcon", <path d="M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l5 5" />);
export const DownloadIcon = icon("DownloadIcon", <path d="M12 4v11M8 11.5l4 4 4-4M5 20h14" />);
export const PrintIcon = icon("PrintIcon", <path d="M7 8V4h10v4M7 17H4V8h16v9h-3M7 14h10v6H7z" />);
export const WarningIcon = icon("WarningIcon", <path d="M12 4 2.8 20h18.4zM12 10v4.5M12 17v.5" />);
export const OfflineIcon = icon(
  "OfflineIcon",
  <path d="M3 3l18 18M5 10a12 12 0 0 1 4-2.3M8.5 14a6 6 0 0 1 5-1.5M12 18.5h.01M14 7.3A12 12 0 0 1 19 10" />,
);
export const OfferIcon = icon("OfferIcon", <path d="M4 4h8l8 8-8 8-8-8zM8 8.5v-.01" />);
export const LogIcon = icon("LogIcon", <path d="M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01" />);
export const DeliveryIcon = icon(
  "DeliveryIcon",
  <path d="M3 6h11v10H3zM14 9h4l3 3.5V16h-7M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4" />,
);
export const MoneyIcon = icon(
  "MoneyIcon",
  <path d="M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M6 9v.01M18 15v.01" />,
);
export const ShopIcon = icon("ShopIcon", <path d="M4 10v10h16V10M3 10l2-6h14l2 6zM9.5 20v-5.5h5V20" />);
export const GripIcon = icon(
  "GripIcon",
  <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" strokeWidth="2.6" />,
);
export const EditIcon = icon("EditIcon", <path d="M4 20l1-5L16 4l4 4L9 19z" />);
export const CameraIcon = icon(
  "CameraIcon",
  <path d="M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7" />,
);
export const NewsletterIcon = icon("NewsletterIcon", <path d="M3 6h18v12H3zM3 7l9 6.5L21 7" />);
export const WordsIcon = icon("WordsIcon", <path d="M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4" />);
