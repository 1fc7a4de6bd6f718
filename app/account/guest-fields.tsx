import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { guestCartForSignIn } from "#app/cart/cart-store.ts";

/** What the guest brings along to a sign-in: the guest cart by script, or (without script) the one piece in the URL that led here. */
export function GuestFields() {
  const [query] = useSearchParams();
  const [stored, setStored] = useState<{ guestCart: string; mergeId: string }>();
  useEffect(() => setStored(guestCartForSignIn()), []);
  const { guestCart, mergeId } = stored ?? { guestCart: pieceIn(query), mergeId: "" };
  return (
    <>
      <input type="hidden" name="guestCart" value={guestCart} />
      <input type="hidden" name="mergeId" value={mergeId} />
    </>
  );
}

function pieceIn(query: URLSearchParams): string {
  const [id, size] = [query.get("id"), query.get("size")];
  if (!id || !size) return "";
  return JSON.stringify([{ id, selectedSize: size, quantity: query.get("quantity") ?? 1 }]);
}
