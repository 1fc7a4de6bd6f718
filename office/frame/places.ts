import { may, type Permission, type Role } from "#app/staff/roles.ts";
import { ShopIcon as ProductsIcon, ReturnIcon } from "#app/ui/icons.tsx";
import { KeyIcon, LogIcon, NewsletterIcon, OrdersIcon, PeopleIcon, TodayIcon } from "./icons.tsx";

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
  { to: "/newsletter", title: "Newsletter", Icon: NewsletterIcon, needs: "newsletter", begins: true },
  { to: "/staff", title: "Staff", Icon: KeyIcon, needs: "staff" },
  { to: "/audit", title: "Audit log", Icon: LogIcon, needs: "look" },
];

/** Where this role may go: the menu leads to nothing that is forbidden. */
export function placesFor(role: Role): Place[] {
  return PLACES.filter(({ needs }) => may(role, needs));
}
