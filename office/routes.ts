import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** Every URL of the back office. Those within the layout are for whoever has signed in. */
export default [
  route("sign-in", "routes/sign-in.tsx"),
  route("invitation", "routes/invitation.tsx"),
  route("passkey-options", "routes/passkey-options.ts"),
  route("sign-out", "routes/sign-out.ts"),
  layout("routes/layout.tsx", [
    index("routes/today.tsx"),
    route("orders", "routes/orders.tsx"),
    route("orders/export.csv", "routes/orders-export.ts"),
    route("orders/slips", "routes/orders-slips.tsx"),
    route("orders/labels", "routes/orders-labels.tsx"),
    route("orders/parcels", "routes/orders-parcels.tsx"),
    route("orders/parcels/plan", "routes/orders-parcels-plan.ts"),
    route("orders/parcels/:work", "routes/orders-parcels-work.tsx"),
    route("orders/:number", "routes/order.tsx"),
    route("products", "routes/products.tsx"),
    route("products/new", "routes/product-new.tsx"),
    route("products/pictures", "routes/products-pictures.ts"),
    route("products/:id", "routes/product.tsx"),
    route("me", "routes/me.tsx"),
    route("staff", "routes/staff.tsx"),
    route("audit", "routes/audit.tsx"),
    route("more", "routes/more.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
