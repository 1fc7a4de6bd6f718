import { businessDays, type Numbers } from "#app/numbers/numbers.ts";
import { ContactLink } from "#app/ui/frame/contact.tsx";
import { Link } from "#app/ui/link.tsx";

/** The return policy until the owner changes it. */
export function returnsText({ returnDays, refundDays, damageHours }: Numbers) {
  return (
    <>
      <h2>Returns</h2>
      <p>{`You can return items within ${returnDays} days of delivery. They must be unworn, unwashed and have their tags.`}</p>
      <h2>Exchanges</h2>
      <p>{`Need another size? You can exchange an item within ${returnDays} days of delivery, as long as your size is in stock. You can choose another colour, too, where it costs the same.`}</p>
      <h2>Refunds</h2>
      <p>{`The refund is made within ${businessDays(refundDays)} after approval, to the account that you paid from. Approval is our yes to your return if the pieces are here or may stay with you, else the day on which they arrive here. Original shipping charges are non-refundable. If the mistake was ours, we refund delivery, too.`}</p>
      <h2>Damaged or incorrect items</h2>
      <p>{`Please report damaged or incorrect items within ${damageHours} hours of delivery; a photo helps. We’ll send the right item, or refund you in full, including delivery.`}</p>
      <h2>What can’t be returned</h2>
      <p>{`Final sale items and gift cards cannot be returned. If a final sale item came damaged or isn’t what you ordered, report it within ${damageHours} hours, and we’ll make it right.`}</p>
      <h2>How to start a return</h2>
      <p>
        Open the order in <Link to="/account">your account</Link> and choose “Return or exchange”. A question before
        that? Write to <ContactLink /> with the number of your order.
      </p>
    </>
  );
}
