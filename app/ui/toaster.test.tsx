import { renderToStaticMarkup } from "react-dom/server";
import hotToast, { useToasterStore } from "react-hot-toast";
import { expect, test } from "vitest";
import { TOAST_OPTIONS } from "./toaster.tsx";

test("a success stays 2 s, a loading toast until it is ended, and every other toast 4 s", () => {
  hotToast("blank");
  hotToast.custom("custom");
  hotToast.error("error");
  hotToast.success("success");
  hotToast.loading("loading");
  const Durations = () => {
    const { toasts } = useToasterStore(TOAST_OPTIONS);
    return <p>{toasts.map(({ type, duration }) => `${type} ${duration}`).join(", ")}</p>;
  };
  expect(renderToStaticMarkup(<Durations />)).toBe(
    "<p>loading Infinity, success 2000, error 4000, custom 4000, blank 4000</p>",
  );
});
