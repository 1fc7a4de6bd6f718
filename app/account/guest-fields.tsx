import { useEffect, useState } from "react";
import { slimItems } from "#app/cart/guest-item.ts";
import { guestCartForSignIn } from "#app/cart/store.browser.ts";
import { onStored } from "#app/infra/storage.browser.ts";

/** Hidden fields with the guest cart for a sign-in form. Empty without JavaScript. */
export function GuestFields() {
  const [stored, setStored] = useState<ReturnType<typeof guestCartForSignIn>>();
  useEffect(() => {
    const look = () => setStored(guestCartForSignIn());
    look();
    return onStored((key) => (key === "cart" || key === null) && look());
  }, []);
  return (
    <>
      <input
        type="hidden"
        name="guestCart"
        value={stored?.items.length ? JSON.stringify(slimItems(stored.items)) : ""}
      />
      <input type="hidden" name="mergeId" value={stored?.mergeId ?? ""} />
    </>
  );
}
