import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { guestCartForSignIn } from "#app/cart/cart-store.ts";
import { onStored } from "#app/infra/browser-storage.ts";

/** What the guest brings along to a sign-in: by script the guest cart as it is now, and the piece in the URL that led here without script. */
export function GuestFields() {
  const [query] = useSearchParams();
  const [stored, setStored] = useState<ReturnType<typeof guestCartForSignIn>>();
  useEffect(() => {
    const look = () => setStored(guestCartForSignIn());
    look();
    return onStored((key) => (key === "cart" || key === null) && look());
  }, []);
  const pieces = [...(stored?.items ?? []), ...pieceIn(query)];
  return (
    <>
      <input type="hidden" name="guestCart" value={pieces.length > 0 ? JSON.stringify(pieces) : ""} />
      <input type="hidden" name="mergeId" value={stored?.mergeId ?? ""} />
    </>
  );
}

function pieceIn(query: URLSearchParams) {
  const [id, size] = [query.get("id"), query.get("size")];
  return id && size ? [{ id, selectedSize: size, quantity: query.get("quantity") ?? 1 }] : [];
}
