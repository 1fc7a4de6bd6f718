import * as messages from "#app/messages.ts";
import { companyNames } from "#app/providers/descriptions.ts";
import { ContactLink } from "#app/ui/frame/contact.tsx";

/** The privacy policy until the owner changes it. */
export const PRIVACY_TEXT = (
  <>
    <h2>What we keep</h2>
    <ul>
      <li>Your account: name, email address, and your password, stored as a hash that can’t be read back.</li>
      <li>Your cart and your orders, with the delivery address and phone number.</li>
      <li>What our team has noted about you or an order, so we can help you.</li>
      <li>Your first name and email address, if you subscribe to the newsletter.</li>
    </ul>
    <h2>What we don’t keep</h2>
    <p>Card details. You give them to {companyNames()}, our payment provider. We never see them.</p>
    <h2>Why</h2>
    <p>
      To deliver your orders, to answer you, and because the law requires us to keep order records. We never sell your
      data, and we use no advertising cookies.
    </p>
    <h2>How long we keep it</h2>
    <p>
      {"As long as you have an account. You can delete it yourself at any time under "}
      <a href="/account#settings">My Account, Settings</a>
      {`, unless an order is paid and not sent yet, or a payment or refund is in progress: then as soon as that’s finished. ${messages.deletion.kept} Our backups keep older data until newer ones replace them, and ${companyNames()} keeps its own record of the payment.`}
    </p>
    <h2>In your browser</h2>
    <p>None of this is for advertising. Logging out clears what belongs to your account.</p>
    <ul>
      <li>
        Who is signed in: a session cookie, one that says that there is a session, and your name and address for our
        pages to greet you. Logging out clears them.
      </li>
      <li>
        Your cart as a guest, whether you were on your way to the checkout, and random numbers that keep a piece from
        being counted twice. Without script the cart is in a cookie for 7 days. So is a code that you typed before you
        logged in, for as long.
      </li>
      <li>The currency that you chose, in a cookie, too, so that prices are right from the start. It stays.</li>
      <li>
        The place that delivery is shown for: a state, a pick-up center or a country, never a street. It stays, so that
        prices are right at your next visit.
      </li>
      <li>
        Your own measures, if you type them into a size guide, to mark the size that fits. They stay until you remove
        them there, and we never see them.
      </li>
      <li>The pages you’ve visited, so you can read them offline. They stay.</li>
      <li>
        Until you close the tab: what you typed in the checkout, changes of your cart on their way to us, messages for
        the next page, and how far you had scrolled.
      </li>
      <li>
        If you were logged out while you filled in the checkout without script: for 30 minutes, a cookie with what you
        typed there, so that it’s filled in after you log in again. No other account sees it.
      </li>
      <li>
        For a year after you have logged in, a cookie which says that your account was used in this browser, so that
        strangers who guess passwords can’t lock you out. It lets nobody in.
      </li>
      <li>
        For 30 days after you have registered, a cookie with which the link in our mail verifies your address in this
        browser without asking for your password.
      </li>
      <li>
        For up to 15 minutes, cookies for a link in our mail that you have opened or asked for, and for a sign-in with
        Google on its way.
      </li>
    </ul>
    <h2>Who else sees it</h2>
    <p>
      {companyNames()}, for the payment, with your name, email, phone and delivery address; the carrier, for the
      delivery; our mail provider, for the mails.
    </p>
    <h2>Your rights</h2>
    <p>
      {"Ask for a copy, a correction or the deletion of your data: "}
      <ContactLink />.
    </p>
  </>
);
