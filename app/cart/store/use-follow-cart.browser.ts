import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useCartVersion } from "#app/cart/store.browser.ts";

/**
 * Reloads the page's data when another tab or device has changed the cart: while `follows` is true, and if the cart is
 * newer than `shownVersion`, the version that the page shows.
 */
export function useFollowCart(shownVersion: number, follows: boolean): void {
  const version = useCartVersion();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (follows && version > shownVersion) void revalidate();
  }, [version, shownVersion, follows, revalidate]);
}
