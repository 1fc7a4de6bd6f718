import hotToast, { type DefaultToastOptions, Toaster as HotToaster } from "react-hot-toast";

/** The specification's times: success 2 s, all others 4 s, loading until it is ended. At most 20 are shown: the library's own limit. */
const options: DefaultToastOptions = {
  duration: 4000,
  style: { background: "#17130e", color: "#fbf8f2", borderRadius: "2px", maxWidth: "28rem" },
  success: { duration: 2000, iconTheme: { primary: "#fbf8f2", secondary: "#0e5a3b" } },
  error: { duration: 4000, iconTheme: { primary: "#fbf8f2", secondary: "#b3261e" } },
  loading: { duration: Number.POSITIVE_INFINITY },
};

export const toast = hotToast;

export function Toaster() {
  return <HotToaster position="top-center" containerStyle={{ top: 76 }} toastOptions={options} />;
}
