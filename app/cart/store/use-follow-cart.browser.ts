import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useCartVersion } from "#app/cart/store.browser.ts";

/** Another tab or device may change the cart: a page that shows its version `shownVersion` asks for itself anew, while `follows`. */
export function useFollowCart(shownVersion: number, follows: boolean): void {
  const version = useCartVersion();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (follows && version > shownVersion) void revalidate();
  }, [version, shownVersion, follows, revalidate]);
}
