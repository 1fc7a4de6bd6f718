import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { ErrorBoundary } from "./root.tsx";
import { ErrorBoundary as ErrorOfLayout } from "./routes/layout.tsx";

const error = new Error("x");

describe.each([
  ["a page outside of the shared layout", <ErrorBoundary key="root" error={error} params={{}} />],
  ["the shared layout itself", <ErrorOfLayout key="layout" error={error} params={{}} />],
])("a first visit on which %s fails", (_, page) => {
  const html = renderToStaticMarkup(page);

  test("is the shop's fault, not a missing network", () => {
    expect(html).toContain("Something went wrong");
  });

  test("has the shop's name above, which leads home, and ways on", () => {
    const [header, main, footer] = ["header", "main", "footer"].map(
      (name) => new RegExp(`<${name}[ >].*</${name}>`, "s").exec(html)?.[0] ?? "",
    );
    const linksIn = (part = "") => [...part.matchAll(/href="([^"]*)"/g)].map(([, to]) => to);
    expect(header).toContain("IREPO");
    expect(linksIn(header)).toEqual(["/shop", "/", "/Cart"]);
    expect(linksIn(main)).toContain("/shop");
    expect(linksIn(footer)).toEqual(["/returnpolicy", "/shipping-policy", "/privacy-policy"]);
    expect(html.indexOf("<header")).toBeLessThan(html.indexOf("<main"));
  });
});
