import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { PaymentButton } from "./button.tsx";

const textOf = (html: string) => html.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|");

test("says Pay and the sum in naira, from kobo", () => {
  expect(textOf(renderToStaticMarkup(<PaymentButton amount={8_558_400} />))).toBe("|Pay|₦85,584|");
});

test("shows a given text, and a sum in another currency", () => {
  const html = renderToStaticMarkup(<PaymentButton amount={5349} currency="USD" text="Paystack" note="by card" />);
  expect(textOf(html)).toBe("|Paystack|$53.49 by card|");
});

test("has the variants normal and light, normal by default", () => {
  const look = (variant?: "normal" | "light") => renderToStaticMarkup(<PaymentButton amount={100} variant={variant} />);
  expect(look()).toBe(look("normal"));
  expect(look("light")).not.toBe(look("normal"));
});

test("the inline provider button supports variants normal and light only", () => {
  const error = vi.mocked(console.error).mockImplementation(() => undefined);
  // @ts-expect-error there is no third
  const dark = renderToStaticMarkup(<PaymentButton amount={100} variant="dark" />);
  expect(dark).toBe(renderToStaticMarkup(<PaymentButton amount={100} />));
  expect(error.mock.calls).toEqual([["There is no button variant dark: normal and light only"]]);
  error.mockClear();
});

test("can be disabled, and sends no form", () => {
  const html = renderToStaticMarkup(<PaymentButton amount={100} disabled />);
  expect(html).toMatch(/^<button type="button" disabled=""/);
});
