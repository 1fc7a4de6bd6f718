import { useNavigate } from "react-router";
import { messages } from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toaster.tsx";

/** To the checkout; a guest is told to sign in first and comes back there. Local storage `checkoutIntent` remembers what was wanted. */
export function CheckoutLink({ children, onLeave }: { children: string; onLeave?(): void }) {
  const navigate = useNavigate();
  return (
    <ButtonLink
      to="/checkout"
      className="w-full"
      onClick={(event) => {
        onLeave?.();
        if (localStorage.getItem("cartUserId")) return;
        event.preventDefault();
        localStorage.setItem("checkoutIntent", "true");
        toast.error(messages.checkout.loggedOut);
        navigate("/login?next=/checkout");
      }}
    >
      {children}
    </ButtonLink>
  );
}
