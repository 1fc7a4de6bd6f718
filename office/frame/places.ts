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
} from "./icons.tsx";

/**
 * An item of the menu. `count`: the open tasks whose number is shown beside it; `begins`: whether a new group begins.
 */
export type MenuItem = {
  to: string;
  title: string;
  Icon: typeof TodayIcon;
  needs: Permission;
  /** The permission that hides this item, because its holders find the page through another item. */
  unless?: Permission;
  count?: "orders" | "returns";
  begins?: boolean;
};

const MENU: MenuItem[] = [
  { to: "/", title: "Today", Icon: TodayIcon, needs: "look" },
  { to: "/orders", title: "Orders", Icon: OrdersIcon, needs: "orders", count: "orders" },
  { to: "/returns", title: "Returns", Icon: ReturnIcon, needs: "details", count: "returns" },
  { to: "/products", title: "Products", Icon: ProductsIcon, needs: "products" },
  { to: "/customers", title: "Customers", Icon: PeopleIcon, needs: "customers" },
  { to: "/offers", title: "Offers", Icon: OfferIcon, needs: "offers", begins: true },
  { to: "/delivery", title: "Delivery", Icon: DeliveryIcon, needs: "products", begins: true },
  { to: "/money", title: "Money", Icon: MoneyIcon, needs: "money" },
  { to: "/money/takings", title: "Takings", Icon: MoneyIcon, needs: "takings", unless: "money" },
  { to: "/newsletter", title: "Newsletter", Icon: NewsletterIcon, needs: "newsletter" },
  { to: "/shop", title: "Shop", Icon: ShopIcon, needs: "shop" },
  { to: "/staff", title: "Staff", Icon: KeyIcon, needs: "staff", begins: true },
  { to: "/audit", title: "Audit log", Icon: LogIcon, needs: "audit" },
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
