import { useCartDrawer } from "#app/cart/store.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/parentcomp";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Cart drawer test", hidden: true });

/** The cart drawer's test page. */
export default function ParentComp() {
  const drawer = useCartDrawer();
  return (
    <main className="page grid justify-items-start gap-4 py-16">
      <h1 className="headline text-3xl sm:text-5xl">Cart drawer</h1>
      <Button type="button" onClick={drawer.open}>
        Open cart
      </Button>
    </main>
  );
}
