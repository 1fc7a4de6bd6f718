import * as messages from "#app/messages.ts";
import { ContactLink } from "#app/ui/frame/contact.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { PolicyPage } from "#app/ui/frame/policy-page.tsx";
import type { Route } from "./+types/privacy-policy";

export const meta: Route.MetaFunction = () =>
  pageMeta({ title: "Privacy | Irepo", description: "What Irepo keeps about you, why, and for how long." });

export default function PrivacyPolicy() {
  return (
    <PolicyPage title="Privacy Policy" note="Effective 16 March 2025">
      <h2>What we keep</h2>
      <ul>
        <li>Your account: name, email address, and your password as a hash that nobody can read back.</li>
        <li>Your cart and your orders, with the address and the phone number that they go to.</li>
        <li>Your first name and email address, if you subscribe to the newsletter.</li>
      </ul>
      <h2>What we do not keep</h2>
      <p>Card details. You give them to Paystack, our payment provider; they never reach us.</p>
      <h2>Why</h2>
      <p>
        To deliver what you bought, to answer you, and because bookkeeping must keep orders. Nothing is sold, and there
        are no advertising cookies.
      </p>
      <h2>For how long</h2>
      <p>
        {"As long as you have an account. You can delete it yourself at any time under "}
        <a href="/account#settings">My Account, Settings</a>
        {`, unless an order is paid and not sent yet or money is under way: then as soon as that has ended. ${messages.deletion.kept} Our backups hold what was in the shop when they were made, until newer ones replace them; Paystack keeps its own record of the payment.`}
      </p>
      <h2>In your browser</h2>
      <p>
        Your cart as a guest, who is signed in, one session cookie, and for pages without script a random number that
        keeps what you add once from being added twice. Logging out clears them; the currency that you chose, or that
        your country suggests, and the pages that can be read offline stay. Another cookie stays for a year after you
        have logged in: it says that your account was used in this browser, so that strangers who guess passwords cannot
        lock you out. It lets nobody in.
      </p>
      <h2>Who else sees it</h2>
      <p>
        Paystack, for the payment, with your name, email, phone and delivery address; the carrier, for the delivery; our
        mail provider, for the mails.
      </p>
      <h2>Your rights</h2>
      <p>
        {"Ask for a copy, a correction or the deletion of your data: "}
        <ContactLink />.
      </p>
    </PolicyPage>
  );
}
