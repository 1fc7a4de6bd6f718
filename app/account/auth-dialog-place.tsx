import { lazy, Suspense } from "react";
import { useAuthDialog } from "./auth-dialog-store.ts";

const AuthDialog = lazy(() => import("./auth-dialog.tsx").then((module) => ({ default: module.AuthDialog })));

/** Where the login dialog appears; its code is fetched when it is first wanted. `google`: whether the shop offers Google's way in. */
export function AuthDialogPlace({ google }: { google: boolean }) {
  const { shown } = useAuthDialog();
  if (!shown) return null;
  return (
    <Suspense>
      <AuthDialog google={google} />
    </Suspense>
  );
}
