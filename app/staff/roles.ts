/**
 * The permissions of staff. `says` completes "may …". `needs`: further permissions that a role with this permission
 * always gets, because it is of no use without them. Screens and changes name the permission that they need.
 */
const TABLE = {
  look: { says: "open the office" },
  orders: { says: "see orders to pack: number, name, place, pieces and state" },
  packing: { says: "pack, send and hand over orders", needs: ["orders"] },
  details: { says: "see sums, payments, email addresses and returns", needs: ["orders"] },
  service: {
    says: "put orders together, change addresses, write notes and tags, send mails again, close an order’s problems",
    needs: ["details"],
  },
  refunds: { says: "give money back, and cancel orders", needs: ["details"] },
  till: { says: "record money taken by hand, mark it as given back, and count the till", needs: ["details"] },
  returns: { says: "answer returns", needs: ["details"] },
  customers: { says: "see and delete customers, write notes and tags on them", needs: ["details"] },
  export: { says: "download lists of orders, returns and customers", needs: ["details"] },
  takings: { says: "see and download takings and refunds, and see the till", needs: ["details"] },
  products: { says: "see products, stock and delivery rates" },
  catalogue: { says: "change products and stock", needs: ["products"] },
  discounts: { says: "see sale prices, and offers with what they gave away, without their codes" },
  prices: {
    says: "set sale prices, and other prices in orders that they put together",
    needs: ["products", "discounts"],
  },
  offers: { says: "make offers and codes", needs: ["products", "discounts"] },
  delivery: { says: "change delivery rates", needs: ["products"] },
  shop: { says: "change the home page, the words of pages and emails, the notice and the contact" },
  newsletter: { says: "see and remove newsletter subscribers" },
  money: { says: "set the exchange rate, receipts and VAT, and look into payments", needs: ["takings"] },
  audit: { says: "read the audit log, which has sums and email addresses", needs: ["details", "products"] },
  staff: { says: "decide who works here, and as what" },
} as const satisfies Record<string, { says: string; needs?: readonly string[] }>;

export type Permission = keyof typeof TABLE;
export const PERMISSIONS = Object.keys(TABLE) as Permission[];
export const permissionText = (permission: Permission): string => TABLE[permission].says;

/**
 * The permissions that an owner can put into a new role: not `look`, which everybody has, and `staff`, which only
 * owners have.
 */
export const GIVABLE: readonly Permission[] = PERMISSIONS.filter((one) => one !== "look" && one !== "staff");

export type Granted = { permissions: readonly Permission[] };

/** The roles that every shop has. `says`: what each may do, in one line. */
const BUILT_IN = {
  owner: { says: "everything, staff and money too", permissions: PERMISSIONS },
  orders: {
    says: "orders, refunds, returns and customers",
    permissions: granted("packing", "service", "refunds", "till", "returns", "customers", "export", "audit"),
  },
  packer: { says: "packs, sends and hands over; sees no sums and no email", permissions: granted("packing") },
  bookkeeper: {
    says: "sees and downloads takings, orders, refunds and offers; changes nothing",
    permissions: granted("takings", "export", "discounts"),
  },
  catalogue: {
    says: "products, prices, offers, delivery and the shop's look",
    permissions: granted("catalogue", "prices", "offers", "delivery", "shop", "audit"),
  },
  reader: { says: "sees, and changes nothing", permissions: granted("audit") },
} as const satisfies Record<string, Granted & { says: string }>;

export type BuiltInRole = keyof typeof BUILT_IN;
export const ROLES = Object.keys(BUILT_IN) as BuiltInRole[];
export const builtIn = (role: BuiltInRole): Granted & { says: string } => BUILT_IN[role];

export function isBuiltIn(text: string): text is BuiltInRole {
  return Object.hasOwn(BUILT_IN, text);
}

export function may({ permissions }: Granted, permission: Permission): boolean {
  return permissions.includes(permission);
}

/** These permissions, `look`, and all that they need, in the table's order. */
export function granted(...given: Permission[]): Permission[] {
  const all = new Set<Permission>(["look", ...given]);
  for (const one of all) for (const needed of neededBy(one)) all.add(needed); // a Set also visits items added meanwhile
  return PERMISSIONS.filter((one) => all.has(one));
}

function neededBy(permission: Permission): readonly Permission[] {
  const row: { says: string; needs?: readonly Permission[] } = TABLE[permission];
  return row.needs ?? [];
}
