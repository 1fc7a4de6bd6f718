import { messages } from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { useLater } from "#app/ui/use-later.ts";
import { useAuthDialog } from "./auth-dialog-store.ts";

/** Where the login dialog appears; its code is fetched when it is first wanted. `google`: whether the shop offers Google's way in. */
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
  return shown && dialog && <dialog.AuthDialog google={google} />;
}
