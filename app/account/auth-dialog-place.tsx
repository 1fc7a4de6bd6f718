import { useEffect } from "react";
import { rememberUser } from "#app/account/session/summary.browser.ts";
import { onSessionEnded } from "#app/cart/store.browser.ts";
import * as messages from "#app/messages.ts";
import { useGoesWithPage } from "#app/ui/frame/with-page.browser.ts";
import { toast } from "#app/ui/toaster.tsx";
import { useLater } from "#app/ui/use-later.browser.ts";
import { showAuthDialog, useAuthDialog } from "./auth-dialog.browser.ts";

/**
 * The place in the page where the login dialog is mounted. It also opens when a session has ended that the browser
 * still remembers. The dialog's code is loaded when it first opens. `google`: whether the shop offers the sign-in with
 * Google.
 */
export function AuthDialogPlace({ google }: { google: boolean }) {
  const { shown, close } = useAuthDialog();
  const dialog = useLater(
    shown !== undefined,
    () => import("./auth-dialog.tsx"),
    () => {
      close();
      toast.error(messages.form.unavailable);
    },
  );
  useEffect(() => onSessionEnded(offerLogin), []);
  useGoesWithPage(shown !== undefined, close);
  return shown && dialog && <dialog.AuthDialog google={google} />;
}

function offerLogin(text: string): void {
  rememberUser(null);
  toast(text);
  showAuthDialog("login", location.pathname + location.search);
}
