import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** Every URL of the back office. Those within the layout are for whoever has signed in. */
export default [
  layout("routes/layout.tsx", [
    index("routes/today.tsx"),
    route("more", "routes/more.tsx"),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig;
