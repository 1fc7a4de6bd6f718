import { useEffect, useState } from "react";
import { guestCartForSignIn } from "#app/cart/store.browser.ts";
import { onStored } from "#app/infra/storage.browser.ts";

/** What the guest brings along to a sign-in: by script the guest cart as it is now. */
export function GuestFields() {
  const [stored, setStored] = useState<ReturnType<typeof guestCartForSignIn>>();
  useEffect(() => {
    const look = () => setStored(guestCartForSignIn());
    look();
    return onStored((key) => (key === "cart" || key === null) && look());
  }, []);
  return (
    <>
      <input type="hidden" name="guestCart" value={stored?.items.length ? JSON.stringify(stored.items) : ""} />
      <input type="hidden" name="mergeId" value={stored?.mergeId ?? ""} />
    </>
  );
}
