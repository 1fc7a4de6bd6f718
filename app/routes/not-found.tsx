import { data } from "react-router";
import { ErrorPage } from "#app/ui/frame/error-page.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/not-found";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Page not found | Irepo", hidden: true });

export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  return <ErrorPage title="Page not found" text="This page does not exist, or it has moved." />;
}
