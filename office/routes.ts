import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** Every URL of the back office. Those within the layout are for whoever has signed in. */
export default [
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
    route("more", "routes/more.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
