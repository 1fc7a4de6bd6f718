import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorBoundary } from "./root.tsx";

test("an error on the server is the shop's fault, not a missing network", () => {
  const html = renderToStaticMarkup(<ErrorBoundary error={new Error("x")} params={{}} />);
  expect(html).toContain("Something went wrong");
});
