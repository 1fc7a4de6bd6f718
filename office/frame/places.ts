import { may, type Permission, type Role } from "#app/staff/roles.ts";
import { ShopIcon as ProductsIcon } from "#app/ui/icons.tsx";
import { KeyIcon, LogIcon, OrdersIcon, TodayIcon } from "./icons.tsx";

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
  { to: "/products", title: "Products", Icon: ProductsIcon, needs: "look" },
  { to: "/staff", title: "Staff", Icon: KeyIcon, needs: "staff", begins: true },
  { to: "/audit", title: "Audit log", Icon: LogIcon, needs: "look" },
];

/** Where this role may go: the menu leads to nothing that is forbidden. */
export function placesFor(role: Role): Place[] {
  return PLACES.filter(({ needs }) => may(role, needs));
}
