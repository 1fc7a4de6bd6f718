import { type Granted, may, type Permission } from "#app/staff/roles.ts";
import { ShopIcon as ProductsIcon, ReturnIcon } from "#app/ui/icons.tsx";
import {
  DeliveryIcon,
  KeyIcon,
  LogIcon,
  MoneyIcon,
  NewsletterIcon,
  OfferIcon,
  OrdersIcon,
  PeopleIcon,
  ShopIcon,
  TodayIcon,
  WordsIcon,
} from "./icons.tsx";

/**
 * An item of the menu. `within`: the other addresses whose pages are reached through it; `about`: what is there, shown
 * on the screen More; `count`: the open tasks whose number is shown beside it; `begins`: whether a new group begins.
 */
export type MenuItem = {
  to: string;
  within?: string[];
  title: string;
  about: string;
  Icon: typeof TodayIcon;
  needs: Permission;
  /** The permission that hides this item, because its holders find the page through another item. */
  unless?: Permission;
  count?: "orders" | "returns";
  begins?: boolean;
};

const MENU: MenuItem[] = [
  { to: "/", title: "Today", about: "Open tasks and new orders", Icon: TodayIcon, needs: "look" },
  { to: "/orders", title: "Orders", about: "To send, and sent", Icon: OrdersIcon, needs: "orders", count: "orders" },
  {
    to: "/returns",
    title: "Returns",
    about: "Shoppers’ requests",
    Icon: ReturnIcon,
    needs: "details",
    count: "returns",
  },
  {
    to: "/products",
    within: ["/collections", "/size-guides", "/feeds"],
    title: "Products",
    about: "Prices, pictures and stock",
    Icon: ProductsIcon,
    needs: "products",
  },
  { to: "/customers", title: "Customers", about: "Their orders, notes and tags", Icon: PeopleIcon, needs: "customers" },
  {
    to: "/offers",
    title: "Offers",
    about: "Discounts, and what they gave",
    Icon: OfferIcon,
    needs: "discounts",
    begins: true,
  },
  {
    to: "/products/prices",
    title: "Sale prices",
    about: "Running and planned",
    Icon: ProductsIcon,
    needs: "discounts",
    unless: "products",
  },
  {
    to: "/delivery",
    title: "Delivery",
    about: "Rates and pick-up centres",
    Icon: DeliveryIcon,
    needs: "products",
    begins: true,
  },
  { to: "/money", title: "Money", about: "Rate, payments and takings", Icon: MoneyIcon, needs: "money" },
  {
    to: "/money/takings",
    title: "Takings",
    about: "Takings and refunds by day",
    Icon: MoneyIcon,
    needs: "takings",
    unless: "money",
  },
  { to: "/newsletter", title: "Newsletter", about: "Subscribers", Icon: NewsletterIcon, needs: "newsletter" },
  { to: "/shop", title: "Shop", about: "Slides, notice, contact and sender", Icon: ShopIcon, needs: "shop" },
  { to: "/words", title: "Words", about: "The texts of pages and emails", Icon: WordsIcon, needs: "shop" },
  { to: "/staff", title: "Staff", about: "Who may do what", Icon: KeyIcon, needs: "staff", begins: true },
  { to: "/audit", title: "Audit log", about: "Who changed what", Icon: LogIcon, needs: "audit" },
];

/** The items of the menu whose pages this role may open. */
export function menuFor(role: Granted): MenuItem[] {
  return MENU.filter(({ needs, unless }) => may(role, needs) && !(unless && may(role, unless)));
}

const IN_TABS = 4;

/** The first items of the menu. On phones, the tabs at the bottom show only these. */
export function firstInMenu(role: Granted): MenuItem[] {
  return menuFor(role).slice(0, IN_TABS);
}
