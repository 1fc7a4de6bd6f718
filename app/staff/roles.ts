export const ROLES = ["owner", "orders", "catalogue", "reader"] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  "look",
  "orders",
  "refunds",
  "returns",
  "customers",
  "catalogue",
  "delivery",
  "money",
  "newsletter",
  "shop",
  "staff",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const GRANTED: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  orders: ["look", "orders", "refunds", "returns", "customers"],
  catalogue: ["look", "catalogue", "shop", "delivery"],
  reader: ["look"],
};

/** What each role is for, in a line. */
export const ROLE_SAYS: Record<Role, string> = {
  owner: "everything, staff and money too",
  orders: "orders, refunds, returns and customers",
  catalogue: "products, delivery and the shop's look",
  reader: "sees, and changes nothing",
};

export function may(role: Role, permission: Permission): boolean {
  return GRANTED[role].includes(permission);
}

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
