import { useEffect } from "react";
import hotToast, { type DefaultToastOptions, Toaster as HotToaster, useToasterStore } from "react-hot-toast";

const AT_MOST = 20;

/** The specification's times: success 2 s, all others 4 s, loading until it is ended. */
const options: DefaultToastOptions = {
  duration: 4000,
  style: { background: "#17130e", color: "#fbf8f2", borderRadius: "2px", maxWidth: "28rem" },
  success: { duration: 2000, iconTheme: { primary: "#fbf8f2", secondary: "#0e5a3b" } },
  error: { duration: 4000, iconTheme: { primary: "#fbf8f2", secondary: "#b3261e" } },
  loading: { duration: Number.POSITIVE_INFINITY },
};

export const toast = hotToast;

export function Toaster() {
  const { toasts } = useToasterStore();
  useEffect(() => {
    for (const extra of toasts.filter((one) => one.visible).slice(AT_MOST)) hotToast.dismiss(extra.id);
  }, [toasts]);
  return <HotToaster position="top-center" containerStyle={{ top: 76 }} toastOptions={options} />;
}
