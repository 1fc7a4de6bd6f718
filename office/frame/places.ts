import { may, type Permission, type Role } from "#app/staff/roles.ts";
import { ShopIcon as ProductsIcon, ReturnIcon } from "#app/ui/icons.tsx";
import {
  DeliveryIcon,
  KeyIcon,
  LogIcon,
  MoneyIcon,
  NewsletterIcon,
  OrdersIcon,
  PeopleIcon,
  ShopIcon,
  TodayIcon,
} from "./icons.tsx";

/** A place in the menu. `count`: how much waits there; `begins`: a group of places. */
export type Place = {
  to: string;
  title: string;
  Icon: typeof TodayIcon;
  needs: Permission;
  count?: "orders" | "returns";
  begins?: boolean;
};

const PLACES: Place[] = [
  { to: "/", title: "Today", Icon: TodayIcon, needs: "look" },
  { to: "/orders", title: "Orders", Icon: OrdersIcon, needs: "look", count: "orders" },
  { to: "/returns", title: "Returns", Icon: ReturnIcon, needs: "look", count: "returns" },
  { to: "/products", title: "Products", Icon: ProductsIcon, needs: "look" },
  { to: "/customers", title: "Customers", Icon: PeopleIcon, needs: "customers" },
  { to: "/delivery", title: "Delivery", Icon: DeliveryIcon, needs: "look", begins: true },
  { to: "/money", title: "Money", Icon: MoneyIcon, needs: "money" },
  { to: "/newsletter", title: "Newsletter", Icon: NewsletterIcon, needs: "newsletter" },
  { to: "/shop", title: "Shop", Icon: ShopIcon, needs: "shop" },
  { to: "/staff", title: "Staff", Icon: KeyIcon, needs: "staff", begins: true },
  { to: "/audit", title: "Audit log", Icon: LogIcon, needs: "look" },
];

/** Where this role may go: the menu leads to nothing that is forbidden. */
export function placesFor(role: Role): Place[] {
  return PLACES.filter(({ needs }) => may(role, needs));
}
